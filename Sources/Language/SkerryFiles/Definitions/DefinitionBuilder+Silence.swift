import SkerryDevice

extension DefinitionBuilder {
    /// Reads a silence: a length of time for that of the whole device, or a mapping for that of some signals.
    mutating func silence(_ node: YAMLNode, of what: String) -> SilenceDraft? {
        guard case .map = node.content else {
            return settableInterval(node, of: what).map { SilenceDraft($0) }
        }
        guard var keys = keys(node, of: what, .silence) else { return nil }
        let remedy = "write 'of' if each report breaks it, 'unchanged' if only another value does"
        let written = choice(&keys, of: "a silence", among: LanguagePart.silence.mapping.choice) { _ in remedy
        }
        if written == nil {
            report(
                .missingKey,
                node,
                "nothing says which signals \(what) listens to",
                remedy: "name them, as in `{ of: [left, percent], for: 30m }`, or write the length alone"
            )
        }
        guard written != nil, let length = keys["for"].flatMap({ settableInterval($0, of: "'for'") })
        else { return nil }
        var silence = SilenceDraft(length)
        read(keys, MachineKeys.silence, into: &silence)
        return silence.signals.isEmpty ? nil : silence
    }
}
