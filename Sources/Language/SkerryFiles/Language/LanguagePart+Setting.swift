extension LanguagePart {
    static let settingMapping = LanguageMapping(
        "Setting",
        "A value that people may choose for each device. Without bounds the default alone is enough.",
        [
            LanguageKey(
                "default",
                "Default",
                "The value for devices that have no other. It decides whether the setting is a number, a text, a truth value "
                    + "or a length of time.",
                .scalar,
                isRequired: true,
                examples: ["10", "2m", "true"]
            ),
            LanguageKey(
                "min",
                "Smallest value",
                "A number or a length of time, like the default. Smaller values are refused.",
                .scalar,
                examples: ["0", "10s"]
            ),
            LanguageKey(
                "max",
                "Greatest value",
                "A number or a length of time, like the default. Greater values are refused.",
                .scalar,
                examples: ["3000", "1h"]
            ),
            LanguageKey(
                "text",
                "Purpose",
                "What it is for, for the people who choose a value.",
                .words(.text),
                examples: ["Watts above which the machine is running"]
            ),
        ]
    )
}
