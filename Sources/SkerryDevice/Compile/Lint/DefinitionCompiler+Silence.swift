import SkerryExpressions
import SkerryValues

extension DefinitionCompiler {
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
                    if isTimed(transition.trigger),
                        let found = returning(from: leaf, to: next, (state, index), graph)
                    {
                        told.insert(transition.place)
                        reportReturn(from: leaf, to: next, transition.place, found)
                    } else if case .quiet = transition.trigger, !messagesLead(from: next, to: leaf, graph) {
                        told.insert(transition.place)
                        reportDeadEnd(from: leaf, to: next, transition.place)
                    }
                }
            }
        }
    }

    private mutating func reportReturn(from leaf: Int, to next: Int, _ place: Place, _ found: ReadingCase) {
        let (here, there) = (states[leaf].name.text, states[next].name.text)
        let condition = words(found)
        problems.append(
            DefinitionProblem(
                .leftAtOnce,
                at: place,
                "this leads to '\(there)' and at once back to '\(here)'"
                    + (condition.isEmpty ? "" : " while \(condition)")
                    + ": nothing new has been said, and what the last message said still holds",
                remedy:
                    "let a message lead back: give the source an 'event:', and wait for it in '\(there)' with 'on:'"
            )
        )
    }

    private mutating func reportDeadEnd(from leaf: Int, to next: Int, _ place: Place) {
        let (here, there) = (states[leaf].name.text, states[next].name.text)
        problems.append(
            DefinitionProblem(
                .silenceForGood,
                at: place,
                "after this silence no message leads from '\(there)' back to '\(here)', however much the device says",
                remedy:
                    "let a message lead back: give the source an 'event:', and wait for it in '\(there)' with 'on:'"
            )
        )
    }

    // MARK: Left at once

    /// True for a transition that time takes while signals stay as they are.
    private func isTimed(_ trigger: TransitionDraft.Trigger) -> Bool {
        if case .sustained = trigger { true } else { trigger.isOfTimer(named: timerNames) }
    }

    /// A case in which the machine rests in a state, and is back in it at once when a timed transition leaves it.
    ///
    /// That is certain only where the guards on the way back read nothing but what stays as it is.
    private mutating func returning(
        from leaf: Int,
        to next: Int,
        _ transition: (state: Int, index: Int),
        _ graph: StateGraph
    ) -> ReadingCase? {
        let own = conditions[transition.state][transition.index]
        guard own.map({ readsOnlyFixedValues($0) }) ?? true,
            states[transition.state].transitions[transition.index].actions.isEmpty
        else { return nil }
        var programs = own.map { [$0] } ?? []
        for state in graph.chain(of: next) + graph.chain(of: leaf) {
            for (index, draft) in states[state].transitions.enumerated() {
                guard case .always = draft.trigger, let program = conditions[state][index] else { continue }
                if readsOnlyFixedValues(program) {
                    programs.append(program)
                } else if graph.chain(of: next).contains(state) {
                    return nil
                }
            }
        }
        let settings = draft.settings.map { $0.standard.value }
        let search = search(programs) { reference in
            switch ReferenceKind(rawValue: reference.kind) {
            case .changed: .bool(false)
            case .setting: settings[Int(reference.index)]
            default: nil
            }
        }
        return search?.first { trial in
            guard own.map({ trial.holds($0) }) ?? true, step(from: leaf, in: trial, graph) == nil else {
                return false
            }
            var state = next
            for _ in 0..<8 {
                guard let step = step(from: state, in: trial, graph) else { return false }
                state = step.leaf
                if state == leaf { return true }
            }
            return false
        }
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
                case .always, .sustained, .event: break
                }
                for target in graph.targets[outer][index] { graph.lead(to: target, &reached) }
            }
        }
        graph.spread(&reached)
        return reached[goal]
    }
}
