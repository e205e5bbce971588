public import SkerryGateway
public import SkerryValues
import Synchronization

/// A clock that stands still until a test moves it.
///
/// Messages of real buses carry the time since boot as the machine tells it; here the clock's own time is the answer
/// to that, so that a real bus can carry messages of a recording in the recording's time.
public final class StepClock: GatewayClock {
    private let time: Mutex<Timestamp>
    private let change = Mutex(ClockChange.steady)

    /// Makes a clock that stands at a moment.
    public init(_ start: Timestamp) {
        time = Mutex(start)
    }

    /// Sets the clock as somebody sets a wall clock, forward or back; the next look tells.
    public func step(by length: Interval) {
        time.withLock { $0 = $0 + length }
        change.withLock { $0 = .stepped(length) }
    }

    /// Lets an unknown clock learn that it was behind by so much; the next look tells.
    package func find(lag length: Interval) {
        time.withLock { $0 = $0 + length }
        change.withLock { $0 = .found(length) }
    }

    /// Returns the change of the clock since the last look.
    public func look() -> ClockChange {
        change.withLock { change in
            defer { change = .steady }
            return change
        }
    }

    /// The moment at which it stands.
    public var now: Timestamp { time.withLock { $0 } }

    /// The moment at which it stands, whatever the machine says.
    public func moment(sinceBoot interval: Interval) -> Timestamp { now }

    /// The time from where it stands to a moment.
    ///
    /// It is not more than a real clock would say only if somebody moves the clock; wake the bus after moving it.
    public func timeLeft(until moment: Timestamp) -> Interval { moment - now }

    /// Moves the clock to a later moment.
    public func move(to moment: Timestamp) {
        time.withLock { time in
            precondition(moment >= time, "time does not run backwards")
            time = moment
        }
    }

    /// Moves the clock on.
    public func move(by interval: Interval) { move(to: now + interval) }
}
