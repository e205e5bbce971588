import SkerryValues

extension Compiler {
    /// A correction for an operator whose sides have incompatible types.
    func operandHint(_ symbol: Symbol, _ left: Side, _ right: Side) -> String? {
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
        let (leftText, rightText) = (tree.written(left.id), tree.written(right.id))
        if symbol == .in, left.type == .string, right.type == .string {
            return "write `" + operand(right.id) + ".contains(" + leftText + ")`"
        }
        if let named = left.type == .null ? right.id : right.type == .null ? left.id : nil {
            return absenceHint(symbol, of: named)
        }
        if left.type.isTime || right.type.isTime {
            if let hint = timeHint(symbol, left, right, isComparison: isComparison) { return hint }
        }
        let isOrder = isComparison && symbol != .equal && symbol != .notEqual
        if isOrder, left.type == .string, right.type.isNumber {
            return "write `double(" + leftText + ") " + symbol.text + " " + rightText + "`"
        }
        if let converted = converted(right, toFit: left.type) {
            return "write `" + leftText + " " + symbol.text + " " + converted + "`"
        }
        if let converted = converted(left, toFit: right.type) {
            return "write `" + converted + " " + symbol.text + " " + rightText + "`"
        }
        if isOrder, left.type.isNumber, right.type == .string {
            return "write `" + leftText + " " + symbol.text + " double(" + rightText + ")`"
        }
        return conversionHint(left.type, right.type, isComparison: isComparison)
    }

    /// A part as it is written, in parentheses unless it binds strongly enough for what follows a dot.
    private func operand(_ id: SyntaxNode.ID) -> String {
        switch tree[id].kind {
        case .literal, .identifier, .select, .index, .call, .list: tree.written(id)
        default: "(" + tree.written(id) + ")"
        }
    }

    /// The advice for a comparison with null of something that is never null, or with no value at all.
    func absenceHint(_ symbol: Symbol, of id: SyntaxNode.ID) -> String? {
        switch tree[id].kind {
        case .identifier, .select: break
        default: return nil
        }
        guard symbol == .equal || symbol == .notEqual else { return nil }
        let test = (symbol == .equal ? "!has(" : "has(") + tree.written(id) + ")"
        return "write `" + test + "`: what is absent is no null"
    }

    /// The advice for a moment or a length of time beside something else; only a zero has no unit to be in doubt about.
    private func timeHint(_ symbol: Symbol, _ left: Side, _ right: Side, isComparison: Bool) -> String? {
        let number = left.type.isNumber ? left.id : right.type.isNumber ? right.id : nil
        let time = left.type.isTime ? left : right
        guard isComparison || symbol == .plus || symbol == .minus else {
            guard time.type == .duration, number != nil else { return nil }
            return "calculate with its seconds, as in `" + operand(time.id) + ".getSeconds()`"
        }
        if left.type.isTime, right.type.isTime {
            return isComparison ? "compare lengths of time, as in `now - began > minutes(5)`" : nil
        }
        guard let number else { return nil }
        if time.type == .timestamp, isComparison {
            if case .literal(.int(let seconds)) = tree[number].kind, seconds >= 1_000_000_000,
                seconds < 10_000_000_000
            {
                return nil
            }
            return "compare with a moment, or a length of time, as in `now - began > minutes(5)`"
        }
        guard case .literal(let literal) = tree[number].kind else { return nil }
        if case .int(0) = literal { return nil }
        let written = tree.written(number)
        return "a number has no unit: write minutes(" + written + ") or seconds(" + written + ")"
    }

    /// The form that a literal needs beside a value of a type; nil if it is not known.
    private func converted(_ part: Side, toFit type: ExpressionType) -> String? {
        guard case .literal(let literal) = tree[part.id].kind else { return nil }
        let written = tree.written(part.id)
        switch (type, literal) {
        case (.duration, .int): return "seconds(" + written + ")"
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
        case (.bool, .int(let number)) where number == 0 || number == 1: return number == 0 ? "false" : "true"
        default: return nil
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
        if left == .string || right == .string, left.isTime || right.isTime {
            return "convert the text, as with timestamp(text) or duration(text)"
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
                return "write `" + written + "` alone"
            }
            return "write `" + field + "(" + written + ")`"
        case .bool: return "write `" + written + "` alone"
        case .string:
            return haveSameBytes(field, "length")
                ? "write `size(" + written + ")`" : "write `" + written + "` alone"
        default: return nil
        }
    }
}

extension ExpressionType {
    /// True if it is a moment or a length of time.
    fileprivate var isTime: Bool { self == .timestamp || self == .duration }

    /// The type with its article, as in `an int`.
    var withArticle: String {
        switch self {
        case .int, .uint, .optional: "an " + description
        default: "a " + description
        }
    }
}
