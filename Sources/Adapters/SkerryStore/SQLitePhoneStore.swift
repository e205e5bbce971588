public import SkerryGateway
public import SkerryPhones
import SkerryValues

/// The store of phones: a database beside that of the devices, for any thread.
///
/// See docs/decisions/0039-phones-database.md.
public struct SQLitePhoneStore: PhoneStore {
    private let database: StoreDatabase
    private let durability: Durability
    private let lock: StoreLock

    /// Opens or creates the database.
    ///
    /// - Throws: ``StoreFault`` if the database can't be opened or read.
    init(_ path: String, _ durability: Durability, _ lock: StoreLock) throws(StoreFault) {
        database = try StoreDatabase(path, .phones)
        self.durability = durability
        self.lock = lock
        // Damage that the check does not find must show now, while the file can be set aside.
        _ = try load()
    }

    /// All phones.
    public func load() throws(StoreFault) -> [PhoneImage] {
        try database.change(surviving: durability) { connection throws(StoreFault) in
            try Self.phones(in: connection)
        }
    }

    /// Copies the phones from a database in which an earlier version kept them with the devices.
    ///
    /// They are durable before the other database drops them. If there are phones here already, a process ended in
    /// between, or an old copy of the other database was put back: nothing is copied.
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

    /// The last failures, oldest first.
    public func failures() throws(StoreFault) -> [DeliveryFailure] {
        try database.change(surviving: durability) { connection throws(StoreFault) in
            try connection.rows("SELECT * FROM failure ORDER BY number") { row throws(StoreFault) in
                DeliveryFailure(
                    at: try row["at"],
                    service: try row["service"],
                    recipient: try row["recipient"],
                    activity: try row["activity"],
                    text: try row["text"]
                )
            }
        }
    }

    /// Adds failures in one transaction.
    public func add(_ failures: [DeliveryFailure]) throws(StoreFault) {
        try database.change(surviving: durability) { connection throws(StoreFault) in
            for failure in failures {
                try connection.run(
                    "INSERT INTO failure (at, service, recipient, activity, text) VALUES (?, ?, ?, ?, ?)",
                    failure.at,
                    failure.service,
                    failure.recipient,
                    failure.activity,
                    failure.text
                )
            }
            try connection.run(
                "DELETE FROM failure WHERE number <= (SELECT max(number) FROM failure) - ?",
                FailureLog.limit
            )
        }
    }

    /// Closes the database.
    ///
    /// Every later use is a fault.
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
