import Foundation
import SkerryEngine
import SkerryTesting
import Testing

/// Two processes that share the devices of one broker out between them.
///
/// What is compared at the end is the same as in ``CrashTests``.
@Suite("Partitions", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
struct PartitionTests {
    /// The devices that a bridge lists.
    private static func devices(of partition: Int, _ scene: CrashTests.Scene) throws -> Set<String> {
        let program = try Program(
            ["devices", "--partition", "\(partition)", "-h", "127.0.0.1", "-p", "\(scene.port)"],
            environment: scene.settings.merging(["SKERRY_PARTITIONS": "2"]) { $1 }
        )
        #expect(try program.end() == 0, "\(program.errorText)")
        let words = program.outputText.split(whereSeparator: \.isWhitespace).map(String.init)
        return Set(words.filter { $0.hasPrefix("meter/") || $0.hasPrefix("alarm/") })
    }

    private func share(
        _ scene: CrashTests.Scene,
        kills: Int,
        beforeTheEnd: () throws -> Void = {}
    ) throws {
        var random = SimulatedRandom(seed: UInt64(CrashTests.setting("SKERRY_CRASH_SEED", else: 1)))
        // A device of each partition.
        for device in ["d0", "d1", "d2", "d3"] {
            try scene.publisher.publish("skerry/meter/\(device)/event", "hello", isRetained: true)
        }
        var programs = [try scene.bridge(partition: 0), try scene.bridge(partition: 1)]
        for program in programs {
            try program.wait(for: "the subscription") { $0.errorText.contains("a retained command") }
        }
        var complaints: [String] = []
        for _ in 0..<kills {
            for program in programs { try program.wait(for: "the broker") { CrashTests.isConnected($0) } }
            try scene.publish(for: 200 + random.below(600), beside: programs[0], &random)
            let number = random.below(2)
            programs[number].signal(SIGKILL)
            if try programs[number].end() != -SIGKILL { complaints.append(programs[number].errorText) }
            try scene.publish(for: random.below(400), beside: programs[1 - number], &random)
            programs[number] = try scene.bridge(partition: number)
        }
        try scene.finish(alarms: 8)
        let shares = try (0..<2).map { try Self.devices(of: $0, scene) }
        let all = Set(scene.log.messages.keys.map { "meter/\($0)" } + scene.log.alarms.map { "alarm/\($0)" })
        #expect(shares[0].isDisjoint(with: shares[1]) && shares[0].union(shares[1]) == all)
        for (number, share) in shares.enumerated() {
            #expect(share.allSatisfy { Partition(number, of: 2).owns(String($0.dropFirst(6))) })
        }
        let name = try #require(shares[1].first)
        let explained = try Program(
            ["explain", name, "-h", "127.0.0.1", "-p", "\(scene.port)"],
            environment: scene.settings.merging(["SKERRY_PARTITIONS": "2"]) { $1 }
        )
        #expect(try explained.end() == 0, "\(explained.errorText)")
        try beforeTheEnd()
        for program in programs {
            program.signal(SIGTERM)
            #expect(try program.end() == 0, "\(program.errorText)")
            #expect(!program.errorText.contains("another client"), "\(program.errorText)")
        }
        var reader = CrashReader(partitions: 2)
        for message in scene.reader.messages { try reader.take(message) }
        reader.finish()
        let figures = CrashFigures(scene.log, reader)
        print(figures.text)
        complaints += figures.complaints + reader.complaints
        #expect(complaints.isEmpty, "\(complaints.prefix(20).joined(separator: "\n"))")
    }

    @Test("every device is in one of them; one that is killed goes on, and nothing is lost or told twice")
    func files() throws {
        let scene = try CrashTests.Scene()
        try share(scene, kills: CrashTests.setting("SKERRY_CRASH_PARTITIONS", else: 4))
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path)
        #expect(names.contains("skerry-p0.db") && names.contains("skerry-p1.db"))
    }

    @Test(
        "so it is with a shared database, in which each has its own lease",
        .enabled(if: PostgresServer.isAvailable, "needs PostgreSQL")
    )
    func database() throws {
        let server = try PostgresServer()
        let address = try server.makeDatabase()
        func cluster(_ status: Int32) throws -> [String] {
            let program = try Program(["cluster"], environment: ["SKERRY_STORE_PATH": address])
            #expect(try program.end() == status, "\(program.errorText)")
            return program.outputText.split(separator: "\n").dropFirst().map(String.init)
        }
        try share(CrashTests.Scene(sharing: address), kills: 1) {
            let lines = try cluster(0)
            #expect(
                lines.map { $0.prefix(1) } == ["0", "1"] && lines.allSatisfy { $0.contains("(process ") }
            )
        }
        #expect(try cluster(1).allSatisfy { $0.contains(" none ") })
    }

    @Test(
        "a second computer gets one of two partitions, and the first one gets it back when that is gone",
        .enabled(if: PostgresServer.isAvailable && geteuid() == 0, "needs PostgreSQL, and root")
    )
    func spread() throws {
        let server = try PostgresServer()
        let scene = try CrashTests.Scene(sharing: try server.makeDatabase())
        var first = [try scene.bridge(partition: 0, on: "a"), try scene.bridge(partition: 1, on: "a")]
        for program in first { try program.wait(for: "the broker") { CrashTests.isConnected($0) } }
        // One after the other: the first that waits gets its partition.
        var second = [try scene.bridge(partition: 0, on: "b")]
        #expect(try first[0].end() == 75)
        second.append(try scene.bridge(partition: 1, on: "b"))
        #expect(first[0].errorText.contains("b has fewer partitions"), "\(first[0].errorText)")
        // As the service manager does it.
        first[0] = try scene.bridge(partition: 0, on: "a")
        try first[0].wait(for: "the other one") { $0.errorText.contains("standby: b (process ") }
        try second[0].wait(for: "the broker") { CrashTests.isConnected($0) }
        // Before it says so, it may not yet catch signals.
        try second[1].wait(for: "its partition") { $0.errorText.contains("standby: a (process ") }
        for program in second {
            program.signal(SIGTERM)
            #expect(try program.end() == 0, "\(program.errorText)")
        }
        try first[0].wait(for: "the broker") { CrashTests.isConnected($0) }
        for program in first {
            program.signal(SIGTERM)
            #expect(try program.end() == 0, "\(program.errorText)")
        }
    }

    @Test(
        "so it is with NATS, which gives each of them the messages of its own devices only",
        .enabled(if: NATSServers.isAvailable, "needs nats-server")
    )
    func nats() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-p-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in CrashLog.definitions {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        let program = try Program(
            ["cluster", "--nats"],
            environment: [
                "SKERRY_PARTITIONS": "2", "SKERRY_PARTITION_PREFIX": "p", "SKERRY_DEFINITIONS": folder.path,
            ]
        )
        #expect(try program.end() == 0, "\(program.errorText)")
        #expect(
            program.outputText == """
                mappings = {
                  "crash.alarm.*": "p.{{partition(2,1)}}.crash.alarm.{{wildcard(1)}}"
                  "crash.meter.*": "p.{{partition(2,1)}}.crash.meter.{{wildcard(1)}}"
                }

                """
        )
        let servers = try NATSServers(mappings: program.outputText)
        try share(
            CrashTests.Scene(on: servers),
            kills: CrashTests.setting("SKERRY_CRASH_PARTITIONS", else: 2)
        ) {
            let client = try BrokerClient(port: servers.ports[0], version: .v311)
            try client.subscribe("skerry/+/response/health")
            for number in 0..<2 { try client.publish("skerry/bridge-p\(number)/request/health", "") }
            let reports = try client.wait(forCount: 2).map(\.text)
            #expect(reports.allSatisfy { $0.contains(#""elsewhere":0"#) }, "\(reports)")
        }
    }

    @Test(
        "settings that share nothing out, or leave open which share is meant, are refused with 64",
        arguments: [
            ([], "2", "name one of them (--partition 0 … 1)"),
            (["--partition", "2"], "2", "--partition: 2 is not between 0 and 1"),
            (["--partition", "0"], nil, "--partition: the settings name no partitions"),
            (["--partition", "0", "--definitions", "auto"], "2", "another partition would not know it"),
        ] as [([String], String?, String)]
    )
    func refused(options: [String], count: String?, reason: String) throws {
        var environment: [String: String] = [:]
        environment["SKERRY_PARTITIONS"] = count
        let program = try Program(["run"] + options, environment: environment)
        #expect(try program.end() == 64)
        #expect(program.errorText.contains(reason), "\(program.errorText)")
    }

    @Test("a store of another number of partitions is refused, with what to do")
    func otherNumber() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-p-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func start(_ count: String) throws -> Program {
            try Program(
                [
                    "run", "--partition", "1", "-p", "1", "--log-format", "text", "-d",
                    "devices/sprinkler.yaml",
                ],
                environment: [
                    "SKERRY_PARTITIONS": count,
                    "SKERRY_STORE_PATH": folder.appendingPathComponent("s.db").path,
                ]
            )
        }
        let first = try start("2")
        try first.wait(for: "the broker") { $0.errorText.contains("refused") }
        first.signal(SIGTERM)
        #expect(try first.end() == 0)
        let second = try start("3")
        #expect(try second.end() == 69)
        #expect(
            second.errorText.contains(
                "s-p1.db: the store is that of 2 partitions, and the settings say 3 partitions"
            ) && second.errorText.contains("set 'partitions: 2'"),
            "\(second.errorText)"
        )
    }
}
