import SkerryValues

/// An expression of a definition that could not be evaluated, with the reason and a count.
public struct ExpressionFailure: Hashable, Sendable {
    /// The expression, with its place.
    public let text: SourceText
    /// The reason, as a clause: `a value is of another type`.
    public let reason: String
    /// The number of failures, for all devices of the definition.
    public var count: UInt64
}

extension [ExpressionFailure] {
    /// Adds a failure, or counts it if the expression failed for the same reason before.
    public mutating func add(_ failure: ExpressionFailure) {
        let same = firstIndex { known in
            known.text.place == failure.text.place && known.reason.hasSameCodePoints(as: failure.reason)
        }
        if let same { self[same].count &+= failure.count } else { append(failure) }
    }
}

extension EvaluationError {
    /// The error as a clause.
    var words: String {
        switch self {
        case .noSuchKey: "a field is missing"
        case .unset: "a value is not known yet"
        case .noSuchOverload: "a value is of another type"
        case .divisionByZero: "division by zero"
        case .overflow: "a number is too large"
        case .invalidArgument: "an argument is out of range"
        case .indexOutOfBounds: "an index is beyond the end of a list"
        case .undeclaredReference: "a name is unknown"
        case .costExceeded: "it costs more than the limit"
        }
    }
}
