import Foundation
import GRDB
import SkerryDevice
import SkerryGateway

/// The tables, as they came about: each version of Skerry only adds steps.
enum StoreSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("devices, layouts, outbox, progress") { database in
            try database.execute(
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
            )
        }
        migrator.registerMigration("deliveries to sinks, phones") { database in
            try database.execute(
                sql: """
                    CREATE TABLE delivery (
                        id INTEGER PRIMARY KEY, sink TEXT NOT NULL, activity TEXT NOT NULL, kind TEXT NOT NULL,
                        device TEXT NOT NULL, alert_rev INTEGER NOT NULL, alerted_at INTEGER NOT NULL,
                        image BLOB NOT NULL, UNIQUE (sink, activity)
                    );
                    CREATE TABLE phone (id TEXT PRIMARY KEY, image BLOB NOT NULL) WITHOUT ROWID;
                    """
            )
        }
        migrator.registerMigration("history, devices set aside") { database in
            try database.execute(
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
            )
        }
        addProgress(to: &migrator)
        return migrator
    }

    /// Refuses a database of a newer version of Skerry, or of another program, before anything is written to it.
    ///
    /// - Throws: ``StoreFault`` with what to do.
    static func refuseForeign(_ database: Database, _ path: String) throws {
        guard try database.tableExists("grdb_migrations") else {
            let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            if tables == 0 { return }
            throw StoreFault("\(path): the database of another program: give this one a store of its own")
        }
        var isNewer = try migrator.hasBeenSuperseded(database)
        if try database.tableExists("layout"), !isNewer {
            let layouts = try Row.fetchCursor(database, sql: "SELECT * FROM layout")
            while !isNewer, let row = try layouts.next() {
                isNewer = DefinitionLayout.isNewer(row.bytes("bytes"), id: row["id"])
            }
            let images = try Row.fetchCursor(database, sql: "SELECT image FROM device")
            while !isNewer, let row = try images.next() { isNewer = Device.isNewer(row.bytes("image")[...]) }
        }
        guard isNewer else { return }
        throw StoreFault(
            "\(path): a newer version of Skerry has written this store, and it is left as it is: "
                + "install that version again, or give this one a store of its own"
        )
    }

    private static func addProgress(to migrator: inout DatabaseMigrator) {
        migrator.registerMigration("whether the last commits are sure, and what the broker may retain") {
            try $0.execute(
                sql: """
                    ALTER TABLE progress ADD COLUMN sure INTEGER NOT NULL DEFAULT 1;
                    ALTER TABLE progress ADD COLUMN seeks_strays INTEGER NOT NULL DEFAULT 0;
                    """
            )
        }
        migrator.registerMigration("the boot of the last commit, and since when the clock may be found") {
            try $0.execute(
                sql: """
                    ALTER TABLE progress ADD COLUMN boot_id TEXT;
                    ALTER TABLE progress ADD COLUMN boot_time INTEGER;
                    ALTER TABLE progress ADD COLUMN origin INTEGER;
                    ALTER TABLE progress ADD COLUMN origin_sequence INTEGER;
                    """
            )
        }
        migrator.registerMigration("the newest run of a device that is gone") {
            try $0.execute(sql: "ALTER TABLE progress ADD COLUMN newest_lost_run INTEGER")
        }
        migrator.registerMigration("the mark of the store, what was handled last, hits of a recovery") {
            try $0.execute(
                sql: """
                    ALTER TABLE progress ADD COLUMN owner TEXT;
                    ALTER TABLE progress ADD COLUMN former_epochs TEXT NOT NULL DEFAULT '';
                    ALTER TABLE progress ADD COLUMN handled BLOB NOT NULL DEFAULT x'';
                    ALTER TABLE progress ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE recovery ADD COLUMN hits INTEGER NOT NULL DEFAULT 0;
                    """
            )
        }
    }
}

extension [UInt8] {
    /// The bytes as SQLite takes them.
    var blob: Data { Data(self) }
}

extension Row {
    /// The bytes of a column.
    func bytes(_ column: String) -> [UInt8] { Array(self[column] as Data) }
}
