import SkerryExpressions
import SkerryValues

/// A value of ECMAScript, as far as statecharts of the cases use it.
indirect enum ScriptValue: Equatable, Sendable {
    case undefined
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([ScriptValue])
    case object([Member])

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

    /// What a condition makes of it.
    var isTrue: Bool {
        switch self {
        case .undefined, .null: false
        case .bool(let flag): flag
        case .number(let number): !number.isNaN && number != 0
        case .text(let text): !text.isEmpty
        case .list, .object: true
        }
    }

    /// What arithmetic makes of it.
    var number: Double {
        switch self {
        case .null: 0
        case .bool(let flag): flag ? 1 : 0
        case .number(let number): number
        case .text(let text): text.isEmpty ? 0 : Double(text) ?? .nan
        case .undefined, .list, .object: .nan
        }
    }

    /// What joining it to a text makes of it.
    var text: String {
        switch self {
        case .undefined: "undefined"
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let number): Value.double(number).text ?? ""
        case .text(let text): text
        case .list(let elements): elements.map { $0.text }.joined(separator: ",")
        case .object: "[object Object]"
        }
    }

    /// What `typeof` calls it.
    var typeName: String {
        switch self {
        case .undefined: "undefined"
        case .bool: "boolean"
        case .number: "number"
        case .text: "string"
        case .null, .list, .object: "object"
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
        case .bool, .number: .undefined
        }
    }

    /// The value with a member set along a path; nil when something on the way has no members.
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

    /// Equality as `==` has it, for the kinds that mix.
    func isLooselyEqual(to other: ScriptValue) -> Bool {
        switch (self, other) {
        case (.undefined, .null), (.null, .undefined): true
        case (.number, .text), (.text, .number), (.bool, .number), (.number, .bool), (.bool, .text),
            (.text, .bool):
            number == other.number
        default: self == other
        }
    }

    /// JSON, as `JSON.stringify` writes it.
    var json: Value {
        switch self {
        case .undefined, .null: .null
        case .bool(let flag): .bool(flag)
        case .number(let number): .double(number)
        case .text(let text): .string(text)
        case .list(let elements): .list(elements.map { $0.json })
        case .object(let members):
            .map(
                ValueMap(
                    uniqueEntries: members.map { ValueMap.Entry(key: .string($0.name), value: $0.value.json) }
                )
            )
        }
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
