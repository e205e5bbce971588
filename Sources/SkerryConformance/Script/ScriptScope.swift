import SkerryValues

/// The variables of a machine and what its expressions may ask.
struct ScriptScope {
    /// The variables by name; only looked up, never walked.
    private var variables: [String: ScriptValue] = [:]
    /// The variables that scripts may not change, such as `_event`.
    private var system: [String: ScriptValue] = [:]

    mutating func declare(_ name: String, _ value: ScriptValue = .undefined) { variables[name] = value }

    mutating func declareIfNeeded(_ name: String) { if variables[name] == nil { declare(name) } }

    mutating func declare(system name: String, _ value: ScriptValue) { system[name] = value }

    /// Sets what a location such as `a` or `a.b[0]` names, which must be there.
    mutating func assign(
        _ location: String,
        _ value: ScriptValue,
        isIn: (String) -> Bool
    ) throws(ScriptError) {
        try assign(try ScriptParser.expression(location), value, isIn: isIn)
    }

    mutating func assign(
        _ location: ScriptNode,
        _ value: ScriptValue,
        isIn: (String) -> Bool
    ) throws(ScriptError) {
        var path: [String] = []
        var node = location
        while case .member(let inner, let name) = node {
            path.insert(try evaluate(name, isIn: isIn).text, at: 0)
            node = inner
        }
        guard case .name(let name) = node, let old = variables[name],
            let changed = old.setting(path[...], to: value)
        else { throw ScriptError(message: "this can not be assigned to") }
        variables[name] = changed
    }

    /// The value of an expression.
    func evaluate(_ text: String, isIn: (String) -> Bool) throws(ScriptError) -> ScriptValue {
        try evaluate(try ScriptParser.expression(text), isIn: isIn)
    }

    func evaluate(_ node: ScriptNode, isIn: (String) -> Bool) throws(ScriptError) -> ScriptValue {
        switch node {
        case .literal(let value): return value
        case .name(let name):
            if let value = variables[name] ?? system[name] { return value }
            throw ScriptError(message: "'\(name)' is not declared")
        case .member(let inner, let name):
            let name = try evaluate(name, isIn: isIn).text
            guard let value = try evaluate(inner, isIn: isIn)[name] else {
                throw ScriptError(message: "there is no '\(name)' of nothing")
            }
            return value
        case .list(let nodes):
            var elements: [ScriptValue] = []
            for node in nodes { elements.append(try evaluate(node, isIn: isIn)) }
            return .list(elements)
        case .object(let nodes):
            var object = ScriptValue.object([])
            for node in nodes {
                object = object.setting([node.name], to: try evaluate(node.value, isIn: isIn)) ?? object
            }
            return object
        case .conditional(let condition, let first, let second):
            return try evaluate(try evaluate(condition, isIn: isIn).isTrue ? first : second, isIn: isIn)
        case .unary("typeof", .name(let name)):
            return .text((variables[name] ?? system[name] ?? .undefined).typeName)
        case .unary(let sign, let operand):
            let value = try evaluate(operand, isIn: isIn)
            switch sign {
            case "!": return .bool(!value.isTrue)
            case "-": return .number(-value.number)
            case "typeof": return .text(value.typeName)
            default: return .number(value.number)
            }
        case .binary(let sign, let left, let right):
            let left = try evaluate(left, isIn: isIn)
            if sign == "||" ? left.isTrue : sign == "&&" && !left.isTrue { return left }
            return Self.combined(sign, left, try evaluate(right, isIn: isIn))
        case .call(let function, let arguments):
            var values: [ScriptValue] = []
            for argument in arguments { values.append(try evaluate(argument, isIn: isIn)) }
            return try call(function, values, isIn: isIn)
        }
    }

    private static func combined(_ sign: String, _ left: ScriptValue, _ right: ScriptValue) -> ScriptValue {
        switch sign {
        case "||", "&&": return right
        case "===": return .bool(left == right)
        case "!==": return .bool(left != right)
        case "==": return .bool(left.isLooselyEqual(to: right))
        case "!=": return .bool(!left.isLooselyEqual(to: right))
        case "in": return .bool(right[left.text].map { $0 != .undefined } ?? false)
        default: break
        }
        if case .text(let first) = left, case .text(let second) = right,
            let ordered = ordered(sign, first, second)
        {
            return .bool(ordered)
        }
        if let ordered = ordered(sign, left.number, right.number) { return .bool(ordered) }
        switch (sign, left, right) {
        case ("+", .text, _), ("+", _, .text), ("+", .list, _), ("+", _, .list), ("+", .object, _),
            ("+", _, .object):
            return .text(left.text + right.text)
        case ("+", _, _): return .number(left.number + right.number)
        case ("-", _, _): return .number(left.number - right.number)
        case ("*", _, _): return .number(left.number * right.number)
        case ("/", _, _): return .number(left.number / right.number)
        default: return .number(left.number.truncatingRemainder(dividingBy: right.number))
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

    private func call(
        _ function: ScriptNode,
        _ arguments: [ScriptValue],
        isIn: (String) -> Bool
    ) throws(ScriptError) -> ScriptValue {
        let first = arguments.first ?? .undefined
        switch function {
        case .name("In"): return .bool(isIn(first.text))
        case .name("String"): return .text(first.text)
        case .name("Number"): return .number(first.number)
        case .name("isNaN"): return .bool(first.number.isNaN)
        case .member(.name("JSON"), .literal(.text("stringify"))):
            var writer = JSONWriter()
            writer.value(first.json)
            return .text(String(decoding: writer.bytes, as: UTF8.self))
        case .member(.name("Math"), .literal(.text(let name))):
            if let number = Self.mathematics(name, arguments.map { $0.number }) { return .number(number) }
        case .member(let target, .literal(.text("concat"))):
            guard case .list(let elements) = try evaluate(target, isIn: isIn) else { break }
            return .list(
                arguments.reduce(elements) { all, more in
                    if case .list(let inner) = more { all + inner } else { all + [more] }
                }
            )
        default: break
        }
        throw ScriptError(message: "no such function")
    }

    private static func mathematics(_ name: String, _ numbers: [Double]) -> Double? {
        switch (name, numbers.count) {
        case ("pow", 2): power(numbers[0], numbers[1])
        case ("abs", 1): numbers[0].magnitude
        case ("floor", 1): numbers[0].rounded(.down)
        case ("ceil", 1): numbers[0].rounded(.up)
        case ("round", 1): (numbers[0] + 0.5).rounded(.down)
        case ("min", 1...): numbers.dropFirst().reduce(numbers[0], min)
        case ("max", 1...): numbers.dropFirst().reduce(numbers[0], max)
        default: nil
        }
    }

    /// A power with a whole exponent of moderate size; nil for others.
    private static func power(_ base: Double, _ exponent: Double) -> Double? {
        guard let count = Int(exactly: exponent), count.magnitude <= 1100 else { return nil }
        let power = (0..<count.magnitude).reduce(1.0) { power, _ in power * base }
        return count < 0 ? 1 / power : power
    }
}

extension ScriptScope {
    /// Runs assignments such as `var x = 1; x += 2; x++`, one after the other.
    mutating func run(_ text: String, isIn: (String) -> Bool) throws(ScriptError) {
        var parser = try ScriptParser(text)
        while !parser.isAtEnd {
            if parser.accept(";") { continue }
            let isDeclaration = parser.accept(word: "var")
            let location = try parser.postfix()
            if isDeclaration, case .name(let name) = location, variables[name] == nil { declare(name) }
            if case .call = location {
                _ = try evaluate(location, isIn: isIn)
            } else if parser.accept("=") {
                let value = try evaluate(try parser.expression(), isIn: isIn)
                if case .name(let name) = location, variables[name] == nil, system[name] == nil {
                    declare(name)
                }
                try assign(location, value, isIn: isIn)
            } else if let change = try change(of: location, &parser) {
                try assign(location, try evaluate(change, isIn: isIn), isIn: isIn)
            } else if !isDeclaration {
                throw ScriptError(message: "only assignments are understood")
            }
        }
    }

    private func change(
        of location: ScriptNode,
        _ parser: inout ScriptParser
    ) throws(ScriptError) -> ScriptNode? {
        if parser.accept("++") { return .binary("-", location, .literal(.number(-1))) }
        if parser.accept("--") { return .binary("-", location, .literal(.number(1))) }
        for sign in ["+", "-", "*", "/"] where parser.accept(sign + "=") {
            return .binary(sign, location, try parser.expression())
        }
        return nil
    }
}
