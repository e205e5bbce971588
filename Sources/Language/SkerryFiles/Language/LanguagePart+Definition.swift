import SkerryDevice

extension LanguagePart {
    static let definitionMapping = LanguageMapping(
        "Definition",
        "What a kind of device sends, how it behaves and what it shows.",
        [
            LanguageKey(
                "skerry",
                "Version of the language",
                "The first key of every definition.",
                .version,
                isRequired: true,
                examples: ["1"]
            ),
            LanguageKey(
                "kind",
                "Kind of device",
                "A level in every topic that is published for these devices, as in `skerry/washer/laundry/activity`.",
                .topicLevel,
                isRequired: true,
                examples: ["washer"]
            ),
            LanguageKey(
                "extends",
                "Base",
                "The definition that this one extends: its kind, or the path of a file. Mappings are merged, everything else is "
                    + "replaced, and `null` removes.",
                .text,
                examples: ["washer-plug", "_plug.yaml"]
            ),
            LanguageKey(
                "name",
                "Name for people",
                "What people call this kind of device; the kind when it is left out.",
                .words(.text),
                examples: ["Washing machine"]
            ),
            LanguageKey(
                "sources",
                "Topics",
                "Where the messages of the devices come from, and which signals are taken from them.",
                .list(.mapping(.source)),
                examples: ["[{ topic: 'plug/{device}/power', payload: number, signals: { power: payload } }]"]
            ),
            LanguageKey(
                "settings",
                "Settings",
                "Values that people may choose for each device, with their defaults. Expressions and lengths of time read "
                    + "them as `settings.<name>`.",
                .named(.identifier, .either([.scalar, .mapping(.setting)])),
                examples: ["{ threshold: 10, rest: { default: 2m, min: 10s, max: 1h } }"]
            ),
            LanguageKey(
                "recognise",
                "Recognition",
                "Which messages tell that a device of this kind is there; `skerry discover` and `definitions: auto` "
                    + "find it by them. One that fits is enough.",
                .list(.mapping(.recognition)),
                examples: ["[{ topic: 'device/{device}/report', when: has(payload.print.gcode_state) }]"]
            ),
            LanguageKey(
                "context",
                "Variables",
                "Variables of the machine with their first values. Expressions read them as `context.<name>`, the "
                    + "action `assign` sets them.",
                .named(.identifier, .expression),
                examples: ["{ count: 0, began: now }"]
            ),
            LanguageKey(
                "timers",
                "Timers",
                "Named countdowns and count-ups. They survive changes of state. At zero a countdown raises "
                    + "`<name>.elapsed`.",
                .named(.identifier, .mapping(.timer)),
                examples: ["{ cycle: { remaining: minutes(left), while: 'inState(\"running\")' } }"]
            ),
            LanguageKey(
                "machine",
                "State machine",
                "The statechart of a device, as SCXML defines it, in XState's words.",
                .mapping(.machine),
                isRequired: true,
                examples: ["{ initial: 'off', states: { 'off': {}, 'on': {} } }"]
            ),
            LanguageKey(
                "activity",
                "Activity",
                "What people follow: one run of a device, from a state in `starts` to one in `ends`.",
                .mapping(.activity),
                examples: ["{ starts: running, ends: [done], content: { status: state.title } }"]
            ),
            LanguageKey(
                "island",
                "Island",
                "What phone and page draw of the activity.",
                .mapping(.island),
                examples: ["{ minimal: { symbol: washer }, lock: { title: '{name}', text: '{status}' } }"]
            ),
            LanguageKey(
                "migrate",
                "Renamed states",
                "Where devices go whose state is no longer in the definition: its old name and the new one.",
                .named(.state, .state),
                examples: ["{ washing: running }"]
            ),
            LanguageKey(
                "tests",
                "Tests",
                "Which messages must lead to which results; `skerry test` runs them in virtual time.",
                .list(.mapping(.test)),
                examples: ["[{ name: it starts, steps: [{ wait: 10m }, { expect: { state: idle } }] }]"]
            ),
        ]
    )

    static let sourceMapping = LanguageMapping(
        "Source",
        "A topic filter with the format of its payloads, and what is taken from its messages.",
        [
            LanguageKey(
                "extends",
                "Those of another file",
                "In place of one element all those that another definition or part has in this list, each with the keys "
                    + "beside this one on top.",
                .text,
                examples: ["_plug.yaml"]
            ),
            LanguageKey(
                "topic",
                "Topic filter",
                "A topic filter of MQTT. The level `{device}` names the device; levels in other braces are captures, "
                    + "which expressions of this source read as `topic.<name>`. A capture may be a part of its level, "
                    + "and `{name...}` as the last level takes all further ones. `$skerry/<kind>/{device}` has the activities of "
                    + "devices of another kind, as they are published.",
                .topicFilter,
                isRequired: true,
                examples: ["'homeconnect/{device}/state'"]
            ),
            LanguageKey(
                "device",
                "Device",
                "Names the device, in place of `{device}` in the topic: a text with expressions over `topic.<name>`, "
                    + "`payload` and `item` in braces. Without a value the message belongs to no device.",
                .template,
                examples: ["openevse", "'{payload.order}'"]
            ),
            LanguageKey(
                "as",
                "Other names",
                "Names of devices here, with their names in this definition, for devices that different topics call "
                    + "differently.",
                .named(.device, .topicLevel),
                examples: ["{ tasmota_5E1A: cellar }"]
            ),
            LanguageKey(
                "devices",
                "Which devices",
                "`new` (the default): the device that the message names, which is made if there is none. `known`: only "
                    + "if there is one. `all`: all devices of the definition; the message names none. The last messages "
                    + "of `known` and `all` are kept for devices that come later.",
                .word(SourceReach.allCases.map(\.name)),
                examples: ["known", "all"]
            ),
            LanguageKey(
                "when",
                "Condition",
                "The message counts only while this holds; otherwise it is no message of this source. Reads "
                    + "`payload`, `topic.<name>` and `item`.",
                .expression,
                examples: ["payload.type == \"washer\""]
            ),
            LanguageKey(
                "each",
                "Elements",
                "A list, each element of which is read as a message of its own; expressions read the element as "
                    + "`item`. At most 256 elements are read.",
                .expression,
                examples: ["payload.devices"]
            ),
            LanguageKey(
                "name",
                "Name for people",
                "The name that people gave the device, which expressions read as `device.name`.",
                .expression,
                examples: ["payload.name"]
            ),
            LanguageKey(
                "payload",
                "Format of the payload",
                "`json` when left out. `bool` takes true/false, on/off, online/offline, yes/no and 1/0. `pairs` is a "
                    + "map of texts from `name=value`, `csv` a list of texts; `hex`, `base64` and `bytes` are lists of "
                    + "numbers from 0 to 255, or have the fields of `struct`; `cbor` is any value, `sparkplug` a map of "
                    + "metrics by name.",
                .word(PayloadFormat.allCases.map(\.name)),
                examples: ["json", "number"]
            ),
            LanguageKey(
                "struct",
                "Fields",
                "The fields of a payload of bytes, in order: each a name with its type, such as `u16be`, `i8`, `f32le`, "
                    + "`text8` or `bytes4`. Fields called `_` are passed over.",
                .list(.named(.identifier, .text)),
                examples: ["[{ power: u16be }, { _: bytes2 }, { temperature: i8 }]"]
            ),
            LanguageKey(
                "signals",
                "Signals",
                "Named values, each an expression over `payload`, or a figure over time. A signal is sticky: a message "
                    + "without it leaves it as it was.",
                .named(.identifier, .either([.expression, .mapping(.signal), .mapping(.signalForm)])),
                examples: ["{ power: payload.energy.power }"]
            ),
            LanguageKey(
                "available",
                "Availability",
                "An expression that is true while the device can be reached.",
                .expression,
                examples: ["payload == \"online\""]
            ),
            LanguageKey(
                "event",
                "Event",
                "An expression whose text is raised as an event of the machine by each message that is not retained.",
                .expression,
                examples: ["payload.action"]
            ),
        ]
    )

    static let timerMapping = LanguageMapping(
        "Timer",
        "A named countdown or count-up of a device.",
        choice: ["remaining", "until", "duration", "count"],
        [
            LanguageKey(
                "remaining",
                "Time left",
                "The device reports how long it still takes; the end follows its reports.",
                .expression,
                examples: ["minutes(left)", "seconds(remaining)"]
            ),
            LanguageKey(
                "until",
                "Moment of the end",
                "The device reports when it ends.",
                .expression,
                examples: ["timestamp(ends)"]
            ),
            LanguageKey(
                "duration",
                "Length",
                "How long it runs, evaluated when it starts.",
                .expression,
                examples: ["duration(\"15m\")", "seconds(length)"]
            ),
            LanguageKey(
                "count",
                "Count-up",
                "It counts up from its start and has no end.",
                .word(["up"]),
                examples: ["up"]
            ),
            LanguageKey(
                "tolerance",
                "Tolerance",
                "The end moves, for readers and for the machine, only when the device's estimate has moved by more than this: a "
                    + "length, a part of the time that is left, or both, of which the greater counts.",
                .either([.settableDuration, .percentage, .list(.either([.settableDuration, .percentage]))]),
                examples: ["1m", "5%", "[1m, 5%]"]
            ),
            LanguageKey(
                "while",
                "Condition",
                "It runs while this holds, and is paused otherwise. Without it, only actions start it.",
                .expression,
                examples: ["inState(\"running\")"]
            ),
            LanguageKey(
                "from",
                "Moment of the start",
                "The moment from which it counts, evaluated when it starts; now when left out. Needs `while`.",
                .expression,
                examples: ["since"]
            ),
            LanguageKey(
                "pausedFrom",
                "Moment of a pause",
                "The moment at which a pause began, evaluated when `while` turns false; now when left out, in the future, or before "
                    + "the timer last began to run. Needs `while`.",
                .expression,
                examples: ["since"]
            ),
            LanguageKey(
                "learn",
                "Learned end",
                "Past runs of the device tell when it ends, as soon as enough of them were like this one; until then it counts "
                    + "up. Needs `count`, `while` and an activity.",
                .mapping(.learning),
                examples: ["{ curve: power }", "{ by: programme }"]
            ),
            LanguageKey(
                "onNewEnd",
                "When a new end is reported",
                "What happens to the start when the device reports an end that differs by more than the tolerance. `keep` "
                    + "(the default): it stays. `restart`: `from` is read again, or it is now. Needs `while`.",
                .word(NewEndPolicy.allCases.map(\.name)),
                examples: ["restart"]
            ),
            LanguageKey(
                "onRestart",
                "After a restart of the gateway",
                "`deadline` (the default): it kept running. `remaining`: it goes on with the time that was left. `restart`: it "
                    + "starts over. `drop`: it is removed.",
                .word(RestartPolicy.allCases.map(\.name)),
                examples: ["deadline"]
            ),
        ]
    )

    static let learningMapping = LanguageMapping(
        "Learned end",
        "What tells which past runs were like the one that goes on.",
        [
            LanguageKey(
                "curve",
                "Curve",
                "A number, such as the power. Only runs in which it took the same course so far tell the end.",
                .expression,
                examples: ["power"]
            ),
            LanguageKey(
                "by",
                "Programme",
                "A text, such as the programme. Only runs with the same one are compared.",
                .expression,
                examples: ["programme"]
            ),
            LanguageKey(
                "when",
                "Condition",
                "A run that ends is remembered only if this holds then; every run is when left out.",
                .expression,
                examples: ["inState(\"done\")"]
            ),
            LanguageKey(
                "end",
                "Moment of the end",
                "The moment at which the device was done, if that was before its run ended.",
                .expression,
                examples: ["context.rested"]
            ),
        ]
    )
}
