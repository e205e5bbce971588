import CSQLite
import Foundation
import SkerryEngine
import SkerryGateway
import SkerryPhones
import SkerryStore
import SkerryTesting
import SkerryValues
import Testing

/// A folder that goes away with the test.
final class Folder {
    let path: String
    /// The URI of a database of PostgreSQL; nil if the store is a file.
    let address: String?
    var wasOpened = false

    init(_ backing: Backing = .sqlite, mark: String = "-") throws {
        address = backing == .postgres ? try #require(Backing.server).makeDatabase() : nil
        path = NSTemporaryDirectory() + "skerry-store" + mark + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var database: String { path + "/skerry.db" }
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] }
}

@Suite("The store")
struct StoreTests {
    static let now = Timestamp(seconds: 1_772_355_600)

    static func changes(at now: Timestamp = now) -> StoreChanges {
        StoreChanges(epoch: 7, progress: StoreProgress(aliveAt: now, sequence: 9, lastPublication: 3))
    }

    static func publication(_ id: UInt64) -> Publication {
        Publication(
            id: id,
            topic: "skerry/lamp/ä/activity/diff",
            payload: [0, 255, 10],
            quality: .atLeastOnce,
            isRetained: id % 2 == 0,
            contentType: id == 1 ? "application/merge-patch+json" : nil,
            expiry: id == 1 ? .hours(4) : nil
        )
    }

    @Test("committed data is there when the store is opened again", arguments: Backing.all)
    func committed(_ backing: Backing) throws {
        let folder = try Folder(backing)
        var changes = Self.changes()
        changes.enqueued = [Self.publication(1), Self.publication(2), Self.publication(3)]
        changes.images = [
            DeviceImage(kind: "lamp", name: "a", layout: 5, bytes: [1]),
            DeviceImage(kind: "lamp", name: "b", layout: 5, bytes: [2]),
            DeviceImage(kind: "lamp", name: "a", layout: 6, bytes: []),
        ]
        do {
            var store = try folder.open()
            #expect(try store.load().epoch == nil)
            try store.commit(changes)
            var later = Self.changes(at: Self.now + .seconds(1))
            later.settled = [2]
            later.removed = [DeviceImage(kind: "lamp", name: "b", layout: 5, bytes: [])]
            try store.commit(later)
        }
        var store = try folder.open(.normal)
        let state = try store.load()
        #expect(state.epoch == 7)
        #expect(
            state.progress
                == StoreProgress(aliveAt: Self.now + .seconds(1), sequence: 9, lastPublication: 3)
        )
        #expect(state.publications == [Self.publication(1), Self.publication(3)])
        #expect(state.devices.map { "\($0.kind)/\($0.name) \($0.layout) \($0.bytes)" } == ["lamp/a 6 []"])
    }

    @Test(
        "commits may be missing only after a disorderly end, if the store does not wait for the disk",
        arguments: Backing.all
    )
    func sure(_ backing: Backing) throws {
        let cases: [(former: Durability, isLast: Bool, mayHaveForgotten: Bool)] = [
            (.full, false, false), (.full, true, false), (.normal, false, true), (.normal, true, false),
        ]
        for (former, isLast, mayHaveForgotten) in cases {
            for durability in Durability.allCases {
                let folder = try Folder(backing)
                do {
                    var store = try folder.open(former)
                    #expect(try !store.load().mayHaveForgotten)
                    try store.commit(Self.changes())
                    var last = Self.changes()
                    last.isLast = isLast
                    last.progress.seeksStrays = true
                    try store.commit(last)
                }
                var store = try folder.open(durability)
                let state = try store.load()
                #expect(state.mayHaveForgotten == mayHaveForgotten, "\(former) \(isLast)")
                #expect(state.progress?.seeksStrays == true)
            }
        }
    }

    @Test("only their owner can read the files of a new database")
    func isPrivate() throws {
        let folder = try Folder()
        var (store, _) = try StoreFile.open(folder.database, durability: .full, at: Self.now)
        try store.commit(Self.changes())
        try store.phones.commit([PhoneImage(id: "phone/1", bytes: [1])], removed: [])
        for suffix in ["", "-wal", "-shm", ".phones", ".phones-wal", ".phones-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.database + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
        }
    }

    @Test("a second process can't open the store, and learns why")
    func owned() throws {
        let folder = try Folder()
        let first = try StoreFile.open(folder.database, durability: .full, at: Self.now)
        #expect {
            _ = try StoreFile.open(folder.database, durability: .full, at: Self.now)
        } throws: { error in
            (error as? StoreFault)?.message.contains("another skerry has this store") == true
        }
        withExtendedLifetime(first) {}
    }

    @Test("a damaged database is set aside as it is, with a notice", arguments: ["head", "middle"])
    func damaged(place: String) throws {
        let folder = try Folder()
        do {
            var (store, _) = try StoreFile.open(folder.database, durability: .full, at: Self.now)
            var changes = Self.changes()
            changes.images = (0..<500).map {
                DeviceImage(kind: "lamp", name: "\($0)", layout: 1, bytes: [UInt8](repeating: 7, count: 200))
            }
            try store.commit(changes)
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        let start = place == "head" ? 0 : bytes.count / 4
        for index in start..<min(start + 20_000, bytes.count) { bytes[index] = 0xA5 }
        try bytes.write(to: URL(fileURLWithPath: folder.database))
        var (store, notice) = try StoreFile.open(folder.database, durability: .full, at: Self.now)
        #expect(notice?.contains("set aside as \(folder.database).damaged-1772355600") == true)
        #expect(store.load().epoch == nil)
        let aside = try Data(contentsOf: URL(fileURLWithPath: folder.database + ".damaged-1772355600"))
        #expect(aside[start..<start + 4096] == bytes[start..<start + 4096], "the damage is where it was")
        try store.commit(Self.changes())
    }

    @Test("a database that lost all its bytes is no database to read, and begins anew")
    func emptied() throws {
        let folder = try Folder()
        do {
            var (store, _) = try StoreFile.open(folder.database, durability: .full, at: Self.now)
            try store.commit(Self.changes())
        }
        try Data().write(to: URL(fileURLWithPath: folder.database))
        #expect {
            _ = try StoreFile.look(at: folder.database)
        } throws: { error in
            (error as? StoreFault)?.message.contains("the database is damaged") == true
        }
        #expect(StoreFile.isEmptied(folder.database))
        var (store, notice) = try StoreFile.open(folder.database, durability: .full, at: Self.now)
        #expect(notice == nil)
        #expect(store.load().epoch == nil)
        try store.commit(Self.changes())
        #expect(!StoreFile.isEmptied(folder.database))
    }

    @Test("a damaged database is set aside with its log, and not a byte of either is written")
    func damagedBesideLog() throws {
        let (origin, folder) = (try Folder(), try Folder())
        var (store, _) = try StoreFile.open(origin.database, durability: .full, at: Self.now)
        var changes = Self.changes()
        for name in 0..<500 {
            changes.images = [
                DeviceImage(
                    kind: "lamp",
                    name: "\(name)",
                    layout: 1,
                    bytes: [UInt8](repeating: 7, count: 900)
                )
            ]
            try store.commit(changes)
        }
        var bytes: [String: Data] = [:]
        for suffix in ["", "-wal"] {
            bytes[suffix] = try Data(contentsOf: URL(fileURLWithPath: origin.database + suffix))
        }
        let pages = try #require(bytes[""]?.count)
        for index in pages / 2..<pages { bytes[""]?[index] = 0xA5 }
        for (suffix, data) in bytes { try data.write(to: URL(fileURLWithPath: folder.database + suffix)) }
        let notice = try StoreFile.open(folder.database, durability: .full, at: Self.now).notice
        #expect(notice != nil)
        for (suffix, data) in bytes {
            let aside = folder.database + ".damaged-1772355600" + suffix
            #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == data, "\(suffix)")
        }
    }

    @Test("a text in the place of the database, or of the phones, is left alone", arguments: ["", ".phones"])
    func text(suffix: String) throws {
        let folder = try Folder()
        let text = Data("# the settings of a bridge, named as its store by mistake\n".utf8)
        try text.write(to: URL(fileURLWithPath: folder.database + suffix))
        #expect {
            _ = try StoreFile.open(folder.database, durability: .full, at: Self.now)
        } throws: { error in
            let fault = error as? StoreFault
            return fault?.sort == .refused && fault?.message.contains("this is a text") == true
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database + suffix)) == text)
    }

    @Test("the database of another program is left alone")
    func anotherProgram() throws {
        let folder = try Folder()
        var database: OpaquePointer?
        sqlite3_open(folder.database, &database)
        #expect(sqlite3_exec(database, "CREATE TABLE note (text TEXT)", nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        #expect {
            _ = try StoreFile.open(folder.database, durability: .full, at: Self.now)
        } throws: { error in
            (error as? StoreFault)?.message.contains("the database of another program") == true
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
    }

    @Test("a store of a newer version is refused, and nothing is written to it", arguments: Newer.allCases)
    func newerVersion(newer: Newer) throws {
        let folder = try Folder()
        do {
            var (store, _) = try StoreFile.open(folder.database, durability: .full, at: Self.now)
            try store.commit(Self.changes())
        }
        var image = ImageWriter()
        image.tag(200)
        let id = Int64(bitPattern: image.bytes.fingerprint)
        image.seal()
        var database: OpaquePointer?
        sqlite3_open(folder.database, &database)
        let statement =
            switch newer {
            case .tables: "INSERT INTO grdb_migrations VALUES ('what comes next')"
            case .layout: "INSERT INTO layout VALUES (\(id), x'C8')"
            case .image: "INSERT INTO device VALUES ('lamp', 'a', 5, x'\(image.bytes.hexadecimal)', NULL)"
            case .damaged: "INSERT INTO layout VALUES (\(id + 1), x'C8')"
            }
        #expect(sqlite3_exec(database, statement, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        let open = { _ = try StoreFile.open(folder.database, durability: .full, at: Self.now) }
        if newer == .damaged {
            try open()
            return
        }
        for use in [open, { _ = try StoreFile.look(at: folder.database) }] {
            #expect {
                try use()
            } throws: { error in
                (error as? StoreFault)?.message.contains("a newer version of Skerry has written") == true
            }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
    }

    /// Changes a closed database as a failing disk does.
    private static func change(_ folder: Folder, _ statement: String) {
        var database: OpaquePointer?
        sqlite3_open(folder.database, &database)
        #expect(sqlite3_exec(database, statement, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
    }

    @Test(
        "a bit that flips in the name of a step of the tables is mended, and the store goes on",
        arguments: [
            ("the stages of runs", "the stages of runt"),
            ("phones in a database of their own", "phonea in a database of their own"),
        ]
    )
    func flippedStep(name: String, damaged: String) throws {
        let folder = try Folder()
        var changes = Self.changes()
        changes.images = [DeviceImage(kind: "lamp", name: "a", layout: 5, bytes: [1])]
        do {
            var (store, _) = try StoreFile.open(folder.database, durability: .full, at: Self.now)
            try store.commit(changes)
        }
        Self.change(
            folder,
            "UPDATE grdb_migrations SET identifier = '\(damaged)' WHERE identifier = '\(name)'"
        )
        for _ in 0..<2 {
            var (store, notice) = try StoreFile.open(folder.database, durability: .full, at: Self.now)
            #expect(notice == nil && store.load().devices.map(\.name) == ["a"])
            store.close()
        }
    }

    @Test("a name of a step that is beyond mending is damage, and not a newer version")
    func lostStep() throws {
        let folder = try Folder()
        do {
            var (store, _) = try StoreFile.open(folder.database, durability: .full, at: Self.now)
            try store.commit(Self.changes())
        }
        Self.change(
            folder,
            "UPDATE grdb_migrations SET identifier = 'xxx' WHERE identifier = 'the stages of runs'"
        )
        let (store, notice) = try StoreFile.open(folder.database, durability: .full, at: Self.now)
        #expect(notice?.contains("is damaged: set aside as") == true, "\(notice ?? "")")
        store.close()
    }

    @Test(
        "a bit that flips in the key of a device is mended and told; more set the device aside, which is told as well",
        arguments: [
            ("kind = 'mamp' WHERE name = 'hall'", "are mended: lamp/hall", ["lamp/desk", "lamp/hall"], []),
            ("name = 'lall' WHERE name = 'hall'", "are mended: lamp/hall", ["lamp/desk", "lamp/hall"], []),
            ("name = 'hzzl' WHERE name = 'hall'", "are set aside as lamp/hzzl", ["lamp/desk"], ["lamp/hzzl"]),
        ]
    )
    func flippedKey(change: String, words: String, devices: [String], aside: [String]) throws {
        let folder = try Folder()
        var changes = Self.changes()
        changes.images = ["desk", "hall"].map { DeviceImage(kind: "lamp", name: $0, layout: 5, bytes: [1]) }
        do {
            var (store, _) = try StoreFile.open(folder.database, durability: .full, at: Self.now)
            try store.commit(changes)
        }
        Self.change(folder, "UPDATE device SET \(change)")
        for isFirst in [true, false] {
            var (store, notice) = try StoreFile.open(folder.database, durability: .full, at: Self.now)
            #expect(isFirst ? notice?.contains(words) == true : notice == nil, "\(notice ?? "")")
            let state = store.load()
            #expect(state.devices.map { "\($0.kind)/\($0.name)" } == devices)
            #expect(state.setAside.map { "\($0.device.kind)/\($0.device.name)" } == aside)
            #expect(state.progress?.seeksStrays == !aside.isEmpty)
            store.close()
        }
    }

    @Test("a device that came back while its damaged row was there is not replaced by the older one")
    func flippedKeyAndBack() throws {
        let folder = try Folder()
        var changes = Self.changes()
        do {
            var (store, _) = try StoreFile.open(folder.database, durability: .full, at: Self.now)
            changes.images = [DeviceImage(kind: "lamp", name: "hall", layout: 5, bytes: [1])]
            try store.commit(changes)
            Self.change(folder, "UPDATE device SET name = 'lall'")
            changes.images = [DeviceImage(kind: "lamp", name: "hall", layout: 5, bytes: [2])]
            try store.commit(changes)
        }
        var (store, _) = try StoreFile.open(folder.database, durability: .full, at: Self.now)
        #expect(store.load().devices.map(\.bytes) == [[2]])
        store.close()
    }

    /// What a newer version has left.
    enum Newer: CaseIterable {
        case tables, layout, image
        /// A layout that is not what its id tells.
        case damaged
    }

    @Test("a missing folder is a fault with a remedy")
    func missing() throws {
        let folder = try Folder()
        #expect {
            _ = try StoreFile.open(folder.path + "/no/skerry.db", durability: .full, at: Self.now)
        } throws: { error in
            (error as? StoreFault)?.message.contains("name a folder that can be written to") == true
        }
        try FileManager.default.createDirectory(atPath: folder.database, withIntermediateDirectories: true)
        #expect {
            _ = try StoreFile.open(folder.database, durability: .full, at: Self.now)
        } throws: { error in
            (error as? StoreFault)?.message.contains("this is a folder: name a file in it") == true
        }
    }
}
