public import SkerryValues

extension Program {
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
}
