import Foundation
import SkerryTesting
import Testing

/// `skerry run` as a process.
@Suite("The bridge as a process", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
struct RunTests {
    static func arguments(_ broker: Broker) -> [String] {
        ["run", "-h", "127.0.0.1", "-p", "\(broker.port)", "--log-format", "json"] + Files.options
    }

    /// A reader of everything that the bridge says.
    func reader(_ broker: Broker) throws -> BrokerClient {
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/#", keepsRetainFlag: true)
        return reader
    }

    static func states(_ messages: [BrokerClient.Message]) -> [String] {
        messages.filter { $0.topic == "skerry/bridge/state" }.map(\.text)
    }

    /// The bridge subscribes after its first words; a retained command, which it refuses aloud, tells when.
    func awaitSubscription(_ program: Program) throws {
        try program.wait(for: "the subscription") { $0.errorText.contains("a retained command") }
    }

    /// A command that is refused as soon as the bridge has subscribed, which its log tells once of each kind.
    static func plantCommand(_ broker: Broker, _ payload: String = "hello") throws {
        try BrokerClient(port: broker.port).publish("skerry/sprinkler/3/event", payload, isRetained: true)
    }

    @Test("a signal ends it in good order: 'offline' and exit 0", arguments: [SIGTERM, SIGINT])
    func signals(number: Int32) throws {
        let broker = try Broker()
        try Self.plantCommand(broker)
        let reader = try reader(broker)
        let program = try Program(Self.arguments(broker))
        try awaitSubscription(program)
        try reader.publish("opensprinkler/station/3", #"{"state":1,"duration":600}"#)
        try reader.wait(for: "an activity") { $0.contains { $0.topic == "skerry/sprinkler/3/activity" } }
        #expect(Self.states(reader.messages) == ["online"])
        program.signal(number)
        #expect(try program.end() == 0, "\(program.errorText)")
        try reader.wait(for: "the farewell") { Self.states($0) == ["online", "offline"] }
        #expect(reader.messages.last { $0.topic == "skerry/bridge/state" }?.isRetained == true)
        #expect(program.outputText.isEmpty, "standard output is not for logs")
        #expect(program.errorText.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"time\":") })
    }

    @Test(
        "Home Assistant leads to the page of a device only where there is a page",
        arguments: [true, false]
    )
    func visit(hasPage: Bool) throws {
        let broker = try Broker()
        try Self.plantCommand(broker)
        let token = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-token-\(UUID())")
        defer { try? FileManager.default.removeItem(at: token) }
        let assistant = try BrokerClient(port: broker.port)
        try assistant.subscribe("homeassistant/#", keepsRetainFlag: true)
        let program = try Program(
            Self.arguments(broker),
            environment: [
                "SKERRY_HOME_ASSISTANT_DISCOVERY": "true", "SKERRY_HTTP_URL": "https://skerry.example.org",
                "SKERRY_HTTP_ADDRESS": hasPage ? "127.0.0.1:0" : "none",
                "SKERRY_HTTP_ADMIN_TOKEN_FILE": token.path,
            ]
        )
        try awaitSubscription(program)
        try assistant.publish("opensprinkler/station/3", #"{"state":1,"duration":600}"#)
        try assistant.wait(for: "an announcement") { $0.contains { $0.topic.hasSuffix("_3/config") } }
        let announcement = try #require(assistant.messages.last { $0.topic.hasSuffix("_3/config") })
        #expect(announcement.text.contains("configuration_url") == hasPage)
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
    }

    @Test("kill -9 of the bridge publishes its Will")
    func killed() throws {
        let broker = try Broker()
        let reader = try reader(broker)
        let program = try Program(Self.arguments(broker))
        try reader.wait(for: "online") { Self.states($0) == ["online"] }
        program.signal(SIGKILL)
        try reader.wait(for: "the Will") { Self.states($0) == ["online", "offline"] }
        #expect(reader.messages.last { $0.topic == "skerry/bridge/state" }?.isRetained == true)
        #expect(try program.end() == -SIGKILL)
    }

    @Test("kill -9 of the broker: online again, the snapshot is restored, revisions go on")
    func killedBroker() throws {
        let broker = try Broker()
        try Self.plantCommand(broker)
        let before = try reader(broker)
        let program = try Program(Self.arguments(broker))
        try awaitSubscription(program)
        try before.publish("opensprinkler/station/3", #"{"state":1,"duration":600}"#)
        try before.wait(for: "an activity") { $0.contains { $0.topic == "skerry/sprinkler/3/activity" } }
        broker.kill()
        try program.wait(for: "the loss") {
            $0.errorText.contains("\"message\":\"connection")
                || $0.errorText.contains("lost")
        }
        try broker.start()
        try Self.plantCommand(broker, "{}")
        let after = try reader(broker)
        try after.wait(for: "the return") { messages in
            Self.states(messages).last == "online"
                && messages.contains {
                    $0.topic == "skerry/sprinkler/3/activity" && $0.text.contains(#""rev":1,"#)
                }
        }
        try program.wait(for: "the second subscription") {
            $0.errorText.contains("a command must be {")
        }
        try after.publish("opensprinkler/station/3", #"{"state":0,"duration":600}"#)
        try after.wait(for: "the second revision") { $0.contains { $0.topic.hasSuffix("/diff") } }
        let diffs = after.messages.filter { $0.topic.hasSuffix("/diff") }
        #expect(diffs.count == 1)
        #expect(diffs.first?.text.contains(#""rev":2,"prev":1,"#) == true)
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
    }

    @Test("a host that does not exist is reported, and the bridge keeps trying until it is ended")
    func unknownHost() throws {
        let program = try Program(["run", "-h", "no-such-host.invalid", "--log-format", "text"])
        try program.wait(for: "the reason") {
            $0.errorText.contains("unknown host no-such-host.invalid: is the name right, and does DNS work?")
        }
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
    }

    @Test("a wrong password is reported; it comes from the environment")
    func wrongPassword() throws {
        var settings = Broker.Settings()
        settings.lines = ["allow_anonymous false"]
        let broker = try Broker(settings)
        let program = try Program(
            Self.arguments(broker) + ["-u", "skerry"],
            environment: ["SKERRY_MQTT_PASSWORD": "wrong"]
        )
        try program.wait(for: "the reason") {
            $0.errorText.contains(
                "the broker at 127.0.0.1:\(broker.port) refused the connection: Not authorized; check name and password"
            )
        }
        #expect(!program.errorText.contains("wrong"), "the password is nobody's business")
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
    }
}
