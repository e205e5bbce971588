// A table, whose rows would take up three times as many lines.
// swift-format-ignore-file

import SkerryDevice

/// The keys of a whole definition and of its settings.
enum DefinitionKeys {
    static let definition = KeyTable<DefinitionDraft>("Definition", "What a kind of device sends, how it behaves and what it shows.") {
        DraftKey("skerry", .version, read: nil) { _, _ in .text("\(DefinitionReader.languageVersion)") }.required
            .help("Version of the language", "The first key of every definition.", "1")
        DraftKey("kind", .text(.topicLevel), \.kind).required
            .help("Kind of device", "A level in every topic that is published for these devices, as in `skerry/washer/laundry/activity`.", "washer")
        LanguageKey("extends", .text)
            .help("Base", "The definition that this one extends: its kind, or the path of a file. Mappings are merged, everything else is replaced, and `null` removes.", "washer-plug", "_plug.yaml")
        DraftKey("name", .words(), \.name)
            .help("Name for people", "What people call this kind of device; the kind when it is left out.", "Washing machine")
        DraftKey("sources", .list(.mapping(.source))) { $2.sources = $0.sources($1.value) } write: { $0.sources(of: $1) }
            .help("Topics", "Where the messages of the devices come from, and which signals are taken from them.", "[{ topic: 'plug/{device}/power', payload: number, signals: { power: payload } }]").introduces(.signal)
        DraftKey("settings", .named(.identifier, .either([.scalar, .mapping(.setting)]))) { $0.readSettings($1.value); $2.settings = $0.settings } write: { $0.settings(of: $1) }
            .help("Settings", "Values that people may choose for each device, with their defaults. Expressions and lengths of time read them as `settings.<name>`.", "{ threshold: 10, rest: { default: 2m, min: 10s, max: 1h } }").introduces(.setting)
        DraftKey("recognise", .list(.mapping(.recognition))) { $2.recognition = $0.recognition($1.value) } write: { $0.recognition(of: $1) }
            .help("Recognition", "Which messages tell that a device of this kind is there; `skerry discover` and `definitions: auto` find it by them. One that fits is enough.", "[{ topic: 'device/{device}/report', when: has(payload.print.gcode_state) }]")
        DraftKey("context", .named(.identifier, .expression)) { $2.context = $0.namedTexts($1, names: .variable, remedy: "write each variable with its first value, as in `{ loads: 0 }`") } write: { $0.context(of: $1) }
            .help("Variables", "Variables of the machine with their first values. Expressions read them as `context.<name>`, the action `assign` sets them.", "{ count: 0, began: now }").introduces(.variable)
        DraftKey("timers", .named(.identifier, .mapping(.timer))) { $2.timers = $0.timers($1.value) } write: { $0.timers(of: $1) }
            .help("Timers", "Named countdowns and count-ups. They survive changes of state. At zero a countdown raises `<name>.elapsed`.", "{ cycle: { remaining: minutes(left), while: 'inState(\"running\")' } }").introduces(.timer)
        DraftKey("machine", .mapping(.machine)) { $2.machine = $0.machine($1.value) } write: { $0.state($1.machine) }.required
            .help("State machine", "The statechart of a device, as SCXML defines it, in XState's words.", "{ initial: 'off', states: { 'off': {}, 'on': {} } }").introduces(.state)
        DraftKey("activity", .activity, \.activity)
            .help("Activity", "What people follow: one run of a device, from a state in `starts` to one in `ends`.", "{ starts: running, ends: [done], content: { status: state.title } }").introduces(.field)
        DraftKey("island", .island, \.island)
            .help("Island", "What phone and page draw of the activity.", "{ minimal: { symbol: washer }, lock: { title: '{name}', text: '{status}' } }")
        DraftKey("migrate", .named(.state, .state)) { $2.migrations = $0.namedTexts($1) } write: { $0.named($1.migrations, isBlock: true) }
            .help("Renamed states", "Where devices go whose state is no longer in the definition: its old name and the new one.", "{ washing: running }")
        LanguageKey("tests", .list(.mapping(.test)))
            .help("Tests", "Which messages must lead to which results; `skerry test` runs them in virtual time.", "[{ name: it starts, steps: [{ wait: 10m }, { expect: { state: idle } }] }]")
    }

    static let setting = KeyTable<SettingDraft>("Setting", "A value that people may choose for each device. Without bounds the default alone is enough.") {
        DraftKey("default", .scalar, read: nil) { $0.value($1.standard) }.required
            .help("Default", "The value for devices that have no other. It decides whether the setting is a number, a text, a truth value or a length of time.", "10", "2m", "true")
        DraftKey("min", .scalar) { $2.least = $0.bound($1, like: $2.standard) } write: { $0.value($1.least) }
            .help("Smallest value", "A number or a length of time, like the default. Smaller values are refused.", "0", "10s")
        DraftKey("max", .scalar) { $2.greatest = $0.bound($1, like: $2.standard) } write: { $0.value($1.greatest) }
            .help("Greatest value", "A number or a length of time, like the default. Greater values are refused.", "3000", "1h")
        DraftKey("text", .words(.text)) { $2.text = $0.words($1.value, of: $1.what)?.text } write: { $1.text.map { .label($0) } }
            .help("Purpose", "What it is for, for the people who choose a value.", "Watts above which the machine is running")
    }
}
