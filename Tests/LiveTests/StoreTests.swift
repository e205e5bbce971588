import Foundation
import SkerryTesting
import Testing

/// What becomes of the database of a running `skerry run`.
@Suite("The store of a process", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
final class StoreTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-store-\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try ReloadTests.lamp().write(
            to: folder.appendingPathComponent("lamp.yaml"),
            atomically: true,
            encoding: .utf8
        )
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var store: String { folder.appendingPathComponent("store/skerry.db").path }

    private func start(_ broker: Broker) throws -> Program {
        let program = try Program([
            "run", "-h", "127.0.0.1", "-p", "\(broker.port)", "--definitions", folder.path, "--store", store,
            "--log-format", "text",
        ])
        try program.wait(for: "the connection") { $0.errorText.contains("connected") }
        return program
    }

    @Test("an orderly end leaves nothing beside the database")
    func end() throws {
        let broker = try Broker()
        for _ in 0..<5 {
            let program = try start(broker)
            program.signal(SIGTERM)
            #expect(try program.end() == 0, "\(program.errorText)")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/store").sorted()
            #expect(files == ["skerry.db", "skerry.db.lock", "skerry.db.phones"])
        }
    }

    @Test("a database that is deleted ends the bridge with 75, and the next one goes on with its devices")
    func deleted() throws {
        let broker = try Broker()
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/+/+/activity", keepsRetainFlag: true)
        try reader.subscribe("skerry/bridge/state")
        let program = try start(broker)
        // Online, it has subscribed. Nothing is retained, because each start reads that, too.
        try reader.wait(for: "the bridge") { $0.contains { $0.text == "online" } }
        try reader.publish("lamp/hall", #"{"on":true,"level":1}"#)
        try reader.wait(for: "an activity") { $0.contains { $0.text.contains(#""content":{"level":1}"#) } }
        try FileManager.default.removeItem(atPath: store)
        try reader.publish("lamp/hall", #"{"on":true,"level":2}"#)
        #expect(try program.end() == 75)
        #expect(
            program.errorText.contains("skerry.db: was deleted while the bridge ran: it is written again")
        )

        let next = try start(broker)
        try reader.wait(for: "the message that came again") {
            $0.contains { $0.text.contains(#""content":{"level":2}"#) }
        }
        #expect(next.errorText.contains("devices restored: 1"), "\(next.errorText)")
        next.signal(SIGTERM)
        #expect(try next.end() == 0, "\(next.errorText)")
    }

    @Test(
        "a question with the client id of the bridge leaves its session, and what waits in it",
        arguments: [
            ["status"], ["devices"], ["doctor", "--only", "login"],
        ]
    )
    func question(command: [String]) throws {
        let broker = try Broker()
        let place = ["-h", "127.0.0.1", "-p", "\(broker.port)", "--client-id", "gate"]
        func start() throws -> Program {
            let options = ["--definitions", folder.path, "--store", store, "--log-format", "text"]
            let program = try Program(["run"] + place + options)
            try program.wait(for: "the connection") { $0.errorText.contains("connected") }
            return program
        }
        let program = try start()
        program.signal(SIGTERM)
        #expect(try program.end() == 0)
        let question = try Program(command + place)
        _ = try question.end()
        let next = try start()
        #expect(next.errorText.contains("the session goes on"), "\(next.errorText)")
        next.signal(SIGTERM)
        #expect(try next.end() == 0)
    }
}
