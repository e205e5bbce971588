import SkerryGateway

/// The tables, in the schema `skerry`, or in one for each partition.
///
/// Everything but numbers is `bytea`, so that names, topics and texts are kept byte for byte and sorted by their bytes, whatever
/// encoding and collation the database has. Names may be longer than an index takes, so devices are found by a digest.
enum PostgresSchema {
    /// The steps that make the tables; a later version adds to them.
    static let steps = ["1: devices, outbox, history, phones, lease", "2: another number of partitions"]

    /// The schema of a partition, or of a gateway with all devices.
    static func name(ofPartition number: Int?) -> String { number.map { "skerry_p\($0)" } ?? "skerry" }

    /// Lets the names of tables be those of a partition, or of all devices, for a connection: a schema is a name, and no value.
    static func choose(_ partition: Int?) -> PostgresStatement {
        PostgresStatement(
            "SELECT set_config('search_path', convert_from($1::bytea, 'UTF8'), false)",
            PostgresValue(name(ofPartition: partition))
        )
    }

    private static let lock = PostgresStatement("SELECT pg_advisory_xact_lock(75377537)")

    /// Makes the tables that all partitions share: how many there are, 0 for none, which the first process decides, and their members.
    static func fleet(partitions: Int) -> [PostgresStatement] {
        [
            lock, PostgresStatement("CREATE SCHEMA IF NOT EXISTS skerry"),
            PostgresStatement(
                "CREATE TABLE IF NOT EXISTS skerry.fleet (id int8 PRIMARY KEY CHECK (id = 1), partitions int8 NOT NULL)"
            ),
            // A gateway of an earlier version has devices already.
            PostgresStatement(
                """
                INSERT INTO skerry.fleet
                SELECT 1, CASE WHEN to_regclass('skerry.progress') IS NULL THEN $1::int8 ELSE 0 END
                ON CONFLICT DO NOTHING
                """,
                PostgresValue(Int64(partitions))
            ),
            PostgresMembers.table, PostgresMembers.deaths,
        ]
    }

    /// Makes what is missing, in one transaction that two processes can't be in at once.
    static let creation: [PostgresStatement] =
        [lock] + tables.map { PostgresStatement($0) } + [
            PostgresStatement(
                "INSERT INTO step SELECT unnest($1::bytea[]) ON CONFLICT DO NOTHING",
                .list(steps)
            )
        ]

    private static let tables: [StaticString] = [
        // A statement can't take a name as a value; a connection looks for names in this schema alone.
        "DO $$ BEGIN EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I', current_setting('search_path')); END $$",
        "CREATE TABLE IF NOT EXISTS step (name bytea PRIMARY KEY)",
        // A token is part of the key: the process that takes the lease waits for transactions that have looked at it.
        """
        CREATE TABLE IF NOT EXISTS lease (
            token int8 PRIMARY KEY, batch int8 NOT NULL, until timestamptz NOT NULL, owner bytea NOT NULL,
            client bytea NOT NULL, mark bytea NOT NULL
        )
        """,
        """
        CREATE TABLE IF NOT EXISTS device (
            key bytea PRIMARY KEY GENERATED ALWAYS AS (sha256(kind || '\\x00'::bytea || name)) STORED,
            kind bytea NOT NULL, name bytea NOT NULL, layout int8 NOT NULL, image bytea NOT NULL
        ) WITH (fillfactor = 70)
        """,
        "CREATE TABLE IF NOT EXISTS layout (id int8 PRIMARY KEY, bytes bytea NOT NULL)",
        """
        CREATE TABLE IF NOT EXISTS outbox (
            id int8 PRIMARY KEY, batch int8 NOT NULL, topic bytea NOT NULL, payload bytea NOT NULL, qos int8 NOT NULL,
            retained bool NOT NULL, content_type bytea, expiry int8
        )
        """,
        """
        CREATE TABLE IF NOT EXISTS delivery (
            id int8 PRIMARY KEY, batch int8 NOT NULL, sink bytea NOT NULL, activity bytea NOT NULL, kind bytea NOT NULL,
            device bytea NOT NULL, alert_rev int8 NOT NULL, alerted_at int8 NOT NULL, image bytea NOT NULL
        )
        """,
        "CREATE INDEX IF NOT EXISTS delivery_activity ON delivery USING hash (activity)",
        """
        CREATE TABLE IF NOT EXISTS history (
            number int8 PRIMARY KEY, batch int8 NOT NULL, id bytea NOT NULL, kind bytea NOT NULL, device bytea NOT NULL,
            started_at int8 NOT NULL, ended_at int8 NOT NULL, state bytea NOT NULL, revisions int8 NOT NULL,
            attributes bytea NOT NULL, content bytea NOT NULL
        )
        """,
        "CREATE INDEX IF NOT EXISTS history_end ON history (ended_at)",
        """
        CREATE TABLE IF NOT EXISTS run_stage (
            number int8 PRIMARY KEY, batch int8 NOT NULL, activity bytea NOT NULL, began_at int8 NOT NULL,
            state bytea NOT NULL, title bytea
        )
        """,
        "CREATE INDEX IF NOT EXISTS run_stage_activity ON run_stage USING hash (activity)",
        "CREATE INDEX IF NOT EXISTS run_stage_begin ON run_stage (began_at)",
        """
        CREATE TABLE IF NOT EXISTS progress (
            id int8 PRIMARY KEY CHECK (id = 1), epoch int8 NOT NULL, alive_at int8 NOT NULL, sequence int8 NOT NULL,
            last_publication int8 NOT NULL, sure bool NOT NULL, seeks_strays bool NOT NULL, boot_id bytea,
            boot_time int8, origin int8, origin_sequence int8, newest_lost_run int8, owner bytea,
            former_epochs bytea NOT NULL, handled bytea NOT NULL, told int8 NOT NULL
        )
        """,
        "ALTER TABLE progress ADD COLUMN IF NOT EXISTS cut int8",
        """
        CREATE TABLE IF NOT EXISTS recovery (
            id int8 PRIMARY KEY CHECK (id = 1), attempts int8 NOT NULL, kind bytea, name bytea, hits int8 NOT NULL
        )
        """,
        """
        CREATE TABLE IF NOT EXISTS set_aside (
            key bytea PRIMARY KEY, kind bytea NOT NULL, name bytea NOT NULL, layout int8 NOT NULL, image bytea NOT NULL,
            at int8 NOT NULL
        )
        """,
        "CREATE TABLE IF NOT EXISTS phone (id bytea PRIMARY KEY, image bytea NOT NULL)",
        """
        CREATE TABLE IF NOT EXISTS failure (
            number int8 PRIMARY KEY, at int8 NOT NULL, service bytea NOT NULL, recipient bytea NOT NULL,
            activity bytea NOT NULL, text bytea NOT NULL
        )
        """,
        """
        INSERT INTO lease SELECT 0, 0, '-infinity', '', '', uuid_send(gen_random_uuid())
        WHERE NOT EXISTS (SELECT FROM lease)
        """,
    ]
}

extension PostgresConnection {
    /// Reads how many partitions share the database, 0 for none; nil if no process has decided it.
    func partitions() throws(StoreFault) -> Int? {
        try rows(PostgresStatement("SELECT partitions FROM skerry.fleet"))
            .map { row throws(StoreFault) in Int(try row[0] as Int64) }.first
    }
}
