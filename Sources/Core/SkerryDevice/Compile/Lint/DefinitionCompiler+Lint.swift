import SkerryExpressions
import SkerryValues

extension DefinitionCompiler {
    /// Warns of parts that work but are probably not meant.
    mutating func lint() {
        // Most warnings are about parts that work together. Next to parts with errors they would only mislead.
        guard !draft.isIncomplete, !hasFailedTexts else { return }
        warnOfUnreadSignals()
        warnOfUnreadVariables()
        warnOfUnreadSettings()
        guard !problems.contains(where: { $0.severity == .error }) else { return }
        warnOfIdleTimers()
        warnOfUnraisedEvents()
        let graph = StateGraph(root: draft.machine, states: states)
        var reached = [Bool](repeating: false, count: states.count)
        graph.enter(0, &reached)
        graph.spread(&reached)
        warnOfUnreachableStates(reached)
        warnOfUnsetSignals()
        warnOfEarlyReading()
        warnOfMovingEnds()
        warnOfShortWaits()
        for state in states.indices { warnOfTransitions(from: state, graph) }
        warnOfEndlessLoops(graph, reached)
        reportRaisedLoops(graph, reached)
        warnOfTimerLoops(graph, reached)
        warnOfTimedStates(graph, reached)
        warnOfActivity(graph, reached)
        warnOfContentSize()
        warnOfWideTexts()
        warnOfTallCards()
        warnOfUndrawnTexts()
        warnOfUnknownSymbols()
        warnOfMissingTitles(graph, reached)
        warnOfMixedTypes()
        warnOfShownBraces()
    }

    private mutating func warnOfUnreadSignals() {
        for (index, name) in parts.signalNames.enumerated() {
            if readReferences.contains(ReferenceKind.signal.reference(index)) { continue }
            if readReferences.contains(ReferenceKind.changed.reference(index)) { continue }
            // How often a device reports is worth knowing, as in `skerry explain`, also where no guard asks for reports.
            if parts.signalForms.contains(where: { $0.signal == index && $0.kind == .pace }) { continue }
            guard let signal = firstDraft(ofSignal: name) else { continue }
            report(
                .signalNeverRead,
                signal.name,
                "nothing reads the signal '\(name)'",
                remedy: "use it in a guard, a timer or the content, or remove it"
            )
        }
    }

    /// The first declaration of a signal.
    func firstDraft(ofSignal name: String) -> NamedText? {
        for source in draft.sources {
            let signal = source.signals.first { $0.name.text.hasSameCodePoints(as: name) }
            if let signal { return signal }
        }
        return nil
    }

    private mutating func warnOfUnreadVariables() {
        for (index, variable) in draft.context.enumerated() {
            if readReferences.contains(ReferenceKind.context.reference(index)) { continue }
            report(
                .variableNeverRead,
                variable.name,
                "nothing reads the variable '\(variable.name.text)'",
                remedy: "use context.\(variable.name.text) in a guard, an action or the content, or remove it"
            )
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
            } else if let text = timer.runsWhile, index < parts.timers.count,
                let program = parts.timers[index].runsWhile, !canHold(program)
            {
                report(
                    .timerNeverStarted,
                    text,
                    "the timer '\(name)' never runs: this can't hold",
                    remedy: "name the states in which it runs, as in inState(\"running\")"
                )
            }
            let elapses = awaitedEvents.contains {
                $0.text == name || $0.text.hasPrefix(name + ".") || $0.text == "*"
                    || meantEvents(by: $0.text) == ["\(name).elapsed"]
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

    /// Warns of states that no transition, `initial` or parallel parent leads to or into.
    private mutating func warnOfUnreachableStates(_ reached: [Bool]) {
        for (index, state) in states.enumerated() where !reached[index] {
            report(
                .unreachableState,
                state.name,
                "nothing leads to the state '\(state.name.text)'",
                remedy: "add a transition to it, or remove it"
            )
        }
    }

    /// Warns of signals that no source can compute from a message and from signals that can have a value.
    private mutating func warnOfUnsetSignals() {
        var canBeSet = [Bool](repeating: false, count: parts.signalNames.count)
        var before: [Bool] = []
        while before != canBeSet {
            before = canBeSet
            for source in parts.sources {
                for signal in source.signals {
                    let isKnown = signal.program.requiredReferences.allSatisfy { reference in
                        reference.kind != ReferenceKind.signal.rawValue || canBeSet[Int(reference.index)]
                    }
                    if isKnown { canBeSet[signal.signal] = true }
                }
            }
        }
        for (index, name) in parts.signalNames.enumerated() where !canBeSet[index] {
            guard let signal = firstDraft(ofSignal: name) else { continue }
            report(
                .signalNeverSet,
                signal.text,
                "'\(name)' can never have a value: it is computed from itself",
                remedy: "compute it from the payload, or ask has(\(name)) before reading it"
            )
        }
    }

    /// Warns of first values that read a later variable or a timer: they are assigned in order, before any timer
    /// starts.
    private mutating func warnOfEarlyReading() {
        for (index, program) in parts.initialContext.enumerated() {
            for reference in program.requiredReferences {
                let what: String
                switch ReferenceKind(rawValue: reference.kind) {
                case .context where Int(reference.index) >= index:
                    what = "context.\(parts.variableNames[Int(reference.index)])"
                case .timer: what = "timer.\(parts.timers[Int(reference.index)].name)"
                default: continue
                }
                report(
                    .readBeforeSet,
                    draft.context[index].text,
                    "\(what) has no value yet when this is evaluated",
                    remedy: "first values are given in the order written, when the first message comes"
                )
            }
        }
    }

    private mutating func warnOfMovingEnds() {
        for (index, timer) in draft.timers.enumerated() {
            guard case .until(let text) = timer.kind, case .until(let program) = parts.timers[index].kind,
                program.references.contains(ReferenceKind.now.reference())
            else { continue }
            report(
                .endKeepsMoving,
                text,
                "this end is computed again with every message, and moves with the clock",
                remedy: "write 'remaining:' with the time that is left, or 'duration:' with one that stays"
            )
        }
    }
}
