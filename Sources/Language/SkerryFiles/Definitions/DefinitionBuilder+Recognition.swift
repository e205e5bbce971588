import SkerryDevice

extension DefinitionBuilder {
    /// Reads the messages that tell that a device is there.
    mutating func recognition(_ node: YAMLNode) -> [RecognitionDraft] {
        guard case .list(let elements) = node.content else {
            report(
                .wrongShape,
                node,
                "'recognise' must be a list, not \(node.shape)",
                remedy: "begin each entry with `- topic: …`"
            )
            return []
        }
        return elements.compactMap { entry($0) }
    }

    private mutating func entry(_ node: YAMLNode) -> RecognitionDraft? {
        guard let keys = keys(node, of: "an entry of 'recognise'", .recognition),
            let source = source(keys, node)
        else { return nil }
        var entry = RecognitionDraft(source)
        if let node = keys["sure"] {
            let word = word(node, of: "'sure'", among: Certainty.allCases.map(\.name))
            entry.certainty = Certainty.allCases.first { $0.name == word } ?? .likely
        }
        return entry
    }
}
