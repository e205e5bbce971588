import SkerryDevice
import SkerryGateway

/// The tables of a database, as a list of steps: each version of Skerry only adds to it.
struct StoreSchema: Sendable {
    /// One addition to the tables.
    private struct Step {
        /// The name under which a database remembers that it has taken the step.
        ///
        /// It never changes, or such a database would take the step once more.
        let name: String
        let sql: String
        /// Moves what the former tables have to the new ones.
        var convert: (@Sendable (SQLiteConnection) throws(StoreFault) -> Void)?
    }

    private let steps: [Step]
    /// The consequence of losing such a database, for people.
    let loss: String

    /// The database of the phones.
    static let phones = StoreSchema(
        steps: [
            Step(
                name: "phones",
                sql: "CREATE TABLE phone (id TEXT PRIMARY KEY, image BLOB NOT NULL) WITHOUT ROWID"
            ),
            Step(
                name: "failures",
                sql: """
                    CREATE TABLE failure (
                        number INTEGER PRIMARY KEY, at INTEGER NOT NULL, service TEXT NOT NULL,
                        recipient TEXT NOT NULL, activity TEXT NOT NULL, text TEXT NOT NULL
                    )
                    """
            ),
        ],
        loss: "phones have to be paired again"
    )

    /// The database of everything else.
    static let gateway = StoreSchema(steps: gatewaySteps, loss: "devices start from what the broker retains")

    private static let gatewaySteps = [
        Step(
            name: "devices, layouts, outbox, progress",
            sql: """
                CREATE TABLE device (
                    kind TEXT NOT NULL, name TEXT NOT NULL, layout INTEGER NOT NULL, image BLOB NOT NULL,
                    PRIMARY KEY (kind, name)
                ) WITHOUT ROWID;
                CREATE TABLE layout (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
                CREATE TABLE outbox (
                    id INTEGER PRIMARY KEY, topic TEXT NOT NULL, payload BLOB NOT NULL, qos INTEGER NOT NULL,
                    retained INTEGER NOT NULL, content_type TEXT, expiry INTEGER
                );
                CREATE TABLE progress (
                    id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER NOT NULL, alive_at INTEGER NOT NULL,
                    sequence INTEGER NOT NULL, last_publication INTEGER NOT NULL
                );
                """
        ),
        Step(
            name: "deliveries to sinks, phones",
            sql: """
                CREATE TABLE delivery (
                    id INTEGER PRIMARY KEY, sink TEXT NOT NULL, activity TEXT NOT NULL, kind TEXT NOT NULL,
                    device TEXT NOT NULL, alert_rev INTEGER NOT NULL, alerted_at INTEGER NOT NULL,
                    image BLOB NOT NULL, UNIQUE (sink, activity)
                );
                CREATE TABLE phone (id TEXT PRIMARY KEY, image BLOB NOT NULL) WITHOUT ROWID;
                """
        ),
        Step(
            name: "history, devices set aside",
            sql: """
                CREATE TABLE history (
                    number INTEGER PRIMARY KEY, id TEXT NOT NULL, kind TEXT NOT NULL, device TEXT NOT NULL,
                    started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL, state TEXT NOT NULL,
                    revisions INTEGER NOT NULL, attributes TEXT NOT NULL, content TEXT NOT NULL
                );
                CREATE INDEX history_end ON history (ended_at);
                CREATE TABLE recovery (
                    id INTEGER PRIMARY KEY CHECK (id = 1), attempts INTEGER NOT NULL, kind TEXT, name TEXT
                );
                CREATE TABLE set_aside (
                    kind TEXT NOT NULL, name TEXT NOT NULL, layout INTEGER NOT NULL, image BLOB NOT NULL,
                    at INTEGER NOT NULL, PRIMARY KEY (kind, name)
                ) WITHOUT ROWID;
                """
        ),
        Step(
            name: "whether the last commits are sure, and what the broker may retain",
            sql: """
                ALTER TABLE progress ADD COLUMN sure INTEGER NOT NULL DEFAULT 1;
                ALTER TABLE progress ADD COLUMN seeks_strays INTEGER NOT NULL DEFAULT 0;
                """
        ),
        Step(
            name: "the boot of the last commit, and since when the clock may be found",
            sql: """
                ALTER TABLE progress ADD COLUMN boot_id TEXT;
                ALTER TABLE progress ADD COLUMN boot_time INTEGER;
                ALTER TABLE progress ADD COLUMN origin INTEGER;
                ALTER TABLE progress ADD COLUMN origin_sequence INTEGER;
                """
        ),
        Step(
            name: "the newest run of a device that is gone",
            sql: "ALTER TABLE progress ADD COLUMN newest_lost_run INTEGER"
        ),
        Step(
            name: "the mark of the store, what was handled last, hits of a recovery",
            sql: """
                ALTER TABLE progress ADD COLUMN owner TEXT;
                ALTER TABLE progress ADD COLUMN former_epochs TEXT NOT NULL DEFAULT '';
                ALTER TABLE progress ADD COLUMN handled BLOB NOT NULL DEFAULT x'';
                ALTER TABLE progress ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE recovery ADD COLUMN hits INTEGER NOT NULL DEFAULT 0;
                """
        ),
        Step(name: "phones in a database of their own", sql: "DROP TABLE phone"),
        Step(
            name: "the stages of runs",
            sql: """
                CREATE TABLE run_stage (
                    number INTEGER PRIMARY KEY, activity TEXT NOT NULL, began_at INTEGER NOT NULL,
                    state TEXT NOT NULL, title TEXT
                );
                CREATE INDEX run_stage_activity ON run_stage (activity);
                CREATE INDEX run_stage_begin ON run_stage (began_at);
                """
        ),
        Step(
            name: "publications that are settled and not yet deleted",
            sql: "ALTER TABLE progress ADD COLUMN settled BLOB NOT NULL DEFAULT x''"
        ),
        Step(name: "no index by time", sql: "DROP INDEX history_end; DROP INDEX run_stage_begin"),
        Step(
            name: "the publications of a commit in one row",
            sql: "CREATE TABLE outgoing (number INTEGER PRIMARY KEY, image BLOB NOT NULL)",
            convert: { database throws(StoreFault) in try OutboxRows.takeOver(from: database) }
        ),
        Step(
            name: "no rows of single publications",
            sql: "DROP TABLE outbox; ALTER TABLE progress DROP COLUMN settled"
        ),
        Step(name: "no index of stages", sql: "DROP INDEX run_stage_activity"),
        Step(
            name: "the mark up to which messages are handled before another number of partitions",
            sql: "ALTER TABLE progress ADD COLUMN cut INTEGER"
        ),
        Step(name: "checksums of the keys of devices", sql: "ALTER TABLE device ADD COLUMN sum INTEGER"),
    ]
}

extension StoreSchema {
    /// Takes the steps that a database has not taken yet, all of them or none.
    ///
    /// The table of the steps taken has its name from GRDB, the library that earlier versions used. Because it is kept,
    /// databases go on as they are, and earlier versions recognize a database of a newer one.
    ///
    /// - Parameters:
    ///   - database: A connection that writes.
    ///   - first: Called before, in the same transaction, with a database of an earlier version.
    /// - Throws: ``StoreFault`` of a step or of the closure.
    func migrate(
        _ database: SQLiteConnection,
        first: (SQLiteConnection) throws(StoreFault) -> Void
    ) throws(StoreFault) {
        try database.transaction { database throws(StoreFault) in
            try database.execute(
                "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
            )
            let steps = try stepsTaken(by: database)
            let taken = steps.known
            if steps.isMended {
                try database.execute("DROP TABLE grdb_migrations")
                try database.execute("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
                for step in self.steps where taken.contains(step.name) {
                    try database.run("INSERT INTO grdb_migrations VALUES (?)", step.name)
                }
            }
            let missing = self.steps.filter { !taken.contains($0.name) }
            if !taken.isEmpty, !missing.isEmpty { try first(database) }
            for step in missing {
                try database.execute(step.sql)
                try step.convert?(database)
                try database.run("INSERT INTO grdb_migrations VALUES (?)", step.name)
            }
        }
    }

    /// True if a database has the tables of this version.
    func isComplete(in database: SQLiteConnection) throws(StoreFault) -> Bool {
        try stepsTaken(by: database).known.isSuperset(of: steps.map(\.name))
    }

    /// Refuses a database of a newer version of Skerry, or of another program, before anything is written to it.
    ///
    /// - Throws: ``StoreFault`` with a remedy.
    func refuseForeign(_ database: SQLiteConnection) throws(StoreFault) {
        let tables = Set(
            try database.rows("SELECT name FROM sqlite_master") { row throws(StoreFault) -> String in
                try row["name"]
            }
        )
        guard tables.contains("grdb_migrations") else {
            // It is new.
            if tables.isEmpty { return }
            throw StoreFault(
                "\(database.path): the database of another program: give this one a store of its own",
                .refused
            )
        }
        let taken = try stepsTaken(by: database)
        // A newer version has taken all steps that there are here before it took its own.
        if taken.hasForeign, taken.known.count < steps.count {
            throw StoreFault(damaged: database.path, "the list of its tables names what no version has")
        }
        var isNewer = taken.hasForeign
        if tables.contains("layout"), !isNewer { isNewer = try Self.hasNewerImages(database) }
        guard isNewer else { return }
        throw StoreFault(
            "\(database.path): a newer version of Skerry has written this store, and it is left as it is: "
                + "install that version again, or give this one a store of its own",
            .refused
        )
    }

    private static func hasNewerImages(_ database: SQLiteConnection) throws(StoreFault) -> Bool {
        let layouts = try database.rows("SELECT * FROM layout") { row throws(StoreFault) in
            DefinitionLayout.isNewer(try row["bytes"], id: try row["id"])
        }
        if layouts.contains(true) { return true }
        let images = try database.rows("SELECT image FROM device") { row throws(StoreFault) in
            let image: [UInt8] = try row["image"]
            return Device.isNewer(image[...])
        }
        return images.contains(true)
    }

    /// The steps that a database has taken, as far as they are known here.
    private struct StepsTaken {
        var known: Set<String> = []
        /// True if there are others.
        var hasForeign = false
        /// True if a name was damaged, and it is plain which it was.
        var isMended = false
    }

    private func stepsTaken(by database: SQLiteConnection) throws(StoreFault) -> StepsTaken {
        // As bytes, which need not be text any more.
        let names = try database.rows("SELECT identifier FROM grdb_migrations") {
            row throws(StoreFault) -> [UInt8] in
            try row["identifier"]
        }
        var taken = StepsTaken()
        taken.known = Set(steps.map(\.name).filter { names.contains(Array($0.utf8)) })
        for name in names where !steps.contains(where: { Array($0.name.utf8) == name }) {
            let meant = steps.first {
                !taken.known.contains($0.name) && Self.isDamaged(name, Array($0.name.utf8))
            }
            if let meant {
                taken.known.insert(meant.name)
                taken.isMended = true
            } else {
                taken.hasForeign = true
            }
        }
        return taken
    }

    /// Returns whether a name is another one in which a few bits have flipped.
    private static func isDamaged(_ name: [UInt8], _ other: [UInt8]) -> Bool {
        name.count == other.count && zip(name, other).count { $0 != $1 } <= 2
    }
}
