import SkerryValues

/// The result of parsing a text: nodes that refer to each other by their position, children first.
struct SyntaxTree {
    var nodes: [SyntaxNode] = []
    var root: SyntaxNode.ID = 0
    /// The text that was read, to show parts of it.
    var text: [UInt8] = []

    /// Reads a whole text as one expression.
    static func of(
        _ bytes: [UInt8],
        limits: ExpressionLimits = ExpressionLimits()
    ) throws(ExpressionProblem) -> SyntaxTree {
        do throws(ExpressionProblem.Finding) {
            guard bytes.count <= limits.length else {
                throw ExpressionProblem.Finding(
                    .tooLarge,
                    "the expression is longer than " + String(limits.length) + " bytes",
                    at: SourceRange(start: 0, end: bytes.count)
                )
            }
            var lexer = Lexer(bytes)
            return try Parser.parse(lexer.tokens(), of: bytes, limits: limits)
        } catch {
            throw ExpressionProblem([error])
        }
    }

    /// A part as it is written.
    func written(_ id: SyntaxNode.ID) -> String {
        let range = self[id].range
        return String(decoding: text[range.start..<range.end], as: UTF8.self)
    }

    subscript(id: SyntaxNode.ID) -> SyntaxNode { nodes[Int(id)] }
}

/// One part of an expression, with its place in the text.
struct SyntaxNode {
    typealias ID = Int32

    enum Kind {
        case literal(Value)
        /// A name; `isRooted` when written with a leading dot.
        case identifier(String, isRooted: Bool)
        case select(ID, field: String, isOptional: Bool)
        case index(ID, key: ID, isOptional: Bool)
        case call(String, target: ID?, arguments: [ID], nameRange: SourceRange)
        case list([Element])
        case map([Entry])
        case conditional(ID, then: ID, otherwise: ID)
        case logical(isAnd: Bool, [ID])
        case not(ID)
        case negate(ID)
        case binary(Symbol, ID, ID)
        case has(ID)
        case bind(String, value: ID, result: ID)
        case comprehension(Comprehension, over: ID, variables: [String], filter: ID?, body: ID)
    }

    struct Element {
        var value: ID
        var isOptional: Bool
    }

    struct Entry {
        var key: ID
        var value: ID
        var isOptional: Bool
    }

    var kind: Kind
    var range: SourceRange
    var depth: Int
}
