import Foundation
import SkerryTesting
import Testing

/// The bridge is killed at random under load, again and again; then everything is compared with the publishers' log.
///
/// The publishers' broker has acknowledged all that is in the log. What the bridge had not acknowledged the broker gives
/// to the next process, so a message that is missing at the end was acknowledged by the bridge and forgotten.
@Suite("Crashes", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
struct CrashTests {
    /// Set by scripts/crash.
    static func setting(_ name: String, else usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
    }

    static func isConnected(_ program: Program) -> Bool { program.errorText.contains("connected") }

    /// One history: a folder with definitions and store, a broker, and those around the bridge.
    final class Scene {
        /// The broker: mosquitto, or NATS with MQTT 3.1.1.
        enum Hub {
            case mosquitto(Broker)
            case nats(NATSServers)
        }

        private let hub: Hub
        /// The broker's port, and the settings of those who talk to it.
        let port: Int
        let settings: [String: String]
        let folder: URL
        let reader: BrokerClient
        let publisher: BrokerClient
        var log = CrashLog()
        /// The store of the bridges, if they share one; otherwise it is a file.
        var shared: String?

        init(sharing shared: String? = nil, on nats: NATSServers? = nil) throws {
            self.shared = shared
            if let nats {
                hub = .nats(nats)
                port = nats.ports[0]
                settings = ["SKERRY_MQTT_VERSION": "3.1.1"]
            } else {
                let broker = try Broker()
                hub = .mosquitto(broker)
                port = broker.port
                settings = [:]
            }
            folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("skerry-crash-\(UUID().uuidString)")
            let definitions = folder.appendingPathComponent("definitions")
            try FileManager.default.createDirectory(at: definitions, withIntermediateDirectories: true)
            for (name, text) in CrashLog.definitions {
                try Data(text.utf8).write(to: definitions.appendingPathComponent(name))
            }
            let version: BrokerClient.Version = nats == nil ? .v5 : .v311
            reader = try BrokerClient(port: port, clientID: "reader", sessionSeconds: 3600, version: version)
            try reader.subscribe("skerry/+/+/activity/#", keepsRetainFlag: true)
            publisher = try BrokerClient(port: port, version: version)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// Where its definitions are, and its store.
        var definitions: String { folder.appendingPathComponent("definitions").path }
        var store: String { shared ?? folder.appendingPathComponent("skerry.db").path }

        /// Starts a bridge: of all devices, or of one of several partitions.
        func bridge(partition: Int? = nil, of count: Int = 2, on computer: String? = nil) throws -> Program {
            var environment = ["SKERRY_STORE_PATH": "", "SKERRY_STORE_LEASE": "3"]
            environment.merge(settings) { $1 }
            if partition != nil { environment["SKERRY_PARTITIONS"] = "\(count)" }
            if case .nats = hub { environment["SKERRY_PARTITION_PREFIX"] = "p" }
            return try Program(
                [
                    "run", "-h", "127.0.0.1", "-p", "\(port)", "--log-format", "text",
                    "--definitions", definitions, "--store", store,
                ] + (partition.map { ["--partition", "\($0)"] } ?? []),
                launcher: computer.map(Hosts.launcher(named:)) ?? [],
                environment: environment
            )
        }

        /// Sends the last message of each device, and waits until each was told, and so many alarms that were armed after all else:
        /// one of each partition is among them.
        ///
        /// An alarm that rang says nothing of meters: NATS keeps the order within a topic filter only.
        func finish(alarms count: Int) throws {
            try log.finish(by: publisher)
            for _ in 0..<count { try log.arm(by: publisher) }
            let meters = log.messages.map { ("meter/\($0)", #""seen":\#($1)"#) }
            try wait(for: "the last message of each meter", meters)
            let last = log.alarms.count - count..<log.alarms.count
            try wait(for: "the last alarms", last.map { ("alarm/a\($0)", #""rings":1"#) })
        }

        /// Waits until the activity of each device has had a text.
        private func wait(for what: String, _ texts: [(device: String, text: String)]) throws {
            var missing = Dictionary(uniqueKeysWithValues: texts.map { ("skerry/\($0)/activity", $1) })
            var read = 0
            try reader.wait(for: what) { messages in
                // There are thousands, and the condition is asked after each.
                for message in messages[read...] {
                    guard let text = missing[message.topic], message.text.contains(text) else { continue }
                    missing[message.topic] = nil
                }
                read = messages.count
                return missing.isEmpty
            }
        }

        /// Waits for the last alarms, ends bridges in good order, and expects that readers were told all of it, and nothing else.
        func judge(ending programs: [Program]) throws {
            try finish(alarms: 8)
            for program in programs {
                program.signal(SIGTERM)
                #expect(try program.end() == 0, "\(program.errorText)")
            }
            var told = CrashReader(partitions: nil)
            for message in reader.messages { try told.take(message) }
            told.finish()
            let figures = CrashFigures(log, told)
            print(figures.text)
            let complaints = figures.complaints + told.complaints
            #expect(complaints.isEmpty, "\(complaints.prefix(20).joined(separator: "\n"))")
        }

        /// Publishes for a while beside a bridge, with pauses; both in milliseconds.
        func publish(
            for length: Int,
            beside program: Program,
            pause: Int32 = 8,
            _ random: inout SimulatedRandom
        ) throws {
            let end = ContinuousClock.now + .milliseconds(length)
            repeat {
                try log.publish(by: publisher, &random)
                if random.chance(1, of: 8) { try log.arm(by: publisher) }
                try program.listen(for: pause)
            } while ContinuousClock.now < end
        }

        /// Waits until the last alarm rang: it was armed after everything else.
        func settle() throws {
            let last = "skerry/alarm/a\(log.alarms.count - 1)/activity"
            try reader.wait(for: "the last alarm") { messages in
                messages.last.map { $0.topic == last && $0.text.contains(#""rings":1"#) } ?? false
            }
        }
    }

    @Test("killed again and again: no message and no timer is lost, and no revision has two contents")
    func killed() throws {
        let kills = Self.setting("SKERRY_CRASH_KILLS", else: 5)
        var random = SimulatedRandom(seed: UInt64(Self.setting("SKERRY_CRASH_SEED", else: 1)))
        let scene = try Scene()
        try scene.publisher.publish("skerry/sprinkler/3/event", "hello", isRetained: true)
        var program = try scene.bridge()
        try program.wait(for: "the subscription") { $0.errorText.contains("a retained command") }
        var early = 0
        var complaints: [String] = []
        for kill in 1...kills {
            if random.chance(3, of: 4) { try program.wait(for: "the broker") { Self.isConnected($0) } }
            try scene.publish(for: random.below(600), beside: program, &random)
            program.signal(SIGKILL)
            let status = try program.end()
            if !Self.isConnected(program) { early += 1 }
            if status != -SIGKILL {
                complaints.append("kill \(kill): status \(status): \(program.errorText)")
            }
            program = try scene.bridge()
        }
        try scene.log.finish(by: scene.publisher)
        try scene.settle()
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
        var reader = CrashReader()
        for message in scene.reader.messages { try reader.take(message) }
        reader.finish()
        var figures = CrashFigures(scene.log, reader)
        figures.kills = kills
        figures.early = early
        print(figures.text)
        complaints += figures.complaints + reader.complaints
        #expect(complaints.isEmpty, "\(complaints.prefix(20).joined(separator: "\n"))")
        #expect(reader.revisions.count > kills, "the bridge had something to tell")
    }
}
