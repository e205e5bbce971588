import SkerryImport
import SkerryValues

/// The variables of a machine, and the part of ECMAScript that its expressions use.
///
/// Lists and objects are values here: two variables never share an object.
struct ScriptScope {
    /// The most loop rounds and calls of one evaluation; more is an error.
    static let effortLimit = 100_000
    private static let depthLimit = 60
    /// The variables that only the machine sets.
    private static let systemNames: Set<String> = ["_event", "_ioprocessors", "_name", "_sessionid", "_x"]

    /// The states for which `In` is true.
    var activeStates: [String] = []
    /// The variables by name.
    private var variables: [String: ScriptValue] = [:]
    /// The variables that scripts may not change, such as `_event`.
    private var system: [String: ScriptValue] = [:]
    /// The parameters and variables of the functions being called.
    private var frames: [[String: ScriptValue]] = []
    private var effort = 0

    /// Declares or sets a variable; system variables do not change.
    mutating func declare(_ name: String, _ value: ScriptValue = .undefined) {
        if !Self.systemNames.contains(name) { variables[name] = value }
    }

    mutating func declareIfNeeded(_ name: String) { if variables[name] == nil { declare(name) } }

    mutating func declare(system name: String, _ value: ScriptValue) { system[name] = value }

    /// Assigns the first value of a variable; it is an error for a system variable.
    mutating func initialize(_ name: String, _ value: ScriptValue) throws(ScriptError) {
        if Self.systemNames.contains(name) { throw ScriptError("'\(name)' is a name of the system") }
        variables[name] = value
    }

    func value(of name: String) -> ScriptValue? {
        frames.last?[name] ?? variables[name] ?? system[name]
    }

    /// The value of an expression.
    mutating func evaluate(_ text: String) throws(ScriptError) -> ScriptValue {
        begin()
        return try evaluate(try ScriptParser.expression(text))
    }

    /// Assigns a location such as `a` or `a.b[0]`, which must exist.
    mutating func assign(_ location: String, _ value: ScriptValue) throws(ScriptError) {
        begin()
        try set(try ScriptParser.expression(location), to: value, declares: false)
    }

    private mutating func begin() {
        effort = 0
        frames = []
    }

    private mutating func spend(at offset: Int) throws(ScriptError) {
        effort += 1
        if effort > Self.effortLimit { throw ScriptError("this takes too long", at: offset) }
    }

    // MARK: Statements

    /// Runs a script, whose variables and functions become those of the machine.
    mutating func run(_ text: String) throws(ScriptError) {
        begin()
        _ = try run(try ScriptParser.script(text))
    }

    /// The way in which a statement ends.
    private enum Ending {
        case goOn
        case leave
        case resume
        case give(ScriptValue)
    }

    private mutating func run(_ statements: [ScriptStatement]) throws(ScriptError) -> Ending {
        for case .function(let function) in statements { declareHere(function.name, .function(function)) }
        for statement in statements {
            let ending = try run(statement)
            if case .goOn = ending { continue }
            return ending
        }
        return .goOn
    }

    private mutating func run(_ statement: ScriptStatement) throws(ScriptError) -> Ending {
        switch statement {
        case .expression(let node): _ = try evaluate(node)
        case .variable(let name, let value):
            let isKnown = frames.last.map { $0[name] != nil } ?? (variables[name] != nil)
            if let value {
                declareHere(name, try evaluate(value))
            } else if !isKnown {
                declareHere(name, .undefined)
            }
        case .function: break
        case .block(let statements): return try run(statements)
        case .branch(let condition, let first, let second):
            if try evaluate(condition).isTrue { return try run(first) }
            if let second { return try run(second) }
        case .loop(let condition, let after, let body):
            while true {
                if let condition, try !evaluate(condition).isTrue { break }
                try spend(at: condition?.offset ?? 0)
                let ending = try run(body)
                if case .leave = ending { break }
                if case .give = ending { return ending }
                if let after { _ = try evaluate(after) }
            }
        case .members(let name, let value, let body):
            for key in try evaluate(value).keys {
                declareHere(name, .text(key))
                let ending = try run(body)
                if case .leave = ending { break }
                if case .give = ending { return ending }
            }
        case .give(let value):
            guard let value else { return .give(.undefined) }
            return .give(try evaluate(value))
        case .leave: return .leave
        case .resume: return .resume
        case .fail(let value): throw ScriptError(try evaluate(value).text, at: value.offset)
        case .attempt(let body, let name, let other):
            do throws(ScriptError) {
                return try run(body)
            } catch {
                declareHere(name, .object([ScriptValue.Member(name: "message", value: .text(error.message))]))
                return try run(other)
            }
        }
        return .goOn
    }

    private mutating func declareHere(_ name: String, _ value: ScriptValue) {
        if frames.isEmpty {
            declare(name, value)
        } else {
            frames[frames.count - 1][name] = value
        }
    }

    /// Calls a function that a script defines; with `makes`, the result is the object in `this`.
    mutating func call(
        _ function: ScriptFunction,
        _ arguments: [ScriptValue],
        this: ScriptValue = .undefined,
        makes: Bool = false,
        at offset: Int
    ) throws(ScriptError) -> ScriptValue {
        try spend(at: offset)
        guard frames.count < Self.depthLimit else { throw ScriptError("calls nested too deep", at: offset) }
        var frame = ["this": makes ? .object([]) : this]
        for (index, name) in function.parameters.enumerated() {
            frame[name] = index < arguments.count ? arguments[index] : .undefined
        }
        frames.append(frame)
        defer { frames.removeLast() }
        if case .give(let value) = try run(function.body) { return value }
        return makes ? frames[frames.count - 1]["this"] ?? .undefined : .undefined
    }

    // MARK: Assignments

    /// Assigns a location; an unknown name becomes a variable if `declares` is true, and is an error otherwise.
    mutating func set(
        _ location: ScriptNode,
        to value: ScriptValue,
        declares: Bool
    ) throws(ScriptError) {
        var path: [String] = []
        var node = location
        while case .member(let inner, let name) = node.kind {
            path.insert(try evaluate(name).text, at: 0)
            node = inner
        }
        guard case .name(let name) = node.kind else {
            throw ScriptError("this can not be assigned to", at: location.offset)
        }
        let isLocal = frames.last.map { $0[name] != nil } ?? false
        let old = isLocal ? frames[frames.count - 1][name] : variables[name]
        let isNew = old == nil && declares && !Self.systemNames.contains(name)
        guard let changed = (isNew ? .undefined : old)?.setting(path[...], to: value) else {
            throw ScriptError("'\(name)' can not be assigned to", at: location.offset)
        }
        if isLocal {
            frames[frames.count - 1][name] = changed
        } else {
            variables[name] = changed
        }
    }
}

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

/// The built-in functions of scripts.
extension ScriptScope {
    static let functions: Set<String> = [
        "In", "String", "Number", "Boolean", "isNaN", "parseInt", "parseFloat", "Array", "Object",
    ]
    static let constants = ["PI": Double.pi, "E": 2.718_281_828_459_045]

    func global(_ name: String, _ arguments: [ScriptValue]) -> ScriptValue? {
        let first = arguments.first ?? .undefined
        switch name {
        case "In": return .bool(activeStates.contains(first.text))
        case "String": return .text(arguments.isEmpty ? "" : first.text)
        case "Number": return .number(arguments.isEmpty ? 0 : first.number)
        case "Boolean": return .bool(first.isTrue)
        case "isNaN": return .bool(first.number.isNaN)
        case "parseFloat":
            return .number(Double(first.text.prefix { $0.isNumber || "+-.eE".contains($0) }) ?? .nan)
        case "parseInt":
            let digits = first.text.prefix { $0.isNumber || "+-".contains($0) }
            return .number(Int(digits).map(Double.init) ?? .nan)
        default: return Self.made(name, arguments)
        }
    }

    /// The result of `new`; nil for unknown classes.
    static func made(_ name: String, _ arguments: [ScriptValue]) -> ScriptValue? {
        switch name {
        case "Array": return .list(arguments)
        case "Object": return .object([])
        case "Error":
            return .object([ScriptValue.Member(name: "message", value: arguments.first ?? .text(""))])
        default: return nil
        }
    }

    static func library(_ library: String, _ name: String, _ arguments: [ScriptValue]) -> ScriptValue? {
        let first = arguments.first ?? .undefined
        switch (library, name) {
        case ("JSON", "stringify"): return first.json.map { .text($0) } ?? .undefined
        case ("JSON", "parse"): return ScriptValue(parsing: first.text)
        case ("Array", "isArray"): return .bool(first.isInstance(of: "Array"))
        case ("Object", "keys"): return .list(first.keys.map { .text($0) })
        case ("Math", _): return mathematics(name, arguments.map { $0.number }).map { .number($0) }
        default: return nil
        }
    }

    /// The result of a method of a list or of a text; nil when there is no method of that name.
    mutating func method(
        _ name: String,
        of owner: ScriptValue,
        at place: ScriptNode,
        _ arguments: [ScriptValue]
    ) throws(ScriptError) -> ScriptValue? {
        let first = arguments.first ?? .undefined
        switch (name, owner) {
        case ("toString", _): return .text(owner.text)
        case ("hasOwnProperty", _): return owner.has(first.text).map { .bool($0) }
        case ("concat", .list(let elements)):
            return .list(
                arguments.reduce(elements) { all, more in
                    if case .list(let inner) = more { all + inner } else { all + [more] }
                }
            )
        case ("indexOf", .list(let elements)):
            return .number(Double(elements.firstIndex(of: first) ?? -1))
        case ("join", .list(let elements)):
            let separator = arguments.isEmpty ? "," : first.text
            return .text(elements.map { $0.text }.joined(separator: separator))
        case ("slice", .list(let elements)): return .list(Array(Self.part(of: elements, arguments)))
        case ("push", .list(let elements)):
            try set(place, to: .list(elements + arguments), declares: false)
            return .number(Double(elements.count + arguments.count))
        case ("pop", .list(let elements)):
            try set(place, to: .list(elements.dropLast()), declares: false)
            return elements.last ?? .undefined
        case ("shift", .list(let elements)):
            try set(place, to: .list(Array(elements.dropFirst())), declares: false)
            return elements.first ?? .undefined
        case ("charAt", .text(let text)): return .text(String(Self.part(of: Array(text), [first]).prefix(1)))
        case ("substring", .text(let text)), ("slice", .text(let text)):
            return .text(String(Self.part(of: Array(text), arguments)))
        case ("indexOf", .text(let text)):
            let parts = text.split(separator: first.text, maxSplits: 1, omittingEmptySubsequences: false)
            return .number(parts.count > 1 ? Double(parts[0].count) : -1)
        case ("split", .text(let text)):
            return .list(
                text.split(separator: first.text, omittingEmptySubsequences: false).map { .text(String($0)) }
            )
        case ("toUpperCase", .text(let text)): return .text(text.uppercased())
        case ("toLowerCase", .text(let text)): return .text(text.lowercased())
        default: return nil
        }
    }

    private static func part<Element>(of all: [Element], _ bounds: [ScriptValue]) -> ArraySlice<Element> {
        func index(_ number: Double) -> Int {
            let whole = Int(exactly: number.rounded(.towardZero)) ?? (number < 0 ? 0 : all.count)
            return max(0, min(all.count, whole < 0 ? all.count + whole : whole))
        }
        let start = index(bounds.first?.number ?? 0)
        let end = bounds.count > 1 && bounds[1] != .undefined ? index(bounds[1].number) : all.count
        return start < end ? all[start..<end] : []
    }

    private static func mathematics(_ name: String, _ numbers: [Double]) -> Double? {
        switch (name, numbers.count) {
        case ("pow", 2): power(numbers[0], numbers[1])
        case ("abs", 1): numbers[0].magnitude
        case ("floor", 1): numbers[0].rounded(.down)
        case ("ceil", 1): numbers[0].rounded(.up)
        case ("round", 1): (numbers[0] + 0.5).rounded(.down)
        case ("sqrt", 1): numbers[0].squareRoot()
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
