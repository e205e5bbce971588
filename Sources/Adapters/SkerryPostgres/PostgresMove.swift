import SkerryEngine
public import SkerryGateway
import SkerryValues

/// The partitions of a database on their way to another number, in one transaction.
public final class PostgresMove {
    private let connection: PostgresConnection
    private var tokens: [Int64] = []

    /// Connects to a database.
    ///
    /// - Throws: ``StoreFault`` if it can't be read.
    public init(_ address: String) throws(StoreFault) {
        connection = try PostgresConnection(address, schema: nil, mark: "skerry", limit: .minutes(10))
    }

    /// The number of partitions that share the database.
    public func count() throws(StoreFault) -> Int {
        try connection.partitions() ?? 0
    }

    /// Returns whether a partition has tables of this version.
    public func isThere(_ partition: Int) throws(StoreFault) -> Bool {
        try connection.rows(
            PostgresSchema.choose(partition),
            PostgresStatement(
                """
                SELECT EXISTS (
                    SELECT FROM pg_attribute WHERE attrelid = to_regclass('progress') AND attname = 'cut'
                )
                """
            )
        ).map { row throws(StoreFault) in try row[0] as Bool } == [true]
    }

    /// Reads the mark at which a partition has ended; nil if it has not.
    public func cut(of partition: Int) throws(StoreFault) -> Int64? {
        try connection.rows(
            PostgresSchema.choose(partition),
            PostgresStatement("SELECT cut FROM progress WHERE cut IS NOT NULL")
        ).map { row throws(StoreFault) in try row[0] as Int64 }.first
    }

    /// Lets a partition that has ended at a mark go on as before.
    public func resume(_ partition: Int) throws(StoreFault) {
        _ = try connection.run([
            PostgresSchema.choose(partition), PostgresStatement("UPDATE progress SET cut = NULL"),
        ])
    }

    /// Takes the leases of partitions, whose bridges can change nothing any more then.
    ///
    /// - Throws: ``StoreFault`` of the sort ``StoreFault/Sort/taken`` while a gateway has one of them.
    public func take(_ partitions: Int) throws(StoreFault) {
        tokens = []
        for number in 0..<partitions {
            let token = try connection.rows(
                PostgresSchema.choose(number),
                PostgresStatement(
                    "UPDATE lease SET token = token + 1 WHERE until <= clock_timestamp() RETURNING token"
                )
            ).map { row throws(StoreFault) in try row[0] as Int64 }
            guard let token = token.first else { throw Self.loss }
            tokens.append(token)
        }
    }

    /// Reads all of a partition.
    public func contents(of partition: Int) throws(StoreFault) -> StoreContents {
        let rows = try connection.run([
            PostgresSchema.choose(partition),
            PostgresStatement("SELECT kind, name, layout, image, at FROM set_aside ORDER BY kind, name"),
            PostgresStatement(
                """
                SELECT id, kind, device, started_at, ended_at, state, revisions, attributes, content FROM history
                ORDER BY number
                """
            ),
            PostgresStatement("SELECT activity, state, title, began_at FROM run_stage ORDER BY number"),
        ])
        return StoreContents(
            try StoredState(from: connection),
            setAside: try rows[1].map { row throws(StoreFault) in
                (try DeviceImage(row), Timestamp(microseconds: try row[4]))
            },
            ended: try rows[2].map { row throws(StoreFault) in try EndedActivity(row) },
            stages: try rows[3].map { row throws(StoreFault) in try RunStage(row) }
        )
    }

    /// Replaces the partitions that were taken.
    ///
    /// - Throws: ``StoreFault`` of the sort ``StoreFault/Sort/taken`` if a gateway has or had one of the leases since.
    public func replace(by partitions: [NewPartition]) throws(StoreFault) {
        var statements: [PostgresStatement] = []
        for (number, token) in tokens.enumerated() {
            statements += [
                PostgresSchema.choose(number), PostgresStatement(Self.fence, PostgresValue(token)),
            ]
        }
        for (number, partition) in partitions.enumerated() {
            statements.append(PostgresSchema.choose(number))
            statements += PostgresSchema.creation
            statements.append(PostgresStatement(Self.emptying))
            statements += partition.changes.statements(of: 0, by: partition.plan)
            statements.append(Self.setAside(partition.setAside))
        }
        for number in partitions.count..<max(partitions.count, tokens.count) {
            statements += [PostgresSchema.choose(number), PostgresStatement(Self.removal)]
        }
        statements.append(
            PostgresStatement(
                "UPDATE skerry.fleet SET partitions = $1::int8",
                PostgresValue(Int64(partitions.count))
            )
        )
        do throws(PostgresConnection.Fault) {
            _ = try connection.exchange(statements)
        } catch {
            // Only the fence divides.
            guard case .refused("22012", _) = error else { throw StoreFault(error) }
            throw Self.loss
        }
    }

    private static let loss = StoreFault(
        "PostgreSQL: a gateway has the lease of one of the partitions",
        .taken
    )

    /// Fails unless no gateway has had the lease since it was taken; one that waits for it finds that it is another one.
    private static let fence: StaticString = """
        WITH held AS (
            UPDATE lease SET token = token + 1 WHERE token = $1::int8 AND until <= clock_timestamp() RETURNING 1
        )
        SELECT 1 / count(*) FROM held
        """

    private static func setAside(_ devices: [(image: DeviceImage, at: Timestamp)]) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO set_aside SELECT sha256(kind || '\\x00'::bytea || name), kind, name, layout, image, at
            FROM unnest($1::bytea[], $2::bytea[], $3::int8[], $4::bytea[], $5::int8[]) AS new (kind, name, layout, image, at)
            """,
            .list(devices.map(\.image.kind)),
            .list(devices.map(\.image.name)),
            .list(devices.map(\.image.layout)),
            .list(devices.map(\.image.bytes)),
            .list(devices.map(\.at.microseconds))
        )
    }

    /// All but the lease, and phones with their failures.
    private static let emptying: StaticString =
        "TRUNCATE device, layout, outbox, delivery, history, run_stage, progress, recovery, set_aside"

    private static let removal: StaticString = """
        DO $$ BEGIN EXECUTE format('DROP SCHEMA %I CASCADE', current_setting('search_path')); END $$
        """
}
