/// Collects the states, transitions and timers of a statechart and checks them.
///
/// States are added in document order: a parent before its children, all descendants of a state before its next
/// sibling. Targets are names, so they may speak of states that come later.
public struct StatechartBuilder: Sendable {
    /// How much a machine of the chart may do before it is stopped.
    public var limits = Statechart.Limits()

    var states: [DraftState]
    var transitions: [DraftTransition] = []
    var timers: [String] = []

    /// What a state is when it is added; whether it is compound follows from its children.
    public enum Kind: Sendable, Hashable {
        /// A state that is atomic without children and compound with some.
        case state
        /// A state of which all children are active together.
        case parallel
        /// The end of its parent.
        case final
        /// A stand-in for what was active in its parent before.
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
    ///   - initial: where machines start; the first child of the root when empty.
    ///   - isParallel: whether all children of the root are active together.
    ///   - initialActions: what is done after entering the root, before its children.
    ///   - entry: what is done when a machine starts, in blocks.
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
    ///   - name: the name, unique in the chart.
    ///   - parent: the state that holds it; must be the state added last or one that holds that.
    ///   - kind: what it is.
    ///   - initial: where a compound state starts (its first child when empty); the default of a history state.
    ///   - initialActions: the actions of that initial or default transition.
    ///   - entry: the actions on entry, in blocks; an action that fails ends its block only.
    ///   - exit: the actions on exit, in blocks.
    ///   - doneData: the host's expression for the data of the `done` event that a final state raises.
    /// - Returns: the id of the state, also when it is the one too many that ``build()`` will refuse.
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
        states.append(
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
        var ancestor = parent.index
        while ancestor < place, states[ancestor].end == place {
            states[ancestor].end = place + 1
            if ancestor == 0 { break }
            ancestor = states[ancestor].parent
        }
        return StateID(index: place)
    }

    /// Adds a transition after all transitions added before.
    ///
    /// - Parameters:
    ///   - source: the state in which it can be taken.
    ///   - trigger: what makes it a candidate.
    ///   - condition: the condition under which it is taken.
    ///   - targets: where it leads; none when only its actions are wanted.
    ///   - actions: what it does.
    ///   - isInternal: whether a compound source that holds all targets is not left.
    /// - Returns: the id of the transition.
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
    /// - Returns: the id of the timer; the one it has already when the name was added before.
    @discardableResult
    public mutating func addTimer(_ name: String) -> TimerID {
        if let known = timers.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) {
            return TimerID(rawValue: UInt16(truncatingIfNeeded: known))
        }
        timers.append(name)
        return TimerID(rawValue: UInt16(truncatingIfNeeded: timers.count - 1))
    }

    /// Checks everything and makes the chart.
    ///
    /// - Throws: the first of the ``problems()``.
    public func build() throws(StatechartProblem) -> Statechart {
        if let first = problems().first { throw first }
        return compiled()
    }
}
