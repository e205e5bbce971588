/// The configuration file for editors and for people.
package enum SettingsSchema {
    /// A JSON Schema (draft-07, which editors of YAML understand best).
    package static var bytes: [UInt8] {
        let head: Members = [
            ("$schema", .text("http://json-schema.org/draft-07/schema#")),
            ("title", .text("Skerry settings")),
        ]
        return SchemaNode.map(head + schema(.file)).bytes
    }

    /// The table in docs/reference/settings.md.
    ///
    /// The links of the declarations begin in docs.
    package static var table: String {
        SettingKeys.all.reduce(
            into: "| setting | default | what it may be | what it is |\n|---|---|---|---|\n"
        ) { table, setting in
            let cells = [setting.standard, setting.form.range, setting.help].joined(separator: " | ")
            table += "| `\(setting.name)` | \(cells.replacing("](", with: "](../")) |\n"
        }
    }

    private typealias Members = [(key: String, value: SchemaNode)]

    private static func schema(_ tree: SettingsTree) -> Members {
        switch tree {
        case .setting(let setting):
            [("description", .text(unlinked(setting.help)))] + schema(setting.form) + standard(setting)
        case .group(let members):
            [
                ("type", .text("object")),
                ("properties", .map(members.map { ($0.key, .map(schema($0.tree))) })),
                ("additionalProperties", .bool(false)),
            ]
        }
    }

    private static func schema(_ form: SettingForm) -> Members {
        let scalar: Members = [("type", .list(["string", "number", "boolean"].map { .text($0) }))]
        return switch form {
        case .text: scalar
        case .list:
            [("anyOf", .list([.map(scalar), .map([("type", .text("array")), ("items", .map(scalar))])]))]
        case .truth:
            [("enum", .list([.bool(true), .bool(false)] + ["yes", "no", "on", "off"].map { .text($0) }))]
        case .words(let words):
            // Without quotes the version 5 is a number.
            [("enum", .list(words.flatMap { Int($0) == nil ? [.text($0)] : [.number($0), .text($0)] }))]
        case .number(let range, _): bounds("integer", "\(range.lowerBound)", "\(range.upperBound)")
        case .decimal(let range, _): bounds("number", "\(Int(range.lowerBound))", "\(Int(range.upperBound))")
        case .mapping: [("type", .text("object"))]
        case .named(let settings, _):
            [("type", .text("object")), ("additionalProperties", .map(schema(SettingsTree(settings))))]
        }
    }

    private static func bounds(_ type: String, _ least: String, _ greatest: String) -> Members {
        [("type", .text(type)), ("minimum", .number(least)), ("maximum", .number(greatest))]
    }

    /// The default, where it is one value that people can write.
    private static func standard(_ setting: SettingDeclaration) -> Members {
        let parts = setting.standard.split(separator: "`", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, parts[2].isEmpty else { return [] }
        if case .text = setting.form { return [("default", .text(String(parts[1])))] }
        return [("default", SchemaNode(yaml: String(parts[1])))]
    }

    /// A text in Markdown without its links.
    private static func unlinked(_ text: String) -> String {
        var plain = ""
        var rest = text[...]
        while let opening = rest.firstIndex(of: "["), let middle = rest[opening...].firstRange(of: "]("),
            let closing = rest[middle.upperBound...].firstIndex(of: ")")
        {
            plain += rest[..<opening] + rest[rest.index(after: opening)..<middle.lowerBound]
            rest = rest[rest.index(after: closing)...]
        }
        return plain + rest
    }
}
