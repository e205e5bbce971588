import SkerryGateway
import SkerryValues

/// The rows of devices, each with a checksum of its key: an image knows whether it is whole, but not whose it is.
enum DeviceRows {
    /// The checksum of a row's key; without allocations, as it is computed for each row that is written.
    static func sum(_ kind: some Collection<UInt8>, _ name: some Collection<UInt8>) -> Int64 {
        Int64(bitPattern: kind.fingerprint &* 31 &+ name.fingerprint)
    }

    /// A row whose key is not the one of its checksum.
    private struct Damaged: Sendable {
        let kind: [UInt8]
        let name: [UInt8]
        let layout: Int64
        let image: [UInt8]
        let sum: Int64

        /// The key in which no bit, or one, is another.
        var mended: (kind: [UInt8], name: [UInt8])? {
            for place in 0..<8 * (kind.count + name.count) {
                var (kind, name) = (kind, name)
                if place < 8 * kind.count {
                    kind[place / 8] ^= 1 << UInt8(place % 8)
                } else {
                    let place = place - 8 * kind.count
                    name[place / 8] ^= 1 << UInt8(place % 8)
                }
                if DeviceRows.sum(kind, name) == sum { return (kind, name) }
            }
            return nil
        }
    }

    /// Gives devices their names back in which a bit has flipped, and sets those aside whose names can't be known any more.
    ///
    /// - Returns: what people should know; nil if no key is damaged.
    static func mend(_ database: SQLiteConnection) throws(StoreFault) -> String? {
        let found = try database.rows("SELECT * FROM device WHERE sum IS NOT NULL") {
            row throws(StoreFault) -> Damaged? in
            let (kind, name): ([UInt8], [UInt8]) = (try row["kind"], try row["name"])
            let (layout, sum): (Int64, Int64) = (try row["layout"], try row["sum"])
            if sum == Self.sum(kind, name) { return nil }
            return Damaged(kind: kind, name: name, layout: layout, image: try row["image"], sum: sum)
        }
        var (mended, lost): ([String], [String]) = ([], [])
        for row in found.compactMap({ $0 }) {
            if let (kind, name) = row.mended {
                mended.append(try rename(row, String(decoding: kind, as: UTF8.self), name, in: database))
            } else {
                lost.append(try setAside(row, in: database))
            }
        }
        let notices = [
            mended.isEmpty ? nil : "the disk has damaged names of devices, which are mended: \(list(mended))",
            lost.isEmpty
                ? nil
                : "the disk has damaged names of devices beyond mending, which are set aside as \(list(lost)): "
                    + "they start again with their next messages",
        ]
        return notices.allSatisfy { $0 == nil }
            ? nil : "\(database.path): \(notices.compactMap { $0 }.joined(separator: "; "))"
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(20).joined(separator: ", ") + (names.count > 20 ? " …" : "")
    }

    private static func rename(
        _ row: Damaged,
        _ kind: String,
        _ name: [UInt8],
        in database: SQLiteConnection
    ) throws(StoreFault) -> String {
        let text = String(decoding: name, as: UTF8.self)
        // Its device may have come back meanwhile, and is newer then.
        let newer = try database.rows(
            "SELECT layout, image FROM device WHERE kind = ? AND name = ?",
            kind,
            text
        ) {
            row throws(StoreFault) -> (layout: Int64, image: [UInt8]) in
            (try row["layout"], try row["image"])
        }
        let (layout, image) = newer.first ?? (row.layout, row.image)
        // By the checksum: a search by a key that stands in the wrong place may not find it.
        try database.run("DELETE FROM device WHERE +sum = ?", row.sum)
        try database.run(
            "INSERT OR REPLACE INTO device VALUES (?, ?, ?, ?, ?)",
            kind,
            text,
            layout,
            image,
            sum(kind.utf8, name)
        )
        return "\(kind)/\(text)"
    }

    private static func setAside(_ row: Damaged, in database: SQLiteConnection) throws(StoreFault) -> String {
        try database.run(
            """
            INSERT OR REPLACE INTO set_aside
            SELECT kind, name, layout, image, coalesce((SELECT alive_at FROM progress), 0) FROM device WHERE +sum = ?
            """,
            row.sum
        )
        try database.run("DELETE FROM device WHERE +sum = ?", row.sum)
        // What the broker retains of it is looked for, and its runs are not begun again.
        try database.run(
            """
            UPDATE progress SET seeks_strays = 1,
                newest_lost_run = max(coalesce(newest_lost_run, alive_at / 1000000), alive_at / 1000000)
            """
        )
        return "\(String(decoding: row.kind, as: UTF8.self))/\(String(decoding: row.name, as: UTF8.self))"
    }
}
