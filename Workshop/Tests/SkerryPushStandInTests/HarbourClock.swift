import SkerryGateway
import SkerryTesting
import SkerryValues

/// The clock of a gateway in tests: that of the machine, or one that a test moves.
enum HarbourClock: GatewayClock {
    case machine(SystemClock)
    case steps(StepClock)

    var now: Timestamp {
        switch self {
        case .machine(let clock): clock.now
        case .steps(let clock): clock.now
        }
    }

    var state: ClockState {
        switch self {
        case .machine(let clock): clock.state
        case .steps(let clock): clock.state
        }
    }

    func moment(sinceBoot interval: Interval) -> Timestamp {
        switch self {
        case .machine(let clock): clock.moment(sinceBoot: interval)
        case .steps(let clock): clock.moment(sinceBoot: interval)
        }
    }

    func timeLeft(until moment: Timestamp) -> Interval {
        switch self {
        case .machine(let clock): clock.timeLeft(until: moment)
        case .steps(let clock): clock.timeLeft(until: moment)
        }
    }

    mutating func look() -> ClockChange {
        switch self {
        case .machine(var clock):
            defer { self = .machine(clock) }
            return clock.look()
        case .steps(let clock): return clock.look()
        }
    }
}
