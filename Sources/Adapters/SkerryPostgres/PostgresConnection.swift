import CPostgreSQL
import Glibc
import SkerryGateway
import SkerryValues

/// A connection to the server, for one thread at a time; after a fault that ends it, it is useless.
///
/// Statements go out together, and their answers are read as they come (libpq's pipeline mode): a transaction of any number
/// of statements takes one round trip. Each statement is prepared once.
final class PostgresConnection {
    /// The reason why an exchange came to nothing.
    enum Fault: Error {
        /// The server refused a statement, and nothing has changed.
        case refused(state: String, message: String)
        /// The connection is gone; whether the transaction was committed is unknown.
        case lost(String)
    }

    /// The id of the process that serves this connection.
    let backend: Int64
    private let library: skerry_pq
    private let handle: OpaquePointer
    private let limit: Interval
    /// The names of prepared statements by the address of their text.
    private var names: [UnsafePointer<UInt8>: String] = [:]
    /// The number of names that were ever given.
    private var nameCount = 0

    /// Connects.
    ///
    /// - Parameters:
    ///   - address: The URI of the database.
    ///   - schema: The schema with the tables; nil for that of a partition if the URI sets it as `search_path`, else `skerry`.
    ///   - mark: The name by which the server lists this connection.
    ///   - limit: The longest time for an exchange.
    /// - Throws: ``StoreFault`` of the sort ``StoreFault/Sort/away`` if no server answers, else one that waiting won't mend.
    init(_ address: String, schema: String?, mark: String, limit: Interval) throws(StoreFault) {
        library = try PostgresLibrary.load()
        self.limit = limit
        let seconds = "\(max(2, limit.roundedSeconds))"
        let parameters = [
            // What the URI says outranks these.
            ("connect_timeout", seconds), ("keepalives_idle", seconds), ("keepalives_interval", seconds),
            ("keepalives_count", "2"), ("tcp_user_timeout", "\(limit.microseconds / 1000)"),
            ("target_session_attrs", "read-write"), ("client_encoding", "UTF8"), ("dbname", address),
            // And these outrank the URI.
            ("application_name", mark),
        ]
        let keywords = parameters.map { strdup($0.0) } + [nil]
        let values = parameters.map { strdup($0.1) } + [nil]
        defer { for text in keywords + values { free(text) } }
        let (names, texts) = (keywords.map { UnsafePointer($0) }, values.map { UnsafePointer($0) })
        guard let handle = library.connectdbParams(names, texts, 1) else {
            throw StoreFault("\(address): there is no memory for a connection")
        }
        guard library.status(handle) == SKERRY_PQ_CONNECTION_OK else {
            let message = Self.line(library.errorMessage(handle))
            library.finish(handle)
            let answer = library.pingParams(names, texts, 1)
            let isAway = answer == SKERRY_PQ_PING_REJECTED || answer == SKERRY_PQ_PING_UNANSWERED
            throw StoreFault("PostgreSQL: \(message)", isAway ? .away : .passing)
        }
        self.handle = handle
        backend = Int64(library.backendPID(handle))
        _ = library.setNoticeProcessor(handle, { _, _ in }, nil)
        _ = library.setnonblocking(handle, 1)
        _ = library.enterPipelineMode(handle)
        do throws(Fault) {
            let milliseconds = PostgresValue("\(limit.microseconds / 1000)")
            _ = try exchange([PostgresStatement(Self.settings, milliseconds, PostgresValue(schema))])
        } catch {
            library.finish(handle)
            throw StoreFault(error)
        }
    }

    deinit { library.finish(handle) }

    /// Names without a schema are ours, a statement that hangs ends, and a commit is what it says even where the server is
    /// set to forget the last ones.
    private static let settings: StaticString = """
        SELECT set_config('search_path', coalesce(convert_from($2::bytea, 'UTF8'),
                substring(current_setting('search_path') FROM '^skerry_p[0-9]+$'), 'skerry'), false),
            set_config('statement_timeout', convert_from($1::bytea, 'UTF8'), false),
            CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END
        """

    /// Executes statements in one transaction: all of them, or none.
    ///
    /// - Returns: the rows of those that have any.
    func exchange(_ statements: [PostgresStatement]) throws(Fault) -> [PostgresRows] {
        let end = timeSinceBoot() + limit
        // The server skips what follows a refused statement: what was to be prepared then has to be prepared again.
        var unprepared: [UnsafePointer<UInt8>?] = []
        for statement in statements { try send(statement, &unprepared) }
        unprepared.reverse()
        try demand(library.pipelineSync(handle))
        var rows: [PostgresRows] = []
        var refusal: Fault?
        while true {
            guard let result = try result(before: end) else { continue }
            let status = Int(library.resultStatus(result))
            if let prepared = unprepared.popLast() ?? nil, status != SKERRY_PQ_COMMAND_OK {
                names[prepared] = nil
            }
            switch status {
            case SKERRY_PQ_PIPELINE_SYNC:
                assert(unprepared.isEmpty, "a transaction ends before each of its statements has its answer")
                library.clear(result)
                if let refusal { throw refusal }
                return rows
            case SKERRY_PQ_TUPLES_OK:
                rows.append(PostgresRows(result, library))
                library.clear(result)
            case SKERRY_PQ_COMMAND_OK, SKERRY_PQ_PIPELINE_ABORTED: library.clear(result)
            default:
                let state = library.resultErrorField(result, Int32(SKERRY_PQ_SQLSTATE))
                let message = library.resultErrorField(result, Int32(SKERRY_PQ_MESSAGE))
                refusal =
                    refusal ?? .refused(state: Self.line(state), message: Self.line(message))
                library.clear(result)
            }
        }
    }

    /// The next result; nil between those of two statements.
    private func result(before end: Interval) throws(Fault) -> OpaquePointer? {
        while true {
            let unsent = library.flush(handle)
            if unsent < 0 { throw lost }
            if library.isBusy(handle) == 0 {
                let result = library.getResult(handle)
                if result == nil, library.status(handle) != SKERRY_PQ_CONNECTION_OK { throw lost }
                return result
            }
            let left = end - timeSinceBoot()
            guard left > .zero else {
                throw .lost("PostgreSQL has not answered for \(limit.roundedSeconds) s")
            }
            var file = pollfd(
                fd: library.socket(handle),
                events: Int16(unsent > 0 ? POLLIN | POLLOUT : POLLIN),
                revents: 0
            )
            let ready = poll(&file, 1, Int32(clamping: left.microseconds / 1000 + 1))
            if ready > 0, library.consumeInput(handle) == 0 { throw lost }
        }
    }

    /// Sends a statement, and before it what prepares it.
    ///
    /// `unprepared` gets an entry for each result to come: the text that it prepares, or nil.
    private func send(
        _ statement: PostgresStatement,
        _ unprepared: inout [UnsafePointer<UInt8>?]
    ) throws(Fault) {
        let key = statement.text.utf8Start
        let name = names[key] ?? "s\(nameCount)"
        if names[key] == nil {
            nameCount += 1
            unprepared.append(key)
            let code = key.withMemoryRebound(to: CChar.self, capacity: statement.text.utf8CodeUnitCount + 1) {
                library.sendPrepare(handle, name, $0, 0, nil)
            }
            try demand(code)
            names[key] = name
        }
        unprepared.append(nil)
        // One piece of storage for all values, with a byte more, so that an empty value has an address, too.
        var storage: [UInt8] = []
        for value in statement.values { storage += value.bytes ?? [] }
        storage.append(0)
        let code = storage.withUnsafeBytes { storage in
            var start = storage.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = statement.values.map { value -> UnsafePointer<CChar>? in
                guard let bytes = value.bytes else { return nil }
                defer { start = start?.advanced(by: bytes.count) }
                return start
            }
            let lengths = statement.values.map { Int32($0.bytes?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: values.count)
            return library.sendQueryPrepared(handle, name, Int32(values.count), values, lengths, formats, 1)
        }
        try demand(code)
    }

    private func demand(_ code: Int32) throws(Fault) {
        guard code == 1 else { throw lost }
    }

    private var lost: Fault { .lost(Self.line(library.errorMessage(handle))) }

    /// The text of a message in one line.
    private static func line(_ text: UnsafeMutablePointer<CChar>?) -> String {
        let text = text.map { String(cString: $0) } ?? ""
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension StoreFault {
    /// Makes a fault with a remedy from one of the server.
    init(_ fault: PostgresConnection.Fault) {
        switch fault {
        case .lost(let message): self.init("PostgreSQL: \(message)", .away)
        case .refused("53100", let message): self.init("PostgreSQL: \(message): make room on its disk", .full)
        case .refused(let state, let message): self.init("PostgreSQL: \(message) (SQLSTATE \(state))")
        }
    }
}

/// The functions of libpq.
enum PostgresLibrary {
    /// Loads the library, once.
    static func load() throws(StoreFault) -> skerry_pq { try loaded.get() }

    private static let loaded = load("libpq.so.5")

    /// Loads a library by the name of its file.
    static func load(_ file: String) -> Result<skerry_pq, StoreFault> {
        var reason: UnsafePointer<CChar>?
        return withUnsafeTemporaryAllocation(of: skerry_pq.self, capacity: 1) { library in
            guard let place = library.baseAddress, skerry_pq_load(file, place, &reason) else {
                let words = reason.map { String(cString: $0) } ?? file
                return .failure(
                    StoreFault(
                        "PostgreSQL needs libpq, which can't be loaded: \(words): install it, as with apt-get install libpq5",
                        .refused
                    )
                )
            }
            return .success(place.pointee)
        }
    }
}

/// The time since boot, sleep of the machine included.
func timeSinceBoot() -> Interval {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Interval(microseconds: Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1000)
}
