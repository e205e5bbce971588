public import SkerryValues

/// The phase of an activity's life.
public enum ActivityPhase: UInt8, Hashable, Sendable, CaseIterable {
    /// Its device is working and sends messages.
    case active
    /// Its device was silent for too long; the content may be outdated.
    case stale
    /// The run has ended; no update follows.
    case ended

    /// The phase as it is written in snapshots.
    public var name: String {
        switch self {
        case .active: "active"
        case .stale: "stale"
        case .ended: "ended"
        }
    }
}

/// One revision of an activity: what changed, and the whole state after it.
public struct ActivityUpdate: Sendable {
    /// The main reason for an update.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// A run began.
        case started
        /// State or content changed.
        case changed
        /// The run ended.
        case ended
        /// The device has been silent for too long.
        case stale
        /// The device was heard again.
        case fresh
    }

    /// The main reason for it.
    public var kind: Kind
    /// The activity's id, `<kind>/<device>/<run>`.
    public var id: String
    /// The revision, counted from 1.
    public var rev: Int64
    /// The revision that it follows; 0 for the first one.
    public var prev: Int64 { rev - 1 }
    /// The epoch of the revisions, a number that the caller chose.
    public var epoch: Int64
    /// The moment of the revision.
    public var at: Timestamp
    /// The start of the run.
    public var startedAt: Timestamp
    /// The phase after it.
    public var phase: ActivityPhase
    /// The state after it.
    public var state: String
    /// The attributes, fixed since the start.
    public var attributes: ValueMap
    /// The whole content after it.
    public var content: ValueMap
    /// The smallest merge patch (RFC 7396) of `phase`, `state`, `content` and `relevance` since the last revision.
    ///
    /// It is nil for the first revision.
    public var patch: ValueMap?
    /// True if it has another phase or state, or an alert: news that readers get at once.
    ///
    /// Otherwise it only has new estimates.
    public var isNewState: Bool
    /// The relevance of the activity among others, from 0 to 100.
    public var relevance: Double
    /// True if the relevance may change within a run, so that snapshots and diffs have it.
    public var showsRelevance = false
    /// The reason for which the content becomes outdated, at a moment later than `at`.
    ///
    /// Without a countdown it is twice the silence that makes the activity stale.
    public var staleness: Staleness
    /// The last message of the device; the caller sets it in the phase `stale` only.
    public var heardAt: Timestamp?
    /// The link that opens when it is tapped; the caller sets it.
    public var link: String?
    /// True if the link may change within a run, so that it is sent with the content and not with the attributes.
    public var isLinkContent = false
    /// The moment at which readers should remove the activity; set with the end only.
    public var dismissAt: Timestamp?
    /// The alert; the caller sets it.
    public var alert: ActivityAlert? {
        didSet { if alert != nil { isNewState = true } }
    }

    /// The snapshot of the activity as JSON, without spaces.
    ///
    /// - Parameter link: The link that opens when it is tapped, for readers that have a place for it; nil for none.
    /// - Returns: the JSON.
    public func snapshotJSON(link: String? = nil) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writeHead(to: &writer, isDiff: false)
        writer.member("phase", phase.name)
        writer.member("state", state)
        writer.member("attributes", .map(attributes))
        writer.member("content", .map(content))
        if showsRelevance { writer.member("relevance", .double(relevance)) }
        if let link { writer.member("link", link) }
        writer.endObject()
        return writer.bytes
    }

    /// The difference to the last revision as JSON, without spaces; nil for the first one, which follows nothing.
    public func diffJSON() -> [UInt8]? {
        guard let patch else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        writeHead(to: &writer, isDiff: true)
        writer.member("patch", .map(patch))
        writer.endObject()
        return writer.bytes
    }

    /// The alert as JSON, without spaces; nil without one.
    public func alertJSON() -> [UInt8]? {
        guard let alert else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", id)
        writer.member("at", at)
        writer.member("title", alert.title)
        writer.member("body", alert.body)
        if alert.sound != .standard { writer.member("sound", alert.sound.name) }
        if alert.level != .active { writer.member("level", alert.level.name) }
        writer.endObject()
        return writer.bytes
    }

    private func writeHead(to writer: inout JSONWriter, isDiff: Bool) {
        writer.member("id", id)
        writer.member("rev", rev)
        if isDiff { writer.member("prev", prev) }
        writer.member("epoch", epoch)
        writer.member("at", at)
    }
}

extension ActivityUpdate {
    /// Makes the end of an activity of which only the id is known, because a phone reports that it shows it.
    ///
    /// - Parameters:
    ///   - id: The id of the activity.
    ///   - now: The time; readers should remove the activity at once.
    public init(endOfUnknown id: String, at now: Timestamp) {
        kind = .ended
        self.id = id
        (rev, epoch) = (0, 0)
        (at, startedAt, dismissAt) = (now, now, now)
        phase = .ended
        state = ""
        (attributes, content) = (ValueMap(), ValueMap())
        isNewState = true
        relevance = 0
        staleness = .never
    }
}

extension ActivityUpdate {
    /// The length of a test activity.
    public static let testLength = Interval.minutes(1)
    /// The device that a test activity is shown for; its topics would be those of a device with this name.
    public static let testDevice = "skerry-test"

    /// Makes the only revision of a test activity, which shows a person that a phone is reached.
    ///
    /// It has every field of the content, so that each place of the layout is filled: texts are `Test`, timers run to the
    /// end of the test, and a number fills half of its bar. It is less relevant than all others, so that nothing has to
    /// leave a phone for it.
    ///
    /// - Parameters:
    ///   - contract: The types of the kind that is shown.
    ///   - now: The time, which is also the number of the run.
    public init(testOf contract: LiveActivityContract, at now: Timestamp) {
        let end = now + Self.testLength
        kind = .started
        id = "\(contract.kind)/\(Self.testDevice)/\(now.microseconds)"
        (rev, epoch) = (1, 0)
        (at, startedAt) = (now, now)
        phase = .active
        state = contract.states?.first ?? "test"
        attributes = ValueMap.test(of: contract.attributes, from: now, to: end)
        content = ValueMap.test(of: contract.content, from: now, to: end)
        isNewState = true
        relevance = 0
        staleness = .countdown(end: end)
    }
}

extension ValueMap {
    fileprivate static func test(
        of fields: [LiveActivityContract.Field],
        from start: Timestamp,
        to end: Timestamp
    ) -> ValueMap {
        var map = ValueMap()
        for field in fields {
            guard let value = Value.test(of: field, from: start, to: end) else { continue }
            map.set(field.name, to: value)
        }
        return map
    }
}

extension Value {
    /// A value for a field of a test; nil for what phones do not get.
    fileprivate static func test(
        of field: LiveActivityContract.Field,
        from start: Timestamp,
        to end: Timestamp
    ) -> Value? {
        let half = (field.whole ?? 100) / 2
        return switch field.type {
        case .any, .string: .string("Test")
        case .int: .int(Int64(exactly: half.rounded()) ?? 0)
        case .double: .double(half)
        case .bool: .bool(true)
        case .timestamp: .int(end.flooredSeconds)
        case .duration: .int((end - start).roundedSeconds)
        case .time:
            .map(
                ValueMap(uniqueEntries: [
                    Entry(key: .string("start"), value: .int(start.flooredSeconds)),
                    Entry(key: .string("end"), value: .int(end.flooredSeconds)),
                ])
            )
        case .structure: nil
        }
    }

    private typealias Entry = ValueMap.Entry
}
