import Glibc
public import SkerryGateway
public import SkerryValues

/// The files of a store: opened, or set aside when they are damaged.
public enum StoreFile {
    /// Opens the store of a path, and the phones beside it.
    ///
    /// A damaged database is never written to: it is renamed, with its log, and a new one takes its place. Devices then
    /// start from the retained messages of the broker, in a new epoch; phones have to be paired again.
    ///
    /// - Parameters:
    ///   - path: The file of the devices; its folder must be there.
    ///   - durability: The durability of commits.
    ///   - partitions: The number of partitions of which the store has one; 0 for a store of all devices.
    ///   - now: The time in the name of a file that is set aside.
    /// - Returns: the store, and a notice for people if something was damaged.
    /// - Throws: ``StoreFault`` with a remedy if the store can't be opened.
    public static func open(
        _ path: String,
        durability: Durability,
        partitions: Int = 0,
        at now: Timestamp
    ) throws(StoreFault) -> (store: SQLiteStore, notice: String?) {
        // Before anything is looked at, because another process may be changing it.
        let lock = try StoreLock(path + ".lock")
        if StoreMove.isThere(StoreMove.successor(of: path)) { throw StoreFault(cut: path) }
        // First, because an earlier version kept the phones with the devices: they move when that database is opened.
        let (phones, phonesNotice) = try opened(phones(of: path), .phones, at: now) {
            path throws(StoreFault) in
            try SQLitePhoneStore(path, durability, lock)
        }
        let (store, notice) = try opened(path, .gateway, at: now) { path throws(StoreFault) in
            try SQLiteStore(path, durability, phones, partitions: partitions)
        }
        let notices = [notice, store.notice, phonesNotice].compactMap { $0 }
        return (store, notices.isEmpty ? nil : notices.joined(separator: "; "))
    }

    /// The file of the phones beside that of the devices.
    static func phones(of path: String) -> String { path + ".phones" }

    /// Opens one of the databases; a damaged one is set aside before.
    private static func opened<Opened>(
        _ path: String,
        _ schema: StoreSchema,
        at now: Timestamp,
        _ open: (String) throws(StoreFault) -> Opened
    ) throws(StoreFault) -> (Opened, notice: String?) {
        do throws(StoreFault) {
            return (try open(path), nil)
        } catch {
            guard error.sort == .damage else { throw error }
            if isText(path) {
                let reason = "this is a text, and no database: name another store.path"
                throw StoreFault("\(path): \(reason)", .refused)
            }
            let aside = unusedName("\(path).damaged-\(now.flooredSeconds)")
            // The new database must not find the log of the old one, nor the old one lose its last commits.
            for suffix in ["", "-wal", "-shm"] { rename(path + suffix, aside + suffix) }
            let opened = try open(path)
            return (opened, "the store \(path) is damaged: set aside as \(aside); \(schema.loss)")
        }
    }
}

extension StoreFile {
    /// Returns a name that no file has: a clock that was set back can show the same second twice.
    private static func unusedName(_ name: String) -> String {
        var free = name
        var number = 2
        while access(free, F_OK) == 0 {
            free = "\(name)-\(number)"
            number += 1
        }
        return free
    }

    /// The mark of the last store of a path that was set aside because of its damage, as far as it can still be read.
    ///
    /// - Returns: nil if none was set aside; a nil mark if it can't be read.
    package static func markOfDamaged(_ path: String) -> String?? {
        let cut = path.lastIndex(of: "/")
        let (folder, name) = (
            cut.map { String(path[..<$0]) } ?? ".", cut.map { path[$0...].dropFirst() } ?? path[...]
        )
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var newest = ""
        while let entry = readdir(directory) {
            let file = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let isDatabase = !file.hasSuffix("-wal") && !file.hasSuffix("-shm")
            // The names go on with Unix seconds, all of ten digits: the last in order is the newest.
            if file.hasPrefix("\(name).damaged-"), isDatabase, file > newest { newest = file }
        }
        if newest.isEmpty { return nil }
        let marks = try? SQLiteConnection("\(folder)/\(newest)", .reading).rows("SELECT owner FROM progress")
        {
            row throws(StoreFault) -> String? in try row[optional: "owner"]
        }
        return .some(marks?.first ?? nil)
    }

    /// Creates the file of a new database, readable by its owner only: it holds the tokens of phones.
    ///
    /// SQLite gives the log the same permissions. An error here is met and reported by SQLite, too.
    static func makePrivate(_ path: String) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// True if a database has lost all its bytes, as a power cut or a copy that failed can leave it.
    ///
    /// One that was never begun has no phones beside it.
    package static func isEmptied(_ path: String) -> Bool {
        var (database, log) = (stat(), stat())
        guard stat(path, &database) == 0, database.st_mode & S_IFMT == S_IFREG, database.st_size == 0 else {
            return false
        }
        if stat(path + "-wal", &log) == 0, log.st_size > 0 { return false }
        var beside = stat()
        return stat(phones(of: path), &beside) == 0 && beside.st_size > 0
    }

    /// True if a file begins as a text does that a person or another program wrote: no damage makes one of a database.
    private static func isText(_ path: String) -> Bool {
        guard let file = fopen(path, "re") else { return false }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = fread(&bytes, 1, bytes.count, file)
        return count > 0 && !bytes.starts(with: "SQLite format 3".utf8)
            && bytes[..<count].allSatisfy { (0x20...0x7E).contains($0) || (0x09...0x0D).contains($0) }
    }

    /// True if a path leads to a folder.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The remedy for a database that can't be opened; nil if its folder is at fault.
    static func remedy(_ path: String) -> String? {
        if isFolder(path) { return "this is a folder: name a file in it, such as \(path)/skerry.db" }
        guard access(path, F_OK) == 0, access(path, R_OK | W_OK) != 0 else { return nil }
        return "\(String(cString: strerror(errno))): give the file to the user of the bridge (chown)"
    }

    /// True if the disk of a file has more room than SQLite needs at least.
    static func hasRoom(_ path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        var disk = statvfs()
        // What is not known is taken for enough: the next commit will tell.
        guard statvfs(folder, &disk) == 0 else { return true }
        return disk.f_bavail * disk.f_frsize >= 128 * 1024
    }

    /// Reads the state of a store, also while a bridge uses it.
    ///
    /// Nothing is written, and a damaged database stays where it is.
    ///
    /// - Throws: ``StoreFault`` if there is no store, or it can't be read.
    package static func look(at path: String) throws(StoreFault) -> StoredState {
        try read(path) { database throws(StoreFault) in
            try StoredState(from: database, OutboxRows.read(database).publications)
        }
    }

    /// Looks whether the phones beside a store can be read, also while a bridge uses them; nothing is written.
    ///
    /// - Throws: ``StoreFault`` if they can't, and not if there are none.
    package static func lookAtPhones(of path: String) throws(StoreFault) {
        let path = phones(of: path)
        guard access(path, F_OK) == 0 else { return }
        if let damage = try StoreDatabase.damage(path, .phones) { throw StoreFault(damaged: path, damage) }
    }

    /// Reads from a database that a bridge may be using.
    static func read<Answer>(
        _ path: String,
        _ body: (SQLiteConnection) throws(StoreFault) -> Answer
    ) throws(StoreFault) -> Answer {
        guard access(path, R_OK) == 0 else {
            let remedy =
                errno == ENOENT
                ? "name the database of a bridge" : "ask as the user of the bridge, or with sudo"
            throw StoreFault("\(path): \(String(cString: strerror(errno))): \(remedy)")
        }
        if isEmptied(path) { throw StoreFault(damaged: path, "the file is empty") }
        // In one transaction, so that all is of one moment, whatever a bridge writes meanwhile.
        return try SQLiteConnection(path, .reading).transaction { connection throws(StoreFault) in
            try StoreSchema.gateway.refuseForeign(connection)
            guard try StoreSchema.gateway.isComplete(in: connection) else {
                throw StoreFault(
                    "\(path): the store of an earlier version of Skerry: start the bridge once, it takes it over"
                )
            }
            return try body(connection)
        }
    }
}

/// The lock that keeps a second process from the same store; the system releases it with the process.
final class StoreLock: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws(StoreFault) {
        descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreFault(
                "\(path): \(String(cString: strerror(errno))): name a folder that can be written to",
                errno == ENOSPC || errno == EDQUOT ? .full : .passing
            )
        }
        // A process that is exiting, or a forked child before its exec, still holds the lock for a few milliseconds.
        var patience = 20
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard patience > 0 else {
                close(descriptor)
                throw StoreFault(
                    "\(path): another skerry has this store: end it, or give this one a store of its own"
                )
            }
            patience -= 1
            usleep(10_000)
        }
    }

    deinit { close(descriptor) }
}
