extension LanguagePart {
    static let publishMapping = LanguageMapping(
        "Message to publish",
        "Which message is published, and where.",
        [
            LanguageKey(
                "topic",
                "Topic",
                "The topic; the values of expressions in it are never more than one level.",
                .template,
                isRequired: true,
                examples: ["\"cmnd/{device}/POWER\""]
            ),
            LanguageKey(
                "payload",
                "Payload",
                "The payload; empty when left out.",
                .template,
                examples: ["OFF"]
            ),
            LanguageKey(
                "retain",
                "Retained",
                "With `true`, the broker keeps the message for later readers.",
                .truth,
                examples: ["true"]
            ),
            LanguageKey(
                "qos",
                "Quality of service",
                "`1` (the default) arrives at least once, `0` at most once.",
                .number(0...1),
                examples: ["0"]
            ),
        ]
    )
}
