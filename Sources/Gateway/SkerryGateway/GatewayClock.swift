import CTimex
import Glibc
public import SkerryValues

/// The gateway's source of time; no layer below asks a clock.
///
/// The time goes on with the time since boot, whatever the wall clock does. When the wall clock is set, ``look()``
/// reports it once and the time follows it.
public protocol GatewayClock: Sendable {
    /// The time now.
    var now: Timestamp { get }

    /// The time at a moment given as time since boot.
    func moment(sinceBoot interval: Interval) -> Timestamp

    /// The time left until a moment; zero or less when it has come.
    func timeLeft(until moment: Timestamp) -> Interval

    /// The state of the wall clock.
    var state: ClockState { get }

    /// True if a forward step of the wall clock means that time passed uncounted.
    var mayBeFound: Bool { get }

    /// The time since boot, with the id of the boot; nil if boots can't be distinguished.
    var boot: BootMoment? { get }

    /// Starts after a moment that is known to be past: an earlier clock is wrong.
    ///
    /// Within the boot of that moment, time continues by the clock since boot, whatever the wall clock shows now.
    mutating func start(after past: PastMoment)

    /// Compares with the wall clock and follows it when it was set.
    mutating func look() -> ClockChange
}

/// The state of the wall clock.
public enum ClockState: String, Sendable {
    /// It shows the right time, as far as is known.
    case known
    /// It was behind a past moment when the process started, or not set at all; it has not been set since, and the
    /// system does not vouch for it.
    case unknown
}

/// A moment on the clock that counts since boot.
public struct BootMoment: Hashable, Sendable {
    package var id: String
    /// The time since then.
    package var elapsed: Interval

    package init(id: String, elapsed: Interval) {
        self.id = id
        self.elapsed = elapsed
    }

    /// Six digits that another moment hardly has (FNV-1a).
    var digits: Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(id) \(elapsed.microseconds)".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return Int64(hash % 1_000_000)
    }
}

/// A moment that an earlier process has kept.
public struct PastMoment: Hashable, Sendable {
    /// Its time, as far as that process knew.
    package var at: Timestamp
    /// The same on the clock since boot; nil when that was not kept.
    package var boot: BootMoment?
    /// True if the clock of that process might still have been found.
    package var mayBeFound = false
}

/// The result of a look at the wall clock.
public enum ClockChange: Hashable, Sendable {
    /// Nothing new.
    case steady
    /// It was unknown and is right now: this much more time has passed than was counted.
    case found(Interval)
    /// It was set by this much, back when negative; no time has passed.
    case stepped(Interval)
}

extension GatewayClock {
    /// A clock that is never set is known.
    public var state: ClockState { .known }

    /// A clock that is never set is right.
    public var mayBeFound: Bool { false }

    /// Boots can't be distinguished.
    public var boot: BootMoment? { nil }

    /// A clock that is never set starts when it starts.
    public mutating func start(after past: PastMoment) {}

    /// A clock that is never set is steady.
    public mutating func look() -> ClockChange { .steady }
}

/// The clock of the machine: the wall clock as it was at the start, carried on by the time since boot.
///
/// Sleep of the machine counts (`CLOCK_BOOTTIME`). A wall clock that differs by more than a second was set.
///
/// A wall clock that is behind a past moment is believed once it is set, or when the system says that it is
/// synchronized: then it was ahead before, and the time that has passed since is unknown.
///
/// A machine without a battery for its clock starts with about the time of its last shutdown. So after a boot the
/// wall clock is believed, but if it is set forward before the system has vouched for it, the step is time that has
/// passed.
///
/// See docs/decisions/0021-clock-steps.md.
public struct SystemClock: GatewayClock {
    private var wallAtStart: Timestamp
    private let bootAtStart: Interval
    /// The speed of its time relative to the real one.
    public let rate: Int64
    private let wallClock: @Sendable () -> Timestamp
    private let sinceBoot: @Sendable () -> Interval
    private let isSynchronized: @Sendable () -> Bool
    private let bootID: String?
    /// True if the system has not vouched for the wall clock since the boot.
    private var isUnproven = false
    /// The lag of the wall clock while it is unknown.
    private var lag = Interval.zero
    /// The state of the wall clock.
    public private(set) var state = ClockState.known

    /// Smaller differences are no step: the clock is slewed, or two readings took their time.
    private static let slack = Interval.seconds(1)

    /// The least distance between two moments.
    private static let tick = Interval(microseconds: 1)

    /// 2026-01-01T00:00:00Z: an earlier clock is not set, because this version is younger.
    private static let earliest = Timestamp(seconds: 1_767_225_600)

    /// Reads the clocks.
    ///
    /// - Parameter rate: How many times faster than real the time passes, from 1; for demonstrations.
    public init(rate: Int64 = 1) {
        self.init(
            rate: rate,
            wallClock: { Timestamp(microseconds: Self.read(CLOCK_REALTIME)) },
            sinceBoot: { Interval(microseconds: Self.read(CLOCK_BOOTTIME)) },
            isSynchronized: Self.kernelIsSynchronized,
            bootID: Self.ownBootID
        )
    }

    /// Reads other clocks than those of the machine, such as simulated ones.
    ///
    /// - Parameters:
    ///   - rate: The speed of time relative to `sinceBoot`, from 1.
    ///   - wallClock: The wall clock; may be wrong, and set at any time.
    ///   - sinceBoot: The time since boot; never runs backwards.
    ///   - isSynchronized: Whether the system knows that the wall clock is right.
    ///   - bootID: The id of this boot; nil if boots can't be distinguished.
    public init(
        rate: Int64 = 1,
        wallClock: @escaping @Sendable () -> Timestamp,
        sinceBoot: @escaping @Sendable () -> Interval,
        isSynchronized: @escaping @Sendable () -> Bool,
        bootID: String? = nil
    ) {
        precondition(rate >= 1, "time does not stand still")
        wallAtStart = wallClock()
        bootAtStart = sinceBoot()
        self.rate = rate
        self.wallClock = wallClock
        self.sinceBoot = sinceBoot
        self.isSynchronized = isSynchronized
        self.bootID = bootID
        if wallAtStart < Self.earliest { state = .unknown }
    }

    /// The wall clock at the start and the time that has passed since.
    public var now: Timestamp { moment(sinceBoot: sinceBoot()) }

    /// The time at a moment given as time since boot.
    public func moment(sinceBoot interval: Interval) -> Timestamp {
        wallAtStart + Interval(microseconds: (interval - bootAtStart).microseconds &* rate)
    }

    /// The time left until a moment, rounded up so that the moment has come then.
    public func timeLeft(until moment: Timestamp) -> Interval {
        Self.realTime(for: moment - now, rate: rate)
    }

    /// True if a forward step of the wall clock means that time passed uncounted.
    public var mayBeFound: Bool { state == .unknown || isUnproven }

    /// The time since boot, with the id of the boot.
    public var boot: BootMoment? { bootID.map { BootMoment(id: $0, elapsed: sinceBoot()) } }

    /// Starts after a moment that is known to be past.
    ///
    /// A past moment of an unset clock does not show how long ago it was: then the time continues from there, too.
    public mutating func start(after past: PastMoment) {
        let elapsed = sinceBoot()
        let now = moment(sinceBoot: elapsed)
        if let boot = past.boot, boot.id == bootID, boot.elapsed <= elapsed {
            start(at: past.at + (elapsed - boot.elapsed), instead: now)
            // The last process did not know the time either, so a
            // wall clock that is now right shows what it had missed.
            if past.mayBeFound, lag > Self.slack { state = .unknown }
            isUnproven = past.mayBeFound && state == .known
            return
        }
        // After another boot a clock without a battery may show about the time of the last shutdown.
        isUnproven = past.boot != nil && bootID != nil && !isSynchronized()
        guard now <= past.at || past.at < Self.earliest else { return }
        start(at: past.at + Self.tick, instead: now)
        if lag > Self.slack || past.at < Self.earliest { state = .unknown }
    }

    private mutating func start(at moment: Timestamp, instead now: Timestamp) {
        lag = moment - now
        wallAtStart = wallAtStart + lag
    }

    /// Compares with the wall clock and follows it when it was set; a clock with a rate never does.
    public mutating func look() -> ClockChange {
        guard rate == 1 else { return .steady }
        return follow(wallClock(), from: now)
    }

    mutating func follow(_ wall: Timestamp, from now: Timestamp) -> ClockChange {
        let difference = wall - now
        if state == .unknown {
            // Left alone, the wall clock stays behind by the lag of the start.
            let wasSet = (difference + lag).magnitude > Self.slack
            guard wall >= Self.earliest, wasSet || difference >= .zero || isSynchronized() else {
                return .steady
            }
            state = .known
            isUnproven = false
            wallAtStart = wallAtStart + difference
            // Backwards, the clock was ahead at the last commit; from before
            // 2026 the distance means nothing. Neither is time that passed.
            return difference < .zero || now < Self.earliest ? .stepped(difference) : .found(difference)
        }
        guard difference.magnitude > Self.slack else {
            if isUnproven, isSynchronized() { isUnproven = false }
            return .steady
        }
        wallAtStart = wallAtStart + difference
        defer { isUnproven = false }
        let isFound = isUnproven && difference > .zero && now >= Self.earliest
        return isFound ? .found(difference) : .stepped(difference)
    }

    /// The real time for an interval of a clock that runs faster by a rate, rounded up.
    static func realTime(for interval: Interval, rate: Int64) -> Interval {
        let (quotient, remainder) = interval.microseconds.quotientAndRemainder(dividingBy: rate)
        return Interval(microseconds: remainder > 0 ? quotient + 1 : quotient)
    }

    /// Returns whether the kernel knows that the wall clock is right, as the program that synchronizes it says.
    package static func kernelIsSynchronized() -> Bool {
        var report = timex()
        let answer = adjtimex(&report)
        return answer >= 0 && answer != TIME_ERROR && report.status & STA_UNSYNC == 0
    }

    /// The kernel's id of this boot; nil if it has none.
    private static let ownBootID: String? = {
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let id = [UInt8](unsafeUninitializedCapacity: 36) { buffer, count in
            count = max(0, Glibc.read(file, buffer.baseAddress, 36))
        }
        return id.count == 36 ? String(decoding: id, as: UTF8.self) : nil
    }()

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
