import SkerryExpressions
import SkerryImport
import SkerryValues

extension ReferenceDetector {
    /// The value of an expression; nil for what is undefined or failed.
    mutating func evaluate(_ expression: DetectorExpression) -> Value? {
        switch expression {
        case .integer(let number): return .int(number)
        case .decimal(let number): return .double(number)
        case .text(let text): return .string(text)
        case .truth(let flag): return .bool(flag)
        case .template(let parts):
            var text = ""
            for part in parts {
                guard let value = evaluate(part)?.text else { return nil }
                text += value
            }
            return .string(text)
        case .variable(let name): return variables[name]
        case .input(let name, let steps): return steps.reduce(inputs[name]) { Self.step($0, $1) }
        case .not(let inner):
            guard case .bool(let flag)? = evaluate(inner) else { return nil }
            return .bool(!flag)
        case .minus(let inner):
            switch evaluate(inner) {
            case .int(let number)?: return .int(-number)
            case .double(let number)?: return .double(-number)
            default: return nil
            }
        case .bitNot(let inner):
            guard case .int(let bits)? = evaluate(inner) else { return nil }
            return .int(~bits)
        case .binary(let sign, let left, let right): return binary(sign, left, right)
        case .call(let function, let arguments): return call(function, arguments)
        }
    }

    private static func step(_ value: Value?, _ step: DetectorExpression.Step) -> Value? {
        switch (value, step) {
        case (.map(let map)?, .field(let name)):
            for entry in map.entries {
                if case .string(name) = entry.key { return entry.value }
            }
            return nil
        case (.list(let elements)?, .index(let index)):
            return elements.indices.contains(Int(index)) ? elements[Int(index)] : nil
        default: return nil
        }
    }

    private mutating func binary(
        _ sign: DetectorExpression.Operator,
        _ left: DetectorExpression,
        _ right: DetectorExpression
    ) -> Value? {
        switch sign {
        case .and:
            guard case .bool(let first)? = evaluate(left) else { return nil }
            guard first else { return .bool(false) }
            guard case .bool(let second)? = evaluate(right) else { return nil }
            return .bool(second)
        case .or:
            // What is undefined is false here.
            if case .bool(true)? = evaluate(left) { return .bool(true) }
            if case .bool(true)? = evaluate(right) { return .bool(true) }
            return .bool(false)
        default:
            let (first, second) = (evaluate(left), evaluate(right))
            guard let first, let second else { return nil }
            return Self.combine(sign, first, second)
        }
    }

    private static func combine(
        _ sign: DetectorExpression.Operator,
        _ left: Value,
        _ right: Value
    ) -> Value? {
        switch sign {
        case .equal: return .bool(isSame(left, right))
        case .notEqual: return .bool(!isSame(left, right))
        case .less: return isLess(left, right).map { .bool($0) }
        case .greater: return isLess(right, left).map { .bool($0) }
        case .lessOrEqual: return isLessOrEqual(left, right).map { .bool($0) }
        case .greaterOrEqual: return isLessOrEqual(right, left).map { .bool($0) }
        default: break
        }
        switch (left, right) {
        case (.int(let left), .int(let right)): return whole(sign, left, right).map { .int($0) }
        case (.string(let left), .string(let right)): return sign == .add ? .string(left + right) : nil
        default:
            guard let left = number(left), let right = number(right) else { return nil }
            return fractional(sign, left, right).map { .double($0) }
        }
    }

    private static func whole(_ sign: DetectorExpression.Operator, _ left: Int64, _ right: Int64) -> Int64? {
        let result: (partialValue: Int64, overflow: Bool)
        switch sign {
        case .add: result = left.addingReportingOverflow(right)
        case .subtract: result = left.subtractingReportingOverflow(right)
        case .multiply: result = left.multipliedReportingOverflow(by: right)
        case .divide:
            if right == 0 { return nil }
            result = left.dividedReportingOverflow(by: right)
        case .bitOr: return left | right
        case .bitAnd: return left & right
        case .bitXor: return left ^ right
        default: return nil
        }
        return result.overflow ? nil : result.partialValue
    }

    private static func fractional(
        _ sign: DetectorExpression.Operator,
        _ left: Double,
        _ right: Double
    ) -> Double? {
        switch sign {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        default: nil
        }
    }

    private static func number(_ value: Value) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    static func isSame(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): return left == right
        case (.string(let left), .string(let right)): return left == right
        case (.null, .null): return true
        default:
            guard let left = number(left), let right = number(right) else { return false }
            return left == right
        }
    }

    private static func isLess(_ left: Value, _ right: Value) -> Bool? {
        if case (.string(let left), .string(let right)) = (left, right) {
            return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
        }
        guard let left = number(left), let right = number(right) else { return nil }
        return left < right
    }

    private static func isLessOrEqual(_ left: Value, _ right: Value) -> Bool? {
        isLess(left, right).map { $0 || isSame(left, right) }
    }

    // MARK: Functions

    private mutating func call(
        _ function: DetectorExpression.Function,
        _ arguments: [DetectorExpression]
    ) -> Value? {
        var name = ""
        if case .text(let text)? = arguments.first { name = text }
        switch function {
        case .timeout: return .bool(takeTimeout(name))
        case .currentInput: return .bool(trigger == name)
        case .triggerType: return .bool((trigger == nil) == (name == "Timer"))
        case .isNull:
            if case .null? = evaluate(arguments[0]) { return .bool(true) }
            return .bool(false)
        case .isUndefined: return .bool(evaluate(arguments[0]) == nil)
        case .convert: return Self.converted(evaluate(arguments[1]), to: name)
        case .bitnot: return evaluate(.bitNot(arguments[0]))
        case .startsWith, .endsWith, .contains, .bitor, .bitand, .bitxor:
            let values = (evaluate(arguments[0]), evaluate(arguments[1]))
            guard let first = values.0, let second = values.1 else { return nil }
            return Self.call(function, first, second)
        }
    }

    private static func call(
        _ function: DetectorExpression.Function,
        _ first: Value,
        _ second: Value
    ) -> Value? {
        switch (first, second) {
        case (.string(let text), .string(let part)):
            switch function {
            case .startsWith: return .bool(text.hasPrefix(part))
            case .endsWith: return .bool(text.hasSuffix(part))
            case .contains: return .bool(part.isEmpty || text.contains(part))
            default: return nil
            }
        case (.int(let first), .int(let second)):
            switch function {
            case .bitor: return .int(first | second)
            case .bitand: return .int(first & second)
            case .bitxor: return .int(first ^ second)
            default: return nil
            }
        default: return nil
        }
    }

    private static func converted(_ value: Value?, to type: String) -> Value? {
        switch (type, value) {
        case ("String", let value?): value.text.map { .string($0) }
        case ("Boolean", .string("true")?), ("Boolean", .bool(true)?): .bool(true)
        case ("Boolean", .string("false")?), ("Boolean", .bool(false)?): .bool(false)
        case ("Decimal", .string(let text)?): Double(text).map { .double($0) }
        case ("Decimal", let value?): number(value).map { .double($0) }
        default: nil
        }
    }
}
