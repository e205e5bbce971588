import SkerryExpressions
import SkerryValues

/// The way in which a signal follows values over time.
struct SignalForm: Sendable {
    /// The most signals of a definition that follow values over time.
    static let limit = 32
    /// The most values, or buckets of values, that a signal keeps.
    static let sampleLimit = 64

    /// The number of the signal.
    var signal: Int
    /// The number of its history among those of a device.
    var history: Int
    var kind: SignalFormKind
    /// The values of a mean, a median or a rate.
    var span = SignalFormDraft.Span.count(2)
    /// The unit of time of an integral or a rate.
    var per = Interval.hours(1)
    /// The longest time for which a value counts in an integral.
    var gap = Interval.minutes(15)
    /// The number at which a counter begins at 0 again.
    var wraps: Double?
    /// The time for which a truth value must have differed before it turns.
    var delay: Interval?
    /// The condition under which a truth value turns false; nil for "when `on` does not hold".
    var off: Program?

    /// The type of the signal.
    var type: ExpressionType { kind == .on ? .bool : .double }

    /// True if both make the same figure in the same way, whatever they read.
    func isLike(_ other: SignalForm) -> Bool {
        kind == other.kind && span == other.span && per == other.per && gap == other.gap
            && wraps == other.wraps && delay == other.delay
    }
}
