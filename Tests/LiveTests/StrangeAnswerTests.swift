import SkerryTesting
import Testing

/// Commands that ask a bridge, where somebody else answers on the broker.
@Suite(
    "Answers that no bridge gives",
    .serialized,
    .enabled(if: Broker.isAvailable, "needs a mosquitto binary")
)
struct StrangeAnswerTests {
    private let broker: Broker

    init() throws {
        broker = try Broker()
        let stranger = try BrokerClient(port: broker.port)
        try stranger.publish("skerry/bridge/state", "online", isRetained: true)
    }

    /// Runs a command, answers its question with data, and the one about a device with an explanation.
    private func run(
        _ arguments: [String],
        data: String,
        explanation: String? = nil
    ) throws -> (status: Int32, output: String, errors: String) {
        let stranger = try BrokerClient(port: broker.port)
        try stranger.subscribe("skerry/bridge/request/+")
        try stranger.subscribe("skerry/+/+/explain/get")
        let program = try Program(
            arguments + ["-h", "127.0.0.1", "-p", "\(broker.port)"],
            environment: ["TZ": "UTC"]
        )
        let question = try stranger.wait(forCount: 1)[0]
        let mark = try #require(question.text.firstMatch(of: /"transaction":"(\w+)"/)).1
        try stranger.publish(
            question.topic.replacing("request", with: "response"),
            #"{"transaction":"\#(mark)","status":"ok","data":\#(data)}"#
        )
        if let explanation {
            try stranger.wait(forCount: 2)
            try stranger.publish("skerry/strange/one/explain", explanation)
        }
        return (try program.end(), program.outputText, program.errorText)
    }

    static let numbers = [
        "1e300", "-1e300", "1.7976931348623157e308", "9223372036854775807", "-9223372036854775808",
        "1e15", "-0.5", "0",
    ]

    @Test("a bridge with any numbers has a status", arguments: numbers)
    func status(number: String) throws {
        let stranger = try BrokerClient(port: broker.port)
        let info = #"{"version":"1","started":N,"partition":N,"partitions":N}"#.replacing("N", with: number)
        try stranger.publish("skerry/bridge/info", info, isRetained: true)
        let health = """
            {"devices":N,"messages":{"in":N,"refused":N},"updates":N,"problems":N,\
            "lastError":{"at":N,"message":"a mishap"}}
            """
        let told = try run(["status"], data: health.replacing("N", with: number))
        #expect(told.status == 0 && told.errors.isEmpty, "\(told)")
        #expect(told.output.contains("a mishap"), "\(told)")
    }

    @Test("devices with any numbers are listed", arguments: numbers)
    func devices(number: String) throws {
        let list = """
            {"devices":[{"kind":"strange","device":"one","states":["a"],"since":N,"heard":N,\
            "next":{"at":N,"what":"what comes"},"activity":{"content":{"a":{"end":N},"b":{"start":N},\
            "c":{"remaining":N},"d":{"elapsed":N}}}}],"left":N}
            """
        let told = try run(["devices"], data: list.replacing("N", with: number))
        #expect(told.status == 0 && told.errors.hasSuffix(" more\n"), "\(told)")
        #expect(told.output.contains("strange/one") && told.output.contains("what comes"), "\(told)")
    }

    private static let device = #"{"devices":[{"kind":"strange","device":"one"}]}"#

    @Test("a device with any numbers is explained", arguments: numbers)
    func explanation(number: String) throws {
        let explanation = """
            {"kind":"strange","device":"one","at":N,"heard":N,"refusedValues":N,"failedReadings":N,\
            "swallowedRuns":N,"forgotten":N,"states":[{"name":"a","since":N}],"signals":{"s":N,"t":N},\
            "moments":["s"],"durations":["t"],"timers":[{"name":"t","state":"running","end":N,\
            "learned":{"runs":N,"like":N,"of":N,"tolerance":N}},{"name":"u","state":"paused","remaining":N}],\
            "waits":[{"due":N,"after":N,"lapsed":N,"quiet":N,"for":N,"to":"b"}],\
            "activity":{"id":"i","phase":"active","rev":N,"updated":N,"dismissal":N},"next":{"at":N},\
            "phones":[{"phone":"p","at":N,"until":N}]}
            """
        let told = try run(
            ["explain", "one"],
            data: Self.device,
            explanation: explanation.replacing("N", with: number)
        )
        #expect(told.status == 0 && told.errors.isEmpty, "\(told)")
        #expect(told.output.hasPrefix("strange/one  at ") && told.output.contains("next "), "\(told)")
    }

    @Test("no text of an explanation steers the terminal")
    func texts() throws {
        let evil = #""\u001b[2J\u202e\u0007""#
        let explanation = """
            {"kind":T,"device":T,"name":T,"run":T,"at":0,"states":[{"name":T,"title":T}],"settings":{T:T},\
            "signals":{T:T},"variables":{T:T},"unread":[T],\
            "timers":[{"name":T,"state":"running","raises":T},{"name":T,"state":T,"learned":{"runs":1,"by":T}}],\
            "waits":[{"on":T,"quiet":60,"of":[T],"unchanged":[T],"at":T,"past":T,"guard":T,"to":T}],\
            "events":[{"name":T}],"transitions":[{"holds":false,"why":T,"quiet":60,"of":[T]}],\
            "activity":{"id":T,"phase":T,"changed":{T:T}},"next":{"event":T,"rests":T},\
            "timeline":{"entries":[{},{"phase":T,"state":T,"content":{T:T}}]},\
            "phones":[{"phone":T,"decision":T,"why":T}]}
            """
        let told = try run(
            ["explain", "one"],
            data: Self.device,
            explanation: explanation.replacing("T", with: evil)
        )
        #expect(told.status == 0 && told.output.contains(#"\u001b[2J"#), "\(told)")
        let steering = told.output.unicodeScalars.filter { $0 != "\n" }.filter { scalar in
            [.control, .format].contains(scalar.properties.generalCategory)
        }
        #expect(steering.isEmpty, "\(told)")
    }
}
