package import SkerryValues

/// A decision about an activity on a phone, with its reason, for people who ask.
public struct PhoneDecision: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// A push was handed to the sender.
        case sent
        /// The service took it.
        case answered
        /// A revision changed nothing that a person would see.
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
        /// Another activity is more relevant, and the number that a phone shows is limited.
        case yielded
        /// The sender waits before it tries again.
        case paused
        /// It is longer than a push can be.
        case tooLarge
        /// It has ended on the phone.
        case over
        /// Its user switched Live Activities off for the app.
        case disabled
        /// It is not for the person that the phone belongs to.
        case notAudience
        /// The service refused it, or did not answer.
        case failed
        /// An alert went as an ordinary notification, because no card can carry it.
        case notified
        /// Its user chose not to see cards of its kind or device.
        case hidden
        /// The phone shows an older revision than was sent.
        case outdated

        /// The kind as it is written in reports.
        package var name: String {
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
            case .disabled: "disabled"
            case .notAudience: "not-audience"
            case .failed: "failed"
            case .notified: "notified"
            case .hidden: "hidden"
            case .outdated: "outdated"
            }
        }

        /// True if something did not reach a phone that should have.
        package var isFailure: Bool { self == .failed || self == .tooLarge }
    }

    /// The moment of the decision.
    package var at: Timestamp
    /// The name of the phone; empty for a channel, which concerns all phones.
    package var phone: String
    /// The id of the phone; nil for a channel, and for the recipient of a sink, which may be called as a phone is.
    package var phoneID: String?
    /// The id of the activity.
    package var activity: String
    package var kind: Kind
    /// Why, in words without a moment.
    package var text: String
    /// Until when that holds; nil when only something new changes it.
    package var until: Timestamp?

    /// Makes a record of a decision.
    package init(
        at: Timestamp,
        phone: String,
        phoneID: String? = nil,
        activity: String,
        kind: Kind,
        text: String,
        until: Timestamp? = nil
    ) {
        self.at = at
        self.phone = phone
        self.phoneID = phoneID
        self.activity = activity
        self.kind = kind
        self.text = text
        self.until = until
    }
}

/// The last decisions, oldest first; the oldest is dropped when there are too many.
package struct DecisionRing: Sendable {
    package private(set) var decisions: [PhoneDecision] = []
    /// The number of decisions that have not been reported yet.
    private var untold = 0

    static let limit = 64

    /// Makes an empty ring.
    package init() {}

    /// Adds a decision, unless it is the last one of its activity over again.
    package mutating func note(_ decision: PhoneDecision) {
        if let last = decisions.last(where: { $0.activity.hasSameCodePoints(as: decision.activity) }),
            last.kind == decision.kind, last.text.hasSameCodePoints(as: decision.text),
            last.until == decision.until
        {
            return
        }
        if decisions.count >= Self.limit { decisions.removeFirst() }
        decisions.append(decision)
        untold = min(untold + 1, Self.limit)
        assert(decisions.count <= Self.limit, "more decisions are kept than promised")
        assert(untold <= decisions.count, "a decision is news that was dropped")
    }

    /// The decisions since this was last asked.
    package mutating func takeNews() -> ArraySlice<PhoneDecision> {
        defer { untold = 0 }
        return decisions.suffix(untold)
    }
}
