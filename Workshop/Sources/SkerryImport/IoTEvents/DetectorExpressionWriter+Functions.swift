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
