/// A part of an ECMAScript expression, with its place.
package struct ScriptNode: Sendable {
    /// The kinds of expressions.
    package indirect enum Kind: Sendable {
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
    package let kind: Kind
    /// The position in the script in bytes of UTF-8: that of the name or operator, or of the first part.
    package let offset: Int

    /// Makes a part at a position.
    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

/// A member of an object as written.
package struct ScriptMember: Sendable {
    /// The name of the member.
    package let name: String
    /// The expression of its value.
    package let value: ScriptNode
}

/// A function as written.
package final class ScriptFunction: Sendable {
    /// The name; empty for a function without one.
    package let name: String
    /// The names of the parameters.
    package let parameters: [String]
    /// The statements of the function.
    package let body: [ScriptStatement]

    init(name: String, parameters: [String], body: [ScriptStatement]) {
        self.name = name
        self.parameters = parameters
        self.body = body
    }
}

/// A statement of ECMAScript.
package indirect enum ScriptStatement: Sendable {
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
package struct ScriptError: Error {
    /// The mistake, in words.
    package let message: String
    /// The position in bytes of UTF-8 from the beginning.
    package let offset: Int

    /// Makes an error.
    package init(_ message: String, at offset: Int = 0) {
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
