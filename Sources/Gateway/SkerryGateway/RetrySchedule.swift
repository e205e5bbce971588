package import SkerryValues

/// The pauses between attempts at something that fails: doubling, bounded, and never the same for two gateways.
package struct RetrySchedule: Sendable {
    private let first: Interval
    private let longest: Interval
    private var next: Interval

    /// Makes a schedule that begins with its first pause.
    ///
    /// - Parameters:
    ///   - first: The first pause; at least a microsecond.
    ///   - longest: The longest pause; at least `first`.
    package init(first: Interval, longest: Interval) {
        self.first = max(first, Interval(microseconds: 1))
        self.longest = max(longest, self.first)
        next = self.first
    }

    /// The pause to make now; the next one will be twice as long.
    ///
    /// Up to half of it is left out at random, so that clients that wait for the same thing do not all come at the
    /// same moment.
    package mutating func pause(using random: inout some RandomNumberGenerator) -> Interval {
        let pause = next
        next = min(longest, pause + pause)
        assert(pause <= next && next <= longest, "a pause is shorter than the one before, or has no bound")
        let half = pause.microseconds / 2
        return Interval(microseconds: pause.microseconds - Int64.random(in: 0...half, using: &random))
    }

    /// Begins again with the first pause after a success.
    package mutating func reset() { next = first }
}
