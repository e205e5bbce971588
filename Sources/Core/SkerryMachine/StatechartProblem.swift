/// A fault for which a statechart can't be built, with the part that has it.
public struct StatechartProblem: Error, Hashable, Sendable {
    /// The kind of fault.
    public let reason: Reason
    /// The state with the fault, as returned by ``StatechartBuilder/addState(_:in:kind:initial:initialActions:entry:exit:doneData:)``.
    public let state: StateID?
    /// The transition with the fault, if it is one.
    public let transition: TransitionID?
    /// The name of the state that the reason is about, such as an unknown target.
    public let name: String

    /// The faults of statecharts.
    public enum Reason: Hashable, Sendable {
        /// More states than ``StateSet/capacity``, the root included.
        case tooManyStates
        /// More than 65,535 transitions.
        case tooManyTransitions
        /// A second state with this name, or one without a name.
        case duplicateName
        /// The parent was not added before, or other states were added since that are not in it.
        case parentNotOpen
        /// A child of a final or history state.
        case parentCanNotHaveChildren
        /// A target, or an initial target, that is not the name of a state.
        case noSuchState
        /// An initial target, or the default of a history state, outside the state that it belongs to.
        case targetNotInside
        /// A history state whose default is a history state beside it.
        case targetIsHistory
        /// Two targets that can never be active together.
        case targetsExcludeEachOther
        /// A history state without default.
        case historyWithoutDefault
        /// A parallel state without children.
        case emptyParallel
        /// A compound state whose children are all history states.
        case onlyHistoryChildren
        /// Initial targets of a state without children.
        case initialWithoutChildren
        /// A transition out of a final or history state.
        case transitionNotAllowed
        /// A transition with `for` that has no condition.
        case sustainedWithoutGuard
        /// A transition on events that has no event.
        case noEvents
    }

    init(_ reason: Reason, state: StateID? = nil, transition: TransitionID? = nil, name: String = "") {
        self.reason = reason
        self.state = state
        self.transition = transition
        self.name = name
    }
}
