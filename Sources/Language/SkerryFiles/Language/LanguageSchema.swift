/// The definition language as a JSON Schema (draft-07, which editors of YAML understand best).
///
/// Many mappings are in it twice: on their own, and as they are written beside a key `extends`.
package struct LanguageSchema {
    /// True for what lies on top of a definition that has the rest: no key has to be there, and null removes one.
    private let isOnTop: Bool

    /// The schema of definitions, as text to be written into a file.
    package static var bytes: [UInt8] { schema(of: LanguageSchema(isOnTop: false)).bytes }

    /// The same as bytes for programs, without indentation.
    package static var compactBytes: [UInt8] { schema(of: LanguageSchema(isOnTop: false)).compactBytes }

    /// The schema of parts, which are no definitions of their own, as text to be written into a file.
    package static var bytesOfParts: [UInt8] { schema(of: LanguageSchema(isOnTop: true)).bytes }

    private static func schema(of whole: LanguageSchema) -> SchemaNode {
        let root = LanguagePart.definition
        let members: [(key: String, value: SchemaNode)] = [
            ("$schema", .text("http://json-schema.org/draft-07/schema#")),
            ("title", .text(whole.isOnTop ? "Parts of Skerry definitions" : "Skerry definition")),
            ("description", .text(root.mapping.summary)),
        ]
        let parts =
            LanguagePart.allCases.map { LanguageSchema(isOnTop: false).definition($0) }
            + LanguagePart.onTop.map { LanguageSchema(isOnTop: true).definition($0) }
        let choice = whole.isOnTop ? [("allOf", .list([whole.reference(root)]))] : whole.choice(root)
        return .map(members + choice + [("definitions", .map(parts))])
    }

    private func definition(_ part: LanguagePart) -> (key: String, value: SchemaNode) {
        (name(part), .map(object(part.mapping)))
    }

    private func name(_ part: LanguagePart) -> String { part.rawValue + (isOnTop ? "-on-top" : "") }

    private func object(_ mapping: LanguageMapping) -> [(key: String, value: SchemaNode)] {
        var members: [(key: String, value: SchemaNode)] = [
            ("title", .text(mapping.title)),
            ("description", .text(mapping.summary)),
            ("type", .text("object")),
            ("properties", .map(mapping.keys.map { ($0.name, property($0)) })),
            ("additionalProperties", .bool(false)),
        ]
        let required = isOnTop ? [] : mapping.keys.filter(\.isRequired)
        if !required.isEmpty { members.append(("required", .list(required.map { .text($0.name) }))) }
        if !mapping.choice.isEmpty, !isOnTop {
            let choices = mapping.choice.map { SchemaNode.map([("required", .list([.text($0)]))]) }
            members.append(("oneOf", .list(choices)))
        }
        return members
    }

    private func property(_ key: LanguageKey) -> SchemaNode {
        var members: [(key: String, value: SchemaNode)] = [
            ("title", .text(key.title)),
            ("description", .text(key.summary)),
        ]
        members += isOnTop ? [("anyOf", .list(choices(.either([key.value, .nothing]))))] : schema(key.value)
        if !key.examples.isEmpty {
            members.append(("examples", .list(key.examples.map { SchemaNode(yaml: $0) })))
        }
        return .map(members)
    }

    private func schema(_ value: LanguageValue) -> [(key: String, value: SchemaNode)] {
        switch value {
        case .text, .template, .state, .timer, .signal, .event, .scalar:
            [("type", Self.types("string", "number", "boolean"))]
        case .expression: [("type", Self.types("string", "number", "boolean", "null"))]
        case .duration: Self.pattern(Self.durationPattern)
        case .settableDuration: Self.pattern(Self.settableDurationPattern)
        case .percentage: Self.pattern(Self.percentagePattern)
        case .moment: [("type", Self.types("string", "number"))]
        case .colour: Self.pattern("^#[0-9a-fA-F]{6}$")
        case .changingColour: Self.pattern("^#[0-9a-fA-F]{6}$|^\\{ *[A-Za-z_][A-Za-z0-9_]* *\\}$")
        case .topicLevel:
            [("type", Self.types("string", "number", "boolean")), ("pattern", .text("^[^/+#]+$"))]
        case .topicFilter: Self.pattern(Self.topicPattern)
        case .number(let range): Self.number(range)
        case .changingNumber(let range):
            [("anyOf", .list([.map(Self.number(range)), .map([("type", .text("string"))])]))]
        case .truth: [("type", .text("boolean"))]
        case .word(let words): [("enum", .list(words.map { .text($0) }))]
        case .version: [("const", .number(String(DefinitionReader.languageVersion)))]
        // Keywords beside $ref do not count in draft-07, and title and description should.
        case .mapping(let part): [("allOf", .list([reference(part)]))]
        // A list replaces that of the other definition.
        case .list(let element):
            [("type", .text("array")), ("items", .map(LanguageSchema(isOnTop: false).schema(element)))]
        case .oneOrMore(let element): [("anyOf", .list(choices(.either([element, .list(element)]))))]
        case .named(let kind, let value): named(kind, value)
        case .either: [("anyOf", .list(choices(value)))]
        case .nothing: [("type", .text("null"))]
        case .anything: []
        }
    }

    private func choices(_ value: LanguageValue) -> [SchemaNode] {
        if case .either(let values) = value { return values.flatMap { choices($0) } }
        if case .mapping(let part) = value { return [reference(part)] }
        return [.map(schema(value))]
    }

    private func reference(_ part: LanguagePart) -> SchemaNode {
        if part.canExtend, !isOnTop { return .map(choice(part)) }
        return .map([("$ref", .text("#/definitions/\(name(part))"))])
    }

    /// A mapping that may extend another one.
    private func choice(_ part: LanguagePart) -> [(key: String, value: SchemaNode)] {
        var extended = LanguageSchema(isOnTop: true).reference(part)
        if part == .definition {
            // A base gives no name.
            extended = .map([("required", .list([.text("kind")])), ("allOf", .list([extended]))])
        }
        return [
            ("if", .map([("type", .text("object")), ("required", .list([.text(DefinitionMerging.key)]))])),
            ("then", extended),
            ("else", .map([("$ref", .text("#/definitions/\(name(part))"))])),
        ]
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

    private func named(
        _ kind: LanguageValue.NameKind,
        _ value: LanguageValue
    ) -> [(key: String, value: SchemaNode)] {
        let values = choices(isOnTop ? .either([value, .nothing]) : value)
        var members: [(key: String, value: SchemaNode)] = [
            ("type", .text("object")),
            ("additionalProperties", values.count == 1 ? values[0] : .map([("anyOf", .list(values))])),
        ]
        switch kind {
        case .identifier:
            members.append(("propertyNames", .map([("pattern", .text("^[A-Za-z_][A-Za-z0-9_]*$"))])))
        case .duration: members.append(("propertyNames", .map([("pattern", .text(Self.durationPattern))])))
        case .timeOfDay: members.append(("propertyNames", .map([("pattern", .text(Self.timeOfDayPattern))])))
        case .language: members.append(("propertyNames", .map([("pattern", .text(Self.languagePattern))])))
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

extension LanguagePart {
    /// True if it may take the rest from another definition.
    fileprivate var canExtend: Bool { mapping.names.contains(DefinitionMerging.key) }

    /// The mappings that may lie on top of those of another definition.
    fileprivate static var onTop: [LanguagePart] {
        var reached = allCases.filter(\.canExtend)
        var next = 0
        while next < reached.count {
            for part in reached[next].mapping.keys.flatMap(\.value.merged) where !reached.contains(part) {
                reached.append(part)
            }
            next += 1
        }
        return reached
    }
}

extension LanguageValue {
    /// The mappings in it that are merged with those of another definition, and not replaced.
    fileprivate var merged: [LanguagePart] {
        switch self {
        case .mapping(let part): [part]
        case .oneOrMore(let value), .named(_, let value): value.merged
        case .either(let values): values.flatMap(\.merged)
        default: []
        }
    }
}
