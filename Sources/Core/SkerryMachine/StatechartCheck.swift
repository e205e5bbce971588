import SkerryValues

extension StatechartBuilder {
    /// Returns all faults of the chart, in document order; empty if it can be built.
    public func problems() -> [StatechartProblem] {
        if states.count > StateSet.capacity { return [StatechartProblem(.tooManyStates)] }
        if transitions.count > Int(UInt16.max) { return [StatechartProblem(.tooManyTransitions)] }
        let misplaced = problemsOfOrder()
        // All other checks rely on correct parents.
        if !misplaced.isEmpty { return misplaced }
        var found: [StatechartProblem] = []
        for place in states.indices {
            checkName(of: place, into: &found)
            checkChildren(of: place, into: &found)
            checkInitial(of: place, into: &found)
        }
        for number in transitions.indices {
            checkTransition(number, into: &found)
        }
        return found
    }

    func place(named name: String) -> Int? {
        if name.isEmpty { return nil }
        return states.firstIndex { $0.name.hasSameCodePoints(as: name) }
    }

    func isDescendant(_ place: Int, of other: Int) -> Bool { place > other && place < states[other].end }

    func children(of place: Int) -> [Int] {
        var found: [Int] = []
        var child = place + 1
        while child < states[place].end {
            found.append(child)
            child = states[child].end
        }
        return found
    }

    private func problemsOfOrder() -> [StatechartProblem] {
        var found: [StatechartProblem] = []
        var open: [Int] = [0]
        for place in states.indices.dropFirst() {
            let parent = states[place].parent
            while let last = open.last, last != parent, open.count > 1 { open.removeLast() }
            if open.last != parent {
                found.append(StatechartProblem(.parentNotOpen, state: StateID(index: place)))
                return found
            }
            switch states[parent].kind {
            case .state, .parallel: break
            case .final, .history:
                found.append(StatechartProblem(.parentCanNotHaveChildren, state: StateID(index: place)))
            }
            open.append(place)
        }
        for number in transitions.indices where transitions[number].source >= states.count {
            let transition = TransitionID(index: number)
            found.append(StatechartProblem(.noSuchState, transition: transition))
        }
        return found
    }

    private func checkName(of place: Int, into found: inout [StatechartProblem]) {
        let name = states[place].name
        guard place > 0, place != self.place(named: name) else { return }
        found.append(StatechartProblem(.duplicateName, state: StateID(index: place), name: name))
    }

    private func checkChildren(of place: Int, into found: inout [StatechartProblem]) {
        let state = StateID(index: place)
        let children = children(of: place)
        let isHistory: (Int) -> Bool = { child in
            if case .history = self.states[child].kind { true } else { false }
        }
        switch states[place].kind {
        case .parallel where children.allSatisfy(isHistory):
            found.append(StatechartProblem(.emptyParallel, state: state))
        case .state where !children.isEmpty && children.allSatisfy(isHistory):
            found.append(StatechartProblem(.onlyHistoryChildren, state: state))
        default:
            break
        }
    }

    private func checkInitial(of place: Int, into found: inout [StatechartProblem]) {
        let draft = states[place]
        let state = StateID(index: place)
        var inside = place
        if case .history = draft.kind {
            inside = draft.parent
            if draft.initial.isEmpty { found.append(StatechartProblem(.historyWithoutDefault, state: state)) }
        } else if draft.end == place + 1, !draft.initial.isEmpty {
            found.append(StatechartProblem(.initialWithoutChildren, state: state))
            return
        }
        var targets: [Int] = []
        for name in draft.initial {
            guard let target = self.place(named: name) else {
                found.append(StatechartProblem(.noSuchState, state: state, name: name))
                continue
            }
            targets.append(target)
            if !isDescendant(target, of: inside) {
                found.append(StatechartProblem(.targetNotInside, state: state, name: name))
            } else if case .history = draft.kind, case .history = states[target].kind,
                states[target].parent == inside
            {
                // Two history states of one parent could lead to each other endlessly.
                found.append(StatechartProblem(.targetIsHistory, state: state, name: name))
            }
        }
        if let name = firstExcluded(in: targets) {
            found.append(StatechartProblem(.targetsExcludeEachOther, state: state, name: name))
        }
    }

    private func checkTransition(_ number: Int, into found: inout [StatechartProblem]) {
        let draft = transitions[number]
        let source = StateID(index: draft.source)
        let transition = TransitionID(index: number)
        let blame: (StatechartProblem.Reason, String) -> StatechartProblem = { reason, name in
            StatechartProblem(reason, state: source, transition: transition, name: name)
        }
        switch states[draft.source].kind {
        case .state, .parallel: break
        case .final, .history: found.append(blame(.transitionNotAllowed, ""))
        }
        switch draft.trigger {
        case .sustained where draft.condition == nil: found.append(blame(.sustainedWithoutGuard, ""))
        case .event(let descriptors) where descriptors.isEmpty: found.append(blame(.noEvents, ""))
        default: break
        }
        var targets: [Int] = []
        for name in draft.targets {
            if let target = place(named: name) {
                targets.append(target)
            } else {
                found.append(blame(.noSuchState, name))
            }
        }
        if let name = firstExcluded(in: targets) {
            found.append(blame(.targetsExcludeEachOther, name))
        }
    }

    /// Returns the name of the first target that can't be active together with one before it.
    private func firstExcluded(in targets: [Int]) -> String? {
        for (number, second) in targets.enumerated() {
            for first in targets[..<number] where first != second && excludes(first, second) {
                return states[second].name
            }
        }
        return nil
    }

    private func excludes(_ first: Int, _ second: Int) -> Bool {
        let (one, other) = (standing(first), standing(second))
        if one == other || isDescendant(one, of: other) || isDescendant(other, of: one) { return true }
        var common = states[one].parent
        while !isDescendant(other, of: common) { common = states[common].parent }
        return states[common].kind != .parallel
    }

    /// Returns the state itself, or for a history state its parent.
    private func standing(_ place: Int) -> Int {
        if case .history = states[place].kind { return states[place].parent }
        return place
    }
}
