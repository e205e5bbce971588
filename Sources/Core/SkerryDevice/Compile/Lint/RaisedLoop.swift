import SkerryExpressions
import SkerryValues

// Events that lead, at one moment, to the same event again.

/// A state that handles an event, and what is certain to follow at the same moment.
private struct EventStep: Hashable {
    /// The innermost state.
    var leaf: Int
    /// The event that is to be handled there.
    var event: String
}

/// A transition that an event certainly takes.
private struct CertainTransition {
    /// The event that it leads to, in the state where it leads.
    var next: EventStep
    /// The transition.
    var place: Place
    /// True if the entry of that state raises the event, and nothing else can be taken there before it.
    var isByEntry = false
    /// True if it sends events, too, which wait for those that are raised.
    var leavesEvents = false
}

extension DefinitionLinter {
    /// Reports events that come again and again at one moment, in whatever states, because what they lead to raises or
    /// sends them without a delay: as an error where the entry of each state on the way raises the next one.
    ///
    /// Only what is certain is followed: transitions without a guard, of which each raises or sends one event.
    mutating func reportRaisedLoops(_ graph: StateGraph, _ reached: [Bool]) {
        guard graph.isSimple else {
            warnOfEventsThatRaiseThemselves()
            return
        }
        let events = immediateEvents
        var done: Set<EventStep> = []
        for leaf in states.indices where reached[leaf] && graph.children[leaf].isEmpty {
            for event in events {
                var path: [(step: EventStep, taken: CertainTransition)] = []
                var next: EventStep? = EventStep(leaf: leaf, event: event)
                while let step = next, done.insert(step).inserted {
                    let taken = follow(step, graph)
                    if let taken { path.append((step, taken)) }
                    next = taken?.next
                }
                guard let step = next, let start = path.firstIndex(where: { $0.step == step }) else {
                    continue
                }
                let round = path[start...]
                let place = round[start].taken.place
                if round.allSatisfy({ $0.taken.isByEntry }) {
                    report(loopOf: round.map { $0.step.leaf } + [step.leaf], at: place)
                } else if !round.contains(where: { $0.taken.leavesEvents }) {
                    warn(ofLoop: round.map { $0.step.event } + [step.event], at: place)
                }
            }
        }
    }

    private mutating func report(loopOf leaves: [Int], at place: Place) {
        let names = leaves.map { states[$0].name.text }.joined(separator: " → ")
        var problem = DefinitionProblem(
            .endlessLoop,
            at: place,
            "this loop of raised events never ends: \(names)",
            remedy: "raise the event in one of the transitions instead, or add a guard"
        )
        problem.severity = .error
        problems.append(problem)
    }

    private mutating func warn(ofLoop events: [String], at place: Place) {
        let names = events.joined(separator: " → ")
        problems.append(
            DefinitionProblem(
                .endlessLoop,
                at: place,
                "once '\(events[0])' comes, it comes again and again at the same moment: \(names)",
                remedy:
                    "add a guard that no longer holds when this is done, or send the event with a 'delay:'"
            )
        )
    }

    /// Warns of transitions that raise or send, without a delay, the event that they are taken for; in machines in which
    /// several states are active at once.
    private mutating func warnOfEventsThatRaiseThemselves() {
        for state in states {
            for transition in state.transitions {
                guard case .event(let descriptors) = transition.trigger, transition.condition == nil,
                    transition.targets.isEmpty, let event = certainEvent(of: transition.actions),
                    descriptors.contains(where: { $0.text.describes(event) })
                else { continue }
                warn(ofLoop: [event, event], at: transition.place)
            }
        }
    }

    /// The events that actions raise, or send without a delay.
    private var immediateEvents: [String] {
        var found: [String] = []
        for action in actions {
            guard let event = immediateEvent(of: action), !found.contains(event) else { continue }
            found.append(event)
        }
        return found
    }

    private func immediateEvent(of action: ActionDraft) -> String? {
        switch action {
        case .raise(let event): return event.text
        case .send(let event, let delay, _):
            guard let delay else { return event.text }
            return constantLength(delay).map { $0 <= .zero } == true ? event.text : nil
        default: return nil
        }
    }

    /// The only event that actions raise or send without a delay; nil if there is none, or if it is not certain.
    private func certainEvent(of actions: [ActionDraft]) -> String? {
        var found: [String] = []
        for action in actions {
            switch action {
            case .cancel: return nil
            case .guarded:
                if action.parts.contains(where: { immediateEvent(of: $0) != nil }) { return nil }
            case .attempt(let inner):
                if let event = certainEvent(of: inner) {
                    found.append(event)
                } else if inner.contains(where: { $0.parts.contains { immediateEvent(of: $0) != nil } }) {
                    return nil
                }
            default:
                if let event = immediateEvent(of: action) { found.append(event) }
            }
        }
        return found.count == 1 ? found[0] : nil
    }

    /// The transition that an event certainly takes; nil if it is not certain.
    private func follow(_ step: EventStep, _ graph: StateGraph) -> CertainTransition? {
        let chain = graph.chain(of: step.leaf)
        var hasAlways = false
        // What an `always` could lead to is certain only if nothing changes its guard meanwhile.
        for state in chain {
            for (index, transition) in states[state].transitions.enumerated() {
                guard case .always = transition.trigger else { continue }
                let isFixed = conditions[state][index].map { readsOnlyFixedValues($0) } ?? false
                if !isFixed { return nil }
                hasAlways = true
            }
        }
        for state in chain {
            for (index, transition) in states[state].transitions.enumerated() {
                guard case .event(let descriptors) = transition.trigger,
                    descriptors.contains(where: { $0.text.describes(step.event) })
                else { continue }
                guard transition.condition == nil else { return nil }
                guard let target = graph.targets[state][index].first else {
                    if !transition.targets.isEmpty { return nil }
                    return certainEvent(of: transition.actions).map {
                        CertainTransition(
                            next: EventStep(leaf: step.leaf, event: $0),
                            place: transition.place
                        )
                    }
                }
                let leaf = graph.leaf(of: target)
                if case .final = states[leaf].kind { return nil }
                let domain = graph.domain(from: state, to: target, isInternal: transition.isInternal)
                let left = chain.filter { graph.isWithin($0, domain) && $0 != domain }
                let entered = graph.chain(of: leaf).filter { graph.isWithin($0, domain) && $0 != domain }
                let done =
                    left.flatMap { states[$0].exit } + transition.actions
                    + entered.reversed().flatMap { states[$0].entry }
                let raises = states[leaf].entry.contains { if case .raise = $0 { true } else { false } }
                let raised = done.filter { if case .send = $0 { false } else { true } }
                let event = certainEvent(of: done)
                return (event ?? (raises ? certainEvent(of: raised) : nil)).map {
                    CertainTransition(
                        next: EventStep(leaf: leaf, event: $0),
                        place: transition.place,
                        isByEntry: raises && !hasAlways,
                        leavesEvents: event == nil
                    )
                }
            }
        }
        return nil
    }
}

extension StateGraph {
    /// The innermost state that a transition does not leave.
    fileprivate func domain(from source: Int, to target: Int, isInternal: Bool) -> Int {
        if isInternal, !children[source].isEmpty, target != source, isWithin(target, source) { return source }
        return chain(of: source).dropFirst().first { isWithin(target, $0) && target != $0 } ?? 0
    }
}
