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
        var entry = RecognitionDraft(SourceDraft(topic: SourceText("", at: node.place)))
        guard read(node, of: "an entry of 'recognise'", SourceKeys.recognition, into: &entry) != nil else {
            return nil
        }
        if !entry.source.topic.text.isEmpty { return entry }
        unreadNames.insert(.signal)
        return nil
    }
}
