import SkerryValues

/// Collects the states, transitions and timers of a statechart and checks them.
///
/// States are added in document order: a parent before its children, all descendants of a state before its next
/// sibling. Targets are names, so they may refer to states that are added later.
public struct StatechartBuilder: Sendable {
    /// The limits of a machine of the chart.
    public var limits = Statechart.Limits()

    var states: [DraftState]
    var transitions: [DraftTransition] = []
    var timers: [String] = []

    /// The kind of a state that is added; a state with children becomes compound.
    public enum Kind: Sendable, Hashable {
        /// A state that is atomic without children and compound with some.
        case state
        /// A state whose children are all active together.
        case parallel
        /// The end of its parent.
        case final
        /// A stand-in for the states that were active in its parent before.
        case history(deep: Bool)
    }

    struct DraftState: Sendable {
        var name: String
        var parent: Int
        var kind: Kind
        var initial: [String]
        var initialActions: [Statechart.Action]
        var entry: [[Statechart.Action]]
        var exit: [[Statechart.Action]]
        var doneData: UInt16?
        /// The place after the last descendant.
        var end: Int
    }

    struct DraftTransition: Sendable {
        var source: Int
        var targets: [String]
        var trigger: Statechart.Trigger
        var condition: GuardID?
        var actions: [Statechart.Action]
        var isInternal: Bool
    }

    /// Begins a chart with its root.
    ///
    /// - Parameters:
    ///   - initial: The states in which machines start; the first child of the root if empty.
    ///   - isParallel: True if all children of the root are active together.
    ///   - initialActions: The actions after entering the root, before its children.
    ///   - entry: The actions at the start of a machine, in blocks.
    public init(
        initial: [String] = [],
        isParallel: Bool = false,
        initialActions: [Statechart.Action] = [],
        entry: [[Statechart.Action]] = []
    ) {
        states = [
            DraftState(
                name: "",
                parent: 0,
                kind: isParallel ? .parallel : .state,
                initial: initial,
                initialActions: initialActions,
                entry: entry,
                exit: [],
                doneData: nil,
                end: 1
            )
        ]
    }

    /// Adds a state after all states added before.
    ///
    /// - Parameters:
    ///   - name: The name, unique in the chart.
    ///   - parent: The parent; the state added last, or one that contains it.
    ///   - kind: The kind of state.
    ///   - initial: The states in which a compound state starts (if empty, its first child); the default of a history.
    ///   - initialActions: The actions of that initial or default transition.
    ///   - entry: The actions on entry, in blocks; an action that fails ends its block only.
    ///   - exit: The actions on exit, in blocks.
    ///   - doneData: The host's expression for the data of the `done` event that a final state raises.
    /// - Returns: The id of the state, even if there are too many and ``build()`` will refuse them.
    @discardableResult
    public mutating func addState(
        _ name: String,
        in parent: StateID = .root,
        kind: Kind = .state,
        initial: [String] = [],
        initialActions: [Statechart.Action] = [],
        entry: [[Statechart.Action]] = [],
        exit: [[Statechart.Action]] = [],
        doneData: UInt16? = nil
    ) -> StateID {
        let place = states.count
        add(
            DraftState(
                name: name,
                parent: parent.index,
                kind: kind,
                initial: initial,
                initialActions: initialActions,
                entry: entry,
                exit: exit,
                doneData: doneData,
                end: place + 1
            )
        )
        return StateID(index: place)
    }

    /// Adds a state with its end right after it.
    mutating func add(_ state: DraftState) {
        let place = states.count
        assert(state.end == place + 1, "a state ends before its children are added")
        states.append(state)
        var ancestor = state.parent
        // An ancestor that has ended before was closed by a sibling: the parent is wrong, and `problems()` reports it.
        while ancestor < place, states[ancestor].end == place {
            states[ancestor].end = place + 1
            if ancestor == 0 { break }
            ancestor = states[ancestor].parent
        }
    }

    /// Adds a transition after all transitions added before.
    ///
    /// - Parameters:
    ///   - source: The state in which it can be taken.
    ///   - trigger: The occasion that makes it a candidate.
    ///   - condition: The condition under which it is taken.
    ///   - targets: The states to which it leads; none for a transition that only performs actions.
    ///   - actions: The actions between exits and entries.
    ///   - isInternal: True if a compound source that contains all targets is not left.
    /// - Returns: The id of the transition.
    @discardableResult
    public mutating func addTransition(
        from source: StateID,
        on trigger: Statechart.Trigger,
        if condition: GuardID? = nil,
        to targets: [String] = [],
        actions: [Statechart.Action] = [],
        isInternal: Bool = false
    ) -> TransitionID {
        transitions.append(
            DraftTransition(
                source: source.index,
                targets: targets,
                trigger: trigger,
                condition: condition,
                actions: actions,
                isInternal: isInternal
            )
        )
        return TransitionID(index: transitions.count - 1)
    }

    /// Adds a named timer.
    ///
    /// - Returns: The id of the timer; the same one if the name was added before.
    @discardableResult
    public mutating func addTimer(_ name: String) -> TimerID {
        if let known = timers.firstIndex(where: { $0.hasSameCodePoints(as: name) }) {
            return TimerID(rawValue: UInt16(truncatingIfNeeded: known))
        }
        timers.append(name)
        return TimerID(rawValue: UInt16(truncatingIfNeeded: timers.count - 1))
    }

    /// Checks everything and makes the chart.
    ///
    /// - Throws: The first of the ``problems()``.
    public func build() throws(StatechartProblem) -> Statechart {
        if let first = problems().first { throw first }
        return compiled()
    }
}
