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

    /// All phones, by name.
    public func load() throws(StoreFault) -> [PhoneImage] {
        do {
            return try queue.read { database in
                try Row.fetchAll(database, sql: "SELECT * FROM phone ORDER BY name").map { row in
                    PhoneImage(phone: row["name"], bytes: row.bytes("image"))
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
            try queue.write { database in
                for name in removed {
                    try database.cachedStatement(sql: "DELETE FROM phone WHERE name = ?")
                        .execute(arguments: [name])
                }
                for image in images {
                    try database.cachedStatement(sql: "INSERT OR REPLACE INTO phone VALUES (?, ?)")
                        .execute(arguments: [image.phone, image.bytes.blob])
                }
            }
        } catch {
            throw StoreFault(error, queue.path)
        }
    }
}
