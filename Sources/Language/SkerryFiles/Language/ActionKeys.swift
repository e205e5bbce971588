// A table, whose rows would take up three times as many lines.
// swift-format-ignore-file

import SkerryDevice

enum ActionKeys {
    private static let actions = MachineKeys.actions

    static let action = KeyTable<Never>("Action", "One thing that the machine does; several make a list.", choice: ["start", "stop", "pause", "resume", "extend", "raise", "send", "cancel", "assign", "try", "publish"]) {
        LanguageKey("start", .either([.timer, .mapping(.start)]))
            .help("Start a timer", "Starts a timer with the length of its definition, or with one given here.", "cycle", "{ timer: cycle, duration: minutes(left) }")
        LanguageKey("stop", .timer)
            .help("Stop a timer", "Stops a timer.", "cycle")
        LanguageKey("pause", .either([.timer, .mapping(.pause)]))
            .help("Pause a timer", "Pauses a timer, now or from an earlier moment on.", "cycle", "{ timer: cycle, from: timestamp(int(halted)) }")
        LanguageKey("resume", .timer)
            .help("Resume a timer", "Resumes a paused timer.", "cycle")
        LanguageKey("extend", .mapping(.extend))
            .help("Extend a timer", "Moves the end of a timer.", "{ timer: cycle, by: 'duration(\"5m\")' }")
        LanguageKey("raise", .event)
            .help("Raise an event", "Raises an event that the machine handles before any other input.", "ready")
        LanguageKey("send", .either([.event, .mapping(.send)]))
            .help("Send an event", "Sends an event to the machine itself, at once or after a while.", "ready", "{ event: reminder, delay: 'duration(\"10m\")', id: reminder }")
        LanguageKey("cancel", .text)
            .help("Cancel a sent event", "Cancels an event that was sent with this id and has not arrived yet.", "reminder")
        LanguageKey("assign", .named(.identifier, .expression))
            .help("Set variables", "Sets variables of `context` to the values of expressions.", "{ count: context.count + 1 }")
        LanguageKey("try", actions)
            .help("Actions that may fail", "Does each of these, even if one before it failed. Elsewhere, an action that fails ends the list.", "{ assign: { limit: limit } }")
        LanguageKey("publish", .mapping(.publish))
            .help("Publish a message", "Publishes a message on MQTT, such as a command to the device.", "{ topic: \"cmnd/{device}/POWER\", payload: \"OFF\" }")
    }

    static let guardedAction = KeyTable<Never>("Guarded actions", "Actions that are done only when an expression is true.") {
        LanguageKey("guard", .expression).required
            .help("Guard", "An expression that must be true. One that can't be evaluated is false.", "power > 10")
        LanguageKey("actions", actions).required
            .help("Actions", "What is done when the guard is true.", "{ start: cycle }")
        LanguageKey("else", actions)
            .help("Otherwise", "What is done when it is not.", "{ stop: cycle }")
    }

    static let start = KeyTable<Never>("Start of a timer", "Which timer starts, and for how long.") {
        timerName
        LanguageKey("duration", .expression)
            .help("Length", "An expression for the length; that of the timer's definition when left out.", "minutes(left)")
    }

    static let pause = KeyTable<Never>("Pause of a timer", "Which timer is paused, and from when on.") {
        timerName
        LanguageKey("from", .expression)
            .help("Moment of the pause", "An expression for the moment at which the pause began; now when left out.", "since")
    }

    static let extend = KeyTable<Never>("Extension of a timer", "Which timer is extended, and by how much.") {
        timerName
        LanguageKey("by", .expression).required
            .help("Length", "An expression for the length; a negative one makes the timer end earlier.", "duration(\"5m\")")
    }

    private static let timerName = LanguageKey("timer", .timer).required
        .help("Timer", "The name of the timer.", "cycle")

    static let send = KeyTable<Never>("Event to send", "Which event is sent, and when.") {
        LanguageKey("event", .event).required
            .help("Event", "Its name.", "reminder")
        LanguageKey("delay", .expression)
            .help("Delay", "An expression for the delay; none when left out.", "duration(\"10m\")")
        LanguageKey("id", .text)
            .help("Id", "A name by which the action `cancel` can cancel it.", "reminder")
    }

    static let publish = KeyTable<PublicationDraft>("Message to publish", "Which message is published, and where.") {
        DraftKey("topic", .text(.template), \.topic).required
            .help("Topic", "The topic; the values of expressions in it are never more than one level.", "\"cmnd/{device}/POWER\"")
        DraftKey("payload", .template) { $2.payload = $0.payload($1) } write: { $0.text($1.payload) }
            .help("Payload", "The payload; empty when left out.", "OFF")
        DraftKey("retain", .truth, \.isRetained)
            .help("Retained", "With `true`, the broker keeps the message for later readers.", "true")
        DraftKey("qos", .quality, \.quality)
            .help("Quality of service", "`1` (the default) arrives at least once, `0` at most once.", "0")
    }
}
