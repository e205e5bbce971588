/// The part of a chart that machines have reached: states entered and transitions taken, including those that a fault
/// undid.
public struct MachineReach: Sendable, Hashable {
    /// The states that were entered.
    public private(set) var states = StateSet()
    /// For each transition, by the number of its ``TransitionID``, true if it was taken.
    public private(set) var transitions: [Bool]

    /// Makes the reach of machines that have not started.
    public init(of chart: Statechart) {
        transitions = [Bool](repeating: false, count: chart.transitions.count)
    }

    /// Adds a microstep.
    public mutating func add(_ taken: [TransitionID], _ entered: StateSet) {
        for transition in taken { transitions[transition.index] = true }
        states.formUnion(entered)
    }

    /// Adds the reach of other machines of the same chart.
    public mutating func formUnion(_ other: MachineReach) {
        for (index, isTaken) in other.transitions.enumerated() where isTaken { transitions[index] = true }
        states.formUnion(other.states)
    }
}
