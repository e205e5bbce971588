public import SkerryValues
import Synchronization

/// The time in which a process may act with the lease of a store that it shares with others; for any thread.
///
/// It is measured since boot, by a clock that is never set, and from before the request that extended it. So it ends
/// before the lease ends at the database, whatever clocks show. See docs/decisions/0050-one-active-gateway.md.
public final class LeaseTerm: Sendable {
    private let length: Interval
    private let clock: @Sendable () -> Interval
    private let onHeld: @Sendable (Interval) -> Void
    /// The moment of the last request that extended it.
    private let start = Mutex(Interval.zero)

    /// Makes a term that has not begun.
    ///
    /// - Parameters:
    ///   - length: The length of the lease.
    ///   - clock: Returns the time since boot.
    ///   - onHeld: Called with the time since boot at which the term ends, on one thread at a time.
    public init(
        of length: Interval,
        clock: @escaping @Sendable () -> Interval,
        onHeld: @escaping @Sendable (Interval) -> Void = { _ in }
    ) {
        self.length = length
        self.clock = clock
        self.onHeld = onHeld
    }

    /// The interval of renewals, and the longest time for an exchange: one may fail, and the next still be in time.
    public static func pause(of length: Interval) -> Interval {
        max(.milliseconds(300), Interval(microseconds: length.microseconds / 3))
    }

    /// The time until the next renewal.
    public var timeToRenewal: Interval { start.withLock { $0 } + Self.pause(of: length) - clock() }

    /// The time in which the process may still act.
    public var timeLeft: Interval { start.withLock { $0 } + length - clock() }

    /// Takes or extends the lease by a request to the database, whose failure leaves the term as it was.
    public func hold<Answer>(_ request: () throws(StoreFault) -> Answer) throws(StoreFault) -> Answer {
        let asked = clock()
        let answer = try request()
        start.withLock { start in
            start = max(start, asked)
            onHeld(start + length)
        }
        return answer
    }
}
