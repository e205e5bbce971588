@preconcurrency import Dispatch
import Foundation
import SkerryGateway
import SkerryPhones
import SkerryPostgres
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

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
