import Foundation
import SkerryTesting
import Testing

/// Devices that are shared out otherwise while messages come and timers run.
///
/// What is compared at the end is the same as in ``CrashTests``.
@Suite(
    "Another number of partitions",
    .serialized,
    .enabled(if: Broker.isAvailable, "needs a mosquitto binary")
)
struct RepartitionTests {
    /// A scene with bridges of some number of partitions.
    private struct Fleet {
        let scene: CrashTests.Scene
        var programs: [Program] = []
        var random = SimulatedRandom(seed: UInt64(CrashTests.setting("SKERRY_CRASH_SEED", else: 1)))

        init(_ scene: CrashTests.Scene) { self.scene = scene }

        mutating func start(_ count: Int) throws {
            programs = try (0..<count).map { try scene.bridge(partition: $0, of: count) }
            for program in programs { try program.wait(for: "the broker") { CrashTests.isConnected($0) } }
        }

        /// Starts the command, with the present number in its settings.
        func command(_ options: String...) throws -> Program {
            let settings = scene.folder.appendingPathComponent("settings.yaml")
            try Data("partitions: \(programs.count)".utf8).write(to: settings)
            return try Program(
                ["cluster", "repartition", "--config", settings.path] + options,
                environment: [
                    "SKERRY_STORE_PATH": scene.store,
                    "SKERRY_DEFINITIONS": scene.definitions, "SKERRY_MQTT_HOST": "127.0.0.1",
                    "SKERRY_MQTT_PORT": "\(scene.port)",
                ]
            )
        }

        mutating func publish(for length: Int = 100, beside program: Program) throws {
            try scene.publish(for: length, beside: program, &random)
        }

        /// Shares the devices out among others, killing the command in the middle if so told, and starts those.
        ///
        /// To the present number, they go on as before after it was killed on the way to another one.
        mutating func change(to count: Int, killing: Bool) throws {
            let isTakenBack = count == programs.count
            if killing {
                let killed = try command("--to", "\(isTakenBack ? count + 1 : count)")
                try programs[0].wait(for: "the mark") { $0.errorText.contains("shared out otherwise") }
                killed.signal(SIGKILL)
                _ = try killed.end()
                for program in programs { #expect(try program.end() == 0, "\(program.errorText)") }
            }
            for _ in 0..<CrashTests.setting("SKERRY_CRASH_REPARTITIONS", else: 0) {
                let killed = try command("--to", "\(count)")
                let end = ContinuousClock.now + .milliseconds(random.below(1500))
                while killed.isRunning, .now < end { try publish(for: 50, beside: killed) }
                killed.signal(SIGKILL)
                _ = try killed.end()
            }
            let program = try command("--to", "\(count)")
            while program.isRunning { try publish(beside: program) }
            #expect(try program.end() == 0, "\(program.errorText)")
            let words = isTakenBack ? "stay shared out among" : "set 'partitions: \(count)'"
            #expect(program.errorText.contains(words), "\(program.errorText)")
            for program in programs { #expect(try program.end() == 0, "\(program.errorText)") }
            // Once more, it finds all done.
            let again = try command("--to", "\(count)")
            #expect(try again.end() == 0, "\(again.errorText)")
            try start(count)
        }
    }

    private func change(_ scene: CrashTests.Scene, through counts: [(Int, isKilled: Bool)]) throws {
        // A device of each partition.
        for device in ["d0", "d1", "d2", "d3"] {
            try scene.publisher.publish("skerry/meter/\(device)/event", "hello", isRetained: true)
        }
        var fleet = Fleet(scene)
        try fleet.start(2)
        for program in fleet.programs {
            try program.wait(for: "the subscription") { $0.errorText.contains("a retained command") }
        }
        for program in fleet.programs { try fleet.publish(for: 300, beside: program) }
        let look = try fleet.command("--to", "3", "--dry-run")
        #expect(try look.end() == 0, "\(look.errorText)")
        #expect(look.outputText.split(separator: "\n").count == 4, "\(look.outputText)")
        for (count, isKilled) in counts {
            try fleet.change(to: count, killing: isKilled)
            for program in fleet.programs { try fleet.publish(for: 300, beside: program) }
        }
        try scene.judge(ending: fleet.programs)
    }

    @Test(
        "from two to three, to one and to two again: no message and no timer is lost, and no revision has two contents"
    )
    func files() throws {
        let scene = try CrashTests.Scene()
        try change(scene, through: [(3, true), (1, false), (2, true)])
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path)
        #expect(names.contains("skerry-p1.db") && !names.contains("skerry-p2.db"))
        #expect(!names.contains { $0.hasSuffix(".new") })
    }

    @Test("partitions that have ended at a mark can go on as before")
    func takenBack() throws {
        let scene = try CrashTests.Scene()
        try change(scene, through: [(2, true)])
    }

    @Test(
        "settings by which there is nothing to share out, or no common mark, are refused with 64",
        arguments: [
            (["--to", "3"], [:], "the settings name no partitions"),
            (["--to", "0"], ["SKERRY_PARTITIONS": "2"], "--to takes 1 to 1024"),
            (["--to", "3"], ["SKERRY_PARTITIONS": "2"], "nothing is kept"),
            (["--to", "3"], ["SKERRY_PARTITIONS": "2", "SKERRY_MQTT_VERSION": "3.1.1"], "there is no mark"),
            (["--to", "3"], ["SKERRY_PARTITIONS": "2", "SKERRY_PARTITION_PREFIX": "p"], "there is no mark"),
        ] as [([String], [String: String], String)]
    )
    func refused(options: [String], environment: [String: String], reason: String) throws {
        let program = try Program(["cluster", "repartition"] + options, environment: environment)
        #expect(try program.end() == 64)
        #expect(program.errorText.contains(reason), "\(program.errorText)")
    }

    @Test("so it is with a shared database", .enabled(if: PostgresServer.isAvailable, "needs PostgreSQL"))
    func database() throws {
        let server = try PostgresServer()
        try change(CrashTests.Scene(sharing: try server.makeDatabase()), through: [(3, true), (2, false)])
    }
}
