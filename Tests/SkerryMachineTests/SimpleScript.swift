/// A value of the expressions in the conformance cases.
enum ScriptValue: Equatable {
    case undefined
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([ScriptValue])
    case object([String: ScriptValue])

    var isTrue: Bool {
        switch self {
        case .undefined: false
        case .bool(let value): value
        case .number(let value): value != 0
        case .text(let value): !value.isEmpty
        case .list, .object: true
        }
    }

    var number: Double? { if case .number(let value) = self { value } else { nil } }
}

struct ScriptError: Error {
    let message: String
}

/// The little of ECMAScript that the conformance cases use: operators, literals, members, `In()`, `Math.pow`.
struct SimpleScript {
    private let tokens: [String]
    private var place = 0
    private var names: [String: ScriptValue]
    private var isIn: (String) -> Bool

    static func evaluate(
        _ text: String,
        names: [String: ScriptValue],
        isIn: @escaping (String) -> Bool
    ) throws -> ScriptValue {
        var script = SimpleScript(tokens: try tokens(of: text), names: names, isIn: isIn)
        let value = try script.binary(0)
        guard script.place == script.tokens.count else { throw ScriptError(message: "left over in \(text)") }
        return value
    }

    private init(tokens: [String], names: [String: ScriptValue], isIn: @escaping (String) -> Bool) {
        self.tokens = tokens
        self.names = names
        self.isIn = isIn
    }

    private static func tokens(of text: String) throws -> [String] {
        var found: [String] = []
        var rest = Substring(text)
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if first == "'" || first == "\"" {
                guard let end = rest.dropFirst().firstIndex(of: first) else {
                    throw ScriptError(message: "open text")
                }
                found.append("'" + rest[rest.index(after: rest.startIndex)..<end])
                rest = rest[rest.index(after: end)...]
            } else if first.isLetter || first.isNumber || first == "_" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                found.append(String(word))
                rest = rest.dropFirst(word.count)
            } else {
                let known = ["===", "!==", "==", "!=", "<=", ">=", "&&", "||"]
                let sign = known.first { rest.hasPrefix($0) } ?? String(first)
                found.append(sign)
                rest = rest.dropFirst(sign.count)
            }
        }
        return found
    }

    private var next: String? { place < tokens.count ? tokens[place] : nil }

    private mutating func accept(_ token: String) -> Bool {
        guard next == token else { return false }
        place += 1
        return true
    }

    private mutating func expect(_ token: String) throws {
        if !accept(token) { throw ScriptError(message: "expected \(token)") }
    }

    private static let ranks: [String: Int] = [
        "||": 1, "&&": 2, "===": 3, "!==": 3, "==": 3, "!=": 3, "<": 4, ">": 4, "<=": 4, ">=": 4,
        "+": 5, "-": 5, "*": 6, "/": 6,
    ]

    private mutating func binary(_ least: Int) throws -> ScriptValue {
        var left = try unary()
        while let sign = next, let rank = Self.ranks[sign], rank > least {
            place += 1
            let right = try binary(rank)
            left = try Self.apply(sign, left, right)
        }
        return left
    }

    private static func apply(
        _ sign: String,
        _ left: ScriptValue,
        _ right: ScriptValue
    ) throws -> ScriptValue {
        switch sign {
        case "||": return left.isTrue ? left : right
        case "&&": return left.isTrue ? right : left
        case "===", "==": return .bool(left == right)
        case "!==", "!=": return .bool(left != right)
        case "+":
            if case .text(let text) = left { return .text(text + "\(right)") }
        default: break
        }
        guard let first = left.number, let second = right.number else { return .undefined }
        switch sign {
        case "<": return .bool(first < second)
        case ">": return .bool(first > second)
        case "<=": return .bool(first <= second)
        case ">=": return .bool(first >= second)
        case "+": return .number(first + second)
        case "-": return .number(first - second)
        case "*": return .number(first * second)
        default: return .number(first / second)
        }
    }

    private mutating func unary() throws -> ScriptValue {
        if accept("!") { return .bool(!(try unary()).isTrue) }
        if accept("-") { return .number(-((try unary()).number ?? .nan)) }
        var value = try primary()
        while accept(".") {
            guard let member = next, case .object(let members) = value else {
                throw ScriptError(message: "no members")
            }
            place += 1
            value = members[member] ?? .undefined
        }
        return value
    }

    private mutating func primary() throws -> ScriptValue {
        guard let token = next else { throw ScriptError(message: "ends too early") }
        place += 1
        if token.hasPrefix("'") { return .text(String(token.dropFirst())) }
        if let number = Double(token) { return .number(number) }
        switch token {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "undefined": return .undefined
        case "(":
            let value = try binary(0)
            try expect(")")
            return value
        case "[": return .list(try list(to: "]"))
        case "{": return try object()
        case "In":
            try expect("(")
            guard case .text(let state)? = try list(to: ")").first else { throw ScriptError(message: "In") }
            return .bool(isIn(state))
        case "Math":
            for part in [".", "pow", "("] { try expect(part) }
            let numbers = try list(to: ")").compactMap(\.number)
            guard numbers.count == 2 else { throw ScriptError(message: "pow") }
            return .number((0..<Int(numbers[1])).reduce(1) { power, _ in power * numbers[0] })
        default:
            guard let value = names[token] else { throw ScriptError(message: "\(token) is not defined") }
            return value
        }
    }

    private mutating func list(to end: String) throws -> [ScriptValue] {
        var values: [ScriptValue] = []
        while !accept(end) {
            values.append(try binary(0))
            if next != end { try expect(",") }
        }
        return values
    }

    private mutating func object() throws -> ScriptValue {
        var members: [String: ScriptValue] = [:]
        while !accept("}") {
            guard let name = next else { throw ScriptError(message: "open object") }
            place += 1
            try expect(":")
            members[name] = try binary(0)
            if next != "}" { try expect(",") }
        }
        return .object(members)
    }
}
