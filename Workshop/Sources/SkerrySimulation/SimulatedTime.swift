import SkerryGateway
import SkerryValues
import Synchronization

/// The time of a world, which the world controls, with a wall clock that may be wrong.
final class SimulatedTime: Sendable {
    private struct Clocks {
        var passed: Interval
        /// The moment of the last boot, as the time since the beginning of the world.
        var bootedAt = Interval.zero
        var boots = 1
        /// The difference of the wall clock from the true time; positive when it is ahead.
        var error: Interval
        /// True while the system reports the wall clock as synchronized.
        var isSynchronized = true
    }

    /// The true time at the first boot.
    static let origin = Timestamp(seconds: 1_772_355_600)

    private let clocks = Mutex(Clocks(passed: .zero, error: .zero))

    /// The time since boot.
    var sinceBoot: Interval { clocks.withLock { $0.passed - $0.bootedAt } }

    /// The true time.
    var truth: Timestamp { Self.origin + clocks.withLock { $0.passed } }

    /// The difference of the wall clock from the true time; positive when it is ahead.
    var error: Interval {
        get { clocks.withLock { $0.error } }
        set { clocks.withLock { $0.error = newValue } }
    }

    /// True while the system reports the wall clock as synchronized.
    var isSynchronized: Bool {
        get { clocks.withLock { $0.isSynchronized } }
        set { clocks.withLock { $0.isSynchronized = newValue } }
    }

    /// Advances the time to a moment; a moment in the past changes nothing.
    func pass(until moment: Timestamp) {
        clocks.withLock { $0.passed = max($0.passed, moment - Self.origin) }
    }

    /// Boots the machine, so that the time since boot starts at zero.
    func boot() {
        clocks.withLock {
            $0.bootedAt = $0.passed
            $0.boots += 1
        }
    }

    /// The clock for a process that starts now.
    func makeClock() -> SystemClock {
        SystemClock(
            wallClock: { [self] in clocks.withLock { Self.origin + $0.passed + $0.error } },
            sinceBoot: { [self] in sinceBoot },
            isSynchronized: { [self] in isSynchronized },
            bootID: "boot \(clocks.withLock { $0.boots })"
        )
    }
}
