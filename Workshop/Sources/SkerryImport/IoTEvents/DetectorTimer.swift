import SkerryDevice

/// A timer of a detector model, and its counterpart in the definition.
struct DetectorTimer {
    /// The name in the model.
    var original: String
    /// The name in the definition.
    var name: String
    /// The lengths with which the model sets the timer, in seconds.
    var lengths: [DetectorExpression] = []
    /// True if some action restarts the timer with its last length.
    var isReset = false
    /// The variable with the length of the last start in seconds; nil when no action needs it.
    var length: String?
    /// The variable with the state of the timer at the beginning of an evaluation; nil when no condition needs it.
    var end: String?

    /// The length in whole seconds, if the timer always has the same.
    var constant: Int64? {
        guard let first = lengths.first?.wholeSeconds, lengths.allSatisfy({ $0.wholeSeconds == first }) else {
            return nil
        }
        return first
    }

    /// The timer of the definition.
    func draft(at place: Place) -> TimerDraft {
        let seconds = lengths.lazy.compactMap(\.wholeSeconds).first ?? 60
        return TimerDraft(
            name: SourceText(name, at: place),
            kind: .duration(SourceText(Self.text(ofSeconds: seconds), at: place))
        )
    }

    /// A length in the syntax of expressions.
    static func text(ofSeconds seconds: Int64) -> String {
        if seconds > 0, seconds % 3600 == 0 { return "hours(\(seconds / 3600))" }
        if seconds > 0, seconds % 60 == 0 { return "minutes(\(seconds / 60))" }
        return "seconds(\(seconds))"
    }
}

extension DetectorExpression {
    /// The value of a constant, rounded down to whole seconds; nil for other expressions.
    var wholeSeconds: Int64? {
        switch self {
        case .integer(let seconds): seconds
        case .decimal(let seconds): Int64(exactly: seconds.rounded(.down))
        default: nil
        }
    }
}
