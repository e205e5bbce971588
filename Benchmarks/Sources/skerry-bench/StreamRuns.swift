import Glibc
import SkerryGateway
import SkerryTesting
import WasherLoad

/// The page's stream: how much later than by MQTT its readers have an update, and what they cost the bridge.
struct StreamRuns {
    private let house: House
    private static let readers = 498
    /// The updates in a second.
    private static let rate = 20

    init(_ house: House) { self.house = house }

    func run() throws(BenchFailure) {
        guard let folder = Contestant.programs else { return }
        Table.section(
            "The stream: \(Self.readers) readers, one that stalls, one that sends rubbish; \(Self.rate) updates a second"
        )
        try measureLag(in: folder)
        Table.section(
            "The stream: µs of processor time for a message, 1,000 messages a second, with the store"
        )
        for period in [200, 10] { try measureCost(in: folder, period: period) }
    }

    private func contestant(_ folder: String, _ page: Int) -> Contestant {
        var task = Contestant.Task(
            filters: ["homeconnect/+/state"],
            quality: 1,
            definitions: "Benchmarks/countdown"
        )
        task.isStored = true
        task.page = page
        return Contestant(.skerry, folder, house, task)
    }

    // MARK: Lag

    private func measureLag(in folder: String) throws(BenchFailure) {
        let page = try freePort()
        let skerry = contestant(folder, page)
        let broker = try skerry.makeBroker()
        let program = try skerry.start(on: broker)
        defer { program.end() }
        try skerry.waitUntilOnline(broker)
        let idle = residentBytes(of: program.process) ?? 0
        let readers = try StreamReaders(count: Self.readers, port: page)
        let stalled = try StreamReaders.open(page, buffer: 4096)
        defer { close(stalled) }
        let rude = try StreamReaders.open(page)
        defer { close(rude) }
        let rubbish = [UInt8](repeating: 0xFF, count: 4096)
        _ = send(rude, rubbish, rubbish.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        let opened = residentBytes(of: program.process) ?? 0

        // The first message of each machine begins a run, which is a snapshot; each further one is a diff.
        let seconds = house.options.isQuick ? 10 : 30
        let diffs = seconds * Self.rate
        let listener = try ArrivalListener(
            port: broker.port,
            filter: "skerry/+/+/activity/diff",
            count: diffs
        )
        try skerry.feed(house.messages(of: WasherLoad(period: 1), 100 + diffs), to: broker, rate: Self.rate)
        let byBroker = try listener.end().map { (StreamReaders.diff(in: $0.message.payload), $0.moment) }
        let byStream = readers.end(after: diffs)
        let loaded = residentBytes(of: program.process) ?? 0

        var lags: [Double] = []
        for (diff, moment) in byBroker {
            for arrival in byStream[diff] ?? [] { lags.append((Double(arrival) - Double(moment)) / 1e6) }
        }
        lags.sort()
        guard !lags.isEmpty else { throw BenchFailure("no reader has an update") }
        let last = lags[lags.count * 99 / 100]
        Table.row("later than the MQTT diff, median", Table.number(lags[lags.count / 2]), "ms")
        let target = Table.Target.atMost(100, last)
        Table.row("later than the MQTT diff, 99th percentile", Table.number(last), "ms", target: target)
        Table.row("later than the MQTT diff, at most", Table.number(lags[lags.count - 1]), "ms")
        let missing = diffs * Self.readers - lags.count
        Table.row(
            "updates that did not come",
            Table.number(Double(missing)),
            "",
            target: .atMost(0, Double(missing))
        )
        Table.row("resident memory without readers", Table.number(Double(idle) / 1e6), "MB")
        Table.row("resident memory with all readers", Table.number(Double(opened) / 1e6), "MB")
        Table.row(
            "resident memory after \(seconds + 100 / Self.rate) s of updates",
            Table.number(Double(loaded) / 1e6),
            "MB"
        )
    }

    // MARK: Cost

    /// Compares the processor time without readers and with 20, in turns.
    private func measureCost(in folder: String, period: Int) throws(BenchFailure) {
        let messages = house.messages(of: WasherLoad(period: period), 20_000)
        var best = [0: Double.infinity, 20: Double.infinity]
        for _ in 0..<(house.options.isQuick ? 2 : 4) {
            for count in [0, 20] {
                let page = try freePort()
                var readers: StreamReaders?
                let figure = try contestant(folder, page).microseconds(for: messages, rate: 1000) {
                    () throws(BenchFailure) in
                    if count > 0 { readers = try StreamReaders(count: count, port: page) }
                }
                _ = readers?.end(after: 0)
                best[count] = min(best[count] ?? .infinity, figure)
            }
        }
        let (without, with) = (best[0] ?? .nan, best[20] ?? .nan)
        let title = "one of \(period) messages is an update, "
        Table.row(title + "no reader", Table.number(without), "µs/message")
        let growth = (with / without - 1) * 100
        Table.row(title + "20 readers", Table.number(with), "µs/message")
        Table.row(title + "growth", Table.number(growth), "%", target: .atMost(10, growth))
    }

    private func freePort() throws(BenchFailure) -> Int {
        do throws(Broker.Failure) {
            return try Broker.findFreePort()
        } catch {
            throw BenchFailure(error.description)
        }
    }
}
