import SkerryExpressions
import SkerryValues

/// A state that is left again at once.
private struct Return {
    /// The case in which it is.
    var trial: ReadingCase
    /// The references of the guards on the way back.
    var read: Set<Reference>
}

extension DefinitionLinter {
    /// Warns of states that time leads to and that are left again at once, because what the last message said leads back,
    /// and of states that silence leads to and that no message leaves.
    mutating func warnOfTimedStates(_ graph: StateGraph, _ reached: [Bool]) {
        guard graph.isSimple else { return }
        var told: Set<Place> = []
        for leaf in states.indices where reached[leaf] && graph.children[leaf].isEmpty {
            for state in graph.chain(of: leaf) {
                for (index, transition) in states[state].transitions.enumerated() {
                    guard let target = graph.targets[state][index].first, !told.contains(transition.place)
                    else {
                        continue
                    }
                    let next = graph.leaf(of: target)
                    if next == leaf { continue }
                    if isTimed(transition.trigger), transition.actions.isEmpty,
                        let found = returning(
                            from: leaf,
                            to: next,
                            conditions[state][index],
                            graph,
                            unset: unset(by: transition.trigger, from: leaf, to: next, graph)
                        )
                    {
                        told.insert(transition.place)
                        reportReturn(from: leaf, to: next, transition, found)
                    } else if case .quiet = transition.trigger, !messagesLead(from: next, to: leaf, graph) {
                        told.insert(transition.place)
                        reportDeadEnd(from: leaf, to: next, transition)
                    }
                }
            }
        }
    }

    private mutating func reportReturn(
        from leaf: Int,
        to next: Int,
        _ transition: TransitionDraft,
        _ found: Return
    ) {
        let (here, there) = (states[leaf].name.text, states[next].name.text)
        let condition = words(found.trial, among: found.read)
        problems.append(
            DefinitionProblem(
                .leftAtOnce,
                at: transition.place,
                "this leads to '\(there)' and at once back to '\(here)'"
                    + (condition.isEmpty ? "" : " while \(condition)")
                    + ": nothing new has been said, and what the last message said still holds",
                remedy: wayBack(from: there, to: here, after: transition)
            )
        )
    }

    private mutating func reportDeadEnd(from leaf: Int, to next: Int, _ transition: TransitionDraft) {
        let (here, there) = (states[leaf].name.text, states[next].name.text)
        problems.append(
            DefinitionProblem(
                .silenceForGood,
                at: transition.place,
                "after this silence no message leads from '\(there)' back to '\(here)', however much the device says",
                remedy: wayBack(from: there, to: here, after: transition)
            )
        )
    }

    /// The advice for a state that no news leaves: with the silence of some signals, only news of these.
    private func wayBack(from there: String, to here: String, after transition: TransitionDraft) -> String {
        if case .quiet(let silence) = transition.trigger, !silence.signals.isEmpty {
            let news = silence.signals.map { "changed(\($0.text))" }.joined(separator: " || ")
            return "let these signals lead back, in '\(there)': always: { guard: \(news), target: \(here) }"
        }
        return
            "let a message lead back: give the source an 'event:', and wait for it in '\(there)' with 'on:'"
    }

    // MARK: Left at once

    /// True for a transition that time takes while signals stay as they are.
    private func isTimed(_ trigger: TransitionDraft.Trigger) -> Bool {
        switch trigger {
        case .sustained, .past: true
        default: trigger.isOfTimer(named: timerNames)
        }
    }

    /// A case in which the machine rests in a state, and is back in it at once when a timed transition leaves it.
    ///
    /// That is certain only where the guards on the way back read nothing but what stays as it is.
    private mutating func returning(
        from leaf: Int,
        to next: Int,
        _ own: Program?,
        _ graph: StateGraph,
        unset: SignalSet
    ) -> Return? {
        guard own.map({ readsOnlyFixedValues($0) }) ?? true else { return nil }
        var programs = own.map { [$0] } ?? []
        let way = statesAtOnce(from: next, until: leaf, graph)
        var uncertain: Set<Int> = []
        for state in way + graph.chain(of: leaf).filter({ !way.contains($0) }) {
            for (index, draft) in states[state].transitions.enumerated() {
                guard case .always = draft.trigger, let program = conditions[state][index] else { continue }
                if readsOnlyFixedValues(program), !(way.contains(state) && reads(unset, in: program)) {
                    programs.append(program)
                } else if way.contains(state) {
                    uncertain.insert(state)
                }
            }
        }
        let settings = draft.settings.map { $0.standard.value }
        let search = search(programs) { reference in
            switch ReferenceKind(rawValue: reference.kind) {
            case .changed, .reported: .bool(false)
            case .setting: settings[Int(reference.index)]
            default: nil
            }
        }
        var read: Set<Reference> = []
        let found = search?.first { trial in
            guard own.map({ trial.holds($0) }) ?? true, step(from: leaf, in: trial, graph) == nil else {
                return false
            }
            var state = next
            read = Set(own?.references ?? [])
            for _ in way {
                guard uncertain.isDisjoint(with: graph.chain(of: state)),
                    let step = step(from: state, in: trial, graph)
                else { return false }
                read.formUnion(condition(ofAlways: step.place, from: state, graph)?.references ?? [])
                state = step.leaf
                if state == leaf { return true }
            }
            return false
        }
        return found.map { Return(trial: $0, read: read) }
    }

    /// The signals without a value in a state that time alone leads to, because a run begins there.
    private func unset(
        by trigger: TransitionDraft.Trigger,
        from leaf: Int,
        to next: Int,
        _ graph: StateGraph
    ) -> SignalSet {
        guard let activity = draft.activity, let reset = definition.activity?.reset,
            trigger.isOfTimer(named: timerNames)
        else { return SignalSet() }
        let (starts, ends) = (graph.indices(of: activity.starts), graph.indices(of: activity.ends))
        let hasEnded = graph.chain(of: leaf).contains { ends.contains($0) && !starts.contains($0) }
        return hasEnded && graph.chain(of: next).contains(where: starts.contains) ? reset : SignalSet()
    }

    private func reads(_ signals: SignalSet, in program: Program) -> Bool {
        program.references.contains { reference in
            reference.kind == ReferenceKind.signal.rawValue && signals.contains(Int(reference.index))
        }
    }

    /// The guard of the transition at a place that is taken from an innermost state; nil if it has none.
    private func condition(ofAlways place: Place, from leaf: Int, _ graph: StateGraph) -> Program? {
        for state in graph.chain(of: leaf) {
            if let index = states[state].transitions.firstIndex(where: { $0.place == place }) {
                return conditions[state][index]
            }
        }
        return nil
    }

    /// A state that is entered, and all to which transitions under `always` may lead from it before another one is
    /// reached, with those around them.
    private func statesAtOnce(from start: Int, until end: Int, _ graph: StateGraph) -> [Int] {
        var way = graph.chain(of: start)
        var place = 0
        while place < way.count {
            for (index, draft) in states[way[place]].transitions.enumerated() {
                guard case .always = draft.trigger, let target = graph.targets[way[place]][index].first,
                    graph.leaf(of: target) != end
                else { continue }
                way += graph.chain(of: graph.leaf(of: target)).filter { !way.contains($0) }
            }
            place += 1
        }
        return way
    }

    // MARK: Dead ends

    /// True if a message takes the machine out of a state, to where it can get to another one again.
    private func messagesLead(from state: Int, to goal: Int, _ graph: StateGraph) -> Bool {
        var reached = [Bool](repeating: false, count: states.count)
        for outer in graph.chain(of: state) {
            for (index, transition) in states[outer].transitions.enumerated() {
                switch transition.trigger {
                case .after, .quiet, .at: continue
                case .event where transition.trigger.isOfTimer(named: timerNames): continue
                case .always, .sustained, .event, .past: break
                }
                for target in graph.targets[outer][index] { graph.lead(to: target, &reached) }
            }
        }
        graph.spread(&reached)
        return reached[goal]
    }
}
