import SkerryExpressions
import SkerryValues

/// A writer of detector model expressions as CEL.
///
/// AWS evaluates an expression from left to right, stops when the rest does not matter, and `timeout()` has a side
/// effect. CEL does not define the order, and its expressions have no effects. So the side effects are returned beside
/// the expression, as checks.
struct DetectorExpressionWriter {
    /// The type of an expression, as far as it is known.
    enum Kind {
        case truth
        case integer
        case decimal
        case text
        case unknown
    }

    /// A piece of CEL.
    struct Part {
        var text: String
        /// The precedence of the outermost operator: 0 `?:`, 1 `||`, 2 `&&`, 3 comparisons, 4 `+`, 5 `*`, 6 `!`, 7
        /// names.
        var rank = 7
        var kind = Kind.unknown
        /// True if the expression always has a value.
        var isTotal = false
        /// The type that CEL's checker assumes, where that is more than is known: `x + 1` counts as a whole number.
        var apparent: Kind?

        /// The type that CEL's checker assumes.
        var checkedKind: Kind { apparent ?? kind }

        /// The text as an operand of an operator of a precedence, in parentheses if necessary.
        func within(_ outer: Int) -> String { rank < outer ? "(\(text))" : text }
    }

    /// A `timeout()` that AWS evaluates.
    struct Check {
        /// The name of the timer in the definition.
        var timer: String
        /// The conditions under which AWS evaluates the call, each as an operand of `&&`.
        var reach: [String] = []
        /// True if the call is the whole condition, so that the timer has ended exactly when the condition holds.
        var isWhole = false
    }

    /// The names of the model and their names in the definition.
    struct Names {
        var inputs: [String: String] = [:]
        var variables: [String: String] = [:]
        var timers: [String: String] = [:]
        /// The variables with the state of a timer at the beginning of an evaluation, by the name of the timer in the
        /// definition; a timer without one is read directly.
        var ends: [String: String] = [:]
        /// The variable with the event of the last input or timer.
        var trigger = "trigger"

        /// The CEL condition that a timer of the definition has ended.
        func isOver(_ timer: String) -> String {
            ends[timer].map { "context.\($0)" } ?? "timer.\(timer).elapsed"
        }
    }

    let names: Names
    /// The checks whose effect has not been written yet, in order.
    var checks: [Check] = []

    init(_ names: Names) {
        self.names = names
    }

    // MARK: Conditions

    /// Writes a condition; one without a value counts as false.
    mutating func condition(_ expression: DetectorExpression) -> Part {
        if let timer = expression.timeout.flatMap({ names.timers[$0] }),
            !checks.contains(where: { $0.timer == timer })
        {
            checks.append(Check(timer: timer, isWhole: true))
            return Part(text: names.isOver(timer), kind: .truth, isTotal: true)
        }
        return truth(expression, reach: [])
    }

    private mutating func truth(_ expression: DetectorExpression, reach: [String]) -> Part {
        switch expression {
        case .binary(.and, let left, let right):
            let first = truth(left, reach: reach)
            let second = truth(right, reach: reach + [first.within(3)])
            return joined(first, "&&", second, rank: 2)
        case .binary(.or, let left, let right):
            let first = truth(left, reach: reach)
            let second = truth(right, reach: reach + [Self.denied(first)])
            return joined(first, "||", second, rank: 1)
        case .call(.isNull, let arguments):
            return isNull(value(arguments[0], reach: reach))
        default:
            let part = value(expression, reach: reach)
            switch part.kind {
            case .truth, .unknown: return part
            case .integer, .decimal, .text: return Part(text: "false", kind: .truth, isTotal: true)
            }
        }
    }

    private func joined(_ left: Part, _ sign: String, _ right: Part, rank: Int) -> Part {
        Part(
            text: "\(left.within(rank)) \(sign) \(right.within(rank + 1))",
            rank: rank,
            kind: .truth,
            isTotal: left.isTotal && right.isTotal
        )
    }

    /// The negation of a part, as an operand of `&&`.
    static func denied(_ part: Part) -> String {
        "!\(settled(part).within(6))"
    }

    /// The part as a truth value, false where it has none.
    static func settled(_ part: Part) -> Part {
        if part.isTotal, part.kind == .truth { return part }
        let text = part.kind == .unknown ? "\(part.within(4)) == true" : part.text
        return Part(text: "default(\(text), false)", kind: .truth, isTotal: true)
    }

    // MARK: Values

    /// Writes an expression; its value is an error where AWS has none.
    mutating func value(_ expression: DetectorExpression) -> Part { value(expression, reach: []) }

    mutating func value(_ expression: DetectorExpression, reach: [String]) -> Part {
        switch expression {
        case .integer(let number):
            return Part(text: "\(number)", rank: number < 0 ? 6 : 7, kind: .integer, isTotal: true)
        case .decimal(let number):
            return Part(text: "\(number)", rank: number < 0 ? 6 : 7, kind: .decimal, isTotal: true)
        case .text(let text): return Part(text: Self.quoted(text), kind: .text, isTotal: true)
        case .truth(let flag): return Part(text: "\(flag)", kind: .truth, isTotal: true)
        case .template(let parts): return template(parts, reach: reach)
        case .variable(let name): return Part(text: "context.\(names.variables[name] ?? name)")
        case .input(let name, let steps): return Part(text: Self.path(names.inputs[name] ?? name, steps))
        case .not(let inner):
            let part = value(inner, reach: reach)
            let operand = Self.loose(part, unless: [.truth])
            return Part(
                text: "!\(operand.within(6))",
                rank: 6,
                kind: .truth,
                isTotal: part.isTotal && part.kind == .truth
            )
        case .minus(let inner):
            var part = Self.loose(value(inner, reach: reach), unless: [.integer, .decimal])
            if Self.isSurelyWithoutValue("-\(part.within(7))") { part.text = "dyn(\(part.text))" }
            return Part(text: "-\(part.within(7))", rank: 6, kind: part.kind, apparent: part.apparent)
        case .bitNot(let inner): return call("math.bitNot", [inner], takes: .integer, reach: reach)
        case .binary(let sign, let left, let right): return binary(sign, left, right, reach: reach)
        case .call(let function, let arguments): return call(function, arguments, reach: reach)
        }
    }

    private mutating func template(_ parts: [DetectorExpression], reach: [String]) -> Part {
        var texts: [String] = []
        for part in parts {
            let value = value(part, reach: reach)
            texts.append(value.kind == .text ? value.within(4) : "string(\(value.text))")
        }
        return Part(text: texts.joined(separator: " + "), rank: texts.count > 1 ? 4 : 7, kind: .text)
    }

    static func path(_ root: String, _ steps: [DetectorExpression.Step]) -> String {
        steps.reduce(root) { path, step in
            switch step {
            case .field(let name):
                DetectorNames.isField(name) ? "\(path).\(name)" : "\(path)[\(quoted(name))]"
            case .index(let index): "\(path)[\(index)]"
            }
        }
    }

    /// The part without a type for CEL's checker, unless the type is one that fits.
    static func loose(_ part: Part, unless fitting: [Kind]) -> Part {
        if part.checkedKind == .unknown || fitting.contains(part.checkedKind) { return part }
        return Part(text: "dyn(\(part.text))", kind: part.apparent == nil ? .unknown : part.kind)
    }

    /// True if CEL refuses the text because it always fails; AWS accepts such models.
    ///
    /// Within `dyn()` CEL accepts the text.
    static func isSurelyWithoutValue(_ text: String) -> Bool {
        var scope = Scope()
        scope.refusesFailures = true
        scope.toleratesUnknownNames = true
        var paths = PathTable()
        do throws(ExpressionProblem) {
            _ = try Program.compile(text, in: scope, paths: &paths)
            return false
        } catch {
            return error.findings.contains { $0.code == .badLiteral }
        }
    }

    // MARK: Operators

    private mutating func binary(
        _ sign: DetectorExpression.Operator,
        _ left: DetectorExpression,
        _ right: DetectorExpression,
        reach: [String]
    ) -> Part {
        switch sign {
        case .and:
            let first = value(left, reach: reach)
            let second = value(right, reach: reach + [first.within(3)])
            let operands = (Self.loose(first, unless: [.truth]), Self.loose(second, unless: [.truth]))
            if first.isTotal { return joined(operands.0, "&&", operands.1, rank: 2) }
            // CEL's `&&` could be false where AWS has no value because the left side has none.
            return Part(
                text: "\(operands.0.within(1)) ? \(operands.1.within(1)) : false",
                rank: 0,
                kind: operands.1.kind
            )
        case .or:
            let first = Self.settled(value(left, reach: reach))
            let second = Self.settled(value(right, reach: reach + [Self.denied(first)]))
            return joined(first, "||", second, rank: 1)
        case .bitOr: return call("math.bitOr", [left, right], takes: .integer, reach: reach)
        case .bitAnd: return call("math.bitAnd", [left, right], takes: .integer, reach: reach)
        case .bitXor: return call("math.bitXor", [left, right], takes: .integer, reach: reach)
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            let (first, second) = comparable(value(left, reach: reach), value(right, reach: reach))
            return Part(
                text: "\(first.within(4)) \(sign.rawValue) \(second.within(4))",
                rank: 3,
                kind: .truth,
                isTotal: first.isTotal && second.isTotal
            )
        case .add, .subtract, .multiply, .divide:
            return arithmetic(sign, value(left, reach: reach), value(right, reach: reach))
        }
    }

    /// Two operands of a comparison, without types where CEL would refuse to compare them.
    private func comparable(_ left: Part, _ right: Part) -> (Part, Part) {
        let numbers: [Kind] = [.integer, .decimal]
        let (first, second) = (left.checkedKind, right.checkedKind)
        let fits =
            first == .unknown || second == .unknown || first == second
            || numbers.contains(first) && numbers.contains(second)
        return fits ? (left, right) : (Self.loose(left, unless: []), Self.loose(right, unless: []))
    }

    private func arithmetic(_ sign: DetectorExpression.Operator, _ left: Part, _ right: Part) -> Part {
        let fitting: [Kind] = sign == .add ? [.integer, .decimal, .text] : [.integer, .decimal]
        var (first, second) = (Self.loose(left, unless: fitting), Self.loose(right, unless: fitting))
        let kind = first.kind == second.kind ? first.kind : .unknown
        if first.checkedKind != second.checkedKind, first.checkedKind != .unknown,
            second.checkedKind != .unknown
        {
            (first, second) = (Self.loose(first, unless: []), Self.loose(second, unless: []))
        }
        let rank = sign == .multiply || sign == .divide ? 5 : 4
        let apparent = first.checkedKind == .unknown ? second.checkedKind : first.checkedKind
        let operand = "\(sign.rawValue) \(second.within(rank + 1))"
        if Self.isSurelyWithoutValue("\(first.within(rank)) \(operand)") {
            first = Part(text: "dyn(\(first.text))")
        }
        return Part(
            text: "\(first.within(rank)) \(operand)",
            rank: rank,
            kind: kind,
            apparent: apparent
        )
    }
}

// Calls of functions: those of AWS, and those of CEL that do the same.

extension DetectorExpressionWriter {
    /// Writes a call of a CEL function whose arguments and result have the same type.
    mutating func call(
        _ name: String,
        _ arguments: [DetectorExpression],
        takes kind: Kind,
        reach: [String]
    ) -> Part {
        var texts: [String] = []
        for argument in arguments {
            texts.append(Self.loose(value(argument, reach: reach), unless: [kind]).text)
        }
        return Part(text: "\(name)(\(texts.joined(separator: ", ")))", kind: kind)
    }

    mutating func call(
        _ function: DetectorExpression.Function,
        _ arguments: [DetectorExpression],
        reach: [String]
    ) -> Part {
        var name = ""
        if case .text(let text)? = arguments.first { name = text }
        switch function {
        case .timeout: return timeout(names.timers[name] ?? name, reach: reach)
        case .currentInput:
            let event = Self.quoted("input.\(names.inputs[name] ?? name)")
            return Part(text: "context.\(names.trigger) == \(event)", rank: 3, kind: .truth, isTotal: true)
        case .triggerType: return triggerType(name)
        case .isNull: return Self.settled(isNull(value(arguments[0], reach: reach)))
        case .isUndefined: return isUndefined(arguments[0], reach: reach)
        case .convert: return convert(arguments[1], to: name, reach: reach)
        case .startsWith, .endsWith, .contains:
            let text = Self.loose(value(arguments[0], reach: reach), unless: [.text])
            let part = Self.loose(value(arguments[1], reach: reach), unless: [.text])
            return Part(text: "\(text.within(7)).\(function.rawValue)(\(part.text))", kind: .truth)
        case .bitor: return call("math.bitOr", arguments, takes: .integer, reach: reach)
        case .bitand: return call("math.bitAnd", arguments, takes: .integer, reach: reach)
        case .bitxor: return call("math.bitXor", arguments, takes: .integer, reach: reach)
        case .bitnot: return call("math.bitNot", arguments, takes: .integer, reach: reach)
        }
    }

    /// The condition that a timer has ended and no earlier check has used up the end.
    private mutating func timeout(_ timer: String, reach: [String]) -> Part {
        let earlier = checks.filter { $0.timer == timer }
        if earlier.contains(where: \.reach.isEmpty) {
            return Part(text: "false", kind: .truth, isTotal: true)
        }
        let denials = earlier.map { "!default(\($0.reach.joined(separator: " && ")), false)" }
        checks.append(Check(timer: timer, reach: reach + denials))
        return Part(
            text: ([names.isOver(timer)] + denials).joined(separator: " && "),
            rank: denials.isEmpty ? 7 : 2,
            kind: .truth,
            isTotal: true
        )
    }

    private func triggerType(_ type: String) -> Part {
        let isMessage = "context.\(names.trigger).startsWith(\"input.\")"
        switch type {
        case "Message": return Part(text: isMessage, kind: .truth, isTotal: true)
        case "Timer": return Part(text: "!" + isMessage, rank: 6, kind: .truth, isTotal: true)
        default: return Part(text: "false", kind: .truth, isTotal: true)
        }
    }

    func isNull(_ part: Part) -> Part {
        guard part.kind == .unknown else { return Part(text: "false", kind: .truth, isTotal: true) }
        return Part(text: "\(part.within(4)) == null", rank: 3, kind: .truth)
    }

    private mutating func isUndefined(_ expression: DetectorExpression, reach: [String]) -> Part {
        switch expression {
        case .variable(let name):
            let text = "!has(context.\(names.variables[name] ?? name))"
            return Part(text: text, rank: 6, kind: .truth, isTotal: true)
        case .input(let name, let steps):
            guard case .field? = steps.last else { fallthrough }
            let path = Self.path(names.inputs[name] ?? name, steps)
            guard !path.hasSuffix("]") else { fallthrough }
            return Part(text: "default(!has(\(path)), true)", kind: .truth, isTotal: true)
        default:
            let part = value(expression, reach: reach)
            if part.isTotal { return Part(text: "false", kind: .truth, isTotal: true) }
            let isThere = "\(part.within(4)) == \(part.within(4))"
            return Part(text: "!default(\(isThere), false)", rank: 6, kind: .truth, isTotal: true)
        }
    }

    private mutating func convert(
        _ expression: DetectorExpression,
        to type: String,
        reach: [String]
    ) -> Part {
        var part = value(expression, reach: reach)
        let function = type == "Boolean" ? "bool" : "double"
        if type != "String", Self.isSurelyWithoutValue("\(function)(\(part.text))") {
            part = Part(text: "dyn(\(part.text))")
        }
        return switch type {
        case "String": Part(text: "string(\(part.text))", kind: .text)
        case "Boolean":
            Part(text: "bool(\(Self.loose(part, unless: [.truth, .text]).text))", kind: .truth)
        case "Decimal":
            Part(
                text: "double(\(Self.loose(part, unless: [.integer, .decimal, .text]).text))",
                kind: .decimal
            )
        default: Part(text: "dyn(null) + 0")
        }
    }

    /// A text in CEL syntax.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
