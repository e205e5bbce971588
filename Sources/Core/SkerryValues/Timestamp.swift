/// A moment on the wall clock: microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// The engine never reads a clock. Every timestamp comes in with an input, so that the same inputs give the
/// same outputs. Arithmetic saturates at the ends of the range (about ±292,000 years) instead of trapping,
/// because a device may claim any time it likes.
@frozen
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since the Unix epoch.
    public var microseconds: Int64

    /// Makes a timestamp from microseconds since the Unix epoch.
    @inlinable
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Makes a timestamp from whole seconds since the Unix epoch, saturating at the ends of the range.
    @inlinable
    public init(seconds: Int64) {
        self.microseconds = Interval(seconds: seconds).microseconds
    }

    /// The latest moment there is; sorts after every real deadline.
    public static let distantFuture = Timestamp(microseconds: .max)

    /// The earliest moment there is; sorts before every real deadline.
    public static let distantPast = Timestamp(microseconds: .min)

    /// Whole seconds since the Unix epoch, rounded to the nearest, halves up.
    @inlinable public var roundedSeconds: Int64 { (self + Interval(microseconds: 500_000)).flooredSeconds }

    /// Whole seconds since the Unix epoch, rounded down.
    @inlinable public var flooredSeconds: Int64 { microseconds.floorDivided(by: 1_000_000) }

    /// Orders by time.
    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The moment that lies `interval` later.
    @inlinable
    public static func + (moment: Timestamp, interval: Interval) -> Timestamp {
        Timestamp(microseconds: moment.microseconds.addingSaturated(interval.microseconds))
    }

    /// The moment that lies `interval` earlier.
    @inlinable
    public static func - (moment: Timestamp, interval: Interval) -> Timestamp {
        Timestamp(microseconds: moment.microseconds.subtractingSaturated(interval.microseconds))
    }

    /// The time from `start` to `end`; negative when `end` is earlier.
    @inlinable
    public static func - (end: Timestamp, start: Timestamp) -> Interval {
        Interval(microseconds: end.microseconds.subtractingSaturated(start.microseconds))
    }
}

extension Int64 {
    @inlinable
    func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    @inlinable
    func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    @inlinable
    func multipliedSaturated(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
