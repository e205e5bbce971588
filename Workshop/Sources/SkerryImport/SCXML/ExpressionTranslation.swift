/// A translation of ECMAScript expressions to the CEL of definitions.
struct ExpressionTranslation {
    /// The type of an expression, as far as it is known.
    enum Kind {
        case truth
        case number
        case text
        case null
        case other
    }

    /// A variable of the machine.
    struct Variable {
        /// The name in the definition.
        var name: String
        var kind: Kind
    }

    /// A translated expression.
    struct Part {
        var text: String
        /// The precedence of the outermost operator, from 0 (`?:`) to 7 (a name or a call).
        var rank: Int
        var kind: Kind
    }

    /// The variables, by their names in the document.
    var variables: [String: Variable] = [:]
    /// The first values of variables, which replace the variables in first values of others; empty elsewhere.
    var firstValues: [String: Part] = [:]
    /// The name of the document, which `_name` reads.
    var documentName = ""
    /// The variable with the data of the `done` event that a transition is for; nil for other events.
    var doneData: String?
    /// The ids of the states.
    var states: Set<String> = []
    /// True if some numbers have fractions: then all numbers are written with one.
    var usesFractions = false

    /// True after a number with a fraction or a division.
    private(set) var sawFraction = false
    /// The paths into the data of events that expressions read, in order of their first use.
    private(set) var eventPaths: [[String]] = []

    /// The signal for a part of an event's data.
    static func signal(for path: [String]) -> String {
        let words = path.isEmpty ? ["data"] : path
        return "event_" + words.map { identifier(from: $0) }.joined(separator: "_")
    }

    /// A name with letters, digits and `_` only that does not start with a digit.
    static func identifier(from name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            let isDigit = ("0"..."9").contains(scalar)
            if isDigit && result.isEmpty { result = "_" }
            let isPart = scalar.isASCII && (isDigit || scalar.properties.isAlphabetic)
            result.unicodeScalars.append(isPart ? scalar : "_")
        }
        return result.isEmpty ? "_" : result
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
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Translates an expression to one with the same value.
    mutating func value(_ node: ScriptNode) throws(ScriptError) -> Part {
        switch node.kind {
        case .undefined, .null: return Part(text: "null", rank: 7, kind: .null)
        case .bool(let flag): return Part(text: flag ? "true" : "false", rank: 7, kind: .truth)
        case .number(let number): return try self.number(number, at: node.offset)
        case .text(let text): return Part(text: Self.quoted(text), rank: 7, kind: .text)
        case .name, .member: return try place(node)
        case .list(let nodes): return Part(text: "[" + (try list(nodes)) + "]", rank: 7, kind: .other)
        case .object(let members):
            var parts: [String] = []
            for member in members {
                parts.append(Self.quoted(member.name) + ": " + (try value(member.value)).text)
            }
            return Part(text: "{" + parts.joined(separator: ", ") + "}", rank: 7, kind: .other)
        case .conditional(let condition, let first, let second):
            let first = try value(first)
            let second = try value(second)
            let text = (try truth(condition)).within(1) + " ? " + first.within(1) + " : " + second.within(0)
            return Part(text: text, rank: 0, kind: first.kind == second.kind ? first.kind : .other)
        case .unary(let sign, let operand): return try unary(sign, operand, at: node.offset)
        case .binary(let sign, let left, let right): return try binary(sign, left, right, at: node.offset)
        case .call(let function, let arguments, makes: false):
            return try call(function, arguments, at: node.offset)
        case .call: throw ScriptError("'new' has no translation", at: node.offset)
        case .assignment, .step:
            throw ScriptError("an expression can't change a variable", at: node.offset)
        case .function: throw ScriptError("a function has no translation", at: node.offset)
        }
    }

    /// Translates an expression to a truth value, as ECMAScript converts values to one.
    mutating func truth(_ node: ScriptNode) throws(ScriptError) -> Part {
        switch node.kind {
        case .binary(let sign, let left, let right) where sign == "&&" || sign == "||":
            let rank = sign == "&&" ? 2 : 1
            let text = (try truth(left)).within(rank) + " \(sign) " + (try truth(right)).within(rank + 1)
            return Part(text: text, rank: rank, kind: .truth)
        default:
            let part = try value(node)
            switch part.kind {
            case .truth: return part
            case .number: return Part(text: part.within(4) + " != " + zero, rank: 3, kind: .truth)
            case .text: return Part(text: part.within(4) + " != \"\"", rank: 3, kind: .truth)
            case .null: return Part(text: "false", rank: 7, kind: .truth)
            case .other: return Part(text: part.within(4) + " == true", rank: 3, kind: .truth)
            }
        }
    }

    private var zero: String { usesFractions ? "0.0" : "0" }

    private mutating func number(_ number: Double, at offset: Int) throws(ScriptError) -> Part {
        if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 {
            return Part(text: usesFractions ? "\(whole).0" : "\(whole)", rank: 7, kind: .number)
        }
        sawFraction = true
        guard number.isFinite else { throw ScriptError("this number is too large", at: offset) }
        return Part(text: "\(number)", rank: 7, kind: .number)
    }

    private mutating func list(_ nodes: [ScriptNode]) throws(ScriptError) -> String {
        var parts: [String] = []
        for node in nodes { parts.append(try value(node).text) }
        return parts.joined(separator: ", ")
    }

    // MARK: Names

    /// Translates a name, a member or an element.
    private mutating func place(_ node: ScriptNode) throws(ScriptError) -> Part {
        if let path = node.path, path[0] == "_event" { return try event(path, at: node.offset) }
        switch node.kind {
        case .member(let owner, let key):
            let owner = try value(owner)
            if case .text("length") = key.kind {
                let size = "size(" + owner.text + ")"
                return Part(text: usesFractions ? "double(\(size))" : size, rank: 7, kind: .number)
            }
            if case .text(let name) = key.kind, name == Self.identifier(from: name) {
                return Part(text: owner.within(7) + "." + name, rank: 7, kind: .other)
            }
            let index = try value(key)
            let text = usesFractions && index.kind == .number ? "int(\(index.text))" : index.text
            return Part(text: owner.within(7) + "[" + text + "]", rank: 7, kind: .other)
        case .name(let name):
            if let part = firstValues[name] ?? systemValue(name) { return part }
            if let variable = variables[name] {
                return Part(text: "context." + variable.name, rank: 7, kind: variable.kind)
            }
            throw ScriptError("'\(name)' is no variable of the data model", at: node.offset)
        default: return try value(node)
        }
    }

    /// A variable that the interpreter sets: a session is a device here.
    private func systemValue(_ name: String) -> Part? {
        switch name {
        case "_name": Part(text: Self.quoted(documentName), rank: 7, kind: .text)
        case "_sessionid": Part(text: "device.id", rank: 7, kind: .text)
        default: nil
        }
    }

    private mutating func event(_ path: [String], at offset: Int) throws(ScriptError) -> Part {
        if path.count == 2, path[1] == "name" { return Part(text: "event", rank: 7, kind: .text) }
        guard path.count > 1, path[1] == "data" else {
            let what = path.joined(separator: ".")
            throw ScriptError("'\(what)' is not known here, only the name and data of an event", at: offset)
        }
        let rest = Array(path.dropFirst(2))
        if let doneData {
            let text = rest.reduce("context." + doneData) { $0 + "[" + Self.quoted($1) + "]" }
            return Part(text: text, rank: 7, kind: .other)
        }
        if !eventPaths.contains(rest) { eventPaths.append(rest) }
        return Part(text: Self.signal(for: rest), rank: 7, kind: .other)
    }

    // MARK: Signs

    private mutating func unary(
        _ sign: String,
        _ operand: ScriptNode,
        at offset: Int
    ) throws(ScriptError) -> Part {
        switch sign {
        case "!": return Part(text: "!" + (try truth(operand)).within(6), rank: 6, kind: .truth)
        case "-": return Part(text: "-" + (try value(operand)).within(7), rank: 6, kind: .number)
        case "+":
            let part = try value(operand)
            if part.kind == .number { return part }
            return Part(text: (usesFractions ? "double(" : "int(") + part.text + ")", rank: 7, kind: .number)
        default:
            throw ScriptError(
                "'\(sign)' is translated only where it is compared with 'undefined'",
                at: offset
            )
        }
    }

    private mutating func binary(
        _ sign: String,
        _ left: ScriptNode,
        _ right: ScriptNode,
        at offset: Int
    ) throws(ScriptError) -> Part {
        switch sign {
        case "&&", "||": return try truth(ScriptNode(.binary(sign, left, right), at: offset))
        case "==", "===", "!=", "!==":
            let isEqual = sign.hasPrefix("=")
            if let part = try presence(left, right, isAbsent: isEqual) { return part }
            return try relation(isEqual ? "==" : "!=", left, right)
        case "<", ">", "<=", ">=": return try relation(sign, left, right)
        case "+": return try sum(left, right)
        case "-", "*", "/", "%":
            let rank = sign == "-" ? 4 : 5
            if sign == "/" { sawFraction = true }
            if sign == "%", usesFractions {
                throw ScriptError("CEL has '%' only for whole numbers", at: offset)
            }
            let text =
                number(try value(left)).within(rank) + " \(sign) "
                + number(try value(right)).within(rank + 1)
            return Part(text: text, rank: rank, kind: .number)
        default: throw ScriptError("'\(sign)' has no translation", at: offset)
        }
    }

    private mutating func relation(
        _ sign: String,
        _ left: ScriptNode,
        _ right: ScriptNode
    ) throws(ScriptError) -> Part {
        let text = (try value(left)).within(4) + " \(sign) " + (try value(right)).within(4)
        return Part(text: text, rank: 3, kind: .truth)
    }

    /// Translates tests for a missing value, such as `typeof a == 'undefined'` or `a == null`; nil for other
    /// comparisons.
    private mutating func presence(
        _ left: ScriptNode,
        _ right: ScriptNode,
        isAbsent: Bool
    ) throws(ScriptError) -> Part? {
        for (one, other) in [(left, right), (right, left)] {
            guard case .unary("typeof", let operand) = one.kind, case .text("undefined") = other.kind else {
                continue
            }
            if case .name(let name) = operand.kind, variables[name] == nil, systemValue(name) == nil {
                return Part(text: isAbsent ? "true" : "false", rank: 7, kind: .truth)
            }
            let part = try value(operand)
            if case .name(let name) = operand.kind, systemValue(name) != nil {
                return Part(text: isAbsent ? "false" : "true", rank: 7, kind: .truth)
            }
            return Part(text: (isAbsent ? "!has(" : "has(") + part.text + ")", rank: 6, kind: .truth)
        }
        for (one, other) in [(left, right), (right, left)] where other.kind.isNothing {
            let part = try value(one)
            guard part.rank == 7, part.kind != .null else { continue }
            let sign = isAbsent ? "==" : "!="
            return Part(text: "default(\(part.text), null) \(sign) null", rank: 3, kind: .truth)
        }
        return nil
    }

    private mutating func sum(_ left: ScriptNode, _ right: ScriptNode) throws(ScriptError) -> Part {
        let first = try value(left)
        let second = try value(right)
        if first.kind == .text || second.kind == .text {
            let text = Self.text(first).within(4) + " + " + Self.text(second).within(5)
            return Part(text: text, rank: 4, kind: .text)
        }
        let kind: Kind = first.kind == .number && second.kind == .number ? .number : .other
        let isNumber = first.kind == .number || second.kind == .number
        let (one, other) = isNumber ? (number(first), number(second)) : (first, second)
        return Part(text: one.within(4) + " + " + other.within(5), rank: 4, kind: isNumber ? .number : kind)
    }

    /// The part with a conversion to `double`, if numbers have fractions and its type is unknown.
    private func number(_ part: Part) -> Part {
        guard usesFractions, part.kind == .other else { return part }
        return Part(text: "double(" + part.text + ")", rank: 7, kind: .number)
    }

    private static func text(_ part: Part) -> Part {
        part.kind == .text ? part : Part(text: "string(" + part.text + ")", rank: 7, kind: .text)
    }

    // MARK: Calls

    private mutating func call(
        _ function: ScriptNode,
        _ arguments: [ScriptNode],
        at offset: Int
    ) throws(ScriptError) -> Part {
        let name = function.path?.joined(separator: ".") ?? ""
        switch (name, arguments.count) {
        case ("In", 1):
            guard case .text(let id) = arguments[0].kind, states.contains(id) else {
                throw ScriptError("'In' must name a state of the document", at: arguments[0].offset)
            }
            return Part(text: "inState(" + Self.quoted(id) + ")", rank: 7, kind: .truth)
        case ("Boolean", 1): return try truth(arguments[0])
        case ("String", 1): return Self.text(try value(arguments[0]))
        case ("Number", 1): return try unary("+", arguments[0], at: offset)
        case ("Math.abs", 1):
            return Part(text: "math.abs(" + (try list(arguments)) + ")", rank: 7, kind: .number)
        case ("Math.min", 1...):
            return Part(text: "math.least(" + (try list(arguments)) + ")", rank: 7, kind: .number)
        case ("Math.max", 1...):
            return Part(text: "math.greatest(" + (try list(arguments)) + ")", rank: 7, kind: .number)
        case ("Math.floor", 1), ("Math.ceil", 1), ("Math.round", 1):
            if !usesFractions { return try value(arguments[0]) }
            let text = "math." + name.dropFirst(5) + "(" + (try list(arguments)) + ")"
            return Part(text: text, rank: 7, kind: .number)
        default:
            throw ScriptError(
                name.isEmpty ? "this call has no translation" : "the function '\(name)' has no translation",
                at: offset
            )
        }
    }
}

extension ExpressionTranslation.Part {
    /// The text as an operand, in parentheses if it binds less tightly than required.
    func within(_ least: Int) -> String { rank < least ? "(" + text + ")" : text }
}

extension ScriptNode.Kind {
    fileprivate var isNothing: Bool {
        switch self {
        case .null, .undefined: true
        default: false
        }
    }
}
