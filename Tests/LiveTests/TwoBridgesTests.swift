import Foundation
import SkerryTesting
import Testing

/// Two bridges with one prefix on one broker.
@Suite("Two bridges", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
final class TwoBridgesTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-two-\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Starts a bridge with an id and a store of its own, which has the same name unless another one is given.
    func bridge(_ broker: Broker, _ id: String, _ further: String..., store: String? = nil) throws -> Program
    {
        try Program(
            [
                "run", "-h", "127.0.0.1", "-p", "\(broker.port)", "--client-id", id, "-d",
                "devices/sprinkler.yaml",
                "--log-format", "text",
            ] + further,
            environment: ["SKERRY_STORE_PATH": folder.appendingPathComponent("\(store ?? id).db").path]
        )
    }

    func states(_ reader: BrokerClient) -> [String] {
        reader.messages.filter { $0.topic == "skerry/bridge/state" }.map(\.text)
    }

    @Test(
        "the second reports that the first is online and ends with 69; nothing changes for the first"
    )
    func refused() throws {
        let broker = try Broker()
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/#", keepsRetainFlag: true)
        let first = try bridge(broker, "one")
        try reader.wait(for: "online") { _ in states(reader) == ["online"] }
        try BrokerClient(port: broker.port)
            .publish("opensprinkler/station/lawn", #"{"state":1,"duration":600}"#)
        try reader.wait(for: "a snapshot") { $0.contains { $0.topic == "skerry/sprinkler/lawn/activity" } }
        let second = try bridge(broker, "two")
        #expect(try second.end() == 69)
        #expect(
            second.errorText.contains("a bridge with client id 'one' is online (skerry/bridge/state)")
        )
        #expect(second.errorText.contains("--take-over"))
        let late = try BrokerClient(port: broker.port)
        try late.subscribe("skerry/#", keepsRetainFlag: true)
        try late.wait(for: "what is retained") {
            $0.contains { $0.topic == "skerry/sprinkler/lawn/activity" }
        }
        #expect(states(reader) == ["online"])
        first.signal(15)
        #expect(try first.end() == 0)
    }

    @Test(
        "a bridge that takes over and ends does not silence the first: it is online again, and explain works"
    )
    func takenOver() throws {
        let broker = try Broker()
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/bridge/state", keepsRetainFlag: true)
        let first = try bridge(broker, "one")
        try reader.wait(for: "online") { _ in states(reader) == ["online"] }
        try BrokerClient(port: broker.port)
            .publish("opensprinkler/station/lawn", #"{"state":1,"duration":600}"#)
        let second = try bridge(broker, "two", "--take-over")
        try reader.wait(for: "both") { _ in states(reader) == ["online", "online"] }
        for signal in [15, 9] as [Int32] {
            let other = signal == 15 ? second : try bridge(broker, "three", "--take-over")
            let before = states(reader).count
            if signal == 9 { try reader.wait(for: "the third") { _ in states(reader).count > before } }
            other.signal(signal)
            _ = try other.end()
            try reader.wait(for: "its end, and the first again") { _ in
                states(reader).suffix(2) == ["offline", "online"]
            }
            let explain = try Program(["explain", "lawn", "-h", "127.0.0.1", "-p", "\(broker.port)"])
            #expect(try explain.end() == 0, "\(explain.errorText)")
        }
        #expect(first.errorText.isEmpty || !first.errorText.contains("fatal"))
        first.signal(15)
        #expect(try first.end() == 0)
        #expect(first.errorText.contains("another client has written to"), "\(first.errorText)")
    }

    /// The retained description of the bridge, once a reader has it.
    func info(_ reader: BrokerClient, after count: Int = 0) throws -> String {
        try reader.wait(for: "bridge/info") {
            $0.count { $0.topic == "skerry/bridge/info" && !$0.text.isEmpty } > count
        }
        return reader.messages.last { $0.topic == "skerry/bridge/info" }?.text ?? ""
    }

    @Test("with --take-over it takes the place, and the first one says by what it was thrown off and ends")
    func placeTaken() throws {
        let broker = try Broker()
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/#", keepsRetainFlag: true)
        let first = try bridge(broker, "one")
        try reader.wait(for: "online") { _ in states(reader) == ["online"] }
        let second = try bridge(broker, "one", "--take-over", store: "two")
        #expect(try first.end() == 69)
        #expect(first.errorText.contains("has another store"), "\(first.errorText)")
        try reader.wait(for: "the second") { _ in states(reader).last == "online" }
        try BrokerClient(port: broker.port)
            .publish("opensprinkler/station/lawn", #"{"state":1,"duration":600}"#)
        try reader.wait(for: "a snapshot") { $0.contains { $0.topic == "skerry/sprinkler/lawn/activity" } }
        second.signal(15)
        #expect(try second.end() == 0)
    }

    @Test("another program with its client id throws it off for a moment: it says so, and is there again")
    func stranger() throws {
        let broker = try Broker()
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/#", keepsRetainFlag: true)
        let first = try bridge(broker, "one")
        try reader.wait(for: "online") { _ in states(reader) == ["online"] }
        _ = try BrokerClient(port: broker.port, clientID: "one", sessionSeconds: 60)
        try reader.wait(for: "its return") { _ in states(reader).suffix(2) == ["offline", "online"] }
        try reader.wait(for: "its health") {
            $0.contains { $0.topic == "skerry/bridge/health" && $0.text.contains(#""takenOver":1"#) }
        }
        first.signal(15)
        #expect(try first.end() == 0)
        #expect(first.errorText.contains("another client took over the session"), "\(first.errorText)")
    }

    @Test(
        "without a client id of the settings, the session is named after the mark of the store, which stays"
    )
    func namedAfterStore() throws {
        let broker = try Broker()
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/bridge/info", keepsRetainFlag: true)
        var found: [String] = []
        for (round, store) in ["one", "one", "two"].enumerated() {
            let program = try Program(
                [
                    "run", "-h", "127.0.0.1", "-p", "\(broker.port)", "-d", "devices/sprinkler.yaml",
                    "--log-format", "text",
                ],
                environment: ["SKERRY_STORE_PATH": folder.appendingPathComponent("\(store).db").path]
            )
            let info = try info(reader, after: round)
            for name in ["owner", "client"] {
                let start = try #require(info.range(of: "\"\(name)\":\"")).upperBound
                found.append(String(info[start...].prefix { $0 != "\"" }))
            }
            program.signal(15)
            #expect(try program.end() == 0)
        }
        #expect(found.allSatisfy { $0.hasPrefix("skerry-") }, "\(found)")
        #expect(
            Set(found[..<4]).count == 1 && Set(found[4...]).count == 1 && found[0] != found[4],
            "\(found)"
        )
    }
}
