extension Machine {
    /// Selects the eventless transitions to take now, without conflicts.
    mutating func selectEventless<Host: MachineHost>(
        host: inout Host,
        step: borrowing Macrostep
    ) -> [TransitionID] {
        let chart = step.chart
        guard configuration.intersects(chart.statesWithEventless) else { return [] }
        var enabled: [TransitionID] = []
        var visited = StateSet()
        for leaf in configuration.intersection(chart.atomicStates) {
            var state = leaf
            climb: while visited.insert(state) {
                if chart.statesWithEventless.contains(state) {
                    for transition in chart.states[state.index].eventless {
                        if let condition = chart.transitions[transition.index].condition {
                            // Nothing was enabled when the machine last came to rest.
                            if !step.isTouched, !host.mayHaveChanged(condition) { continue }
                            if !host.holds(condition, in: &self, on: step.occasion) { continue }
                        } else if !step.isTouched {
                            // A transition without a condition stays untaken only after a fault.
                            continue
                        }
                        enabled.append(transition)
                        break climb
                    }
                }
                if state == .root { break }
                state = chart.states[state.index].parent
            }
        }
        return enabled.count > 1 ? withoutConflicts(enabled, in: chart) : enabled
    }

    /// Selects the transitions that an event enables, without conflicts.
    mutating func selectTransitions<Host: MachineHost>(
        on event: MachineEvent,
        host: inout Host,
        step: borrowing Macrostep
    ) -> [TransitionID] {
        let chart = step.chart
        var enabled: [TransitionID] = []
        var visited = StateSet()
        for leaf in configuration.intersection(chart.atomicStates) {
            var state = leaf
            climb: while visited.insert(state) {
                for transition in chart.states[state.index].evented {
                    guard case .event(let descriptors) = chart.transitions[transition.index].trigger,
                        descriptors.contains(where: { EventDescriptor.matches($0, event.name) })
                    else { continue }
                    if let condition = chart.transitions[transition.index].condition,
                        !host.holds(condition, in: &self, on: step.occasion)
                    {
                        continue
                    }
                    enabled.append(transition)
                    break climb
                }
                if state == .root { break }
                state = chart.states[state.index].parent
            }
        }
        return enabled.count > 1 ? withoutConflicts(enabled, in: chart) : enabled
    }

    /// Returns the transitions that can be taken together.
    ///
    /// Of two that leave the same state, the inner one wins, otherwise the one of the region that comes first.
    func withoutConflicts(_ enabled: [TransitionID], in chart: Statechart) -> [TransitionID] {
        var kept: [(transition: TransitionID, leaving: StateSet)] = []
        for transition in enabled {
            let leaving = exitSet(of: [transition], in: chart)
            let source = chart.transitions[transition.index].source
            var isPreempted = false
            var displaced: [TransitionID] = []
            for other in kept where other.leaving.intersects(leaving) {
                let otherSource = chart.transitions[other.transition.index].source
                if chart.states[source.index].ancestors.contains(otherSource) {
                    displaced.append(other.transition)
                } else {
                    isPreempted = true
                    break
                }
            }
            // Only now: if it is preempted, those that it would have displaced stay.
            if isPreempted { continue }
            kept.removeAll { displaced.contains($0.transition) }
            assert(!kept.contains { $0.leaving.intersects(leaving) }, "two transitions leave the same state")
            kept.append((transition, leaving))
        }
        assert(kept.isEmpty == enabled.isEmpty, "of transitions in conflict none is taken")
        return kept.map { $0.transition }
    }

    /// Returns all active states that transitions leave.
    func exitSet(of transitions: [TransitionID], in chart: Statechart) -> StateSet {
        var leaving = StateSet()
        for transition in transitions {
            // A transition without a target leaves nothing, and runs only its actions.
            guard let domain = domain(of: transition, in: chart) else { continue }
            leaving.formUnion(configuration.intersection(chart.states[domain.index].descendants))
        }
        return leaving
    }

    /// Returns the innermost state that a transition does not leave; nil for a transition without target.
    ///
    /// It may be a parallel state, whose regions are then all left and entered. The specification's algorithm passes
    /// over parallel states and leaves them as well. But public cases (SCION, more-parallel 10) expect that a region
    /// which restarts does not leave its parent, and no case of the W3C depends on the difference.
    func domain(of id: TransitionID, in chart: Statechart) -> StateID? {
        let transition = chart.transitions[id.index]
        if transition.targets.isEmpty { return nil }
        var targets = StateSet()
        addEffectiveTargets(transition.targets, in: chart, to: &targets)
        let source = transition.source
        if source == .root { return .root }
        let own = chart.states[source.index]
        // SCXML: only a compound state can stay active around a transition of its own.
        if transition.isInternal, own.kind == .compound, targets.isSubset(of: own.descendants) {
            return source
        }
        var ancestor = own.parent
        while ancestor != .root {
            let state = chart.states[ancestor.index]
            if targets.isSubset(of: state.descendants) { return ancestor }
            ancestor = state.parent
        }
        return .root
    }

    /// Adds the states that targets stand for: a history state stands for the states it remembers, or its default.
    func addEffectiveTargets(_ targets: [StateID], in chart: Statechart, to found: inout StateSet) {
        for target in targets {
            if !chart.historyStates.contains(target) {
                found.insert(target)
            } else if let remembered = history(of: target) {
                found.formUnion(remembered)
            } else {
                addEffectiveTargets(chart.states[target.index].initialTargets, in: chart, to: &found)
            }
        }
    }
}
