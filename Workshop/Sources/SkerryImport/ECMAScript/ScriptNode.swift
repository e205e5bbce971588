/// A part of an ECMAScript expression, with its place.
public struct ScriptNode: Sendable {
    /// The kinds of expressions.
    public indirect enum Kind: Sendable {
        /// `undefined`
        case undefined
        /// `null`
        case null
        /// `true` or `false`
        case bool(Bool)
        /// A number.
        case number(Double)
        /// A text in quotes.
        case text(String)
        /// A name.
        case name(String)
        /// `a.b` or `a[b]`; in `a.b` the second part is the text `b`.
        case member(ScriptNode, ScriptNode)
        /// A call, with `new` if `makes` is true.
        case call(ScriptNode, [ScriptNode], makes: Bool)
        /// `[a, b]`
        case list([ScriptNode])
        /// `{a: b}`
        case object([ScriptMember])
        /// A unary operator, or `typeof` or `void`.
        case unary(String, ScriptNode)
        /// A binary operator, or `in` or `instanceof`.
        case binary(String, ScriptNode, ScriptNode)
        /// `a ? b : c`
        case conditional(ScriptNode, ScriptNode, ScriptNode)
        /// `a = b`, or with a sign `a += b` and similar.
        case assignment(ScriptNode, sign: String?, ScriptNode)
        /// `++a`, `a++`, `--a`, `a--`
        case step(ScriptNode, by: Double, isPrefix: Bool)
        /// A function expression.
        case function(ScriptFunction)
    }

    /// The kind of expression, with its parts.
    public let kind: Kind
    /// The position in the script in bytes of UTF-8: that of the name or operator, or of the first part.
    public let offset: Int

    /// Makes a part at a position.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

/// A member of an object as written.
public struct ScriptMember: Sendable {
    /// The name of the member.
    public let name: String
    /// The expression of its value.
    public let value: ScriptNode
}

/// A function as written.
public final class ScriptFunction: Sendable {
    /// The name; empty for a function without one.
    public let name: String
    /// The names of the parameters.
    public let parameters: [String]
    /// The statements of the function.
    public let body: [ScriptStatement]

    init(name: String, parameters: [String], body: [ScriptStatement]) {
        self.name = name
        self.parameters = parameters
        self.body = body
    }
}

/// A statement of ECMAScript.
public indirect enum ScriptStatement: Sendable {
    /// An expression, evaluated for its effect.
    case expression(ScriptNode)
    /// `var a = b`
    case variable(String, ScriptNode?)
    /// `function f() {}`
    case function(ScriptFunction)
    /// Several statements, in order.
    case block([ScriptStatement])
    /// `if`
    case branch(ScriptNode, ScriptStatement, ScriptStatement?)
    /// `while`, or `for` with an expression after each round.
    case loop(while: ScriptNode?, after: ScriptNode?, ScriptStatement)
    /// `for (name in value)`
    case members(String, of: ScriptNode, ScriptStatement)
    /// `return`
    case give(ScriptNode?)
    /// `break`
    case leave
    /// `continue`
    case resume
    /// `throw`
    case fail(ScriptNode)
    /// `try` with its `catch`.
    case attempt(ScriptStatement, caught: String, ScriptStatement)
}

/// The reason why a script can't be parsed, or has no value.
public struct ScriptError: Error {
    /// The mistake, in words.
    public let message: String
    /// The position in bytes of UTF-8 from the beginning.
    public let offset: Int

    /// Makes an error.
    public init(_ message: String, at offset: Int = 0) {
        self.message = message
        self.offset = offset
    }
}

extension ScriptNode {
    /// The names of a chain such as `_event.data.a`; nil for any other expression.
    var path: [String]? {
        switch kind {
        case .name(let name): return [name]
        case .member(let owner, let key):
            guard case .text(let name) = key.kind else { return nil }
            return owner.path.map { $0 + [name] }
        default: return nil
        }
    }
}
