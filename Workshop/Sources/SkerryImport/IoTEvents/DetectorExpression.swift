/// An expression of a detector model.
public indirect enum DetectorExpression: Sendable, Hashable {
    /// An operator between two expressions.
    public enum Operator: String, Sendable, CaseIterable {
        /// At least one is true; what is undefined is not.
        case or = "||"
        /// Both are true.
        case and = "&&"
        /// The bits of either.
        case bitOr = "|"
        /// The bits of one of them.
        case bitXor = "^"
        /// The bits of both.
        case bitAnd = "&"
        /// The same.
        case equal = "=="
        /// Not the same.
        case notEqual = "!="
        /// Less.
        case less = "<"
        /// Not more.
        case lessOrEqual = "<="
        /// More.
        case greater = ">"
        /// Not less.
        case greaterOrEqual = ">="
        /// The sum, or one text after the other.
        case add = "+"
        /// The difference.
        case subtract = "-"
        /// The product.
        case multiply = "*"
        /// The quotient; a whole number when both are.
        case divide = "/"
    }

    /// A function.
    public enum Function: String, Sendable, CaseIterable {
        /// Whether a timer is over; true only when it is asked first.
        case timeout
        /// A value as another type.
        case convert
        /// Whether a value is null.
        case isNull
        /// Whether there is no value.
        case isUndefined
        /// Whether a message or a timer is the reason.
        case triggerType
        /// Whether a message of an input is the reason.
        case currentInput
        /// Whether a text begins with another.
        case startsWith
        /// Whether a text ends with another.
        case endsWith
        /// Whether a text contains another.
        case contains
        /// The bits of either.
        case bitor
        /// The bits of both.
        case bitand
        /// The bits of one of them.
        case bitxor
        /// All other bits.
        case bitnot
    }

    /// A step into the data of an input.
    public enum Step: Sendable, Hashable {
        /// A field.
        case field(String)
        /// An element.
        case index(Int64)
    }

    /// A whole number.
    case integer(Int64)
    /// A number with a fraction.
    case decimal(Double)
    /// A text.
    case text(String)
    /// A truth value.
    case truth(Bool)
    /// Texts and values one after the other: `'it is ${$input.a.b}'`.
    case template([DetectorExpression])
    /// `$variable.name`
    case variable(String)
    /// `$input.name.path[0]`
    case input(String, [Step])
    /// `!a`
    case not(DetectorExpression)
    /// `-a`
    case minus(DetectorExpression)
    /// `~a`
    case bitNot(DetectorExpression)
    /// Two expressions with an operator between them.
    case binary(Operator, DetectorExpression, DetectorExpression)
    /// A function of expressions.
    case call(Function, [DetectorExpression])
}

extension DetectorExpression {
    /// The expressions it is made of, in the order in which they are evaluated.
    public var parts: [DetectorExpression] {
        switch self {
        case .integer, .decimal, .text, .truth, .variable, .input: []
        case .template(let parts), .call(_, let parts): parts
        case .not(let part), .minus(let part), .bitNot(let part): [part]
        case .binary(_, let left, let right): [left, right]
        }
    }

    /// It and all that it is made of.
    public var all: [DetectorExpression] { [self] + parts.flatMap(\.all) }

    /// The variables it reads.
    var variables: Set<String> {
        Set(all.compactMap { if case .variable(let name) = $0 { name } else { nil } })
    }

    /// The timer whose end it asks for, when it is nothing but that.
    var timeout: String? {
        if case .call(.timeout, let arguments) = self, case .text(let timer)? = arguments.first {
            timer
        } else {
            nil
        }
    }

    /// The timers whose end it or a part of it asks for.
    var timeouts: [String] { all.compactMap(\.timeout) }
}
