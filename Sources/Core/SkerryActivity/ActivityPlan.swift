public import SkerryValues

/// The common parts of a definition's activities: the kind and the fields of the content.
public struct ActivityPlan: Sendable {
    /// One field of the content.
    public struct Field: Sendable {
        /// The name of the member in the content.
        public var name: String
        /// The distance that the value may move without an update.
        public var tolerance: Tolerance
        /// The time that must have passed since a revision for other values alone before this one is a reason for the next.
        public var throttle: Interval

        /// Makes a field.
        public init(name: String, tolerance: Tolerance = .none, throttle: Interval = .zero) {
            self.name = name
            self.tolerance = tolerance
            self.throttle = throttle
        }
    }

    /// The distance that a value may have from the published one without an update, the limit included.
    public enum Tolerance: Equatable, Sendable {
        /// Every change is published; times change by whole seconds.
        case none
        /// A number may differ by this much.
        case number(Double)
        /// Each part of a time may differ by this much.
        case time(Interval)
    }

    /// The kind of the definition, the first part of every activity's id.
    public var kind: String
    /// The fields in the order in which they are written; their names are all different.
    public let fields: [Field]
    /// The relevance of its activities among others, from 0 to 100, unless each revision has its own.
    public var relevance: Double
    /// The silence that makes an activity stale; nil for none.
    public var silence: Interval?
    /// The longest content in bytes of JSON; longer content is not taken.
    public var contentLimit: Int
    /// True if the link of an activity may change within a run.
    public var isLinkContent = false
    /// True if a field may have to wait for its update.
    let isThrottled: Bool

    /// The limit of content unless the configuration says otherwise: what a push notification can carry.
    public static let defaultContentLimit = 4096

    /// The relevance if a definition does not give one.
    public static let defaultRelevance = 50.0

    /// Makes a plan.
    public init(
        kind: String,
        fields: [Field],
        relevance: Double = ActivityPlan.defaultRelevance,
        silence: Interval? = nil,
        contentLimit: Int = ActivityPlan.defaultContentLimit
    ) {
        self.kind = kind
        self.fields = fields
        self.relevance = relevance
        self.silence = silence
        self.contentLimit = contentLimit
        isThrottled = fields.contains { $0.throttle > .zero }
    }
}

/// The value that a device renders for one field of the content.
public enum ContentValue: Sendable {
    /// A value; null and errors leave the field out.
    case value(Value)
    /// A timer.
    case time(AnchoredTime)
    /// Whatever readers have.
    case kept
}
