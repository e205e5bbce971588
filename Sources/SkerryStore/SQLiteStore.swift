public import SkerryGateway
import GRDB
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

/// What a commit survives.
public enum Durability: String, Sendable, CaseIterable {
    /// The loss of power at any instant: each commit waits until the disk has it.
    case full
    /// The end of the process at any instant; a loss of power may take the last commits, each as a whole.
    ///
    /// Only the first and the last commit of a process wait for the disk, so that the next one knows that it must begin
    /// a new epoch.
    case normal
}

/// The store of a gateway: one SQLite database with a write-ahead log.
///
/// A commit is one transaction. Only one process at a time has a database; a second one is told so.
public struct SQLiteStore: Store, Sendable {
    private let queue: DatabaseQueue
    private let lock: StoreLock
    private let durability: Durability
    private var place: StorePlace
    /// Whether this process has committed anything.
    private var hasCommitted = false
    /// What was read when the database was opened, until somebody asks for it.
    private var state: StoredState
    /// The layouts that are in the database.
    private var knownLayouts: Set<Int64>

    /// Opens a database, or makes it.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must be there.
    ///   - durability: What commits survive.
    /// - Throws: ``StoreFault`` when it can't be opened. ``StoreFile/open(_:durability:at:)`` knows what to do
    ///   with a damaged one.
    init(path: String, durability: Durability) throws(StoreFault) {
        self.durability = durability
        lock = try StoreLock(path + ".lock")
        StoreFile.makePrivate(path)
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.label = "skerry.store"
        // Or GRDB would end the process where there is no memory to roll back; see DatabaseQueue.change(_:).
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { try $0.synchronize(durability) }
        do {
            // By a connection that can't write: one that can does when it is opened and when it is closed.
            try StoreFile.reading(path).read { database in
                let report = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
                guard report == "ok" else {
                    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: report)
                }
                try StoreSchema.refuseForeign(database, path)
            }
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try StoreSchema.migrator.migrate(queue)
            state = try queue.write { database in
                try database.execute(
                    sql: """
                        DELETE FROM layout WHERE id NOT IN
                            (SELECT layout FROM device UNION SELECT layout FROM set_aside)
                        """
                )
                return try StoredState(from: database)
            }
        } catch {
            throw StoreFault(error, path)
        }
        knownLayouts = Set(state.layouts.map(\.id))
        place = StorePlace(path)
    }

    /// Puts everything into the file of the database and closes it: nothing is left beside it.
    ///
    /// Nobody may use the store or its phones afterwards.
    public func close() {
        // Who reads it just now keeps the log; the next process goes on with both.
        try? queue.close()
    }

    /// The phones in the same database.
    public var phones: SQLitePhoneStore { SQLitePhoneStore(queue, lock) }

    /// What the last process left.
    public mutating func load() -> StoredState {
        defer { state = StoredState() }
        return state
    }

    /// Makes a batch durable in one transaction.
    public mutating func commit(_ changes: StoreChanges) throws(StoreFault) {
        try place.check(queue)
        let newLayouts = changes.layouts.filter { !knownLayouts.contains($0.id) }
        do {
            let isSure = durability == .full || changes.isLast
            let waits = durability == .normal && (changes.isLast || !hasCommitted)
            try queue.change { database in
                if waits { try database.execute(sql: "PRAGMA synchronous = FULL") }
                defer { if waits { try? database.execute(sql: "PRAGMA synchronous = NORMAL") } }
                try database.inTransaction {
                    try changes.write(newLayouts: newLayouts, isSure: isSure, to: database)
                    return .commit
                }
            }
        } catch {
            throw StoreFault(error, queue.path)
        }
        hasCommitted = true
        place.noteLog()
        knownLayouts.formUnion(newLayouts.map(\.id))
    }
}

extension SQLiteStore {
    /// Notes how far a recovery has come, without waiting for the disk: there may be a note for each device.
    public func note(_ mark: RecoveryMark) throws(StoreFault) {
        do {
            try queue.change { [durability] database in
                try database.synchronize(.normal)
                defer { try? database.synchronize(durability) }
                try database.cachedStatement(sql: "INSERT OR REPLACE INTO recovery VALUES (1, ?, ?, ?, ?)")
                    .execute(arguments: [mark.attempts, mark.device?.kind, mark.device?.name, mark.hits])
            }
        } catch {
            throw StoreFault(error, queue.path)
        }
    }

    /// Moves a device into a table of its own.
    public func setAside(_ device: SetAsideDevice) throws(StoreFault) {
        let key: StatementArguments = [device.device.kind, device.device.name]
        do {
            try queue.change { database in
                try database.inTransaction {
                    try database.execute(
                        sql: """
                            INSERT OR REPLACE INTO set_aside SELECT kind, name, layout, image, ? FROM device
                            WHERE kind = ? AND name = ?
                            """,
                        arguments: [device.at.microseconds] + key
                    )
                    try database.execute(
                        sql: "DELETE FROM device WHERE kind = ? AND name = ?",
                        arguments: key
                    )
                    return .commit
                }
            }
        } catch {
            throw StoreFault(error, queue.path)
        }
    }
}

extension DatabaseQueue {
    /// Writes, after what an earlier write had no memory to roll back.
    func change(_ work: (Database) throws -> Void) throws {
        try writeWithoutTransaction { database in
            if database.isInsideTransaction { try database.rollback() }
            try work(database)
        }
    }
}

extension Database {
    /// Sets what a commit waits for.
    fileprivate func synchronize(_ durability: Durability) throws {
        try execute(sql: "PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
    }
}

extension StoredState {
    /// Reads a database that has the tables of this version.
    init(from database: Database) throws {
        self.init()
        if let row = try Row.fetchOne(database, sql: "SELECT * FROM progress") {
            epoch = row["epoch"]
            progress = StoreProgress(
                aliveAt: Timestamp(microseconds: row["alive_at"]),
                sequence: UInt64(bitPattern: row["sequence"]),
                lastPublication: UInt64(bitPattern: row["last_publication"]),
                seeksStrays: row["seeks_strays"]
            )
            progress?.readClock(row)
            progress?.newestLostRun = row["newest_lost_run"] ?? .min
            progress?.owner = row["owner"]
            let epochs: String = row["former_epochs"]
            progress?.formerEpochs = epochs.split(separator: " ").compactMap { Int64($0) }
            progress?.handled = HandledMessage.list(row.bytes("handled"))
            progress?.told = UInt64(bitPattern: row["told"])
            mayHaveForgotten = !row["sure"]
        }
        if let row = try Row.fetchOne(database, sql: "SELECT * FROM recovery") {
            recovery.attempts = row["attempts"]
            recovery.hits = row["hits"]
            if let kind: String = row["kind"], let name: String = row["name"] {
                recovery.device = DeviceKey(kind: kind, name: name)
            }
        }
        setAside = try Row.fetchAll(database, sql: "SELECT kind, name, at FROM set_aside ORDER BY kind, name")
            .map { row in
                SetAsideDevice(
                    device: DeviceKey(kind: row["kind"], name: row["name"]),
                    at: Timestamp(microseconds: row["at"])
                )
            }
        for row in try Row.fetchAll(database, sql: "SELECT bytes FROM layout") {
            if let layout = try? DefinitionLayout(bytes: row.bytes("bytes")) { layouts.append(layout) }
        }
        let devices = try Row.fetchCursor(database, sql: "SELECT * FROM device ORDER BY kind, name")
        while let row = try devices.next() {
            self.devices.append(
                DeviceImage(
                    kind: row["kind"],
                    name: row["name"],
                    layout: row["layout"],
                    bytes: row.bytes("image")
                )
            )
        }
        let outbox = try Row.fetchCursor(database, sql: "SELECT * FROM outbox ORDER BY id")
        while let row = try outbox.next() { publications.append(Publication(row)) }
        let deliveries = try Row.fetchCursor(database, sql: "SELECT * FROM delivery ORDER BY id")
        while let row = try deliveries.next() {
            // Another version may have written what can't be read; each start shows sinks all activities anyway.
            if let delivery = try? Delivery(row) { self.deliveries.append(delivery) }
        }
    }
}

extension StoreProgress {
    fileprivate mutating func readClock(_ row: Row) {
        if let id: String = row["boot_id"], let elapsed: Int64 = row["boot_time"] {
            boot = BootMoment(id: id, elapsed: Interval(microseconds: elapsed))
        }
        if let moment: Int64 = row["origin"], let sequence: Int64 = row["origin_sequence"] {
            origin = TimeOrigin(
                moment: Timestamp(microseconds: moment),
                sequence: UInt64(bitPattern: sequence)
            )
        }
    }
}

extension HandledMessage {
    /// Six bytes each: the packet identifier and the hash, low bytes first.
    fileprivate static func bytes(_ messages: [HandledMessage]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(6 * messages.count)
        for message in messages {
            let word = UInt64(message.packet) | UInt64(message.hash) << 16
            for shift in stride(from: UInt64(0), to: 48, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return bytes
    }

    fileprivate static func list(_ bytes: [UInt8]) -> [HandledMessage] {
        stride(from: 0, to: bytes.count - bytes.count % 6, by: 6).map { start in
            let word = (0..<6).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
            return HandledMessage(
                packet: UInt16(truncatingIfNeeded: word),
                hash: UInt32(truncatingIfNeeded: word >> 16)
            )
        }
    }
}

extension Publication {
    fileprivate init(_ row: Row) {
        let seconds: Int64? = row["expiry"]
        self.init(
            id: UInt64(bitPattern: row["id"]),
            topic: row["topic"],
            payload: row.bytes("payload"),
            quality: QualityOfService(rawValue: row["qos"]) ?? .atLeastOnce,
            isRetained: row["retained"],
            contentType: row["content_type"],
            expiry: seconds.map { .seconds($0) }
        )
    }
}

extension Delivery {
    fileprivate init(_ row: Row) throws(ImageFault) {
        self.init(
            id: UInt64(bitPattern: row["id"]),
            sink: row["sink"],
            kind: row["kind"],
            device: row["device"],
            update: try ActivityUpdate(image: row.bytes("image")[...])
        )
        alertRev = row["alert_rev"]
        alertedAt = Timestamp(microseconds: row["alerted_at"])
    }
}

extension StoreChanges {
    fileprivate func write(
        newLayouts: [DefinitionLayout],
        isSure: Bool,
        to database: Database
    ) throws {
        for layout in newLayouts {
            try database.cachedStatement(sql: "INSERT OR REPLACE INTO layout VALUES (?, ?)")
                .execute(arguments: [layout.id, layout.bytes.blob])
        }
        for image in removed {
            try database.cachedStatement(sql: "DELETE FROM device WHERE kind = ? AND name = ?")
                .execute(arguments: [image.kind, image.name])
        }
        for image in images {
            try database.cachedStatement(sql: "INSERT OR REPLACE INTO device VALUES (?, ?, ?, ?)")
                .execute(arguments: [image.kind, image.name, image.layout, image.bytes.blob])
        }
        for publication in enqueued {
            try database.cachedStatement(sql: "INSERT OR REPLACE INTO outbox VALUES (?, ?, ?, ?, ?, ?, ?)")
                .execute(arguments: [
                    Int64(bitPattern: publication.id), publication.topic, publication.payload.blob,
                    publication.quality.rawValue, publication.isRetained, publication.contentType,
                    publication.expiry?.roundedSeconds,
                ])
        }
        for id in settled {
            try database.cachedStatement(sql: "DELETE FROM outbox WHERE id = ?")
                .execute(arguments: [Int64(bitPattern: id)])
        }
        try writeDeliveries(to: database)
        if !ended.isEmpty { try writeHistory(to: database) }
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO progress VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        .execute(arguments: [
            epoch, progress.aliveAt.microseconds, Int64(bitPattern: progress.sequence),
            Int64(bitPattern: progress.lastPublication), isSure, progress.seeksStrays,
            progress.boot?.id, progress.boot?.elapsed.microseconds, progress.origin?.moment.microseconds,
            progress.origin.map { Int64(bitPattern: $0.sequence) },
            progress.newestLostRun == .min ? nil : progress.newestLostRun,
            progress.owner,
            progress.formerEpochs.map { "\($0)" }.joined(separator: " "),
            HandledMessage.bytes(progress.handled).blob,
            Int64(bitPattern: progress.told),
        ])
    }

    private func writeDeliveries(to database: Database) throws {
        for delivery in enqueuedDeliveries {
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO delivery VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            )
            .execute(arguments: [
                Int64(bitPattern: delivery.id), delivery.sink, delivery.update.id, delivery.kind,
                delivery.device, delivery.alertRev, delivery.alertedAt.microseconds,
                delivery.update.image().blob,
            ])
        }
        for id in settledDeliveries {
            try database.cachedStatement(sql: "DELETE FROM delivery WHERE id = ?")
                .execute(arguments: [Int64(bitPattern: id)])
        }
    }
}
