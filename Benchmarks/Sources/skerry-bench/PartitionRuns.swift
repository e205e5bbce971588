import Glibc
import SkerryEngine
import SkerryTesting
import WasherLoad

/// What it costs to share a hundred washing machines out among two and three bridges, each with a store: the processor time of all of
/// them for a message, beside that of one bridge.
struct PartitionRuns {
    private let house: House

    init(_ house: House) { self.house = house }

    /// A broker of either kind.
    private enum Network {
        case mosquitto(Broker)
        case nats(NATSServers, folder: String)

        var port: Int {
            switch self {
            case .mosquitto(let broker): broker.port
            case .nats(let servers, _): servers.ports[0]
            }
        }

        var folder: String {
            switch self {
            case .mosquitto(let broker): broker.directory
            case .nats(_, let folder): folder
            }
        }

        var client: BrokerClient {
            get throws(BrokerClient.Failure) {
                if case .nats = self { return try BrokerClient(port: port, version: .v311) }
                return try BrokerClient(port: port)
            }
        }
    }

    func run() throws(BenchFailure) {
        Table.section(
            "Partitions of 100 washing machines: processor time of all bridges for a message, in µs"
        )
        guard let folder = Contestant.programs else { return }
        Table.header(["one", "two", "three", "3 : 1"])
        for isNATS in [false, true] {
            guard !isNATS || NATSServers.isAvailable else {
                say("  no nats-server on this machine, passed over")
                continue
            }
            for (load, period) in [("each message a change", 1), ("every tenth a change", 10)] {
                var figures: [Double] = []
                for count in 1...3 {
                    var best = Double.infinity
                    for _ in 0..<(house.options.isQuick ? 1 : 3) {
                        best = min(best, try measure(folder, count, period: period, isNATS: isNATS))
                    }
                    figures.append(best)
                }
                figures.append(figures[2] / figures[0])
                Table.row("\(isNATS ? "NATS" : "mosquitto"), \(load)", figures)
            }
        }
    }

    /// The processor time of so many bridges for a message, in microseconds.
    private func measure(
        _ folder: String,
        _ count: Int,
        period: Int,
        isNATS: Bool
    ) throws(BenchFailure) -> Double {
        // NATS hands out one message of a filter at a time.
        let messages = house.messages(of: WasherLoad(period: period), isNATS ? 5000 : 50_000)
        let definitions = "\(house.root)/Benchmarks/countdown"
        setenv("SKERRY_HEALTH_INTERVAL", "1", 1)
        setenv("SKERRY_HTTP_ADDRESS", "none", 1)
        setenv("SKERRY_DEFINITIONS", definitions, 1)
        setenv("SKERRY_PARTITIONS", "\(count)", 1)
        setenv("SKERRY_PARTITION_PREFIX", "p", 1)
        setenv("SKERRY_MQTT_VERSION", isNATS ? "3.1.1" : "5", 1)
        if !isNATS || count == 1 { unsetenv("SKERRY_PARTITION_PREFIX") }
        if count == 1 { unsetenv("SKERRY_PARTITIONS") }
        let network = try makeNetwork(folder, count, isNATS: isNATS)
        setenv("SKERRY_STORE_PATH", "\(network.folder)/store.sqlite", 1)
        var programs: [Program] = []
        for number in 0..<count {
            let share = count == 1 ? [] : ["--partition", "\(number)"]
            programs.append(
                try Program(
                    "\(folder)/skerry",
                    ["run", "--port", "\(network.port)", "--log-level", "error"] + share,
                    in: network.folder
                )
            )
        }
        do throws(BrokerClient.Failure) {
            let client = try network.client
            try client.subscribe("skerry/+/state")
            try client.subscribe("skerry/+/health", quality: 0)
            try client.wait(for: "all online") { messages in
                Set(messages.filter { $0.text.contains("online") }.map(\.topic)).count == count
            }
            let before = programs.reduce(0) { $0 + ($1.usedTime ?? 0) }
            let publisher = try network.client
            for timed in messages {
                let topic = String(decoding: timed.message.topic, as: UTF8.self)
                try publisher.publish(topic, timed.message.payload, isWaiting: isNATS)
            }
            try publisher.flush()
            try client.wait(for: "all handled") { news in
                var handled: [String: Int] = [:]
                for report in news where report.topic.hasSuffix("/health") {
                    handled[report.topic] = Contestant.messagesIn(report.text)
                }
                // mosquitto sends each message to all of them, NATS to one.
                let least = isNATS ? handled.values.reduce(0, +) : handled.values.min() ?? 0
                return handled.count == count && least >= messages.count
            }
            let after = programs.reduce(0) { $0 + ($1.usedTime ?? 0) }
            for program in programs { program.end() }
            return Double(after - before) / 1000 / Double(messages.count)
        } catch {
            throw BenchFailure(error.description)
        }
    }

    private func makeNetwork(_ folder: String, _ count: Int, isNATS: Bool) throws(BenchFailure) -> Network {
        guard isNATS else {
            let task = Contestant.Task(filters: [], quality: 1)
            return .mosquitto(try Contestant(.skerry, folder, house, task).makeBroker())
        }
        var template = Array("/tmp/skerry-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BenchFailure("no folder in /tmp") }
        let place = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var mappings = ""
        if count > 1 {
            let program = try Program("\(folder)/skerry", ["cluster", "--nats"], in: place)
            guard program.waitForEnd(seconds: 20) else { throw BenchFailure("skerry cluster does not end") }
            mappings = program.output
        }
        do throws(NATSServers.Failure) {
            return .nats(try NATSServers(mappings: mappings), folder: place)
        } catch {
            throw BenchFailure(error.description)
        }
    }
}
