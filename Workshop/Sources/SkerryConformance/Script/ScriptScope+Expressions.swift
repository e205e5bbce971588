import SkerryImport
import SkerryValues

extension ScriptScope {
    mutating func evaluate(_ node: ScriptNode) throws(ScriptError) -> ScriptValue {
        switch node.kind {
        case .undefined: return .undefined
        case .null: return .null
        case .bool(let flag): return .bool(flag)
        case .number(let number): return .number(number)
        case .text(let text): return .text(text)
        case .function(let function): return .function(function)
        case .name(let name):
            if let value = value(of: name) { return value }
            throw ScriptError("'\(name)' is not declared", at: node.offset)
        case .member(let inner, let name):
            let name = try evaluate(name).text
            if case .name("Math") = inner.kind, let number = Self.constants[name] { return .number(number) }
            guard let value = try evaluate(inner)[name] else {
                throw ScriptError("there is no '\(name)' of nothing", at: node.offset)
            }
            return value
        case .list(let nodes): return .list(try values(of: nodes))
        case .object(let members):
            var object = ScriptValue.object([])
            for member in members {
                object = object.setting([member.name], to: try evaluate(member.value)) ?? object
            }
            return object
        case .conditional(let condition, let first, let second):
            return try evaluate(try evaluate(condition).isTrue ? first : second)
        case .unary(let sign, let operand): return try unary(sign, operand)
        case .binary(let sign, let left, let right): return try binary(sign, left, right, at: node.offset)
        case .assignment(let location, let sign, let value):
            var value = try evaluate(value)
            if let sign { value = ScriptValue.combined(sign, try evaluate(location), value) }
            try set(location, to: value, declares: sign == nil)
            return value
        case .step(let location, let change, let isPrefix):
            let old = try evaluate(location).number
            try set(location, to: .number(old + change), declares: false)
            return .number(isPrefix ? old + change : old)
        case .call(let function, let arguments, let makes):
            return try call(function, try values(of: arguments), makes: makes, at: node.offset)
        }
    }

    private mutating func values(of nodes: [ScriptNode]) throws(ScriptError) -> [ScriptValue] {
        var values: [ScriptValue] = []
        for node in nodes { values.append(try evaluate(node)) }
        return values
    }

    private mutating func unary(_ sign: String, _ operand: ScriptNode) throws(ScriptError) -> ScriptValue {
        if sign == "typeof", case .name(let name) = operand.kind, value(of: name) == nil {
            return .text(Self.functions.contains(name) ? "function" : "undefined")
        }
        let value = try evaluate(operand)
        switch sign {
        case "!": return .bool(!value.isTrue)
        case "-": return .number(-value.number)
        case "typeof": return .text(value.typeName)
        case "void": return .undefined
        default: return .number(value.number)
        }
    }

    private mutating func binary(
        _ sign: String,
        _ left: ScriptNode,
        _ right: ScriptNode,
        at offset: Int
    ) throws(ScriptError) -> ScriptValue {
        let left = try evaluate(left)
        switch sign {
        case "||": return left.isTrue ? left : try evaluate(right)
        case "&&": return left.isTrue ? try evaluate(right) : left
        case "instanceof":
            guard case .name(let name) = right.kind else { break }
            return .bool(left.isInstance(of: name))
        case "in":
            guard let found = try evaluate(right).has(left.text) else {
                throw ScriptError("'in' needs an object", at: offset)
            }
            return .bool(found)
        default: return ScriptValue.combined(sign, left, try evaluate(right))
        }
        throw ScriptError("'instanceof' needs the name of a class", at: offset)
    }

    private mutating func call(
        _ function: ScriptNode,
        _ arguments: [ScriptValue],
        makes: Bool,
        at offset: Int
    ) throws(ScriptError) -> ScriptValue {
        if case .name(let name) = function.kind, value(of: name) == nil {
            if let value = makes ? Self.made(name, arguments) : global(name, arguments) { return value }
            throw ScriptError("'\(name)' is not declared", at: offset)
        }
        if case .member(let target, let key) = function.kind {
            let name = try evaluate(key).text
            if case .name(let library) = target.kind, value(of: library) == nil,
                let value = Self.library(library, name, arguments)
            {
                return value
            }
            let owner = try evaluate(target)
            if let value = try method(name, of: owner, at: target, arguments) { return value }
            guard case .function(let own)? = owner[name] else {
                throw ScriptError("there is no function '\(name)'", at: offset)
            }
            return try call(own, arguments, this: owner, makes: makes, at: offset)
        }
        guard case .function(let own) = try evaluate(function) else {
            throw ScriptError("this is no function", at: offset)
        }
        return try call(own, arguments, makes: makes, at: offset)
    }
}

extension ScriptValue {
    /// The value of an operator between two values.
    static func combined(_ sign: String, _ left: ScriptValue, _ right: ScriptValue) -> ScriptValue {
        switch sign {
        case "===": return .bool(left == right)
        case "!==": return .bool(left != right)
        case "==": return .bool(left.isLooselyEqual(to: right))
        case "!=": return .bool(!left.isLooselyEqual(to: right))
        default: break
        }
        if case .text(let first) = left, case .text(let second) = right,
            let ordered = ordered(sign, first, second)
        {
            return .bool(ordered)
        }
        if let ordered = ordered(sign, left.number, right.number) { return .bool(ordered) }
        switch sign {
        case "+" where left.joins || right.joins: return .text(left.text + right.text)
        case "+": return .number(left.number + right.number)
        case "-": return .number(left.number - right.number)
        case "*": return .number(left.number * right.number)
        case "/": return .number(left.number / right.number)
        default: return .number(left.number.truncatingRemainder(dividingBy: right.number))
        }
    }

    /// True if `+` concatenates texts when this value is an operand.
    private var joins: Bool {
        switch self {
        case .text, .list, .object, .function: true
        case .undefined, .null, .bool, .number: false
        }
    }

    private static func ordered<Operand: Comparable>(
        _ sign: String,
        _ left: Operand,
        _ right: Operand
    ) -> Bool? {
        switch sign {
        case "<": left < right
        case ">": left > right
        case "<=": left <= right
        case ">=": left >= right
        default: nil
        }
    }
}
