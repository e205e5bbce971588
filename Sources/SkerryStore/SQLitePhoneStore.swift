public import SkerryActivity
public import SkerryGateway

/// The store of phones: a database beside that of the devices, for any thread.
///
/// See docs/decisions/0039-phones-database.md.
public struct SQLitePhoneStore: PhoneStore {
    private let database: StoreDatabase
    private let durability: Durability
    private let lock: StoreLock

    /// Opens a database, or makes it.
    ///
    /// - Throws: ``StoreFault`` when it can't be opened or read.
    init(_ path: String, _ durability: Durability, _ lock: StoreLock) throws(StoreFault) {
        database = try StoreDatabase(path, .phones)
        self.durability = durability
        self.lock = lock
        // What can't be read must be found now, while it can be set aside.
        _ = try load()
    }

    /// All phones.
    public func load() throws(StoreFault) -> [PhoneImage] {
        try database.change(surviving: durability) { connection throws(StoreFault) in
            try Self.phones(in: connection)
        }
    }

    /// Copies the phones out of a database in which an earlier version kept them with the devices.
    ///
    /// They are durable before that database forgets them. A process that ends in between does it again; phones that are
    /// here already are newer than those of a database that was put back.
    func takeOver(from former: SQLiteConnection) throws(StoreFault) {
        let found = try former.rows("SELECT name FROM sqlite_master WHERE name = 'phone'") {
            row throws(StoreFault) -> String in try row["name"]
        }
        if found.isEmpty { return }
        let images = try Self.phones(in: former)
        if images.isEmpty { return }
        try database.change(surviving: .full) { connection throws(StoreFault) in
            if try !Self.phones(in: connection).isEmpty { return }
            try Self.write(images, to: connection)
        }
    }

    /// Makes phones durable in one transaction.
    public func commit(_ images: [PhoneImage], removed: [String]) throws(StoreFault) {
        if images.isEmpty, removed.isEmpty { return }
        try database.change(surviving: durability) { connection throws(StoreFault) in
            for id in removed { try connection.run("DELETE FROM phone WHERE id = ?", id) }
            try Self.write(images, to: connection)
        }
    }

    /// Puts everything into the file and closes it.
    func close() { database.close() }

    private static func phones(in connection: SQLiteConnection) throws(StoreFault) -> [PhoneImage] {
        try connection.rows("SELECT * FROM phone ORDER BY id") { row throws(StoreFault) in
            PhoneImage(id: try row["id"], bytes: try row["image"])
        }
    }

    private static func write(
        _ images: [PhoneImage],
        to connection: SQLiteConnection
    ) throws(StoreFault) {
        for image in images {
            try connection.run("INSERT OR REPLACE INTO phone VALUES (?, ?)", image.id, image.bytes)
        }
    }
}
