import Foundation
import SkerryTesting
import Testing

/// Stores that move to another place between two bridges, while messages come.
///
/// What is compared at the end is the same as in ``CrashTests``.
@Suite(
    "A store in another place",
    .serialized,
    .enabled(if: Broker.isAvailable && PostgresServer.isAvailable, "needs mosquitto and PostgreSQL")
)
struct RelocationTests {
    /// The bridges of a scene: one of all devices, or one of each of two partitions.
    private struct Fleet {
        let scene: CrashTests.Scene
        let isPartitioned: Bool
        var programs: [Program] = []
        var random = SimulatedRandom(seed: UInt64(CrashTests.setting("SKERRY_CRASH_SEED", else: 1)))

        mutating func start() throws {
            programs =
                isPartitioned ? try (0..<2).map { try scene.bridge(partition: $0) } : [try scene.bridge()]
            for program in programs { try program.wait(for: "the broker") { CrashTests.isConnected($0) } }
        }

        mutating func publish(_ length: Int, beside program: Program) throws {
            try scene.publish(for: length, beside: program, &random)
        }

        func command(_ options: String...) throws -> Program {
            var environment = ["SKERRY_STORE_PATH": scene.store, "SKERRY_DEFINITIONS": scene.definitions]
            if isPartitioned { environment["SKERRY_PARTITIONS"] = "2" }
            return try Program(["store", "move"] + options, environment: environment)
        }

        /// Moves everything, once the command was killed in the middle.
        mutating func move(to place: String, _ shared: String?) throws {
            let busy = try command("--to", place)
            #expect(try busy.end() == 69, "\(busy.errorText)")
            for program in programs {
                program.signal(SIGTERM)
                #expect(try program.end() == 0, "\(program.errorText)")
            }
            let look = try command("--to", place, "--dry-run")
            #expect(try look.end() == 0, "\(look.errorText)")
            let killed = try command("--to", place)
            let end = ContinuousClock.now + .milliseconds(random.below(300))
            while killed.isRunning, .now < end { try publish(8, beside: killed) }
            killed.signal(SIGKILL)
            // It may have come to its end.
            let isDone = try killed.end() == 0
            let program = try command("--to", place)
            while program.isRunning { try publish(50, beside: program) }
            #expect(try program.end() == (isDone ? 69 : 0), "\(program.errorText)")
            scene.shared = shared
            try start()
        }
    }

    @Test(
        "from a file to PostgreSQL and back: no message and no timer is lost, and no revision has two contents",
        arguments: [false, true]
    )
    func moved(isPartitioned: Bool) throws {
        let server = try PostgresServer()
        let scene = try CrashTests.Scene()
        for device in ["d0", "d1", "d2", "d3"] {
            try scene.publisher.publish("skerry/meter/\(device)/event", "hello", isRetained: true)
        }
        var fleet = Fleet(scene: scene, isPartitioned: isPartitioned)
        try fleet.start()
        for program in fleet.programs {
            try program.wait(for: "the subscription") { $0.errorText.contains("a retained command") }
        }
        for program in fleet.programs { try fleet.publish(300, beside: program) }
        let database = try server.makeDatabase()
        try fleet.move(to: database, database)
        for program in fleet.programs { try fleet.publish(300, beside: program) }
        // The first file has another name now.
        try fleet.move(to: scene.folder.appendingPathComponent("skerry.db").path, nil)
        for program in fleet.programs { try fleet.publish(300, beside: program) }
        try scene.judge(ending: fleet.programs)
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path)
        #expect(names.contains { $0.contains(".db_moved_") } && !names.contains { $0.hasSuffix(".new") })
    }
}
