import Glibc
import SkerryGateway
import Synchronization

/// A database that this process alone writes, for any thread.
///
/// It is looked at before it is written to, and that its file went away is noticed with the next commit.
final class StoreDatabase: Sendable {
    private struct Open {
        let connection: SQLiteConnection
        var place: StorePlace
    }

    /// The file.
    let path: String
    /// Nil once it is closed.
    private let open: Mutex<Open?>

    /// Opens a database with the tables of this version, or makes it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - schema: Its tables.
    ///   - first: What is to be done with a database of an earlier version before it gets those tables.
    /// - Throws: ``StoreFault`` when it can't be opened, or must not be written to.
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

    /// Looks whether a database may be used, by a connection that can't write: one that can does when it is opened and
    /// when it is closed.
    private static func inspect(_ path: String, _ schema: StoreSchema) throws(StoreFault) {
        // A process that ended as it changed over to the log left a journal, which only a connection that writes takes back.
        if access(path + "-journal", F_OK) == 0 {
            _ = try SQLiteConnection(path, .writing).rows("SELECT 1 FROM sqlite_master") { _ in }
        }
        try SQLiteConnection(path, .reading).transaction { connection throws(StoreFault) in
            let report = try connection.rows("PRAGMA quick_check(1)") { row throws(StoreFault) -> String in
                try row["quick_check"]
            }
            guard report == ["ok"] else { throw StoreFault(damaged: path, report.first ?? "no report") }
            try schema.refuseForeign(connection)
        }
    }

    /// Changes the database in one transaction.
    ///
    /// - Parameters:
    ///   - durability: What the commit survives.
    ///   - work: What reads and writes; it keeps nothing of the connection.
    /// - Returns: what the work returns.
    /// - Throws: ``StoreFault`` when it can't; nothing has changed then.
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

    /// Puts everything into the file and closes it: nothing is left beside it.
    ///
    /// What is asked for afterwards is a fault.
    func close() {
        // Who reads it just now keeps the log; the next process goes on with both.
        open.withLock { $0 = nil }
    }
}
