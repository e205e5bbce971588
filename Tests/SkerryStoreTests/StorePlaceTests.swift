import Foundation
import SkerryEngine
import SkerryGateway
import SkerryValues
import Testing

@testable import SkerryStore

/// A database whose files others take away, and what an orderly end leaves.
@Suite("The place of the store")
struct StorePlaceTests {
    private static func open(_ folder: Folder) throws -> SQLiteStore {
        try StoreFile.open(folder.database, durability: .full, at: StoreTests.now).store
    }

    /// A store with a device, and commits of it from 1 on.
    private static func commit(_ number: UInt8, to store: inout SQLiteStore) throws(StoreFault) {
        var changes = StoreTests.changes()
        changes.images = [DeviceImage(kind: "lamp", name: "a", layout: 5, bytes: [number])]
        try store.commit(changes)
    }

    /// What a next process finds.
    private static func found(_ folder: Folder) throws -> [[UInt8]] {
        var store = try open(folder)
        defer { store.close() }
        return store.load().devices.map(\.bytes)
    }

    @Test("an orderly end leaves the database and nothing beside it, even if another process holds the store")
    func closed() throws {
        let folder = try Folder()
        var store = try Self.open(folder)
        let phones = store.phones
        try Self.commit(1, to: &store)
        #expect(folder.files.contains("skerry.db-wal"))
        store.close()
        #expect(folder.files == ["skerry.db", "skerry.db.lock", "skerry.db.phones"])
        withExtendedLifetime(phones) {}
    }

    @Test(
        "a database that was deleted is noticed with the next commit, and written again as it was",
        arguments: [[""], ["", "-wal"], ["", "-wal", "-shm"]]
    )
    func deleted(suffixes: [String]) throws {
        let folder = try Folder()
        do {
            var store = try Self.open(folder)
            try Self.commit(1, to: &store)
            for suffix in suffixes { try FileManager.default.removeItem(atPath: folder.database + suffix) }
            for _ in 0..<2 {
                let fault = #expect(throws: StoreFault.self) { try Self.commit(2, to: &store) }
                #expect(fault?.sort == .gone)
                #expect(fault?.message.contains("it is written again") == true, "\(fault?.message ?? "")")
            }
            store.close()
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.database)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try Self.found(folder) == [[1]])
    }

    @Test("a database that was replaced is noticed, and the other one is left as it is")
    func replaced() throws {
        let (folder, other) = (try Folder(), try Folder())
        do {
            var store = try Self.open(other)
            try Self.commit(9, to: &store)
            store.close()
            store = try Self.open(folder)
            try Self.commit(1, to: &store)
            #expect(rename(other.database, folder.database) == 0)
            let fault = #expect(throws: StoreFault.self) { try Self.commit(2, to: &store) }
            #expect(fault?.sort == .gone)
            #expect(fault?.message.contains("was replaced") == true)
        }
        #expect(try Self.found(folder) == [[9]])
    }

    @Test(
        "a database or its log that is cut off while it is open is noticed with the next commit",
        arguments: ["", "-wal"]
    )
    func cutOff(suffix: String) throws {
        let folder = try Folder()
        do {
            var store = try Self.open(folder)
            for number in UInt8(1)..<4 { try Self.commit(number, to: &store) }
            let path = folder.database + suffix
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            #expect(truncate(path, size - 4096) == 0)
            for _ in 0..<2 {
                let fault = #expect(throws: StoreFault.self) { try Self.commit(9, to: &store) }
                #expect(fault?.sort == (suffix.isEmpty ? .damage : .gone))
                #expect(
                    fault?.message.contains("was cut off while the bridge ran") == true,
                    "\(fault?.message ?? "")"
                )
            }
        }
        guard suffix == "-wal" else { return }
        // What was before the cut.
        #expect(try Self.found(folder) == [[2]])
    }

    @Test("a log that is written anew from its beginning is not cut off")
    func longLog() throws {
        let folder = try Folder()
        var store = try Self.open(folder)
        var changes = StoreTests.changes()
        for number in 0..<40 {
            changes.images = (0..<50).map {
                DeviceImage(
                    kind: "lamp",
                    name: "\($0)",
                    layout: 5,
                    bytes: [UInt8](repeating: UInt8(number), count: 4000)
                )
            }
            try store.commit(changes)
        }
        store.close()
    }

    @Test("a log that was deleted is noticed, and what it held is in the database")
    func withoutLog() throws {
        let folder = try Folder()
        do {
            var store = try Self.open(folder)
            try Self.commit(1, to: &store)
            try FileManager.default.removeItem(atPath: folder.database + "-wal")
            let fault = #expect(throws: StoreFault.self) { try Self.commit(2, to: &store) }
            #expect(fault?.sort == .gone)
            #expect(fault?.message.contains("nothing is lost") == true)
            store.close()
        }
        #expect(try Self.found(folder) == [[1]])
    }
}

extension FaultTests {
    @Test("a disk that is full when the store is opened is reported as such, and may have room later")
    func fullAtTheStart() throws {
        FaultyFiles.install()
        for hasBefore in [false, true] {
            let folder = try Folder(mark: FaultyFiles.mark)
            if hasBefore { _ = try StoreFile.open(folder.database, durability: .full, at: StoreTests.now) }
            FaultyFiles.follow(.init(sort: .full, call: 1, persists: true))
            defer { FaultyFiles.follow(nil) }
            let fault = #expect(throws: StoreFault.self) {
                var (store, _) = try StoreFile.open(folder.database, durability: .full, at: StoreTests.now)
                try store.commit(Self.changes(1))
            }
            #expect(fault?.sort == .full, "\(fault?.message ?? "")")
            FaultyFiles.follow(nil)
            var (store, notice) = try StoreFile.open(folder.database, durability: .full, at: StoreTests.now)
            #expect(notice == nil)
            try store.commit(Self.changes(1))
        }
    }

    @Test("an error of a disk with room is not reported as a full disk")
    func errorWithRoom() throws {
        FaultyFiles.install()
        let folder = try Folder(mark: FaultyFiles.mark)
        FaultyFiles.follow(.init(sort: .sharedMemory, call: 1, persists: true))
        defer { FaultyFiles.follow(nil) }
        let fault = #expect(throws: StoreFault.self) {
            try StoreFile.open(folder.database, durability: .full, at: StoreTests.now)
        }
        #expect(fault?.sort == .passing)
    }
}
