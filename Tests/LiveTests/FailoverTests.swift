import Foundation
import SkerryTesting
import Testing

/// Two bridges share a store: the one that has the lease meets with misfortune under load, again and again, and the other takes over.
///
/// What is compared at the end is the same as in ``CrashTests``.
@Suite(
    "Failover",
    .serialized,
    .enabled(if: Broker.isAvailable && PostgresServer.isAvailable, "needs mosquitto and PostgreSQL")
)
struct FailoverTests {
    /// What happens to the bridge that has the lease.
    private enum Misfortune: CaseIterable {
        case killed, stopped, ended, databaseCrashed

        /// The exit status of the bridge.
        var status: Int32 {
            switch self {
            case .killed: -SIGKILL
            case .stopped, .databaseCrashed: 75
            case .ended: 0
            }
        }
    }

    /// Between the messages, in milliseconds: those of a take-over must not be more than may wait for the broker.
    ///
    /// Only the one that stands by makes pauses, because the other one may have ended.
    private static let pause: Int32 = 60

    private static func isActive(_ program: Program) -> Bool {
        program.errorText.contains("the lease of the store is this gateway's now")
            && CrashTests.isConnected(program)
    }

    private static func standby(_ scene: CrashTests.Scene) throws -> Program {
        let program = try scene.bridge()
        try program.wait(for: "its turn") { $0.errorText.contains("standby: ") || isActive($0) }
        return program
    }

    @Test(
        "a shared store that would give a password away, or that another gateway could not go on with, is refused with 64",
        arguments: [
            ("postgresql://skerry:secret@db/skerry", "devices", "a password does not belong here"),
            (
                "postgresql://db/skerry?sslmode=require&password=secret", "devices",
                "a password does not belong here"
            ),
            ("postgresql://skerry@db/skerry", "auto", "another gateway would not know it"),
        ]
    )
    func refused(address: String, definitions: String, reason: String) throws {
        let program = try Program(["run", "--definitions", definitions, "--store", address])
        #expect(try program.end() == 64)
        #expect(
            program.errorText.contains(reason) && !program.errorText.contains("secret"),
            "\(program.errorText)"
        )
    }

    @Test(
        "a gateway that can't reach the broker, or read its files, never has the lease, and says what it lacks"
    )
    func unready() throws {
        let server = try PostgresServer()
        let database = try server.makeDatabase()
        let broker = try Broker()
        let cases = [
            (["-p", "1"], [:], "connection refused"),
            (
                ["-p", "\(broker.port)"],
                ["SKERRY_HTTP_ADDRESS": "127.0.0.1:0", "SKERRY_HTTP_ADMIN_TOKEN_FILE": server.directory],
                server.directory
            ),
            (
                ["-p", "\(broker.port)"], ["SKERRY_HTTP_ADDRESS": "127.0.0.1:\(broker.port)"],
                "http.address: can't listen on"
            ),
        ]
        for (options, environment, lack) in cases {
            let program = try Program(
                ["run", "-h", "127.0.0.1"] + options
                    + ["--definitions", "devices/washer-plug.yaml", "--store", database],
                environment: environment.merging(["XDG_STATE_HOME": server.directory]) { own, _ in own }
            )
            try program.wait(for: "what it lacks") {
                $0.errorText.contains("could do nothing with the lease")
            }
            #expect(program.errorText.contains(lack), "\(program.errorText)")
            try program.listen(for: 2000)
            program.signal(SIGTERM)
            #expect(try program.end() == 0, "\(program.errorText)")
            #expect(!program.errorText.contains("this gateway's now"))
        }
    }

    @Test(
        "a gateway that has lost its broker hands over to one that has another way to it",
        .enabled(if: getuid() == 0, "gives each a host name of its own, as root alone may")
    )
    func handOver() throws {
        let server = try PostgresServer()
        let database = try server.makeDatabase()
        let brokers = [try Broker(), try Broker()]
        let programs = try brokers.enumerated().map { number, broker in
            let program = try Program(
                [
                    "run", "-h", "127.0.0.1", "-p", "\(broker.port)", "--definitions",
                    "devices/washer-plug.yaml",
                    "--store", database,
                ],
                launcher: [
                    "/usr/bin/unshare", "--uts", "sh", "-c", "hostname $0; exec \"$@\"", "gateway-\(number)",
                ],
                environment: ["SKERRY_STORE_BROKER_PATIENCE": "15", "SKERRY_STORE_LEASE": "3"]
            )
            try program.wait(for: "its turn") {
                number == 0 ? Self.isActive($0) : $0.errorText.contains("standby: gateway-0")
            }
            return program
        }
        brokers[0].kill()
        try programs[1].wait(for: "the lease") { Self.isActive($0) }
        #expect(try programs[0].end() == 75)
        #expect(programs[0].errorText.contains("gateway-1, which waits, has one: it gets the lease"))
        programs[1].signal(SIGTERM)
        #expect(try programs[1].end() == 0)
    }

    @Test("a gateway waits for a database that does not answer, and ends when it is asked to")
    func unanswered() throws {
        let program = try Program([
            "run", "--definitions", "devices/washer-plug.yaml", "--log-format", "text", "--store",
            "postgresql://skerry@/none?host=/nowhere",
        ])
        try program.wait(for: "a line") { $0.errorText.contains("until then no message is taken") }
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
    }

    @Test("the other gateway takes over: no message and no timer is lost, and no revision has two contents")
    func takeOver() throws {
        let rounds = CrashTests.setting("SKERRY_CRASH_FAILOVERS", else: 4)
        var random = SimulatedRandom(seed: UInt64(CrashTests.setting("SKERRY_CRASH_SEED", else: 1)))
        let server = try PostgresServer()
        let scene = try CrashTests.Scene(sharing: server.makeDatabase())
        var active = try scene.bridge()
        try active.wait(for: "the lease") { Self.isActive($0) }
        var standby = try Self.standby(scene)
        var complaints: [String] = []
        var waits: [String: [Duration]] = [:]
        for round in 0..<rounds {
            try scene.publish(for: random.below(1500), beside: standby, pause: Self.pause, &random)
            let misfortune = round < 4 ? Misfortune.allCases[round] : Misfortune.allCases[random.below(4)]
            let start = ContinuousClock.now
            switch misfortune {
            case .killed: active.signal(SIGKILL)
            case .stopped: active.signal(SIGSTOP)
            case .ended: active.signal(SIGTERM)
            case .databaseCrashed:
                server.kill()
                try scene.publish(for: random.below(4000), beside: standby, pause: Self.pause, &random)
                try server.start()
                // Longer than a lease: then either it was renewed, or the bridge has ended.
                try scene.publish(for: 4000, beside: standby, pause: Self.pause, &random)
                if active.isRunning { continue }
            }
            while !Self.isActive(standby) {
                try scene.publish(for: 20, beside: standby, pause: Self.pause, &random)
            }
            waits["\(misfortune)", default: []].append(ContinuousClock.now - start)
            if misfortune == .stopped {
                try scene.publish(for: random.below(500), beside: standby, pause: Self.pause, &random)
                active.signal(SIGCONT)
            }
            let status = try active.end()
            if status != misfortune.status {
                complaints.append("\(misfortune): status \(status): \(active.errorText)")
            }
            active = standby
            standby = try Self.standby(scene)
        }
        try scene.log.finish(by: scene.publisher)
        try scene.settle()
        for program in [standby, active] {
            program.signal(SIGTERM)
            #expect(try program.end() == 0, "\(program.errorText)")
        }
        var reader = CrashReader()
        for message in scene.reader.messages { try reader.take(message) }
        reader.finish()
        let figures = CrashFigures(scene.log, reader)
        print(figures.text)
        for (misfortune, waits) in waits.sorted(by: { $0.key < $1.key }) {
            print("\(misfortune): \(waits.count) times, taken over after at most \(waits.max() ?? .zero)")
        }
        complaints += figures.complaints + reader.complaints
        #expect(complaints.isEmpty, "\(complaints.prefix(20).joined(separator: "\n"))")
        #expect(reader.revisions.count > rounds, "the bridges had something to tell")
    }
}
