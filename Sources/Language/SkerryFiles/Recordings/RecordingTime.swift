import SkerryExpressions
package import SkerryValues

/// Times of recordings.
///
/// Written as `2026-11-21T01:26:45.628395Z+0000` (mosquitto 2.0), `…+0000` (2.1), `…Z`, `…±hh:mm`, without a zone
/// (taken as UTC), or as a number of seconds, milliseconds, microseconds or nanoseconds since the Unix epoch, told
/// apart by their size. Digits beyond microseconds are cut off.
package enum RecordingTime {
    /// The moment in a text; nil if there is none.
    package static func parse(_ text: String) -> Timestamp? {
        Array(text.utf8).withUnsafeBufferPointer { parse($0) }
    }

    /// A moment as people read it, in UTC and whole seconds: `2026-11-21 01:26:45`.
    package static func text(_ moment: Timestamp) -> String {
        var writer = RecordingWriter()
        writer.appendCalendarTime(moment.microseconds)
        return String(decoding: writer.bytes.prefix(19), as: UTF8.self).replacing("T", with: " ")
    }

    /// A moment to the millisecond, in UTC as RFC 3339 has it: `2026-11-21T01:26:45.203Z`.
    package static func exact(_ moment: Timestamp) -> String {
        var writer = RecordingWriter()
        writer.appendCalendarTime(moment.microseconds)
        return String(decoding: writer.bytes.prefix(23), as: UTF8.self) + "Z"
    }

    /// The moment in a text of bytes; nil if there is none.
    static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        if bytes.count > 4, bytes[4] == UInt8(ascii: "-") { return calendarTime(bytes) }
        return epochTime(bytes)
    }

    private static func calendarTime(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        guard bytes.count >= 19, bytes[7] == UInt8(ascii: "-"), bytes[13] == UInt8(ascii: ":"),
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t")
                || bytes[10] == UInt8(ascii: " "),
            bytes[16] == UInt8(ascii: ":"),
            let century = twoDigits(bytes, at: 0), let year = twoDigits(bytes, at: 2),
            let month = twoDigits(bytes, at: 5), let day = twoDigits(bytes, at: 8),
            let hour = twoDigits(bytes, at: 11), let minute = twoDigits(bytes, at: 14),
            let second = twoDigits(bytes, at: 17),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let fullYear = century * 100 + year
        guard (1...12).contains(month), (1...CivilTime.daysInMonth(month, of: fullYear)).contains(day) else {
            return nil
        }
        var index = 19
        guard let fraction = fraction(bytes, &index), let zone = zone(bytes, from: index) else { return nil }
        let days = CivilTime.days(year: fullYear, month: month, day: day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - zone
        return Timestamp(microseconds: seconds * 1_000_000 + fraction)
    }

    /// Microseconds after a decimal point, if there is one.
    private static func fraction(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Int64? {
        guard index < bytes.count, bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ",")
        else { return 0 }
        index += 1
        let start = index
        var value: Int64 = 0
        var scale: Int64 = 1_000_000
        while index < bytes.count, bytes[index].isDigit {
            if scale > 1 {
                value = value * 10 + Int64(bytes[index] - 0x30)
                scale /= 10
            }
            index += 1
        }
        return index > start ? value * scale : nil
    }

    /// Seconds east of Greenwich: `Z`, `Z+0000`, `+hhmm`, `+hh:mm`, `+hh`, or nothing.
    private static func zone(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int64? {
        var index = start
        if index < bytes.count, bytes[index] == UInt8(ascii: "Z") || bytes[index] == UInt8(ascii: "z") {
            index += 1
        }
        guard index < bytes.count else { return 0 }
        let isWest = bytes[index] == UInt8(ascii: "-")
        guard isWest || bytes[index] == UInt8(ascii: "+"), let hours = twoDigits(bytes, at: index + 1) else {
            return nil
        }
        index += 3
        if index < bytes.count, bytes[index] == UInt8(ascii: ":") { index += 1 }
        var minutes: Int64 = 0
        if index < bytes.count {
            guard let value = twoDigits(bytes, at: index), index + 2 == bytes.count else { return nil }
            minutes = value
        }
        guard hours < 24, minutes < 60 else { return nil }
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private static func epochTime(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        var index = 0
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { index = 1 }
        let start = index
        var whole: Int64 = 0
        while index < bytes.count, bytes[index].isDigit {
            // One more digit still fits 64 bits.
            guard whole < 1_000_000_000_000_000_000 / 10 * 9 else { return nil }
            whole = whole * 10 + Int64(bytes[index] - 0x30)
            index += 1
        }
        guard index > start, index - start <= 19, let fraction = fraction(bytes, &index), index == bytes.count
        else { return nil }
        // The number of digits tells the unit: seconds up to the year
        // 5138, then milliseconds, microseconds and nanoseconds.
        let microseconds =
            switch whole {
            case ..<100_000_000_000: whole * 1_000_000 + fraction
            case ..<100_000_000_000_000: whole * 1000 + fraction / 1000
            case ..<100_000_000_000_000_000: whole
            default: whole / 1000
            }
        return Timestamp(microseconds: isNegative ? -microseconds : microseconds)
    }

    @inline(__always)
    private static func twoDigits(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int64? {
        guard index + 1 < bytes.count, bytes[index].isDigit, bytes[index + 1].isDigit else { return nil }
        return Int64(bytes[index] - 0x30) * 10 + Int64(bytes[index + 1] - 0x30)
    }
}

extension UInt8 {
    /// True if it is one of the letters 0 to 9.
    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }
}
