public import SkerryValues

/// A signal that follows values over time, as written; its first expression stands among the signals of the source.
public struct SignalFormDraft: Sendable {
    /// The values that are looked at together.
    public enum Span: Hashable, Sendable {
        /// So many values, the last ones.
        case count(Int)
        /// The values of this length of time.
        case length(Interval)
    }

    /// The name of the signal.
    public var signal: SourceText
    /// The figure that is made of the values.
    public var kind: SignalFormKind
    /// The values of a mean, a median or a rate; nil for the last two of a rate.
    public var over: Span?
    /// The unit of time of an integral or a rate; an hour when nil.
    public var per: SourceInterval?
    /// The longest time for which a value counts in an integral; a quarter of an hour when nil.
    public var gap: SourceInterval?
    /// The number at which a counter begins at 0 again; nil for one that only a reset brings back.
    public var wraps: Double?
    /// The condition under which a signal with `on` turns false; nil for "when `on` does not hold".
    public var off: SourceText?
    /// The time for which a signal with `on` must have differed before it turns.
    public var delay: SourceInterval?

    /// Makes a form without options.
    public init(signal: SourceText, kind: SignalFormKind) {
        self.signal = signal
        self.kind = kind
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
        }
    }

    /// The options that belong to it, by their words.
    public var options: [String] {
        switch self {
        case .integral: ["per", "gap"]
        case .rate: ["per", "over"]
        case .mean, .median: ["over"]
        case .min, .max: []
        case .counter: ["wraps"]
        case .on: ["off", "for"]
        }
    }
}
