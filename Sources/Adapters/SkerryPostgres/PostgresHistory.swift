package import SkerryGateway
package import SkerryValues

extension StoreChanges {
    /// The statements that add the activities that have ended and the stages that have begun, and remove the oldest ones
    /// beyond the limits.
    func historyStatements(_ batch: Int64, trimsStages: Bool) -> [PostgresStatement] {
        var statements: [PostgresStatement] = []
        if !stages.isEmpty {
            statements.append(
                PostgresStatement(
                    """
                    INSERT INTO run_stage
                    SELECT (SELECT coalesce(max(number), 0) FROM run_stage) + place, $1::int8, activity, began_at, state, title
                    FROM unnest($2::bytea[], $3::int8[], $4::bytea[], $5::bytea[]) WITH ORDINALITY
                        AS new (activity, began_at, state, title, place)
                    """,
                    PostgresValue(batch),
                    .list(stages.map(\.activity)),
                    .list(stages.map(\.from)),
                    .list(stages.map(\.state)),
                    .list(stages.map(\.title))
                )
            )
        }
        if trimsStages {
            statements.append(
                PostgresStatement(
                    "DELETE FROM run_stage WHERE number <= (SELECT max(number) FROM run_stage) - $1::int8",
                    PostgresValue(Int64(historyLimits.stages))
                )
            )
        }
        return statements + (ended.isEmpty ? [] : endStatements(batch))
    }

    private func endStatements(_ batch: Int64) -> [PostgresStatement] {
        let statements = [
            PostgresStatement(
                """
                INSERT INTO history
                SELECT (SELECT coalesce(max(number), 0) FROM history) + place, $1::int8, id, kind, device, started_at,
                    ended_at, state, revisions, attributes, content
                FROM unnest(
                    $2::bytea[], $3::bytea[], $4::bytea[], $5::int8[], $6::int8[], $7::bytea[], $8::int8[], $9::bytea[],
                    $10::bytea[]
                ) WITH ORDINALITY AS new (
                    id, kind, device, started_at, ended_at, state, revisions, attributes, content, place
                )
                """,
                PostgresValue(batch),
                .list(ended.map(\.id)),
                .list(ended.map(\.kind)),
                .list(ended.map(\.device)),
                .list(ended.map(\.startedAt)),
                .list(ended.map(\.endedAt)),
                .list(ended.map(\.state)),
                .list(ended.map(\.revisions)),
                .list(ended.map(\.attributes)),
                .list(ended.map(\.content))
            ),
            PostgresStatement(
                "DELETE FROM history WHERE number <= (SELECT max(number) FROM history) - $1::int8",
                PostgresValue(Int64(historyLimits.activities))
            ),
        ]
        guard let age = historyLimits.age else { return statements }
        let oldest = PostgresValue(progress.aliveAt - age)
        return statements + [
            PostgresStatement("DELETE FROM history WHERE ended_at < $1::int8", oldest),
            PostgresStatement("DELETE FROM run_stage WHERE began_at < $1::int8", oldest),
        ]
    }
}

extension PostgresPhoneStore: RunHistory {
    /// The runs that ended last, newest first.
    package func runs(
        kind: String?,
        device: String?,
        before: String?,
        limit: Int
    ) throws(StoreFault) -> [EndedActivity] {
        try session.read([
            PostgresStatement(
                """
                SELECT id, kind, device, started_at, ended_at, state, revisions, attributes, content FROM history
                WHERE ($1::bytea IS NULL OR kind = $1) AND ($2::bytea IS NULL OR device = $2)
                    AND ($3::bytea IS NULL OR number < (SELECT min(number) FROM history WHERE id = $3))
                ORDER BY number DESC LIMIT $4::int8
                """,
                PostgresValue(kind),
                PostgresValue(device),
                PostgresValue(before),
                PostgresValue(Int64(limit))
            )
        ])[0].map { row throws(StoreFault) in try EndedActivity(row) }
    }

    /// The stages of runs by the ids of their activities, each in its order.
    package func stages(of activities: [String]) throws(StoreFault) -> [ExactText: [RunStage]] {
        var stages = Dictionary(activities.map { (ExactText($0), [RunStage]()) }) { first, _ in first }
        if activities.isEmpty { return stages }
        let found = try session.read([
            PostgresStatement(
                """
                SELECT activity, state, title, began_at FROM (
                    SELECT *, row_number() OVER (PARTITION BY activity ORDER BY number) AS place FROM run_stage
                    WHERE activity = ANY ($1::bytea[])
                ) AS found WHERE place <= $2::int8 ORDER BY number
                """,
                .list(activities),
                PostgresValue(Int64(RunStage.limit))
            )
        ])[0].map { row throws(StoreFault) in try RunStage(row) }
        for stage in found { stages[ExactText(stage.activity), default: []].append(stage) }
        return stages
    }
}

/// Reads a store that a bridge may be using; nothing is written.
package enum PostgresReader {
    /// Reads the state.
    ///
    /// - Throws: ``StoreFault`` if there is no store, or it can't be read.
    package static func look(at address: String) throws(StoreFault) -> StoredState {
        try StoredState(from: connection(to: address))
    }

    /// Reads the activities that have ended.
    ///
    /// - Parameters:
    ///   - address: The URI of the database.
    ///   - device: The name of a device, or its kind and name with a `/` between them; nil for all.
    ///   - before: The id of an activity: only those that ended before it are returned, and none if it is not kept.
    ///   - count: The largest number of activities; the last ones are returned.
    /// - Returns: the activities in the order in which they ended.
    /// - Throws: ``StoreFault`` if there is no store, or it can't be read.
    package static func history(
        at address: String,
        device: String? = nil,
        before: String? = nil,
        last count: Int
    ) throws(StoreFault) -> [EndedActivity] {
        try connection(to: address).rows(
            PostgresStatement(
                """
                SELECT id, kind, device, started_at, ended_at, state, revisions, attributes, content FROM history
                WHERE ($1::bytea IS NULL OR device = $1 OR kind || '/'::bytea || device = $1)
                    AND ($2::bytea IS NULL OR number < (SELECT min(number) FROM history WHERE id = $2))
                ORDER BY number DESC LIMIT $3::int8
                """,
                PostgresValue(device),
                PostgresValue(before),
                PostgresValue(Int64(count))
            )
        ).map { row throws(StoreFault) in try EndedActivity(row) }.reversed()
    }

    static func connection(to address: String) throws(StoreFault) -> PostgresConnection {
        try PostgresConnection(address, schema: nil, mark: "skerry", limit: .minutes(10))
    }
}

extension RunStage {
    /// Reads a row of activity, state, title and beginning.
    init(_ row: PostgresRow) throws(StoreFault) {
        self.init(
            activity: try row[0],
            state: try row[1],
            title: try row[optional: 2],
            from: try row[3]
        )
    }
}

extension EndedActivity {
    init(_ row: PostgresRow) throws(StoreFault) {
        self.init(
            id: try row[0],
            kind: try row[1],
            device: try row[2],
            startedAt: try row[3],
            endedAt: try row[4],
            state: try row[5],
            revisions: try row[6],
            attributes: try row[7],
            content: try row[8]
        )
    }
}
