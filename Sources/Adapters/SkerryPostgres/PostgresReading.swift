import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryMachine
import SkerryValues

extension PostgresStore {
    /// Makes the tables if there are none.
    ///
    /// - Parameters:
    ///   - connection: A connection to the database.
    ///   - partitions: The number of partitions that share it; 0 for none.
    /// - Throws: ``StoreFault`` if a newer version has made them, if they can't be made, or another number of partitions
    ///   shares the database.
    static func prepare(_ connection: PostgresConnection, partitions: Int) throws(StoreFault) {
        let isThere = try connection.rows(
            PostgresStatement(
                """
                SELECT to_regclass('skerry.fleet') IS NOT NULL AND to_regclass('skerry.member') IS NOT NULL,
                    to_regclass('progress') IS NOT NULL
                """
            )
        ).map { row throws(StoreFault) in (fleet: try row[0] as Bool, tables: try row[1] as Bool) }
        if isThere.first?.fleet != true {
            _ = try connection.run(PostgresSchema.fleet(partitions: partitions))
        }
        let found = try connection.partitions()
        if found != partitions {
            throw StoreFault("PostgreSQL: this database", isOf: found ?? 0, not: partitions)
        }
        if isThere.first?.tables != true { _ = try connection.run(PostgresSchema.creation) }
        let steps = try connection.rows(PostgresStatement("SELECT name FROM step"))
            .map { row throws(StoreFault) in try row[0] as String }
        if !Set(steps).isSubset(of: PostgresSchema.steps) { throw .newerVersion }
        // What an earlier version has made gets what is new.
        if steps.count < PostgresSchema.steps.count { _ = try connection.run(PostgresSchema.creation) }
    }
}

extension StoreFault {
    fileprivate static let newerVersion = StoreFault(
        "PostgreSQL: a newer version of Skerry has written this store, and it is left as it is: install that version again, "
            + "or give this one a database of its own",
        .refused
    )
}

extension StoredState {
    /// Reads a store in one transaction.
    init(from connection: PostgresConnection) throws(StoreFault) {
        self.init()
        let rows = try connection.run(Self.statements)
        _ = try rows[0].map { row throws(StoreFault) in
            epoch = try row[0]
            mayHaveForgotten = !(try row[4])
            progress = try StoreProgress(row)
        }
        _ = try rows[1].map { row throws(StoreFault) in
            recovery.attempts = Int(try row[0] as Int64)
            recovery.hits = Int(try row[3] as Int64)
            if let kind: String = try row[optional: 1], let name: String = try row[optional: 2] {
                recovery.device = DeviceKey(kind: kind, name: name)
            }
        }
        setAside = try rows[2].map { row throws(StoreFault) in
            SetAsideDevice(
                device: DeviceKey(kind: try row[0], name: try row[1]),
                at: try row[2]
            )
        }
        layouts = try rows[3].map { row throws(StoreFault) in
            let bytes: [UInt8] = try row[1]
            if DefinitionLayout.isNewer(bytes, id: try row[0]) { throw .newerVersion }
            return try? DefinitionLayout(bytes: bytes)
        }
        .compactMap { $0 }
        devices = try rows[4].map { row throws(StoreFault) in
            var image = try DeviceImage(row)
            // The digest that the server computed when it wrote the row: a key that is another one now is that of no device, and
            // the bridge tells that this one is lost.
            if try !(row[4] as Bool) { image.bytes = [] }
            if Device.isNewer(image.bytes[...]) { throw .newerVersion }
            return image
        }
        publications = try rows[5].map { row throws(StoreFault) in try Publication(row) }
        deliveries = try rows[6].map { row throws(StoreFault) in try Delivery.read(row) }.compactMap { $0 }
    }

    private static let statements = [
        PostgresStatement(
            """
            SELECT epoch, alive_at, sequence, last_publication, sure, seeks_strays, boot_id, boot_time, origin,
                origin_sequence, newest_lost_run, owner, former_epochs, handled, told, cut
            FROM progress
            """
        ),
        PostgresStatement("SELECT attempts, kind, name, hits FROM recovery"),
        PostgresStatement("SELECT kind, name, at FROM set_aside ORDER BY kind, name"),
        PostgresStatement("SELECT id, bytes FROM layout"),
        PostgresStatement(
            """
            SELECT kind, name, layout, image, key = sha256(kind || '\\x00'::bytea || name) FROM device
            ORDER BY kind, name
            """
        ),
        PostgresStatement(
            "SELECT id, topic, payload, qos, retained, content_type, expiry FROM outbox ORDER BY id"
        ),
        PostgresStatement(
            "SELECT id, sink, kind, device, alert_rev, alerted_at, image FROM delivery ORDER BY id"
        ),
    ]
}

extension DeviceImage {
    /// Reads a row of kind, name, layout and image.
    init(_ row: PostgresRow) throws(StoreFault) {
        self.init(kind: try row[0], name: try row[1], layout: try row[2], bytes: try row[3])
    }
}

extension StoreProgress {
    fileprivate init(_ row: PostgresRow) throws(StoreFault) {
        self.init(
            aliveAt: try row[1],
            sequence: try row[2],
            lastPublication: try row[3],
            seeksStrays: try row[5]
        )
        if let id: String = try row[optional: 6], let elapsed: Interval = try row[optional: 7] {
            boot = BootMoment(id: id, elapsed: elapsed)
        }
        if let moment: Timestamp = try row[optional: 8], let sequence: UInt64 = try row[optional: 9] {
            origin = TimeOrigin(moment: moment, sequence: sequence)
        }
        newestLostRun = try row[optional: 10] ?? .min
        owner = try row[optional: 11]
        formerEpochs = (try row[12] as String).split(separator: " ").compactMap { Int64($0) }
        handled = HandledMessage.list(try row[13])
        told = try row[14]
        cut = try row[optional: 15]
    }
}

extension Publication {
    fileprivate init(_ row: PostgresRow) throws(StoreFault) {
        self.init(id: try row[0], topic: try row[1], payload: try row[2], isRetained: try row[4])
        quality = UInt8(exactly: try row[3] as Int64).flatMap { QualityOfService(rawValue: $0) } ?? quality
        contentType = try row[optional: 5]
        expiry = (try row[optional: 6] as Int64?).map { .seconds($0) }
    }
}

extension Delivery {
    /// Reads a row; nil if another version wrote it in another form.
    fileprivate static func read(_ row: PostgresRow) throws(StoreFault) -> Delivery? {
        let image: [UInt8] = try row[6]
        guard let update = try? ActivityUpdate(image: image[...]) else { return nil }
        var delivery = Delivery(
            id: try row[0],
            sink: try row[1],
            kind: try row[2],
            device: try row[3],
            update: update
        )
        delivery.alertRev = try row[4]
        delivery.alertedAt = try row[5]
        return delivery
    }
}
