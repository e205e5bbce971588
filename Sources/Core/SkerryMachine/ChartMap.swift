/// The states, transitions and timers of one chart by their numbers in the chart that replaces it.
///
/// The arrays are indexed by the numbers of the old chart; nil means that the new chart has no counterpart.
public struct ChartMap: Sendable {
    /// The states.
    public var states: [StateID?]
    /// The transitions.
    public var transitions: [TransitionID?]
    /// The timers.
    public var timers: [TimerID?]

    /// Makes a map.
    public init(states: [StateID?], transitions: [TransitionID?], timers: [TimerID?]) {
        self.states = states
        self.transitions = transitions
        self.timers = timers
    }

    func state(_ number: UInt64) -> StateID? {
        number < states.count ? states[Int(number)] : nil
    }

    func transition(_ number: UInt64) -> TransitionID? {
        number < transitions.count ? transitions[Int(number)] : nil
    }

    func timer(_ number: UInt64) -> TimerID? {
        number < timers.count ? timers[Int(number)] : nil
    }
}
