import SkerryValues

/// Explains an expression of another language by the same expression in CEL.
struct Remedy {
    /// Longer texts are not read a second time.
    private static let limit = 2000

    let bytes: [UInt8]
    let range: SourceRange
    let scope: Scope

    /// The findings of a text, with what would be right where it is known; one finding when one mistake explains all.
    func improved(_ findings: [ExpressionProblem.Finding]) -> [ExpressionProblem.Finding] {
        guard !scope.defersChecks, let first = findings.first, range.end - range.start <= Self.limit else {
            return findings
        }
        if isSound(String(decoding: bytes[range.start..<range.end], as: UTF8.self)) { return named(findings) }
        return first.code == .tooLarge ? findings : [whole(first) ?? text(first) ?? partly(first)]
    }

    // MARK: What does not follow the grammar

    /// The finding of a text that stands in braces, or begins and ends with what other languages have for them.
    private func whole(_ finding: ExpressionProblem.Finding) -> ExpressionProblem.Finding? {
        let text = trimmed(range)
        let wraps: [(open: String, close: String, message: String)] = [
            ("{{", "}}", "an expression is written without '{{ }}'"),
            ("${", "}", "an expression is written without '${ }'"),
            ("{", "}", "an expression is written without braces: those are for texts such as titles"),
        ]
        for wrap in wraps where begins(text, wrap.open) && ends(text, wrap.close) {
            let inner = SourceRange(
                start: text.start + wrap.open.utf8.count,
                end: text.end - wrap.close.utf8.count
            )
            guard inner.start < inner.end else { return nil }
            let reading = ForeignReader.read(bytes, in: inner, scope)
            guard let corrected = reading.corrected, isSound(corrected) else { continue }
            return ExpressionProblem.Finding(
                .syntax,
                wrap.message,
                at: text,
                hint: isRight(corrected) ? "write `" + corrected + "`" : "leave them out"
            )
        }
        guard begins(text, "{%") else { return nil }
        return ExpressionProblem.Finding(
            .syntax,
            "there are no statements in an expression",
            at: SourceRange(start: text.start, end: text.start + 2),
            hint: "write condition ? value : other"
        )
    }

    /// The finding of a text in words, with or without values in braces.
    private func text(_ finding: ExpressionProblem.Finding) -> ExpressionProblem.Finding? {
        let place = trimmed(range)
        let written = String(decoding: bytes[place.start..<place.end], as: UTF8.self)
        var paths = PathTable()
        if written.utf8.contains(UInt8(ascii: "{")), written.utf8.first != UInt8(ascii: "`"),
            let template = try? TextTemplate.compile(
                written,
                in: scope,
                paths: &paths,
                limits: ExpressionLimits(),
                advises: false
            ),
            let corrected = joined(template, Array(written.utf8))
        {
            return ExpressionProblem.Finding(
                .syntax,
                "this is a text with braces, and an expression belongs here",
                at: place,
                hint: "write `" + corrected + "`"
            )
        }
        let tokens = ForeignLexer.tokens(bytes, in: place).dropLast()
        let isText = tokens.allSatisfy { token in
            switch token.kind {
            case .name: return !["and", "or", "not", "if", "else", "in", "is"].contains { token.isName($0) }
            case .number: return true
            case .sign: return ["!", ",", ".", "…", "-", ":"].contains { token.isSign($0) }
            case .text, .end: return false
            }
        }
        guard isText, tokens.count > 1, let first = tokens.first, let second = tokens.dropFirst().first,
            first.kind == .name, second.kind == .name, !first.isName("typeof")
        else { return nil }
        return ExpressionProblem.Finding(
            .syntax,
            "'" + written + "' is not an expression",
            at: place,
            hint: "a text has quotes of its own: write `'\"" + written + "\"'`"
        )
    }

    /// A text with braces as a sum of texts.
    private func joined(_ template: TextTemplate, _ written: [UInt8]) -> String? {
        var terms: [String] = []
        for part in template.parts {
            switch part {
            case .literal(let literal):
                guard !literal.utf8.contains(UInt8(ascii: "\"")), literal.utf8.last != UInt8(ascii: "$")
                else {
                    return nil
                }
                terms.append("\"" + literal + "\"")
            case .expression(let program, let range):
                let inner = String(
                    decoding: written[range.lowerBound + 1..<range.upperBound - 1],
                    as: UTF8.self
                )
                terms.append(program.type == .string ? inner : "string(" + inner + ")")
            }
        }
        guard template.parts.contains(where: { if case .expression = $0 { true } else { false } }) else {
            return nil
        }
        var text = ""
        for (index, term) in terms.enumerated() { text += (index > 0 ? " + " : "") + term }
        return text
    }

    /// The finding of a part that is of another language, when it explains what the parser stumbled over.
    private func partly(_ finding: ExpressionProblem.Finding) -> ExpressionProblem.Finding {
        let reading = ForeignReader.read(bytes, in: range, scope)
        let parts = reading.found.filter { !isOfNames($0) }
        let corrected = reading.corrected.flatMap { isSound($0) ? $0 : nil }
        guard let part = parts.first, corrected != nil || part.range.start <= finding.offset else {
            return finding
        }
        return ExpressionProblem.Finding(
            .syntax,
            part.message,
            at: part.range,
            hint: hint(of: part, corrected)
        )
    }

    private func isOfNames(_ part: ForeignPart) -> Bool {
        part.message.utf8.starts(with: "unknown name".utf8) && part.note != nil
    }

    // MARK: What is no name or does not fit

    private func named(_ findings: [ExpressionProblem.Finding]) -> [ExpressionProblem.Finding] {
        let reading = ForeignReader.read(bytes, in: range, scope)
        guard !reading.found.isEmpty else { return findings }
        var result = findings
        var isExplained = false
        for index in result.indices {
            let finding = result[index]
            let part = reading.found.first { part in
                part.range.start < finding.offset + max(1, finding.length) && finding.offset < part.range.end
            }
            guard let part, !isOfNames(part) || finding.code == .unknownName else { continue }
            if index == 0 { isExplained = true }
            // A small name is rather one of those that are known than a text.
            let isSmall = bytes[part.range.start] >= UInt8(ascii: "a")
            if !isOfNames(part) || finding.hint == nil || !isSmall {
                let isNear = finding.hint?.utf8.starts(with: "did you mean".utf8) ?? false
                if !isNear || !isOfNames(part) { result[index].hint = hint(of: part, nil) ?? finding.hint }
            }
        }
        guard isExplained, let corrected = reading.corrected, isRight(corrected),
            let part = reading.found.first
        else { return result }
        if !isOfNames(part), result[0].code == .wrongType { result[0].message = part.message }
        result[0].hint = hint(of: part, corrected)
        return [result[0]]
    }

    private func hint(of part: ForeignPart, _ corrected: String?) -> String? {
        guard let corrected, isRight(corrected) else {
            return part.hint ?? part.note
        }
        return "write `" + corrected + "`" + (part.note.map { ": " + $0 } ?? "")
    }

    // MARK: Checks

    /// Returns whether a corrected text follows the grammar.
    private func isSound(_ text: String) -> Bool {
        (try? SyntaxTree.of(Array(text.utf8))) != nil
    }

    /// Returns whether nothing is wrong with a corrected text.
    private func isRight(_ text: String) -> Bool {
        guard let tree = try? SyntaxTree.of(Array(text.utf8)) else { return false }
        var paths = PathTable()
        return (try? Compiler.compile(tree, in: scope, paths: &paths)) != nil
    }

    // MARK: Texts

    private func trimmed(_ range: SourceRange) -> SourceRange {
        var result = range
        while result.start < result.end, bytes[result.start] <= 0x20 { result.start += 1 }
        while result.start < result.end, bytes[result.end - 1] <= 0x20 { result.end -= 1 }
        return result
    }

    private func begins(_ range: SourceRange, _ text: String) -> Bool {
        bytes[range.start..<range.end].starts(with: text.utf8)
    }

    private func ends(_ range: SourceRange, _ text: String) -> Bool {
        range.end - range.start >= text.utf8.count
            && bytes[range.end - text.utf8.count..<range.end].elementsEqual(text.utf8)
    }
}
