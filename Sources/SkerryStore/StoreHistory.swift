public import SkerryGateway
import SkerryValues

extension StoreChanges {
    /// Adds the activities that have ended, and removes the oldest ones beyond the limits.
    func writeHistory(to database: SQLiteConnection) throws(StoreFault) {
        for activity in ended {
            try database.run(
                "INSERT INTO history VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                activity.id,
                activity.kind,
                activity.device,
                activity.startedAt.microseconds,
                activity.endedAt.microseconds,
                activity.state,
                activity.revisions,
                String(decoding: activity.attributes, as: UTF8.self),
                String(decoding: activity.content, as: UTF8.self)
            )
        }
        try database.run(
            "DELETE FROM history WHERE number <= (SELECT max(number) FROM history) - ?",
            historyLimits.activities
        )
        try database.run(
            "DELETE FROM history WHERE ended_at < ?",
            (progress.aliveAt - historyLimits.age).microseconds
        )
    }
}

extension StoreFile {
    /// Reads the activities that have ended, also while a bridge uses the store; nothing is written.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - device: The name of a device, or its kind and name with a `/` between them; nil for all.
    ///   - count: The largest number of activities; the last ones are returned.
    /// - Returns: the activities in the order in which they ended.
    /// - Throws: ``StoreFault`` if there is no store, or it can't be read.
    public static func history(
        at path: String,
        device: String? = nil,
        last count: Int
    ) throws(StoreFault) -> [EndedActivity] {
        try read(path) { database throws(StoreFault) in
            let newestFirst = try database.rows(
                """
                SELECT * FROM history WHERE ?1 IS NULL OR device = ?1 OR kind || '/' || device = ?1
                ORDER BY number DESC LIMIT ?2
                """,
                device,
                count
            ) { row throws(StoreFault) in try EndedActivity(row) }
            return newestFirst.reversed()
        }
    }
}

extension EndedActivity {
    fileprivate init(_ row: SQLiteRow) throws(StoreFault) {
        let attributes: String = try row["attributes"]
        let content: String = try row["content"]
        self.init(
            id: try row["id"],
            kind: try row["kind"],
            device: try row["device"],
            startedAt: Timestamp(microseconds: try row["started_at"]),
            endedAt: Timestamp(microseconds: try row["ended_at"]),
            state: try row["state"],
            revisions: try row["revisions"],
            attributes: Array(attributes.utf8),
            content: Array(content.utf8)
        )
    }
}
