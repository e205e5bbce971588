@preconcurrency import Dispatch
import Foundation
import SkerryGateway
import SkerryPhones
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

@testable import SkerryPostgres

/// One process at a time has the lease of a store, whatever happens to it and to its connections.
@Suite(
    "The lease of a store",
    .enabled(if: PostgresServer.isAvailable, "needs PostgreSQL: apt-get install postgresql")
)
struct LeaseTests {
    /// Opens the store as another process, which waits for nobody.
    private static func take(_ folder: Folder) throws -> KeptStore {
        try folder.free()
        return KeptStore(try PostgresGate(folder.options()).open())
    }

    @Test(
        "a second process waits while the first one has the lease, and takes it at once when it is given up"
    )
    func standby() throws {
        let folder = try Folder(.postgres)
        var first = try folder.open()
        try first.commit(FaultTests.changes(1))
        let gate = PostgresGate(try folder.options())
        for _ in 0..<2 {
            #expect(throws: StoreFault("standby: a test has the lease", .taken)) { _ = try gate.open() }
        }
        first.close()
        #expect(throws: StoreFault.self) { try first.commit(FaultTests.changes(2)) }
        var second = KeptStore(try gate.open())
        #expect(try FaultTests.text(second.load()) == FaultTests.expected[1])
        try second.commit(FaultTests.changes(2))
    }

    /// A gate of a computer.
    private static func gate(
        _ folder: Folder,
        on node: String,
        _ change: (inout PostgresOptions) -> Void = { _ in }
    ) throws -> PostgresGate {
        var options = try folder.options()
        options.node = node
        change(&options)
        return PostgresGate(options)
    }

    /// Lets the lease of a process that has died, and its place among the members, come to their ends.
    private static func expire(_ folder: Folder) throws {
        try Backing.server?.execute(
            """
            UPDATE skerry.lease SET until = clock_timestamp() - interval '1 second';
            UPDATE skerry.member SET until = clock_timestamp() - interval '1 second' WHERE active
            """,
            in: folder.options().address
        )
    }

    @Test(
        "a gateway that died with the lease does not get it back before another that waits, nor does one that dies again"
    )
    func deaths() throws {
        let folder = try Folder(.postgres)
        // In a loop of crashes it is the first one to ask, each time.
        for round in 0..<3 {
            let dead = KeptStore(try Self.gate(folder, on: "a").open())
            let (first, second) = (try Self.gate(folder, on: "a"), try Self.gate(folder, on: "b"))
            for gate in [first, second] {
                #expect(throws: StoreFault("standby: a test has the lease", .taken)) { _ = try gate.open() }
            }
            try Self.expire(folder)
            for _ in 0..<2 {
                #expect(
                    throws: StoreFault(
                        "standby: the last gateway here died with the lease, and another computer waits for it",
                        .taken
                    )
                ) { _ = try first.open() }
            }
            KeptStore(try second.open()).close()
            dead.close()
            let rest = try Backing.server?.execute(
                "SELECT times FROM skerry.death WHERE until > clock_timestamp() + interval '\(29 << round) minutes'",
                in: folder.options().address
            )
            #expect(rest?.contains("\(round)") == true, "\(round): \(rest ?? "")")
            // Nobody else waits, so it is its turn after all.
            try Backing.server?.execute(
                "DELETE FROM skerry.member WHERE node = 'b'",
                in: folder.options().address
            )
        }
        KeptStore(try Self.gate(folder, on: "a").open()).close()
    }

    @Test("an end in good order is no death: the computer may have the lease again at once")
    func noDeath() throws {
        let folder = try Folder(.postgres)
        KeptStore(try Self.gate(folder, on: "a").open()).close()
        let other = try Self.gate(folder, on: "b")
        let next = KeptStore(try Self.gate(folder, on: "a").open())
        #expect(throws: StoreFault("standby: a test has the lease", .taken)) { _ = try other.open() }
        next.close()
    }

    @Test(
        "one that lacks its broker for too long is told which computer waits for the lease, if one does that can use it"
    )
    func cutOff() throws {
        let folder = try Folder(.postgres)
        let others = Mutex<[String]>([])
        let isAway = Mutex(false)
        let renewal = DispatchSemaphore(value: 0)
        let store = KeptStore(
            try Self.gate(folder, on: "a") { options in
                // Renewed each second.
                options.lease = .seconds(3)
                options.isCutOff = {
                    renewal.signal()
                    return isAway.withLock { $0 }
                }
                options.onCutOff = { other in others.withLock { $0.append(other) } }
            }.open()
        )
        /// Waits until the other computers have been looked at, and what comes of it has been told: the next time begins later.
        func awaitRenewals() { for _ in 0..<3 { renewal.wait() } }
        let waiting = try Self.gate(folder, on: "b")
        #expect(throws: StoreFault.self) { _ = try waiting.open() }
        awaitRenewals()
        #expect(others.withLock { $0 } == [], "it has a broker")
        try waiting.leave()
        // One that has begun still sees it.
        awaitRenewals()
        isAway.withLock { $0 = true }
        awaitRenewals()
        #expect(others.withLock { $0 } == [], "the other one could do nothing with it")
        #expect(throws: StoreFault.self) { _ = try waiting.open() }
        awaitRenewals()
        #expect(others.withLock { $0.first } == "b")
        store.close()
    }

    @Test("it is renewed after a third of its time and no sooner, however long the machine has run")
    func firstRenewal() throws {
        let folder = try Folder(.postgres)
        var options = try folder.options()
        options.lease = Interval(microseconds: timeSinceBoot().microseconds / 2 * 3)
        let holds = Mutex(0)
        options.onHeld = { _ in holds.withLock { $0 += 1 } }
        // It waits for a renewal that has begun.
        try PostgresGate(options).open().close()
        #expect(holds.withLock { $0 } == 1)
    }

    @Test("what another thread changes while the lease is given up comes before, or not at all")
    func lastChange() throws {
        let folder = try Folder(.postgres)
        let (store, options) = (try folder.open(), try folder.options())
        let token = try Backing.server?.execute("SELECT token FROM skerry.lease", in: options.address)
        let session = PostgresSession(
            PostgresLease(
                options: options,
                token: try #require(token.flatMap { Int64($0) }),
                term: LeaseTerm(of: options.lease, clock: timeSinceBoot)
            )
        )
        let renewal = DispatchSemaphore(value: 0)
        let renewals = DispatchGroup()
        DispatchQueue.global()
            .async(group: renewals) {
                let statement = PostgresStatement("UPDATE lease SET until = 'infinity'")
                while (try? session.change([statement])) != nil { renewal.signal() }
            }
        renewal.wait()
        session.close(after: [PostgresStatement("UPDATE lease SET until = '-infinity'")])
        renewals.wait()
        try PostgresGate(options).open().close()
        store.close()
    }

    @Test("a gateway with other settings is refused while the database is in use")
    func otherSettings() throws {
        let folder = try Folder(.postgres)
        let first = try folder.open()
        var options = try folder.options()
        options.client = "another house"
        let gate = PostgresGate(options)
        #expect {
            _ = try gate.open()
        } throws: { error in
            let fault = error as? StoreFault
            return fault?.sort == .refused
                && fault?.message.contains("give this gateway a database of its own") == true
        }
        first.close()
        KeptStore(try gate.open()).close()
    }

    @Test(
        "whoever lost the lease changes nothing more, also if its connections were not ended: neither devices nor phones, marks nor failures",
        arguments: [true, false]
    )
    func fenced(endsConnections: Bool) throws {
        let folder = try Folder(.postgres)
        var first = try folder.open()
        try first.commit(FaultTests.changes(1))
        let second = endsConnections ? try Self.take(folder) : nil
        if !endsConnections {
            try Backing.server?.execute(
                "UPDATE skerry.lease SET token = token + 1",
                in: folder.options().address
            )
        }
        let attempts: [() throws -> Void] = [
            { try first.commit(FaultTests.changes(2)) },
            { try first.note(RecoveryMark(attempts: 1)) },
            {
                try first.setAside(
                    SetAsideDevice(device: DeviceKey(kind: "lamp", name: "0"), at: StoreTests.now)
                )
            },
            { try first.phones.commit([PhoneImage(id: "a", bytes: [])], removed: []) },
            {
                try first.phones.add([
                    DeliveryFailure(at: StoreTests.now, service: "a", recipient: "", activity: "", text: "")
                ])
            },
        ]
        for (number, attempt) in attempts.enumerated() {
            #expect {
                try attempt()
            } throws: { error in
                (error as? StoreFault)?.sort == .taken
            }
            #expect(try FaultTests.text(folder.look()) == FaultTests.expected[1], "\(number)")
        }
        #expect(try first.phones.load().isEmpty && first.phones.failures().isEmpty)
        guard var second else { return }
        #expect(try FaultTests.text(second.load()) == FaultTests.expected[1])
        try second.commit(FaultTests.changes(2))
        #expect(try FaultTests.text(folder.look()) == FaultTests.expected[2])
    }

    @Test("a transaction that began before another process took the lease can't be committed")
    func begunBefore() throws {
        let folder = try Folder(.postgres)
        let (database, server) = (try folder.options().address, try #require(Backing.server))
        let wire = try Wire(to: server.directory)
        var options = try folder.options()
        options.address = wire.address(of: database)
        var first = KeptStore(try PostgresGate(options).open())
        try first.commit(FaultTests.changes(1))
        // Its lease is over, and nobody has it yet; what it sends from now on is on its way for a while.
        try folder.free()
        let gate = Gate()
        wire.hold(after: 2000, at: gate)
        let isRefused = Mutex(false)
        let attempt = DispatchGroup()
        DispatchQueue.global()
            .async(group: attempt) { [first] in
                var former = first
                do { try former.commit(FaultTests.changes(2)) } catch { isRefused.withLock { $0 = true } }
            }
        try #require(gate.isReached())
        var second = KeptStore(try PostgresGate(folder.options()).open())
        #expect(gate.open())
        attempt.wait()
        #expect(isRefused.withLock { $0 })
        #expect(try FaultTests.text(second.load()) == FaultTests.expected[1])
        #expect(try FaultTests.text(folder.look()) == FaultTests.expected[1])
        try second.commit(FaultTests.changes(2))
        #expect(try FaultTests.text(folder.look()) == FaultTests.expected[2])
    }

    @Test("an older copy of the database, to which the server went back, takes nothing")
    func older() throws {
        let folder = try Folder(.postgres)
        var store = try folder.open()
        try store.commit(FaultTests.changes(1))
        try Backing.server?.execute("UPDATE skerry.lease SET batch = batch - 1", in: folder.options().address)
        #expect {
            try store.commit(FaultTests.changes(2))
        } throws: { error in
            (error as? StoreFault)?.sort == .taken
        }
    }
}
