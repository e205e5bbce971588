extension LanguagePart {
    static let testMapping = LanguageMapping(
        "Test",
        "Which messages must lead to which results.",
        [
            LanguageKey(
                "name",
                "Name",
                "What it shows, in a sentence.",
                .text,
                isRequired: true,
                examples: ["an hour's wash sends two updates"]
            ),
            LanguageKey(
                "place",
                "Place",
                "The zone of the clocks, and where the sun rises and sets; UTC and no sun when left out.",
                .mapping(.place),
                examples: ["{ zone: Europe/Berlin, latitude: 52.5, longitude: 13.4 }"]
            ),
            LanguageKey(
                "steps",
                "Steps",
                "What happens and what is expected, in order.",
                .list(.mapping(.step)),
                isRequired: true,
                examples: ["[{ wait: 10m }, { expect: { updates: 0 } }]"]
            ),
        ]
    )

    static let placeMapping = LanguageMapping(
        "Place",
        "The place whose clocks and whose sun a test goes by.",
        [
            LanguageKey(
                "zone",
                "Time zone",
                "Its name in the time zone database; UTC when left out.",
                .text,
                examples: ["Europe/Berlin"]
            ),
            LanguageKey(
                "latitude",
                "Latitude",
                "Degrees north of the equator.",
                .number(-90...90),
                examples: ["52.5"]
            ),
            LanguageKey(
                "longitude",
                "Longitude",
                "Degrees east of Greenwich.",
                .number(-180...180),
                examples: ["13.4"]
            ),
        ]
    )

    static let stepMapping = LanguageMapping(
        "Step of a test",
        "One thing that happens or is expected.",
        choice: ["given", "send", "wait", "at", "event", "expect"],
        [
            LanguageKey(
                "given",
                "Given",
                "Where a device is before the test begins: state, signals, variables, timers.",
                .mapping(.given),
                examples: ["{ state: running, signals: { power: 3 } }"]
            ),
            LanguageKey(
                "send",
                "Send",
                "Messages of the device: topics with their payloads. A mapping or list is sent as JSON.",
                .named(.topic, .anything),
                examples: ["{ plug/kettle/kitchen/power: 1800 }"]
            ),
            LanguageKey("wait", "Wait", "This much time passes.", .duration, examples: ["59m"]),
            LanguageKey(
                "at",
                "At",
                "The clock moves to this moment.",
                .moment,
                examples: ["\"2026-03-01T12:00:00Z\""]
            ),
            LanguageKey(
                "event",
                "Event",
                "Somebody sends an event to the machine of a device.",
                .either([.event, .mapping(.event)]),
                examples: ["snooze", "{ name: snooze, device: laundry }"]
            ),
            LanguageKey(
                "expect",
                "Expect",
                "All of this must be true.",
                .mapping(.expectation),
                examples: ["{ state: done, updates: 2, ended: true }"]
            ),
            LanguageKey(
                "retained",
                "Retained",
                "With `send`: the messages are retained ones, which describe the past.",
                .truth,
                examples: ["true"]
            ),
            LanguageKey(
                "base64",
                "Bytes",
                "With `send`: the payloads are written in base64, for those that are no text.",
                .truth,
                examples: ["true"]
            ),
        ]
    )

    static let givenMapping = LanguageMapping(
        "What is given",
        "Where a device is before the test begins.",
        [
            device,
            LanguageKey(
                "state",
                "State",
                "The state that the machine is in, entered at the start of the test; in a parallel machine a list.",
                .oneOrMore(.state),
                examples: ["running", "[heating, lit]"]
            ),
            LanguageKey(
                "settings",
                "Settings",
                "Settings with the values that were chosen for the device.",
                .named(.identifier, .scalar),
                examples: ["{ threshold: 20 }"]
            ),
            LanguageKey(
                "signals",
                "Signals",
                "Signals with their values.",
                .named(.identifier, .anything),
                examples: ["{ power: 3 }"]
            ),
            LanguageKey(
                "context",
                "Variables",
                "Variables with their values.",
                .named(.identifier, .anything),
                examples: ["{ count: 2, began: -5m }"]
            ),
            LanguageKey(
                "timers",
                "Timers",
                "Timers with the time that they have left; those that count up, with the time counted.",
                .named(.identifier, .duration),
                examples: ["{ cycle: 20m }"]
            ),
        ]
    )

    static let eventMapping = LanguageMapping(
        "Event of a test",
        "An event for a device.",
        [
            LanguageKey("name", "Event", "Its name.", .event, isRequired: true, examples: ["snooze"]),
            device,
        ]
    )

    private static let device = LanguageKey(
        "device",
        "Device",
        "The name of the device; the only one of the test when left out.",
        .text,
        examples: ["laundry"]
    )

    static let expectationMapping = LanguageMapping(
        "Expectation",
        "What must be true at this point of the test.",
        [
            device,
            expected(
                "state",
                "State",
                "A state that is active, or a list of such.",
                .oneOrMore(.state),
                "done"
            ),
            expected(
                "signals",
                "Signals",
                "Values of signals.",
                .named(.identifier, .anything),
                "{ power: 3 }"
            ),
            expected(
                "context",
                "Variables",
                "Values of variables.",
                .named(.identifier, .anything),
                "{ count: 2 }"
            ),
            expected(
                "timers",
                "Timers",
                "What timers do.",
                .named(.identifier, .either([.word(TimerReport.words), .mapping(.timerExpectation)])),
                "{ cycle: running }"
            ),
            expected("updates", "Updates", "How many updates were sent so far.", .count, "2"),
            expected("runs", "Runs", "How many activities have started so far.", .count, "1"),
            expected(
                "phase",
                "Phase",
                "The phase of the last update.",
                .word(["active", "stale", "ended", "none"]),
                "active"
            ),
            expected("ended", "Ended", "Whether the last update ended the activity.", .truth, "true"),
            expected("stale", "Stale", "Whether the last update made the activity stale.", .truth, "true"),
            expected("dismissed", "Dismissed", "Whether the activity has gone away.", .truth, "true"),
            expected(
                "availability",
                "Availability",
                "Whether the device can be reached.",
                .either([.word(["online", "offline", "available", "unavailable"]), .anything]),
                "online"
            ),
            expected(
                "content",
                "Content",
                "Fields of the content of the last update.",
                .anything,
                "{ status: Running }"
            ),
            expected(
                "attributes",
                "Attributes",
                "Attributes of the last update.",
                .anything,
                "{ name: laundry }"
            ),
            expected(
                "patch",
                "Patch",
                "Members of the merge patch of the last update.",
                .anything,
                "{ state: done }"
            ),
            expected("alert", "Last alert", "The last alert.", .anything, "{ title: Laundry is done }"),
            expected("alerts", "Alerts", "All alerts so far, or how many.", .anything, "1"),
            expected("faults", "Faults", "All faults so far, or how many.", .anything, "0"),
            expected(
                "published",
                "Published",
                "What was published on MQTT since the last expectations: a list of all messages, the last payload of topics, or their number.",
                .anything,
                "[]"
            ),
            expected("refused", "Refused", "All messages refused so far, or how many.", .anything, "0"),
        ]
    )

    private static func expected(
        _ name: String,
        _ title: String,
        _ summary: String,
        _ value: LanguageValue,
        _ example: String
    ) -> LanguageKey {
        LanguageKey(name, title, summary, value, examples: [example])
    }

    static let timerExpectationMapping = LanguageMapping(
        "Expectation of a timer",
        "The state of a timer, as readers see it.",
        [
            expected(
                "remaining",
                "Time left",
                "The time it still runs, in seconds or as `10m`.",
                .length,
                "10m"
            ),
            expected("duration", "Length", "Its whole length.", .length, "15m"),
            expected("elapsed", "Time run", "How long it has run.", .length, "90"),
            expected(
                "start",
                "Start",
                "When it began: Unix seconds, a date, or the time since the test began.",
                .anything,
                "0s"
            ),
            expected(
                "end",
                "End",
                "When it ends: Unix seconds, a date, or the time since the test began.",
                .anything,
                "15m"
            ),
            expected("running", "Running", "Whether it runs.", .truth, "true"),
            expected("paused", "Paused", "Whether it is paused.", .truth, "false"),
        ]
    )
}

extension LanguageValue {
    fileprivate static let count = LanguageValue.number(0...Double.infinity)
    fileprivate static let length = LanguageValue.either([.number(0...Double.infinity), .duration])
}
