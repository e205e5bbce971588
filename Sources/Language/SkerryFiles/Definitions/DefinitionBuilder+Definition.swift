import SkerryDevice
import SkerryValues

extension DefinitionBuilder {
    /// Reads a whole definition; nil when the version is unknown or there is no machine.
    mutating func definition(_ root: YAMLNode) -> DefinitionDraft? {
        guard case .map(let pairs) = root.content else {
            report(
                .wrongShape,
                root,
                "a definition must be a mapping, not \(root.shape)",
                remedy: "begin it with `skerry: \(DefinitionReader.languageVersion)`"
            )
            return nil
        }
        guard checkVersion(pairs) else { return nil }
        guard let keys = keys(root, of: "a definition", .definition) else { return nil }
        var draft = DefinitionDraft(
            kind: SourceText("device", at: root.place),
            machine: StateDraft(name: SourceText("", at: root.place))
        )
        read(keys, DefinitionKeys.definition, into: &draft)
        // What stands twice was rather meant to be two things.
        let hasTwins = problems.problems.contains { $0.code == .duplicateName }
        draft.unreadNames = hasTwins ? Set(DefinitionDraft.NameKind.allCases) : unreadNames
        draft.isIncomplete = !problems.problems.isEmpty
        if let node = keys["tests"] { readTests(node) }
        return keys["machine"] == nil ? nil : draft
    }

    private mutating func checkVersion(_ pairs: [YAMLPair]) -> Bool {
        let version = DefinitionReader.languageVersion
        guard let pair = pairs.first(where: { $0.key.text == "skerry" }) else { return true }
        guard let source = pair.value.scalar?.source, source.text == "\(version)" else {
            let found = pair.value.scalar.map { "'\($0.source.text)'" } ?? pair.value.shape
            report(
                .unknownVersion,
                pair.value,
                "this Skerry does not know version \(found) of the language",
                remedy: "write `skerry: \(version)`"
            )
            return false
        }
        return true
    }

    mutating func sources(_ node: YAMLNode) -> [SourceDraft] {
        guard case .list(let elements) = node.content else {
            report(
                .wrongShape,
                node,
                "'sources' must be a list, not \(node.shape)",
                remedy: "begin each source with `- topic: …`"
            )
            unreadNames.insert(.signal)
            return []
        }
        return elements.compactMap { source($0) }
    }

    private mutating func source(_ node: YAMLNode) -> SourceDraft? {
        keys(node, of: "a source", .source).flatMap { source($0, node) }
    }

    /// Reads the keys of a source, or of what is read as one.
    mutating func source(_ keys: Keys, _ node: YAMLNode) -> SourceDraft? {
        var source = SourceDraft(topic: SourceText("", at: node.place))
        read(keys, SourceKeys.source, into: &source)
        if !source.topic.text.isEmpty { return source }
        unreadNames.insert(.signal)
        return nil
    }

    /// The names of devices in a source, with their names in the definition.
    mutating func aliases(_ pair: YAMLPair) -> [NamedText] {
        let remedy = "write each name here with the device's name, as in `{ tasmota_5E1A: cellar }`"
        return entries(pair.value, of: pair.what, remedy: remedy).compactMap { pair in
            text(pair.value, of: pair.what).map { NamedText(name: pair.key, text: $0) }
        }
    }

    /// Reads the timers by their names.
    mutating func timers(_ node: YAMLNode) -> [TimerDraft] {
        entries(
            node,
            of: "'timers'",
            names: .timer,
            remedy: "write each timer with its name, as in `{ cycle: { duration: minutes(5) } }`"
        ).map { timer($0) }
    }

    private mutating func timer(_ pair: YAMLPair) -> TimerDraft {
        var timer = TimerDraft(name: pair.key, kind: .countUp)
        if let text = pair.value.scalar, !text.isEmpty {
            let value = ShapeAdvice.line(text.source.text)
            report(
                .wrongShape,
                pair.value,
                "a timer must be a mapping, not a text",
                remedy: "write `\(pair.key.text): { remaining: \(value) }` for the time that a device tells, "
                    + "or with 'until' or 'duration'"
            )
            return timer
        }
        guard let all = keys(pair.value, of: "a timer", .timer) else { return timer }
        var keys = all
        let kinds = LanguagePart.timer.mapping.choice
        if choice(&keys, of: "a timer", among: kinds, remedy: { _ in "remove one of them" }) == nil {
            report(
                .missingKey,
                pair.key,
                "the timer '\(pair.key.text)' has no end",
                remedy: "write 'remaining', 'until' or 'duration' with an expression, or `count: up`"
            )
        }
        read(keys, TimerKeys.timer, into: &timer)
        if let node = all["onNewEnd"],
            all["while"] == nil || all["duration"] != nil || all["count"] != nil
        {
            report(
                .badValue,
                node,
                "'onNewEnd' needs 'while' and an end that the device tells",
                remedy: "remove it, or write 'remaining' or 'until', and 'while'"
            )
        }
        return timer
    }

    /// Reads the tolerance of a timer: a length, a part of the time that is left, or both.
    mutating func tolerance(_ node: YAMLNode, of timer: inout TimerDraft) {
        var nodes = [node]
        if case .list(let elements) = node.content { nodes = elements }
        var (length, part): (SourceInterval?, Double?)
        for node in nodes {
            if node.scalar?.source.text.hasSuffix("%") ?? false, part == nil {
                part = percentage(node, of: "'tolerance'") ?? 0
            } else if length == nil {
                length = settableInterval(node, of: "'tolerance'")
            } else {
                report(
                    .badValue,
                    node,
                    "'tolerance' has two lengths, or two parts",
                    remedy: "write one length and one part of the time that is left, as in `[1m, 5%]`"
                )
            }
        }
        (timer.tolerance, timer.relativeTolerance) = (length, part ?? 0)
    }

    /// Reads the messages that tell that a device is there.
    mutating func recognition(_ node: YAMLNode) -> [RecognitionDraft] {
        guard case .list(let elements) = node.content else {
            report(
                .wrongShape,
                node,
                "'recognise' must be a list, not \(node.shape)",
                remedy: "begin each entry with `- topic: …`"
            )
            return []
        }
        return elements.compactMap { entry($0) }
    }

    private mutating func entry(_ node: YAMLNode) -> RecognitionDraft? {
        var entry = RecognitionDraft(SourceDraft(topic: SourceText("", at: node.place)))
        guard read(node, of: "an entry of 'recognise'", SourceKeys.recognition, into: &entry) != nil else {
            return nil
        }
        if !entry.source.topic.text.isEmpty { return entry }
        unreadNames.insert(.signal)
        return nil
    }

    /// The most fields of a payload.
    private static let fieldLimit = 256

    /// Reads the fields of a payload of bytes.
    mutating func fields(_ node: YAMLNode, of format: PayloadFormat) -> [PayloadField] {
        let example = "write each field with its type, as in `[{ power: u16be }, { temperature: i8 }]`"
        guard case .list(let elements) = node.content else {
            report(.wrongShape, node, "'struct' must be a list, not \(node.shape)", remedy: example)
            return []
        }
        if !format.isBytes {
            report(
                .badValue,
                node,
                "'struct' does not belong to a payload of '\(format.name)'",
                remedy: "write `payload: hex`, `payload: base64` or `payload: bytes`"
            )
        }
        if elements.count > Self.fieldLimit {
            report(.tooMany, node, "'struct' may have at most \(Self.fieldLimit) fields")
            return []
        }
        var fields: [PayloadField] = []
        for element in elements {
            let pairs = entries(element, of: "a field", remedy: example)
            if pairs.count != 1, !pairs.isEmpty {
                report(.wrongShape, element, "a field is one name with its type", remedy: example)
            }
            for pair in pairs {
                guard let field = field(pair, after: fields) else { continue }
                fields.append(field)
            }
        }
        return fields
    }

    private mutating func field(_ pair: YAMLPair, after fields: [PayloadField]) -> PayloadField? {
        let name = pair.key.text
        guard let type = text(pair.value, of: "'\(name)'") else { return nil }
        guard let kind = PayloadField.Kind(type.text) else {
            report(
                .badValue,
                type,
                "there is no type '\(type.text)' of a field",
                remedy:
                    "write u8, i8, u16be, i16le, u24be, u32le, i64be, f32be, f64le, text8 or bytes4 and the like"
            )
            return nil
        }
        if name != "_", fields.contains(where: { $0.name.hasSameCodePoints(as: name) }) {
            report(
                .duplicateName,
                pair.key,
                "there are two fields '\(name)'",
                remedy: "name them differently"
            )
        }
        return PayloadField(name: name, kind: kind)
    }
}

extension DefinitionBuilder {
    /// Words of transitions that can't be names of events if several of them are used together.
    private static let transitionWords = [
        "guard", "target", "actions", "cond", "condition", "if", "when", "goto", "to", "then", "do", "action",
        "event", "trigger",
    ]

    /// The events of `on` with their transitions; nil when it is no such mapping.
    mutating func events(_ node: YAMLNode) -> [YAMLPair]? {
        guard case .map(let pairs) = node.content else {
            let remedy =
                ShapeAdvice.condition(in: node).map { "write `always: \($0)`" }
                ?? "write `on: \(ShapeAdvice.events(node) ?? "{ start: running }")`"
            report(
                .wrongShape,
                node,
                "'on' must be a mapping of events to states or transitions, not \(node.shape)",
                remedy: remedy
            )
            return nil
        }
        if let pair = pairs.first(where: { ShapeAdvice.isComparison($0.key.text) }) {
            report(
                .wrongShape,
                pair.key,
                "'on' waits for events, and this is an expression",
                remedy: "write `always: \(ShapeAdvice.transition(pair.key.text, pair.value))`"
            )
            return nil
        }
        let words = pairs.filter { Self.transitionWords.contains($0.key.text) }
        let guards = words.filter { ["guard", "cond", "condition", "if", "when"].contains($0.key.text) }
        let isTransition =
            words.count > 1
            || guards.contains { ShapeAdvice.isExpression($0.value.scalar?.source.text ?? "") }
        guard isTransition, let word = guards.first ?? words.first else { return pairs }
        let rest = pairs.filter { !["event", "trigger"].contains($0.key.text) }
        let transition = ShapeAdvice.map(
            rest.map {
                (
                    MeantKey.of($0.key.text, among: LanguagePart.transition.mapping.names) ?? $0.key.text,
                    $0.value
                )
            }
        )
        let event = pairs.first { ["event", "trigger"].contains($0.key.text) }?.value.scalar?.source.text
        report(
            .wrongShape,
            word.key,
            "'on' maps events to transitions, and '\(word.key.text)' is not an event",
            remedy: event.map { "write `on: { \($0): \(transition) }`" }
                ?? "write `always: \(transition)`, or name an event before it: `on: { start: … }`"
        )
        return nil
    }

    /// The lengths of time of `after` with their transitions; nil when it is no such mapping.
    mutating func delays(_ node: YAMLNode) -> [YAMLPair]? {
        guard case .map(let pairs) = node.content else {
            report(
                .wrongShape,
                node,
                "'after' must be a mapping of lengths of time to states, not \(node.shape)",
                remedy: "write `after: \(ShapeAdvice.delays(node) ?? "{ 15m: idle }")`"
            )
            return nil
        }
        let words = [
            "delay", "time", "duration", "wait", "target", "guard", "seconds", "minutes", "hours", "ms",
        ]
        guard let word = pairs.first(where: { words.contains($0.key.text) }) else { return pairs }
        report(
            .wrongShape,
            word.key,
            "'after' maps lengths of time to states, and '\(word.key.text)' is not a length of time",
            remedy: "write `after: \(ShapeAdvice.delays(node) ?? "{ 15m: idle }")`"
        )
        return nil
    }

    /// Refuses an expression where a transition belongs.
    mutating func refuseExpression(_ node: YAMLNode) -> Bool {
        if case .list(let elements) = node.content {
            let refused = elements.filter { $0.scalar != nil && refuseExpression($0) }
            return !refused.isEmpty
        }
        guard let text = node.scalar?.source, ShapeAdvice.isExpression(text.text) else { return false }
        report(
            .wrongShape,
            text,
            "a transition needs the state that it leads to",
            remedy: "write `\(ShapeAdvice.transition(text.text))`"
        )
        return true
    }

    /// The alerts by the names of their states; a single alert is reported once.
    mutating func alertEntries(_ node: YAMLNode) -> [YAMLPair] {
        guard case .map(let pairs) = node.content else {
            report(
                .wrongShape,
                node,
                "'alerts' must be a mapping of states to alerts or a list of alerts, not \(node.shape)",
                remedy: "write `alerts: { done: { title: It is done } }`"
            )
            return []
        }
        let words = pairs.filter {
            ["title", "body", "state", "message", "when", "on"].contains($0.key.text)
        }
        if let word = words.first, pairs.allSatisfy({ $0.value.scalar != nil }) {
            report(
                .wrongShape,
                word.key,
                "'alerts' maps states to alerts, and '\(word.key.text)' is not a state",
                remedy: "write `alerts: \(ShapeAdvice.alert(pairs) ?? "{ done: { title: It is done } }")`"
            )
            return []
        }
        var result: [YAMLPair] = []
        for pair in pairs {
            if let text = pair.value.scalar, !text.isEmpty {
                report(
                    .wrongShape,
                    pair.value,
                    "an alert must be a mapping, not a text",
                    remedy: "write `\(pair.key.text): { title: \(ShapeAdvice.line(text.source.text)) }`"
                )
            } else {
                result.append(pair)
            }
        }
        return result
    }
}
