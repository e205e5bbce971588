// A table, whose rows would take up three times as many lines.
// swift-format-ignore-file

import SkerryActivity
import SkerryDevice

/// The keys of activities, their fields and their alerts.
enum ActivityKeys {
    static let activity = KeyTable<ActivityDraft>("Activity", "What people follow: one run of a device. The words are those of ActivityKit.") {
        DraftKey("starts", .texts(.state), \.starts).required
            .help("States that start it", "Entering one of these states starts an activity.", "running")
        DraftKey("ends", .texts(.state), \.ends)
            .help("States that end it", "Entering one of these states ends it.", "[done, idle]")
        DraftKey("run", .either([.expression, .mapping(.runKey)])) { $0.runKey($1, of: &$2) } write: { $0.short(runKey.written($1, by: $0)) }
            .help("Key of the run", "The text or whole number that names the job. When it changes in a state of `starts`, the run ends and the next one begins.", "job", "{ key: order, once: true }")
        DraftKey("reset", .texts(.signal), \.reset)
            .help("Signals that begin empty", "These signals are unset when a run starts, unless the message that starts it set them.", "[progress, error]")
        DraftKey("attributes", .named(.identifier, .either([.words(.expression), .mapping(.attribute)]))) { $2.attributes = $0.attributes($1) } write: { $0.attributes(of: $1) }
            .help("Attributes", "What stays the same for a whole run, evaluated when it starts.", "{ name: device.name }").introduces(.field)
        DraftKey("audience", .text(), \.audience)
            .help("Person of the run", "The attribute whose value names the person. Only phones of this person get the run, such as the customer's of an order.", "customer")
        DraftKey("content", .named(.identifier, .either([.words(.expression), .mapping(.field)]))) { $2.content = $0.content($1) } write: { $0.content(of: $1) }
            .help("Content", "What may change. An update is sent only when a person would see a difference in a field. `timer.<name>` alone is a clock that readers draw.", "{ status: state.title, cycle: timer.cycle }").introduces(.field)
        DraftKey("alerts", .either([.named(.state, .mapping(.alert)), .list(.mapping(.listedAlert))])) { $2.alerts = $0.alerts($1.value) } write: { $0.alerts($1.alerts) }
            .help("Alerts", "What alerts people: states with their alerts, or a list of alerts that say when they are given.", "{ done: { title: Laundry is done } }", "[{ when: battery < 20, title: The battery is low }]")
        DraftKey("relevance", .changingNumber(0...100)) { $0.relevance($1, of: &$2) } write: { $0.relevance(of: $1) }
            .help("Relevance", "How much it matters compared with others, from 0 to 100; 50 when left out. An expression is evaluated with each update, and a `relevance` of a state replaces it.", "50", "\"battery < 10 ? 90 : 40\"")
        DraftKey("exactAfter", .length, \.times.exactAfter)
            .help("Exact after", "How long a number may differ from what is shown by no more than its `tolerance`; then it is told. Default 15 minutes.", "1h")
        DraftKey("throttle", .duration, \.throttle)
            .help("Throttle", "So long after an update that told other values alone, other values alone give no further one. Starts, ends, changes of state and alerts do not wait.", "1m")
        DraftKey("settle", .length(atMost: DefinitionReader.settlingLimit), \.times.settle)
            .help("Settling", "Changes within this time, at most 10s, are one update. Starts, ends and alerts are published at once.", "500ms")
        DraftKey("stale", .silence, \.stale)
            .help("Stale after", "After this time without a message from the device, or without certain signals, the activity is stale.", "15m", "{ of: [power], for: 1h }")
        DraftKey("dismiss", .either([.word(["default", "immediate"]), .settableDuration])) { $0.dismissal($1.value, of: &$2) } write: { $0.dismissal(of: $1) }
            .help("Dismissed after", "When an ended activity goes away: `default` is 4 hours, the longest time possible.", "15m", "immediate")
        DraftKey("forget", .length, \.times.forget)
            .help("Forgotten after", "So long after its run was dismissed, the device is forgotten. For devices that come once, such as orders.", "1d", "0s")
        DraftKey("link", .template, \.link)
            .help("Link", "What opens when it is touched; without it, the device in the app.", "\"https://example.org/{device}\"")
    }

    static let field = KeyTable<ContentDraft>("Field of the content", "An expression with a tolerance. Without a tolerance the expression alone is enough.") {
        DraftKey("value", .words(.expression), read: nil) { $0.text($1.value) }.required
            .help("Value", "The expression.", "temperature")
        DraftKey("when", .expression, \.condition)
            .help("Condition", "The field is left out while this does not hold, such as a countdown in a state that shows none.", "inState(\"running\")")
        DraftKey("tolerance", .number(0...Double.infinity), \.tolerance)
            .help("Tolerance", "A number changes for readers only when it has moved by more than this.", "0.5")
        DraftKey("throttle", .duration, \.throttle)
            .help("Throttle", "So long after an update that told other values alone, another value of this field gives no further one; without it that of the activity counts.", "1m")
        DraftKey("round", .count(0...6, "write the number of decimals to keep"), \.decimals)
            .help("Decimals", "The number is rounded to so many decimals before it is compared and published.", "1")
        DraftKey("unit", .unit, \.unit)
            .help("Unit", "What people read after the number. On MQTT the number stands alone.", "kWh")
        DraftKey("of", .whole, \.whole)
            .help("Whole", "The number that fills a bar, so that `progress` can show the field.", "100")
        fieldType(\.type)
    }

    static let runKey = KeyTable<ActivityDraft>("Key of a run", "What tells one run from the next, and whether it may come back.") {
        DraftKey("key", .expression, \.run).required
            .help("The key", "The text or whole number that names the job.", "order")
        DraftKey("once", .truth, \.runsOnce)
            .help("One run only", "With `true`, a key that is reported again after the end of its run begins no other one.", "true")
    }

    static let attribute = KeyTable<AttributeDraft>("Attribute", "An expression with a type. Without a type the expression alone is enough.") {
        DraftKey("value", .words(.expression), read: nil) { $0.text($1.value) }.required
            .help("Value", "The expression.", "program")
        fieldType(\.type)
    }

    private static func fieldType<Draft>(_ path: any WritableKeyPath<Draft, FieldType?> & Sendable) -> DraftKey<Draft> {
        DraftKey("type", .word(FieldType.declarable, \.name), path)
            .help("Type", "The type to which the value is converted, and which the app declares. Without it, the type is that of the expression, as far as it is known.", "int")
    }

    static let alert = KeyTable<AlertDraft>("Alert", "The text that people get.") {
        alertTexts
    }

    static let listedAlert = KeyTable<AlertDraft>("Alert of a list", "An occasion, and the text that people get.", choice: ["state", "when", "event"]) {
        DraftKey("state", .text(.state, insteadOfList: "write an alert for each of the states"), \.occasion, { .state($0) }) { if case .state(let text) = $0 { text } else { nil } }
            .help("State", "Given when this state is entered.", "done")
        DraftKey("when", .text(.expression, insteadOfList: "put '||' between conditions, or write an alert for each"), \.occasion, { .condition($0) }) { if case .condition(let text) = $0 { text } else { nil } }
            .help("Condition", "Given each time this turns true while a run goes on.", "battery < 20")
        DraftKey("event", .text(.event, insteadOfList: "write several events with spaces between, as in `event: open close`"), \.occasion, { .event($0) }) { if case .event(let text) = $0 { text } else { nil } }
            .help("Event", "Given when this event comes while a run goes on.", "button.double")
        alertTexts
    }

    @KeyList<AlertDraft> private static var alertTexts: [DraftKey<AlertDraft>] {
        DraftKey("title", .words(.template), \.title).required
            .help("Title", "The first line.", "Tea time")
        DraftKey("body", .words(.template), \.body)
            .help("Body", "What follows.", "\"{program} has finished\"")
        DraftKey("sound", .sound, \.sound)
            .help("Sound", "Its sound: the usual one, none, or a file in the app.", "none", "bell.caf")
        DraftKey("level", .word(ActivityAlert.Level.allCases, \.name, usual: .active), \.level)
            .help("Urgency", "How urgent it is. A critical one is heard in quiet hours; a passive one is only there to be read.", "critical")
    }
}
