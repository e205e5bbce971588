import SkerryValues

extension Compiler {
    /// A correction for an operator whose sides have incompatible types.
    func operandHint(
        _ symbol: Symbol,
        _ left: (id: SyntaxNode.ID, type: ExpressionType),
        _ right: (id: SyntaxNode.ID, type: ExpressionType)
    ) -> String? {
        let isComparison =
            switch symbol {
            case .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual: true
            default: false
            }
        if isComparison, case .not(let operand) = tree[left.id].kind, left.type == .bool, right.type != .bool
        {
            let inner = tree.written(operand) + " " + symbol.text + " " + tree.written(right.id)
            return "write `!(" + inner + ")`"
        }
        if let converted = converted(right, toFit: left.type) {
            return "write `" + tree.written(left.id) + " " + symbol.text + " " + converted + "`"
        }
        if let converted = converted(left, toFit: right.type) {
            return "write `" + converted + " " + symbol.text + " " + tree.written(right.id) + "`"
        }
        return conversionHint(left.type, right.type, isComparison: isComparison)
    }

    /// The form that a literal needs beside a value of a type; nil if it is not known.
    private func converted(
        _ part: (id: SyntaxNode.ID, type: ExpressionType),
        toFit type: ExpressionType
    ) -> String? {
        guard case .literal(let literal) = tree[part.id].kind else { return nil }
        let written = tree.written(part.id)
        switch (type, literal) {
        case (.duration, .int), (.duration, .double): return lengthText(written, literal)
        case (.duration, .string(let text)):
            if case .duration = CalendarDuration.parse(text) { return "duration(" + written + ")" }
            return LiteralAdvice.length(text).map { "duration(\"" + $0 + "\")" }
        case (.timestamp, .string(let text)):
            guard case .timestamp = CalendarTimestamp.parse(text) else { return nil }
            return "timestamp(" + written + ")"
        case (.timestamp, .int): return "timestamp(" + written + ")"
        case (.int, .string(let text)), (.double, .string(let text)), (.uint, .string(let text)):
            return Double(text) == nil ? nil : text
        case (.string, .int), (.string, .double), (.string, .bool): return "\"" + written + "\""
        case (.bool, .string(let text)):
            switch text {
            case "true", "on", "ON", "On", "yes", "online", "True": return "true"
            case "false", "off", "OFF", "Off", "no", "offline", "False": return "false"
            default: return nil
            }
        case (.bool, .int(let number)): return number == 0 ? "false" : "true"
        default: return nil
        }
    }

    /// A number as a length of time: small ones are mostly minutes, and zero has no unit to be in doubt about.
    private func lengthText(_ written: String, _ literal: Value) -> String {
        switch literal {
        case .int(let number): return (number == 0 || number > 90 ? "seconds(" : "minutes(") + written + ")"
        default: return "minutes(" + written + ")"
        }
    }

    private func conversionHint(
        _ left: ExpressionType,
        _ right: ExpressionType,
        isComparison: Bool
    ) -> String? {
        if left.isNumber, right.isNumber { return "convert one side, as with double(value)" }
        if left == .duration || right == .duration, left.isNumber || right.isNumber {
            return "make a length of time of the number, as with minutes(value) or seconds(value)"
        }
        if left == .string || right == .string {
            return isComparison
                ? "convert one side, as with double(text) or string(value)"
                : "convert the other side with string(value)"
        }
        return nil
    }

    /// The probable meaning of a field of a value that has none; nil if it is not known.
    func fieldHint(_ field: String, of operand: SyntaxNode.ID, _ type: ExpressionType) -> String? {
        let written = tree.written(operand)
        switch type {
        case .timestamp:
            let name: String
            switch field {
            case "hour", "hours": name = "getHours"
            case "minute", "minutes": name = "getMinutes"
            case "second", "seconds": name = "getSeconds"
            case "day", "date": name = "getDate"
            case "weekday", "dayOfWeek": name = "getDayOfWeek"
            case "month": name = "getMonth"
            case "year": name = "getFullYear"
            default: return nil
            }
            return "write `" + written + "." + name + "()`"
        case .duration:
            switch field {
            case "hour", "hours": return "write `" + written + ".getHours()`"
            case "minute", "minutes": return "write `" + written + ".getMinutes()`"
            case "second", "seconds": return "write `" + written + ".getSeconds()`"
            default: return "write `" + written + "`, which is the length of time itself"
            }
        case .int, .double:
            guard ["seconds", "minutes", "hours"].contains(where: { haveSameBytes($0, field) }) else {
                return nil
            }
            return "write `" + field + "(" + written + ")`"
        case .string:
            return haveSameBytes(field, "length")
                ? "write `size(" + written + ")`" : "write `" + written + "` alone"
        default: return nil
        }
    }
}

extension ExpressionType {
    /// The type with its article, as in `an int`.
    var withArticle: String {
        switch self {
        case .int, .uint, .optional: "an " + description
        default: "a " + description
        }
    }
}
