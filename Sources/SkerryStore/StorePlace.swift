import Glibc
import SkerryGateway

/// The files of an open database, to notice when they are deleted or replaced: SQLite goes on with the files it has open.
struct StorePlace: Sendable {
    /// The identity of a file.
    private struct FileNumber: Hashable, Sendable {
        let device: UInt64
        let number: UInt64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    private let path: String
    /// The consequence of losing the database, for people.
    private let loss: String
    private let database: FileNumber?
    /// The write-ahead log, once there is one.
    private var log: FileNumber?
    /// The reason why every further commit is refused.
    private var fault: StoreFault?

    /// Notes the file of an open database.
    init(_ path: String, loss: String) {
        self.path = path
        self.loss = loss
        database = FileNumber(path)
    }

    /// Notes the log, which exists since the first commit.
    mutating func noteLog() {
        if log == nil { log = FileNumber(path + "-wal") }
    }

    /// Makes sure that a commit goes into the files that the next process opens.
    ///
    /// Files that were deleted are still open; their contents are written again if possible.
    ///
    /// - Throws: ``StoreFault`` of the sort ``StoreFault/Sort/gone``, now and for every later commit.
    mutating func check(_ connection: SQLiteConnection) throws(StoreFault) {
        if let fault { throw fault }
        let present = FileNumber(path)
        if present == database, log == nil || FileNumber(path + "-wal") == log { return }
        let message: String
        if present == nil {
            let isSaved = save(connection)
            message =
                isSaved
                ? "was deleted while the bridge ran: it is written again, and the next start goes on with it"
                : "was deleted while the bridge ran: \(loss)"
        } else if present != database {
            // The log belongs to the former database; SQLite would take it for that of the new one.
            if let log, FileNumber(path + "-wal") == log {
                for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
            }
            message = "was replaced while the bridge ran: the next start goes on with the other one"
        } else {
            let isSaved = (try? emptyLog(connection)) ?? false
            message =
                isSaved ? "its log was deleted while the bridge ran; nothing is lost" : "its log was deleted"
        }
        let found = StoreFault("\(path): \(message)", .gone)
        fault = found
        throw found
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
