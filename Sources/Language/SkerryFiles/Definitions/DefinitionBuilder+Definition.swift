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
        let kind = keys["kind"].flatMap { text($0, of: "'kind'") }
        if let node = keys["settings"] { readSettings(node) }
        let machine = keys["machine"].map { self.machine($0) }
        var draft = DefinitionDraft(
            kind: kind ?? SourceText("device", at: root.place),
            machine: machine ?? StateDraft(name: SourceText("", at: root.place))
        )
        draft.name = keys["name"].flatMap { words($0, of: "'name'") }
        draft.settings = settings
        draft.sources = keys["sources"].map { sources($0) } ?? []
        draft.recognition = keys["recognise"].map { recognition($0) } ?? []
        draft.context = namedTexts(
            keys["context"],
            of: "context",
            names: .variable,
            remedy: "write each variable with its first value, as in `{ loads: 0 }`"
        )
        draft.timers = keys["timers"].map { timers($0) } ?? []
        draft.activity = keys["activity"].flatMap { activity($0) }
        draft.island = keys["island"].flatMap { island($0) }
        draft.migrations = namedTexts(keys["migrate"], of: "migrate")
        draft.unreadNames = unreadNames
        draft.isIncomplete = !problems.problems.isEmpty
        if let node = keys["tests"] { readTests(node) }
        return machine == nil ? nil : draft
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

    private mutating func sources(_ node: YAMLNode) -> [SourceDraft] {
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
        let topic = keys["topic"].flatMap { text($0, of: "'topic'") }
        var source = SourceDraft(topic: topic ?? SourceText("", at: node.place))
        if let node = keys["payload"] {
            let word = word(node, of: "'payload'", among: PayloadFormat.allCases.map(\.name))
            source.payload = PayloadFormat.allCases.first { $0.name == word } ?? .json
        }
        source.fields = keys["struct"].map { fields($0, of: source.payload) } ?? []
        readSignals(keys["signals"], into: &source)
        if topic == nil { unreadNames.insert(.signal) }
        source.available = keys["available"].flatMap { expression($0, of: "'available'") }
        source.event = keys["event"].flatMap { expression($0, of: "'event'") }
        source.device = keys["device"].flatMap { text($0, of: "'device'") }
        source.aliases = aliases(keys["as"])
        source.when = keys["when"].flatMap { expression($0, of: "'when'") }
        source.each = keys["each"].flatMap { expression($0, of: "'each'") }
        if let node = keys["devices"] {
            let word = word(node, of: "'devices'", among: SourceReach.allCases.map(\.name))
            source.reach = SourceReach.allCases.first { $0.name == word } ?? .new
        }
        source.name = keys["name"].flatMap { expression($0, of: "'name'") }
        return topic == nil ? nil : source
    }

    /// The names of devices in a source, with their names in the definition.
    private mutating func aliases(_ node: YAMLNode?) -> [NamedText] {
        guard let node else { return [] }
        let example = "{ tasmota_5E1A: cellar }"
        return entries(
            node,
            of: "'as'",
            remedy: "write each name here with the device's name, as in `\(example)`"
        )
        .compactMap { pair in
            text(pair.value, of: "'\(pair.key.text)'").map { NamedText(name: pair.key, text: $0) }
        }
    }

    private mutating func timers(_ node: YAMLNode) -> [TimerDraft] {
        entries(
            node,
            of: "'timers'",
            names: .timer,
            remedy: "write each timer with its name, as in `{ cycle: { duration: minutes(5) } }`"
        ).map { timer($0) }
    }

    private mutating func timer(_ pair: YAMLPair) -> TimerDraft {
        let placeholder = TimerDraft(name: pair.key, kind: .countUp)
        let kinds = LanguagePart.timer.mapping.choice
        if let text = pair.value.scalar, !text.isEmpty {
            let value = ShapeAdvice.line(text.source.text)
            report(
                .wrongShape,
                pair.value,
                "a timer must be a mapping, not a text",
                remedy: "write `\(pair.key.text): { remaining: \(value) }` for the time that a device tells, "
                    + "or with 'until' or 'duration'"
            )
            return placeholder
        }
        guard let keys = keys(pair.value, of: "a timer", .timer) else { return placeholder }
        let written = keys.pairs.filter { kinds.contains($0.key.text) }
        if written.isEmpty {
            report(
                .missingKey,
                pair.key,
                "the timer '\(pair.key.text)' has no end",
                remedy: "write 'remaining', 'until' or 'duration' with an expression, or `count: up`"
            )
        }
        for extra in written.dropFirst() {
            report(
                .badValue,
                extra.key,
                "a timer has '\(written[0].key.text)' or '\(extra.key.text)', not both",
                remedy: "remove one of them"
            )
        }
        var timer = written.first.flatMap { timerKind($0) }.map { TimerDraft(name: pair.key, kind: $0) }
        timer = timer ?? placeholder
        let allowed = keys["tolerance"].map { tolerance($0) }
        timer?.tolerance = allowed?.length
        timer?.relativeTolerance = allowed?.part ?? 0
        timer?.runsWhile = keys["while"].flatMap { expression($0, of: "'while'") }
        timer?.from = keys["from"].flatMap { expression($0, of: "'from'") }
        timer?.pausedFrom = keys["pausedFrom"].flatMap { expression($0, of: "'pausedFrom'") }
        if let node = keys["onRestart"] {
            let word = word(node, of: "'onRestart'", among: RestartPolicy.allCases.map(\.name))
            timer?.onRestart = RestartPolicy.allCases.first { $0.name == word } ?? .deadline
        }
        if let node = keys["onNewEnd"] {
            let word = word(node, of: "'onNewEnd'", among: NewEndPolicy.allCases.map(\.name))
            timer?.onNewEnd = NewEndPolicy.allCases.first { $0.name == word } ?? .keep
            if keys["while"] == nil || keys["duration"] != nil || keys["count"] != nil {
                report(
                    .badValue,
                    node,
                    "'onNewEnd' needs 'while' and an end that the device tells",
                    remedy: "remove it, or write 'remaining' or 'until', and 'while'"
                )
            }
        }
        timer?.learning = keys["learn"].flatMap { learning($0, of: keys) }
        return timer ?? placeholder
    }

    /// The tolerance of a timer: a length, a part of the time that is left, or both.
    private mutating func tolerance(_ node: YAMLNode) -> (length: SourceInterval?, part: Double) {
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
        return (length, part ?? 0)
    }

    private mutating func learning(_ node: YAMLNode, of timer: Keys) -> LearningDraft? {
        guard let keys = keys(node, of: "'learn'", .learning),
            let name = timer.pairs.first(where: { $0.key.text == "learn" })?.key
        else { return nil }
        var learning = LearningDraft(name: name)
        learning.curve = keys["curve"].flatMap { expression($0, of: "'curve'") }
        learning.by = keys["by"].flatMap { expression($0, of: "'by'") }
        learning.when = keys["when"].flatMap { expression($0, of: "'when'") }
        learning.end = keys["end"].flatMap { expression($0, of: "'end'") }
        return learning
    }

    private mutating func timerKind(_ pair: YAMLPair) -> TimerDraft.Kind? {
        if pair.key.text == "count" {
            return word(pair.value, of: "'count'", among: LanguagePart.timer.words("count")).map { _ in
                .countUp
            }
        }
        guard let expression = expression(pair.value, of: "'\(pair.key.text)'") else { return nil }
        switch pair.key.text {
        case "remaining": return .remaining(expression)
        case "until": return .until(expression)
        default: return .duration(expression)
        }
    }
}
