package import SkerryActivity
package import SkerryValues

/// An activity that has ended, as the history keeps it.
public struct EndedActivity: Hashable, Sendable {
    /// The id, `<kind>/<device>/<run>`.
    package var id: String
    /// The kind of the device.
    package var kind: String
    /// The name of the device.
    package var device: String
    /// The start of the run.
    package var startedAt: Timestamp
    /// The end of the run.
    package var endedAt: Timestamp
    /// The last state.
    package var state: String
    /// The number of revisions.
    package var revisions: Int64
    /// The attributes as JSON.
    package var attributes: [UInt8]
    /// The last content as JSON.
    package var content: [UInt8]

    /// Makes a record of its parts.
    package init(
        id: String,
        kind: String,
        device: String,
        startedAt: Timestamp,
        endedAt: Timestamp,
        state: String,
        revisions: Int64,
        attributes: [UInt8],
        content: [UInt8]
    ) {
        self.id = id
        self.kind = kind
        self.device = device
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.state = state
        self.revisions = revisions
        self.attributes = attributes
        self.content = content
    }

    /// Makes a record of the last revision of an activity.
    package init(_ update: ActivityUpdate, of device: String, kind: String) {
        id = update.id
        self.kind = kind
        self.device = device
        startedAt = update.startedAt
        endedAt = update.at
        state = update.state
        revisions = update.rev
        attributes = Self.json(update.attributes)
        content = Self.json(update.content)
    }

    private static func json(_ map: ValueMap) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.value(.map(map))
        return writer.bytes
    }
}

/// The limits of the history; beyond either of them the oldest is removed first.
package struct HistoryLimits: Hashable, Sendable {
    /// The number of activities; 0 keeps none.
    package var activities: Int
    /// The time for which an activity is kept after its end; nil for ever.
    package var age: Interval?

    /// The number of stages of runs, about twenty for each activity.
    package var stages: Int { activities * 20 }

    package init(activities: Int = 10_000, age: Interval? = .hours(90 * 24)) {
        self.activities = activities
        self.age = age
    }
}
