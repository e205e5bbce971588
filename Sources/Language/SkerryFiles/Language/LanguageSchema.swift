/// The definition language as a JSON Schema (draft-07, which editors of YAML understand best).
package enum LanguageSchema {
    /// The schema, as text to be written into a file.
    package static var bytes: [UInt8] {
        let root = LanguagePart.definition
        var members: [(key: String, value: SchemaNode)] = [
            ("$schema", .text("http://json-schema.org/draft-07/schema#")),
            ("title", .text("Skerry definition")),
            ("description", .text(root.mapping.summary)),
        ]
        members += object(root.mapping).dropFirst(2)
        members.append(
            (
                "definitions",
                .map(
                    LanguagePart.allCases.filter { $0 != root }.map { part in
                        (part.rawValue, .map(object(part.mapping)))
                    }
                )
            )
        )
        return SchemaNode.map(members).bytes
    }

    private static func object(_ mapping: LanguageMapping) -> [(key: String, value: SchemaNode)] {
        var members: [(key: String, value: SchemaNode)] = [
            ("title", .text(mapping.title)),
            ("description", .text(mapping.summary)),
            ("type", .text("object")),
            ("properties", .map(mapping.keys.map { ($0.name, property($0)) })),
            ("additionalProperties", .bool(false)),
        ]
        // What extends another has the rest from there.
        let owed = mapping.names.contains(DefinitionMerging.key) ? ["machine", "topic"] : []
        let required = mapping.keys.filter { $0.isRequired && !owed.contains($0.name) }
        if !required.isEmpty { members.append(("required", .list(required.map { .text($0.name) }))) }
        if let key = mapping.keys.first(where: { $0.isRequired && owed.contains($0.name) }) {
            let choices = [DefinitionMerging.key, key.name].map { SchemaNode.list([.text($0)]) }
            members.append(("anyOf", .list(choices.map { .map([("required", $0)]) })))
        }
        if !mapping.choice.isEmpty {
            let choices = mapping.choice.map { SchemaNode.map([("required", .list([.text($0)]))]) }
            members.append(("oneOf", .list(choices)))
        }
        return members
    }

    private static func property(_ key: LanguageKey) -> SchemaNode {
        var members: [(key: String, value: SchemaNode)] = [
            ("title", .text(key.title)),
            ("description", .text(key.summary)),
        ]
        members += schema(key.value)
        if !key.examples.isEmpty {
            members.append(("examples", .list(key.examples.map { SchemaNode(yaml: $0) })))
        }
        return .map(members)
    }

    private static func schema(_ value: LanguageValue) -> [(key: String, value: SchemaNode)] {
        switch value {
        case .text, .template, .state, .timer, .signal, .event, .scalar:
            [("type", types("string", "number", "boolean"))]
        case .expression: [("type", types("string", "number", "boolean", "null"))]
        case .duration: pattern(durationPattern)
        case .settableDuration: pattern(settableDurationPattern)
        case .percentage: pattern(percentagePattern)
        case .moment: [("type", types("string", "number"))]
        case .colour: pattern("^#[0-9a-fA-F]{6}$")
        case .changingColour: pattern("^#[0-9a-fA-F]{6}$|^\\{ *[A-Za-z_][A-Za-z0-9_]* *\\}$")
        case .topicLevel: [("type", types("string", "number", "boolean")), ("pattern", .text("^[^/+#]+$"))]
        case .topicFilter: pattern(topicPattern)
        case .number(let range): number(range)
        case .changingNumber(let range):
            [("anyOf", .list([.map(number(range)), .map([("type", .text("string"))])]))]
        case .truth: [("type", .text("boolean"))]
        case .word(let words): [("enum", .list(words.map { .text($0) }))]
        case .version: [("const", .number(String(DefinitionReader.languageVersion)))]
        // Keywords beside $ref do not count in draft-07, and title and description should.
        case .mapping(let part): [("allOf", .list([reference(part)]))]
        case .list(let element): [("type", .text("array")), ("items", .map(schema(element)))]
        case .oneOrMore(let element): [("anyOf", .list(choices(.either([element, .list(element)]))))]
        case .named(let kind, let value): named(kind, value)
        case .either: [("anyOf", .list(choices(value)))]
        case .nothing: [("type", .text("null"))]
        case .anything: []
        }
    }

    private static func choices(_ value: LanguageValue) -> [SchemaNode] {
        if case .either(let values) = value { return values.flatMap { choices($0) } }
        if case .mapping(let part) = value { return [reference(part)] }
        return [.map(schema(value))]
    }

    private static func reference(_ part: LanguagePart) -> SchemaNode {
        .map([("$ref", .text("#/definitions/\(part.rawValue)"))])
    }

    private static func types(_ names: String...) -> SchemaNode { .list(names.map { .text($0) }) }

    private static func pattern(_ pattern: String) -> [(key: String, value: SchemaNode)] {
        [("type", .text("string")), ("minLength", .number("1")), ("pattern", .text(pattern))]
    }

    /// As `DurationText` reads them.
    static let durationPattern = "^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$"

    /// Above 0 and at most 50, as `DefinitionBuilder` reads them.
    static let percentagePattern = "^(50|[1-4]?[0-9](\\.[0-9]+)?)%$"

    /// As `TimeOfDayText` reads them.
    static let timeOfDayPattern =
        "^ *((mon|tue|wed|thu|fri|sat|sun)(-(mon|tue|wed|thu|fri|sat|sun))?(, *(mon|tue|wed|thu|fri|sat|sun)"
        + "(-(mon|tue|wed|thu|fri|sat|sun))?)* +)?"
        + "([01]?[0-9]:[0-5][0-9](:[0-5][0-9])?|2[0-3]:[0-5][0-9](:[0-5][0-9])?|(sunrise|sunset)( *[+-] *[0-9a-z]+)?) *$"

    /// As `TextLanguage` reads them.
    private static let languagePattern = "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$"

    private static let settableDurationPattern =
        durationPattern + "|^settings\\.[A-Za-z_][A-Za-z0-9_]*$"

    /// Braces that enclose names, at most one in a level.
    private static let topicPattern =
        "^[^{}/]*(\\{[A-Za-z_][A-Za-z0-9_]*(\\.\\.\\.)?\\}[^{}/]*)?(/[^{}/]*(\\{[A-Za-z_][A-Za-z0-9_]*(\\.\\.\\.)?\\}[^{}/]*)?)*$"

    private static func number(_ range: ClosedRange<Double>) -> [(key: String, value: SchemaNode)] {
        var members: [(key: String, value: SchemaNode)] = [
            ("type", .text("number")), ("minimum", .number(String(Int(range.lowerBound)))),
        ]
        if range.upperBound.isFinite {
            members.append(("maximum", .number(String(Int(range.upperBound)))))
        }
        return members
    }

    private static func named(
        _ kind: LanguageValue.NameKind,
        _ value: LanguageValue
    ) -> [(key: String, value: SchemaNode)] {
        let values = LanguageSchema.choices(value)
        var members: [(key: String, value: SchemaNode)] = [
            ("type", .text("object")),
            ("additionalProperties", values.count == 1 ? values[0] : .map([("anyOf", .list(values))])),
        ]
        switch kind {
        case .identifier:
            members.append(("propertyNames", .map([("pattern", .text("^[A-Za-z_][A-Za-z0-9_]*$"))])))
        case .duration: members.append(("propertyNames", .map([("pattern", .text(durationPattern))])))
        case .timeOfDay: members.append(("propertyNames", .map([("pattern", .text(timeOfDayPattern))])))
        case .language: members.append(("propertyNames", .map([("pattern", .text(languagePattern))])))
        case .state, .events, .device, .topic: break
        }
        return members
    }
}

extension LanguageValue {
    /// True if it is the version of the language.
    var isVersion: Bool {
        if case .version = self { true } else { false }
    }
}
