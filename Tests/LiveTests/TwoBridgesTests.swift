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

    /// Starts a bridge with an id and a store of its own.
    func bridge(_ broker: Broker, _ id: String, _ further: String...) throws -> Program {
        try Program(
            [
                "run", "-h", "127.0.0.1", "-p", "\(broker.port)", "--client-id", id, "-d",
                "devices/sprinkler.yaml",
                "--log-format", "text",
            ] + further,
            environment: ["SKERRY_STORE_PATH": folder.appendingPathComponent("\(id).db").path]
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
}
