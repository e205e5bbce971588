public import SkerryValues

/// Reads numbers and signs from the bytes of a text.
private struct ByteReader {
    let bytes: [UInt8]
    var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { position == bytes.count }

    var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte, !isAtEnd else { return false }
        position += 1
        return true
    }

    /// A number with exactly this many digits.
    mutating func number(digits: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<digits {
            guard isDigit(next) else { return nil }
            number = number * 10 + Int64(next - UInt8(ascii: "0"))
            position += 1
        }
        return number
    }
}

extension CalendarTimestamp {
    /// Reads a moment of RFC 3339, such as `2009-02-13T23:31:30.5+01:00`.
    static func parse(_ text: String) -> Value {
        var reader = ByteReader(text)
        guard let local = localTime(&reader), local.hasSeconds, !local.hasBlank,
            let offset = offset(&reader), reader.isAtEnd
        else { return .error(.invalidArgument) }
        return value(seconds: local.seconds - offset, nanoseconds: local.nanoseconds)
    }

    /// Reads a local time such as `2009-02-13 23:31`, in a time zone; one with an offset of its own needs no zone.
    ///
    /// Of a local time that comes twice, when clocks are set back, the first one is meant; one that never comes, when
    /// they are set forward, counts as so much later.
    static func parse(_ text: String, inZone zone: String, _ code: Code) -> Value {
        var reader = ByteReader(text)
        guard let local = localTime(&reader) else { return .error(.invalidArgument) }
        let rules = fixedOffset(zone) == nil ? code.timeZone(zone) : nil
        guard fixedOffset(zone) != nil || rules != nil else { return .error(.invalidArgument) }
        if reader.isAtEnd {
            let offset = rules.map { $0.offset(ofLocal: local.seconds) } ?? fixedOffset(zone) ?? 0
            return value(seconds: local.seconds - Int64(offset), nanoseconds: local.nanoseconds)
        }
        guard let offset = offset(&reader), reader.isAtEnd else { return .error(.invalidArgument) }
        return value(seconds: local.seconds - offset, nanoseconds: local.nanoseconds)
    }

    /// A date and a time of day, as seconds since the Unix epoch if they were in UTC.
    private struct LocalTime {
        var seconds: Int64
        var nanoseconds: Int64
        var hasSeconds: Bool
        /// True if a blank stands between date and time, and not a `T`.
        var hasBlank: Bool
    }

    private static func localTime(_ reader: inout ByteReader) -> LocalTime? {
        guard let year = reader.number(digits: 4), reader.take(UInt8(ascii: "-")),
            let month = reader.number(digits: 2), reader.take(UInt8(ascii: "-")),
            let day = reader.number(digits: 2)
        else { return nil }
        let hasBlank = reader.take(UInt8(ascii: " "))
        guard hasBlank || reader.take(UInt8(ascii: "T")) || reader.take(UInt8(ascii: "t")),
            let hour = reader.number(digits: 2), reader.take(UInt8(ascii: ":")),
            let minute = reader.number(digits: 2),
            (1...12).contains(month), day >= 1, day <= CivilTime.daysInMonth(month, of: year),
            hour < 24, minute < 60
        else { return nil }
        let days = CivilTime.days(year: year, month: month, day: day)
        var local = LocalTime(
            seconds: days * CivilTime.secondsPerDay + hour * 3600 + minute * 60,
            nanoseconds: 0,
            hasSeconds: reader.take(UInt8(ascii: ":")),
            hasBlank: hasBlank
        )
        guard local.hasSeconds else { return local }
        guard let second = reader.number(digits: 2), second < 60, let nanoseconds = fraction(&reader) else {
            return nil
        }
        local.seconds += second
        local.nanoseconds = nanoseconds
        return local
    }

    private static func fraction(_ reader: inout ByteReader) -> Int64? {
        guard reader.take(UInt8(ascii: ".")) else { return 0 }
        guard isDigit(reader.next) else { return nil }
        var nanoseconds: Int64 = 0
        var unit: Int64 = 100_000_000
        while isDigit(reader.next) {
            nanoseconds += Int64(reader.next - UInt8(ascii: "0")) * unit
            // 0 after nine digits: the others are read and change nothing.
            unit /= 10
            reader.position += 1
        }
        return nanoseconds
    }

    private static func offset(_ reader: inout ByteReader) -> Int64? {
        if reader.take(UInt8(ascii: "Z")) || reader.take(UInt8(ascii: "z")) { return 0 }
        let sign: Int64 = reader.next == UInt8(ascii: "-") ? -1 : 1
        guard reader.take(UInt8(ascii: "-")) || reader.take(UInt8(ascii: "+")),
            let hours = reader.number(digits: 2), reader.take(UInt8(ascii: ":")),
            let minutes = reader.number(digits: 2), hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    /// The moment in UTC as RFC 3339, with as many digits after the point as it needs.
    public var text: String {
        let civil = CivilTime(seconds: seconds, offset: 0)
        return padded(civil.year, 4) + "-" + padded(civil.month, 2) + "-" + padded(civil.day, 2) + "T"
            + padded(civil.secondOfDay / 3600, 2) + ":" + padded(civil.secondOfDay / 60 % 60, 2) + ":"
            + padded(civil.secondOfDay % 60, 2) + fractionText(nanoseconds) + "Z"
    }
}

extension CalendarDuration {
    /// Reads a length such as `1h30m`, `-1.5s` or `100ms`.
    package static func parse(_ text: String) -> Value {
        var reader = ByteReader(text)
        let isNegative = reader.take(UInt8(ascii: "-"))
        if !isNegative { _ = reader.take(UInt8(ascii: "+")) }
        if reader.take(UInt8(ascii: "0")), reader.isAtEnd { return value(totalNanoseconds: 0) }
        reader.position = isNegative || text.utf8.first == UInt8(ascii: "+") ? 1 : 0
        guard !reader.isAtEnd else { return .error(.invalidArgument) }
        var total: UInt64 = 0
        while !reader.isAtEnd {
            switch part(&reader) {
            case .failure(let error): return .error(error)
            case .success(let nanoseconds):
                let (sum, overflow) = total.addingReportingOverflow(nanoseconds)
                guard !overflow, sum <= (isNegative ? Int64.min : .max).magnitude else {
                    return .error(.overflow)
                }
                total = sum
            }
        }
        // In unsigned arithmetic, because the shortest length has no positive counterpart.
        let signed = isNegative ? 0 &- total : total
        return value(totalNanoseconds: Int64(bitPattern: signed))
    }

    /// Reads a length as clocks show it: `1:23:45` or, without seconds, `1:23`.
    package static func parse(clock text: String) -> Value {
        var reader = ByteReader(text)
        var hours: Int64 = 0
        var digits = 0
        while isDigit(reader.next), digits < 6 {
            hours = hours * 10 + Int64(reader.next - UInt8(ascii: "0"))
            digits += 1
            reader.position += 1
        }
        guard digits > 0, reader.take(UInt8(ascii: ":")), let minutes = reader.number(digits: 2), minutes < 60
        else { return .error(.invalidArgument) }
        var seconds: Int64 = 0
        if reader.take(UInt8(ascii: ":")) {
            guard let read = reader.number(digits: 2), read < 60 else { return .error(.invalidArgument) }
            seconds = read
        }
        guard reader.isAtEnd else { return .error(.invalidArgument) }
        return value(seconds: hours * 3600 + minutes * 60 + seconds, nanoseconds: 0)
    }

    /// One number with its unit, in nanoseconds.
    private static func part(_ reader: inout ByteReader) -> Result<UInt64, EvaluationError> {
        let start = reader.position
        var whole: UInt64 = 0
        while isDigit(reader.next) {
            let (product, tooBig) = whole.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(UInt64(reader.next - UInt8(ascii: "0")))
            guard !tooBig, !overflow else { return .failure(.overflow) }
            whole = sum
            reader.position += 1
        }
        var digits = reader.position - start
        var fraction: UInt64 = 0
        var scale: UInt64 = 1
        if reader.take(UInt8(ascii: ".")) {
            while isDigit(reader.next) {
                // Further digits are less than a nanosecond even of hours. They are read, and change nothing.
                if scale < 1_000_000_000_000_000 {
                    fraction = fraction * 10 + UInt64(reader.next - UInt8(ascii: "0"))
                    scale *= 10
                }
                digits += 1
                reader.position += 1
            }
        }
        guard digits > 0, let unit = unit(&reader) else { return .failure(.invalidArgument) }
        let (nanoseconds, overflow) = whole.multipliedReportingOverflow(by: unit)
        let rest = scale.dividingFullWidth(unit.multipliedFullWidth(by: fraction)).quotient
        let (sum, tooBig) = nanoseconds.addingReportingOverflow(rest)
        return overflow || tooBig ? .failure(.overflow) : .success(sum)
    }

    private static func unit(_ reader: inout ByteReader) -> UInt64? {
        if reader.take(UInt8(ascii: "h")) { return 3_600_000_000_000 }
        if reader.take(UInt8(ascii: "s")) { return 1_000_000_000 }
        if reader.take(UInt8(ascii: "m")) {
            return reader.take(UInt8(ascii: "s")) ? 1_000_000 : 60_000_000_000
        }
        if reader.take(UInt8(ascii: "n")) { return reader.take(UInt8(ascii: "s")) ? 1 : nil }
        // The micro sign and the Greek letter mu are both written before the `s`.
        if reader.take(0xC2) {
            guard reader.take(0xB5) else { return nil }
        } else if reader.take(0xCE) {
            guard reader.take(0xBC) else { return nil }
        } else if !reader.take(UInt8(ascii: "u")) {
            return nil
        }
        return reader.take(UInt8(ascii: "s")) ? 1000 : nil
    }

    /// The length in seconds, such as `90s` or `-1.5s`.
    var text: String {
        (seconds < 0 || nanoseconds < 0 ? "-" : "") + String(seconds.magnitude)
            + fractionText(Int32(nanoseconds.magnitude)) + "s"
    }
}

/// A number in at least so many digits.
func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}

/// `.5` for 500,000,000; nothing for 0.
private func fractionText(_ nanoseconds: Int32) -> String {
    guard nanoseconds > 0 else { return "" }
    var digits = Array(padded(Int64(nanoseconds), 9).utf8)
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return "." + String(decoding: digits, as: UTF8.self)
}
