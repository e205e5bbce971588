public import SkerryValues

/// What was decided about an activity on a phone, and why; for people who ask what became of it.
public struct PhoneDecision: Hashable, Sendable {
    /// What was decided.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// A push was handed to the sender.
        case sent
        /// APNs answered.
        case answered
        /// A revision brought nothing that a person would see.
        case equal
        /// It waits for the budget.
        case held
        /// There is no token yet, or none any more.
        case tokenMissing
        /// The token was not confirmed for a long time.
        case tokenOld
        /// The clock of the gateway is not known to be right.
        case clockUnknown
        /// Its user removed it from the phone: silent for this run.
        case muted
        /// Another one is more relevant, and the phone shows only so many.
        case yielded
        /// The sender waits before it tries again.
        case paused
        /// It is longer than a push can be.
        case tooLarge
        /// It is over on the phone.
        case over

        /// The kind as it is written in reports.
        public var name: String {
            switch self {
            case .sent: "sent"
            case .answered: "answered"
            case .equal: "equal"
            case .held: "held"
            case .tokenMissing: "token-missing"
            case .tokenOld: "token-old"
            case .clockUnknown: "clock-unknown"
            case .muted: "muted"
            case .yielded: "yielded"
            case .paused: "paused"
            case .tooLarge: "too-large"
            case .over: "over"
            }
        }
    }

    /// When it was decided.
    public var at: Timestamp
    /// What people call the phone; empty for what concerns a channel and so all of them.
    public var phone: String
    /// The id of the activity.
    public var activity: String
    /// What was decided.
    public var kind: Kind
    /// Why, in words without a moment.
    public var text: String
    /// Until when that holds; nil when only something new changes it.
    public var until: Timestamp?

    /// Makes a record of a decision.
    public init(
        at: Timestamp,
        phone: String,
        activity: String,
        kind: Kind,
        text: String,
        until: Timestamp? = nil
    ) {
        self.at = at
        self.phone = phone
        self.activity = activity
        self.kind = kind
        self.text = text
        self.until = until
    }
}

/// The last decisions, oldest first; the oldest goes when there are too many.
struct DecisionRing: Sendable {
    private(set) var decisions: [PhoneDecision] = []
    /// How many of them nobody was told.
    private var untold = 0

    static let limit = 64

    /// Adds a decision, unless it is the last one of its activity over again.
    mutating func note(_ decision: PhoneDecision) {
        if let last = decisions.last(where: { $0.activity.hasSameCodePoints(as: decision.activity) }),
            last.kind == decision.kind, last.text.hasSameCodePoints(as: decision.text),
            last.until == decision.until
        {
            return
        }
        if decisions.count >= Self.limit { decisions.removeFirst() }
        decisions.append(decision)
        untold = min(untold + 1, Self.limit)
    }

    /// The decisions since this was last asked.
    mutating func takeNews() -> ArraySlice<PhoneDecision> {
        defer { untold = 0 }
        return decisions.suffix(untold)
    }
}
