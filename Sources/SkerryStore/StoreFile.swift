import Glibc
public import SkerryGateway
public import SkerryValues

/// The files of a store: opened, or set aside when they are damaged.
public enum StoreFile {
    /// Opens the store of a path, and the phones beside it.
    ///
    /// A damaged database is never written to: it is renamed, with its log, and a new one takes its place. Without that of the
    /// devices, they start from what the broker retains, and readers are told by a new epoch; without the other, phones
    /// have to be paired again.
    ///
    /// - Parameters:
    ///   - path: The file of the devices; its folder must be there.
    ///   - durability: What commits survive.
    ///   - now: What names a file that is set aside.
    /// - Returns: the store, and what people should know if something was damaged.
    /// - Throws: ``StoreFault`` when there can be no store, with what to do.
    public static func open(
        _ path: String,
        durability: Durability,
        at now: Timestamp
    ) throws(StoreFault) -> (store: SQLiteStore, notice: String?) {
        let lock = try StoreLock(path + ".lock")
        // Those of an earlier version are still with the devices, and move as that database is opened.
        let (phones, phonesNotice) = try opened(phones(of: path), .phones, at: now) {
            path throws(StoreFault) in
            try SQLitePhoneStore(path, durability, lock)
        }
        let (store, notice) = try opened(path, .gateway, at: now) { path throws(StoreFault) in
            try SQLiteStore(path, durability, phones)
        }
        let notices = [notice, phonesNotice].compactMap { $0 }
        return (store, notices.isEmpty ? nil : notices.joined(separator: "; "))
    }

    /// The file of the phones beside that of the devices.
    static func phones(of path: String) -> String { path + ".phones" }

    /// Opens one of the databases, after it was set aside if it is damaged.
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
            let aside = unusedName("\(path).damaged-\(now.flooredSeconds)")
            for suffix in ["", "-wal", "-shm"] { rename(path + suffix, aside + suffix) }
            let opened = try open(path)
            return (opened, "the store \(path) is damaged: set aside as \(aside); \(schema.loss)")
        }
    }
}

extension StoreFile {
    /// A name that no file has: a clock may have told the same second before.
    private static func unusedName(_ name: String) -> String {
        var free = name
        var number = 2
        while access(free, F_OK) == 0 {
            free = "\(name)-\(number)"
            number += 1
        }
        return free
    }

    /// Makes the file of a new database, which nobody else reads: it holds the tokens of phones.
    ///
    /// SQLite gives its log the same rights. What goes wrong here SQLite meets as well, and says.
    static func makePrivate(_ path: String) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether the disk of a file has room for more than the least that SQLite needs.
    static func hasRoom(_ path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        var disk = statvfs()
        guard statvfs(folder, &disk) == 0 else { return true }
        return disk.f_bavail * disk.f_frsize >= 128 * 1024
    }

    /// Reads what a store holds, also while a bridge has it.
    ///
    /// Nothing is written, and a damaged database stays where it is.
    ///
    /// - Throws: ``StoreFault`` when there is none, or it can't be read.
    public static func look(at path: String) throws(StoreFault) -> StoredState {
        try read(path) { database throws(StoreFault) in try StoredState(from: database) }
    }

    /// Reads from a database that a bridge may have.
    static func read<Answer>(
        _ path: String,
        _ body: (SQLiteConnection) throws(StoreFault) -> Answer
    ) throws(StoreFault) -> Answer {
        guard access(path, R_OK) == 0 else {
            throw StoreFault("\(path): \(String(cString: strerror(errno))): name the database of a bridge")
        }
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

/// What keeps a second process from the same database; the system releases it with the process.
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
        // Who ends just now lets go of it in a moment, as does a child that has not begun its own program yet.
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
