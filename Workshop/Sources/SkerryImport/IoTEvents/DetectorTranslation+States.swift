import SkerryDevice
import SkerryFiles

extension DetectorTranslation {
    /// Translates a state of the model.
    mutating func state(_ state: DetectorState) -> StateDraft {
        var draft = StateDraft(name: state.name)
        let name = state.name.text
        draft.entry = group(state.onEnter, .entry(of: name)).actions
        draft.exit = group(state.onExit, .exit(of: name)).actions
        let first = group(state.onInput, before: state.transitions, .state(name))
        var actions = first.actions
        if readsTrigger, !(actions.isEmpty && state.transitions.isEmpty) {
            actions.insert(assign(names.trigger, "event", state.name), at: 0)
        }
        let isSplit = !actions.isEmpty
        if isSplit {
            if !state.transitions.isEmpty {
                actions.append(.raise(SourceText("decide", at: state.name.place)))
            }
            var transition = TransitionDraft(trigger: .event(occasions(at: state.name)), at: state.name.place)
            transition.actions = actions
            draft.transitions.append(transition)
        }
        let trigger =
            isSplit ? [SourceText("decide", at: state.name.place)] : occasions(at: state.name)
        decide(state, on: trigger, kept: first.kept, in: &draft)
        return draft
    }

    /// The events of all inputs and all timers.
    private func occasions(at source: SourceText) -> [SourceText] {
        (["input"] + timers.map { "\($0.name).elapsed" }).map { SourceText($0, at: source.place) }
    }

    // MARK: Groups

    /// Translates a group of events; also returns the variables with evaluated conditions, by the index of the event.
    private mutating func group(
        _ events: [DetectorEvent],
        before transitions: [DetectorEvent] = [],
        _ spot: DefinitionComments.Spot
    ) -> (actions: [ActionDraft], kept: [Int: String]) {
        var actions = keepEnds(events, transitions)
        var bodies: [[ActionDraft]] = []
        for event in events { bodies.append(self.actions(of: event, at: spot)) }
        let kept = model.evaluation == .batch ? keep(events, transitions, &actions) : [:]
        for (index, event) in events.enumerated() {
            if let variable = kept[index] {
                actions += guarded("context.\(variable)", bodies[index], event.name)
            } else {
                actions += inTurn(event, bodies[index])
            }
        }
        return (actions, kept)
    }

    /// Stores the state of timers in variables until the next group, if some action starts or stops a timer before a
    /// `timeout()` asks for its end.
    ///
    /// This is needed with `SERIAL`, where AWS changes only variables at once, not timers.
    private mutating func keepEnds(_ events: [DetectorEvent], _ transitions: [DetectorEvent]) -> [ActionDraft]
    {
        names.ends = [:]
        guard model.evaluation == .serial else { return [] }
        var actions: [ActionDraft] = []
        for index in timers.indices where asksTooLate(for: timers[index].original, events, transitions) {
            let name = timers[index].name
            let end = timers[index].end ?? variables.free("\(name)_is_over")
            if timers[index].end == nil { context.append((end, "false")) }
            timers[index].end = end
            names.ends[name] = end
            let place = (events + transitions)[0].name
            actions.append(assign(end, "timer.\(name).elapsed", place))
        }
        return actions
    }

    /// True if AWS may evaluate a `timeout()` of a group after an action of the group has changed the timer.
    private func asksTooLate(
        for timer: String,
        _ events: [DetectorEvent],
        _ transitions: [DetectorEvent]
    ) -> Bool {
        var isChanged = false
        for event in events where event.asks(for: timer, &isChanged) { return true }
        return transitions.contains { event in
            // At most one transition is taken, so its actions do not affect the conditions of others.
            var isChanged = isChanged
            return event.asks(for: timer, &isChanged)
        }
    }

    /// Translates an event whose condition is evaluated after the actions before it.
    private mutating func inTurn(_ event: DetectorEvent, _ body: [ActionDraft]) -> [ActionDraft] {
        guard let condition = event.condition, condition != .truth(true) else { return body }
        var writer = DetectorExpressionWriter(names)
        let part = writer.condition(condition)
        guard let check = writer.checks.first else { return guarded(part.text, body, event.name) }
        if check.isWhole {
            return guarded(part.text, use(check.timer, event.name) + body, event.name)
        }
        let variable = keeper(of: event.name.text)
        return [assign(variable, DetectorExpressionWriter.settled(part).text, event.name)]
            + consumption(of: writer.checks, event.name)
            + guarded("context.\(variable)", body, event.name)
    }

    /// Evaluates conditions in advance that the actions of earlier events could change.
    ///
    /// If there are any, conditions with a `timeout()` are evaluated in advance too, because their order matters.
    ///
    /// - Returns: The variables with the results, by the index of the event; transitions come after the events.
    private mutating func keep(
        _ events: [DetectorEvent],
        _ transitions: [DetectorEvent],
        _ actions: inout [ActionDraft]
    ) -> [Int: String] {
        let all = events + transitions
        var changed = Effects()
        var affected: Set<Int> = []
        for (index, event) in all.enumerated() {
            if let condition = event.condition, changed.mayChange(condition) { affected.insert(index) }
            if index < events.count { changed.add(event.actions) }
        }
        guard !affected.isEmpty else { return [:] }
        var kept: [Int: String] = [:]
        var gate: [String] = []
        for (index, event) in all.enumerated() {
            guard let condition = event.condition else { continue }
            var writer = DetectorExpressionWriter(names)
            let part = writer.condition(condition)
            guard affected.contains(index) || !writer.checks.isEmpty else {
                // Later transitions are not evaluated once one is taken.
                if index >= events.count { gate.append(DetectorExpressionWriter.denied(part)) }
                continue
            }
            let variable = keeper(of: event.name.text)
            kept[index] = variable
            actions.append(assign(variable, DetectorExpressionWriter.settled(part).text, event.name))
            let isTransition = index >= events.count
            actions += consumption(of: writer.checks, when: isTransition ? gate : [], event.name)
            if isTransition { gate.append("!context.\(variable)") }
        }
        return kept
    }

    /// A new variable for the result of a condition.
    mutating func keeper(of word: String) -> String {
        let name = variables.free("is_\(DetectorNames.identifier(word))")
        context.append((name, "false"))
        return name
    }

    // MARK: Transitions

    /// Translates the transitions of a state, in the order in which AWS evaluates their conditions.
    private mutating func decide(
        _ state: DetectorState,
        on trigger: [SourceText],
        kept: [Int: String],
        in draft: inout StateDraft
    ) {
        var writer = DetectorExpressionWriter(names)
        var departures: [String] = []
        for (index, event) in state.transitions.enumerated() {
            guard let target = event.next else { continue }
            let spot = DefinitionComments.Spot.transition(of: state.name.text, draft.transitions.count)
            var transition = TransitionDraft(trigger: .event(trigger), at: event.name.place)
            var pending = writer.checks.filter { !$0.isWhole }
            if let variable = kept[state.onInput.count + index] {
                transition.condition = SourceText("context.\(variable)", at: event.name.place)
            } else if let condition = event.condition, condition != .truth(true) {
                let known = writer.checks.count
                transition.condition = SourceText(writer.condition(condition).text, at: event.name.place)
                pending += writer.checks.dropFirst(known)
            }
            var actions = used(pending, event.name) + self.actions(of: event, at: spot)
            transition.targets = [target]
            if !actions.isEmpty, !draft.exit.isEmpty {
                // AWS performs the actions before it leaves the state, SCXML after.
                let departure = "to.\(DetectorNames.identifier(target.text))"
                actions.append(.raise(SourceText(departure, at: event.name.place)))
                transition.targets = []
                departures.append(target.text)
            }
            transition.actions = actions
            draft.transitions.append(transition)
        }
        let left = writer.checks.filter { !$0.isWhole }
        if !left.isEmpty {
            var transition = TransitionDraft(trigger: .event(trigger), at: state.name.place)
            transition.actions = used(left, state.name)
            draft.transitions.append(transition)
        }
        var seen: Set<String> = []
        for target in departures where seen.insert(target).inserted {
            let event = SourceText("to.\(DetectorNames.identifier(target))", at: state.name.place)
            var transition = TransitionDraft(trigger: .event([event]), at: state.name.place)
            transition.targets = [SourceText(target, at: state.name.place)]
            draft.transitions.append(transition)
        }
    }

    private func used(
        _ checks: [DetectorExpressionWriter.Check],
        _ source: SourceText
    ) -> [ActionDraft] {
        guard checks.count == 1, checks[0].isWhole else { return consumption(of: checks, source) }
        return use(checks[0].timer, source)
    }
}

extension DetectorEvent {
    /// True if the event asks for the end of a timer that an action has changed, in this event or before it.
    fileprivate func asks(for timer: String, _ isChanged: inout Bool) -> Bool {
        if isChanged, let condition, condition.timeouts.contains(timer) { return true }
        for action in actions {
            switch action.kind {
            case .setVariable(_, let value):
                if isChanged, value.timeouts.contains(timer) { return true }
            case .setTimer(let name, let length):
                if isChanged, length.timeouts.contains(timer) { return true }
                isChanged = isChanged || name == timer
            case .resetTimer(let name), .clearTimer(let name): isChanged = isChanged || name == timer
            case .outside: break
            }
        }
        return false
    }
}

/// The variables and timers that actions change, as far as conditions depend on them.
private struct Effects {
    private var variables: Set<String> = []
    private var timers: Set<String> = []

    mutating func add(_ actions: [DetectorAction]) {
        for action in actions {
            switch action.kind {
            case .setVariable(let name, _): variables.insert(name)
            case .setTimer(let name, _), .resetTimer(let name), .clearTimer(let name): timers.insert(name)
            case .outside: break
            }
        }
    }

    func mayChange(_ condition: DetectorExpression) -> Bool {
        !variables.isDisjoint(with: condition.variables) || !timers.isDisjoint(with: condition.timeouts)
    }
}
