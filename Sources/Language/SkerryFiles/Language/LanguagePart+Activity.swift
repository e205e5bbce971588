import SkerryActivity

extension LanguagePart {
    static let activityMapping = LanguageMapping(
        "Activity",
        "What people follow: one run of a device. The words are those of ActivityKit.",
        [
            LanguageKey(
                "starts",
                "States that start it",
                "Entering one of these states starts an activity.",
                .oneOrMore(.state),
                isRequired: true,
                examples: ["running"]
            ),
            LanguageKey(
                "ends",
                "States that end it",
                "Entering one of these states ends it.",
                .oneOrMore(.state),
                examples: ["[done, idle]"]
            ),
            LanguageKey(
                "run",
                "Key of the run",
                "The text or whole number that names the job. When it changes in a state of `starts`, the run ends and the next "
                    + "one begins.",
                .either([.expression, .mapping(.runKey)]),
                examples: ["job", "{ key: order, once: true }"]
            ),
            LanguageKey(
                "reset",
                "Signals that begin empty",
                "These signals are unset when a run starts, unless the message that starts it set them.",
                .oneOrMore(.signal),
                examples: ["[progress, error]"]
            ),
            LanguageKey(
                "attributes",
                "Attributes",
                "What stays the same for a whole run, evaluated when it starts.",
                .named(.identifier, .either([.words(.expression), .mapping(.attribute)])),
                examples: ["{ name: device.name }"]
            ),
            LanguageKey(
                "audience",
                "Person of the run",
                "The attribute whose value names the person. Only phones of this person get the run, such as the customer's of "
                    + "an order.",
                .text,
                examples: ["customer"]
            ),
            LanguageKey(
                "content",
                "Content",
                "What may change. An update is sent only when a person would see a difference in a field. `timer.<name>` alone is a "
                    + "clock that readers draw.",
                .named(.identifier, .either([.words(.expression), .mapping(.field)])),
                examples: ["{ status: state.title, cycle: timer.cycle }"]
            ),
            LanguageKey(
                "alerts",
                "Alerts",
                "What alerts people: states with their alerts, or a list of alerts that say when they are given.",
                .either([.named(.state, .mapping(.alert)), .list(.mapping(.listedAlert))]),
                examples: [
                    "{ done: { title: Laundry is done } }",
                    "[{ when: battery < 20, title: The battery is low }]",
                ]
            ),
            LanguageKey(
                "relevance",
                "Relevance",
                "How much it matters compared with others, from 0 to 100; 50 when left out. An expression is evaluated with each "
                    + "update, and a `relevance` of a state replaces it.",
                .changingNumber(0...100),
                examples: ["50", "\"battery < 10 ? 90 : 40\""]
            ),
            LanguageKey(
                "exactAfter",
                "Exact after",
                "How long a number may differ from what is shown by no more than its `tolerance`; then it is told. Default 15 minutes.",
                .duration,
                examples: ["1h"]
            ),
            LanguageKey(
                "throttle",
                "Throttle",
                "So long after an update that told other values alone, other values alone give no further one. Starts, ends, "
                    + "changes of state and alerts do not wait.",
                .duration,
                examples: ["1m"]
            ),
            LanguageKey(
                "settle",
                "Settling",
                "Changes within this time, at most 10s, are one update. Starts, ends and alerts are published at once.",
                .duration,
                examples: ["500ms"]
            ),
            LanguageKey(
                "stale",
                "Stale after",
                "After this time without a message from the device, or without certain signals, the activity is stale.",
                settableSilence,
                examples: ["15m", "{ of: [power], for: 1h }"]
            ),
            LanguageKey(
                "dismiss",
                "Dismissed after",
                "When an ended activity goes away: `default` is 4 hours, the longest time possible.",
                .either([.word(["default", "immediate"]), .settableDuration]),
                examples: ["15m", "immediate"]
            ),
            LanguageKey(
                "forget",
                "Forgotten after",
                "So long after its run was dismissed, the device is forgotten. For devices that come once, such as orders.",
                .duration,
                examples: ["1d", "0s"]
            ),
            LanguageKey(
                "link",
                "Link",
                "What opens when it is touched; without it, the device in the app.",
                .template,
                examples: ["\"https://example.org/{device}\""]
            ),
        ]
    )

    static let fieldMapping = LanguageMapping(
        "Field of the content",
        "An expression with a tolerance. Without a tolerance the expression alone is enough.",
        [
            LanguageKey(
                "value",
                "Value",
                "The expression.",
                .words(.expression),
                isRequired: true,
                examples: ["temperature"]
            ),
            LanguageKey(
                "when",
                "Condition",
                "The field is left out while this does not hold, such as a countdown in a state that shows none.",
                .expression,
                examples: ["inState(\"running\")"]
            ),
            LanguageKey(
                "tolerance",
                "Tolerance",
                "A number changes for readers only when it has moved by more than this.",
                .number(0...Double.infinity),
                examples: ["0.5"]
            ),
            LanguageKey(
                "throttle",
                "Throttle",
                "So long after an update that told other values alone, another value of this field gives no further one; "
                    + "without it that of the activity counts.",
                .duration,
                examples: ["1m"]
            ),
            LanguageKey(
                "round",
                "Decimals",
                "The number is rounded to so many decimals before it is compared and published.",
                .number(0...6),
                examples: ["1"]
            ),
            LanguageKey(
                "unit",
                "Unit",
                "What people read after the number. On MQTT the number stands alone.",
                .words(.text),
                examples: ["kWh"]
            ),
            LanguageKey(
                "of",
                "Whole",
                "The number that fills a bar, so that `progress` can show the field.",
                .number(0...Double.infinity),
                examples: ["100"]
            ),
            fieldType,
        ]
    )

    static let runKeyMapping = LanguageMapping(
        "Key of a run",
        "What tells one run from the next, and whether it may come back.",
        [
            LanguageKey(
                "key",
                "The key",
                "The text or whole number that names the job.",
                .expression,
                isRequired: true,
                examples: ["order"]
            ),
            LanguageKey(
                "once",
                "One run only",
                "With `true`, a key that is reported again after the end of its run begins no other one.",
                .truth,
                examples: ["true"]
            ),
        ]
    )

    static let attributeMapping = LanguageMapping(
        "Attribute",
        "An expression with a type. Without a type the expression alone is enough.",
        [
            LanguageKey(
                "value",
                "Value",
                "The expression.",
                .words(.expression),
                isRequired: true,
                examples: ["program"]
            ),
            fieldType,
        ]
    )

    private static let fieldType = LanguageKey(
        "type",
        "Type",
        "The type to which the value is converted, and which the app declares. Without it, the type is that of the "
            + "expression, as far as it is known.",
        .word(FieldType.declarable.map(\.name)),
        examples: ["int"]
    )

    static let alertMapping = LanguageMapping("Alert", "The text that people get.", alertTexts)

    static let listedAlertMapping = LanguageMapping(
        "Alert of a list",
        "An occasion, and the text that people get.",
        choice: ["state", "when", "event"],
        [
            LanguageKey(
                "state",
                "State",
                "Given when this state is entered.",
                .state,
                examples: ["done"]
            ),
            LanguageKey(
                "when",
                "Condition",
                "Given each time this turns true while a run goes on.",
                .expression,
                examples: ["battery < 20"]
            ),
            LanguageKey(
                "event",
                "Event",
                "Given when this event comes while a run goes on.",
                .event,
                examples: ["button.double"]
            ),
        ] + alertTexts
    )

    private static let alertTexts = [
        LanguageKey(
            "title",
            "Title",
            "The first line.",
            .words(.template),
            isRequired: true,
            examples: ["Tea time"]
        ),
        LanguageKey(
            "body",
            "Body",
            "What follows.",
            .words(.template),
            examples: ["\"{program} has finished\""]
        ),
        LanguageKey(
            "sound",
            "Sound",
            "Its sound: the usual one, none, or a file in the app.",
            .either([.word(["default", "none"]), .text]),
            examples: ["none", "bell.caf"]
        ),
        LanguageKey(
            "level",
            "Urgency",
            "How urgent it is. A critical one is heard in quiet hours; a passive one is only there to be read.",
            .word(ActivityAlert.Level.allCases.map(\.name)),
            examples: ["critical"]
        ),
    ]
}
