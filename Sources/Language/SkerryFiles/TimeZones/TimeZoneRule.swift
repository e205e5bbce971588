import SkerryExpressions

/// The rule in the footer of a TZif file, such as `CET-1CEST,M3.5.0,M10.5.0/3`: a `TZ` of POSIX.
///
/// Hours may lie between -167 and 167 (RFC 8536, 3.3.1). Changes must be given as month, week and weekday, as the
/// database gives them.
struct TimeZoneRule {
    /// Offsets are below this number of seconds: 25 hours, the most that POSIX can express.
    static let offsetLimit: Int64 = 90_000

    private(set) var standardOffset: Int32 = 0
    private(set) var daylightSaving: TimeZoneRules.DaylightSaving?
    private var rest: ArraySlice<UInt8>

    /// Reads a rule; nil when it is malformed.
    init?(_ text: ArraySlice<UInt8>) {
        rest = text
        guard skipName(), let standard = time(hours: 24) else { return nil }
        standardOffset = -standard
        if rest.isEmpty { return }
        guard skipName() else { return nil }
        var summer = standardOffset + 3600
        if rest.first != UInt8(ascii: ",") {
            guard let offset = time(hours: 24) else { return nil }
            summer = -offset
        }
        guard let start = moment(), let end = moment(), rest.isEmpty else { return nil }
        daylightSaving = TimeZoneRules.DaylightSaving(offset: summer, start: start, end: end)
    }

    private mutating func accept(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Skips the name of a zone: letters, or any text in angle brackets.
    private mutating func skipName() -> Bool {
        let before = rest.count
        if accept("<") {
            rest = rest.drop { $0 != UInt8(ascii: ">") }
            return accept(">")
        }
        rest = rest.drop { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        return rest.count < before
    }

    private mutating func number(atMost limit: Int32) -> Int32? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(digits.count)
        guard let value = Int32(String(decoding: digits, as: UTF8.self)), value <= limit else { return nil }
        return value
    }

    /// Hours with optional minutes and seconds, in seconds.
    private mutating func time(hours limit: Int32) -> Int32? {
        let isNegative = accept("-")
        if !isNegative { _ = accept("+") }
        guard var seconds = number(atMost: limit).map({ $0 * 3600 }) else { return nil }
        if accept(":") {
            guard let minutes = number(atMost: 59) else { return nil }
            seconds += minutes * 60
            if accept(":") {
                guard let rest = number(atMost: 59) else { return nil }
                seconds += rest
            }
        }
        return isNegative ? -seconds : seconds
    }

    private mutating func moment() -> TimeZoneRules.YearlyMoment? {
        guard accept(","), accept("M"), let month = number(atMost: 12), month > 0,
            accept("."), let week = number(atMost: 5), week > 0,
            accept("."), let weekday = number(atMost: 6)
        else { return nil }
        var seconds: Int32 = 7200
        if accept("/") {
            guard let time = time(hours: 167) else { return nil }
            seconds = time
        }
        return TimeZoneRules.YearlyMoment(
            month: Int(month),
            week: Int(week),
            weekday: Int(weekday),
            seconds: Int64(seconds)
        )
    }
}
