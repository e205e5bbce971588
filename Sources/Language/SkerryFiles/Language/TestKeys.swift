// A table, whose rows would take up three times as many lines.
// swift-format-ignore-file

import SkerryDevice

/// The keys of the tests of a definition.
enum TestKeys {
    static let test = KeyTable<Never>("Test", "Which messages must lead to which results.") {
        LanguageKey("name", .text).required
            .help("Name", "What it shows, in a sentence.", "an hour's wash sends two updates")
        LanguageKey("place", .mapping(.place))
            .help("Place", "The zone of the clocks, and where the sun rises and sets; UTC and no sun when left out.", "{ zone: Europe/Berlin, latitude: 52.5, longitude: 13.4 }")
        LanguageKey("steps", .list(.either([.mapping(.step), .mapping(.repetition)]))).required
            .help("Steps", "What happens and what is expected, in order.", "[{ wait: 10m }, { expect: { updates: 0 } }]")
    }

    static let place = KeyTable<Never>("Place", "The place whose clocks and whose sun a test goes by.") {
        LanguageKey("zone", .text)
            .help("Time zone", "Its name in the time zone database; UTC when left out.", "Europe/Berlin")
        LanguageKey("latitude", .number(-90...90))
            .help("Latitude", "Degrees north of the equator.", "52.5")
        LanguageKey("longitude", .number(-180...180))
            .help("Longitude", "Degrees east of Greenwich.", "13.4")
    }

    static let step = KeyTable<Never>("Step of a test", "One thing that happens or is expected.", choice: ["given", "send", "wait", "at", "event", "expect"]) {
        LanguageKey("given", .mapping(.given))
            .help("Given", "Where a device is before the test begins: state, signals, variables, timers.", "{ state: running, signals: { power: 3 } }")
        LanguageKey("send", .named(.topic, .anything))
            .help("Send", "Messages of the device: topics with their payloads. A mapping or list is sent as JSON.", "{ plug/kettle/kitchen/power: 1800 }")
        LanguageKey("wait", .duration)
            .help("Wait", "This much time passes.", "59m")
        LanguageKey("at", .moment)
            .help("At", "The clock moves to this moment.", "\"2026-03-01T12:00:00Z\"")
        LanguageKey("event", .either([.event, .mapping(.event)]))
            .help("Event", "Somebody sends an event to the machine of a device.", "snooze", "{ name: snooze, device: laundry }")
        LanguageKey("expect", .mapping(.expectation))
            .help("Expect", "All of this must be true.", "{ state: done, updates: 2, ended: true }")
        LanguageKey("retained", .truth)
            .help("Retained", "With `send`: the messages are retained ones, which describe the past.", "true")
        LanguageKey("base64", .truth)
            .help("Bytes", "With `send`: the payloads are written in base64, for those that are no text.", "true")
    }

    static let repetition = KeyTable<Never>("Repetition", "Steps that are done several times, one after the other.") {
        LanguageKey("repeat", .number(2...Double(TestDraft.stepLimit))).required
            .help("Times", "How often the steps are done.", "60")
        LanguageKey("steps", .list(.either([.mapping(.step), .mapping(.repetition)]))).required
            .help("Steps", "The steps.", "[{ send: { plug/washer/power: 900 } }, { wait: 1m }]")
    }

    static let given = KeyTable<TestGiven>("What is given", "Where a device is before the test begins.") {
        DraftKey("device", .text(), \.device).help("Device", deviceHelp, "laundry")
        DraftKey("state", .texts(.state), \.states)
            .help("State", "The state that the machine is in, entered at the start of the test; in a parallel machine a list.", "running", "[heating, lit]")
        DraftKey("settings", .named(.identifier, .scalar)) { $2.settings = $0.givenSettings($1.value) }
            .help("Settings", "Settings with the values that were chosen for the device.", "{ threshold: 20 }")
        DraftKey("signals", .named(.identifier, .anything)) { $2.signals = $0.testEntries($1) }
            .help("Signals", "Signals with their values.", "{ power: 3 }")
        DraftKey("context", .named(.identifier, .anything)) { $2.context = $0.testEntries($1) }
            .help("Variables", "Variables with their values.", "{ count: 2, began: -5m }")
        DraftKey("timers", .named(.identifier, .duration)) { $2.timers = $0.givenTimers($1) }
            .help("Timers", "Timers with the time that they have left; those that count up, with the time counted.", "{ cycle: 20m }")
    }

    static let event = KeyTable<Never>("Event of a test", "An event for a device.") {
        LanguageKey("name", .event).required
            .help("Event", "Its name.", "snooze")
        device
    }

    private static let device = LanguageKey("device", .text).help("Device", deviceHelp, "laundry")
    private static let deviceHelp = "The name of the device; the only one of the test when left out."

    static let expectation = KeyTable<Never>("Expectation", "What must be true at this point of the test.") {
        device
        LanguageKey("state", .oneOrMore(.state)).help("State", "A state that is active, or a list of such.", "done")
        LanguageKey("signals", .named(.identifier, .anything)).help("Signals", "Values of signals.", "{ power: 3 }")
        LanguageKey("context", .named(.identifier, .anything)).help("Variables", "Values of variables.", "{ count: 2 }")
        LanguageKey("timers", .named(.identifier, .either([.word(TimerReport.words), .mapping(.timerExpectation)]))).help("Timers", "What timers do.", "{ cycle: running }")
        LanguageKey("updates", .count).help("Updates", "How many updates were sent so far.", "2")
        LanguageKey("runs", .count).help("Runs", "How many activities have started so far.", "1")
        LanguageKey("phase", .word(["active", "stale", "ended", "none"])).help("Phase", "The phase of the last update.", "active")
        LanguageKey("ended", .truth).help("Ended", "Whether the last update ended the activity.", "true")
        LanguageKey("stale", .truth).help("Stale", "Whether the last update made the activity stale.", "true")
        LanguageKey("dismissed", .truth).help("Dismissed", "Whether the activity has gone away.", "true")
        LanguageKey("availability", .either([.word(["online", "offline", "available", "unavailable"]), .anything])).help("Availability", "Whether the device can be reached.", "online")
        LanguageKey("content", .anything).help("Content", "Fields of the content of the last update.", "{ status: Running }")
        LanguageKey("attributes", .anything).help("Attributes", "Attributes of the last update.", "{ name: laundry }")
        LanguageKey("patch", .anything).help("Patch", "Members of the merge patch of the last update.", "{ state: done }")
        LanguageKey("alert", .anything).help("Last alert", "The last alert.", "{ title: Laundry is done }")
        LanguageKey("alerts", .anything).help("Alerts", "All alerts so far, or how many.", "1")
        LanguageKey("faults", .anything).help("Faults", "All faults so far, or how many.", "0")
        LanguageKey("published", .anything).help("Published", "What was published on MQTT since the last expectations: a list of all messages, the last payload of topics, or their number.", "[]")
        LanguageKey("refused", .anything).help("Refused", "All messages refused so far, or how many.", "0")
    }

    static let timerExpectation = KeyTable<Never>("Expectation of a timer", "The state of a timer, as readers see it.") {
        LanguageKey("remaining", .length).help("Time left", "The time it still runs, in seconds or as `10m`.", "10m")
        LanguageKey("duration", .length).help("Length", "Its whole length.", "15m")
        LanguageKey("elapsed", .length).help("Time run", "How long it has run.", "90")
        LanguageKey("start", .anything).help("Start", "When it began: Unix seconds, a date, or the time since the test began.", "0s")
        LanguageKey("end", .anything).help("End", "When it ends: Unix seconds, a date, or the time since the test began.", "15m")
        LanguageKey("running", .truth).help("Running", "Whether it runs.", "true")
        LanguageKey("paused", .truth).help("Paused", "Whether it is paused.", "false")
    }
}

extension LanguageValue {
    fileprivate static let count = LanguageValue.number(0...Double.infinity)
    fileprivate static let length = LanguageValue.either([.number(0...Double.infinity), .duration])
}
