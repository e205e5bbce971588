/// The states that a microstep enters, and those of them whose initial or default actions are performed.
struct EntrySet {
    var states = StateSet()
    /// The compound states that are entered by their initial transition.
    var byDefault = StateSet()
    /// The history states without memory, whose default transition is taken.
    var defaultHistories = StateSet()
}

extension Machine {
    /// Returns all states that transitions enter.
    func entrySet(of transitions: [TransitionID], in chart: Statechart) -> EntrySet {
        var entry = EntrySet()
        for transition in transitions {
            guard let domain = domain(of: transition, in: chart) else { continue }
            let targets = chart.transitions[transition.index].targets
            // All targets before any ancestors, or a region with a target would be entered by its initial
            // state as well.
            for target in targets { addDescendants(of: target, in: chart, to: &entry) }
            var effective = StateSet()
            addEffectiveTargets(targets, in: chart, to: &effective)
            for target in effective { addAncestors(of: target, upTo: domain, in: chart, to: &entry) }
            // Here a domain may be parallel, and then regions without a target were left, too.
            if chart.states[domain.index].kind == .parallel { addRegions(of: domain, in: chart, to: &entry) }
        }
        return entry
    }

    /// Returns all states that a start enters: the initial ones, or targets with their ancestors.
    func startSet(_ targets: [StateID], in chart: Statechart) -> EntrySet {
        var entry = EntrySet()
        if targets.isEmpty {
            addDescendants(of: .root, in: chart, to: &entry)
            return entry
        }
        entry.states.insert(.root)
        for target in targets { addDescendants(of: target, in: chart, to: &entry) }
        for target in targets { addAncestors(of: target, upTo: .root, in: chart, to: &entry) }
        if chart.states[0].kind == .parallel { addRegions(of: .root, in: chart, to: &entry) }
        return entry
    }

    /// Adds a state and the descendants that are entered with it.
    func addDescendants(of id: StateID, in chart: Statechart, to entry: inout EntrySet) {
        switch chart.states[id.index].kind {
        case .history:
            let parent = chart.states[id.index].parent
            // What a deep history remembers may lie several levels below: the states between are entered, too.
            if let remembered = history(of: id) {
                for inner in remembered { addDescendants(of: inner, in: chart, to: &entry) }
                for inner in remembered { addAncestors(of: inner, upTo: parent, in: chart, to: &entry) }
            } else {
                entry.defaultHistories.insert(id)
                enterInside(chart.states[id.index].initialTargets, of: parent, in: chart, to: &entry)
            }
        case .compound:
            entry.states.insert(id)
            entry.byDefault.insert(id)
            enterInside(chart.states[id.index].initialTargets, of: id, in: chart, to: &entry)
        case .parallel:
            entry.states.insert(id)
            addRegions(of: id, in: chart, to: &entry)
        case .atomic, .final:
            entry.states.insert(id)
        }
    }

    private func enterInside(
        _ targets: [StateID],
        of parent: StateID,
        in chart: Statechart,
        to entry: inout EntrySet
    ) {
        for target in targets { addDescendants(of: target, in: chart, to: &entry) }
        for target in targets { addAncestors(of: target, upTo: parent, in: chart, to: &entry) }
    }

    private func addAncestors(
        of id: StateID,
        upTo end: StateID,
        in chart: Statechart,
        to entry: inout EntrySet
    ) {
        var ancestor = id
        while ancestor != .root {
            ancestor = chart.states[ancestor.index].parent
            if ancestor == end { return }
            entry.states.insert(ancestor)
            if chart.states[ancestor.index].kind == .parallel {
                addRegions(of: ancestor, in: chart, to: &entry)
            }
        }
    }

    /// Adds the children of a parallel state, except those of which a descendant is entered already.
    private func addRegions(of parallel: StateID, in chart: Statechart, to entry: inout EntrySet) {
        // A region with a target inside is entered on the way to the target, not by its initial state.
        for region in chart.states[parallel.index].children
        where !entry.states.intersects(chart.states[region.index].descendants) {
            addDescendants(of: region, in: chart, to: &entry)
        }
    }

    /// Leaves states, innermost first, after recording them for history states.
    mutating func exit<Host: MachineHost>(
        _ leaving: StateSet,
        host: inout Host,
        step: inout Macrostep
    ) {
        assert(leaving.isSubset(of: configuration), "a state is left that is not active")
        assert(!leaving.contains(.root), "the root is left")
        if leaving.isEmpty { return }
        let chart = step.chart
        // Before any exit: the memory of a history state is what was active when the transition was taken.
        remember(leaving, chart: chart)
        var rest = leaving
        while let id = rest.last {
            rest.remove(id)
            for block in chart.states[id.index].exit {
                perform(block, host: &host, step: &step)
            }
            // Less one, because the root has a rank but no entry time.
            entryTimes.remove(at: configuration.rank(of: id) - 1)
            configuration.remove(id)
        }
        assert(!configuration.intersects(leaving), "a state that was left is active")
        step.outcome.exited.formUnion(leaving)
        // Most states wait for nothing, and then the list need not be searched.
        if !waits.isEmpty, leaving.intersects(chart.statesWithWaits) {
            waits.removeAll { leaving.contains(chart.transitions[$0.transition.index].source) }
        }
        assert(
            waits.allSatisfy { configuration.contains(chart.transitions[$0.transition.index].source) },
            "a transition waits in a state that is not active"
        )
    }

    private mutating func remember(_ leaving: StateSet, chart: Statechart) {
        for id in chart.historyStates {
            let state = chart.states[id.index]
            guard leaving.contains(state.parent) else { continue }
            var remembered = StateSet()
            if case .history(deep: true) = state.kind {
                // The innermost states are enough, because all others follow from them.
                remembered = configuration.intersection(chart.states[state.parent.index].descendants)
                    .intersection(chart.atomicStates)
            } else {
                for child in chart.states[state.parent.index].children where configuration.contains(child) {
                    remembered.insert(child)
                }
            }
            assert(remembered.isSubset(of: leaving), "a history state remembers a state that is not left")
            if let index = histories.firstIndex(where: { $0.state == id }) {
                histories[index].remembered = remembered
            } else {
                histories.append(History(state: id, remembered: remembered))
            }
        }
    }

    /// Enters states, outermost first, with their actions, waits and `done` events.
    mutating func enter<Host: MachineHost>(
        _ entry: EntrySet,
        host: inout Host,
        step: inout Macrostep
    ) {
        let chart = step.chart
        assert(entry.byDefault.isSubset(of: entry.states), "a state begins that is not entered")
        // Usually all are new. But a deep history state adds the states between its parent and what it remembers, and
        // some of those may not have been left.
        step.outcome.entered.formUnion(entry.states.subtracting(configuration))
        for id in entry.states where configuration.insert(id) {
            assert(isActive(chart.states[id.index].parent), "a state is entered before its parent")
            if id != .root {
                // The root and the state itself do not count.
                let others = configuration.count - 2
                entryTimes.insert(host.clock.now, at: configuration.rank(of: id) - 1, among: others)
            }
            let state = chart.states[id.index]
            for block in state.entry { perform(block, host: &host, step: &step) }
            if entry.byDefault.contains(id) {
                perform(state.initialActions, host: &host, step: &step)
            }
            for history in entry.defaultHistories where chart.states[history.index].parent == id {
                perform(chart.states[history.index].initialActions, host: &host, step: &step)
            }
            // After its actions, which may set the values that the length of a wait is computed from.
            for transition in state.armedOnEntry { arm(transition, host: &host, step: &step) }
            if state.kind == .final { entered(final: id, host: &host, step: &step) }
        }
        assert(entry.states.isSubset(of: configuration), "a state was entered and is not active")
    }

    private mutating func entered<Host: MachineHost>(
        final id: StateID,
        host: inout Host,
        step: inout Macrostep
    ) {
        let chart = step.chart
        let state = chart.states[id.index]
        assert(configuration.contains(id), "an end is reached that was not entered")
        var data: UInt32 = 0
        if let expression = state.doneData {
            data = host.doneData(expression, in: &self, on: step.occasion)
        }
        let parent = chart.states[state.parent.index]
        if parent.kind == .compound {
            reached(endOf: state.parent, data: data, in: chart)
            // As in the specification, only the state around the parent is looked at, and none further out.
            let outer = parent.parent
            if chart.states[outer.index].kind == .parallel, isDone(outer, in: chart) {
                // SCXML gives data to the end of the state around a final one, and none to that of a parallel
                // state.
                reached(endOf: outer, data: 0, in: chart)
            }
        } else if isDone(state.parent, in: chart) {
            reached(endOf: state.parent, data: data, in: chart)
        }
    }

    private mutating func reached(endOf id: StateID, data: UInt32, in chart: Statechart) {
        if id == .root {
            isFinished = true
        } else {
            raise(MachineEvent(chart.states[id.index].doneEvent, data: data))
        }
    }

    /// True if a compound state is in a final child, or if all regions of a parallel state are done.
    func isDone(_ id: StateID, in chart: Statechart) -> Bool {
        let state = chart.states[id.index]
        switch state.kind {
        case .compound:
            return state.children.contains { child in
                chart.states[child.index].kind == .final && configuration.contains(child)
            }
        case .parallel: return state.children.allSatisfy { isDone($0, in: chart) }
        case .final: return configuration.contains(id)
        case .atomic, .history: return false
        }
    }
}
