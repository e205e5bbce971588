import SkerryEngine
package import SkerryValues

/// The messages and updates since the start of the bridge, by quarters of an hour; those of the last eight days are kept.
///
/// Each time zone has its midnight at the beginning of a quarter.
package struct TrafficLog: Sendable {
    /// The counts of a quarter in which something was counted.
    package struct Quarter: Hashable, Sendable {
        /// The moment at which it began.
        package var from: Timestamp
        /// The messages taken in.
        package var messages: UInt64
        /// The revisions of activities.
        package var updates: UInt64
    }

    /// The number of seconds in a quarter.
    private static let length: Int64 = 900
    /// The number of quarters that are kept.
    private static let limit = 8 * 96

    /// The counts up to the beginning of each quarter, oldest first.
    private var marks: [Quarter] = []

    /// Takes note of the counters, before anything else is counted.
    mutating func note(_ counters: EngineCounters, at now: Timestamp) {
        if let last = marks.last?.from, last <= now, now < last + .seconds(Self.length) { return }
        if marks.count == Self.limit { marks.removeFirst() }
        if let last = marks.last {
            // Both are subtracted from the next ones, which would end the process.
            assert(counters.messages >= last.messages, "the counter of messages falls")
            assert(counters.updates >= last.updates, "the counter of updates falls")
        }
        let from = Timestamp(seconds: now.flooredSeconds.floorDivided(by: Self.length) * Self.length)
        marks.append(Quarter(from: from, messages: counters.messages, updates: counters.updates))
        assert(marks.count <= Self.limit, "more quarters are kept than promised")
    }

    /// The wall clock was set: what was counted lies as long ago as before.
    mutating func clockStepped(by length: Interval) {
        for place in marks.indices { marks[place].from = marks[place].from + length }
    }

    /// The counts of each quarter, oldest first.
    func quarters(upTo counters: EngineCounters) -> [Quarter] {
        var quarters = marks
        for place in marks.indices {
            let next = place + 1 < marks.count ? marks[place + 1] : nil
            quarters[place].messages = (next?.messages ?? counters.messages) - marks[place].messages
            quarters[place].updates = (next?.updates ?? counters.updates) - marks[place].updates
        }
        return quarters
    }
}
