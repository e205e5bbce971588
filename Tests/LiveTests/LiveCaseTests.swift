import Foundation
import SkerryGateway
import SkerryStore
import SkerryTesting
import SkerryValues
import Testing

/// Faults that owners of devices have reported, through a broker, while first the bridge and then the broker is restarted.
///
/// What is right in a case is said by the tests of replays; here, the same must come out.
@Suite(
    "Cases from the field, live",
    .serialized,
    .enabled(if: Broker.isAvailable, "needs a mosquitto binary"),
    .enabled(if: !Files.namesOfCases.isEmpty, "../shared/cases is not there")
)
struct LiveCaseTests {
    /// What a person is told by one topic: its payloads, repetitions of the last one left out.
    struct Told: Equatable {
        private(set) var payloads: [String: [String]] = [:]

        mutating func add(_ topic: String, _ payload: [UInt8]) {
            guard topic.hasSuffix("/activity") || topic.hasSuffix("/alert") else { return }
            let text = String(decoding: payload, as: UTF8.self)
            if payloads[topic]?.last != text { payloads[topic, default: []].append(text) }
        }

        init(_ publications: [Publication]) {
            for publication in publications { add(publication.topic, publication.payload) }
        }

        init(_ messages: [BrokerClient.Message]) {
            for message in messages { add(message.topic, message.payload) }
        }
    }

    @Test("people are told what the replay says", arguments: Files.namesOfCases)
    func restarted(name: String) async throws {
        let steps = LiveReplayTests.script(try Files.messages(of: name), Files.shipped)
        let scene = try LiveScene(at: try #require(steps.first).at)
        // At messages: what a device keeps from a bridge that is away, or has no broker, is no silence of the device.
        let messages = steps.indices.filter { steps[$0].message != nil }
        let first = messages[max(1, messages.count / 3)]
        let second = max(first, messages[messages.count * 2 / 3])
        for (number, step) in steps.enumerated() {
            if number == first {
                await scene.endBridge()
                // The session keeps it for the bridge.
                try scene.publish(step.message)
                try scene.startBridge(at: step.at)
            } else {
                try scene.live.move(to: step.at)
                try scene.publish(step.message)
            }
            try scene.awaitMessage(step.message)
            try scene.await(step.published)
            if number == second { try scene.restartBroker() }
        }
        try scene.live.settle()
        #expect(Told(scene.heard) == Told(steps.flatMap(\.published)))
        await scene.endBridge()
    }
}

/// A broker that keeps its sessions, a bridge with a store, a device and a person who reads.
private final class LiveScene {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "skerry-case-\(UUID())"
    )
    private let broker: Broker
    private var store: SQLiteStore?
    private var device: BrokerClient
    private var reader: BrokerClient
    private var earlier: [BrokerClient.Message] = []
    private(set) var live: LiveBridge
    /// The marks behind messages that the bridge had handled before the last one.
    private var marks = 0

    init(at start: Timestamp) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var settings = Broker.Settings()
        settings.isPersistent = true
        broker = try Broker(settings)
        (device, reader) = try Self.clients(broker)
        for level in ["activity", "alert"] { try reader.subscribe("skerry/+/+/\(level)") }
        let store = try Self.store(in: folder, at: start)
        live = try LiveBridge(Files.shipped, broker, store: store, at: start)
        self.store = store
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// What the reader got, over restarts of the broker.
    var heard: [BrokerClient.Message] { earlier + reader.messages }

    private static func clients(_ broker: Broker) throws -> (device: BrokerClient, reader: BrokerClient) {
        (
            try BrokerClient(port: broker.port),
            try BrokerClient(port: broker.port, clientID: "person", sessionSeconds: 3600)
        )
    }

    private static func store(in folder: URL, at now: Timestamp) throws -> SQLiteStore {
        let path = folder.appendingPathComponent("skerry.db").path
        return try StoreFile.open(path, durability: .full, at: now).store
    }

    func endBridge() async {
        await live.end()
        store?.close()
        store = nil
    }

    func startBridge(at now: Timestamp) throws {
        let store = try Self.store(in: folder, at: now)
        marks = 0
        live = try LiveBridge(Files.shipped, broker, store: store, at: now)
        self.store = store
    }

    func restartBroker() throws {
        try live.settle()
        let before = live.tally.now
        earlier = heard
        broker.stop()
        try live.tally.wait(for: "the loss") { $0.faults.count > before.faults.count }
        try broker.start()
        (device, reader) = try Self.clients(broker)
        try live.tally.wait(for: "the return") {
            $0.connects > before.connects && $0.subscriptions >= 2 * before.subscriptions
                && $0.comparisons > before.comparisons
        }
    }

    /// Publishes what a device says, and behind it a mark by which the bridge is known to have handled it.
    func publish(_ message: SimulatedMessage?) throws {
        guard let message else { return }
        try device.publish(String(decoding: message.topic, as: UTF8.self), message.payload)
        marks = live.tally.now.marks
        try device.publish("skerry/mark/mark/event", "")
    }

    func awaitMessage(_ message: SimulatedMessage?) throws {
        guard message != nil else { return }
        try live.tally.wait(for: "a message") { $0.marks > self.marks }
    }

    /// Returns once the reader has what a step publishes.
    func await(_ publications: [Publication]) throws {
        for publication in publications
        where publication.topic.hasSuffix("/activity") || publication.topic.hasSuffix("/alert") {
            let text = String(decoding: publication.payload, as: UTF8.self)
            try reader.wait(for: "\(publication.topic) \(text)") {
                $0.contains { $0.topic == publication.topic && $0.payload == publication.payload }
            }
        }
    }
}
