import SkerryGateway
import SkerryValues
import Synchronization

/// The time of a world: it passes when the world says so, and the wall clock may be wrong.
final class SimulatedTime: Sendable {
    private struct Clocks {
        var sinceBoot: Interval
        /// How far the wall clock is ahead of the truth.
        var error: Interval
        /// Whether the system vouches for the wall clock.
        var isSynchronized = true
    }

    /// The true time at boot.
    static let origin = Timestamp(seconds: 1_772_355_600)

    private let clocks = Mutex(Clocks(sinceBoot: .zero, error: .zero))

    /// The time since boot.
    var sinceBoot: Interval { clocks.withLock { $0.sinceBoot } }

    /// The true time.
    var truth: Timestamp { Self.origin + sinceBoot }

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
        clocks.withLock { $0.sinceBoot = max($0.sinceBoot, moment - Self.origin) }
    }

    /// The clock of the gateway, as it is when a process starts now.
    func makeClock() -> SystemClock {
        SystemClock(
            wallClock: { [self] in clocks.withLock { Self.origin + $0.sinceBoot + $0.error } },
            sinceBoot: { [self] in sinceBoot },
            isSynchronized: { [self] in isSynchronized }
        )
    }
}
