import Foundation
import SkerryTesting
import Testing

/// A wash that reaches a service: broker, `skerry run` and the service as they are, each on its own.
@Suite(
    "Further services, live",
    .serialized,
    .enabled(if: Broker.isAvailable, "needs a mosquitto binary")
)
struct SinkTests {
    private static let topic = "homeconnect/laundry/state"

    /// What is explained of the washing machine once the bridge, too, knows that the service has accepted the end.
    private static func explainAcceptedEnd(_ broker: Broker) throws -> String {
        var explained = ""
        for _ in 0..<100 where !explained.contains("end: accepted") {
            let explain = try Program(["explain", "-h", "127.0.0.1", "-p", "\(broker.port)", "laundry"])
            #expect(try explain.end() == 0)
            explained = explain.outputText
        }
        #expect(explained.contains("end: accepted"), "\(explained)")
        return explained
    }

    @Test("Home Assistant gets the start, the end with its alert, and `explain` says so")
    func wash() async throws {
        let broker = try Broker()
        let peer = ServicePeer { _, _ in ServicePeer.Answer(body: "[]") }
        Thread { peer.serve() }.start()
        defer { peer.stop() }
        let bridge = try Program(
            ["run", "-h", "127.0.0.1", "-p", "\(broker.port)", "--definitions", "devices/washer.yaml"],
            environment: [
                "SKERRY_SINKS_HOME_ASSISTANT_URL": "http://127.0.0.1:\(peer.port)/",
                "SKERRY_SINKS_HOME_ASSISTANT_TARGETS": "notify.mobile_app_anna",
                "SKERRY_SINKS_HOME_ASSISTANT_TOKEN": "a.b.c",
            ]
        )
        try bridge.wait(for: "its sinks") {
            $0.errorText.contains("activities go to home-assistant (127.0.0.1:\(peer.port))")
        }
        let device = try BrokerClient(port: broker.port)
        try device.publish(
            Self.topic,
            #"{"OperationState":"Run","RemainingProgramTime":3600}"#,
            isRetained: true
        )
        await peer.answered(1)
        try device.publish(Self.topic, #"{"OperationState":"Finished"}"#, isRetained: true)
        await peer.answered(2)
        let requests = peer.requests
        #expect(
            requests.map { $0.line }
                == Array(repeating: "POST /api/services/notify/mobile_app_anna HTTP/1.1", count: 2)
        )
        #expect(requests[0].headers["authorization"] == "Bearer a.b.c")
        let texts = requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(texts[0].contains(#""chronometer":true"#) && texts[0].contains(#""message":"Running""#))
        #expect(texts[1].contains("Laundry is done") && !texts[1].contains("silent"))
        let explained = try Self.explainAcceptedEnd(broker)
        #expect(explained.contains("home-assistant mobile_app_anna"), "\(explained)")
        bridge.signal(SIGTERM)
        #expect(try bridge.end() == 0)
    }

    @Test("after an orderly restart an end is not sent again")
    func restart() async throws {
        let broker = try Broker()
        let peer = ServicePeer { _, _ in ServicePeer.Answer(body: "[]") }
        Thread { peer.serve() }.start()
        defer { peer.stop() }
        let store = NSTemporaryDirectory() + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: store) }
        func start() throws -> Program {
            try Program(
                [
                    "run", "-h", "127.0.0.1", "-p", "\(broker.port)", "--definitions", "devices/washer.yaml",
                    "--store", store + "/skerry.db",
                ],
                environment: [
                    "SKERRY_SINKS_HOME_ASSISTANT_URL": "http://127.0.0.1:\(peer.port)/",
                    "SKERRY_SINKS_HOME_ASSISTANT_TARGETS": "notify.mobile_app_anna",
                    "SKERRY_SINKS_HOME_ASSISTANT_TOKEN": "a.b.c",
                ]
            )
        }
        func stop(_ bridge: Program) throws {
            bridge.signal(SIGTERM)
            #expect(try bridge.end() == 0)
        }
        var bridge = try start()
        let device = try BrokerClient(port: broker.port)
        try device.publish(Self.topic, #"{"OperationState":"Run"}"#, isRetained: true)
        await peer.answered(1)
        try device.publish(Self.topic, #"{"OperationState":"Finished"}"#, isRetained: true)
        await peer.answered(2)
        // Without the answer, the end may sound once more.
        _ = try Self.explainAcceptedEnd(broker)
        try stop(bridge)
        bridge = try start()
        // The next request is about the next run.
        try device.publish(Self.topic, #"{"OperationState":"Run"}"#, isRetained: true)
        await peer.answered(3)
        try stop(bridge)
        let texts = peer.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(texts.map { $0.contains("Laundry is done") } == [false, true, false], "\(texts)")
    }

    @Test("what failed is listed, also without a database")
    func errors() async throws {
        let broker = try Broker()
        let peer = ServicePeer { _, _ in ServicePeer.Answer(410) }
        Thread { peer.serve() }.start()
        defer { peer.stop() }
        let token = NSTemporaryDirectory() + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: token) }
        let environment = [
            "SKERRY_SINKS_WEBHOOK_URL": "http://127.0.0.1:\(peer.port)/",
            "SKERRY_HTTP_ADDRESS": "127.0.0.1:\(try Broker.findFreePort())",
            "SKERRY_HTTP_ADMIN_TOKEN_FILE": token,
        ]
        let bridge = try Program(
            ["run", "-h", "127.0.0.1", "-p", "\(broker.port)", "--definitions", "devices/washer.yaml"],
            environment: environment
        )
        try bridge.waitForPage()
        let device = try BrokerClient(port: broker.port)
        try device.publish(Self.topic, #"{"OperationState":"Run"}"#, isRetained: true)
        try bridge.wait(for: "the refusal") { $0.errorText.contains("410") }
        let list = try Program(["phones", "errors", "--service", "webhook"], environment: environment)
        #expect(try list.end() == 0)
        #expect(list.outputText.contains("410"), "\(list.outputText)\(list.errorText)")
        let others = try Program(["phones", "errors", "--service", "ntfy"], environment: environment)
        #expect(try others.end() == 0)
        #expect(others.errorText == "no errors\n")
    }

    @Test(
        "a wrong setting is an error that says what to do",
        arguments: [
            (
                "HOME_ASSISTANT", ["URL": "homeassistant:8123", "TARGETS": "a", "TOKEN": "t"],
                "http://homeassistant.local:8123"
            ),
            ("HOME_ASSISTANT", ["TOKEN": "t"], "sinks.home-assistant.url is not"),
            ("HOME_ASSISTANT", ["URL": "http://h", "TOKEN": "t"], "mobile_app_pixel"),
            ("HOME_ASSISTANT", ["URL": "http://h", "TARGETS": "a b", "TOKEN": "t"], "'a b' is not a target"),
            ("HOME_ASSISTANT", ["URL": "http://h", "TARGETS": "a"], "long-lived access token"),
            ("HOME_ASSISTANT", ["URL": "http://h", "TARGETS": "a", "TOKEN_FILE": "/none"], "/none"),
            ("FCM", ["TARGETS": "topic:a"], "sinks.fcm.service-account-file is not"),
            ("FCM", ["SERVICE_ACCOUNT_FILE": "/none"], "registration tokens"),
            (
                "FCM", ["SERVICE_ACCOUNT_FILE": "/none", "TARGETS": "house"],
                "is not a target such as topic:house"
            ),
            ("FCM", ["SERVICE_ACCOUNT_FILE": "devices/kiln.yaml", "TARGETS": "topic:a"], "is not JSON"),
            ("BRAZE", ["KEY": "k"], "sinks.braze.url is not"),
            ("BRAZE", ["URL": "http://b", "TARGETS": "anna-1", "KEY": "k"], "sinks.braze.app-id is missing"),
            (
                "BRAZE", ["URL": "http://b", "TARGETS": "anna-1", "APP_ID": "a"],
                "messages.live_activity.start"
            ),
        ]
    )
    func wrong(service: String, settings: [String: String], message: String) throws {
        let names = settings.map { ("SKERRY_SINKS_\(service)_\($0.key)", $0.value) }
        let bridge = try Program(
            ["run", "-p", "1", "--definitions", "devices/washer.yaml"],
            environment: Dictionary(uniqueKeysWithValues: names)
        )
        #expect(try bridge.end() != 0)
        #expect(bridge.errorText.contains(message), "\(bridge.errorText)")
    }
}
