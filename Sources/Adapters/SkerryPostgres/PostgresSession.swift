import SkerryGateway
import SkerryValues
import Synchronization

/// The transactions of a process that has the lease, over one connection that is made again when it is lost; for any thread.
final class PostgresSession: Sendable {
    private struct State {
        var connection: PostgresConnection?
        /// The process that serves, or served, the last connection.
        var backend: Int64 = 0
        /// The number of the last batch that was committed, as far as is known.
        var batch: Int64
        /// True if a batch after that one may have been committed.
        var isInDoubt = false
        /// A batch that was committed although its caller does not know, and will hand its changes over once more.
        var unreported: Int64?
        var isClosed = false
    }

    private let lease: PostgresLease
    private let state: Mutex<State>

    /// Makes a session that connects when it is needed; `batch` is the number of the last batch in the database.
    init(_ lease: PostgresLease, batch: Int64 = 0) {
        self.lease = lease
        state = Mutex(State(batch: batch))
    }

    /// Ends it: every later use is a fault.
    ///
    /// - Parameter last: Changes that are made before, if this process still has the lease. What another thread changes is changed
    ///   before them, or not at all.
    func close(after last: [PostgresStatement] = []) {
        state.withLock { state in
            if !last.isEmpty { _ = try? exchange(checked(last), repeats: true, &state) }
            state.connection = nil
            state.isClosed = true
        }
    }

    /// Reads, with or without the lease.
    func read(_ statements: [PostgresStatement]) throws(StoreFault) -> [PostgresRows] {
        try state.withLock { state throws(StoreFault) in try exchange(statements, repeats: true, &state) }
    }

    /// Changes the database in one transaction, if this process still has the lease.
    ///
    /// - Parameters:
    ///   - statements: The changes, which may be made twice.
    ///   - repeats: True if they are tried once more when the connection was lost.
    /// - Returns: the rows of the statements.
    /// - Throws: ``StoreFault`` of the sort ``StoreFault/Sort/taken`` when another process has the lease.
    func change(
        _ statements: [PostgresStatement],
        repeats: Bool = true
    ) throws(StoreFault) -> [PostgresRows] {
        try state.withLock { state throws(StoreFault) in
            let rows = try exchange(checked(statements), repeats: repeats, &state)
            assert(!rows.isEmpty, "the lease was not looked at before a change")
            return Array(rows.dropFirst())
        }
    }

    /// Changes that fail unless this process has the lease.
    private func checked(_ statements: [PostgresStatement]) -> [PostgresStatement] {
        [PostgresStatement(Self.check, PostgresValue(lease.token))] + statements
    }

    /// Commits a batch, once: a batch whose outcome was lost with the connection is looked for when there is a new one.
    ///
    /// - Parameter statements: Makes the statements of the batch from its number, which rows that are only ever added have.
    ///   If this fails, the next call has all changes of this one.
    /// - Throws: ``StoreFault`` of the sort ``StoreFault/Sort/taken`` when another process has the lease.
    func commit(_ statements: @Sendable (Int64) -> [PostgresStatement]) throws(StoreFault) {
        try state.withLock { state throws(StoreFault) in
            if try isInDatabase(&state) { state.unreported = state.batch }
            do throws(StoreFault) {
                try attempt(statements, &state)
            } catch {
                guard error.sort == .away, state.isInDoubt else { throw error }
                if try !isInDatabase(&state) { try attempt(statements, &state) }
                state.unreported = nil
            }
            assert(!state.isInDoubt && state.unreported == nil, "a batch that has succeeded is in doubt")
        }
    }

    /// One transaction with all of a batch.
    private func attempt(
        _ statements: @Sendable (Int64) -> [PostgresStatement],
        _ state: inout State
    ) throws(StoreFault) {
        assert(!state.isInDoubt, "a batch begins before it is known what has become of the last one")
        assert(
            state.unreported.map { $0 == state.batch } ?? true,
            "the changes of a batch are withdrawn that is not the last one"
        )
        let hold = PostgresStatement(
            Self.hold,
            PostgresValue(lease.token),
            PostgresValue(state.batch),
            PostgresValue(lease.options.lease)
        )
        let all = [hold] + (state.unreported.map(Self.withdrawal) ?? []) + statements(state.batch + 1)
        // Until the answer comes. If none does, the next transaction finds out by the number of the batch.
        state.isInDoubt = true
        do throws(StoreFault) {
            _ = try lease.term.hold { () throws(StoreFault) in try exchange(all, &state) }
        } catch {
            // An answer of the server leaves no doubt.
            if state.connection != nil { state.isInDoubt = false }
            throw error
        }
        state.isInDoubt = false
        state.batch += 1
        state.unreported = nil
    }

    /// Returns whether the batch in doubt was committed; false if there is none.
    private func isInDatabase(_ state: inout State) throws(StoreFault) -> Bool {
        guard state.isInDoubt else { return false }
        // The lock waits for the end of a former transaction that the server has not ended yet.
        let statement = PostgresStatement(
            "SELECT batch FROM lease WHERE token = $1::int8 FOR NO KEY UPDATE",
            PostgresValue(lease.token)
        )
        let found = try exchange([statement], &state)[0].map { row throws(StoreFault) in try row[0] as Int64 }
        guard let batch = found.first, batch == state.batch || batch == state.batch + 1 else { throw loss }
        let isCommitted = batch > state.batch
        state.batch = batch
        state.isInDoubt = false
        return isCommitted
    }

    private func exchange(
        _ statements: [PostgresStatement],
        repeats: Bool,
        _ state: inout State
    ) throws(StoreFault) -> [PostgresRows] {
        do throws(StoreFault) {
            return try exchange(statements, &state)
        } catch {
            guard error.sort == .away, repeats else { throw error }
            return try exchange(statements, &state)
        }
    }

    private func exchange(
        _ statements: [PostgresStatement],
        _ state: inout State
    ) throws(StoreFault) -> [PostgresRows] {
        guard !state.isClosed else { throw StoreFault("PostgreSQL: the store is closed") }
        let connection = if let known = state.connection { known } else { try connect(&state) }
        do throws(PostgresConnection.Fault) {
            return try connection.exchange(statements)
        } catch {
            switch error {
            // Only the two statements below divide.
            case .refused("22012", _): throw loss
            // The server ends the connection itself.
            case .refused(let code, _) where !code.hasPrefix("57P"): break
            case .refused(_, let message):
                state.connection = nil
                throw StoreFault(.lost(message))
            case .lost: state.connection = nil
            }
            throw StoreFault(error)
        }
    }

    private func connect(_ state: inout State) throws(StoreFault) -> PostgresConnection {
        let connection = try PostgresConnection(
            lease.options.address,
            schema: lease.options.schema,
            mark: lease.name,
            limit: lease.options.limit
        )
        if state.backend != 0 {
            // The server may not have noticed yet that the former connection is gone, and its transaction still hold locks.
            _ = try connection.rows(
                PostgresStatement(Self.ending, PostgresValue(lease.name), PostgresValue(state.backend))
            )
        }
        assert(state.connection == nil, "a connection is made while there is one")
        state.connection = connection
        state.backend = connection.backend
        return connection
    }

    private var loss: StoreFault {
        StoreFault(
            "another gateway has the lease now, or the database is an older copy: this one may do nothing more",
            .taken
        )
    }

    /// Fails unless this process has the lease; the process that takes it waits for the end of the transaction.
    private static let check: StaticString =
        "SELECT 1 / count(*) FROM (SELECT FROM lease WHERE token = $1::int8 FOR KEY SHARE) AS held"

    /// Fails unless this process has the lease and the last batch is its last one; counts the next one, and renews.
    private static let hold: StaticString = """
        WITH held AS (
            UPDATE lease SET batch = batch + 1, until = clock_timestamp() + $3::int8 * interval '1 microsecond'
            WHERE token = $1::int8 AND batch = $2::int8 RETURNING 1
        )
        SELECT 1 / count(*) FROM held
        """

    private static let ending: StaticString = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = session_user
            AND application_name = convert_from($1::bytea, 'UTF8') AND pid = $2::int8
        """

    /// Takes back what a batch has added: its changes come again.
    private static func withdrawal(of batch: Int64) -> [PostgresStatement] {
        // All else is written over: devices, layouts and progress have one row for each key.
        let statements: [StaticString] = [
            "DELETE FROM outbox WHERE batch = $1::int8", "DELETE FROM delivery WHERE batch = $1::int8",
            "DELETE FROM history WHERE batch = $1::int8", "DELETE FROM run_stage WHERE batch = $1::int8",
        ]
        return statements.map { PostgresStatement($0, PostgresValue(batch)) }
    }
}
