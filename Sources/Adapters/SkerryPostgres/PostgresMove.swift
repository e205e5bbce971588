import SkerryEngine
package import SkerryGateway
import SkerryValues

/// The stores of a database on their way to another number of partitions, or to another place, in one transaction.
package final class PostgresMove {
    private let connection: PostgresConnection
    private let isPartitioned: Bool
    private var tokens: [Int64] = []

    /// Connects to a database.
    ///
    /// - Parameters:
    ///   - address: The URI of the database.
    ///   - isPartitioned: False for the store of a gateway with all devices, which counts as partition 0 here.
    /// - Throws: ``StoreFault`` if it can't be read.
    package init(_ address: String, isPartitioned: Bool = true) throws(StoreFault) {
        self.isPartitioned = isPartitioned
        connection = try PostgresConnection(address, schema: nil, mark: "skerry", limit: .minutes(10))
    }

    private func choose(_ partition: Int) -> PostgresStatement {
        PostgresSchema.choose(isPartitioned ? partition : nil)
    }

    /// The number of partitions that share the database; 0 for none.
    package func count() throws(StoreFault) -> Int {
        try connection.partitions() ?? 0
    }

    /// Returns whether a partition has tables of this version.
    package func isThere(_ partition: Int) throws(StoreFault) -> Bool {
        try connection.rows(
            choose(partition),
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
    package func cut(of partition: Int) throws(StoreFault) -> Int64? {
        try connection.rows(
            choose(partition),
            PostgresStatement("SELECT cut FROM progress WHERE cut IS NOT NULL")
        ).map { row throws(StoreFault) in try row[0] as Int64 }.first
    }

    /// Lets a partition that has ended at a mark go on as before.
    package func resume(_ partition: Int) throws(StoreFault) {
        _ = try connection.run([
            choose(partition), PostgresStatement("UPDATE progress SET cut = NULL"),
        ])
    }

    /// Takes the leases of partitions, whose bridges can change nothing any more then.
    ///
    /// - Throws: ``StoreFault`` of the sort ``StoreFault/Sort/taken`` while a gateway has one of them.
    package func take(_ partitions: Int) throws(StoreFault) {
        tokens = []
        for number in 0..<partitions {
            let token = try connection.rows(
                choose(number),
                PostgresStatement(
                    "UPDATE lease SET token = token + 1 WHERE until <= clock_timestamp() RETURNING token"
                )
            ).map { row throws(StoreFault) in try row[0] as Int64 }
            guard let token = token.first else { throw Self.loss }
            tokens.append(token)
        }
    }

    package func contents(of partition: Int) throws(StoreFault) -> StoreContents {
        let rows = try connection.run([
            choose(partition),
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
                SetAsideImage(try DeviceImage(row), at: try row[4])
            },
            ended: try rows[2].map { row throws(StoreFault) in try EndedActivity(row) },
            stages: try rows[3].map { row throws(StoreFault) in try RunStage(row) }
        )
    }

    package func phones(of partition: Int) throws(StoreFault) -> StoredPhones {
        let rows = try connection.run([
            choose(partition), PostgresPhoneStore.allPhones, PostgresPhoneStore.allFailures,
        ])
        return StoredPhones(
            try rows[1].map(PostgresPhoneStore.phone),
            failures: try rows[2].map(PostgresPhoneStore.failure)
        )
    }

    /// Makes the tables of stores, where there are none.
    ///
    /// - Throws: ``StoreFault`` if the database is that of another number of partitions, or of a newer version.
    package func prepare(_ partitions: Int) throws(StoreFault) {
        for number in 0..<partitions {
            _ = try connection.run([choose(number)])
            try PostgresStore.prepare(connection, partitions: isPartitioned ? partitions : 0)
        }
    }

    /// Returns whether a gateway has ever kept something in a partition.
    package func isUsed(_ partition: Int) throws(StoreFault) -> Bool {
        try connection.rows(choose(partition), PostgresStatement("SELECT EXISTS (SELECT FROM progress)"))
            .map { row throws(StoreFault) in try row[0] as Bool } == [true]
    }

    /// Gives the schemas that were taken, and that of what they share, other names, under which no gateway finds them.
    ///
    /// - Parameter suffix: The end of the other names.
    /// - Throws: ``StoreFault`` of the sort ``StoreFault/Sort/taken`` if a gateway has or had one of the leases since.
    package func retire(_ suffix: String) throws(StoreFault) {
        var statements = fences
        statements.append(
            PostgresStatement(
                "SELECT set_config('skerry.suffix', convert_from($1::bytea, 'UTF8'), true)",
                PostgresValue(suffix)
            )
        )
        for number in tokens.indices { statements += [choose(number), PostgresStatement(Self.renaming)] }
        if isPartitioned { statements += [PostgresSchema.choose(nil), PostgresStatement(Self.renaming)] }
        try exchange(statements)
    }

    private static let renaming: StaticString = """
        DO $$ BEGIN
            EXECUTE format('ALTER SCHEMA %I RENAME TO %I',
                current_setting('search_path'), current_setting('search_path') || current_setting('skerry.suffix'));
        END $$
        """

    private var fences: [PostgresStatement] {
        tokens.enumerated().flatMap { number, token in
            [choose(number), PostgresStatement(Self.fence, PostgresValue(token))]
        }
    }

    /// Replaces the partitions that were taken.
    ///
    /// - Parameters:
    ///   - partitions: The contents of the new ones.
    ///   - phones: The phones of each, where there are none; what is there stays.
    /// - Throws: ``StoreFault`` of the sort ``StoreFault/Sort/taken`` if a gateway has or had one of the leases since.
    package func replace(by partitions: [NewPartition], phones: [StoredPhones] = []) throws(StoreFault) {
        var statements = fences
        for (number, partition) in partitions.enumerated() {
            statements.append(choose(number))
            statements += PostgresSchema.creation
            statements.append(PostgresStatement(Self.emptying))
            statements += partition.changes.statements(of: 0, by: partition.plan)
            statements.append(Self.setAside(partition.setAside))
            guard phones.indices.contains(number) else { continue }
            statements.append(PostgresPhoneStore.keep(phones[number].images))
            statements.append(PostgresPhoneStore.keep(phones[number].failures))
        }
        for number in partitions.count..<max(partitions.count, tokens.count) {
            statements += [choose(number), PostgresStatement(Self.removal)]
        }
        statements.append(
            PostgresStatement(
                "UPDATE skerry.fleet SET partitions = $1::int8",
                PostgresValue(isPartitioned ? Int64(partitions.count) : 0)
            )
        )
        try exchange(statements)
    }

    /// Executes statements behind fences.
    private func exchange(_ statements: [PostgresStatement]) throws(StoreFault) {
        do throws(PostgresConnection.Fault) {
            _ = try connection.exchange(statements)
        } catch {
            // Only the fence divides.
            guard case .refused("22012", _) = error else { throw StoreFault(error) }
            throw Self.loss
        }
    }

    private static let loss = StoreFault(
        "PostgreSQL: a gateway has the lease: end it, or wait until its lease has run out, as 'skerry cluster' shows",
        .taken
    )

    /// Fails unless no gateway has had the lease since it was taken; one that waits for it finds that it is another one.
    private static let fence: StaticString = """
        WITH held AS (
            UPDATE lease SET token = token + 1 WHERE token = $1::int8 AND until <= clock_timestamp() RETURNING 1
        )
        SELECT 1 / count(*) FROM held
        """

    private static func setAside(_ devices: [SetAsideImage]) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO set_aside SELECT sha256(kind || '\\x00'::bytea || name), kind, name, layout, image, at
            FROM unnest($1::bytea[], $2::bytea[], $3::int8[], $4::bytea[], $5::int8[]) AS new (kind, name, layout, image, at)
            """,
            .list(devices.map(\.image.kind)),
            .list(devices.map(\.image.name)),
            .list(devices.map(\.image.layout)),
            .list(devices.map(\.image.bytes)),
            .list(devices.map(\.at))
        )
    }

    /// All but the lease, and phones with their failures.
    private static let emptying: StaticString =
        "TRUNCATE device, layout, outbox, delivery, history, run_stage, progress, recovery, set_aside"

    private static let removal: StaticString = """
        DO $$ BEGIN EXECUTE format('DROP SCHEMA %I CASCADE', current_setting('search_path')); END $$
        """
}
