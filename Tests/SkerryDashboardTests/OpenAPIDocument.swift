import SkerryDevice
import SkerryFiles
import SkerryValues

/// A description of an HTTP API, which judges answers.
struct OpenAPIDocument {
    private let root: Value

    init?(_ yaml: String) {
        guard let root = YAMLComposer.foreign(yaml).root else { return nil }
        self.root = Self.value(root)
    }

    private static func value(_ node: YAMLNode) -> Value {
        switch node.content {
        case .list(let nodes): return .list(nodes.map(value))
        case .map(let pairs):
            var map = ValueMap()
            for pair in pairs { map.set(pair.key.text, to: value(pair.value)) }
            return .map(map)
        case .scalar(let scalar):
            let text = scalar.source.text
            guard scalar.isPlain else { return .string(text) }
            switch text {
            case "true", "false": return .bool(text == "true")
            case "null", "": return .null
            default: return Int64(text).map { .int($0) } ?? Double(text).map { .double($0) } ?? .string(text)
            }
        }
    }

    /// The differences between an answer and the description of its address, such as `/v1/devices/{kind}/{device}`; the body
    /// only if it is JSON.
    func faults(_ method: String, _ path: String, status: Int, type: String?, body: Value?) -> [String] {
        let responses = resolved(root["paths"][path][method.lowercased()]["responses"])
        let named = responses["\(status)"]
        let response = resolved(named.isNull ? responses["default"] : named)
        guard !response.isNull else { return ["no status \(status)"] }
        let content = response["content"]
        guard case .map(let types) = content else { return type == nil ? [] : ["a body"] }
        let plain = type.map { String($0.prefix { $0 != ";" }) } ?? ""
        guard let media = types[plain] else { return ["the type \(plain)"] }
        return body.map { faults($0, media["schema"], at: "") } ?? []
    }

    /// Follows a reference.
    private func resolved(_ value: Value) -> Value {
        guard let reference = value["$ref"].text else { return value }
        return resolved(reference.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] })
    }

    private func faults(_ value: Value, _ schema: Value, at place: String) -> [String] {
        let schema = resolved(schema)
        var faults: [String] = []
        let types = schema["type"].text.map { [$0] } ?? schema["type"].elements.compactMap(\.text)
        if !types.isEmpty, !types.contains(where: { value.isOf($0) }) { return ["\(place) is no \(types)"] }
        if case .list(let values) = schema["enum"], !values.contains(where: { $0.isSame(as: value) }) {
            faults.append("\(place): \(value)")
        }
        if !schema["const"].isNull, !schema["const"].isSame(as: value) { faults.append("\(place): \(value)") }
        let choices = schema["oneOf"].elements
        if !choices.isEmpty, choices.count(where: { self.faults(value, $0, at: place).isEmpty }) != 1 {
            faults.append("\(place) is none of \(choices.count) kinds")
        }
        if case .map(let members) = value {
            for name in schema["required"].elements.compactMap(\.text) where members[name] == nil {
                faults.append("\(place)/\(name) is missing")
            }
            if case .map(let properties) = schema["properties"] {
                for entry in properties.entries {
                    guard let key = entry.key.text, let member = members[key] else { continue }
                    faults += self.faults(member, entry.value, at: "\(place)/\(key)")
                }
            }
        }
        for (index, element) in value.elements.enumerated() where !schema["items"].isNull {
            faults += self.faults(element, schema["items"], at: "\(place)/\(index)")
        }
        return faults
    }
}

extension Value {
    fileprivate var isNull: Bool { if case .null = self { true } else { false } }

    fileprivate func isSame(as other: Value) -> Bool {
        var writers = [JSONWriter(), JSONWriter()]
        writers[0].value(self)
        writers[1].value(other)
        return writers[0].bytes == writers[1].bytes
    }

    /// True for a value of a type of JSON Schema.
    fileprivate func isOf(_ type: String) -> Bool {
        switch (self, type) {
        case (.map, "object"), (.list, "array"), (.string, "string"), (.bool, "boolean"), (.null, "null"):
            true
        case (.int, "integer"), (.uint, "integer"), (.int, "number"), (.uint, "number"), (.double, "number"):
            true
        default: false
        }
    }
}
