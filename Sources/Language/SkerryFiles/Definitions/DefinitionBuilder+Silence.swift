import SkerryDevice

extension DefinitionBuilder {
    /// Reads a silence: a length of time for that of the whole device, or a mapping for that of some signals.
    mutating func silence(_ node: YAMLNode, of what: String) -> SilenceDraft? {
        guard case .map = node.content else {
            return settableInterval(node, of: what).map { SilenceDraft($0) }
        }
        guard let keys = keys(node, of: what, .silence) else { return nil }
        let kinds = LanguagePart.silence.mapping.choice
        let written = keys.pairs.filter { kinds.contains($0.key.text) }
        if written.isEmpty {
            report(
                .missingKey,
                node,
                "nothing says which signals \(what) listens to",
                remedy: "name them, as in `{ of: [left, percent], for: 30m }`, or write the length alone"
            )
        }
        for extra in written.dropFirst() {
            report(
                .badValue,
                extra.key,
                "a silence has '\(written[0].key.text)' or '\(extra.key.text)', not both",
                remedy: "write 'of' if each report breaks it, 'unchanged' if only another value does"
            )
        }
        guard let pair = written.first,
            let length = keys["for"].flatMap({ settableInterval($0, of: "'for'") })
        else { return nil }
        var silence = SilenceDraft(length)
        silence.signals = texts(pair.value, of: "'\(pair.key.text)'")
        silence.asksChange = pair.key.text == "unchanged"
        return silence.signals.isEmpty ? nil : silence
    }
}
