import CTimex
import Glibc
import Synchronization

/// Wakes a thread out of its sleep, from any thread.
package final class WakeSignal: Sendable {
    private static let woken = 1
    private static let stopping = 2

    /// The file to poll for; readable after a signal.
    package let file: Int32
    private let flags = Atomic<Int>(0)

    /// Makes a signal that is not given yet.
    package init() {
        file = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(file >= 0, "no file for waking up: the process has too many files open")
    }

    deinit { _ = close(file) }

    /// Ends the sleep.
    package func wake() { raise(Self.woken) }

    /// Ends the sleep for good.
    package func stop() { raise(Self.stopping) }

    /// True once ``stop()`` was called.
    package var isStopping: Bool { flags.load(ordering: .acquiring) & Self.stopping != 0 }

    /// True once for any number of calls of ``wake()`` since the last time.
    package func takeWake() -> Bool {
        // A cheap look first: it is asked in each turn of the loop, and mostly nothing has come.
        guard flags.load(ordering: .relaxed) & Self.woken != 0 else { return false }
        return flags.bitwiseAnd(~Self.woken, ordering: .acquiringAndReleasing).oldValue & Self.woken != 0
    }

    /// Makes the file unreadable again.
    package func drain() {
        var count: UInt64 = 0
        _ = read(file, &count, 8)
    }

    /// Ends the sleep.
    package func ring() {
        var one: UInt64 = 1
        _ = write(file, &one, 8)
    }

    private func raise(_ flag: Int) {
        flags.bitwiseOr(flag, ordering: .acquiringAndReleasing)
        ring()
    }
}
