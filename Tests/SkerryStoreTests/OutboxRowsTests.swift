import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryStore

@Suite("Rows of the outbox")
struct OutboxRowsTests {
    private static func rows(in folder: Folder) throws -> Int {
        try SQLiteConnection(folder.database, .reading).rows("SELECT count(*) AS rows FROM outgoing") {
            row throws(StoreFault) -> Int in try row["rows"]
        }[0]
    }

    @Test("what waits is loaded in order, whatever is settled in which order", arguments: 1...6)
    func waiting(seed: UInt64) throws {
        let folder = try Folder()
        var random = SimulatedRandom(seed: seed)
        var waiting: [Publication] = []
        var id: UInt64 = 0
        for _ in 0..<8 {
            var store = try folder.open(.normal)
            #expect(try store.load().publications == waiting)
            for _ in 0..<40 {
                var changes = StoreTests.changes()
                for _ in 0..<Int.random(in: 0...9, using: &random) {
                    id += UInt64.random(in: 1...3, using: &random)
                    changes.enqueued.append(StoreTests.publication(id))
                }
                // Mostly the first ones, as a broker acknowledges; now and then any of them, or all.
                let reach = [2, 9, waiting.count].randomElement(using: &random) ?? 0
                let settled = waiting.prefix(reach).filter { _ in Bool.random(using: &random) }.map(\.id)
                changes.settled = settled
                try store.commit(changes)
                waiting = waiting.filter { !settled.contains($0.id) } + changes.enqueued
            }
            #expect(try StoreFile.look(at: folder.database).publications == waiting)
        }
    }

    @Test("a publication that waits for long keeps only a bounded number of rows behind it")
    func bounded() throws {
        let folder = try Folder()
        var store = try folder.open(.normal)
        for id in 1...3_000 as ClosedRange<UInt64> {
            var changes = StoreTests.changes()
            changes.enqueued = [StoreTests.publication(id)]
            changes.settled = id > 2 ? [id - 1] : []
            try store.commit(changes)
            #expect(try id % 100 != 0 || Self.rows(in: folder) <= 600)
        }
        var last = StoreTests.changes()
        last.settled = [1, 3_000]
        try store.commit(last)
        #expect(try Self.rows(in: folder) == 0)
    }

    @Test("the outbox of an earlier version is taken over, without what was settled")
    func earlier() throws {
        let folder = try Folder()
        EarlierStoreTests.make(
            EarlierStoreTests.last + """
                ALTER TABLE progress ADD COLUMN settled BLOB NOT NULL DEFAULT x'';
                INSERT INTO grdb_migrations VALUES ('publications that are settled and not yet deleted');
                UPDATE progress SET settled = x'09000000000000000b00000000000000';
                INSERT INTO outbox VALUES (9, 'a', x'01', 1, 0, NULL, NULL);
                INSERT INTO outbox VALUES (10, 'b', x'', 1, 1, 'text/plain', 60);
                INSERT INTO outbox VALUES (11, 'c', x'02', 1, 0, NULL, NULL);
                INSERT INTO outbox VALUES (12, 'd', x'03', 0, 0, NULL, NULL);
                """,
            folder
        )
        var store = try folder.open()
        let expected = [
            Publication(
                id: 10,
                topic: "b",
                payload: [],
                isRetained: true,
                contentType: "text/plain",
                expiry: .minutes(1)
            ),
            Publication(id: 12, topic: "d", payload: [3], quality: .atMostOnce),
        ]
        #expect(try store.load().publications == expected)
        var changes = StoreTests.changes()
        changes.settled = [10]
        try store.commit(changes)
        #expect(try StoreFile.look(at: folder.database).publications == [expected[1]])
    }

    @Test("a damaged row is a fault that names the outbox")
    func damaged() throws {
        let folder = try Folder()
        do {
            var store = try folder.open()
            var changes = StoreTests.changes()
            changes.enqueued = [StoreTests.publication(1)]
            try store.commit(changes)
        }
        EarlierStoreTests.make("UPDATE outgoing SET image = x'00ff'", folder)
        #expect {
            _ = try StoreFile.look(at: folder.database)
        } throws: { error in
            (error as? StoreFault)?.message.contains("the outbox") == true
        }
    }
}
