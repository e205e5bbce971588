import Glibc
import SkerryTesting
import WasherLoad

/// What an update costs: a hundred washing machines that change their state with every message (A), with every tenth
/// (B), and with every tenth of a thousand messages a second (C), beside a program in C that publishes as much, and engines of others.
struct UpdateRuns {
    private let house: House
    private static let filters = ["homeconnect/+/state"]

    init(_ house: House) { self.house = house }

    /// The messages and their pace.
    private struct Load {
        var name: String
        /// One of so many messages changes the state.
        var period: Int
        /// Messages in a second; nil for all at once.
        var rate: Int?
    }

    /// A line of the table.
    private struct Line {
        var words: String
        var kind: Contestant.Kind
        var task: Contestant.Task
    }

    private static let loads = [
        Load(name: "A", period: 1),
        Load(name: "B", period: 10),
        Load(name: "C", period: 10, rate: 1000),
    ]

    private static var lines: [Line] {
        let least = Contestant.Task(filters: filters, quality: 0)
        let state = Contestant.Task(filters: filters, quality: 1, output: .state)
        let plain = Contestant.Task(filters: filters, quality: 1, definitions: "Benchmarks/plain")
        let countdown = Contestant.Task(filters: filters, quality: 1, definitions: "Benchmarks/countdown")
        var stored = countdown
        stored.isStored = true
        return [
            Line(words: "C: one message for a change, QoS 0", kind: .passthrough, task: least),
            Line(words: "C: retained snapshot and diff, QoS 1", kind: .passthrough, task: state),
            Line(words: "Skerry, no timers, no store", kind: .skerry, task: plain),
            Line(words: "Skerry, countdown and after, no store", kind: .skerry, task: countdown),
            Line(words: "Skerry, countdown and after, store", kind: .skerry, task: stored),
        ]
    }

    func run() throws(BenchFailure) {
        Table.section("Updates of 100 washing machines, µs of processor time for a message")
        guard let folder = Contestant.programs else { return }
        Table.header(Self.loads.map(\.name))
        for line in lines(in: folder) {
            var figures: [Double] = []
            for load in Self.loads {
                let contestant = Contestant(line.kind, folder, house, line.task)
                let messages = messages(of: load)
                var best = Double.infinity
                for _ in 0..<(house.options.isQuick ? 1 : 3) {
                    best = min(best, try contestant.microseconds(for: messages, rate: load.rate))
                }
                figures.append(best)
            }
            Table.row(line.words, figures)
        }
        try measureMany(in: folder)
        try measureLatency(in: folder)
    }

    /// Ten thousand machines, from the first message of each.
    private func measureMany(in folder: String) throws(BenchFailure) {
        Table.section("Of 10,000 washing machines, the first message of each included")
        let loads = Self.loads.filter { $0.rate == nil }
        Table.header(loads.map(\.name))
        for line in Self.lines where line.task.quality > 0 {
            let contestant = Contestant(line.kind, folder, house, line.task)
            var figures: [Double] = []
            for load in loads {
                let washers = WasherLoad(period: load.period, machines: 10_000)
                figures.append(try contestant.microseconds(for: house.messages(of: washers, 100_000)))
            }
            Table.row(line.words, figures)
        }
    }

    /// Of all lines but those with two publications: how late a reader has an update.
    private func measureLatency(in folder: String) throws(BenchFailure) {
        Table.section("In C: how late a reader has an update, in ms; the broker's work for a message, in µs")
        Table.header(["median", "p99", "broker"])
        let load = Load(name: "C", period: 10, rate: 1000)
        for line in lines(in: folder) where line.task.output == .diff {
            let contestant = Contestant(line.kind, folder, house, line.task)
            let (times, broker) = try contestant.latencies(of: messages(of: load), rate: 1000)
            Table.row(line.words, [times[times.count / 2], times[times.count * 99 / 100], broker])
        }
    }

    /// The lines of the table, with the engines of others that `scripts/bench --peers` has built.
    private func lines(in folder: String) -> [Line] {
        let least = Contestant.Task(filters: Self.filters, quality: 0)
        let peers = Contestant.Kind.peers.filter { access("\(folder)/\($0.rawValue)", X_OK) == 0 }
        return Self.lines
            + peers.map { Line(words: "\($0.words): one message, QoS 0", kind: $0, task: least) }
    }

    private func messages(of load: Load) -> [TimedMessage] {
        let seconds = house.options.isQuick ? 5 : 10
        return house.messages(
            of: WasherLoad(period: load.period),
            load.rate.map { $0 * seconds } ?? seconds * 5000
        )
    }
}
