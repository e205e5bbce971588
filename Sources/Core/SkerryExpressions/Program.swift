public import SkerryValues

/// A compiled expression.
///
/// Immutable. It is parsed and checked once, and evaluated as often as messages come. Evaluating never traps, never
/// runs longer than its cost limit, and gives an error value where CEL has an error.
public final class Program: Sendable {
    /// The type of the result, as far as it is known before the evaluation.
    public let type: ExpressionType
    /// Everything the expression may read, in the order of the text, each once.
    public let references: [Reference]
    /// True if the type of every part is known, so that no operator and no function can get an operand of a wrong
    /// type; this holds only if everything that is read has its declared type or is an error.
    public let isFullyTyped: Bool
    let code: Code

    init(type: ExpressionType, references: [Reference], isFullyTyped: Bool, code: Code) {
        self.type = type
        self.references = references
        self.isFullyTyped = isFullyTyped
        self.code = code
    }

    /// The value of the expression.
    ///
    /// Every part evaluated and every element visited costs one unit, long texts and lists more. Above
    /// `costLimit` the result is the error `costExceeded`, which nothing absorbs.
    @inlinable
    public func evaluate<Source: ValueSource>(
        from source: Source,
        _ context: Source.Context,
        costLimit: Int32
    ) -> Value {
        run(costLimit: costLimit) { source.load($0, context) }
    }

    /// The value of the expression, with the values that `load` gives; its cost is added to `spent`.
    public func evaluate(costLimit: Int32, spent: inout Int, _ load: (Reference) -> Value) -> Value {
        var state = EvaluationState(costLimit: costLimit)
        let value = code.value(code.root, &state, load)
        assert(state.remaining < costLimit, "an evaluation costs nothing")
        spent &+= Int(costLimit) &- Int(max(state.remaining, 0))
        // Whatever has absorbed the error on the way, such as `||` or `default()`.
        return state.remaining < 0 ? .error(.costExceeded) : value
    }

    @usableFromInline
    func run(costLimit: Int32, _ load: (Reference) -> Value) -> Value {
        var spent = 0
        return evaluate(costLimit: costLimit, spent: &spent, load)
    }
}
