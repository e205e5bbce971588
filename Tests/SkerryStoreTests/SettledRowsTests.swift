import SkerryGateway
import Testing

@testable import SkerryStore

@Suite("Rows of settled publications")
struct SettledRowsTests {
    @Test("settled publications are not loaded, however many they are, and their rows are deleted in the end")
    func settled() throws {
        let folder = try Folder()
        func rows() throws -> Int {
            try SQLiteConnection(folder.database, .reading).rows("SELECT count(*) AS rows FROM outbox") {
                row throws(StoreFault) -> Int in try row["rows"]
            }[0]
        }
        for (round, count) in [1, 63, 64, 200].enumerated() {
            let ids = (1...UInt64(count)).map { UInt64(round * 1_000) + $0 }
            do {
                var store = try folder.open()
                #expect(try store.load().publications == [], "before \(count)")
                for id in ids {
                    var changes = StoreTests.changes()
                    changes.enqueued = [StoreTests.publication(id)]
                    changes.settled = [id - 1]
                    try store.commit(changes)
                }
                #expect(try (1...64).contains(rows()), "\(count)")
                var last = StoreTests.changes()
                last.settled = [ids.last!]
                last.isLast = round == 1
                try store.commit(last)
                if last.isLast { #expect(try rows() == 0) }
            }
        }
        var store = try folder.open()
        #expect(try store.load().publications == [])
    }
}
