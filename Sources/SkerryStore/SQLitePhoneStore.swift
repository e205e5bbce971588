import GRDB
public import SkerryActivity
public import SkerryGateway

/// The phones in the database of a ``SQLiteStore``; from any thread.
public struct SQLitePhoneStore: PhoneStore {
    private let queue: DatabaseQueue
    private let lock: StoreLock

    init(_ queue: DatabaseQueue, _ lock: StoreLock) {
        self.queue = queue
        self.lock = lock
    }

    /// All phones.
    public func load() throws(StoreFault) -> [PhoneImage] {
        do {
            return try queue.read { database in
                try Row.fetchAll(database, sql: "SELECT * FROM phone ORDER BY id").map { row in
                    PhoneImage(id: row["id"], bytes: row.bytes("image"))
                }
            }
        } catch {
            throw StoreFault(error, queue.path)
        }
    }

    /// Makes phones durable in one transaction.
    public func commit(_ images: [PhoneImage], removed: [String]) throws(StoreFault) {
        if images.isEmpty, removed.isEmpty { return }
        do {
            try queue.change { database in
                try database.inTransaction {
                    for id in removed {
                        try database.cachedStatement(sql: "DELETE FROM phone WHERE id = ?")
                            .execute(arguments: [id])
                    }
                    for image in images {
                        try database.cachedStatement(sql: "INSERT OR REPLACE INTO phone VALUES (?, ?)")
                            .execute(arguments: [image.id, image.bytes.blob])
                    }
                    return .commit
                }
            }
        } catch {
            throw StoreFault(error, queue.path)
        }
    }
}
