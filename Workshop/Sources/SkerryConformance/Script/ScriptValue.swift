import SkerryExpressions
import SkerryImport
import SkerryValues

/// A value of ECMAScript, with the types that the statecharts of the cases use.
indirect enum ScriptValue: Equatable, Sendable {
    case undefined
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([ScriptValue])
    case object([Member])
    case function(ScriptFunction)

    /// One member of an object, in the order of the text.
    struct Member: Equatable, Sendable {
        var name: String
        var value: ScriptValue
    }

    /// Reads JSON.
    init(_ json: Value) {
        switch json {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .int(let number): self = .number(Double(number))
        case .double(let number): self = .number(number)
        case .string(let text): self = .text(text)
        case .list(let elements): self = .list(elements.map { ScriptValue($0) })
        case .map(let map):
            self = .object(map.entries.map { Member(name: $0.key.word ?? "", value: ScriptValue($0.value)) })
        default: self = .undefined
        }
    }

    /// Parses a JSON text; undefined when it is not JSON.
    init(parsing text: String) {
        let value = try? JSONReader.value(of: Array(text.utf8).span, limits: JSONLimits())
        self = value.map { ScriptValue($0) } ?? .undefined
    }

    static func == (left: ScriptValue, right: ScriptValue) -> Bool {
        switch (left, right) {
        case (.undefined, .undefined), (.null, .null): true
        case (.bool(let first), .bool(let second)): first == second
        case (.number(let first), .number(let second)): first == second
        case (.text(let first), .text(let second)): first == second
        case (.list(let first), .list(let second)): first == second
        case (.object(let first), .object(let second)): first == second
        case (.function(let first), .function(let second)): first === second
        default: false
        }
    }

    /// The value as a condition.
    var isTrue: Bool {
        switch self {
        case .undefined, .null: false
        case .bool(let flag): flag
        case .number(let number): !number.isNaN && number != 0
        case .text(let text): !text.isEmpty
        case .list, .object, .function: true
        }
    }

    /// The value as an operand of arithmetic.
    var number: Double {
        switch self {
        case .null: 0
        case .bool(let flag): flag ? 1 : 0
        case .number(let number): number
        case .text(let text): Self.number(in: text)
        case .list(let elements): elements.isEmpty ? 0 : elements.count == 1 ? elements[0].number : .nan
        case .undefined, .object, .function: .nan
        }
    }

    private static func number(in text: String) -> Double {
        let words = text.split { $0.isWhitespace }
        if words.isEmpty { return 0 }
        return words.count == 1 ? Double(words[0]) ?? .nan : .nan
    }

    /// The value as an operand of a concatenation.
    var text: String {
        switch self {
        case .undefined: "undefined"
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let number): Value.double(number).text ?? ""
        case .text(let text): text
        case .list(let elements):
            elements.map { $0 == .undefined || $0 == .null ? "" : $0.text }.joined(separator: ",")
        case .object: "[object Object]"
        case .function(let function): "function \(function.name)"
        }
    }

    /// The name of the type as `typeof` returns it.
    var typeName: String {
        switch self {
        case .undefined: "undefined"
        case .bool: "boolean"
        case .number: "number"
        case .text: "string"
        case .null, .list, .object: "object"
        case .function: "function"
        }
    }

    /// A member by name or by index; undefined when there is none, nil when the value has no members at all.
    subscript(name: String) -> ScriptValue? {
        switch self {
        case .undefined, .null: nil
        case .object(let members): members.first { $0.name == name }?.value ?? .undefined
        case .list(let elements):
            if name == "length" {
                .number(Double(elements.count))
            } else if let index = Int(name), elements.indices.contains(index) {
                elements[index]
            } else {
                .undefined
            }
        case .text(let text): name == "length" ? .number(Double(text.utf16.count)) : .undefined
        case .bool, .number, .function: .undefined
        }
    }

    /// The names of the members.
    var keys: [String] {
        switch self {
        case .object(let members): members.map { $0.name }
        case .list(let elements): elements.indices.map { String($0) }
        default: []
        }
    }

    /// True if there is a member of that name; nil when the value has no members at all.
    func has(_ name: String) -> Bool? {
        switch self {
        case .object, .list: keys.contains(name)
        default: nil
        }
    }

    /// The result of `instanceof` for the classes that scripts know.
    func isInstance(of name: String) -> Bool {
        switch self {
        case .list: name == "Array" || name == "Object"
        case .object: name == "Object"
        case .function: name == "Function" || name == "Object"
        default: false
        }
    }

    /// A copy with the member at a path replaced; nil when a value on the path has no members.
    func setting(_ path: ArraySlice<String>, to value: ScriptValue) -> ScriptValue? {
        guard let name = path.first else { return value }
        switch self {
        case .object(var members):
            let index = members.firstIndex { $0.name == name }
            let inner = index.map { members[$0].value } ?? .undefined
            guard let changed = inner.setting(path.dropFirst(), to: value) else { return nil }
            if let index {
                members[index].value = changed
            } else {
                members.append(Member(name: name, value: changed))
            }
            return .object(members)
        case .list(var elements):
            guard let index = Int(name), (0...elements.count).contains(index) else { return nil }
            if index == elements.count { elements.append(.undefined) }
            guard let changed = elements[index].setting(path.dropFirst(), to: value) else { return nil }
            elements[index] = changed
            return .list(elements)
        default: return nil
        }
    }

    /// Equality as `==` defines it, for the mixed types in the cases.
    func isLooselyEqual(to other: ScriptValue) -> Bool {
        switch (self, other) {
        case (.undefined, .null), (.null, .undefined): true
        case (.number, .text), (.text, .number), (.bool, .number), (.number, .bool), (.bool, .text),
            (.text, .bool):
            number == other.number
        default: self == other
        }
    }

    /// The text that `JSON.stringify` returns; nil for values without one.
    var json: String? {
        switch self {
        case .undefined, .function: return nil
        case .null: return "null"
        case .bool(let flag): return flag ? "true" : "false"
        case .number(let number): return number.isFinite ? text : "null"
        case .text(let text): return Self.quoted(text)
        case .list(let elements): return "[" + elements.map { $0.json ?? "null" }.joined(separator: ",") + "]"
        case .object(let members):
            let parts = members.compactMap { member in
                member.value.json.map { Self.quoted(member.name) + ":" + $0 }
            }
            return "{" + parts.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.value(.string(text))
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension Value {
    /// The text, when it is one.
    var word: String? { if case .string(let text) = self { text } else { nil } }

    /// The elements, when it is a list; none otherwise.
    var elements: [Value] { if case .list(let elements) = self { elements } else { [] } }

    /// A member, when it is an object that has it.
    subscript(name: String) -> Value? { if case .map(let map) = self { map[name] } else { nil } }
}
