import SkerryEngine
import SkerryGateway
import SkerryPostgres
import SkerryStore
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

/// Stores of which each has one partition.
@Suite("Stores of partitions")
struct PartitionTests {
    private static func gate(_ folder: Folder, _ partition: Partition?) throws -> PostgresGate {
        var options = try folder.options()
        options.partition = partition
        return PostgresGate(options)
    }

    private static func words(_ attempt: () throws -> Void) -> String {
        do { try attempt() } catch { return (error as? StoreFault)?.message ?? "\(error)" }
        return ""
    }

    @Test(
        "a file keeps the number of partitions of its first start, also of an earlier version, and refuses others"
    )
    func file() throws {
        let folder = try Folder(.sqlite)
        func open(_ partitions: Int) throws {
            let (store, _) = try StoreFile.open(
                folder.database,
                durability: .full,
                partitions: partitions,
                at: StoreTests.now
            )
            var kept = KeptStore(store)
            try kept.commit(FaultTests.changes(1))
            kept.close()
        }
        try open(4)
        try open(4)
        #expect(
            Self.words { try open(8) }.contains("is that of 4 partitions, and the settings say 8 partitions")
        )
        #expect(Self.words { try open(0) }.contains("the settings say no partitions"))
        let plain = try Folder(.sqlite)
        do {
            var store = try plain.open()
            try store.commit(FaultTests.changes(1))
            store.close()
        }
        let refusal = Self.words {
            _ = try StoreFile.open(plain.database, durability: .full, partitions: 4, at: StoreTests.now)
        }
        #expect(refusal.contains("is that of no partitions") && refusal.contains("leave 'partitions' out"))
        try plain.open().close()
    }

    @Test(
        "partitions have tables and leases of their own in one database, and end no connection of each other",
        .enabled(if: PostgresServer.isAvailable, "needs PostgreSQL")
    )
    func database() throws {
        let folder = try Folder(.postgres)
        var first = KeptStore(try Self.gate(folder, Partition(0, of: 2)).open())
        try first.commit(FaultTests.changes(1))
        var second = KeptStore(try Self.gate(folder, Partition(1, of: 2)).open())
        #expect(try second.load().devices.isEmpty)
        try second.commit(FaultTests.changes(1))
        try first.commit(FaultTests.changes(2))
        #expect(
            Self.words { _ = try Self.gate(folder, Partition(1, of: 2)).open() }
                == "standby: a test has the lease"
        )
        first.close()
        var next = KeptStore(try Self.gate(folder, Partition(0, of: 2)).open())
        #expect(try FaultTests.text(next.load()) == FaultTests.expected[2])
        let address = try #require(folder.address)
        let separator = address.contains("?") ? "&" : "?"
        let seen = try PostgresReader.look(at: "\(address)\(separator)options=-csearch_path%3Dskerry_p1")
        #expect(FaultTests.text(seen) == FaultTests.expected[1])
    }

    @Test(
        "a database is for one number of partitions, or for none, also if an earlier version made it",
        .enabled(if: PostgresServer.isAvailable, "needs PostgreSQL")
    )
    func otherNumbers() throws {
        let folder = try Folder(.postgres)
        KeptStore(try Self.gate(folder, Partition(0, of: 2)).open()).close()
        for partition in [nil, Partition(2, of: 3)] {
            let refusal = Self.words { _ = try Self.gate(folder, partition).open() }
            #expect(refusal.contains("this database is that of 2 partitions"), "\(refusal)")
        }
        let plain = try Folder(.postgres)
        try plain.open().close()
        let address = try #require(plain.address)
        try Backing.server?.execute(
            "DROP TABLE skerry.fleet; ALTER TABLE skerry.progress DROP COLUMN cut; DELETE FROM skerry.step WHERE name >= '2'",
            in: address
        )
        let refusal = Self.words { _ = try Self.gate(plain, Partition(0, of: 2)).open() }
        #expect(refusal.contains("this database is that of no partitions"), "\(refusal)")
        try plain.open().close()
    }

    @Test(
        "a computer that has too many partitions is told who waits for one, and a free one is left to that computer",
        .enabled(if: PostgresServer.isAvailable, "needs PostgreSQL")
    )
    func spread() throws {
        let folder = try Folder(.postgres)
        let surplus = Mutex<[Int: String]>([:])
        func gate(_ number: Int, on node: String) throws -> PostgresGate {
            var options = try folder.options()
            // Renewed each second.
            options.lease = .seconds(3)
            options.node = node
            options.partition = Partition(number, of: 2)
            options.onSurplus = { other in surplus.withLock { $0[number] = other } }
            return PostgresGate(options)
        }
        let first = KeptStore(try gate(0, on: "a").open())
        let second = KeptStore(try gate(1, on: "a").open())
        // Polled as `skerry run` does, until the owner has seen that it waits.
        let waiting = try gate(0, on: "b")
        while surplus.withLock({ $0.isEmpty }) {
            #expect(Self.words { _ = try waiting.open() } == "standby: a test has the lease")
        }
        #expect(surplus.withLock { $0 } == [0: "b"])
        let address = try #require(folder.address)
        var holders = try PostgresReader.leases(at: address)
        #expect(holders.map(\.standbys) == [["b"], []] && holders.allSatisfy { $0.since != nil })
        first.close()
        #expect(Self.words { _ = try gate(0, on: "a").open() }.contains("another computer that waits"))
        let third = KeptStore(try waiting.open())
        holders = try PostgresReader.leases(at: address)
        #expect(holders.map(\.standbys) == [["a"], []] && holders.map(\.token) == [2, 1])
        second.close()
        third.close()
    }
}
