extension StatechartBuilder {
    /// Makes the chart; only for a builder without problems.
    func compiled() -> Statechart {
        var compiled: [Statechart.State] = []
        compiled.reserveCapacity(states.count)
        var outgoing = [[TransitionID]](repeating: [], count: states.count)
        for number in transitions.indices {
            outgoing[transitions[number].source].append(TransitionID(index: number))
        }
        for place in states.indices {
            compiled.append(compiledState(place, transitions: outgoing[place]))
        }
        return Statechart(
            states: compiled,
            transitions: transitions.map(compiledTransition),
            timers: timers,
            limits: limits
        )
    }

    private func compiledTransition(_ draft: DraftTransition) -> Statechart.Transition {
        var trigger = draft.trigger
        if case .event(let descriptors) = trigger {
            trigger = .event(descriptors.map(EventDescriptor.normalized))
        }
        return Statechart.Transition(
            source: StateID(index: draft.source),
            targets: resolved(draft.targets),
            trigger: trigger,
            condition: draft.condition,
            actions: draft.actions,
            isInternal: draft.isInternal
        )
    }

    private func compiledState(_ place: Int, transitions own: [TransitionID]) -> Statechart.State {
        let draft = states[place]
        var ancestors = StateSet()
        var ancestor = place
        while ancestor != 0 {
            ancestor = states[ancestor].parent
            ancestors.insert(StateID(index: ancestor))
        }
        let children = children(of: place).filter { child in
            if case .history = states[child].kind { false } else { true }
        }
        let kind = compiledKind(of: place)
        var initial = resolved(draft.initial)
        if kind == .compound, initial.isEmpty { initial = children.prefix(1).map { StateID(index: $0) } }
        return Statechart.State(
            name: draft.name,
            parent: StateID(index: draft.parent),
            kind: kind,
            initialTargets: initial,
            initialActions: draft.initialActions,
            entry: draft.entry.filter { !$0.isEmpty },
            exit: draft.exit.filter { !$0.isEmpty },
            doneData: draft.doneData,
            transitions: own,
            eventless: own.filter { transitions[$0.index].trigger == .always },
            evented: own.filter { if case .event = transitions[$0.index].trigger { true } else { false } },
            sustained: own.filter {
                switch transitions[$0.index].trigger {
                case .sustained, .past: true
                case .always, .event, .after, .quiet, .recurring: false
                }
            },
            armedOnEntry: own.filter {
                switch transitions[$0.index].trigger {
                case .after, .quiet, .recurring: true
                case .always, .event, .sustained, .past: false
                }
            },
            doneEvent: kind == .compound || kind == .parallel ? "done.state." + draft.name : "",
            children: children.map { StateID(index: $0) },
            ancestors: ancestors,
            descendants: StateSet(from: place + 1, to: draft.end)
        )
    }

    private func compiledKind(of place: Int) -> Statechart.Kind {
        switch states[place].kind {
        case .state: states[place].end == place + 1 ? .atomic : .compound
        case .parallel: .parallel
        case .final: .final
        case .history(let deep): .history(deep: deep)
        }
    }

    private func resolved(_ names: [String]) -> [StateID] {
        var found: [StateID] = []
        for name in names {
            guard let place = place(named: name), !found.contains(StateID(index: place)) else { continue }
            found.append(StateID(index: place))
        }
        return found
    }
}
