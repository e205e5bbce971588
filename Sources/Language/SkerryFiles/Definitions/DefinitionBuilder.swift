import SkerryDevice
import SkerryValues

/// Builds a definition's draft from its YAML tree, reporting everything that does not fit.
///
/// Each extension reads one part of the language; this file has their common parts.
struct DefinitionBuilder {
    /// The problems found so far.
    var problems = ProblemList()
    /// Kinds of names that were not all readable.
    var unreadNames: Set<DefinitionDraft.NameKind> = []
    /// The tests found so far.
    var tests: [TestDraft] = []
    /// The settings of the definition, which are read before everything that may name them.
    var settings: [SettingDraft] = []
    /// The language in which texts are read, where they are written in several.
    var language: TextLanguage?
    /// The language in which they are read otherwise: the first one of the definition.
    var standard: TextLanguage?
    /// The texts in several languages found so far.
    var translations: [Translation] = []
    /// The texts for people found so far that are the same in all languages.
    var commonWords: [SourceText] = []

    /// Reports a problem that covers a node.
    mutating func report(_ code: ProblemCode, _ node: YAMLNode, _ message: String, remedy: String? = nil) {
        problems.report(
            DefinitionProblem(code, at: node.place, length: node.length, message, remedy: remedy)
        )
    }

    /// Reports a problem that covers a text.
    mutating func report(
        _ code: ProblemCode,
        _ source: SourceText,
        _ message: String,
        remedy: String? = nil
    ) {
        problems.report(DefinitionProblem(code, source, message, remedy: remedy))
    }

    /// The values of a mapping by their keys, in order.
    struct Keys {
        /// The keys with their values.
        var pairs: [YAMLPair]

        /// The value of a key.
        subscript(key: String) -> YAMLNode? {
            self.pair(key)?.value
        }

        /// Returns whether a key was neither known nor read as another one.
        func isUnknown(_ key: SourceText) -> Bool {
            !pairs.contains { $0.key.place == key.place }
        }

        /// A key with its value.
        func pair(_ key: String) -> YAMLPair? {
            pairs.first { $0.key.text.hasSameCodePoints(as: key) }
        }
    }

    /// The pairs of a mapping whose keys are names chosen by the author; empty if it is not a mapping.
    ///
    /// Kinds with unreadable names are remembered, so that such names are not reported as missing.
    mutating func entries(
        _ node: YAMLNode,
        of what: String,
        names kind: DefinitionDraft.NameKind? = nil,
        remedy: String? = nil
    ) -> [YAMLPair] {
        switch node.content {
        case .map(let pairs):
            return pairs
        case .scalar, .list:
            report(.wrongShape, node, "\(what) must be a mapping, not \(node.shape)", remedy: remedy)
            kind.map { _ = unreadNames.insert($0) }
            return []
        }
    }

    /// The pairs of a mapping with the keys of a part of the language; others are reported and left out.
    mutating func keys(_ node: YAMLNode, of what: String, _ part: LanguagePart) -> Keys? {
        keys(node, of: what, part.mapping)
    }

    /// The pairs of a mapping with the keys of the language that it may have; others are reported and left out.
    mutating func keys(_ node: YAMLNode, of what: String, _ mapping: LanguageMapping) -> Keys? {
        let required = mapping.keys.filter { $0.isRequired && $0.value.isText }.map(\.name)
        guard let keys = keys(node, of: what, allowed: mapping.names, required: required) else {
            unreadNames.formUnion(mapping.keys.compactMap(\.names))
            return nil
        }
        if case .map(let pairs) = node.content, pairs.contains(where: { keys.isUnknown($0.key) }) {
            unreadNames.formUnion(mapping.keys.filter { keys.pair($0.name) == nil }.compactMap(\.names))
            return keys
        }
        for key in mapping.keys where key.isRequired && keys.pair(key.name) == nil {
            let example = "`\(key.name): \(key.examples[0])`"
            report(
                .missingKey,
                SourceText("", at: node.place),
                "\(what) needs the key '\(key.name)'",
                remedy: key.value.isVersion
                    ? "begin it with \(example)" : key.examples[0].hasPrefix("{") ? nil : "as in \(example)"
            )
        }
        return keys
    }

    /// The pairs of a mapping with known keys; others are reported and left out.
    ///
    /// A misspelt key is reported, and read as the one that was meant.
    mutating func keys(
        _ node: YAMLNode,
        of what: String,
        allowed: [String],
        required: [String] = []
    ) -> Keys? {
        guard case .map(let pairs) = node.content else {
            report(
                .wrongShape,
                node,
                "\(what) must be a mapping, not \(node.shape)",
                remedy: "its keys are \(allowed.listed)"
            )
            return nil
        }
        var keys = Keys(pairs: pairs.filter { allowed.contains($0.key.text) })
        var unknown = pairs.filter { !allowed.contains($0.key.text) }
        if let automation = unknown.first(where: { ["trigger", "triggers"].contains($0.key.text) }) {
            reportAutomation(automation.key, in: what, allowed)
            unknown.removeAll { MeantKey.ofAutomations.contains($0.key.text) }
        }
        let missing = required.filter { keys.pair($0) == nil }
        for pair in unknown {
            let free = allowed.filter { keys.pair($0) == nil }
            // One key too many and one too few are one mistake.
            let only = unknown.count == 1 && missing.count == 1 ? missing[0] : nil
            let near = only ?? MeantKey.of(pair.key.text, among: free)
            let target = keys["target"] ?? pair.value
            reportUnknown(YAMLPair(key: pair.key, value: target), of: what, near: near, allowed: free)
            guard let near,
                MeantKey.isMisspelt(pair.key.text, near)
            else { continue }
            let key = SourceText(near, at: pair.key.place, pieces: pair.key.pieces)
            keys.pairs.append(YAMLPair(key: key, value: pair.value))
        }
        return keys
    }

    /// Reports the keys of an automation of Home Assistant, which are one mistake.
    private mutating func reportAutomation(_ key: SourceText, in what: String, _ allowed: [String]) {
        let remedy =
            if allowed.contains("guard") {
                "a condition is written `guard:`, and an event is the key above it, as in `on: { start: { target: running } }`"
            } else if allowed.contains("always") {
                "write transitions, as in `always: { guard: power > 10, target: running }`"
            } else {
                "a definition says what devices send, with 'sources:', and which states follow from it, with 'machine:'"
            }
        report(
            .unknownKey,
            key,
            "'\(key.text)' belongs to automations of Home Assistant, and not to \(what)",
            remedy: remedy
        )
    }

    private mutating func reportUnknown(
        _ pair: YAMLPair,
        of what: String,
        near: String?,
        allowed: [String]
    ) {
        let key = pair.key
        let remedy =
            if ShapeAdvice.isExpression(key.text), allowed.contains("guard") {
                "write `\(ShapeAdvice.transition(key.text, pair.value))`"
            } else if key.text == "quiet", what == "a state" {
                "it belongs to a transition: write `always: \(ShapeAdvice.silence(pair.value))`"
            } else if let near {
                "did you mean '\(near)'?"
            } else if allowed.isEmpty {
                "remove it"
            } else {
                "it can have \(allowed.listed)"
            }
        report(.unknownKey, key, "unknown key '\(key.text)' in \(what)", remedy: remedy)
    }

    /// A text that is not empty.
    mutating func text(_ node: YAMLNode, of what: String, insteadOfList: String? = nil) -> SourceText? {
        guard let scalar = node.scalar else {
            let inQuotes =
                node.isCutAtComma
                ? "put a text with a comma in quotes: between braces the comma ends it"
                : node.isMeantAsText ? "put a text that begins with { or [ in quotes" : nil
            let isList = if case .list = node.content { true } else { false }
            report(
                .wrongShape,
                node,
                "\(what) must be a text, not \(node.shape)",
                remedy: isList ? insteadOfList ?? inQuotes : inQuotes
            )
            return nil
        }
        guard !scalar.source.text.isEmpty else {
            if let cutOff = scalar.cutOff {
                problems.report(cutOff.problem)
            } else {
                report(.wrongShape, node, "\(what) has no value")
            }
            return nil
        }
        return scalar.source
    }

    /// An expression; `true`, `3` and `null` are read as they are written.
    mutating func expression(_ node: YAMLNode, of what: String) -> SourceText? {
        if let scalar = node.scalar, !scalar.isPlain, scalar.source.text.isEmpty {
            report(.wrongShape, node, "\(what) has no value", remedy: "write '\"\"' for the empty text")
            return nil
        }
        guard let source = text(node, of: what) else { return nil }
        guard let cutOff = node.scalar?.cutOff, !cutOff.takesSigns else { return source }
        problems.report(cutOff.problem)
        return SourceText(cutOff.text, at: source.place)
    }

    /// A text, or a list of texts.
    mutating func texts(_ node: YAMLNode, of what: String) -> [SourceText] {
        guard case .list(let elements) = node.content else {
            return text(node, of: what).map { [$0] } ?? []
        }
        return elements.compactMap { text($0, of: what) }
    }

    /// Names with their expressions.
    mutating func namedTexts(
        _ pair: YAMLPair,
        names kind: DefinitionDraft.NameKind? = nil,
        remedy: String? = nil
    ) -> [NamedText] {
        entries(pair.value, of: pair.what, names: kind, remedy: remedy).map { pair in
            NamedText(name: pair.key, text: expressionOrAny(pair))
        }
    }

    /// The expression of a name; for one that can't be read something that fits everywhere, so that the name is known.
    func unreadable(at place: Place) -> SourceText { SourceText("dyn(null)", at: place) }

    /// The expression of a name.
    mutating func expressionOrAny(_ pair: YAMLPair) -> SourceText {
        expression(pair.value, of: "'\(pair.key.text)'") ?? unreadable(at: pair.value.place)
    }

    /// A length of time.
    mutating func interval(_ node: YAMLNode, of what: String) -> SourceInterval? {
        if let length = ShapeAdvice.length(of: node) {
            report(
                .badDuration,
                node,
                "\(what) must be a text, not \(node.shape)",
                remedy: "write `\(length)`"
            )
            return nil
        }
        return text(node, of: what).flatMap { interval($0, of: what) }
    }

    /// A length of time.
    mutating func interval(_ source: SourceText, of what: String) -> SourceInterval? {
        switch DurationText.parse(source.text) {
        case .success(let interval):
            return SourceInterval(interval, at: source.place)
        case .failure(let refusal):
            let isSetting = source.text.hasPrefix(Self.settingStart)
            let advice = "write `always: { guard: \"true\", for: \(source.text), target: … }`"
            report(
                .badDuration,
                source,
                isSetting ? "\(what) can't be a setting here" : "\(what) \(refusal.message)",
                remedy: isSetting ? advice : refusal.remedy
            )
            return nil
        }
    }

    /// A length of time of at most some seconds.
    mutating func interval(_ pair: YAMLPair, atMost seconds: Int) -> SourceInterval? {
        guard let length = interval(pair.value, of: pair.what) else { return nil }
        if length.interval <= .seconds(Int64(seconds)) { return length }
        report(
            .badDuration,
            pair.value,
            "\(pair.what) can't be longer than \(seconds) seconds",
            remedy: "write a time such as 500ms"
        )
        return nil
    }

    /// A part of a whole such as `5%`, as a number from 0 to 1.
    mutating func percentage(_ node: YAMLNode, of what: String) -> Double? {
        guard let source = text(node, of: what) else { return nil }
        if let number = Double(source.text.dropLast()), number > 0, number <= 50 { return number / 100 }
        report(
            .badValue,
            source,
            "\(what) can't be '\(source.text)'",
            remedy: "write a part in percent, above 0% and at most 50%, such as `5%`"
        )
        return nil
    }

    /// One of a few words.
    mutating func word(_ node: YAMLNode, of what: String, among allowed: [String]) -> String? {
        guard let source = text(node, of: what) else { return nil }
        if allowed.contains(source.text) { return source.text }
        let near = MeantKey.of(source.text, among: allowed).map { "did you mean '\($0)'?" }
        report(
            .badValue,
            source,
            "\(what) can't be '\(source.text)'",
            remedy: near ?? "it can be \(allowed.listed(with: "or"))"
        )
        return nil
    }

    /// A number within a range.
    mutating func number(_ node: YAMLNode, of what: String, in range: ClosedRange<Double>) -> Double? {
        guard let source = text(node, of: what) else { return nil }
        guard let value = Double(source.text), value.isFinite, range.contains(value) else {
            let bounds =
                range.upperBound.isFinite
                ? "from \(Int(range.lowerBound)) to \(Int(range.upperBound))" : "of at least 0"
            report(.badValue, source, "\(what) can't be '\(source.text)'", remedy: "write a number \(bounds)")
            return nil
        }
        return value
    }

    /// A whole number within bounds.
    mutating func count(_ pair: YAMLPair, in limits: ClosedRange<Int>, _ remedy: String) -> Int? {
        guard let source = text(pair.value, of: pair.what) else { return nil }
        if let count = Int(source.text), limits.contains(count) { return count }
        report(
            .badValue,
            source,
            "\(pair.what) can't be '\(source.text)'",
            remedy: "\(remedy), from \(limits.lowerBound) to \(limits.upperBound)"
        )
        return nil
    }

    /// The key that is written of some that exclude each other; further ones are reported and left out.
    mutating func choice(
        _ keys: inout Keys,
        of what: String,
        among choice: [String],
        remedy: (_ extra: String) -> String
    ) -> YAMLPair? {
        let written = keys.pairs.filter { choice.contains($0.key.text) }
        for extra in written.dropFirst() {
            report(
                .badValue,
                extra.key,
                "\(what) has '\(written[0].key.text)' or '\(extra.key.text)', not both",
                remedy: remedy(extra.key.text)
            )
        }
        keys.pairs.removeAll { choice.contains($0.key.text) && $0.key.place != written[0].key.place }
        return written.first
    }

    /// A truth value.
    mutating func truth(_ node: YAMLNode, of what: String) -> Bool? {
        word(node, of: what, among: ["true", "false"]).map { $0 == "true" }
    }
}

extension LanguageValue {
    /// True if it is a text for people or an expression, which other tools have other keys for.
    fileprivate var isText: Bool {
        switch self {
        case .text, .template, .expression: true
        case .either(let values): if case .named(.language, _)? = values.last { true } else { false }
        default: false
        }
    }
}

extension [String] {
    /// The names as people list them: `'a', 'b' and 'c'`.
    var listed: String { listed(with: "and") }

    /// The names as people list them, with a word before the last: `'a', 'b' or 'c'`.
    func listed(with word: String) -> String {
        let quoted = map { "'\($0)'" }
        guard quoted.count > 1 else { return quoted.joined() }
        return quoted.dropLast().joined(separator: ", ") + " \(word) " + quoted[quoted.count - 1]
    }
}

extension DefinitionBuilder {
    /// A text for people: one for all languages, or a mapping of languages with a text in each.
    mutating func words(_ node: YAMLNode, of what: String) -> SourceText? {
        let chosen = chosen(of: node)
        if chosen == nil, let scalar = node.scalar { commonWords.append(scalar.source) }
        if let cutOff = (chosen ?? node).scalar?.cutOff, cutOff.takesSigns {
            problems.report(cutOff.problem)
        }
        return text(chosen ?? node, of: what)
    }

    /// The value in the language of this builder; nil if it is no mapping of languages.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - keys: The keys of a mapping that could be written there, too: one with any of them is none of languages.
    /// - Returns: The value that is written for the language.
    mutating func chosen(of node: YAMLNode, unlessIn keys: [String] = []) -> YAMLNode? {
        guard let pairs = node.languages(besides: keys) else { return nil }
        let written = pairs.compactMap { TextLanguage($0.key.text) }
        if !translations.contains(where: { $0.place == node.place }) {
            translations.append(Translation(place: node.place, languages: written))
        }
        let wished = language?.best(among: written) ?? standard?.best(among: written) ?? 0
        return pairs[wished].value
    }

    /// A text in several languages.
    struct Translation {
        /// The place of its start.
        var place: Place
        /// Its languages, in the order of the file.
        var languages: [TextLanguage]
    }

    /// The languages of all texts, in the order of the file.
    var languages: [TextLanguage] {
        var found: [TextLanguage] = []
        for translation in translations.sorted(by: { $0.place < $1.place }) {
            for language in translation.languages where !found.contains(language) { found.append(language) }
        }
        return found
    }

    /// The texts that lack one of the languages, and those that seem to be written in only one.
    func gaps(in languages: [TextLanguage]) -> [DefinitionProblem] {
        guard languages.count > 1 else { return [] }
        let listed = languages.map(\.tag).listed
        var gaps: [DefinitionProblem] = []
        for translation in translations {
            let missing = languages.filter { language in
                !translation.languages.contains { language.accepts($0) }
            }
            if missing.isEmpty { continue }
            gaps.append(
                DefinitionProblem(
                    .languageMissing,
                    at: translation.place,
                    "this text is not written in \(missing.map(\.tag).listed)",
                    remedy: "other texts are: write it in \(listed)"
                )
            )
        }
        for source in commonWords where source.text.hasWord {
            gaps.append(
                DefinitionProblem(
                    .languageMissing,
                    source,
                    "this text is the same in all languages",
                    remedy: "write it in \(listed), as in `{ \(languages[0].tag): … }`"
                )
            )
        }
        return gaps
    }
}

extension YAMLNode {
    /// The pairs of a mapping of languages to values, unless one of its keys is among those given.
    func languages(besides keys: [String]) -> [YAMLPair]? {
        guard case .map(let pairs) = content, !pairs.isEmpty, !pairs.isBraced,
            pairs.allSatisfy({ TextLanguage($0.key.text) != nil && !keys.contains($0.key.text) })
        else { return nil }
        return pairs
    }
}

extension String {
    /// True if there is a word outside of braces: four letters or more, as units and names of devices often have fewer.
    fileprivate var hasWord: Bool {
        var (depth, letters) = (0, 0)
        for character in self {
            if character == "{" { depth += 1 }
            if character == "}" { depth -= 1 }
            letters = depth == 0 && character.isLetter ? letters + 1 : 0
            if letters == 4 { return true }
        }
        return false
    }
}
