import SkerryDevice

extension LanguagePart {
    static let recognitionMapping = LanguageMapping(
        "Recognition",
        "Messages that tell that a device of this kind is there, read as those of a source.",
        [
            LanguageKey(
                "topic",
                "Topic filter",
                "A topic filter of MQTT. The level `{device}` names the device, unless the key `device` does.",
                .text,
                isRequired: true,
                examples: ["'device/{device}/report'"]
            ),
            LanguageKey(
                "payload",
                "Format of the payload",
                "As that of a source; a payload in another format tells nothing.",
                .word(PayloadFormat.allCases.map(\.name)),
                examples: ["json", "number"]
            ),
            LanguageKey(
                "each",
                "List in the payload",
                "Each element is read as a message of its own: `item` is the element, `payload` the whole.",
                .expression,
                examples: ["payload", "payload.devices"]
            ),
            LanguageKey(
                "when",
                "Condition",
                "The message tells of a device only when this holds; with an error it does not.",
                .expression,
                examples: ["has(payload.print.gcode_state)"]
            ),
            LanguageKey(
                "device",
                "Name of the device",
                "A text with expressions over the message, in place of `{device}` in the topic.",
                .template,
                examples: ["'{item.friendly_name}'"]
            ),
            LanguageKey(
                "name",
                "Name for people",
                "The name that people gave the device; `skerry discover` shows it.",
                .expression,
                examples: ["item.friendly_name"]
            ),
            LanguageKey(
                "sure",
                "Certainty",
                "`certain` (the default): nothing else sends such messages, so `definitions: auto` adopts the definition. "
                    + "`likely`: a person decides.",
                .word(Certainty.allCases.map(\.name)),
                examples: ["likely"]
            ),
        ]
    )
}
