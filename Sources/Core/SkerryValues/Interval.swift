/// A length of time in microseconds; negative means backwards.
///
/// Arithmetic saturates at the ends of the range (about ±292,000 years).
@frozen
public struct Interval: Hashable, Comparable, Sendable {
    /// The length in microseconds.
    public var microseconds: Int64

    /// Makes an interval from microseconds.
    @inlinable
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Makes an interval from whole seconds.
    @inlinable
    public init(seconds: Int64) {
        self.microseconds = seconds.multipliedSaturated(by: 1_000_000)
    }

    /// Makes an interval from seconds with a fraction, rounded to the nearest microsecond.
    ///
    /// - Returns: nil for a value that is not a number or does not fit.
    public init?(seconds: Double) {
        let microseconds = (seconds * 1_000_000).rounded()
        guard let exact = Int64(exactly: microseconds) else { return nil }
        self.microseconds = exact
    }

    /// No time at all.
    public static let zero = Interval(microseconds: 0)

    /// So many milliseconds.
    @inlinable
    public static func milliseconds(_ count: Int64) -> Interval {
        Interval(microseconds: count.multipliedSaturated(by: 1000))
    }

    /// So many seconds.
    @inlinable
    public static func seconds(_ count: Int64) -> Interval { Interval(seconds: count) }

    /// So many minutes.
    @inlinable
    public static func minutes(_ count: Int64) -> Interval {
        Interval(seconds: count.multipliedSaturated(by: 60))
    }

    /// So many hours.
    @inlinable
    public static func hours(_ count: Int64) -> Interval {
        Interval(seconds: count.multipliedSaturated(by: 3600))
    }

    /// The length without its direction.
    @inlinable public var magnitude: Interval {
        microseconds < 0 ? Interval(microseconds: Int64(0).subtractingSaturated(microseconds)) : self
    }

    /// Whole seconds, rounded to the nearest, halves up.
    @inlinable public var roundedSeconds: Int64 { Timestamp(microseconds: microseconds).roundedSeconds }

    /// The length in seconds with a fraction.
    @inlinable public var inSeconds: Double { Double(microseconds) / 1_000_000 }

    /// Orders by length, negative ones first.
    @inlinable
    public static func < (left: Interval, right: Interval) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Both lengths together.
    @inlinable
    public static func + (left: Interval, right: Interval) -> Interval {
        Interval(microseconds: left.microseconds.addingSaturated(right.microseconds))
    }

    /// The first length without the second.
    @inlinable
    public static func - (left: Interval, right: Interval) -> Interval {
        Interval(microseconds: left.microseconds.subtractingSaturated(right.microseconds))
    }
}

extension Int64 {
    /// The quotient rounded down, also for numbers below zero: days before 1970 have numbers below zero.
    ///
    /// - Parameter divisor: Greater than 0.
    /// - Returns: the quotient.
    @inlinable public func floorDivided(by divisor: Int64) -> Int64 {
        assert(divisor > 0, "the quotient is rounded down for positive divisors only")
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
