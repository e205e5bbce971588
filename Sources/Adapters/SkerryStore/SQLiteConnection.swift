import CSQLite
import SkerryGateway

/// A connection to one SQLite database, for one thread at a time.
///
/// Each statement is prepared once and kept. Releasing the connection closes it. Every error of SQLite, also for want of
/// memory, is a ``StoreFault``.
final class SQLiteConnection {
    /// The access of a connection to its database.
    enum Access {
        /// Reads beside a process that writes, and waits up to five seconds for its locks.
        case reading
        /// Reads and writes. A lock of another process is a fault at once, because messages wait meanwhile.
        case writing
    }

    /// The file.
    let path: String
    private let access: Access
    private let handle: OpaquePointer
    /// The prepared statements by the address of their text, which is quicker to look up than the text.
    private var statements: [UnsafePointer<UInt8>: SQLiteStatement] = [:]
    /// The durability that `PRAGMA synchronous` is set to; nil if it is unknown.
    private var durability: Durability?

    /// Opens a database, which must be there; an empty file is an empty database.
    init(_ path: String, _ access: Access) throws(StoreFault) {
        self.path = path
        self.access = access
        let flags = access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        var opened: OpaquePointer?
        // SQLite's own mutex would be a second one: the owner keeps other threads away.
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            let message = String(cString: opened == nil ? sqlite3_errstr(code) : sqlite3_errmsg(opened))
            // SQLite gives a handle, which must be released, also for a database that it could not open.
            sqlite3_close_v2(opened)
            throw StoreFault(code: code, message: message, path: path)
        }
        handle = opened
        // The remedy depends on the cause of an error, and not only on its kind.
        sqlite3_extended_result_codes(handle, 1)
        if access == .reading { sqlite3_busy_timeout(handle, 5000) }
    }

    /// Closes the database.
    ///
    /// The last connection to close moves the log into the database and removes it.
    deinit {
        for statement in statements.values { statement.finalize() }
        sqlite3_close_v2(handle)
    }

    /// Executes one or several statements without parameters, and keeps none of them.
    ///
    /// `PRAGMA synchronous` takes effect while it is prepared, so a kept statement would do nothing.
    func execute(_ text: String) throws(StoreFault) {
        let code = sqlite3_exec(handle, text, nil, nil, nil)
        guard code == SQLITE_OK else { throw fault(code) }
    }

    /// Executes a statement with parameters, and ignores its rows.
    func run<each Value: SQLiteParameter>(
        _ text: StaticString,
        _ values: repeat each Value
    ) throws(StoreFault) {
        let statement = try prepared(text)
        defer { statement.reset() }
        var place: Int32 = 1
        _ = (repeat try bind(each values, to: statement, at: &place))
        assert(statement.parameters == place - 1, "a statement has another number of parameters")
        while try step(statement) {}
    }

    /// Returns the rows of a statement, each as the closure reads it.
    func rows<Row, each Value: SQLiteParameter>(
        _ text: StaticString,
        _ values: repeat each Value,
        read: (SQLiteRow) throws(StoreFault) -> Row
    ) throws(StoreFault) -> [Row] {
        let statement = try prepared(text)
        defer { statement.reset() }
        var place: Int32 = 1
        _ = (repeat try bind(each values, to: statement, at: &place))
        assert(statement.parameters == place - 1, "a statement has another number of parameters")
        var rows: [Row] = []
        while try step(statement) { rows.append(try read(SQLiteRow(statement, of: self))) }
        return rows
    }

    /// Executes a closure in one transaction, completely or not at all.
    ///
    /// - Parameters:
    ///   - durability: The durability of the commit.
    ///   - work: The closure that reads and writes.
    /// - Returns: the result of the closure.
    /// - Throws: ``StoreFault`` of the closure or the commit; the database has not changed then.
    func transaction<Result>(
        surviving durability: Durability = .full,
        _ work: (SQLiteConnection) throws(StoreFault) -> Result
    ) throws(StoreFault) -> Result {
        // One that failed may still be open, if it could not be rolled back then.
        try rollBack()
        assert(!isInTransaction, "a transaction begins within another one")
        if access == .writing { try synchronize(durability) }
        // Immediate, so that the lock of another process is met before any work is done.
        try run(access == .writing ? "BEGIN IMMEDIATE" : "BEGIN")
        assert(isInTransaction, "a transaction has begun, and there is none")
        do {
            let result = try work(self)
            assert(isInTransaction, "a transaction was ended by its own work")
            try run("COMMIT")
            assert(!isInTransaction, "a transaction goes on after its commit")
            return result
        } catch {
            // If this fails for want of memory, the next transaction does it again.
            try? rollBack()
            throw error
        }
    }

    /// Rolls back a transaction that is still open.
    func rollBack() throws(StoreFault) {
        // After some errors, such as a full disk, SQLite has already rolled back.
        if isInTransaction { try run("ROLLBACK") }
        assert(!isInTransaction, "a transaction goes on that was rolled back")
    }

    private var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    private func synchronize(_ durability: Durability) throws(StoreFault) {
        assert(access == .writing, "a reader decides how durable commits are")
        // Within a transaction SQLite leaves it as it was, and says nothing.
        assert(!isInTransaction, "the durability of a transaction changes while it goes on")
        if self.durability == durability { return }
        // Unknown until SQLite has accepted it.
        self.durability = nil
        try execute("PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
        self.durability = durability
    }
}

extension SQLiteConnection {
    private func prepared(_ text: StaticString) throws(StoreFault) -> SQLiteStatement {
        if let known = statements[text.utf8Start] {
            assert(!known.isBusy, "a statement is used again while its rows are read")
            return known
        }
        var made: OpaquePointer?
        let code = text.utf8Start.withMemoryRebound(to: CChar.self, capacity: text.utf8CodeUnitCount) {
            sqlite3_prepare_v3(
                handle,
                $0,
                Int32(text.utf8CodeUnitCount),
                // It is kept, so SQLite leaves the memory that it has for short-lived ones.
                UInt32(SQLITE_PREPARE_PERSISTENT),
                &made,
                nil
            )
        }
        guard code == SQLITE_OK, let made else { throw fault(code) }
        let statement = SQLiteStatement(made)
        statements[text.utf8Start] = statement
        return statement
    }

    private func bind(
        _ value: some SQLiteParameter,
        to statement: SQLiteStatement,
        at place: inout Int32
    ) throws(StoreFault) {
        assert(place <= statement.parameters, "a statement has fewer parameters than values")
        let code = value.bind(to: statement, at: place)
        guard code == SQLITE_OK else { throw fault(code) }
        place += 1
    }

    /// Steps to the next row; returns false if there is none.
    private func step(_ statement: SQLiteStatement) throws(StoreFault) -> Bool {
        switch sqlite3_step(statement.handle) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let code: throw fault(code)
        }
    }

    /// Makes a fault with SQLite's message for the last call; any other call replaces that message.
    func fault(_ code: Int32) -> StoreFault {
        StoreFault(code: code, message: String(cString: sqlite3_errmsg(handle)), path: path)
    }
}

extension StoreFault {
    /// Makes a fault with a remedy from a code of SQLite.
    fileprivate init(code: Int32, message: String, path: String) {
        // The low byte is the kind of error, the rest its cause.
        switch code & 0xff {
        case SQLITE_CORRUPT, SQLITE_NOTADB: self.init(damaged: path, message)
        case SQLITE_FULL: self.init("\(path): the disk is full: make room", .full)
        case SQLITE_BUSY:
            self.init("\(path): another program holds this database: end it (fuser \(path) names it)")
        case SQLITE_IOERR where !StoreFile.hasRoom(path), SQLITE_CANTOPEN where !StoreFile.hasRoom(path):
            // There is no room for the index of the log, which SQLite calls an error of the disk.
            self.init("\(path): the disk is full: make room", .full)
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM,
            SQLITE_IOERR where StoreFile.isFolder(path):
            let remedy = StoreFile.remedy(path) ?? "\(message): name a folder that can be written to"
            self.init("\(path): \(remedy)", StoreFile.isFolder(path) ? .refused : .passing)
        default: self.init("\(path): \(message) (SQLite \(code))")
        }
    }

    /// Makes a fault of a damaged database.
    init(damaged path: String, _ message: String) {
        self.init("the database is damaged: \(path): \(message)", .damage)
    }
}
