public import SkerryValues

/// Where an activity is in its life.
public enum ActivityPhase: UInt8, Hashable, Sendable, CaseIterable {
    /// Its device is at work and heard of.
    case active
    /// Its device was silent for too long; what is shown may be outdated.
    case stale
    /// The run is over; nothing follows.
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

/// A message that asks for a person's attention.
public struct ActivityAlert: Equatable, Sendable {
    /// The headline.
    public var title: String
    /// What more there is to say.
    public var body: String

    /// Makes an alert.
    public init(title: String, body: String) {
        self.title = title
        self.body = body
    }
}

/// One revision of an activity: what changed, and all there is to know after it.
public struct ActivityUpdate: Sendable {
    /// What an update tells first of all.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// A run began.
        case started
        /// State or content changed.
        case changed
        /// The run is over.
        case ended
        /// The device has been silent for too long.
        case stale
        /// The device was heard of again.
        case fresh
    }

    /// What it tells first of all.
    public var kind: Kind
    /// The activity's id, `<kind>/<device>/<run>`.
    public var id: String
    /// The revision, counted from 1.
    public var rev: Int64
    /// The revision that it follows; 0 for the first one.
    public var prev: Int64 { rev - 1 }
    /// The epoch of the revisions, a number that the caller chose.
    public var epoch: Int64
    /// When it happened.
    public var at: Timestamp
    /// When the run began.
    public var startedAt: Timestamp
    /// The phase after it.
    public var phase: ActivityPhase
    /// The state after it.
    public var state: String
    /// The attributes, fixed since the start.
    public var attributes: ValueMap
    /// The whole content after it.
    public var content: ValueMap
    /// The smallest merge patch (RFC 7396) of `phase`, `state` and `content` since the last revision.
    ///
    /// It is nil for the first revision.
    public var patch: ValueMap?
    /// Whether it tells another phase or state, or gives an alert: news that readers are told at once.
    ///
    /// Otherwise it is another estimate of what they know.
    public var isNewState: Bool
    /// How much the activity matters among others, from 0 to 100.
    public var relevance: Double
    /// From when on what is shown may be outdated; later than `at`, and nil when that can't be told.
    ///
    /// It is two seconds after the first countdown of the content reaches zero, since one that is stale at zero is drawn as
    /// if it was loading. Without a countdown it is after twice the silence that makes the activity stale.
    public var staleAt: Timestamp?
    /// What opens when it is touched; the caller sets it.
    public var link: String?
    /// When the activity should vanish from readers; set with the end only.
    public var dismissAt: Timestamp?
    /// What to say to a person; the caller sets it.
    public var alert: ActivityAlert? {
        didSet { if alert != nil { isNewState = true } }
    }

    /// The snapshot of the activity as JSON, without spaces.
    public func snapshotJSON() -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writeHead(to: &writer, isDiff: false)
        writer.key("phase")
        writer.string(phase.name)
        writer.key("state")
        writer.string(state)
        writer.key("attributes")
        writer.value(.map(attributes))
        writer.key("content")
        writer.value(.map(content))
        writer.endObject()
        return writer.bytes
    }

    /// The difference to the last revision as JSON, without spaces; nil for the first one, which follows nothing.
    public func diffJSON() -> [UInt8]? {
        guard let patch else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        writeHead(to: &writer, isDiff: true)
        writer.key("patch")
        writer.value(.map(patch))
        writer.endObject()
        return writer.bytes
    }

    private func writeHead(to writer: inout JSONWriter, isDiff: Bool) {
        writer.key("id")
        writer.string(id)
        writer.key("rev")
        writer.int(rev)
        if isDiff {
            writer.key("prev")
            writer.int(prev)
        }
        writer.key("epoch")
        writer.int(epoch)
        writer.key("at")
        writer.seconds(at)
    }
}
