/// How much of a chart machines have reached: the states entered and the transitions taken, also those that a fault
/// undid.
public struct MachineReach: Sendable, Hashable {
    /// The states that were entered.
    public private(set) var states = StateSet()
    /// For each transition, by the number of its ``TransitionID``, whether it was taken.
    public private(set) var transitions: [Bool]

    /// Nothing of a chart.
    public init(of chart: Statechart) {
        transitions = [Bool](repeating: false, count: chart.transitions.count)
    }

    /// Adds a microstep.
    public mutating func add(_ taken: [TransitionID], _ entered: StateSet) {
        for transition in taken { transitions[transition.index] = true }
        states.formUnion(entered)
    }

    /// Adds what other machines of the same chart have reached.
    public mutating func formUnion(_ other: MachineReach) {
        for (index, isTaken) in other.transitions.enumerated() where isTaken { transitions[index] = true }
        states.formUnion(other.states)
    }
}
