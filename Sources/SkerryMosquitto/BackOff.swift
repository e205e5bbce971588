import SkerryValues

/// The pauses between attempts to connect: doubling, bounded, and never the same for two clients.
struct BackOff {
    private let first: Interval
    private let longest: Interval
    private var next: Interval

    init(first: Interval, longest: Interval) {
        self.first = max(first, Interval(microseconds: 1))
        self.longest = max(longest, self.first)
        next = self.first
    }

    /// The pause to make now; the next one will be twice as long.
    ///
    /// Up to half of it is left out by chance, so that the clients of a broker that returns do not all come at
    /// the same moment.
    mutating func pause(using random: inout some RandomNumberGenerator) -> Interval {
        let pause = next
        next = min(longest, pause + pause)
        let half = pause.microseconds / 2
        return Interval(microseconds: pause.microseconds - Int64.random(in: 0...half, using: &random))
    }

    /// Begins anew after a connection that stood.
    mutating func reset() { next = first }
}
