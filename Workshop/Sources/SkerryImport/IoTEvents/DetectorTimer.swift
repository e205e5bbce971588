import SkerryDevice

/// What is known of a timer of a detector model.
struct DetectorTimer {
    /// What the model calls it.
    var original: String
    /// What the definition calls it.
    var name: String
    /// The lengths with which it is set, in seconds.
    var lengths: [DetectorExpression] = []
    /// Whether something starts it again for as long as before.
    var isReset = false
    /// The variable with the seconds of the last start; nil when nothing needs to know.
    var length: String?
    /// The variable that keeps whether it was over when an evaluation began; nil when nothing needs to know.
    var end: String?

    init(original: String, name: String) {
        self.original = original
        self.name = name
    }

    /// The one length with which it is always set, in whole seconds.
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

    /// A length as expressions write it.
    static func text(ofSeconds seconds: Int64) -> String {
        if seconds > 0, seconds % 3600 == 0 { return "hours(\(seconds / 3600))" }
        if seconds > 0, seconds % 60 == 0 { return "minutes(\(seconds / 60))" }
        return "seconds(\(seconds))"
    }
}

extension DetectorExpression {
    /// A number that is known, rounded down to whole seconds.
    var wholeSeconds: Int64? {
        switch self {
        case .integer(let seconds): seconds
        case .decimal(let seconds): Int64(exactly: seconds.rounded(.down))
        default: nil
        }
    }
}
