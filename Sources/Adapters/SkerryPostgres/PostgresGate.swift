import SkerryEngine
package import SkerryGateway
import SkerryValues

/// The way into a database: one process at a time has the lease, and the others wait here.
package final class PostgresGate {
    private let options: PostgresOptions
    private var connection: PostgresConnection?
    /// True once the server has answered.
    private var hasConnected = false
    /// The time since boot until which others need not be told again that this process waits.
    private var isToldUntil = Interval.zero

    /// Makes a gate; nothing is connected yet.
    package init(_ options: PostgresOptions) {
        self.options = options
    }

    /// Takes the lease, if it is free, and reads the store.
    ///
    /// - Returns: the store, which keeps the lease until it is closed.
    /// - Throws: ``StoreFault`` of the sort ``StoreFault/Sort/taken`` while another process has the lease, and
    ///   ``StoreFault/Sort/away`` while no server answers: then it can be tried again.
    package func open() throws(StoreFault) -> PostgresStore {
        do throws(StoreFault) {
            let connection = try connected()
            let (lease, batch, mark) = try take(by: connection)
            _ = try connection.run([
                .unawaited, PostgresMembers.succeed(options), PostgresMembers.stay(options, isActive: true),
            ])
            self.connection = nil
            return try PostgresStore(lease, batch: batch, mark: mark)
        } catch {
            if error.sort == .taken { try wait() }
            if error.sort == .away { connection = nil }
            throw error
        }
    }

    /// Connects to the server, unless it is connected.
    ///
    /// - Throws: ``StoreFault`` as ``open()`` does.
    package func reach() throws(StoreFault) { _ = try connected() }

    private func connected() throws(StoreFault) -> PostgresConnection {
        if let connection { return connection }
        let made = try connect()
        connection = made
        return made
    }

    /// Tells the others that this process does not wait for the lease, because it could do nothing with it.
    package func leave() throws(StoreFault) {
        isToldUntil = .zero
        guard let connection else { return }
        do throws(StoreFault) {
            _ = try connection.run([.unawaited, PostgresMembers.leave(options)])
        } catch {
            self.connection = nil
            throw error
        }
    }

    /// Tells the others that this process waits for the lease.
    private func wait() throws(StoreFault) {
        guard let connection, isToldUntil < timeSinceBoot() else { return }
        _ = try connection.run([.unawaited, PostgresMembers.stay(options, isActive: false)])
        isToldUntil = timeSinceBoot() + options.pause
    }

    private func connect() throws(StoreFault) -> PostgresConnection {
        do throws(StoreFault) {
            let connection = try PostgresConnection(
                options.address,
                schema: options.schema,
                mark: "skerry",
                limit: options.limit
            )
            hasConnected = true
            try PostgresStore.prepare(connection, partitions: options.partition?.count ?? 0)
            return connection
        } catch {
            // A server that has let this process in before is being restarted or replaced.
            throw hasConnected ? StoreFault(error.message, .away) : error
        }
    }

    private func take(
        by connection: PostgresConnection
    ) throws(StoreFault) -> (PostgresLease, batch: Int64, mark: String) {
        let held = try connection.rows(PostgresStatement(Self.look))
            .map { row throws(StoreFault) in
                (
                    token: try row[0] as Int64, isFree: try row[1] as Bool, owner: try row[2] as String,
                    client: try row[3] as String, isCut: try row[4] as Bool,
                    partitions: Int(try row[5] as Int64), isFresh: try row[6] as Bool
                )
            }
        guard let held = held.first else { throw StoreFault("PostgreSQL: the table lease is empty") }
        // Since it has connected, the devices may have been shared out otherwise.
        let count = options.partition?.count ?? 0
        if held.partitions != count {
            throw StoreFault("PostgreSQL: this database", isOf: held.partitions, not: count)
        }
        if held.isCut { throw StoreFault(cut: "PostgreSQL: \(options.schema)") }
        guard held.isFree else { throw refusal(held.owner, held.client) }
        try leaveToOthers(by: connection, isFresh: held.isFresh)
        let former = options.name(of: held.token)
        let term = LeaseTerm(of: options.lease, clock: timeSinceBoot, onHeld: options.onHeld)
        let (token, batch, mark) = try term.hold { () throws(StoreFault) in
            let taken = try connection.rows(
                PostgresStatement(Self.ending, PostgresValue(former)),
                PostgresStatement(
                    Self.taking,
                    PostgresValue(held.token),
                    PostgresValue(options.lease),
                    PostgresValue(options.owner),
                    PostgresValue(options.client)
                )
            ).map { row throws(StoreFault) in (try row[0] as Int64, try row[1] as Int64, try row[2] as String)
            }
            guard let taken = taken.first else { throw refusal("another gateway", options.client) }
            return taken
        }
        return (PostgresLease(options: options, token: token, term: term), batch, mark)
    }

    /// Leaves a free lease to another computer that waits, if that is the one that should have it.
    private func leaveToOthers(by connection: PostgresConnection, isFresh: Bool) throws(StoreFault) {
        let rows = try connection.run([.unawaited, PostgresMembers.bury(options)] + PostgresMembers.present)
        let spread = try PostgresMembers.spread(Array(rows.suffix(2)))
        let number = Int(options.memberNumber)
        let isResting = spread.isResting(number, options.node)
        guard isFresh || isResting, spread.leaves(number, by: options.node) else { return }
        throw StoreFault(
            isResting
                ? "standby: the last gateway here died with the lease, and another computer waits for it"
                : "standby: another computer that waits has fewer partitions",
            .taken
        )
    }

    private func refusal(_ owner: String, _ client: String) -> StoreFault {
        guard client == options.client else {
            return StoreFault(
                "PostgreSQL: \(owner) uses this database with other settings (\(client)): give this gateway a database of its own",
                .refused
            )
        }
        return StoreFault("standby: \(owner) has the lease", .taken)
    }

    private static let look: StaticString = """
        SELECT token, until <= clock_timestamp(), owner, client, EXISTS (SELECT FROM progress WHERE cut IS NOT NULL),
            (SELECT partitions FROM skerry.fleet), until > clock_timestamp() - interval '1.5 seconds' FROM lease
        """

    /// Ends the connections of the former owner, which may hold locks in the middle of a transaction.
    private static let ending: StaticString = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = session_user
            AND application_name = convert_from($1::bytea, 'UTF8')
        """

    /// Takes the lease, unless the owner has renewed it meanwhile.
    private static let taking: StaticString = """
        UPDATE lease SET token = token + 1, until = clock_timestamp() + $2::int8 * interval '1 microsecond',
            owner = $3::bytea, client = $4::bytea
        WHERE token = $1::int8 AND until <= clock_timestamp()
        RETURNING token, batch, encode(mark, 'hex')::bytea
        """
}

extension PostgresConnection {
    /// Executes statements in one transaction, and returns the rows of those that have any.
    func run(_ statements: [PostgresStatement]) throws(StoreFault) -> [PostgresRows] {
        do throws(Fault) { return try exchange(statements) } catch { throw StoreFault(error) }
    }

    /// Executes queries in one transaction, and returns the rows of the last one.
    func rows(_ queries: PostgresStatement...) throws(StoreFault) -> PostgresRows {
        let rows = try run(queries)
        assert(rows.count == queries.count, "a query without rows moves those of the last one")
        return rows[queries.count - 1]
    }
}
