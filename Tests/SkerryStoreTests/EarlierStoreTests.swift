import CSQLite
import Foundation
import SkerryGateway
import SkerryPhones
import SkerryStore
import SkerryValues
import Testing

/// Databases as earlier versions left them.
@Suite("Stores of earlier versions")
struct EarlierStoreTests {
    /// A database of the first version, with nothing but its progress.
    private static let first = """
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('devices, layouts, outbox, progress');
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
        INSERT INTO progress VALUES (1, 7, 1772355600000000, 9, 3);
        """

    /// The output of `sqlite3 .dump` for a database that Skerry 0.1.0 wrote with GRDB: a lamp that is dark, one in its
    /// second run, and a phone.
    static let last = """
        BEGIN TRANSACTION;
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES('devices, layouts, outbox, progress');
        INSERT INTO grdb_migrations VALUES('deliveries to sinks, phones');
        INSERT INTO grdb_migrations VALUES('history, devices set aside');
        INSERT INTO grdb_migrations VALUES('whether the last commits are sure, and what the broker may \
        retain');
        INSERT INTO grdb_migrations VALUES('the boot of the last commit, and since when the clock may \
        be found');
        INSERT INTO grdb_migrations VALUES('the newest run of a device that is gone');
        INSERT INTO grdb_migrations VALUES('the mark of the store, what was handled last, hits of a \
        recovery');
        CREATE TABLE device (
            kind TEXT NOT NULL, name TEXT NOT NULL, layout INTEGER NOT NULL, image BLOB NOT NULL,
            PRIMARY KEY (kind, name)
        ) WITHOUT ROWID;
        INSERT INTO device VALUES('lamp','attic',-7063849982946332732,X'020101000000ffffffffffffffffff01\
        0001010101fef6efe39db6b006fef6efe39db6b006000000000081c27912bd1b67e0');
        INSERT INTO device VALUES('lamp','hall',-7063849982946332732,X'020101010000bc8895b00d01146c616d7\
        02f68616c6c2f31373935333334363836b6f09ee29db6b006fcd8cae39db6b0060002fcd8cae39db6b00600036c69740\
        000010105036c69740000000001020102fcd8cae39db6b006fcd8cae39db6b0060001020000fcd8cae39db6b00600fce\
        8e7ccb8b6b0060200000030f4d1615555345b');
        CREATE TABLE layout (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
        INSERT INTO layout VALUES(-7063849982946332732,X'03f285a2f9ece0c6bc1601026f6e00000300046461726b0\
        36c6974010673746174757303010002020001020201');
        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY, topic TEXT NOT NULL, payload BLOB NOT NULL, qos INTEGER NOT NULL,
            retained INTEGER NOT NULL, content_type TEXT, expiry INTEGER
        );
        CREATE TABLE progress (
            id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER NOT NULL, alive_at INTEGER NOT NULL,
            sequence INTEGER NOT NULL, last_publication INTEGER NOT NULL
        , sure INTEGER NOT NULL DEFAULT 1, seeks_strays INTEGER NOT NULL DEFAULT 0, boot_id TEXT, \
        boot_time INTEGER, origin INTEGER, origin_sequence INTEGER, newest_lost_run INTEGER, owner \
        TEXT, former_epochs TEXT NOT NULL DEFAULT '', handled BLOB NOT NULL DEFAULT x'', told INTEGER \
        NOT NULL DEFAULT 0);
        INSERT INTO progress VALUES(1,1795334684793883,1795334686506554,3,11,1,0,'f92f6d7c-d22b-4875-a4a\
        1-b1e232b369dd',1683036717,NULL,NULL,NULL,'3dd927b270cfcc45','',X'01007f78a03f02000ab72e4d03007f\
        78a03f0400fed104c3',11);
        CREATE TABLE delivery (
            id INTEGER PRIMARY KEY, sink TEXT NOT NULL, activity TEXT NOT NULL, kind TEXT NOT NULL,
            device TEXT NOT NULL, alert_rev INTEGER NOT NULL, alerted_at INTEGER NOT NULL,
            image BLOB NOT NULL, UNIQUE (sink, activity)
        );
        CREATE TABLE phone (id TEXT PRIMARY KEY, image BLOB NOT NULL) WITHOUT ROWID;
        INSERT INTO phone VALUES('phone/12213815d65a00c2',X'02103132323133383135643635613030633203416461\
        204554090ab4a882f2e9cbc06237ab1ad14dc13eca683b6f3abcaeec81a80356218a87f5e39db6b0068a87f5e39db6b0\
        060000000000000000004a0b596aebd4a33f');
        CREATE TABLE history (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL, kind TEXT NOT NULL, device TEXT NOT NULL,
            started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL, state TEXT NOT NULL,
            revisions INTEGER NOT NULL, attributes TEXT NOT NULL, content TEXT NOT NULL
        );
        INSERT INTO history VALUES(1,'lamp/hall/1795334685','lamp','hall',1795334685588674,1795334685896\
        620,'dark',2,'{}','{"status":"dark"}');
        CREATE TABLE recovery (
            id INTEGER PRIMARY KEY CHECK (id = 1), attempts INTEGER NOT NULL, kind TEXT, name TEXT
        , hits INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE set_aside (
            kind TEXT NOT NULL, name TEXT NOT NULL, layout INTEGER NOT NULL, image BLOB NOT NULL,
            at INTEGER NOT NULL, PRIMARY KEY (kind, name)
        ) WITHOUT ROWID;
        CREATE INDEX history_end ON history (ended_at);
        COMMIT;
        """

    private static let lamp = """
        skerry: 1
        kind: lamp
        sources:
          - topic: oven/{device}/state
            signals: { on: payload.on }
        machine:
          initial: dark
          states:
            dark: { always: { guard: on, target: lit } }
            lit: { always: { guard: "!on", target: dark }, after: { 1h: dark } }
        activity:
          starts: lit
          ends: dark
          content: { status: state }
        """

    /// Makes a database of a text of SQL.
    static func make(_ text: String, _ folder: Folder) {
        var database: OpaquePointer?
        sqlite3_open(folder.database, &database)
        #expect(sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
    }

    @Test("a database of the first version is converted, and until then only the bridge reads it")
    func firstVersion() throws {
        let folder = try Folder()
        Self.make(Self.first, folder)
        #expect {
            _ = try StoreFile.look(at: folder.database)
        } throws: { error in
            (error as? StoreFault)?.message.contains("the store of an earlier version of Skerry") == true
        }
        var (store, notice) = try StoreFile.open(folder.database, durability: .full, at: StoreTests.now)
        #expect(notice == nil)
        let state = store.load()
        #expect(state.epoch == 7)
        #expect(state.recovery == RecoveryMark())
        #expect(state.setAside.isEmpty && state.deliveries.isEmpty)
        try store.commit(StoreTests.changes())
    }

    @Test(
        "phones of an earlier version are moved once; those moved already win over those left behind",
        arguments: [false, true]
    )
    func phones(haveMoved: Bool) throws {
        let folder = try Folder()
        if haveMoved {
            // The former process ended after the phones were durable, and before the devices forgot them.
            let store = try StoreFile.open(folder.database, durability: .full, at: StoreTests.now).store
            try store.phones.commit([PhoneImage(id: "phone/new", bytes: [1])], removed: [])
            store.close()
            try FileManager.default.removeItem(atPath: folder.database)
        }
        Self.make(Self.last, folder)
        for _ in 0..<2 {
            let (store, notice) = try StoreFile.open(folder.database, durability: .full, at: StoreTests.now)
            #expect(notice == nil)
            let expected = haveMoved ? "phone/new" : "phone/12213815d65a00c2"
            #expect(try store.phones.load().map(\.id) == [expected])
            store.close()
        }
        // The devices have forgotten theirs, or the table could not be made.
        Self.make("CREATE TABLE phone (id INTEGER)", folder)
    }

    @Test("the runs, the history and the phones of a database that GRDB wrote go on")
    func writtenByGRDB() throws {
        let folder = try Folder()
        Self.make(Self.last, folder)
        try StoreFile.open(folder.database, durability: .full, at: StoreTests.now).store.close()
        let at = try #require(try StoreFile.look(at: folder.database).progress?.aliveAt)
        let gateway = try RecoveryTests.Gateway(folder, at: at + .seconds(10), Self.lamp)
        gateway.send(#"{"on":false}"#, by: "hall")
        let ended = gateway.published().filter { $0.contains(#""phase":"ended""#) }
        #expect(
            ended.contains {
                $0.contains("lamp/hall/1795334686") && $0.contains(#""epoch":1795334684793883"#)
            }
        )
        let desk = try PhoneStoreTests.desk(gateway.phones)
        #expect(desk.phones().map(\.name) == ["Ada"])
        let runs = try StoreFile.history(at: folder.database, last: 9).map(\.id)
        #expect(runs == ["lamp/hall/1795334685", "lamp/hall/1795334686"])
    }
}
