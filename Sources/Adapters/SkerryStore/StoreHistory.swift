package import SkerryGateway
package import SkerryValues

extension StoreChanges {
    /// Adds the activities that have ended and the stages that have begun, and removes the oldest ones beyond the limits.
    ///
    /// - Parameters:
    ///   - database: The database of the devices.
    ///   - trimsStages: True if stages beyond the limit are removed. It is not worth a statement in each commit.
    /// - Throws: ``StoreFault`` of SQLite.
    func writeHistory(to database: SQLiteConnection, trimsStages: Bool) throws(StoreFault) {
        assert(!ended.isEmpty || !stages.isEmpty, "a history is written without news")
        for stage in stages {
            try database.run(
                "INSERT INTO run_stage VALUES (NULL, ?, ?, ?, ?)",
                stage.activity,
                stage.from,
                stage.state,
                stage.title
            )
        }
        if trimsStages {
            try database.run(
                "DELETE FROM run_stage WHERE number <= (SELECT max(number) FROM run_stage) - ?",
                historyLimits.stages
            )
        }
        if ended.isEmpty { return }
        for activity in ended {
            try database.run(
                "INSERT INTO history VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                activity.id,
                activity.kind,
                activity.device,
                activity.startedAt,
                activity.endedAt,
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
        guard let age = historyLimits.age else { return }
        // Rows follow each other in time, so the first one that is young enough ends those that are too old; no index is
        // needed, which each commit would have to keep.
        let oldest = progress.aliveAt - age
        try database.run(
            """
            DELETE FROM history WHERE number < ifnull(
                (SELECT number FROM history WHERE ended_at >= ?1 ORDER BY number LIMIT 1), 9223372036854775807)
            """,
            oldest
        )
        try database.run(
            """
            DELETE FROM run_stage WHERE number < ifnull(
                (SELECT number FROM run_stage WHERE began_at >= ?1 ORDER BY number LIMIT 1), 9223372036854775807)
            """,
            oldest
        )
    }
}

/// The history in a store that a bridge may be using.
package struct SQLiteRunHistory: RunHistory {
    private let path: String

    /// The history in the store of a path.
    package init(path: String) {
        self.path = path
    }

    /// The runs that ended last, newest first.
    package func runs(
        kind: String?,
        device: String?,
        before: String?,
        limit: Int
    ) throws(StoreFault) -> [EndedActivity] {
        try StoreFile.read(path) { database throws(StoreFault) in
            try database.rows(
                """
                SELECT * FROM history WHERE (?1 IS NULL OR kind = ?1) AND (?2 IS NULL OR device = ?2)
                    AND (?3 IS NULL OR number < (SELECT min(number) FROM history WHERE id = ?3))
                ORDER BY number DESC LIMIT ?4
                """,
                kind,
                device,
                before,
                limit
            ) { row throws(StoreFault) in try EndedActivity(row) }
        }
    }

    /// The stages of runs by the ids of their activities, each in its order.
    package func stages(of activities: [String]) throws(StoreFault) -> [ExactText: [RunStage]] {
        if activities.isEmpty { return [:] }
        var names = JSONWriter()
        names.beginArray()
        for activity in activities { names.string(activity) }
        names.endArray()
        let list = String(decoding: names.bytes, as: UTF8.self)
        // An index would have to be kept by each commit, so all stages are read, once for all activities.
        return try StoreFile.read(path) { database throws(StoreFault) in
            var stages = Dictionary(activities.map { (ExactText($0), [RunStage]()) }) { first, _ in first }
            _ = try database.rows(
                """
                SELECT * FROM run_stage WHERE activity IN (SELECT value FROM json_each(?)) ORDER BY number
                """,
                list
            ) { row throws(StoreFault) in
                let stage = try RunStage(row)
                guard stages[ExactText(stage.activity), default: []].count < RunStage.limit else { return }
                stages[ExactText(stage.activity), default: []].append(stage)
            }
            return stages
        }
    }
}

extension RunStage {
    init(_ row: SQLiteRow) throws(StoreFault) {
        self.init(
            activity: try row["activity"],
            state: try row["state"],
            title: try row[optional: "title"],
            from: try row["began_at"]
        )
    }
}

extension StoreFile {
    /// Reads the activities that have ended, also while a bridge uses the store; nothing is written.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - device: The name of a device, or its kind and name with a `/` between them; nil for all.
    ///   - before: The id of an activity: only those that ended before it are returned, and none if it is not kept.
    ///   - count: The largest number of activities; the last ones are returned.
    /// - Returns: the activities in the order in which they ended.
    /// - Throws: ``StoreFault`` if there is no store, or it can't be read.
    package static func history(
        at path: String,
        device: String? = nil,
        before: String? = nil,
        last count: Int
    ) throws(StoreFault) -> [EndedActivity] {
        try read(path) { database throws(StoreFault) in
            let newestFirst = try database.rows(
                """
                SELECT * FROM history WHERE (?1 IS NULL OR device = ?1 OR kind || '/' || device = ?1)
                    AND (?2 IS NULL OR number < (SELECT min(number) FROM history WHERE id = ?2))
                ORDER BY number DESC LIMIT ?3
                """,
                device,
                before,
                count
            ) { row throws(StoreFault) in try EndedActivity(row) }
            return newestFirst.reversed()
        }
    }
}

extension EndedActivity {
    init(_ row: SQLiteRow) throws(StoreFault) {
        let attributes: String = try row["attributes"]
        let content: String = try row["content"]
        self.init(
            id: try row["id"],
            kind: try row["kind"],
            device: try row["device"],
            startedAt: try row["started_at"],
            endedAt: try row["ended_at"],
            state: try row["state"],
            revisions: try row["revisions"],
            attributes: Array(attributes.utf8),
            content: Array(content.utf8)
        )
    }
}
