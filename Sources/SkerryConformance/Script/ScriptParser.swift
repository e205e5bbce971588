/// Parses expressions of ECMAScript, without functions, regular expressions and assignments.
struct ScriptParser {
    private static let depthLimit = 100
    private static let ranks: [String: Int] = [
        "||": 1, "&&": 2, "===": 3, "!==": 3, "==": 3, "!=": 3, "<": 4, ">": 4, "<=": 4, ">=": 4, "in": 4,
        "+": 5, "-": 5,
        "*": 6, "/": 6, "%": 6,
    ]
    private static let reserved = [
        "return", "continue", "break", "function", "var", "new", "delete", "if", "else", "for", "while", "do",
        "in",
        "instanceof", "switch", "throw", "try", "catch", "class", "const", "let", "this", "void", "with",
    ]

    private let tokens: [ScriptLexer.Token]
    private var place = 0
    private var depth = 0

    init(_ text: String) throws(ScriptError) {
        tokens = try ScriptLexer.tokens(of: text)
    }

    /// The expression that is the whole text.
    static func expression(_ text: String) throws(ScriptError) -> ScriptNode {
        var parser = try ScriptParser(text)
        let node = try parser.expression()
        guard parser.isAtEnd else { throw ScriptError(message: "something follows the expression '\(text)'") }
        return node
    }

    /// Whether a text is a name that a variable may have.
    static func isName(_ text: String) -> Bool {
        guard let tokens = try? ScriptLexer.tokens(of: text) else { return false }
        return tokens == [.name(text)] && !reserved.contains(text)
    }

    var isAtEnd: Bool { place == tokens.count }

    private var next: ScriptLexer.Token? { place < tokens.count ? tokens[place] : nil }

    mutating func accept(_ sign: String) -> Bool {
        guard next == .sign(sign) else { return false }
        place += 1
        return true
    }

    mutating func accept(word: String) -> Bool {
        guard next == .name(word) else { return false }
        place += 1
        return true
    }

    private mutating func expect(_ sign: String) throws(ScriptError) {
        if !accept(sign) { throw ScriptError(message: "expected '\(sign)'") }
    }

    mutating func expression() throws(ScriptError) -> ScriptNode {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.depthLimit else { throw ScriptError(message: "nested too deep") }
        let condition = try binary(0)
        guard accept("?") else { return condition }
        let first = try expression()
        try expect(":")
        return .conditional(condition, first, try expression())
    }

    private var operation: String? {
        switch next {
        case .sign(let sign): sign
        case .name("in"): "in"
        default: nil
        }
    }

    private mutating func binary(_ least: Int) throws(ScriptError) -> ScriptNode {
        var left = try unary()
        while let sign = operation, let rank = Self.ranks[sign], rank > least {
            place += 1
            left = .binary(sign, left, try binary(rank))
        }
        return left
    }

    private mutating func unary() throws(ScriptError) -> ScriptNode {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.depthLimit else { throw ScriptError(message: "nested too deep") }
        for sign in ["!", "-", "+"] where accept(sign) { return .unary(sign, try unary()) }
        if accept(word: "typeof") { return .unary("typeof", try unary()) }
        return try postfix()
    }

    /// A value with what follows it: members, indices, arguments.
    mutating func postfix() throws(ScriptError) -> ScriptNode {
        var node = try primary()
        while true {
            if accept(".") {
                guard case .name(let name) = next else { throw ScriptError(message: "expected a member") }
                place += 1
                node = .member(node, .literal(.text(name)))
            } else if accept("[") {
                node = .member(node, try expression())
                try expect("]")
            } else if accept("(") {
                node = .call(node, try list(to: ")"))
            } else {
                return node
            }
        }
    }

    private mutating func primary() throws(ScriptError) -> ScriptNode {
        guard let token = next else { throw ScriptError(message: "the expression ends too early") }
        place += 1
        switch token {
        case .number(let number): return .literal(.number(number))
        case .text(let text): return .literal(.text(text))
        case .name("true"): return .literal(.bool(true))
        case .name("false"): return .literal(.bool(false))
        case .name("null"): return .literal(.null)
        case .name("undefined"): return .literal(.undefined)
        case .name(let name):
            guard !Self.reserved.contains(name) else {
                throw ScriptError(message: "'\(name)' can not stand here")
            }
            return .name(name)
        case .sign("("):
            let node = try expression()
            try expect(")")
            return node
        case .sign("["): return .list(try list(to: "]"))
        case .sign("{"): return .object(try members())
        case .sign(let sign): throw ScriptError(message: "'\(sign)' can not stand here")
        }
    }

    private mutating func list(to end: String) throws(ScriptError) -> [ScriptNode] {
        var nodes: [ScriptNode] = []
        while !accept(end) {
            nodes.append(try expression())
            if next != .sign(end) { try expect(",") }
        }
        return nodes
    }

    private mutating func members() throws(ScriptError) -> [(name: String, value: ScriptNode)] {
        var members: [(name: String, value: ScriptNode)] = []
        while !accept("}") {
            let name: String
            switch next {
            case .name(let found), .text(let found): name = found
            case .number(let number): name = ScriptValue.number(number).text
            default: throw ScriptError(message: "expected the name of a member")
            }
            place += 1
            try expect(":")
            members.append((name: name, value: try expression()))
            if next != .sign("}") { try expect(",") }
        }
        return members
    }
}
