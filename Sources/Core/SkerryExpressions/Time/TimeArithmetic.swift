import SkerryValues

let nanosecondsPerSecond: Int64 = 1_000_000_000

extension CalendarTimestamp {
    /// 0001-01-01T00:00:00Z.
    static let earliestSecond: Int64 = -62_135_596_800
    /// 9999-12-31T23:59:59Z.
    static let latestSecond: Int64 = 253_402_300_799

    /// A moment as a value, or an error outside of the years 1 to 9999.
    ///
    /// Nanoseconds may be anything of less than two seconds, also negative.
    static func value(seconds: Int64, nanoseconds: Int64) -> Value {
        var seconds = seconds
        var nanoseconds = nanoseconds
        if nanoseconds < 0 {
            seconds -= 1
            nanoseconds += nanosecondsPerSecond
        } else if nanoseconds >= nanosecondsPerSecond {
            seconds += 1
            nanoseconds -= nanosecondsPerSecond
        }
        guard (earliestSecond...latestSecond).contains(seconds) else { return .error(.overflow) }
        return .timestamp(CalendarTimestamp(seconds: seconds, nanoseconds: Int32(nanoseconds)))
    }

    func advanced(by length: CalendarDuration) -> Value {
        let (sum, overflow) = seconds.addingReportingOverflow(length.seconds)
        guard !overflow, sum.magnitude < 1 << 60 else { return .error(.overflow) }
        return CalendarTimestamp.value(
            seconds: sum,
            nanoseconds: Int64(nanoseconds) + Int64(length.nanoseconds)
        )
    }

    func since(_ start: CalendarTimestamp) -> Value {
        let (difference, overflow) = seconds.subtractingReportingOverflow(start.seconds)
        guard !overflow else { return .error(.overflow) }
        return CalendarDuration.value(
            seconds: difference,
            nanoseconds: Int64(nanoseconds) - Int64(start.nanoseconds)
        )
    }
}

extension CalendarDuration {
    /// A length as a value, or an error when it does not fit 64 bits of nanoseconds (about 292 years).
    ///
    /// Nanoseconds may be anything of less than two seconds, also with another sign than the seconds.
    static func value(seconds: Int64, nanoseconds: Int64) -> Value {
        var seconds = seconds
        var nanoseconds = nanoseconds
        // A second that the nanoseconds take back must not count against the limit.
        if seconds > 0, nanoseconds < 0 {
            seconds -= 1
            nanoseconds += nanosecondsPerSecond
        } else if seconds < 0, nanoseconds > 0 {
            seconds += 1
            nanoseconds -= nanosecondsPerSecond
        }
        let (product, tooBig) = seconds.multipliedReportingOverflow(by: nanosecondsPerSecond)
        let (total, overflow) = product.addingReportingOverflow(nanoseconds)
        guard !tooBig, !overflow else { return .error(.overflow) }
        return value(totalNanoseconds: total)
    }

    /// A length as a value.
    static func value(totalNanoseconds total: Int64) -> Value {
        let (seconds, rest) = total.quotientAndRemainder(dividingBy: nanosecondsPerSecond)
        return .duration(CalendarDuration(seconds: seconds, nanoseconds: Int32(rest)))
    }

    var negated: CalendarDuration {
        CalendarDuration(seconds: seconds == .min ? .max : -seconds, nanoseconds: -nanoseconds)
    }

    func adding(_ other: CalendarDuration) -> Value {
        let (sum, overflow) = seconds.addingReportingOverflow(other.seconds)
        guard !overflow else { return .error(.overflow) }
        return CalendarDuration.value(
            seconds: sum,
            nanoseconds: Int64(nanoseconds) + Int64(other.nanoseconds)
        )
    }
}
