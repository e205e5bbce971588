import Glibc
public import SkerryValues

/// Where the gateway takes the time from; nothing below it asks a clock.
public protocol GatewayClock: Sendable {
    /// The time now.
    var now: Timestamp { get }

    /// The time that it was when so much had passed since boot.
    func moment(sinceBoot interval: Interval) -> Timestamp

    /// How long to sleep until a moment comes; zero or less when it has come.
    func timeLeft(until moment: Timestamp) -> Interval
}

/// The clock of the machine: the wall clock as it was at the start, carried on by the time since boot.
///
/// A step of the wall clock neither fires nor delays anything, because it is read only once. Sleep of the machine
/// counts (`CLOCK_BOOTTIME`).
public struct SystemClock: GatewayClock {
    private let wallAtStart: Timestamp
    private let bootAtStart: Interval
    private let rate: Int64

    /// Reads the wall clock, once.
    ///
    /// - Parameter rate: How many times faster than real the time passes, from 1; for demonstrations.
    public init(rate: Int64 = 1) {
        precondition(rate >= 1, "time does not stand still")
        wallAtStart = Timestamp(microseconds: Self.read(CLOCK_REALTIME))
        bootAtStart = Interval(microseconds: Self.read(CLOCK_BOOTTIME))
        self.rate = rate
    }

    /// The wall clock at the start and the time that has passed since.
    public var now: Timestamp { moment(sinceBoot: Interval(microseconds: Self.read(CLOCK_BOOTTIME))) }

    /// The time that it was when so much had passed since boot.
    public func moment(sinceBoot interval: Interval) -> Timestamp {
        wallAtStart + Interval(microseconds: (interval - bootAtStart).microseconds &* rate)
    }

    /// How long to sleep until a moment comes, rounded up so that it has come then.
    public func timeLeft(until moment: Timestamp) -> Interval {
        Self.realTime(for: moment - now, rate: rate)
    }

    /// How long so much time of a clock takes that runs faster by a rate, rounded up.
    static func realTime(for interval: Interval, rate: Int64) -> Interval {
        let (quotient, remainder) = interval.microseconds.quotientAndRemainder(dividingBy: rate)
        return Interval(microseconds: remainder > 0 ? quotient + 1 : quotient)
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
