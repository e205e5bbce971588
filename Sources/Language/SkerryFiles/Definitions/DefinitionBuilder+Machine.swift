import SkerryDevice
import SkerryMachine
import SkerryValues

extension DefinitionBuilder {
    /// Reads the machine, a state without a name.
    mutating func machine(_ node: YAMLNode) -> StateDraft {
        state(SourceText("", at: node.place), node, of: "the machine", .machine)
    }

    private mutating func state(
        _ name: SourceText,
        _ node: YAMLNode,
        of what: String,
        _ part: LanguagePart
    ) -> StateDraft {
        var state = StateDraft(name: name)
        if node.isEmpty { return state }
        guard let keys = keys(node, of: what, part) else { return state }
        state.kind = stateKind(keys, of: part)
        if case .history = state.kind {
            refuse(["initial", "entry", "exit", "on", "always", "after", "at", "states"], in: keys) {
                "a history state has no '\($0)'"
            }
            state.initial = keys["target"].map { texts($0, of: "'target'") } ?? []
            return state
        }
        refuse(["target"], in: keys, remedy: "put it into a transition under 'on', 'always', 'after' or 'at'")
        {
            "only transitions and history states have a '\($0)'"
        }
        state.transitions = keys.pairs.flatMap { transitions(under: $0) }
        read(keys, part == .machine ? MachineKeys.machine : MachineKeys.state, into: &state)
        return state
    }

    /// Reads the states within one.
    mutating func states(_ node: YAMLNode) -> [StateDraft] {
        let remedy = "write each state with its name, as in `idle: {}`"
        return entries(node, of: "'states'", names: .state, remedy: remedy).map { pair in
            state(pair.key, pair.value, of: "a state", .state)
        }
    }

    private mutating func stateKind(_ keys: Keys, of part: LanguagePart) -> StateDraft.Kind {
        let type = keys["type"].flatMap { node -> String? in
            guard let source = node.scalar?.source, ["single", "compound", "atomic"].contains(source.text)
            else { return word(node, of: "'type'", among: part.words("type")) }
            report(.badValue, source, "'type' can't be '\(source.text)'", remedy: "leave it out")
            return nil
        }
        let depth = keys["history"].flatMap { word($0, of: "'history'", among: part.words("history")) }
        switch type {
        case "parallel": return .parallel
        case "final": return .final
        case "history": return .history(deep: depth == "deep")
        default:
            if let pair = keys.pair("history"), keys.pair("type") == nil {
                report(
                    .missingKey,
                    pair.key,
                    "a state with 'history' needs `type: history`",
                    remedy: "add `type: history`"
                )
                return .history(deep: depth == "deep")
            }
            return .single
        }
    }

    private mutating func refuse(
        _ names: [String],
        in keys: Keys,
        remedy: String? = nil,
        message: (String) -> String
    ) {
        for pair in keys.pairs where names.contains(pair.key.text) {
            report(.badValue, pair.key, message(pair.key.text), remedy: remedy ?? "remove it")
        }
    }

    // MARK: Transitions

    private mutating func transitions(under pair: YAMLPair) -> [TransitionDraft] {
        switch pair.key.text {
        case "always":
            if refuseExpression(pair.value) { return [] }
            return transitions(pair.value, trigger: .always, at: pair.key.place)
        case "on":
            guard let events = events(pair.value) else { return [] }
            return events.flatMap { event in
                transitions(event.value, trigger: .event(descriptors(event.key)), at: event.key.place)
            }
        case "after":
            guard let delays = delays(pair.value) else { return [] }
            return delays.flatMap { delay -> [TransitionDraft] in
                let interval = interval(delay.key, of: "the key of 'after'")
                return transitions(
                    delay.value,
                    trigger: .after(interval ?? SourceInterval(.zero, at: delay.key.place)),
                    at: delay.key.place
                )
            }
        case "at":
            let times = entries(pair.value, of: "'at'", remedy: "write `at: { \"22:00\": night }`")
            return times.flatMap { time -> [TransitionDraft] in
                guard let moment = timeOfDay(time.key) else { return [] }
                return transitions(time.value, trigger: .at(moment), at: time.key.place)
            }
        default:
            return []
        }
    }

    /// The event descriptors of a key, which are separated by spaces.
    private mutating func descriptors(_ key: SourceText) -> [SourceText] {
        var descriptors: [SourceText] = []
        var offset = 0
        for word in key.text.split(separator: " ", omittingEmptySubsequences: false) {
            if !word.isEmpty {
                descriptors.append(SourceText(String(word), at: key.place(atUTF8Offset: offset)))
            }
            offset += word.utf8.count + 1
        }
        if descriptors.isEmpty { report(.badValue, key, "an event needs a name") }
        return descriptors
    }

    private mutating func transitions(
        _ node: YAMLNode,
        trigger: TransitionDraft.Trigger,
        at place: Place
    ) -> [TransitionDraft] {
        switch node.content {
        case .list(let elements):
            return elements.compactMap { transition($0, trigger: trigger, at: $0.place) }
        case .map, .scalar:
            return transition(node, trigger: trigger, at: place).map { [$0] } ?? []
        }
    }

    private mutating func transition(
        _ node: YAMLNode,
        trigger: TransitionDraft.Trigger,
        at place: Place
    ) -> TransitionDraft? {
        var transition = TransitionDraft(trigger: trigger, at: place)
        if node.scalar != nil {
            guard let target = text(node, of: "a transition") else { return nil }
            transition.targets = [target]
            return transition
        }
        var part = LanguagePart.waitingTransition
        guard case .map(let pairs) = node.content else {
            report(.wrongShape, node, "a transition must be a state or a mapping, not \(node.shape)")
            return nil
        }
        if !trigger.isAlways {
            let waits = pairs.filter { ["for", "dropout", "reports", "quiet", "past"].contains($0.key.text) }
            for pair in waits { refuseWait(pair.key, of: trigger) }
            if waits.isEmpty { part = .transition }
        }
        guard let keys = keys(node, of: "a transition", part) else { return nil }
        transition.condition = keys["guard"].flatMap { expression($0, of: "'guard'") }
        transition.targets = keys["target"].map { texts($0, of: "'target'") } ?? []
        transition.actions = keys["actions"].map { actions($0, of: "'actions'") } ?? []
        transition.isInternal = keys["internal"].flatMap { truth($0, of: "'internal'") } ?? false
        if trigger.isAlways { transition.trigger = wait(of: keys) }
        return transition
    }

    private mutating func refuseWait(_ key: SourceText, of trigger: TransitionDraft.Trigger) {
        let (parent, remedy) =
            switch trigger {
            case .after: ("after", "'after' waits by itself; for a guard that must hold, use 'always'")
            case .at: ("at", "'at' is one moment; for a guard that must hold, use 'always'")
            default:
                ("on", "an event happens at one moment; put the transition under 'always', with a guard")
            }
        report(.badValue, key, "a transition under '\(parent)' can't have '\(key.text)'", remedy: remedy)
    }

    /// The wait of a transition under `always`.
    private mutating func wait(of keys: Keys) -> TransitionDraft.Trigger {
        let hold = keys["for"].flatMap { settableInterval($0, of: "'for'") }
        let dropout = keys["dropout"].flatMap { settableInterval($0, of: "'dropout'") }
        let quiet = keys["quiet"].flatMap { silence($0, of: "'quiet'") }
        if let pair = keys.pair("for"), keys.pair("guard") == nil {
            report(
                .missingKey,
                pair.key,
                "a transition with 'for' needs a guard that must hold for that time",
                remedy: "add 'guard', or use 'after' for time in the state"
            )
        }
        for (key, does) in [("dropout", "forgives lapses"), ("reports", "counts the reports")] {
            guard let pair = keys.pair(key), keys.pair("for") == nil else { continue }
            report(.missingKey, pair.key, "'\(key)' \(does) of a guard with 'for'", remedy: "add 'for'")
        }
        let past = keys["past"].flatMap { expression($0, of: "'past'") }
        let waits = ["for", "quiet", "past"].compactMap { keys.pair($0) }
        if waits.count > 1 {
            report(
                .badValue,
                waits[1].key,
                "a transition has '\(waits[0].key.text)' or '\(waits[1].key.text)', not both",
                remedy: "make two transitions of it"
            )
        }
        let reports = keys["reports"].flatMap {
            word($0, of: "'reports'", among: (2...Statechart.reportLimit).map(\.description))
        }
        .flatMap { UInt8($0) }
        if let hold { return .sustained(hold, dropout: dropout, reports: reports ?? 1) }
        return past.map { .past($0) } ?? quiet.map { .quiet($0) } ?? .always
    }

    /// Reads a silence: a length of time for that of the whole device, or a mapping for that of some signals.
    mutating func silence(_ node: YAMLNode, of what: String) -> SilenceDraft? {
        guard case .map = node.content else {
            return settableInterval(node, of: what).map { SilenceDraft($0) }
        }
        guard var keys = keys(node, of: what, .silence) else { return nil }
        let remedy = "write 'of' if each report breaks it, 'unchanged' if only another value does"
        let written = choice(&keys, of: "a silence", among: LanguagePart.silence.mapping.choice) { _ in remedy
        }
        if written == nil {
            report(
                .missingKey,
                node,
                "nothing says which signals \(what) listens to",
                remedy: "name them, as in `{ of: [left, percent], for: 30m }`, or write the length alone"
            )
        }
        guard written != nil, let length = keys["for"].flatMap({ settableInterval($0, of: "'for'") })
        else { return nil }
        var silence = SilenceDraft(length)
        read(keys, MachineKeys.silence, into: &silence)
        return silence.signals.isEmpty ? nil : silence
    }
}

extension TransitionDraft.Trigger {
    fileprivate var isAlways: Bool {
        if case .always = self { true } else { false }
    }
}

extension DefinitionBuilder {
    /// Reads the signals of a source: names with expressions, or with forms.
    mutating func readSignals(_ node: YAMLNode, into source: inout SourceDraft) {
        let example = "write each signal with its expression, as in `{ power: payload.power }`"
        for pair in entries(node, of: "'signals'", names: .signal, remedy: example) {
            guard case .map = pair.value.content else {
                source.signals.append(NamedText(name: pair.key, text: expressionOrAny(pair)))
                continue
            }
            if case .map(let pairs) = pair.value.content,
                pairs.contains(where: { ["value", "valid"].contains($0.key.text) })
            {
                readValidSignal(pair, into: &source)
                continue
            }
            let (text, form) = signalForm(pair)
            source.signals.append(NamedText(name: pair.key, text: text))
            if let form { source.forms.append(form) }
        }
    }

    /// Reads a signal that says which of its values are possible.
    private mutating func readValidSignal(_ pair: YAMLPair, into source: inout SourceDraft) {
        let keys = keys(pair.value, of: "a signal", .signal)
        let text = keys?["value"].flatMap { expression($0, of: "'value'") }
        source.signals.append(NamedText(name: pair.key, text: text ?? unreadable(at: pair.value.place)))
        guard let node = keys?["valid"], let bounds = self.keys(node, of: "'valid'", .validRange) else {
            return
        }
        let least = bounds["min"].flatMap { number($0, of: "'min'", in: SourceKeys.validBounds) }
        let most = bounds["max"].flatMap { number($0, of: "'max'", in: SourceKeys.validBounds) }
        if bounds["min"] == nil, bounds["max"] == nil {
            report(
                .missingKey,
                node,
                "'valid' has no bound",
                remedy:
                    "write the smallest or the greatest possible value, as in `valid: { min: 0, max: 100 }`"
            )
        } else if let least, let most, least > most {
            report(.badValue, node, "'min' is greater than 'max'", remedy: "exchange the two")
        } else {
            let (noLeast, noMost) = (-Double.greatestFiniteMagnitude, Double.greatestFiniteMagnitude)
            source.validRanges.append((pair.key, (least ?? noLeast)...(most ?? noMost)))
        }
    }

    /// Reads a signal that follows values over time: its expression, and the form unless that can't be read.
    private mutating func signalForm(_ pair: YAMLPair) -> (SourceText, SignalFormDraft?) {
        let failed = (unreadable(at: pair.value.place), SignalFormDraft?.none)
        guard var keys = keys(pair.value, of: "a signal over time", .signalForm) else { return failed }
        let kinds = LanguagePart.signalForm.mapping.choice
        guard
            let first = choice(
                &keys,
                of: "a signal",
                among: kinds,
                remedy: { _ in "make two signals of it" }
            ),
            let kind = SignalFormKind.allCases.first(where: { $0.name == first.key.text })
        else {
            report(
                .missingKey,
                pair.key,
                "the signal '\(pair.key.text)' does not say what it is made of",
                remedy: "write its expression alone, or with \(kinds.listed(with: "or"))"
            )
            return failed
        }
        guard let text = expression(first.value, of: "'\(kind.name)'") else { return failed }
        var form = SignalFormDraft(signal: pair.key, kind: kind)
        read(keys, SourceKeys.signalForm, into: &form)
        check(keys, of: kind, pair.key)
        return (text, form)
    }

    /// Reports keys that belong to other figures, and a mean without a length.
    private mutating func check(_ keys: Keys, of kind: SignalFormKind, _ name: SourceText) {
        let kinds = LanguagePart.signalForm.mapping.choice
        for pair in keys.pairs where !kinds.contains(pair.key.text) && !kind.options.contains(pair.key.text) {
            let owners = SignalFormKind.allCases.filter { $0.options.contains(pair.key.text) }.map(\.name)
            report(
                .badValue,
                pair.key,
                "'\(pair.key.text)' does not belong to '\(kind.name)'",
                remedy: "remove it; it is for \(owners.listed)"
            )
        }
        guard [.mean, .median].contains(kind), keys["over"] == nil else { return }
        report(
            .missingKey,
            name,
            "the \(kind.name) '\(name.text)' does not say of which values",
            remedy: "add 'over' with a length of time or a number of values, as in `over: 10m`"
        )
    }

    /// A length of time that is not nothing.
    mutating func length(_ node: YAMLNode, of what: String) -> SourceInterval? {
        guard let length = interval(node, of: what) else { return nil }
        if length.interval > .zero { return length }
        report(
            .badDuration,
            node,
            "\(what) must be longer than nothing",
            remedy: "write a length such as 10s"
        )
        return nil
    }

    /// A number of values, or a length of time.
    mutating func span(_ node: YAMLNode) -> SignalSpan? {
        guard let text = text(node, of: "'over'") else { return nil }
        if let count = Int(text.text) {
            if (2...64).contains(count) { return .count(count) }
            report(
                .badValue,
                node,
                "'over' can't be \(count) values",
                remedy: "write 2 to 64, or a length of time such as 10m"
            )
            return nil
        }
        return length(node, of: "'over'").map { .length($0.interval) }
    }
}

extension DefinitionBuilder {
    private static let verbs = LanguagePart.action.mapping.names

    /// Reads one action or a list of them.
    mutating func actions(_ node: YAMLNode, of what: String) -> [ActionDraft] {
        guard case .list(let elements) = node.content else { return action(node, of: what) }
        return elements.flatMap { action($0, of: what) }
    }

    private mutating func action(_ node: YAMLNode, of what: String) -> [ActionDraft] {
        if let source = node.scalar?.source {
            let words = source.text.split(separator: " ")
            let isVerb = words.count == 2 && Self.verbs.contains(String(words[0]))
            report(
                .wrongShape,
                node,
                "an action of \(what) must be a mapping, not \(node.shape)",
                remedy: isVerb
                    ? "write `{ \(words[0]): \(words[1]) }`" : "write an action such as `{ start: cycle }`"
            )
            return []
        }
        if case .map(let pairs) = node.content, pairs.contains(where: { Self.isOfGuard($0.key.text) }) {
            return guarded(node)
        }
        guard let keys = keys(node, of: "an action", .action) else { return [] }
        if keys.pairs.isEmpty, case .map(let pairs) = node.content, pairs.isEmpty {
            report(
                .missingKey,
                node,
                "an action is missing",
                remedy: "it can be \((Self.verbs + ["guard"]).listed(with: "or"))"
            )
        }
        for pair in keys.pairs.dropFirst() {
            report(
                .badValue,
                pair.key,
                "one action can't do two things",
                remedy: "make a list of actions, each with a '-'"
            )
        }
        return keys.pairs.first.map { action($0) } ?? []
    }

    private mutating func action(_ pair: YAMLPair) -> [ActionDraft] {
        let verb = pair.key.text
        switch verb {
        case "start": return start(pair.value)
        case "pause": return pause(pair.value)
        case "extend": return extend(pair.value)
        case "send": return send(pair.value)
        case "publish": return publish(pair.value)
        case "try": return [.attempt(actions(pair.value, of: "'try'"))]
        case "assign":
            return namedTexts(pair, remedy: ShapeAdvice.assignment(pair.value)).map {
                .assign($0.name, value: $0.text)
            }
        default:
            guard let name = text(pair.value, of: "'\(verb)'") else { return [] }
            switch verb {
            case "stop": return [.stop(name)]
            case "resume": return [.resume(name)]
            case "raise": return [.raise(name)]
            default: return [.cancel(name)]
            }
        }
    }

    private static func isOfGuard(_ key: String) -> Bool {
        LanguagePart.guardedAction.mapping.names.contains(key)
    }

    private mutating func guarded(_ node: YAMLNode) -> [ActionDraft] {
        guard let keys = keys(node, of: "a guarded action", .guardedAction) else { return [] }
        let then = keys["actions"].map { actions($0, of: "'actions'") } ?? []
        let otherwise = keys["else"].map { actions($0, of: "'else'") } ?? []
        guard let condition = keys["guard"].flatMap({ expression($0, of: "'guard'") }) else { return [] }
        return [.guarded(condition, then, otherwise: otherwise)]
    }

    private mutating func start(_ node: YAMLNode) -> [ActionDraft] {
        guard case .map = node.content else {
            return text(node, of: "'start'").map { [.start($0, duration: nil)] } ?? []
        }
        let keys = keys(node, of: "'start'", .start)
        guard let timer = keys?["timer"].flatMap({ text($0, of: "'timer'") }) else { return [] }
        return [.start(timer, duration: keys?["duration"].flatMap { expression($0, of: "'duration'") })]
    }

    private mutating func pause(_ node: YAMLNode) -> [ActionDraft] {
        guard case .map = node.content else { return text(node, of: "'pause'").map { [.pause($0)] } ?? [] }
        let keys = keys(node, of: "'pause'", .pause)
        guard let timer = keys?["timer"].flatMap({ text($0, of: "'timer'") }) else { return [] }
        return [.pause(timer, from: keys?["from"].flatMap { expression($0, of: "'from'") })]
    }

    private mutating func extend(_ node: YAMLNode) -> [ActionDraft] {
        guard let keys = keys(node, of: "'extend'", .extend),
            let timer = keys["timer"].flatMap({ text($0, of: "'timer'") }),
            let length = keys["by"].flatMap({ expression($0, of: "'by'") })
        else { return [] }
        return [.extend(timer, by: length)]
    }

    private mutating func publish(_ node: YAMLNode) -> [ActionDraft] {
        var message = PublicationDraft(topic: SourceText("", at: node.place), payload: nil)
        read(node, of: "'publish'", ActionKeys.publish, into: &message)
        return message.topic.text.isEmpty ? [] : [.publish(message)]
    }

    /// Reads the payload of a message, which may be empty.
    mutating func payload(_ pair: YAMLPair) -> SourceText? {
        pair.value.scalar?.source.text.isEmpty == true ? nil : text(pair.value, of: pair.what)
    }

    /// Reads the quality of service of a message.
    mutating func quality(_ node: YAMLNode) -> UInt8? {
        guard let quality = number(node, of: "'qos'", in: 0...1) else { return nil }
        if quality != 0, quality != 1 { report(.badValue, node, "'qos' is 0 or 1") }
        return quality == 0 ? 0 : 1
    }

    private mutating func send(_ node: YAMLNode) -> [ActionDraft] {
        guard case .map = node.content else {
            return text(node, of: "'send'").map { [.send($0, delay: nil, id: nil)] } ?? []
        }
        let keys = keys(node, of: "'send'", .send)
        guard let keys, let event = keys["event"].flatMap({ text($0, of: "'event'") }) else { return [] }
        let delay = keys["delay"].flatMap { expression($0, of: "'delay'") }
        let id = keys["id"].flatMap { text($0, of: "'id'") }
        return [.send(event, delay: delay, id: id)]
    }
}
