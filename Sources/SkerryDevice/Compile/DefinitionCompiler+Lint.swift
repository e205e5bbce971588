import SkerryExpressions

extension DefinitionCompiler {
    /// Warns of what can be used but is hardly meant.
    mutating func lint() {
        warnOfUnreadSignals()
        warnOfIdleTimers()
        warnOfUnreachableStates()
        warnOfEndlessActivity()
    }

    private mutating func warnOfUnreadSignals() {
        for (index, name) in parts.signalNames.enumerated() {
            if readReferences.contains(ReferenceKind.signal.reference(index)) { continue }
            if readReferences.contains(ReferenceKind.changed.reference(index)) { continue }
            for source in draft.sources {
                guard let signal = source.signals.first(where: { $0.name.text == name }) else { continue }
                report(
                    .signalNeverRead,
                    signal.name,
                    "nothing reads the signal '\(name)'",
                    remedy: "use it in a guard, a timer or the content, or remove it"
                )
                break
            }
        }
    }

    private mutating func warnOfIdleTimers() {
        for (index, timer) in draft.timers.enumerated() {
            let name = timer.name.text
            if timer.runsWhile == nil, !startedTimers.contains(name) {
                report(
                    .timerNeverStarted,
                    timer.name,
                    "nothing starts the timer '\(name)'",
                    remedy: "say when it runs with 'while:', or start it with an action"
                )
            }
            let elapses = states.contains { state in
                state.transitions.contains { transition in
                    guard case .event(let events) = transition.trigger else { return false }
                    return events.contains {
                        $0.text == name || $0.text.hasPrefix(name + ".") || $0.text == "*"
                    }
                }
            }
            let isRead = [ReferenceKind.timer, .timerElapsed].contains {
                readReferences.contains($0.reference(index))
            }
            if !elapses, !isRead {
                report(
                    .timerNeverRead,
                    timer.name,
                    "nothing reads the timer '\(name)'",
                    remedy: "show timer.\(name) in the content, or wait for '\(name).elapsed'"
                )
            }
        }
    }

    /// A state is reachable when a transition, an `initial` or a parallel parent leads to it or into it.
    private mutating func warnOfUnreachableStates() {
        var reached: Set<String> = []
        enter(draft.machine, &reached)
        var before = -1
        while reached.count != before {
            before = reached.count
            for state in states where state.name.text.isEmpty || reached.contains(state.name.text) {
                for transition in state.transitions {
                    for target in transition.targets { lead(to: target.text, from: draft.machine, &reached) }
                }
                if case .history = state.kind {
                    for target in state.initial { lead(to: target.text, from: draft.machine, &reached) }
                }
            }
        }
        for state in states.dropFirst() where !reached.contains(state.name.text) {
            report(
                .unreachableState,
                state.name,
                "nothing leads to the state '\(state.name.text)'",
                remedy: "add a transition to it, or remove it"
            )
        }
    }

    /// Marks a state and what is entered with it by default.
    private func enter(_ state: StateDraft, _ reached: inout Set<String>) {
        reached.insert(state.name.text)
        if case .parallel = state.kind {
            for child in state.states { enter(child, &reached) }
        } else if let first = state.initial.first {
            if case .history = state.kind { return }
            for target in state.initial { lead(to: target.text, from: state, &reached) }
            reached.insert(first.text)
        } else if let first = state.states.first {
            enter(first, &reached)
        }
    }

    /// Marks a target, all states around it, and what is entered with them.
    @discardableResult
    private func lead(to target: String, from state: StateDraft, _ reached: inout Set<String>) -> Bool {
        if state.name.text == target, !target.isEmpty {
            enter(state, &reached)
            return true
        }
        for child in state.states where lead(to: target, from: child, &reached) {
            reached.insert(state.name.text)
            if case .parallel = state.kind {
                for sibling in state.states where sibling.name.text != child.name.text {
                    enter(sibling, &reached)
                }
            }
            return true
        }
        return false
    }

    private mutating func warnOfEndlessActivity() {
        guard let activity = draft.activity, activity.ends.isEmpty else { return }
        problems.append(
            DefinitionProblem(
                .activityNeverEnds,
                at: activity.place,
                "the activity can start and never ends",
                remedy: "add 'ends:' with the states whose entry ends it"
            )
        )
    }
}
