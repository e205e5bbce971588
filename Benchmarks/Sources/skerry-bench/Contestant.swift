import Glibc
import SkerryEngine
import SkerryTesting

/// A program under comparison: its start, its input and its end.
struct Contestant {
    /// The program, by the name of its file.
    enum Kind: String, CaseIterable {
        case relay
        case passthrough
        case skerry
        /// A machine of Boost.MSM, in C++.
        case msm
        /// A machine of Qt SCXML, in C++.
        case qtscxml
        /// A machine of transitions, in Python.
        case transitions
        /// A statechart of sismic, in Python.
        case sismic

        /// The engines of others that are programs in `Benchmarks/peers`.
        static let peers: [Kind] = [.msm, .qtscxml, .transitions, .sismic]

        var words: String {
            switch self {
            case .relay: "C relay"
            case .passthrough: "C pass-through"
            case .skerry: "bridge"
            case .msm: "Boost.MSM (C++)"
            case .qtscxml: "Qt SCXML (C++)"
            case .transitions: "transitions (Python)"
            case .sismic: "sismic (Python)"
            }
        }
    }

    /// What a program has to do; each takes from it what concerns it.
    struct Task {
        /// What the program in C publishes for a change.
        enum Output: String {
            /// One message that is not retained.
            case diff
            /// A retained snapshot and a diff, as the bridge does.
            case state
        }

        /// The topic filters of the program in C.
        var filters: [String]
        /// The quality of service of its subscription and its publications.
        var quality: UInt8
        /// What it publishes.
        var output = Output.diff
        /// The folder of the bridge's definitions, within the package.
        var definitions = "devices"
        /// Whether the bridge stores; the programs in C never do.
        var isStored = false
        /// The port of the bridge's page; nil for no page.
        var page: Int?
    }

    private let kind: Kind
    private let folder: String
    private let house: House
    private let task: Task

    init(_ kind: Kind, _ folder: String, _ house: House, _ task: Task) {
        self.kind = kind
        self.folder = folder
        self.house = house
        self.task = task
    }

    /// The folder of the programs; nil, with a line in the table, when nothing can be compared.
    static var programs: String? {
        guard Broker.isAvailable else {
            say("  no mosquitto on this machine, passed over")
            return nil
        }
        let folder = environment("SKERRY_PROGRAMS")
        if folder == nil {
            say("  SKERRY_PROGRAMS names no folder with skerry, relay and passthrough, passed over")
        }
        return folder
    }

    /// A private broker that drops nothing.
    func makeBroker() throws(BenchFailure) -> Broker {
        var settings = Broker.Settings()
        settings.lines = ["max_queued_messages 0", "max_inflight_messages 0", "set_tcp_nodelay true"]
        do throws(Broker.Failure) {
            return try Broker(settings)
        } catch {
            throw BenchFailure(error.description)
        }
    }

    /// Measures the processor time that the program needs for one message.
    ///
    /// - Parameters:
    ///   - messages: The messages.
    ///   - rate: How many arrive in a second; nil for all at once.
    ///   - prepare: Called once the program is connected, before the time is measured.
    /// - Returns: The time in microseconds.
    /// - Throws: ``BenchFailure`` if the program does not read all messages.
    func microseconds(
        for messages: [TimedMessage],
        rate: Int? = nil,
        _ prepare: () throws(BenchFailure) -> Void = {}
    ) throws(BenchFailure) -> Double {
        let broker = try makeBroker()
        let program = try start(on: broker, count: messages.count)
        try waitUntilReady(program, broker)
        try prepare()
        guard let before = program.usedTime else { throw BenchFailure("it is gone") }
        if let rate {
            try feed(messages, to: broker, rate: rate)
        } else {
            // All messages wait at the broker before the program reads any: otherwise the speed of the publisher would
            // decide how often the program wakes up.
            program.pause()
            try feed(messages, to: broker)
            program.resume()
        }
        guard kind == .skerry else {
            guard program.waitForEnd(seconds: 60) else { throw BenchFailure("it did not read all messages") }
            return try figure(in: program.output)
        }
        let after = try settledTime(of: program, after: messages.count, on: broker)
        program.end()
        return Double(after - before) / 1000 / Double(messages.count)
    }

    /// Measures how long after a message that changes a state its publication arrives at a reader, and the broker's work.
    ///
    /// - Parameters:
    ///   - messages: The messages; each change of an operation is an update.
    ///   - rate: How many arrive in a second.
    /// - Returns: The times in milliseconds, the shortest first, and the broker's processor time in microseconds for a
    ///   message, in which it takes it in, hands it on, and hands updates to the reader.
    /// - Throws: ``BenchFailure`` if an update does not arrive.
    func latencies(
        of messages: [TimedMessage],
        rate: Int
    ) throws(BenchFailure) -> (times: [Double], broker: Double) {
        var former: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]
        let changes = messages.indices.filter { index in
            let message = messages[index].message
            return former.updateValue(message.payload, forKey: message.topic) != message.payload
        }
        let broker = try makeBroker()
        let program = try start(on: broker, count: messages.count)
        defer { program.end() }
        try waitUntilReady(program, broker)
        let filter = kind == .skerry ? "skerry/+/+/activity" : "out/#"
        let listener = try ArrivalListener(port: broker.port, filter: filter, count: changes.count)
        let before = broker.process.flatMap { processorTime(of: $0) }
        let sent = try feed(messages, to: broker, rate: rate)
        let arrivals = try listener.end()
        guard let before, let after = broker.process.flatMap({ processorTime(of: $0) }) else {
            throw BenchFailure("the broker is gone")
        }
        // Those of one device come in the order of its changes; among devices, any order is right.
        var moments: [String: [UInt64]] = [:]
        for arrival in arrivals { moments[arrival.message.topic, default: []].append(arrival.moment) }
        var counts: [ArraySlice<UInt8>: Int] = [:]
        let times = changes.compactMap { index in
            let topic = messages[index].message.topic
            let count = counts[topic, default: 0]
            counts[topic] = count + 1
            let name = String(decoding: topic, as: UTF8.self)
            let device = name.split(separator: "/")[1]
            let output = kind == .skerry ? "skerry/washer/\(device)/activity" : "out/\(name)"
            guard let found = moments[output], count < found.count else { return nil as Double? }
            return (Double(found[count]) - Double(sent[index])) / 1e6
        }
        guard times.count == changes.count else { throw BenchFailure("not every update arrived once") }
        return (times.sorted(), Double(after - before) / 1000 / Double(messages.count))
    }

    /// Starts the program; programs in C end by themselves after `count` messages.
    func start(on broker: Broker, count: Int = 0) throws(BenchFailure) -> Program {
        var arguments = ["--port", "\(broker.port)"]
        switch kind {
        case .skerry:
            setenv("SKERRY_HEALTH_INTERVAL", "1", 1)
            setenv("SKERRY_STORE_PATH", task.isStored ? "\(broker.directory)/store.sqlite" : "none", 1)
            setenv("SKERRY_HTTP_ADDRESS", task.page.map { "127.0.0.1:\($0)" } ?? "none", 1)
            setenv("SKERRY_HTTP_ADMIN_TOKEN_FILE", "\(broker.directory)/admin", 1)
            arguments =
                ["run"] + arguments
                + ["--definitions", "\(house.root)/\(task.definitions)", "--log-level", "error"]
        default:
            arguments += [
                "--qos", "\(task.quality)", "--prefix", "out", "--count", "\(count)", "--id", kind.rawValue,
            ]
            if kind == .passthrough { arguments += ["--publish", task.output.rawValue] }
            for filter in task.filters { arguments += ["--topic", filter] }
        }
        return try Program("\(folder)/\(kind.rawValue)", arguments, in: broker.directory)
    }

    /// Publishes the messages, each `1 / rate` seconds after the one before, or as fast as the broker takes them.
    ///
    /// - Returns: The moment of each.
    @discardableResult
    func feed(
        _ messages: [TimedMessage],
        to broker: Broker,
        rate: Int? = nil
    ) throws(BenchFailure) -> [UInt64] {
        do throws(BrokerClient.Failure) {
            let client = try BrokerClient(port: broker.port)
            let start = wallTime()
            var moments: [UInt64] = []
            for (index, timed) in messages.enumerated() {
                if let rate { sleep(until: start + UInt64(index) * 1_000_000_000 / UInt64(rate)) }
                moments.append(wallTime())
                try client.publish(
                    String(decoding: timed.message.topic, as: UTF8.self),
                    timed.message.payload,
                    quality: task.quality,
                    isWaiting: index % 200 == 199
                )
            }
            try client.flush()
            try client.disconnect()
            return moments
        } catch {
            throw BenchFailure(error.description)
        }
    }

    private func waitUntilReady(_ program: Program, _ broker: Broker) throws(BenchFailure) {
        if kind == .skerry {
            try waitUntilOnline(broker)
        } else if !program.wait(for: "ready", seconds: 10) {
            throw BenchFailure("it did not come up: \(program.output)")
        }
    }

    func waitUntilOnline(_ broker: Broker) throws(BenchFailure) {
        do throws(BrokerClient.Failure) {
            let client = try BrokerClient(port: broker.port)
            try client.subscribe("skerry/bridge/state")
            try client.wait(for: "online") { messages in messages.contains { $0.text.contains("online") } }
            try client.disconnect()
        } catch {
            throw BenchFailure(error.description)
        }
    }

    /// The processor time of the bridge once its health report counts all messages.
    func settledTime(of program: Program, after count: Int, on broker: Broker) throws(BenchFailure) -> UInt64
    {
        do throws(BrokerClient.Failure) {
            let client = try BrokerClient(port: broker.port)
            try client.subscribe("skerry/bridge/health", quality: 0)
            for _ in 0..<60 {
                let known = client.messages.count
                try client.wait(forCount: known + 1)
                guard let text = client.messages.last?.text, Self.messagesIn(text) >= count else { continue }
                guard let time = program.usedTime else { break }
                try client.disconnect()
                return time
            }
        } catch {
            throw BenchFailure(error.description)
        }
        throw BenchFailure("it did not count all messages within a minute")
    }

    /// The number of messages in a health report: `"in":1234`.
    static func messagesIn(_ health: String) -> Int {
        guard let start = health.utf8.firstRange(of: Array("\"in\":".utf8))?.upperBound else { return 0 }
        return Int(String(decoding: health.utf8[start...].prefix { (48...57).contains($0) }, as: UTF8.self))
            ?? 0
    }

    /// The figure that the programs in C print at their end.
    private func figure(in output: String) throws(BenchFailure) -> Double {
        let key = "cpu_us_per_message="
        guard let word = output.split(whereSeparator: \.isWhitespace).first(where: { $0.hasPrefix(key) }),
            let figure = Double(word.dropFirst(key.count))
        else { throw BenchFailure("it printed no figure: \(output)") }
        return figure
    }
}
