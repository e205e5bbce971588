import SkerryDevice

extension LanguagePart {
    static let recognitionMapping = LanguageMapping(
        "Recognition",
        "Messages that tell that a device of this kind is there, read as those of a source.",
        sourceMapping.keys.filter { ofMessages.contains($0.name) } + [
            LanguageKey(
                "sure",
                "Certainty",
                "`certain` (the default): nothing else sends such messages, so `definitions: auto` adopts the definition. "
                    + "`likely`: a person decides.",
                .word(Certainty.allCases.map(\.name)),
                examples: ["likely"]
            )
        ]
    )

    /// The keys of a source that tell which messages, and of which device.
    private static let ofMessages = ["extends", "topic", "device", "as", "when", "each", "name", "payload"]
}
