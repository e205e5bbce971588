import SkerryDevice

extension DefinitionWriter {
    /// A state with its states.
    func state(_ state: StateDraft) -> YAMLOutput {
        let name = state.name.text
        var pairs = (name.isEmpty ? MachineKeys.machine : MachineKeys.state).written(state, by: self)
        // The transitions stand above the states.
        pairs.insert(contentsOf: transitions(of: state), at: pairs.count - 2)
        var result = YAMLOutput.map(pairs)
        result.isBlock = name.isEmpty || !state.states.isEmpty || pairs.count(where: { $0.1 != nil }) > 1
        result.comments = comments[.state(name)]
        return result
    }

    /// The states within one; the machine has some, even if there are none.
    func states(of state: StateDraft) -> YAMLOutput? {
        let isMachine = state.name.text.isEmpty
        var states = map(state.states.map { ($0.name.text, self.state($0)) }, isBlock: true)
        states?.isSpaced = isMachine
        return states ?? (isMachine ? .map([]) : nil)
    }

    // MARK: Transitions

    /// The keys with the transitions of a state, in the order in which the draft has the first of each.
    private func transitions(of state: StateDraft) -> [(String, YAMLOutput?)] {
        var always: [YAMLOutput] = []
        var on: [EventKey] = []
        var timed: [String: [(key: String, transitions: [YAMLOutput])]] = [:]
        var order: [String] = []
        for (index, transition) in state.transitions.enumerated() {
            var output = self.transition(transition)
            output.comments = comments[.transition(of: state.name.text, index)]
            let section: String
            switch transition.trigger {
            case .always, .sustained, .quiet, .past:
                section = "always"
                always.append(output)
            case .event(let descriptors):
                section = "on"
                EventKey.add(output, descriptors.map(\.text), to: &on)
            case .after(let delay):
                section = "after"
                add(output, DurationText.text(delay.interval), to: &timed[section, default: []])
            case .at(let time):
                section = "at"
                add(output, time.text, to: &timed[section, default: []])
            }
            if !order.contains(section) { order.append(section) }
        }
        return order.map { section in
            switch section {
            case "always": (section, single(always))
            case "on": (section, group(on.map { ($0.text, single($0.transitions)) }))
            default: (section, group((timed[section] ?? []).map { ($0.key, single($0.transitions)) }))
            }
        }
    }

    /// Adds a transition under its length of time or its time of day.
    private func add(
        _ output: YAMLOutput,
        _ key: String,
        to groups: inout [(key: String, transitions: [YAMLOutput])]
    ) {
        if let index = groups.firstIndex(where: { $0.key == key }) {
            groups[index].transitions.append(output)
        } else {
            groups.append((key, [output]))
        }
    }

    private func group(_ pairs: [(String, YAMLOutput?)]) -> YAMLOutput {
        .map(pairs, isBlock: pairs.count > 1)
    }

    private func single(_ outputs: [YAMLOutput]) -> YAMLOutput {
        outputs.count == 1 ? outputs[0] : .list(outputs)
    }

    private func transition(_ transition: TransitionDraft) -> YAMLOutput {
        var hold: SourceInterval?
        var dropout: SourceInterval?
        var reports: UInt8 = 1
        var quiet: SilenceDraft?
        var past: SourceText?
        switch transition.trigger {
        case .always, .event, .after, .at: break
        case .sustained(let length, let forgiven, let asked):
            (hold, dropout, reports) = (length, forgiven, asked)
        case .quiet(let silence): quiet = silence
        case .past(let moment): past = moment
        }
        let pairs: [(String, YAMLOutput?)] = [
            ("quiet", silence(quiet)),
            ("past", text(past)),
            ("guard", text(transition.condition)),
            ("for", interval(hold)),
            ("dropout", interval(dropout)),
            ("reports", reports > 1 ? .text(reports.description) : nil),
            ("internal", transition.isInternal ? .text("true") : nil),
            ("target", texts(transition.targets)),
            ("actions", actions(transition.actions, comments: [])),
        ]
        let isTarget = transition.targets.count == 1 && pairs.count { $0.1 != nil } == 1
        return isTarget ? .text(transition.targets[0].text) : .map(pairs)
    }

    // MARK: Actions

    /// One action, or a list of them; nil when there is neither an action nor a comment.
    func actions(_ actions: [ActionDraft], comments: [String]) -> YAMLOutput? {
        var outputs: [YAMLOutput] = []
        var assignments: [(String, YAMLOutput?)] = []
        func flush() {
            if !assignments.isEmpty { outputs.append(.map([("assign", .map(assignments))])) }
            assignments = []
        }
        for action in actions {
            if case .assign(let name, let value) = action {
                // A mapping can't have a key twice.
                if assignments.contains(where: { $0.0 == name.text }) { flush() }
                assignments.append((name.text, text(value)))
            } else {
                flush()
                outputs.append(self.action(action))
            }
        }
        flush()
        guard !outputs.isEmpty || !comments.isEmpty else { return nil }
        var result = outputs.count == 1 ? outputs[0] : YAMLOutput.list(outputs.map { $0.asElement })
        result.comments = comments
        return result
    }

    private func action(_ action: ActionDraft) -> YAMLOutput {
        switch action {
        case .start(let timer, let duration):
            guard let duration else { return .map([("start", text(timer))]) }
            return .map([("start", .map([("timer", text(timer)), ("duration", text(duration))]))])
        case .stop(let timer): return .map([("stop", text(timer))])
        case .pause(let timer, let moment):
            guard let moment else { return .map([("pause", text(timer))]) }
            return .map([("pause", .map([("timer", text(timer)), ("from", text(moment))]))])
        case .resume(let timer): return .map([("resume", text(timer))])
        case .extend(let timer, let length):
            return .map([("extend", .map([("timer", text(timer)), ("by", text(length))]))])
        case .raise(let event): return .map([("raise", text(event))])
        case .send(let event, let delay, let id):
            guard delay != nil || id != nil else { return .map([("send", text(event))]) }
            let pairs = [("event", text(event)), ("delay", text(delay)), ("id", text(id))]
            return .map([("send", .map(pairs))])
        case .cancel(let id): return .map([("cancel", text(id))])
        case .assign(let name, let value): return .map([("assign", .map([(name.text, text(value))]))])
        case .guarded(let condition, let then, let otherwise):
            let pairs = [
                ("guard", text(condition)),
                ("actions", actions(then, comments: []) ?? .list([])),
                ("else", actions(otherwise, comments: [])),
            ]
            return .map(pairs)
        case .publish(let message):
            return .map([("publish", .map(ActionKeys.publish.written(message, by: self)))])
        case .attempt(let actions): return .map([("try", self.actions(actions, comments: []) ?? .list([]))])
        }
    }
}

/// A key under `on` with its transitions.
private struct EventKey {
    /// The descriptors that it has.
    var descriptors: [String]
    /// The number of repetitions of the first name, which make the key a different one with the same meaning.
    var repetition = 0
    /// The transitions.
    var transitions: [YAMLOutput]

    /// The key.
    var text: String {
        (descriptors + Array(repeating: descriptors.first ?? "*", count: repetition)).joined(separator: " ")
    }

    /// Adds a transition to the key of its descriptors, or to a new one when a transition in between could be meant by
    /// the same event and would lose its turn.
    static func add(_ output: YAMLOutput, _ descriptors: [String], to keys: inout [EventKey]) {
        let same = keys.indices.filter { keys[$0].descriptors == descriptors }
        if let last = same.last, !keys[(last + 1)...].contains(where: { $0.overlaps(descriptors) }) {
            keys[last].transitions.append(output)
        } else {
            keys.append(
                EventKey(descriptors: descriptors, repetition: same.count, transitions: [output])
            )
        }
    }

    private func overlaps(_ others: [String]) -> Bool {
        descriptors.contains { one in
            let one = EventKey.tokens(one)
            return others.contains { zip(one, EventKey.tokens($0)).allSatisfy { $0 == $1 } }
        }
    }

    private static func tokens(_ descriptor: String) -> [Substring] {
        descriptor.split(separator: ".").filter { $0 != "*" }
    }
}

extension YAMLOutput {
    /// The same with a line of its own for an only key, as `- start: cycle` has it.
    fileprivate var asElement: YAMLOutput {
        var result = self
        if case .map(let pairs) = content { result.isBlock = pairs.count == 1 }
        return result
    }
}

extension StateDraft.Kind {
    /// The value of `type`; nil for the usual kind.
    var type: String? {
        switch self {
        case .single: nil
        case .parallel: "parallel"
        case .final: "final"
        case .history: "history"
        }
    }

    /// True for a history of all states below.
    var isDeep: Bool {
        if case .history(deep: true) = self { true } else { false }
    }
}
