import SkerryDevice

extension DefinitionBuilder {
    /// A text for people: one for all languages, or a mapping of languages with a text in each.
    mutating func words(_ node: YAMLNode, of what: String) -> SourceText? {
        if let chosen = chosen(of: node) { return text(chosen, of: what) }
        if let scalar = node.scalar { commonWords.append(scalar.source) }
        return text(node, of: what)
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
