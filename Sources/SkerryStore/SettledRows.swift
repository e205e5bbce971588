import SkerryGateway

/// Publications that are settled although the outbox still has their rows.
///
/// A row that is deleted alone makes SQLite balance its page with both neighbours: four pages are written for each commit
/// of a single message. So the ids stand in the row of the progress, which is written anyway, until there are many.
struct SettledRows: Sendable {
    /// The number of rows that are worth deleting: with eight bytes for each id, the row of the
    /// progress still fits on one page.
    private static let enough = 64

    private var ids: [UInt64] = []

    /// No rows.
    init() {}

    /// Reads those of a database.
    init(from database: SQLiteConnection) throws(StoreFault) {
        let lists = try database.rows("SELECT settled FROM progress") { row throws(StoreFault) -> [UInt8] in
            try row["settled"]
        }
        for bytes in lists {
            ids += stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
                (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
            }
        }
    }

    /// The form in the database: eight bytes for each id, the low ones first.
    var bytes: [UInt8] {
        ids.map { $0.littleEndian }.withUnsafeBytes { Array($0) }
    }

    /// True if the rows are so many that they are deleted.
    var isWorthDeleting: Bool { ids.count >= Self.enough }

    /// Tells whether a publication is one of them.
    func contains(_ id: UInt64) -> Bool { ids.contains(id) }

    /// Returns these and further ones.
    func adding(_ further: [UInt64]) -> SettledRows {
        var all = self
        all.ids += further
        return all
    }

    /// Deletes the rows.
    ///
    /// Ids are given in order, so those that the broker has acknowledged mostly follow one another.
    func delete(from database: SQLiteConnection) throws(StoreFault) {
        let ids = ids.sorted()
        var first = 0
        for place in ids.indices where place + 1 == ids.count || ids[place + 1] != ids[place] + 1 {
            try database.run(
                "DELETE FROM outbox WHERE id BETWEEN ? AND ?",
                Int64(bitPattern: ids[first]),
                Int64(bitPattern: ids[place])
            )
            first = place + 1
        }
    }
}
