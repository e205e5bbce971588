import CTimex
import Glibc
public import SkerryValues

/// Where the gateway takes the time from; nothing below it asks a clock.
///
/// The time goes on with the time since boot, whatever the wall clock does. When the wall clock is set, ``look()``
/// tells once and the time follows it.
public protocol GatewayClock: Sendable {
    /// The time now.
    var now: Timestamp { get }

    /// The time that it was when so much had passed since boot.
    func moment(sinceBoot interval: Interval) -> Timestamp

    /// How long to sleep until a moment comes; zero or less when it has come.
    func timeLeft(until moment: Timestamp) -> Interval

    /// What is known of the wall clock.
    var state: ClockState { get }

    /// Starts no earlier than a moment that is known to be past: a clock that says less is wrong.
    mutating func start(notBefore past: Timestamp)

    /// Compares with the wall clock and follows it when it was set.
    mutating func look() -> ClockChange
}

/// What is known of the wall clock.
public enum ClockState: String, Sendable {
    /// It tells the time, for all that is known.
    case known
    /// It was behind what is past when the process started, or not set at all; it has not been set since, and the
    /// system does not vouch for it.
    case unknown
}

/// What a look at the wall clock brought.
public enum ClockChange: Hashable, Sendable {
    /// Nothing new.
    case steady
    /// It was unknown and is right now: so much more time has passed than was counted.
    case found(Interval)
    /// It was set by so much, back when negative; no time has passed for that.
    case stepped(Interval)
}

extension GatewayClock {
    /// A clock that is never set is known.
    public var state: ClockState { .known }

    /// A clock that is never set starts when it starts.
    public mutating func start(notBefore past: Timestamp) {}

    /// A clock that is never set is steady.
    public mutating func look() -> ClockChange { .steady }
}

/// The clock of the machine: the wall clock as it was at the start, carried on by the time since boot.
///
/// Sleep of the machine counts (`CLOCK_BOOTTIME`). A wall clock that differs by more than a second was set.
///
/// A wall clock that is behind what is past is believed all the same once it is set, and when the system says that it
/// is synchronized: then it was ahead before, and nobody knows how much time has passed since.
public struct SystemClock: GatewayClock {
    private var wallAtStart: Timestamp
    private let bootAtStart: Interval
    private let rate: Int64
    private let wallClock: @Sendable () -> Timestamp
    private let sinceBoot: @Sendable () -> Interval
    private let isSynchronized: @Sendable () -> Bool
    /// How far the wall clock was behind while it is unknown.
    private var lag = Interval.zero
    /// What is known of the wall clock.
    public private(set) var state = ClockState.known

    /// Smaller differences are no step: the clock is slewed, or two readings took their time.
    private static let slack = Interval.seconds(1)

    /// 2026-01-01T00:00:00Z: a clock that tells less is not set, for this version is younger.
    private static let earliest = Timestamp(seconds: 1_767_225_600)

    /// Reads the clocks.
    ///
    /// - Parameter rate: How many times faster than real the time passes, from 1; for demonstrations.
    public init(rate: Int64 = 1) {
        self.init(
            rate: rate,
            wallClock: { Timestamp(microseconds: Self.read(CLOCK_REALTIME)) },
            sinceBoot: { Interval(microseconds: Self.read(CLOCK_BOOTTIME)) },
            isSynchronized: Self.kernelIsSynchronized
        )
    }

    /// Reads other clocks than those of the machine, such as simulated ones.
    ///
    /// - Parameters:
    ///   - rate: How many times faster than `sinceBoot` the time passes, from 1.
    ///   - wallClock: The wall clock; may be wrong, and set at any time.
    ///   - sinceBoot: The time since boot; never runs backwards.
    ///   - isSynchronized: Whether the system knows that the wall clock is right.
    public init(
        rate: Int64 = 1,
        wallClock: @escaping @Sendable () -> Timestamp,
        sinceBoot: @escaping @Sendable () -> Interval,
        isSynchronized: @escaping @Sendable () -> Bool
    ) {
        precondition(rate >= 1, "time does not stand still")
        wallAtStart = wallClock()
        bootAtStart = sinceBoot()
        self.rate = rate
        self.wallClock = wallClock
        self.sinceBoot = sinceBoot
        self.isSynchronized = isSynchronized
        if wallAtStart < Self.earliest { state = .unknown }
    }

    /// The wall clock at the start and the time that has passed since.
    public var now: Timestamp { moment(sinceBoot: sinceBoot()) }

    /// The time that it was when so much had passed since boot.
    public func moment(sinceBoot interval: Interval) -> Timestamp {
        wallAtStart + Interval(microseconds: (interval - bootAtStart).microseconds &* rate)
    }

    /// How long to sleep until a moment comes, rounded up so that it has come then.
    public func timeLeft(until moment: Timestamp) -> Interval {
        Self.realTime(for: moment - now, rate: rate)
    }

    /// Starts no earlier than a moment that is known to be past.
    ///
    /// A past of an unset clock tells nothing of how long ago it was: then the time goes on from there, too.
    public mutating func start(notBefore past: Timestamp) {
        let now = now
        guard now < past || past < Self.earliest else { return }
        lag = past - now
        wallAtStart = wallAtStart + lag
        state = .unknown
    }

    /// Compares with the wall clock and follows it when it was set; a clock with a rate goes its own way.
    public mutating func look() -> ClockChange {
        guard rate == 1 else { return .steady }
        return follow(wallClock(), from: now)
    }

    mutating func follow(_ wall: Timestamp, from now: Timestamp) -> ClockChange {
        let difference = wall - now
        if state == .unknown {
            let wasSet = (difference + lag).magnitude > Self.slack
            guard wall >= Self.earliest, wasSet || difference >= .zero || isSynchronized() else {
                return .steady
            }
            state = .known
            wallAtStart = wallAtStart + difference
            return difference < .zero || now < Self.earliest ? .stepped(difference) : .found(difference)
        }
        guard difference.magnitude > Self.slack else { return .steady }
        wallAtStart = wallAtStart + difference
        return .stepped(difference)
    }

    /// How long so much time of a clock takes that runs faster by a rate, rounded up.
    static func realTime(for interval: Interval, rate: Int64) -> Interval {
        let (quotient, remainder) = interval.microseconds.quotientAndRemainder(dividingBy: rate)
        return Interval(microseconds: remainder > 0 ? quotient + 1 : quotient)
    }

    /// Asks the kernel, which hears of it from whoever synchronizes the clock.
    private static func kernelIsSynchronized() -> Bool {
        var report = timex()
        let answer = adjtimex(&report)
        return answer >= 0 && answer != TIME_ERROR && report.status & STA_UNSYNC == 0
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
