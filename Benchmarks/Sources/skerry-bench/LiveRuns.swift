import Glibc
import SkerryDevice
import SkerryEngine
import SkerryTesting

/// A comparison of the bridge with two programs in C, by the same broker and messages.
struct LiveRuns {
    private let house: House
    private let filters: [String]

    init(_ house: House) {
        self.house = house
        var filters: [String] = []
        for source in house.definitions.flatMap(\.sources) where !filters.contains(source.filter.subscription)
        {
            filters.append(source.filter.subscription)
        }
        self.filters = filters
    }

    func run() throws(BenchFailure) {
        Table.section("Live, processor time of one message that waits at the broker, user and system")
        guard let folder = Contestant.programs else { return }
        let contestants = Contestant.Kind.allCases.filter { access("\(folder)/\($0.rawValue)", X_OK) == 0 }
        for absent in Contestant.Kind.allCases where !contestants.contains(absent) {
            say("  \(absent.rawValue): not in \(folder), passed over")
        }
        for (name, messages) in loads() {
            for quality in [UInt8(0), 1] {
                try compare(contestants, in: folder, with: messages, named: name, quality: quality)
            }
        }
        if contestants.contains(.skerry) { try describeDaemon(in: folder) }
    }

    /// The messages to publish, enough of each kind to be measured; all of them match a subscription.
    private func loads() -> [(String, [TimedMessage])] {
        let count = house.options.isQuick ? 20_000 : 40_000
        var loads: [(String, [TimedMessage])] = []
        for name in ["household.jsonl", "printer-cube.jsonl", "printer-pauses.jsonl", "buses.jsonl"]
        where house.options.name.isEmpty || name.contains(house.options.name) {
            guard let recording = house.recording(name) else { continue }
            let known = recording.filter { timed in
                filters.contains { topic(timed.message.topic, matches: $0) }
            }
            guard !known.isEmpty else {
                say("  \(name): no definition reads its topics, passed over")
                continue
            }
            var messages: [TimedMessage] = []
            while messages.count < count { messages += known }
            loads.append((name, Array(messages.prefix(count))))
        }
        if house.options.name.isEmpty || "fleet".contains(house.options.name) {
            loads.append(("1,000 simulated devices", house.fleet(count)))
        }
        return loads
    }

    /// Publishes the same messages to each program in turns, and prints the best result of each.
    private func compare(
        _ contestants: [Contestant.Kind],
        in folder: String,
        with messages: [TimedMessage],
        named name: String,
        quality: UInt8
    ) throws(BenchFailure) {
        var figures: [Contestant.Kind: Double] = [:]
        for _ in 0..<(house.options.isQuick ? 2 : 4) {
            for kind in contestants {
                let contestant = Contestant(
                    kind,
                    folder,
                    house,
                    Contestant.Task(filters: filters, quality: quality)
                )
                do throws(BenchFailure) {
                    let figure = try contestant.microseconds(for: messages)
                    figures[kind] = min(figures[kind] ?? .infinity, figure)
                } catch {
                    complain("  \(kind.rawValue), \(name), QoS \(quality): \(error.description)")
                }
            }
        }
        let title = "\(name), QoS \(quality): "
        for kind in contestants {
            Table.row(title + kind.words, Table.number(figures[kind] ?? .nan), "µs/message")
        }
        guard let bridge = figures[.skerry] else { return }
        if let relay = figures[.relay] {
            let ratio = bridge / relay
            Table.row(title + "bridge : relay", Table.number(ratio), "×", target: .atMost(1.0, ratio))
        }
        if let least = figures[.passthrough] {
            let ratio = bridge / least
            Table.row(title + "bridge : pass-through", Table.number(ratio), "×", target: .atMost(1.2, ratio))
        }
    }

    /// Measures the start of the daemon, and its memory right after and with a thousand devices.
    private func describeDaemon(in folder: String) throws(BenchFailure) {
        Table.section("The daemon")
        let skerry = Contestant(.skerry, folder, house, Contestant.Task(filters: filters, quality: 1))
        let broker = try skerry.makeBroker()
        var fastest = Double.infinity
        for _ in 0..<3 {
            let start = wallTime()
            let program = try skerry.start(on: broker)
            try skerry.waitUntilOnline(broker)
            fastest = min(fastest, Double(wallTime() - start) / 1e6)
            let resident = residentBytes(of: program.process)
            program.end()
            if fastest < .infinity, let resident {
                keep(resident)
            }
        }
        Table.row("from start to bridge/state online, best of 3", Table.number(fastest), "ms")
        let program = try skerry.start(on: broker)
        try skerry.waitUntilOnline(broker)
        let idle = residentBytes(of: program.process) ?? 0
        Table.row("resident memory, online, no devices", Table.number(Double(idle) / 1e6), "MB")
        let messages = house.fleet(house.options.isQuick ? 10_000 : 40_000)
        try skerry.feed(messages, to: broker)
        _ = try skerry.settledTime(of: program, after: messages.count, on: broker)
        let loaded = residentBytes(of: program.process) ?? 0
        let words = "resident memory, after \(messages.count) messages of 1,000 devices"
        Table.row(words, Table.number(Double(loaded) / 1e6), "MB")
        program.end()
    }
}

/// True if a filter matches a topic (MQTT 5, section 4.7).
private func topic(_ topic: ArraySlice<UInt8>, matches filter: String) -> Bool {
    let levels = topic.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let parts = filter.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for (position, part) in parts.enumerated() {
        if part.elementsEqual("#".utf8) { return true }
        guard position < levels.count else { return false }
        if !part.elementsEqual("+".utf8), !part.elementsEqual(levels[position]) { return false }
    }
    return parts.count == levels.count
}
