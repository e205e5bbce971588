import Glibc
import SkerryEngine
public import SkerryGateway
import SkerryValues

/// The stores of all partitions on this computer, on their way to another number; no bridge can open one of them meanwhile.
///
/// The new stores are written beside the old ones, whose places they take at the end, the first one first: from then on the move
/// can only be finished.
package final class StoreMove {
    private let paths: [String]
    private let locks: [StoreLock]

    /// Locks the stores.
    ///
    /// - Parameter paths: The files of all partitions that there are or will be, by their numbers.
    /// - Throws: ``StoreFault`` of the sort ``StoreFault/Sort/taken`` while a bridge has one of them.
    package init(_ paths: [String]) throws(StoreFault) {
        self.paths = paths
        var locks: [StoreLock] = []
        for path in paths {
            do throws(StoreFault) {
                locks.append(try StoreLock(path + ".lock"))
                Self.giveAway(path + ".lock", like: paths[0])
            } catch {
                // The bridge that has it may be about to end.
                throw StoreFault(error.message, .taken)
            }
        }
        self.locks = locks
    }

    /// Gives a file the owner of another one: root may do this for the user of a service.
    package static func giveAway(_ path: String, like other: String) {
        var status = stat()
        if stat(other, &status) == 0 { _ = chown(path, status.st_uid, status.st_gid) }
    }

    /// Returns whether there is a store.
    package static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The file that takes the place of a store.
    static func successor(of path: String) -> String { path + ".new" }

    /// Returns whether stores have taken their places, but not all of them, or some are left that no partition has.
    ///
    /// The first one is that of the new number of partitions then.
    package static func isUnfinished(_ paths: [String], among count: Int) -> Bool {
        paths.dropFirst(count).contains(where: isThere) || paths.map(successor).contains(where: isThere)
    }

    /// Lets the partitions go on as before that have ended at a mark.
    package func resume() throws(StoreFault) {
        for path in paths {
            Self.remove(Self.successor(of: path))
            try SQLiteConnection(path, .writing).transaction { database throws(StoreFault) in
                try database.run("UPDATE progress SET cut = NULL")
            }
        }
    }

    /// Reads a store, and moves its log into it.
    package func contents(of partition: Int) throws(StoreFault) -> StoreContents {
        let database = try SQLiteConnection(paths[partition], .writing)
        let contents = try database.transaction { database throws(StoreFault) in
            try StoreContents(from: database)
        }
        // The log of the old store must not be there for the new one.
        let isBusy = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)") { row throws(StoreFault) -> Bool in
            try row["busy"]
        }
        guard isBusy == [false] else {
            throw StoreFault("\(paths[partition]): another program is reading it: end that first")
        }
        return contents
    }

    package func replace(by partitions: [NewPartition]) throws(StoreFault) {
        assert(partitions.count <= paths.count, "a partition has no file")
        for (path, partition) in zip(paths, partitions) {
            let new = Self.successor(of: path)
            Self.remove(new)
            try partition.write(to: new, of: partitions.count)
            Self.giveAway(new, like: paths[0])
        }
        try settle()
        try exchange(0)
        try finish(among: partitions.count)
    }

    /// Lets the other new stores take their places, and removes those that no partition has any more.
    package func finish(among count: Int) throws(StoreFault) {
        assert(count <= paths.count, "a partition has no file")
        try settle()
        for number in 1..<max(1, count) where Self.isThere(Self.successor(of: paths[number])) {
            try exchange(number)
        }
        for path in paths.dropFirst(count) {
            Self.remove(StoreFile.phones(of: path))
            Self.remove(path)
        }
        try settle()
    }

    /// Reads the phones beside a store; nil if an interrupted ``retire(_:)`` has renamed them.
    package func phones(of partition: Int) throws(StoreFault) -> StoredPhones? {
        let path = StoreFile.phones(of: paths[partition])
        guard Self.isThere(path) else { return nil }
        let store = try SQLitePhoneStore(path, .full, locks[partition])
        defer { store.close() }
        return StoredPhones(try store.load(), failures: try store.failures())
    }

    /// Makes stores where none are, the first one last.
    ///
    /// - Parameters:
    ///   - partitions: The contents of the stores.
    ///   - phones: Those of the phones beside them.
    ///   - count: The number of partitions of which each is one; 0 for a store of all devices.
    /// - Throws: ``StoreFault`` if one can't be written; it can be tried again.
    package func make(
        _ partitions: [NewPartition],
        _ phones: [StoredPhones],
        of count: Int
    ) throws(StoreFault) {
        assert(partitions.count == phones.count, "the phones of a partition are missing, or are nobody's")
        assert(partitions.count <= paths.count, "a partition has no file")
        for number in partitions.indices.reversed() {
            let beside = StoreFile.phones(of: paths[number])
            Self.remove(beside)
            let store = try SQLitePhoneStore(beside, .full, locks[number])
            defer { store.close() }
            try store.commit(phones[number].images, removed: [])
            try store.add(phones[number].failures)
            let new = Self.successor(of: paths[number])
            Self.remove(new)
            try partitions[number].write(to: new, of: count)
            // Where there was no store, the folder tells whose it will be: root makes it for the user of a service.
            for path in [beside, new, paths[number] + ".lock"] { Self.giveAway(path, like: folder) }
            try settle()
            try exchange(number)
        }
        try settle()
    }

    /// Gives the stores and the phones beside them other names, under which no bridge finds them, the first one last.
    ///
    /// - Parameter suffix: The end of the other names.
    /// - Throws: ``StoreFault`` if a file can't be renamed.
    package func retire(_ suffix: String) throws(StoreFault) {
        for path in paths.reversed() {
            for file in [StoreFile.phones(of: path), path] where Self.isThere(file) {
                for end in ["-wal", "-shm"] where Self.isThere(file + end) {
                    rename(file + end, file + suffix + end)
                }
                guard rename(file, file + suffix) != 0 else { continue }
                throw StoreFault("\(file): can't be renamed: \(String(cString: strerror(errno)))")
            }
        }
        try settle()
    }

    private static func remove(_ path: String) {
        for suffix in ["-wal", "-shm", ""] { unlink(path + suffix) }
    }

    private func exchange(_ number: Int) throws(StoreFault) {
        for suffix in ["-wal", "-shm"] { unlink(paths[number] + suffix) }
        guard rename(Self.successor(of: paths[number]), paths[number]) != 0 else { return }
        throw StoreFault("\(paths[number]): can't be replaced: \(String(cString: strerror(errno)))")
    }

    private var folder: String {
        let path = paths.first ?? ""
        return path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    /// Waits until the names of files are on the disk.
    private func settle() throws(StoreFault) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw StoreFault("\(folder): \(String(cString: strerror(errno)))")
        }
    }
}

extension StoreFile {
    /// Reads all of a store, also while a bridge uses it; nothing is written.
    public static func contents(at path: String) throws(StoreFault) -> StoreContents {
        try read(path) { database throws(StoreFault) in try StoreContents(from: database) }
    }

    /// Reads of how many partitions a store has one, and the mark at which it has ended, if it has.
    public static func cut(at path: String) throws(StoreFault) -> (partitions: Int, cut: Int64?) {
        try read(path) { database throws(StoreFault) in
            let cuts = try database.rows("SELECT cut FROM progress") { row throws(StoreFault) -> Int64? in
                try row[optional: "cut"]
            }
            return (try SQLiteStore.partitions(of: database), cuts.first ?? nil)
        }
    }
}

extension StoreContents {
    fileprivate init(from database: SQLiteConnection) throws(StoreFault) {
        let setAside = try database.rows("SELECT * FROM set_aside ORDER BY kind, name") {
            row throws(StoreFault) in
            SetAsideImage(try DeviceImage(row), at: try row["at"])
        }
        let ended = try database.rows("SELECT * FROM history ORDER BY number") { row throws(StoreFault) in
            try EndedActivity(row)
        }
        let stages = try database.rows("SELECT * FROM run_stage ORDER BY number") { row throws(StoreFault) in
            try RunStage(row)
        }
        self.init(
            try StoredState(from: database, OutboxRows.read(database).publications),
            setAside: setAside,
            ended: ended,
            stages: stages
        )
    }
}

extension NewPartition {
    fileprivate func write(to path: String, of count: Int) throws(StoreFault) {
        let database = try StoreDatabase(path, .gateway)
        try database.change(surviving: .full) { connection throws(StoreFault) in
            try connection.execute("PRAGMA user_version = \(count)")
            try changes.write(by: plan, to: connection)
            _ = try OutboxRows().storing(changes.enqueued, settled: [], in: connection)
            for device in setAside {
                try connection.run(
                    "INSERT INTO set_aside VALUES (?, ?, ?, ?, ?)",
                    device.image.kind,
                    device.image.name,
                    device.image.layout,
                    device.image.bytes,
                    device.at
                )
            }
        }
        database.close()
    }
}
