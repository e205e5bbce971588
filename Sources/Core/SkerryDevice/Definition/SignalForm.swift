import SkerryExpressions
public import SkerryValues

/// The way in which a signal follows values over time.
struct SignalForm: Sendable {
    /// The most signals of a definition that follow values over time.
    static let limit = 32
    /// The most values, or buckets of values, that a signal keeps.
    static let sampleLimit = 64
    /// The shortest time between two reports of a pace: many devices say the same in two messages.
    static let leastPace = Interval.seconds(2)
    /// The longest time between two reports that is a pace, in seconds: some devices repeat what has not changed every quarter of an
    /// hour.
    static let longestSeconds = 360.0

    /// The number of the signal.
    var signal: Int
    /// The number of its history among those of a device.
    var history: Int
    var kind: SignalFormKind
    /// The values of a mean, a median or a rate.
    var span = SignalSpan.count(2)
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
    /// The signals whose pace it is.
    var watched = SignalSet()

    var type: ExpressionType { kind == .on ? .bool : .double }

    /// True if both make the same figure in the same way, whatever they read.
    func isLike(_ other: SignalForm) -> Bool {
        kind == other.kind && span == other.span && per == other.per && gap == other.gap
            && wraps == other.wraps && delay == other.delay && watched == other.watched
    }
}

/// The figure that a signal makes of values over time.
public enum SignalFormKind: UInt8, Sendable, CaseIterable {
    /// The sum of a value over time, such as the energy of a power.
    case integral
    /// The change of a value in a unit of time.
    case rate
    /// The mean of the last values.
    case mean
    /// The median of the last values.
    case median
    /// The smallest value.
    case min
    /// The greatest value.
    case max
    /// The increase of a counter that wraps or is reset.
    case counter
    /// A truth value that turns at two thresholds, or only after a time.
    case on
    /// The usual time between two values, in seconds.
    case pace

    /// The word of the definition language.
    public var name: String {
        switch self {
        case .integral: "integral"
        case .rate: "rate"
        case .mean: "mean"
        case .median: "median"
        case .min: "min"
        case .max: "max"
        case .counter: "counter"
        case .on: "on"
        case .pace: "pace"
        }
    }

    /// The options that belong to it, by their words.
    public var options: [String] {
        switch self {
        case .integral: ["per", "gap"]
        case .rate: ["per", "over"]
        case .mean, .median: ["over"]
        case .min, .max, .pace: []
        case .counter: ["wraps"]
        case .on: ["off", "for"]
        }
    }
}

/// The values of a mean, a median or a rate.
public enum SignalSpan: Hashable, Sendable {
    /// So many values, the last ones.
    case count(Int)
    /// The values of this length of time.
    case length(Interval)
}
