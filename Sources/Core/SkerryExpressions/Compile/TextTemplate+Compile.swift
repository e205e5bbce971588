public import SkerryValues

extension TextTemplate {
    /// Compiles a text; offsets of findings are those in the whole text.
    ///
    /// - Parameters:
    ///   - text: The template.
    ///   - scope: What its expressions may name.
    ///   - paths: Where the payload's paths get their numbers.
    ///   - limits: How long, deep and large each expression, and how long the text, may be.
    /// - Returns: The compiled text.
    /// - Throws: All mistakes that were found, with their places.
    public static func compile(
        _ text: String,
        in scope: Scope,
        paths: inout PathTable,
        limits: ExpressionLimits = ExpressionLimits()
    ) throws(ExpressionProblem) -> TextTemplate {
        try compile(text, in: scope, paths: &paths, limits: limits, advises: true)
    }

    /// Compiles a text; only if it advises, findings suggest corrections of expressions in the style of other languages.
    static func compile(
        _ text: String,
        in scope: Scope,
        paths: inout PathTable,
        limits: ExpressionLimits,
        advises: Bool
    ) throws(ExpressionProblem) -> TextTemplate {
        let bytes = Array(text.utf8)
        guard bytes.count <= limits.length else {
            throw ExpressionProblem([
                ExpressionProblem.Finding(
                    .tooLarge,
                    "the text is longer than " + String(limits.length) + " bytes",
                    at: SourceRange(start: 0, end: bytes.count)
                )
            ])
        }
        var reader = TemplateReader(bytes: bytes, scope: scope, limits: limits, advises: advises)
        var parts: [Part] = []
        var references: [Reference] = []
        var findings: [ExpressionProblem.Finding] = []
        while let piece = reader.next(&paths) {
            switch piece {
            case .literal(let text): parts.append(.literal(text))
            case .expression(let program, let range):
                parts.append(.expression(program, at: range))
                for reference in program.references where !references.contains(reference) {
                    references.append(reference)
                }
            case .problem(let problem): findings += problem.findings
            }
        }
        guard findings.isEmpty else { throw ExpressionProblem(findings) }
        return TextTemplate(references: references, parts: parts)
    }
}

/// Cuts a template into literal texts and expressions.
private struct TemplateReader {
    enum Piece {
        case literal(String)
        case expression(Program, Range<Int>)
        case problem(ExpressionProblem)
    }

    let bytes: [UInt8]
    let scope: Scope
    let limits: ExpressionLimits
    let advises: Bool
    var position = 0

    mutating func next(_ paths: inout PathTable) -> Piece? {
        guard position < bytes.count else { return nil }
        if bytes[position] == UInt8(ascii: "{"), !isDoubled { return expression(&paths) }
        if bytes[position] == UInt8(ascii: "}"), !isDoubled {
            position += 1
            return problem(
                "a '}' without its '{'",
                SourceRange(start: position - 1, end: position),
                hint: "the brace itself is written '}}'"
            )
        }
        var literal: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
                guard isDoubled else { break }
                position += 1
            }
            literal.append(byte)
            position += 1
        }
        return .literal(String(decoding: literal, as: UTF8.self))
    }

    private var isDoubled: Bool {
        position + 1 < bytes.count && bytes[position + 1] == bytes[position]
    }

    private mutating func expression(_ paths: inout PathTable) -> Piece {
        let start = position
        var lexer = Lexer(bytes, from: start + 1, endsAtBrace: true)
        do throws(ExpressionProblem) {
            let tokens = try read { () throws(ExpressionProblem.Finding) in try lexer.tokens() }
            guard lexer.position < bytes.count else { return unclosed(start) }
            position = lexer.position + 1
            let tree = try read { () throws(ExpressionProblem.Finding) in
                try Parser.parse(tokens, of: bytes, limits: limits)
            }
            return .expression(try Compiler.compile(tree, in: scope, paths: &paths), start..<position)
        } catch {
            if position == start { position = closing(from: start) }
            guard advises else { return .problem(error) }
            let inner = SourceRange(start: start + 1, end: max(start + 1, position - 1))
            return .problem(
                ExpressionProblem(Remedy(bytes: bytes, range: inner, scope: scope).improved(error.findings))
            )
        }
    }

    private func read<Result>(
        _ body: () throws(ExpressionProblem.Finding) -> Result
    ) throws(ExpressionProblem) -> Result {
        do throws(ExpressionProblem.Finding) {
            return try body()
        } catch {
            throw ExpressionProblem([error])
        }
    }

    /// The place where the text continues after an expression that can't be read: after its brace, or at the end.
    private func closing(from start: Int) -> Int {
        var open = 0
        for place in start..<bytes.count {
            if bytes[place] == UInt8(ascii: "{") { open += 1 }
            if bytes[place] == UInt8(ascii: "}") {
                open -= 1
                if open == 0 { return place + 1 }
            }
        }
        return bytes.count
    }

    private mutating func unclosed(_ start: Int) -> Piece {
        position = bytes.count
        return problem(
            "a '{' without its '}'",
            SourceRange(start: start, end: start + 1),
            hint: "the brace itself is written '{{'"
        )
    }

    private func problem(_ message: String, _ range: SourceRange, hint: String) -> Piece {
        .problem(ExpressionProblem([ExpressionProblem.Finding(.syntax, message, at: range, hint: hint)]))
    }
}
