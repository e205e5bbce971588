public import SkerryActivity
public import SkerryGateway

/// The phones in the database of a ``SQLiteStore``; from any thread.
public struct SQLitePhoneStore: PhoneStore {
    private let database: StoreDatabase
    private let durability: Durability
    private let lock: StoreLock

    init(_ database: StoreDatabase, _ durability: Durability, _ lock: StoreLock) {
        self.database = database
        self.durability = durability
        self.lock = lock
    }

    /// All phones.
    public func load() throws(StoreFault) -> [PhoneImage] {
        try database.change(surviving: durability) { connection throws(StoreFault) in
            try connection.rows("SELECT * FROM phone ORDER BY id") { row throws(StoreFault) in
                PhoneImage(id: try row["id"], bytes: try row["image"])
            }
        }
    }

    /// Makes phones durable in one transaction.
    public func commit(_ images: [PhoneImage], removed: [String]) throws(StoreFault) {
        if images.isEmpty, removed.isEmpty { return }
        try database.change(surviving: durability) { connection throws(StoreFault) in
            for id in removed { try connection.run("DELETE FROM phone WHERE id = ?", id) }
            for image in images {
                try connection.run("INSERT OR REPLACE INTO phone VALUES (?, ?)", image.id, image.bytes)
            }
        }
    }
}
