import Foundation
import SkerryExpressions
import SkerryFiles
import SkerryValues

/// A line `expression → result` of a document.
struct ExpressionExample {
    enum Result {
        /// An expression with the same value.
        case value(String)
        /// The evaluation has this error.
        case error(String)
        /// The expression is refused, with this in a message.
        case mistake(String)
    }

    var expression: String
    var result: Result
    var line: Int

    /// The examples of a block; lines without an arrow are none.
    static func examples(in block: Page.Block) -> [ExpressionExample] {
        let lines = block.text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { offset, line in
            guard let arrow = line.range(of: " → ", options: .backwards) else { return nil }
            let result = String(line[arrow.upperBound...])
            return ExpressionExample(
                expression: line[..<arrow.lowerBound].trimmingCharacters(in: .whitespaces),
                result: Result(result),
                line: block.line + offset
            )
        }
    }

    /// What is not as the example says; nil when all is.
    func difference() -> String? {
        let value: Value
        do {
            value = try Self.value(of: expression)
        } catch {
            let messages = error.findings.map(\.message).joined(separator: ", ")
            if case .mistake(let expected) = result, messages.contains(expected) { return nil }
            return "it is refused: \(messages)"
        }
        switch result {
        case .mistake: return "it is not refused"
        case .error(let expected):
            guard case .error(let error) = value else { return "it has no error" }
            let words = Self.words(of: error)
            return words == expected ? nil : "the error is \(words)"
        case .value(let expected):
            if case .error(let error) = value { return "the error is \(Self.words(of: error))" }
            let comparison =
                "type(dyn(\(expression))) == type(dyn(\(expected))) && dyn(\(expression)) == dyn(\(expected))"
            if case .bool(true)? = try? Self.value(of: comparison) { return nil }
            guard case .string(let text)? = try? Self.value(of: "'%s'.format([\(expression)])") else {
                return "it is something else"
            }
            return "it is \(text)"
        }
    }

    private static func value(of text: String) throws(ExpressionProblem) -> Value {
        var scope = Scope()
        let zones = SystemTimeZones()
        scope.timeZone = { zones.rules($0) }
        var paths = PathTable()
        let program = try Program.compile(text, in: scope, paths: &paths)
        return program.evaluate(from: NoNames(), (), costLimit: 10_000)
    }

    /// The name of an error as people write it: `noSuchKey` is `no such key`.
    static func words(of error: EvaluationError) -> String {
        "\(error)".reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
    }
}

extension ExpressionExample.Result {
    init(_ text: String) {
        if let rest = text.trimmingPrefix("error: ", of: text) {
            self = .error(rest)
        } else if let rest = text.trimmingPrefix("mistake: ", of: text) {
            self = .mistake(rest)
        } else {
            self = .value(text)
        }
    }
}

extension String {
    fileprivate func trimmingPrefix(_ prefix: String, of text: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }
}

/// Expressions without names of their own.
struct NoNames: ValueSource {
    func load(_ reference: Reference, _ context: borrowing Void) -> Value { .error(.undeclaredReference) }
}
