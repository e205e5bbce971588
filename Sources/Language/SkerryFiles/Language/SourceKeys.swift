// A table, whose rows would take up three times as many lines.
// swift-format-ignore-file

import SkerryDevice

/// The keys of sources, of what devices are recognised by, and of signals.
enum SourceKeys {
    static let source = KeyTable<SourceDraft>("Source", "A topic filter with the format of its payloads, and what is taken from its messages.") {
        LanguageKey("extends", .text)
            .help("Those of another file", "In place of one element all those that another definition or part has in this list, each with the keys beside this one on top.", "_plug.yaml")
        DraftKey("topic", .text(.topicFilter), \.topic).required
            .help("Topic filter", "A topic filter of MQTT. The level `{device}` names the device; levels in other braces are captures, which expressions of this source read as `topic.<name>`. A capture may be a part of its level, and `{name...}` as the last level takes all further ones. `$skerry/<kind>/{device}` has the activities of devices of another kind, as they are published.", "'homeconnect/{device}/state'")
        DraftKey("device", .template, \.device)
            .help("Device", "Names the device, in place of `{device}` in the topic: a text with expressions over `topic.<name>`, `payload` and `item` in braces. Without a value the message belongs to no device.", "openevse", "'{payload.order}'")
        DraftKey("as", .named(.device, .topicLevel)) { $2.aliases = $0.aliases($1) } write: { $0.named($1.aliases) }
            .help("Other names", "Names of devices here, with their names in this definition, for devices that different topics call differently.", "{ tasmota_5E1A: cellar }")
        DraftKey("devices", .word(SourceReach.allCases, \.name, usual: .new), \.reach)
            .help("Which devices", "`new` (the default): the device that the message names, which is made if there is none. `known`: only if there is one. `all`: all devices of the definition; the message names none. The last messages of `known` and `all` are kept for devices that come later.", "known", "all")
        DraftKey("when", .expression, \.when)
            .help("Condition", "The message counts only while this holds; otherwise it is no message of this source. Reads `payload`, `topic.<name>` and `item`.", "payload.type == \"washer\"")
        DraftKey("each", .expression, \.each)
            .help("Elements", "A list, each element of which is read as a message of its own; expressions read the element as `item`. At most 256 elements are read.", "payload.devices")
        DraftKey("name", .expression, \.name)
            .help("Name for people", "The name that people gave the device, which expressions read as `device.name`.", "payload.name")
        DraftKey("payload", .word(PayloadFormat.allCases, \.name, usual: .json), \.payload)
            .help("Format of the payload", "`json` when left out. `bool` takes true/false, on/off, online/offline, yes/no and 1/0. `pairs` is a map of texts from `name=value`, `csv` a list of texts; `hex`, `base64` and `bytes` are lists of numbers from 0 to 255, or have the fields of `struct`; `cbor` is any value, `sparkplug` a map of metrics by name.", "json", "number")
        DraftKey("struct", .list(.named(.identifier, .text))) { $2.fields = $0.fields($1.value, of: $2.payload) } write: { $0.fields(of: $1) }
            .help("Fields", "The fields of a payload of bytes, in order: each a name with its type, such as `u16be`, `i8`, `f32le`, `text8` or `bytes4`. Fields called `_` are passed over.", "[{ power: u16be }, { _: bytes2 }, { temperature: i8 }]")
        DraftKey("signals", .named(.identifier, .either([.expression, .mapping(.signal), .mapping(.signalForm)]))) { $0.readSignals($1.value, into: &$2) } write: { $0.signals(of: $1) }
            .help("Signals", "Named values, each an expression over `payload`, or a figure over time. A signal is sticky: a message without it leaves it as it was.", "{ power: payload.energy.power }").introduces(.signal).writtenLast
        DraftKey("available", .expression, \.available)
            .help("Availability", "An expression that is true while the device can be reached.", "payload == \"online\"")
        DraftKey("event", .expression, \.event)
            .help("Event", "An expression whose text is raised as an event of the machine by each message that is not retained.", "payload.action")
    }

    static let recognition = KeyTable<RecognitionDraft>("Recognition", "Messages that tell that a device of this kind is there, read as those of a source.") {
        source.keys.filter { ofMessages.contains($0.name) }.map { $0.within(\.source) }
        DraftKey("sure", .word(Certainty.allCases, \.name, usual: .certain, otherwise: .likely), \.certainty)
            .help("Certainty", "`certain` (the default): nothing else sends such messages, so `definitions: auto` adopts the definition. `likely`: a person decides.", "likely")
    }

    /// The keys of a source that tell which messages, and of which device.
    private static let ofMessages = ["extends", "topic", "device", "as", "when", "each", "name", "payload"]

    static let signal = KeyTable<Never>("Signal with possible values", "A number of which not every value is possible. Without `valid` the expression alone is enough.") {
        LanguageKey("value", .expression).required
            .help("Value", "The expression.", "payload.temperature")
        LanguageKey("valid", .mapping(.validRange)).required
            .help("Possible values", "Any other value makes the signal unknown, as if it had never been told.", "{ min: -40, max: 60 }")
    }

    static let validRange = KeyTable<Never>("Possible values", "The smallest and the greatest number that a signal can have.") {
        LanguageKey("min", .number(validBounds))
            .help("Smallest", "The smallest possible value; no bound when left out.", "-40")
        LanguageKey("max", .number(validBounds))
            .help("Greatest", "The greatest possible value; no bound when left out.", "60")
    }

    /// The bounds of what a bound can be: beyond, numbers of JSON are no longer exact.
    static let validBounds = -1e15...1e15

    static let signalForm = KeyTable<SignalFormDraft>("Signal over time", "A signal that is made of the values that an expression has had over time.", choice: SignalFormKind.allCases.map(\.name)) {
        LanguageKey("integral", .expression)
            .help("Sum over time", "The sum of a value over time, such as the energy of a power. Each value counts until the next one comes.", "power / 1000.0")
        LanguageKey("rate", .expression)
            .help("Rate of change", "By how much a value changes in a unit of time.", "level")
        LanguageKey("mean", .expression)
            .help("Moving mean", "The mean of the last values, as many as `over` says.", "power")
        LanguageKey("median", .expression)
            .help("Moving median", "The median of the last values, as many as `over` says.", "power")
        LanguageKey("min", .expression)
            .help("Smallest value", "The smallest value so far.", "power")
        LanguageKey("max", .expression)
            .help("Greatest value", "The greatest value so far.", "power")
        LanguageKey("counter", .expression)
            .help("Increase of a counter", "What a counter has added so far. One that goes back has begun at 0 again, unless `wraps` tells where it wraps.", "payload.total")
        LanguageKey("on", .expression)
            .help("Condition for true", "The signal turns true when this holds, and false when `off` does.", "power > 10")
        LanguageKey("pace", .expression)
            .help("Time between reports", "The usual time between two reports of a signal, in seconds.", "power")
        DraftKey("off", .expression, \.off)
            .help("Condition for false", "The signal turns false when this holds and `on` does not. Without it: when `on` does not hold.", "power < 5")
        DraftKey("for", .positiveDuration, \.delay)
            .help("Time before it turns", "With `on`: how long the signal must have differed before it turns.", "2s")
        DraftKey("over", .span, \.over)
            .help("Values looked at", "The values of a mean, a median or a rate: those of a length of time, or so many, 2 to 64.", "10m", "5")
        DraftKey("per", .positiveDuration, \.per)
            .help("Unit of time", "The unit of time of an integral or a rate, `1h` when left out.", "1m")
        DraftKey("gap", .positiveDuration, \.gap)
            .help("Longest gap", "For how long a value counts in an integral when no other comes, `15m` when left out.", "1h")
        DraftKey("wraps", .number(1...1e15), \.wraps)
            .help("Wrap of a counter", "The number at which the counter begins at 0 again.", "65536")
    }
}
