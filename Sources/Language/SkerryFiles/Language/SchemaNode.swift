import SkerryDevice

/// A JSON value whose members keep their order, printed for people to read.
enum SchemaNode {
    case null
    case bool(Bool)
    case number(String)
    case text(String)
    case list([SchemaNode])
    case map([(key: String, value: SchemaNode)])

    /// The value as JSON with two spaces for each level.
    var bytes: [UInt8] {
        var json: [UInt8] = []
        append(to: &json, indentation: 0)
        json.append(UInt8(ascii: "\n"))
        return json
    }

    /// The value as JSON without blanks.
    var compactBytes: [UInt8] {
        var json: [UInt8] = []
        append(to: &json, indentation: nil)
        return json
    }

    private var isScalar: Bool {
        switch self {
        case .list, .map: false
        case .null, .bool, .number, .text: true
        }
    }

    private func append(to json: inout [UInt8], indentation: Int?) {
        switch self {
        case .null: json += "null".utf8
        case .bool(let value): json += (value ? "true" : "false").utf8
        case .number(let digits): json += digits.utf8
        case .text(let text): JSONText.append(Array(text.utf8)[...], to: &json)
        case .list(let elements) where elements.allSatisfy(\.isScalar):
            json += "[".utf8
            for (index, element) in elements.enumerated() {
                if index > 0 { json += (indentation == nil ? "," : ", ").utf8 }
                element.append(to: &json, indentation: indentation)
            }
            json += "]".utf8
        case .list(let elements):
            Self.append("[]", elements, to: &json, indentation) { element, json in
                element.append(to: &json, indentation: indentation.map { $0 + 2 })
            }
        case .map(let members):
            Self.append("{}", members, to: &json, indentation) { member, json in
                JSONText.append(Array(member.key.utf8)[...], to: &json)
                json += (indentation == nil ? ":" : ": ").utf8
                member.value.append(to: &json, indentation: indentation.map { $0 + 2 })
            }
        }
    }

    private static func append<Element>(
        _ brackets: String,
        _ elements: [Element],
        to json: inout [UInt8],
        _ indentation: Int?,
        _ appendElement: (Element, inout [UInt8]) -> Void
    ) {
        func beginLine(_ count: Int) {
            guard indentation != nil else { return }
            json.append(UInt8(ascii: "\n"))
            json += repeatElement(UInt8(ascii: " "), count: count)
        }
        json += brackets.utf8.prefix(1)
        for (index, element) in elements.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            beginLine((indentation ?? 0) + 2)
            appendElement(element, &json)
        }
        if !elements.isEmpty { beginLine(indentation ?? 0) }
        json += brackets.utf8.suffix(1)
    }
}

extension SchemaNode {
    /// Reads the value of a YAML text in one line, by the core schema of YAML 1.2.
    init(yaml text: String) {
        var problems = ProblemList()
        self = YAMLComposer.compose(text, into: &problems).map { SchemaNode($0) } ?? .null
    }

    /// Reads the value of a YAML node.
    init(_ node: YAMLNode) {
        switch node.content {
        case .list(let elements): self = .list(elements.map { SchemaNode($0) })
        case .map(let pairs): self = .map(pairs.map { ($0.key.text, SchemaNode($0.value)) })
        case .scalar(let scalar):
            let text = scalar.source.text
            switch scalar.isPlain ? CoreSchema.meaning(of: text) : .text {
            case .null: self = .null
            case .bool(let value): self = .bool(value)
            case .int(let value): self = .number(String(value))
            case .double(let value): self = value.isFinite ? .number(value.description) : .text(text)
            case .text: self = .text(text)
            }
        }
    }
}
