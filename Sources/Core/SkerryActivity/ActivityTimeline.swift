public import SkerryValues

/// The future content of an activity if its device keeps sending the same values.
///
/// The first entry is the present content. Each further one is the content at its date, at least a minute after the
/// one before it, because widgets are not drawn more often than that.
///
/// See docs/decisions/0026-the-future-is-lived.md.
public struct ActivityTimeline: Sendable {
    /// The content from a moment on.
    public struct Entry: Sendable {
        /// The moment.
        public var date: Timestamp
        /// The phase; nil once the activity has been dismissed.
        public var phase: ActivityPhase?
        /// The state; empty once the activity has been dismissed.
        public var state: String
        /// The whole content; empty once the activity has been dismissed.
        public var content: ValueMap

        /// Makes an entry.
        public init(
            date: Timestamp,
            phase: ActivityPhase?,
            state: String = "",
            content: ValueMap = ValueMap()
        ) {
            self.date = date
            self.phase = phase
            self.state = state
            self.content = content
        }
    }

    /// The instruction for the time after the last entry, in the words of WidgetKit.
    public enum Policy: Hashable, Sendable {
        /// More is known, and there is another timeline by then.
        case atEnd
        /// Nothing changes by itself before this moment, which is beyond the timeline.
        case after(Timestamp)
        /// Nothing changes by itself any more.
        case never
    }

    /// The least time between two entries.
    public static let shortestStep = Interval.minutes(1)

    /// The most entries of a timeline.
    public static let entryLimit = 16

    /// The id of the activity.
    public let id: String
    /// The revision that the first entry shows.
    public let rev: Int64
    /// The epoch of the revisions.
    public let epoch: Int64
    /// The entries; never empty, with rising dates.
    public private(set) var entries: [Entry]
    /// The instruction for the time after the last entry.
    public var policy = Policy.never

    /// The timeline of an activity that does not change by itself.
    public init(of activity: Activity) {
        id = activity.id
        rev = activity.rev
        epoch = activity.epoch
        entries = [
            Entry(
                date: activity.revisedAt,
                phase: activity.phase,
                state: activity.state,
                content: activity.content
            )
        ]
    }

    /// True if it has more than the snapshot.
    public var foretells: Bool { entries.count > 1 }

    /// Returns whether it has room for an entry at a moment not before the last one.
    public func hasRoom(at date: Timestamp, limit: Int = ActivityTimeline.entryLimit) -> Bool {
        entries.count < limit || entries.count > 1 && entries[entries.count - 1].date >= date
    }

    /// Adds the next entry; dates must not fall.
    ///
    /// A change within a minute of an entry is shown when the minute has passed, unless another change has come by then.
    public mutating func append(_ entry: Entry) {
        // The last entry was put off by the minute and is outdated before it is shown.
        if entries.count > 1, entries[entries.count - 1].date >= entry.date { entries.removeLast() }
        let last = entries[entries.count - 1]
        // The change was taken back within the minute.
        if last.looksLike(entry) { return }
        var entry = entry
        // WidgetKit draws no more often than that.
        entry.date = max(entry.date, last.date + Self.shortestStep)
        entries.append(entry)
        assert(entry.date >= last.date, "a timeline goes back")
    }

    /// The timeline as JSON, without spaces.
    public func json() -> [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        write(to: &writer)
        return writer.bytes
    }

    /// Writes the timeline as an object.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("rev", rev)
        writer.member("epoch", epoch)
        writer.key("policy")
        switch policy {
        case .atEnd: writer.string("atEnd")
        case .never: writer.string("never")
        case .after(let moment):
            writer.string("after")
            writer.member("after", moment)
        }
        writer.key("entries")
        writer.beginArray()
        for entry in entries { entry.write(to: &writer) }
        writer.endArray()
        writer.endObject()
    }
}

extension ActivityTimeline.Entry {
    fileprivate func looksLike(_ other: ActivityTimeline.Entry) -> Bool {
        phase == other.phase && state.hasSameCodePoints(as: other.state)
            && Value.map(content).isSameJSON(as: .map(other.content))
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("date", date)
        writer.member("phase", phase?.name ?? "gone")
        if phase != nil {
            writer.member("state", state)
            writer.member("content", .map(content))
        }
        writer.endObject()
    }
}
