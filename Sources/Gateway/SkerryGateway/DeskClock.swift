import SkerryValues

/// The clock of a desk, which follows steps of the wall clock.
struct DeskClock: Sendable {
    private var clock: any GatewayClock
    /// True if the gateway did not know the time at the last look: a jump of the clock ahead is then time that has passed.
    private var wasUnknown = false

    init(_ clock: some GatewayClock) {
        self.clock = clock
    }

    /// The wall clock's time.
    var now: Timestamp { clock.now }

    func timeLeft(until moment: Timestamp) -> Interval { clock.timeLeft(until: moment) }

    /// Follows the wall clock.
    ///
    /// - Parameter queue: The queue that knows whether the bridge knows the time.
    /// - Returns: whether the time is known, the step by which all that waits has to move, and the one by which the clock
    ///   was set, also to the right time; nil without one.
    mutating func look(_ queue: SinkQueue) -> (isKnown: Bool, step: Interval?, move: Interval?) {
        let isKnown = queue.clockIsKnown
        defer { wasUnknown = !isKnown }
        var (step, move): (Interval?, Interval?)
        switch clock.look() {
        case .steady: break
        case .found(let length): move = length
        case .stepped(let length):
            move = length
            if !wasUnknown || length < .zero { step = length }
        }
        return (isKnown && clock.state == .known, step, move)
    }
}
