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
        guard let keys = keys(node, of: "an entry of 'recognise'", .recognition) else { return nil }
        guard let topic = keys["topic"].flatMap({ text($0, of: "'topic'") }) else { return nil }
        var entry = RecognitionDraft(topic: topic)
        if let node = keys["payload"] {
            let word = word(node, of: "'payload'", among: PayloadFormat.allCases.map(\.name))
            entry.payload = PayloadFormat.allCases.first { $0.name == word } ?? .json
        }
        entry.device = keys["device"].flatMap { text($0, of: "'device'") }
        entry.each = keys["each"].flatMap { expression($0, of: "'each'") }
        entry.when = keys["when"].flatMap { expression($0, of: "'when'") }
        entry.name = keys["name"].flatMap { expression($0, of: "'name'") }
        if let node = keys["sure"] {
            let word = word(node, of: "'sure'", among: Certainty.allCases.map(\.name))
            entry.certainty = Certainty.allCases.first { $0.name == word } ?? .likely
        }
        return entry
    }
}
