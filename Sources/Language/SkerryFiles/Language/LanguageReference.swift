/// The keys of the language for people who look one up: every one with its values, its effect and an example.
package enum LanguageReference {
    /// The page docs/reference/keys.md.
    package static var page: String {
        var text = """
            # Keys of the language

            Every key of a definition, as `skerry check`, editors and this page know it: `skerry schema --markdown` writes it. [The
            language](../language/README.md) explains them with examples, and has their defaults.


            """
        for part in LanguagePart.allCases { text += "- [\(part.heading)](#\(anchor(of: part)))\n" }
        for part in LanguagePart.allCases { text += section(part) }
        return text
    }

    private static func section(_ part: LanguagePart) -> String {
        let mapping = part.mapping
        var text = "\n## \(part.heading)\n\n\(mapping.summary)\n\n"
        if !mapping.choice.isEmpty {
            text += "Exactly one of \(list(mapping.choice.map { "`\($0)`" })) must be there.\n\n"
        }
        text += "| key | value | meaning | for example |\n|---|---|---|---|\n"
        for key in mapping.keys {
            let examples = key.examples.map { "`\($0)`" }.joined(separator: "<br>")
            let needed = key.isRequired ? "Must be there. " : ""
            let cells = ["`\(key.name)`", words(for: key.value), needed + key.summary, examples]
            text += "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |\n"
        }
        return text
    }

    /// The place of a part on the page, as GitHub names it.
    private static func anchor(of part: LanguagePart) -> String {
        part.heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
            .replacing(" ", with: "-")
    }

    private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }

    private static func words(for value: LanguageValue) -> String {
        switch value {
        case .text: "text"
        case .template: "template"
        case .expression: "expression"
        case .duration: "length"
        case .settableDuration: "length or setting"
        case .percentage: "part, such as `5%`"
        case .moment: "moment"
        case .colour: "`#rrggbb`"
        case .changingColour: "`#rrggbb`, or a field in braces"
        case .topicLevel: "level of a topic"
        case .topicFilter: "topic filter"
        case .state: "state"
        case .timer: "timer"
        case .signal: "signal"
        case .event: "event"
        case .number(let range): "number\(bounds(range))"
        case .changingNumber(let range): "number\(bounds(range)), or expression"
        case .truth: "`true`, `false`"
        case .word(let words): list(words.map { "`\($0)`" })
        case .version: "`1`"
        case .mapping(let part): "[\(part.heading)](#\(anchor(of: part)))"
        case .list(let element): "list: \(words(for: element))"
        case .oneOrMore(let element): "\(words(for: element)), or a list"
        case .named(let kind, let element): "each \(kind.rawValue) with: \(words(for: element))"
        case .either(let values): values.map(words(for:)).joined(separator: "; or ")
        case .nothing: "nothing"
        case .scalar: "text, number, `true`, `false`"
        case .anything: "any value"
        }
    }

    private static func bounds(_ range: ClosedRange<Double>) -> String {
        let least = range.lowerBound.isFinite ? " from \(number(range.lowerBound))" : ""
        return least + (range.upperBound.isFinite ? " to \(number(range.upperBound))" : "")
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
}

extension LanguagePart {
    /// Its title, with the word of the language where other parts have the same title.
    fileprivate var heading: String {
        let isOnly = LanguagePart.allCases.filter { $0.mapping.title == mapping.title }.count == 1
        return isOnly ? mapping.title : "\(mapping.title) (\(rawValue))"
    }
}
