extension LanguagePart {
    static let actionMapping = LanguageMapping(
        "Action",
        "One thing that the machine does; several make a list.",
        choice: [
            "start", "stop", "pause", "resume", "extend", "raise", "send", "cancel", "assign", "try",
            "publish",
        ],
        [
            LanguageKey(
                "start",
                "Start a timer",
                "Starts a timer with the length of its definition, or with one given here.",
                .either([.timer, .mapping(.start)]),
                examples: ["cycle", "{ timer: cycle, duration: minutes(left) }"]
            ),
            LanguageKey("stop", "Stop a timer", "Stops a timer.", .timer, examples: ["cycle"]),
            LanguageKey(
                "pause",
                "Pause a timer",
                "Pauses a timer, now or from an earlier moment on.",
                .either([.timer, .mapping(.pause)]),
                examples: ["cycle", "{ timer: cycle, from: timestamp(int(halted)) }"]
            ),
            LanguageKey("resume", "Resume a timer", "Resumes a paused timer.", .timer, examples: ["cycle"]),
            LanguageKey(
                "extend",
                "Extend a timer",
                "Moves the end of a timer.",
                .mapping(.extend),
                examples: ["{ timer: cycle, by: 'duration(\"5m\")' }"]
            ),
            LanguageKey(
                "raise",
                "Raise an event",
                "Raises an event that the machine handles before any other input.",
                .event,
                examples: ["ready"]
            ),
            LanguageKey(
                "send",
                "Send an event",
                "Sends an event to the machine itself, at once or after a while.",
                .either([.event, .mapping(.send)]),
                examples: ["ready", "{ event: reminder, delay: 'duration(\"10m\")', id: reminder }"]
            ),
            LanguageKey(
                "cancel",
                "Cancel a sent event",
                "Cancels an event that was sent with this id and has not arrived yet.",
                .text,
                examples: ["reminder"]
            ),
            LanguageKey(
                "assign",
                "Set variables",
                "Sets variables of `context` to the values of expressions.",
                .named(.identifier, .expression),
                examples: ["{ count: context.count + 1 }"]
            ),
            LanguageKey(
                "try",
                "Actions that may fail",
                "Does each of these, even if one before it failed. Elsewhere, an action that fails ends the list.",
                actions,
                examples: ["{ assign: { limit: limit } }"]
            ),
            LanguageKey(
                "publish",
                "Publish a message",
                "Publishes a message on MQTT, such as a command to the device.",
                .mapping(.publish),
                examples: ["{ topic: \"cmnd/{device}/POWER\", payload: \"OFF\" }"]
            ),
        ]
    )

    static let guardedActionMapping = LanguageMapping(
        "Guarded actions",
        "Actions that are done only when an expression is true.",
        [
            LanguageKey(
                "guard",
                "Guard",
                "An expression that must be true. One that can't be evaluated is false.",
                .expression,
                isRequired: true,
                examples: ["power > 10"]
            ),
            LanguageKey(
                "actions",
                "Actions",
                "What is done when the guard is true.",
                actions,
                isRequired: true,
                examples: ["{ start: cycle }"]
            ),
            LanguageKey(
                "else",
                "Otherwise",
                "What is done when it is not.",
                actions,
                examples: ["{ stop: cycle }"]
            ),
        ]
    )

    static let startMapping = LanguageMapping(
        "Start of a timer",
        "Which timer starts, and for how long.",
        [
            timerName,
            LanguageKey(
                "duration",
                "Length",
                "An expression for the length; that of the timer's definition when left out.",
                .expression,
                examples: ["minutes(left)"]
            ),
        ]
    )

    static let pauseMapping = LanguageMapping(
        "Pause of a timer",
        "Which timer is paused, and from when on.",
        [
            timerName,
            LanguageKey(
                "from",
                "Moment of the pause",
                "An expression for the moment at which the pause began; now when left out.",
                .expression,
                examples: ["since"]
            ),
        ]
    )

    static let extendMapping = LanguageMapping(
        "Extension of a timer",
        "Which timer is extended, and by how much.",
        [
            timerName,
            LanguageKey(
                "by",
                "Length",
                "An expression for the length; a negative one makes the timer end earlier.",
                .expression,
                isRequired: true,
                examples: ["duration(\"5m\")"]
            ),
        ]
    )

    private static let timerName = LanguageKey(
        "timer",
        "Timer",
        "The name of the timer.",
        .timer,
        isRequired: true,
        examples: ["cycle"]
    )

    static let sendMapping = LanguageMapping(
        "Event to send",
        "Which event is sent, and when.",
        [
            LanguageKey("event", "Event", "Its name.", .event, isRequired: true, examples: ["reminder"]),
            LanguageKey(
                "delay",
                "Delay",
                "An expression for the delay; none when left out.",
                .expression,
                examples: ["duration(\"10m\")"]
            ),
            LanguageKey(
                "id",
                "Id",
                "A name by which the action `cancel` can cancel it.",
                .text,
                examples: ["reminder"]
            ),
        ]
    )
}
