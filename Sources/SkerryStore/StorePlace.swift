import Glibc
import SkerryGateway

/// Which files a database has, to notice that others took their place: SQLite goes on with those that it has open.
struct StorePlace: Sendable {
    /// Tells one file from another.
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
    /// What happens when the database is lost.
    private let loss: String
    private let database: FileNumber?
    /// Its write-ahead log, once it has one.
    private var log: FileNumber?
    /// Why the store takes nothing more.
    private var fault: StoreFault?

    /// Notes the file of a database that is open.
    init(_ path: String, loss: String) {
        self.path = path
        self.loss = loss
        database = FileNumber(path)
    }

    /// Notes that there is a log since a commit.
    mutating func noteLog() {
        if log == nil { log = FileNumber(path + "-wal") }
    }

    /// Makes sure that a commit goes where the next process looks.
    ///
    /// What is in the files that are gone from their folder is written there once more, if it can be.
    ///
    /// - Throws: ``StoreFault`` of the sort ``StoreFault/Sort/gone``, also the next time.
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
            // SQLite leaves the log of a database that was moved, and would take it for that of the other one.
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

    /// Puts all of the deleted log into the database; false when somebody who reads keeps a part of it.
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
        // What was left of the old one must not be taken for the log of the new one.
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
