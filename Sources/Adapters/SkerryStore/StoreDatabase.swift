import Glibc
import SkerryGateway
import Synchronization

/// A database that only this process writes, for any thread.
///
/// The database is checked before the first write. A deleted or replaced file is noticed with the next commit.
final class StoreDatabase: Sendable {
    private struct Open {
        let connection: SQLiteConnection
        var place: StorePlace
    }

    /// The file.
    let path: String
    /// The open connection; nil after ``close()``.
    private let open: Mutex<Open?>

    /// Opens or creates a database with the tables of this version.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - schema: Its tables.
    ///   - first: Called with a database of an earlier version, before it gets those tables.
    /// - Throws: ``StoreFault`` if the database can't be opened, or must not be written to.
    init(
        _ path: String,
        _ schema: StoreSchema,
        first: @Sendable (SQLiteConnection) throws(StoreFault) -> Void = { _ in }
    ) throws(StoreFault) {
        self.path = path
        StoreFile.makePrivate(path)
        try Self.inspect(path, schema)
        let connection = try SQLiteConnection(path, .writing)
        let mode = try connection.rows("PRAGMA journal_mode = WAL") { row throws(StoreFault) -> String in
            try row["journal_mode"]
        }
        guard mode == ["wal"] else { throw StoreFault("\(path): this disk can't have a write-ahead log") }
        try schema.migrate(connection, first: first)
        open = Mutex(Open(connection: connection, place: StorePlace(path, loss: schema.loss)))
    }

    /// Checks a database by a connection that can't write; one that can would write even while it opens and closes.
    private static func inspect(_ path: String, _ schema: StoreSchema) throws(StoreFault) {
        // A process that ended while the database changed to the log leaves a journal; only a writer can roll it back.
        if access(path + "-journal", F_OK) == 0 {
            _ = try SQLiteConnection(path, .writing).rows("SELECT 1 FROM sqlite_master") { _ in }
        }
        // A page for which there was no memory is reported like a damaged one, so damage has to be found twice.
        if try damage(path, schema) != nil, let damage = try damage(path, schema) {
            throw StoreFault(damaged: path, damage)
        }
    }

    /// The first damage that SQLite reports; nil if there is none, and the database is one of ours.
    static func damage(_ path: String, _ schema: StoreSchema) throws(StoreFault) -> String? {
        try SQLiteConnection(path, .reading).transaction { connection throws(StoreFault) in
            let report = try connection.rows("PRAGMA quick_check(1)") { row throws(StoreFault) -> String in
                try row["quick_check"]
            }
            guard report == ["ok"] else { return report.first ?? "no report" }
            try schema.refuseForeign(connection)
            return nil
        }
    }

    /// Changes the database in one transaction.
    ///
    /// - Parameters:
    ///   - durability: The durability of the commit.
    ///   - work: The closure that reads and writes. Being sendable, it can't keep the connection.
    /// - Returns: the result of the closure.
    /// - Throws: ``StoreFault`` of the closure or the commit; the database has not changed then.
    func change<Result: Sendable>(
        surviving durability: Durability,
        _ work: @Sendable (SQLiteConnection) throws(StoreFault) -> Result
    ) throws(StoreFault) -> Result {
        try open.withLock { open throws(StoreFault) in
            guard let connection = open?.connection else { throw StoreFault("\(path): it is closed") }
            try open?.place.check(connection)
            let result = try connection.transaction(surviving: durability, work)
            open?.place.noteLog()
            return result
        }
    }

    /// Moves the log into the database and closes it.
    ///
    /// Every later use is a fault.
    func close() {
        // If another program is reading, the log stays, and the next process uses both.
        open.withLock { $0 = nil }
    }
}
