/// A part of an expression of ECMAScript, with its place.
public struct ScriptNode: Sendable {
    /// What a part can be.
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
        /// `a.b` or `a[b]`; the former with a text as its second part.
        case member(ScriptNode, ScriptNode)
        /// A call; `new` when `makes` is set.
        case call(ScriptNode, [ScriptNode], makes: Bool)
        /// `[a, b]`
        case list([ScriptNode])
        /// `{a: b}`
        case object([ScriptMember])
        /// A sign, or `typeof`, `void`, before a value.
        case unary(String, ScriptNode)
        /// A sign, or `in`, `instanceof`, between values.
        case binary(String, ScriptNode, ScriptNode)
        /// `a ? b : c`
        case conditional(ScriptNode, ScriptNode, ScriptNode)
        /// `a = b`; with a sign `a += b` and the like.
        case assignment(ScriptNode, sign: String?, ScriptNode)
        /// `++a`, `a++`, `--a`, `a--`
        case step(ScriptNode, by: Double, isPrefix: Bool)
        /// A function.
        case function(ScriptFunction)
    }

    /// What it is.
    public let kind: Kind
    /// Where it stands in the script, in bytes of UTF-8: its name or sign, or its first part.
    public let offset: Int

    /// Makes a part.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

/// A member of an object as written.
public struct ScriptMember: Sendable {
    /// Its name.
    public let name: String
    /// Its value.
    public let value: ScriptNode
}

/// A function as written.
public final class ScriptFunction: Sendable {
    /// Its name; empty when it has none.
    public let name: String
    /// The names of its parameters.
    public let parameters: [String]
    /// What it does.
    public let body: [ScriptStatement]

    init(name: String, parameters: [String], body: [ScriptStatement]) {
        self.name = name
        self.parameters = parameters
        self.body = body
    }
}

/// A statement of ECMAScript.
public indirect enum ScriptStatement: Sendable {
    /// An expression for what it does.
    case expression(ScriptNode)
    /// `var a = b`
    case variable(String, ScriptNode?)
    /// `function f() {}`
    case function(ScriptFunction)
    /// Several, one after the other.
    case block([ScriptStatement])
    /// `if`
    case branch(ScriptNode, ScriptStatement, ScriptStatement?)
    /// `while`, and `for` with what it does after each round.
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

/// Why a script can't be read, or has no value.
public struct ScriptError: Error {
    /// What is wrong.
    public let message: String
    /// Where, in bytes of UTF-8 from the beginning.
    public let offset: Int

    /// Makes an error.
    public init(_ message: String, at offset: Int = 0) {
        self.message = message
        self.offset = offset
    }
}
