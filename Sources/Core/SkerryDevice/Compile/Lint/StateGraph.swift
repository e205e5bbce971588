/// The states of a machine by their numbers in document order, the root first, with the targets of their transitions.
struct StateGraph {
    /// The states as written, by their numbers.
    let states: [StateDraft]
    /// The parent of each state; the root is its own parent.
    private(set) var parents: [Int] = []
    private(set) var children: [[Int]] = []
    /// The targets of each transition of each state.
    private(set) var targets: [[[Int]]] = []
    /// The states that each state enters by default, or a history state's default targets.
    private(set) var initial: [[Int]] = []
    private var indices: [String: Int] = [:]

    init(root: StateDraft, states: [StateDraft]) {
        self.states = states
        add(root, within: 0)
        for (index, state) in states.enumerated().dropFirst() { indices[state.name.text] = index }
        for state in states {
            initial.append(indices(of: state.initial))
            targets.append(state.transitions.map { indices(of: $0.targets) })
        }
    }

    private mutating func add(_ state: StateDraft, within parent: Int) {
        let index = parents.count
        parents.append(parent)
        children.append([])
        if index > 0 { children[parent].append(index) }
        for child in state.states { add(child, within: index) }
    }

    /// The numbers of the states with these names; names of no state are skipped.
    func indices(of names: [SourceText]) -> [Int] { names.compactMap { indices[$0.text] } }

    /// A state and all states around it, the root last.
    func chain(of state: Int) -> [Int] {
        var chain = [state]
        while let last = chain.last, last != 0 { chain.append(parents[last]) }
        return chain
    }

    /// True if a state is another one or within it.
    func isWithin(_ state: Int, _ outer: Int) -> Bool { chain(of: state).contains(outer) }

    /// True if only one innermost state is active at a time: the machine has no parallel and no history states.
    var isSimple: Bool {
        states.allSatisfy { state in
            switch state.kind {
            case .single, .final: true
            case .parallel, .history: false
            }
        }
    }

    /// The innermost state entered with a state by default, in a machine without parallel states.
    func leaf(of state: Int) -> Int {
        var state = state
        for _ in states {
            guard let first = children[state].first else { return state }
            state = initial[state].first ?? first
        }
        return state
    }

    /// Marks a state and what is entered with it by default.
    func enter(_ state: Int, _ reached: inout [Bool]) {
        reached[state] = true
        switch states[state].kind {
        case .parallel: for child in children[state] { enter(child, &reached) }
        case .history: break
        case .single, .final:
            if initial[state].isEmpty, let first = children[state].first { enter(first, &reached) }
            for target in initial[state] { lead(to: target, within: state, &reached) }
        }
    }

    /// Marks a target, the states between it and a limit, and all that are entered with them.
    func lead(to target: Int, within limit: Int = 0, _ reached: inout [Bool]) {
        enter(target, &reached)
        var inner = target
        for outer in chain(of: target).dropFirst() {
            if inner == limit { break }
            reached[outer] = true
            if case .parallel = states[outer].kind {
                for sibling in children[outer] where sibling != inner { enter(sibling, &reached) }
            }
            inner = outer
        }
    }

    /// Marks the states that can be reached by transitions from those already marked.
    ///
    /// - Parameters:
    ///   - reached: The states reached; those reachable from them are added.
    ///   - ends: States that at most an `always` transition leaves.
    ///   - leavesEnds: False to treat the ends as final.
    func spread(_ reached: inout [Bool], ends: Set<Int> = [], leavesEnds: Bool = true) {
        var before: [Bool] = []
        while before != reached {
            before = reached
            for (state, draft) in states.enumerated() where reached[state] {
                let isEnd = !ends.isEmpty && chain(of: state).contains { ends.contains($0) }
                for (position, transition) in draft.transitions.enumerated() {
                    if isEnd {
                        guard leavesEnds, case .always = transition.trigger else { continue }
                    }
                    for target in targets[state][position] { lead(to: target, &reached) }
                }
                if case .history = draft.kind {
                    for target in initial[state] { lead(to: target, &reached) }
                }
            }
        }
    }

    /// Marks the states that a history state could restore, which are all those beside it.
    func restore(_ reached: inout [Bool]) {
        for (state, draft) in states.enumerated() where reached[state] {
            guard case .history = draft.kind else { continue }
            for other in states.indices where isWithin(other, parents[state]) { reached[other] = true }
        }
    }
}

extension StateDraft {
    var within: [StateDraft] { states.flatMap { [$0] + $0.within } }
}
