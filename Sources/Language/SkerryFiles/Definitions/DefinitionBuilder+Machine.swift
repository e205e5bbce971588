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
