import SkerryExpressions
import SkerryValues

/// A search for a pattern that is only known at evaluation.
struct PatternTrial: ValueSource {
    private static let program: Program? = {
        var scope = Scope()
        scope.declare("text", type: .string, as: Reference(kind: 1, index: 0))
        scope.declare("pattern", type: .string, as: Reference(kind: 1, index: 1))
        var paths = PathTable()
        return try? Program.compile("text.matches(pattern)", in: scope, paths: &paths)
    }()

    private let values: [Value]

    private init(pattern: String, text: String) { values = [.string(text), .string(pattern)] }

    func load(_ reference: Reference, _ context: borrowing Void) -> Value { values[Int(reference.index)] }

    private var outcome: Value {
        Self.program?.evaluate(from: self, (), costLimit: 20_000) ?? .error(.undeclaredReference)
    }

    static func brokenPromise(_ bytes: [UInt8]) -> String? {
        let (first, rest) = bytes.splitAtFirstLine()
        let pattern = String(decoding: first, as: UTF8.self)
        let text = String(decoding: rest.prefix(2000), as: UTF8.self)
        let plain = PatternTrial(pattern: pattern, text: text).outcome
        switch plain {
        case .bool: break
        case .error(.invalidArgument), .error(.costExceeded): return nil
        default: return "a search gives neither a truth value nor an error of a search"
        }
        // A group around the whole pattern changes no result, but may make it too deep or too costly.
        switch (plain, PatternTrial(pattern: "(?:" + pattern + ")", text: text).outcome) {
        case (.bool(let alone), .bool(let grouped)) where alone != grouped:
            return "a group changes the outcome"
        case (_, .bool), (_, .error(.invalidArgument)), (_, .error(.costExceeded)): return nil
        default: return "a grouped search gives something else"
        }
    }
}
