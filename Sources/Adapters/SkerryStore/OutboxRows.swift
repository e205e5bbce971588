import SkerryGateway
import SkerryValues

/// The outbox in the database: a row for each commit, as in a log.
///
/// A row has the publications of its commit, and the ids of earlier ones that are settled. That is cheaper than a row for
/// each publication: a commit writes one row and one page, however much it enqueues and settles. Rows leave at the
/// front once all their publications are settled. When most of what is left is settled, the rest is written
/// again as one row, so the table is never larger than about twice what waits.
struct OutboxRows: Sendable {
    private struct Row {
        let number: Int64
        /// The last id in this row, or, if it has no publications, in the rows before.
        let last: UInt64
        /// The number of its publications that are not settled.
        var waiting: Int
        /// The number of entries, settled ones and those about others.
        let entries: Int
    }

    /// So many entries are never worth being written again.
    private static let fewEntries = 512

    private var rows: [Row] = []
    private var lastNumber: Int64 = 0

    /// No rows.
    init() {}

    /// Reads the rows of a database, and the publications that are not settled, in order.
    static func read(
        _ database: SQLiteConnection
    ) throws(StoreFault) -> (rows: OutboxRows, publications: [Publication]) {
        let records = try database.rows("SELECT * FROM outgoing ORDER BY number") { row throws(StoreFault) in
            (number: try row["number"] as Int64, record: try OutboxRecord(row, of: database))
        }
        var waiting: Set<UInt64> = []
        for (_, record) in records {
            // A row settles publications of earlier rows, never its own or those of later ones.
            waiting.subtract(record.settled)
            waiting.formUnion(record.publications.map { $0.id })
        }
        var outbox = OutboxRows()
        for (number, record) in records {
            outbox.add(record, number, waiting: record.publications.count { waiting.contains($0.id) })
        }
        return (outbox, records.flatMap { $0.record.publications.filter { waiting.contains($0.id) } })
    }

    /// Stores what a commit enqueues, and the ids that it settles.
    ///
    /// - Returns: the rows as they are once the commit has succeeded.
    /// - Throws: ``StoreFault`` of SQLite.
    func storing(
        _ enqueued: [Publication],
        settled: [UInt64],
        in database: SQLiteConnection
    ) throws(StoreFault) -> OutboxRows {
        assert(
            zip(enqueued, enqueued.dropFirst()).allSatisfy { $0.id < $1.id },
            "publications are stored in another order than that of their ids"
        )
        // A copy, which counts only if the transaction succeeds.
        var outbox = self
        var settled = settled.filter { outbox.settle($0) }
        if let done = outbox.removeSettledRows() {
            try database.run("DELETE FROM outgoing WHERE number <= ?", done.number)
            // No later reader has to be told that these are settled: their publications are gone with the rows.
            settled.removeAll { $0 <= done.last }
        }
        assert(outbox.rows.first.map { $0.waiting > 0 } ?? true, "a row stays of which nothing waits")
        var record = OutboxRecord(settled: settled, publications: enqueued)
        if outbox.isMostlySettled(besides: settled.count) {
            let gone = Set(settled)
            let kept = try Self.read(database).publications.filter { !gone.contains($0.id) }
            assert(
                kept.count == outbox.rows.reduce(0) { $0 + $1.waiting },
                "a publication that waits is lost, or one that is settled comes back"
            )
            try database.run("DELETE FROM outgoing")
            outbox.rows = []
            record = OutboxRecord(settled: [], publications: kept + enqueued)
        }
        guard record.entries > 0 else { return outbox }
        let number = outbox.lastNumber + 1
        try database.run("INSERT INTO outgoing VALUES (?, ?)", number, record.image)
        outbox.add(record, number, waiting: record.publications.count)
        assert(outbox.rows.last?.number == number && number > lastNumber, "a commit has the row of another")
        return outbox
    }

    private mutating func add(_ record: OutboxRecord, _ number: Int64, waiting: Int) {
        let last = record.publications.last?.id ?? rows.last?.last ?? 0
        assert(waiting <= record.publications.count, "more waits than a row has")
        assert(rows.isEmpty || number > lastNumber, "a row comes before an earlier one")
        rows.append(Row(number: number, last: last, waiting: waiting, entries: record.entries))
        lastNumber = number
    }

    /// Counts a publication as settled; returns false if no row has it.
    private mutating func settle(_ id: UInt64) -> Bool {
        // Ids rise from row to row.
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].last < id { low = middle + 1 } else { high = middle }
        }
        assert(low == 0 || rows[low - 1].last < id, "a publication is looked for in a later row than its own")
        guard low < rows.count, rows[low].waiting > 0 else { return false }
        rows[low].waiting -= 1
        return true
    }

    /// Removes the first rows of which nothing waits, and returns the last one of them.
    private mutating func removeSettledRows() -> Row? {
        let count = rows.prefix { $0.waiting == 0 }.count
        defer { rows.removeFirst(count) }
        return count == 0 ? nil : rows[count - 1]
    }

    /// True if all entries, with further ones, are many more than those that wait.
    private func isMostlySettled(besides further: Int) -> Bool {
        let entries = rows.reduce(further) { $0 + $1.entries }
        return entries > Self.fewEntries && entries > 2 * rows.reduce(0) { $0 + $1.waiting }
    }
}

/// The part of a commit that concerns the outbox.
struct OutboxRecord: Sendable {
    /// Publications of earlier commits that are settled, by their ids.
    var settled: [UInt64]
    /// The publications that the commit enqueues, in order.
    var publications: [Publication]

    /// The number of both.
    var entries: Int { settled.count + publications.count }

    /// The form in the database.
    var image: [UInt8] {
        var writer = ImageWriter(capacity: 16 + publications.reduce(0) { $0 + 64 + $1.payload.count })
        writer.list(settled) { $0.unsigned($1) }
        writer.list(publications) { writer, publication in
            writer.unsigned(publication.id)
            writer.text(publication.topic)
            writer.data(publication.payload)
            writer.tag(publication.quality.rawValue)
            writer.flag(publication.isRetained)
            writer.optional(publication.contentType) { $0.text($1) }
            writer.optional(publication.expiry) { $0.interval($1) }
        }
        return writer.bytes
    }

    init(settled: [UInt64], publications: [Publication]) {
        self.settled = settled
        self.publications = publications
    }

    /// Reads a row.
    ///
    /// - Throws: ``StoreFault`` if it is damaged.
    fileprivate init(_ row: SQLiteRow, of database: SQLiteConnection) throws(StoreFault) {
        let image: [UInt8] = try row["image"]
        do throws(ImageFault) {
            try self.init(image)
        } catch {
            throw StoreFault(damaged: database.path, "the outbox: \(error)")
        }
    }

    /// Reads that form.
    private init(_ image: [UInt8]) throws(ImageFault) {
        var reader = ImageReader(image[...])
        settled = try reader.list { reader throws(ImageFault) in try reader.unsigned() }
        publications = try reader.list { reader throws(ImageFault) in
            let id = try reader.unsigned()
            let topic = try reader.text()
            let payload = try reader.data()
            guard let quality = QualityOfService(rawValue: try reader.tag()) else { throw .malformed }
            return Publication(
                id: id,
                topic: topic,
                payload: payload,
                quality: quality,
                isRetained: try reader.flag(),
                contentType: try reader.optional { reader throws(ImageFault) in try reader.text() },
                expiry: try reader.optional { reader throws(ImageFault) in try reader.interval() }
            )
        }
        guard reader.rest == 0 else { throw .malformed }
    }
}

extension OutboxRows {
    /// Moves the publications of an earlier version, which had a row for each, and the ids of settled ones in the row of
    /// the progress, each in eight bytes with the low ones first.
    static func takeOver(from database: SQLiteConnection) throws(StoreFault) {
        let lists = try database.rows("SELECT settled FROM progress") { row throws(StoreFault) -> [UInt8] in
            try row["settled"]
        }
        let settled = Set(lists.flatMap { ids(in: $0) })
        let publications = try database.rows("SELECT * FROM outbox ORDER BY id") { row throws(StoreFault) in
            try Publication(row)
        }
        _ = try OutboxRows()
            .storing(publications.filter { !settled.contains($0.id) }, settled: [], in: database)
    }

    private static func ids(in bytes: [UInt8]) -> [UInt64] {
        bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 7, by: 8).map {
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
            }
        }
    }
}

extension Publication {
    fileprivate init(_ row: SQLiteRow) throws(StoreFault) {
        self.init(id: try row["id"], topic: try row["topic"], payload: try row["payload"])
        isRetained = try row["retained"]
        quality = UInt8(exactly: try row["qos"] as Int).flatMap { QualityOfService(rawValue: $0) } ?? quality
        contentType = try row[optional: "content_type"]
        expiry = (try row[optional: "expiry"] as Int64?).map { .seconds($0) }
    }
}
