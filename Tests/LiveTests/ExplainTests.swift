import SkerryTesting
import SkerryValues
import Testing

/// `skerry explain` as a process, with a bridge and a broker.
@Suite(
    "Explaining over the broker",
    .serialized,
    .enabled(if: Broker.isAvailable, "needs a mosquitto binary")
)
struct ExplainTests {
    static let start = Timestamp(seconds: 1_772_355_600)

    /// Asks, and returns what was printed and the exit status.
    func explain(
        _ broker: Broker,
        _ further: String...
    ) throws -> (output: String, errors: String, status: Int32) {
        let program = try Program(
            ["explain", "-h", "127.0.0.1", "-p", "\(broker.port)"] + further,
            environment: ["TZ": "UTC"]
        )
        let status = try program.end()
        return (program.outputText, program.errorText, status)
    }

    /// A bridge that has heard of a lawn and of roses.
    func bridge(_ broker: Broker) throws -> LiveBridge {
        let live = try LiveBridge(Files.devices, broker, at: Self.start)
        let device = try BrokerClient(port: broker.port)
        for name in ["lawn", "roses"] {
            try device.publish("opensprinkler/station/\(name)", #"{"state":1,"duration":600}"#)
        }
        try live.tally.wait(for: "both messages") { $0.messages >= 2 }
        return live
    }

    @Test("for people: states, timers, guards, what comes next")
    func people() async throws {
        let broker = try Broker()
        let live = try bridge(broker)
        let told = try explain(broker, "lawn")
        #expect(told.status == 0 && told.errors.isEmpty, "\(told)")
        let lines = told.output.split(separator: "\n").map { String($0) }
        for line in [
            "sprinkler/lawn  at 09:00:00",
            #"states     watering  "Watering"  since 09:00:00 (now)"#,
            "timers     water  ends 09:10:00 (in 10m), then water.elapsed",
            "activity   sprinkler/lawn/1772355600, active",
        ] { #expect(lines.contains(line), "\(line) in\n\(told.output)") }
        #expect(lines.contains { $0.hasPrefix("next ") } && lines.contains { $0.hasPrefix("foreseen ") })
        await live.end()
    }

    @Test("moments and lengths of time among the values are written as such")
    func times() async throws {
        let broker = try Broker()
        let live = try bridge(broker)
        let device = try BrokerClient(port: broker.port)
        try device.publish("plug/washingmachine/cellar/power", "3")
        try live.tally.wait(for: "the message") { $0.messages >= 3 }
        let told = try explain(broker, "cellar")
        let began = told.output.split(separator: "\n").first { $0.contains(" began ") }
        #expect(began?.hasSuffix("09:00:00 (now)") == true, "\(told)")
        await live.end()
    }

    @Test("as JSON, by kind and name")
    func json() async throws {
        let broker = try Broker()
        let live = try bridge(broker)
        let told = try explain(broker, "sprinkler/roses", "--json")
        #expect(told.status == 0, "\(told)")
        let value = try JSONReader.value(of: Array(told.output.utf8).span)
        guard case .map(let members) = value, case .string("roses")? = members["device"] else {
            Issue.record("no explanation: \(told.output)")
            return
        }
        #expect(try explain(broker).output == "sprinkler/lawn\nsprinkler/roses\n")
        await live.end()
    }

    @Test("an unknown or ambiguous name lists the known ones, exit 1")
    func names() async throws {
        let broker = try Broker()
        let live = try bridge(broker)
        let told = try explain(broker, "lwan")
        #expect(told.status == 1)
        #expect(told.errors.contains("there is no device 'lwan'; did you mean 'sprinkler/lawn'?"))
        let device = try BrokerClient(port: broker.port)
        try device.publish("homeconnect/lawn/state", #"{"OperationState":"Ready","SpinSpeed":"1200"}"#)
        try live.tally.wait(for: "the message") { $0.messages >= 3 }
        let both = try explain(broker, "lawn")
        #expect(both.status == 1 && both.output.isEmpty)
        #expect(both.errors.hasSuffix("name one of:\n  sprinkler/lawn\n  washer/lawn\n"), "\(both.errors)")
        await live.end()
    }

    @Test("without a bridge it gives the reason, exit 69: never there, gone, no answer, no broker")
    func noBridge() async throws {
        let broker = try Broker()
        let never = try explain(broker, "lawn", "--wait", "1")
        #expect(
            never.status == 69 && never.errors.contains("nothing is retained on skerry/bridge/state"),
            "\(never)"
        )
        let client = try BrokerClient(port: broker.port)
        try client.publish("skerry/bridge/state", "online", isRetained: true)
        let silent = try explain(broker, "lawn", "--wait", "1")
        #expect(silent.status == 69 && silent.errors.contains("no answer came within 1 s"), "\(silent)")
        try client.publish("skerry/bridge/state", "offline", isRetained: true)
        let gone = try explain(broker, "lawn")
        #expect(gone.status == 69 && gone.errors.contains("says offline"), "\(gone)")
        broker.kill()
        let alone = try explain(broker, "lawn")
        #expect(alone.status == 69 && !alone.errors.isEmpty, "\(alone)")
    }
}
