public import SkerryGateway
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

/// The store of a gateway: an SQLite database with a write-ahead log, and another one for the phones.
///
/// A commit is one transaction. Only one process at a time can open a store; a second one gets a fault.
public struct SQLiteStore: Store, Sendable {
    private let database: StoreDatabase
    /// The phones, in their own database.
    public let phones: SQLitePhoneStore
    private let durability: Durability
    /// The state that was read when the database was opened, until ``load()`` returns it.
    private var state: StoredState
    private var planner: CommitPlanner
    private var outbox: OutboxRows
    /// The devices whose names were damaged and could be mended, for people; nil if there are none.
    let notice: String?

    /// Opens or creates the database of the devices.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must be there.
    ///   - durability: The durability of commits.
    ///   - phones: The phones of the same store, which hold the lock of both databases.
    ///   - partitions: The number of partitions of which the store has one; 0 for a store of all devices.
    /// - Throws: ``StoreFault`` if the database can't be opened, or is one of another number of partitions.
    ///   ``StoreFile/open(_:durability:partitions:at:)`` sets a damaged one aside.
    init(
        _ path: String,
        _ durability: Durability,
        _ phones: SQLitePhoneStore,
        partitions: Int
    ) throws(StoreFault) {
        self.durability = durability
        self.phones = phones
        database = try StoreDatabase(path, .gateway) { former throws(StoreFault) in
            try phones.takeOver(from: former)
        }
        (state, outbox, notice) = try database.change(surviving: durability) {
            connection throws(StoreFault) in
            try Self.claim(connection, partitions)
            let notice = try DeviceRows.mend(connection)
            try connection.run(
                """
                DELETE FROM layout WHERE id NOT IN
                    (SELECT layout FROM device UNION SELECT layout FROM set_aside)
                """
            )
            let (rows, publications) = try OutboxRows.read(connection)
            return (try StoredState(from: connection, publications), rows, notice)
        }
        planner = CommitPlanner(durability, layouts: state.layouts)
    }

    /// The number of partitions of which a database has one.
    static func partitions(of database: SQLiteConnection) throws(StoreFault) -> Int {
        // The number that SQLite keeps in its header for programs, 0 in a new database.
        let versions = try database.rows("PRAGMA user_version") { row throws(StoreFault) -> Int in
            try row["user_version"]
        }
        return versions.first ?? 0
    }

    /// Stores the number of partitions at the first start, and refuses another one at a later start.
    private static func claim(_ database: SQLiteConnection, _ partitions: Int) throws(StoreFault) {
        let found = try Self.partitions(of: database)
        if found == partitions {
            _ = try database.rows("SELECT id FROM progress WHERE cut IS NOT NULL") { _ throws(StoreFault) in
                throw StoreFault(cut: database.path)
            }
            return
        }
        let isNew = try database.rows("SELECT id FROM progress") { _ in }.isEmpty
        guard isNew, found == 0 else {
            throw StoreFault("\(database.path): the store", isOf: found, not: partitions)
        }
        // A PRAGMA takes no parameters.
        try database.execute("PRAGMA user_version = \(partitions)")
    }

    /// The progress of the last process, until ``load()`` returns it; nil if the store is new.
    package var progress: StoreProgress? { state.progress }

    /// Closes both databases, and leaves no log beside them.
    ///
    /// Every later use of the store or its phones is a fault.
    public func close() {
        database.close()
        phones.close()
    }

    /// Returns the state that the last process left.
    public mutating func load() -> StoredState {
        // Kept, the images of all devices would stay in memory as long as the process runs.
        defer { state = StoredState() }
        return state
    }

    /// Makes a batch durable in one transaction.
    public mutating func commit(_ changes: StoreChanges) throws(StoreFault) {
        let plan = planner.plan(for: changes)
        outbox = try database.change(surviving: plan.waits ? .full : .normal) {
            [outbox] connection throws(StoreFault) in
            try changes.write(by: plan, to: connection)
            return try outbox.storing(changes.enqueued, settled: changes.settled, in: connection)
        }
        // Not before: a commit that was refused has stored nothing.
        planner.stored(changes, by: plan)
    }
}

extension SQLiteStore {
    /// Stores the progress of a recovery, without waiting for the disk: there may be one note for each device.
    public func note(_ mark: RecoveryMark) throws(StoreFault) {
        try database.change(surviving: .normal) { connection throws(StoreFault) in
            try connection.run(
                "INSERT OR REPLACE INTO recovery VALUES (1, ?, ?, ?, ?)",
                mark.attempts,
                mark.device?.kind,
                mark.device?.name,
                mark.hits
            )
        }
    }

    /// Moves a device into a table of its own.
    public func setAside(_ device: SetAsideDevice) throws(StoreFault) {
        let (kind, name) = (device.device.kind, device.device.name)
        try database.change(surviving: durability) { connection throws(StoreFault) in
            try connection.run(
                """
                INSERT OR REPLACE INTO set_aside SELECT kind, name, layout, image, ? FROM device
                WHERE kind = ? AND name = ?
                """,
                device.at,
                kind,
                name
            )
            try connection.run("DELETE FROM device WHERE kind = ? AND name = ?", kind, name)
        }
    }
}

extension StoredState {
    /// Reads all but the publications from a database that has the tables of this version.
    init(from database: SQLiteConnection, _ publications: [Publication]) throws(StoreFault) {
        self.init()
        self.publications = publications
        _ = try database.rows("SELECT * FROM progress") { row throws(StoreFault) in
            epoch = try row["epoch"]
            progress = try StoreProgress(row)
            mayHaveForgotten = !(try row["sure"])
        }
        _ = try database.rows("SELECT * FROM recovery") { row throws(StoreFault) in
            recovery.attempts = try row["attempts"]
            recovery.hits = try row["hits"]
            if let kind: String = try row[optional: "kind"], let name: String = try row[optional: "name"] {
                recovery.device = DeviceKey(kind: kind, name: name)
            }
        }
        setAside = try database.rows("SELECT kind, name, at FROM set_aside ORDER BY kind, name") {
            row throws(StoreFault) in
            SetAsideDevice(
                device: DeviceKey(kind: try row["kind"], name: try row["name"]),
                at: try row["at"]
            )
        }
        layouts = try database.rows("SELECT bytes FROM layout") { row throws(StoreFault) in
            try? DefinitionLayout(bytes: try row["bytes"] as [UInt8])
        }
        .compactMap { $0 }
        devices = try database.rows("SELECT * FROM device ORDER BY kind, name") { row throws(StoreFault) in
            try DeviceImage(row)
        }
        deliveries = try database.rows("SELECT * FROM delivery ORDER BY id") { row throws(StoreFault) in
            try Delivery.read(row)
        }
        .compactMap { $0 }
    }
}

extension DeviceImage {
    /// Reads a row of either table of devices.
    init(_ row: SQLiteRow) throws(StoreFault) {
        self.init(
            kind: try row["kind"],
            name: try row["name"],
            layout: try row["layout"],
            bytes: try row["image"]
        )
    }
}

extension StoreProgress {
    fileprivate init(_ row: SQLiteRow) throws(StoreFault) {
        self.init(
            aliveAt: try row["alive_at"],
            sequence: try row["sequence"],
            lastPublication: try row["last_publication"],
            seeksStrays: try row["seeks_strays"]
        )
        if let id: String = try row[optional: "boot_id"],
            let elapsed: Interval = try row[optional: "boot_time"]
        {
            boot = BootMoment(id: id, elapsed: elapsed)
        }
        if let moment: Timestamp = try row[optional: "origin"],
            let sequence: UInt64 = try row[optional: "origin_sequence"]
        {
            origin = TimeOrigin(moment: moment, sequence: sequence)
        }
        newestLostRun = try row[optional: "newest_lost_run"] ?? .min
        owner = try row[optional: "owner"]
        let epochs: String = try row["former_epochs"]
        formerEpochs = epochs.split(separator: " ").compactMap { Int64($0) }
        handled = HandledMessage.list(try row["handled"])
        told = try row["told"]
        cut = try row[optional: "cut"]
    }
}

extension Delivery {
    /// Reads a row; nil if another version wrote it in another form.
    ///
    /// Each start shows all activities to sinks anyway.
    fileprivate static func read(_ row: SQLiteRow) throws(StoreFault) -> Delivery? {
        let image: [UInt8] = try row["image"]
        guard let update = try? ActivityUpdate(image: image[...]) else { return nil }
        var delivery = Delivery(
            id: try row["id"],
            sink: try row["sink"],
            kind: try row["kind"],
            device: try row["device"],
            update: update
        )
        delivery.alertRev = try row["alert_rev"]
        delivery.alertedAt = try row["alerted_at"]
        return delivery
    }
}

extension StoreChanges {
    /// Writes all but the outbox.
    func write(by plan: CommitPlan, to database: SQLiteConnection) throws(StoreFault) {
        for layout in plan.newLayouts {
            try database.run("INSERT OR REPLACE INTO layout VALUES (?, ?)", layout.id, layout.bytes)
        }
        for image in removed {
            try database.run("DELETE FROM device WHERE kind = ? AND name = ?", image.kind, image.name)
        }
        for image in images {
            try database.run(
                "INSERT OR REPLACE INTO device VALUES (?, ?, ?, ?, ?)",
                image.kind,
                image.name,
                image.layout,
                image.bytes,
                DeviceRows.sum(image.kind.utf8, image.name.utf8)
            )
        }
        try writeDeliveries(to: database)
        if !ended.isEmpty || !stages.isEmpty {
            try writeHistory(to: database, trimsStages: plan.trimsStages)
        }
        try database.run(
            "INSERT OR REPLACE INTO progress VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            epoch,
            progress.aliveAt,
            progress.sequence,
            progress.lastPublication,
            plan.isSure,
            progress.seeksStrays,
            progress.boot?.id,
            progress.boot?.elapsed,
            progress.origin?.moment,
            progress.origin?.sequence,
            progress.newestLostRun == .min ? nil : progress.newestLostRun,
            progress.owner,
            progress.formerEpochs.map { "\($0)" }.joined(separator: " "),
            HandledMessage.bytes(progress.handled),
            progress.told,
            progress.cut
        )
    }

    private func writeDeliveries(to database: SQLiteConnection) throws(StoreFault) {
        for delivery in enqueuedDeliveries {
            try database.run(
                "INSERT OR REPLACE INTO delivery VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                delivery.id,
                delivery.sink,
                delivery.update.id,
                delivery.kind,
                delivery.device,
                delivery.alertRev,
                delivery.alertedAt,
                delivery.update.image()
            )
        }
        for id in settledDeliveries {
            try database.run("DELETE FROM delivery WHERE id = ?", id)
        }
    }
}
