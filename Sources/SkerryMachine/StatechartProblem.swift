/// Why a statechart can not be built, and which part of it is to blame.
public struct StatechartProblem: Error, Hashable, Sendable {
    /// What is wrong.
    public let reason: Reason
    /// The state to blame, as returned by ``StatechartBuilder/addState(_:in:kind:initial:initialActions:entry:exit:doneData:)``.
    public let state: StateID?
    /// The transition to blame, when it is one.
    public let transition: TransitionID?
    /// The name of a state that the reason speaks of: the unknown target, the duplicate.
    public let name: String

    /// What can be wrong with a statechart.
    public enum Reason: Hashable, Sendable {
        /// More states than ``StateSet/capacity``, the root included.
        case tooManyStates
        /// More than 65,535 transitions.
        case tooManyTransitions
        /// A second state with this name, or one without a name.
        case duplicateName
        /// The parent was not added before, or other states were added since that are not in it.
        case parentNotOpen
        /// A final or history state can not hold other states.
        case parentCanNotHaveChildren
        /// A target, or an initial target, that no state has as its name.
        case noSuchState
        /// An initial target, or the default of a history state, outside of the state it belongs to.
        case targetNotInside
        /// A shallow history state whose default is not a child of its parent, or a history leading to its sibling.
        case targetNotAChild
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
        /// A transition that waits for its condition to last, and has none.
        case sustainedWithoutGuard
        /// A transition on events that names none.
        case noEvents
    }

    init(_ reason: Reason, state: StateID? = nil, transition: TransitionID? = nil, name: String = "") {
        self.reason = reason
        self.state = state
        self.transition = transition
        self.name = name
    }
}
