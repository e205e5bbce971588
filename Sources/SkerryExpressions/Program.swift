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
    /// Whether the type of every part is known, so that no operator and no function can get an operand of a wrong
    /// type; this holds only if everything that is read has its declared type or is an error.
    public let isFullyTyped: Bool
    let code: Code

    init(type: ExpressionType, references: [Reference], isFullyTyped: Bool, code: Code) {
        self.type = type
        self.references = references
        self.isFullyTyped = isFullyTyped
        self.code = code
    }

    /// Compiles a text.
    ///
    /// - Parameters:
    ///   - text: The expression in CEL.
    ///   - scope: What it may name.
    ///   - paths: Where the payload's paths get their numbers; unchanged when the text has mistakes.
    ///   - limits: How long, deep and large the text may be.
    /// - Returns: The compiled expression.
    /// - Throws: All mistakes that were found, with their places.
    public static func compile(
        _ text: String,
        in scope: Scope,
        paths: inout PathTable,
        limits: ExpressionLimits = ExpressionLimits()
    ) throws(ExpressionProblem) -> Program {
        let bytes = Array(text.utf8)
        do throws(ExpressionProblem) {
            return try Compiler.compile(SyntaxTree.of(bytes, limits: limits), in: scope, paths: &paths)
        } catch {
            let range = SourceRange(start: 0, end: bytes.count)
            throw ExpressionProblem(Remedy(bytes: bytes, range: range, scope: scope).improved(error.findings))
        }
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

    @usableFromInline
    func run(costLimit: Int32, _ load: (Reference) -> Value) -> Value {
        var state = EvaluationState(costLimit: costLimit)
        let value = code.value(code.root, &state, load)
        return state.remaining < 0 ? .error(.costExceeded) : value
    }
}
