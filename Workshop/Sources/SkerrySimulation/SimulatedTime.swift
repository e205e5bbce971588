import SkerryGateway
import SkerryValues
import Synchronization

/// The time of a world: it passes when the world says so, and the wall clock may be wrong.
final class SimulatedTime: Sendable {
    private struct Clocks {
        var passed: Interval
        /// When the machine started, counted as what has passed.
        var bootedAt = Interval.zero
        var boots = 1
        /// How far the wall clock is ahead of the truth.
        var error: Interval
        /// Whether the system vouches for the wall clock.
        var isSynchronized = true
    }

    /// The true time at the first boot.
    static let origin = Timestamp(seconds: 1_772_355_600)

    private let clocks = Mutex(Clocks(passed: .zero, error: .zero))

    /// The time since boot.
    var sinceBoot: Interval { clocks.withLock { $0.passed - $0.bootedAt } }

    /// The true time.
    var truth: Timestamp { Self.origin + clocks.withLock { $0.passed } }

    /// How far the wall clock is ahead of the truth; behind when negative.
    var error: Interval {
        get { clocks.withLock { $0.error } }
        set { clocks.withLock { $0.error = newValue } }
    }

    /// Whether the system vouches for the wall clock.
    var isSynchronized: Bool {
        get { clocks.withLock { $0.isSynchronized } }
        set { clocks.withLock { $0.isSynchronized = newValue } }
    }

    /// Lets time pass until a moment; no time for one that is past.
    func pass(until moment: Timestamp) {
        clocks.withLock { $0.passed = max($0.passed, moment - Self.origin) }
    }

    /// The machine starts anew.
    func boot() {
        clocks.withLock {
            $0.bootedAt = $0.passed
            $0.boots += 1
        }
    }

    /// The clock of the gateway, as it is when a process starts now.
    func makeClock() -> SystemClock {
        SystemClock(
            wallClock: { [self] in clocks.withLock { Self.origin + $0.passed + $0.error } },
            sinceBoot: { [self] in sinceBoot },
            isSynchronized: { [self] in isSynchronized },
            bootID: "boot \(clocks.withLock { $0.boots })"
        )
    }
}
