import SkerryValues

/// The smallest part of the text that means something.
struct Token {
    enum Kind {
        case end
        /// A name; reserved words too, because fields may be called so.
        case identifier(String)
        /// A field name in back quotes.
        case quotedField(String)
        /// A whole number without its sign, which the parser puts before it.
        case integer(UInt64)
        case literal(Value)
        case symbol(Symbol)
    }

    var kind: Kind
    var range: SourceRange
}

/// Operators and punctuation.
enum Symbol: UInt8 {
    case leftParenthesis, rightParenthesis, leftBracket, rightBracket, leftBrace, rightBrace
    case dot, comma, colon, question
    case plus, minus, star, slash, percent, not
    case less, lessOrEqual, greater, greaterOrEqual, equal, notEqual, and, or, `in`

    var text: String {
        switch self {
        case .leftParenthesis: "("
        case .rightParenthesis: ")"
        case .leftBracket: "["
        case .rightBracket: "]"
        case .leftBrace: "{"
        case .rightBrace: "}"
        case .dot: "."
        case .comma: ","
        case .colon: ":"
        case .question: "?"
        case .plus: "+"
        case .minus: "-"
        case .star: "*"
        case .slash: "/"
        case .percent: "%"
        case .not: "!"
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .equal: "=="
        case .notEqual: "!="
        case .and: "&&"
        case .or: "||"
        case .in: "in"
        }
    }
}

/// Returns whether a name is a word of the grammar, so that nothing can be read by it.
package func isReservedWord(_ name: String) -> Bool {
    (reservedWords + ["in", "true", "false", "null"]).contains { haveSameBytes($0, name) }
}

/// Words that the language keeps for itself; they may name fields, but not variables or functions.
let reservedWords = [
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
    "namespace", "return", "var", "void", "while",
]
