import GRDB
public import SkerryGateway
import SkerryValues

extension StoreChanges {
    /// Adds the activities that have ended, and removes what is beyond the limits.
    func writeHistory(to database: Database) throws {
        for activity in ended {
            try database.cachedStatement(
                sql: "INSERT INTO history VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            )
            .execute(arguments: [
                activity.id, activity.kind, activity.device, activity.startedAt.microseconds,
                activity.endedAt.microseconds, activity.state, activity.revisions,
                String(decoding: activity.attributes, as: UTF8.self),
                String(decoding: activity.content, as: UTF8.self),
            ])
        }
        try database.cachedStatement(
            sql: "DELETE FROM history WHERE number <= (SELECT max(number) FROM history) - ?"
        )
        .execute(arguments: [historyLimits.activities])
        try database.cachedStatement(sql: "DELETE FROM history WHERE ended_at < ?")
            .execute(arguments: [(progress.aliveAt - historyLimits.age).microseconds])
    }
}

extension StoreFile {
    /// Reads the activities that have ended, also while a bridge has the store; nothing is written.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - device: The name of a device, or its kind and name with a `/` between them; nil for all.
    ///   - count: How many at most; the last ones.
    /// - Returns: the activities in the order in which they ended.
    /// - Throws: ``StoreFault`` when there is none, or it can't be read.
    public static func history(
        at path: String,
        device: String? = nil,
        last count: Int
    ) throws(StoreFault) -> [EndedActivity] {
        try read(path) { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM history WHERE ?1 IS NULL OR device = ?1 OR kind || '/' || device = ?1
                    ORDER BY number DESC LIMIT ?2
                    """,
                arguments: [device, count]
            )
            return rows.reversed().map { EndedActivity($0) }
        }
    }
}

extension EndedActivity {
    fileprivate init(_ row: Row) {
        self.init(
            id: row["id"],
            kind: row["kind"],
            device: row["device"],
            startedAt: Timestamp(microseconds: row["started_at"]),
            endedAt: Timestamp(microseconds: row["ended_at"]),
            state: row["state"],
            revisions: row["revisions"],
            attributes: Array((row["attributes"] as String).utf8),
            content: Array((row["content"] as String).utf8)
        )
    }
}
