import Glibc
import SkerryGateway

/// The files of an open database, to notice when they are deleted, replaced or cut off: SQLite goes on with the files it has open.
struct StorePlace: Sendable {
    /// The identity of a file.
    private struct FileNumber: Equatable, Sendable {
        let device: UInt64
        let number: UInt64
        let size: Int64

        /// A file that grows stays the same one.
        static func == (one: Self, other: Self) -> Bool {
            one.device == other.device && one.number == other.number
        }

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
            size = Int64(status.st_size)
        }
    }

    private let path: String
    /// The write-ahead log, as it is looked at with each commit.
    private let logPath: String
    /// The consequence of losing the database, for people.
    private let loss: String
    private let database: FileNumber?
    /// The size of the database when it was looked at last: nothing makes it smaller.
    private var size: Int64
    /// The write-ahead log, once there is one, as it was after the last commit: while it is open, it is written anew from its
    /// beginning, but never cut off.
    private var log: FileNumber?
    /// The reason why every further commit is refused.
    private var fault: StoreFault?

    /// Notes the file of an open database.
    init(_ path: String, loss: String) {
        self.path = path
        logPath = path + "-wal"
        self.loss = loss
        database = FileNumber(path)
        size = database?.size ?? 0
    }

    /// Notes the log, which exists since the first commit, and how long it is.
    mutating func noteLog() {
        assert(fault == nil, "a commit has succeeded that was refused")
        let present = FileNumber(logPath)
        // A log that was replaced meanwhile is noticed with the next commit.
        if log == nil || present == log { log = present }
    }

    /// Makes sure that a commit goes into the files that the next process opens.
    ///
    /// Files that were deleted are still open; their contents are written again if possible.
    ///
    /// - Throws: ``StoreFault`` of the sort ``StoreFault/Sort/gone``, now and for every later commit.
    mutating func check(_ connection: SQLiteConnection) throws(StoreFault) {
        if let fault { throw fault }
        let present = FileNumber(path)
        if let present, present == database, try isLogThere() {
            guard present.size >= size else {
                throw refuse(StoreFault(damaged: path, "its end was cut off while the bridge ran"))
            }
            size = present.size
            return
        }
        let message: String
        if present == nil {
            let isSaved = save(connection)
            message =
                isSaved
                ? "was deleted while the bridge ran: it is written again, and the next start goes on with it"
                : "was deleted while the bridge ran: \(loss)"
        } else if present != database {
            // The log belongs to the former database; SQLite would take it for that of the new one.
            if let log, FileNumber(logPath) == log {
                for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
            }
            message = "was replaced while the bridge ran: the next start goes on with the other one"
        } else {
            let isSaved = (try? emptyLog(connection)) ?? false
            message =
                isSaved ? "its log was deleted while the bridge ran; nothing is lost" : "its log was deleted"
        }
        throw refuse(StoreFault("\(path): \(message)", .gone))
    }

    /// Returns whether the log is the one that is open.
    ///
    /// - Throws: ``StoreFault`` if it is, but lacks its end.
    private mutating func isLogThere() throws(StoreFault) -> Bool {
        guard let log else { return true }
        guard let present = FileNumber(logPath), present == log else { return false }
        if present.size >= log.size { return true }
        let message =
            "the end of its log was cut off while the bridge ran: the next start goes on with what is left"
        throw refuse(StoreFault("\(path): \(message)", .gone))
    }

    /// Has every further commit refused.
    private mutating func refuse(_ found: StoreFault) -> StoreFault {
        assert(fault == nil, "the reason changes for which commits are refused")
        fault = found
        return found
    }

    /// Moves the deleted log into the database; returns false if another program is reading a part of it.
    private func emptyLog(_ connection: SQLiteConnection) throws(StoreFault) -> Bool {
        try connection.rollBack()
        let results = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)") {
            row throws(StoreFault) -> Bool in
            try row["busy"]
        }
        return results == [false]
    }

    /// Writes the deleted database, which is still open, into a new file.
    private func save(_ connection: SQLiteConnection) -> Bool {
        // Remains of the former log must not be taken for that of the new database.
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        StoreFile.makePrivate(path)
        do {
            try connection.rollBack()
            try connection.run("VACUUM INTO ?", path)
            return true
        } catch {
            unlink(path)
            return false
        }
    }
}
