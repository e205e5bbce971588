import CSQLite
import SkerryGateway
import SkerryValues

/// A prepared statement; its connection finalizes it.
struct SQLiteStatement {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    /// Makes the statement ready for its next use, without parameters.
    ///
    /// Otherwise it would keep its transaction open.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        assert(!isBusy, "a statement is read that was made ready for its next use")
    }

    func finalize() { sqlite3_finalize(handle) }

    /// The number of its parameters.
    var parameters: Int32 { sqlite3_bind_parameter_count(handle) }

    /// True while its rows are read.
    var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }
}

/// The present row of a statement; valid until its reader returns.
struct SQLiteRow {
    private let statement: SQLiteStatement
    private let connection: SQLiteConnection

    init(_ statement: SQLiteStatement, of connection: SQLiteConnection) {
        self.statement = statement
        self.connection = connection
    }

    /// The value of a column.
    ///
    /// - Throws: ``StoreFault`` if the value is null or the column is missing, as in a damaged database, or if memory is
    ///   missing.
    subscript<Value: SQLiteValue>(_ name: String) -> Value {
        get throws(StoreFault) {
            guard let value: Value = try self[optional: name] else {
                throw StoreFault(damaged: connection.path, "\(name) is null")
            }
            return value
        }
    }

    /// The value of a column; nil if it is null.
    subscript<Value: SQLiteValue>(optional name: String) -> Value? {
        get throws(StoreFault) {
            let column = try column(name)
            if sqlite3_column_type(statement.handle, column) == SQLITE_NULL { return nil }
            guard let value = Value(from: statement, at: column) else {
                throw connection.fault(SQLITE_NOMEM)
            }
            return value
        }
    }

    private func column(_ name: String) throws(StoreFault) -> Int32 {
        for column in 0..<sqlite3_column_count(statement.handle) {
            guard let other = sqlite3_column_name(statement.handle, column) else {
                throw connection.fault(SQLITE_NOMEM)
            }
            if sqlite3_stricmp(other, name) == 0 { return column }
        }
        throw StoreFault(damaged: connection.path, "there is no column \(name)")
    }
}

/// A type of parameters.
protocol SQLiteParameter {
    /// Sets a parameter, counted from 1, and returns SQLite's code.
    func bind(to statement: SQLiteStatement, at place: Int32) -> Int32
}

extension Optional: SQLiteParameter where Wrapped: SQLiteParameter {
    func bind(to statement: SQLiteStatement, at place: Int32) -> Int32 {
        self?.bind(to: statement, at: place) ?? sqlite3_bind_null(statement.handle, place)
    }
}

/// A type of parameters and columns.
protocol SQLiteValue: SQLiteParameter {
    /// Reads a column, counted from 0, that is not null; nil if SQLite has no memory for it.
    init?(from statement: SQLiteStatement, at column: Int32)
}

extension Int64: SQLiteValue {
    func bind(to statement: SQLiteStatement, at place: Int32) -> Int32 {
        sqlite3_bind_int64(statement.handle, place, self)
    }

    init(from statement: SQLiteStatement, at column: Int32) {
        self = sqlite3_column_int64(statement.handle, column)
    }
}

extension Int: SQLiteValue {
    func bind(to statement: SQLiteStatement, at place: Int32) -> Int32 {
        Int64(self).bind(to: statement, at: place)
    }

    init(from statement: SQLiteStatement, at column: Int32) {
        self.init(truncatingIfNeeded: Int64(from: statement, at: column))
    }
}

/// A number that is not negative keeps its bits.
extension UInt64: SQLiteValue {
    func bind(to statement: SQLiteStatement, at place: Int32) -> Int32 {
        Int64(bitPattern: self).bind(to: statement, at: place)
    }

    init(from statement: SQLiteStatement, at column: Int32) {
        self.init(bitPattern: Int64(from: statement, at: column))
    }
}

/// A moment or a length, which is kept in microseconds.
protocol SQLiteTime: SQLiteValue {
    var microseconds: Int64 { get }
    init(microseconds: Int64)
}

extension Timestamp: SQLiteTime {}
extension Interval: SQLiteTime {}

extension SQLiteTime {
    func bind(to statement: SQLiteStatement, at place: Int32) -> Int32 {
        microseconds.bind(to: statement, at: place)
    }

    init(from statement: SQLiteStatement, at column: Int32) {
        self.init(microseconds: Int64(from: statement, at: column))
    }
}

extension Bool: SQLiteValue {
    func bind(to statement: SQLiteStatement, at place: Int32) -> Int32 {
        Int64(self ? 1 : 0).bind(to: statement, at: place)
    }

    init(from statement: SQLiteStatement, at column: Int32) {
        self = Int64(from: statement, at: column) != 0
    }
}

extension String: SQLiteValue {
    func bind(to statement: SQLiteStatement, at place: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { bytes in
            guard let first = bytes.baseAddress else {
                return sqlite3_bind_text(statement.handle, place, "", 0, nil)
            }
            // Copied by SQLite: the bytes are there only as long as this closure runs.
            return first.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_bind_text64(
                    statement.handle,
                    place,
                    $0,
                    UInt64(bytes.count),
                    skerry_sqlite_transient(),
                    UInt8(SQLITE_UTF8)
                )
            }
        }
    }

    init?(from statement: SQLiteStatement, at column: Int32) {
        // The bytes before their number, as SQLite asks: reading
        // may convert the value, and only then is the number final.
        guard let text = sqlite3_column_text(statement.handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement.handle, column))
        self.init(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }
}

extension [UInt8]: SQLiteParameter {
    func bind(to statement: SQLiteStatement, at place: Int32) -> Int32 {
        // An empty array may have no address, which SQLite would take for null.
        if isEmpty { return sqlite3_bind_zeroblob(statement.handle, place, 0) }
        return withUnsafeBytes {
            sqlite3_bind_blob64(
                statement.handle,
                place,
                $0.baseAddress,
                UInt64($0.count),
                skerry_sqlite_transient()
            )
        }
    }
}

extension [UInt8]: SQLiteValue {
    init?(from statement: SQLiteStatement, at column: Int32) {
        let bytes = sqlite3_column_blob(statement.handle, column)
        let count = Int(sqlite3_column_bytes(statement.handle, column))
        // An empty blob has no address, either.
        if bytes == nil, count > 0 { return nil }
        self.init(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
