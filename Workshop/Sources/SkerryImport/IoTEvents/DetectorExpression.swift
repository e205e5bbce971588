/// An expression of a detector model.
package indirect enum DetectorExpression: Sendable, Hashable {
    /// An operator between two expressions.
    package enum Operator: String, Sendable, CaseIterable {
        /// True if at least one operand is true; an undefined operand counts as false.
        case or = "||"
        /// True if both operands are true.
        case and = "&&"
        /// Bitwise or.
        case bitOr = "|"
        /// Bitwise exclusive or.
        case bitXor = "^"
        /// Bitwise and.
        case bitAnd = "&"
        /// Equal.
        case equal = "=="
        /// Not equal.
        case notEqual = "!="
        /// Less than.
        case less = "<"
        /// At most.
        case lessOrEqual = "<="
        /// Greater than.
        case greater = ">"
        /// At least.
        case greaterOrEqual = ">="
        /// Sum, or concatenation of texts.
        case add = "+"
        /// Difference.
        case subtract = "-"
        /// Product.
        case multiply = "*"
        /// Quotient; a whole number if both operands are.
        case divide = "/"
    }

    /// The functions of detector models.
    package enum Function: String, Sendable, CaseIterable {
        /// True if a timer has ended and no earlier `timeout()` has used up this end.
        case timeout
        /// The conversion of a value to another type.
        case convert
        /// True for null.
        case isNull
        /// True for an expression without a value.
        case isUndefined
        /// True if a message, or a timer, caused the evaluation.
        case triggerType
        /// True if a message of an input caused the evaluation.
        case currentInput
        /// True if a text begins with another.
        case startsWith
        /// True if a text ends with another.
        case endsWith
        /// True if a text contains another.
        case contains
        /// Bitwise or.
        case bitor
        /// Bitwise and.
        case bitand
        /// Bitwise exclusive or.
        case bitxor
        /// Bitwise complement.
        case bitnot
    }

    /// A step of a path into the data of an input.
    package enum Step: Sendable, Hashable {
        /// A field, by its name.
        case field(String)
        /// An element of a list, from 0.
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
    /// A text with embedded values: `'it is ${$input.a.b}'`.
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
    /// Two expressions with an operator.
    case binary(Operator, DetectorExpression, DetectorExpression)
    /// A call of a function.
    case call(Function, [DetectorExpression])
}

extension DetectorExpression {
    /// The direct parts of the expression, in the order of evaluation.
    package var parts: [DetectorExpression] {
        switch self {
        case .integer, .decimal, .text, .truth, .variable, .input: []
        case .template(let parts), .call(_, let parts): parts
        case .not(let part), .minus(let part), .bitNot(let part): [part]
        case .binary(_, let left, let right): [left, right]
        }
    }

    /// The expression and all parts below it.
    package var all: [DetectorExpression] { [self] + parts.flatMap(\.all) }

    /// The variables that the expression reads.
    var variables: Set<String> {
        Set(all.compactMap { if case .variable(let name) = $0 { name } else { nil } })
    }

    /// The timer of an expression that is only a `timeout()`; nil for any other expression.
    var timeout: String? {
        if case .call(.timeout, let arguments) = self, case .text(let timer)? = arguments.first {
            timer
        } else {
            nil
        }
    }

    /// The timers in all `timeout()` calls of the expression.
    var timeouts: [String] { all.compactMap(\.timeout) }
}
