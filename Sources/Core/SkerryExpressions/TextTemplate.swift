public import SkerryValues

/// A text with expressions in braces: `{program} has finished`.
///
/// `{{` and `}}` stand for the braces themselves.
public struct TextTemplate: Sendable {
    /// Everything the text may read, in order, each once.
    public let references: [Reference]
    /// The parts of the text, in order.
    public let parts: [Part]

    /// A part of a template.
    public enum Part: Sendable {
        /// Text as it is.
        case literal(String)
        /// An expression; its braces are at these bytes of the template's UTF-8.
        case expression(Program, at: Range<Int>)
    }

    /// The text, if it is the same with all values; nil if it contains an expression.
    public var constant: String? {
        if parts.isEmpty { return "" }
        if parts.count == 1, case .literal(let literal) = parts[0] { return literal }
        return nil
    }

    /// The text with the present values; null, errors, lists and maps are missing, and take along what belongs to them.
    ///
    /// Each expression may cost up to `costLimit`.
    public func render<Source: ValueSource>(
        from source: Source,
        _ context: Source.Context,
        costLimit: Int32
    ) -> String {
        rendering { $0.evaluate(from: source, context, costLimit: costLimit) }.text
    }

    /// The text with the values that `evaluate` gives the expressions, those that could not be evaluated, and whether each one
    /// gave some text.
    public func rendering(
        by evaluate: (Program) -> Value
    ) -> (text: String, failures: [(program: Program, error: EvaluationError)], isComplete: Bool) {
        if let constant { return (constant, [], true) }
        var isComplete = true
        var text = ""
        var failures: [(program: Program, error: EvaluationError)] = []
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .expression(let program, _):
                let value = evaluate(program)
                if case .error(let error) = value { failures.append((program, error)) }
                let written = value.text ?? ""
                if written.utf8.isEmpty { isComplete = false }
                text += written
            }
        }
        if isComplete { return (text, failures, true) }
        // Once more, because it is rare that a value is missing, and pieces for every text would cost more.
        let pieces = parts.map { part in
            switch part {
            case .literal(let literal): TextPiece.words(literal)
            case .expression(let program, _):
                TextPiece.value(evaluate(program).text ?? "")
            }
        }
        return (pieces.joined(), failures, false)
    }

    /// The text with the values that `evaluate` gives the expressions; nil when one of them is null, an error, a list or a map.
    public func text(by evaluate: (Program) -> Value) -> String? {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .expression(let program, _):
                let value = evaluate(program)
                guard let written = value.text else { return nil }
                text += written
            }
        }
        return text
    }
}
