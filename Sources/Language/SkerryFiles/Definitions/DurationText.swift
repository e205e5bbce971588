import SkerryValues

/// Lengths of time as definitions write them: `15m`, `1h30m`, `10s`, `500ms`, `2d`.
///
/// Whole numbers with a unit each, from the largest unit to the smallest, each at most once, without spaces.
enum DurationText {
    /// Why a text is no length of time.
    struct Refusal: Error {
        /// The problem, to be read after the name of the key.
        var message: String
        var remedy: String?
    }

    /// The longest length of time: ten years of 365 days.
    static let limit = Interval.hours(10 * 365 * 24)

    private static let units: [(name: String, microseconds: Int64)] = [
        ("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1000),
    ]

    /// The length of time that a text contains.
    static func parse(_ text: String) -> Result<Interval, Refusal> {
        var rest = Substring(text)
        var total = Int64(0)
        var nextUnit = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
            let name = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
            // Eighteen digits fit 64 bits whatever they are.
            if digits.count > 18 {
                return .failure(Refusal(message: "is longer than ten years", remedy: nil))
            }
            guard let count = Int64(digits),
                let unit = units.indices.first(where: { $0 >= nextUnit && units[$0].name == name })
            else { return .failure(refusal(of: text)) }
            let (product, isTooLarge) = count.multipliedReportingOverflow(by: units[unit].microseconds)
            guard !isTooLarge, product <= limit.microseconds, total <= limit.microseconds - product else {
                return .failure(Refusal(message: "is longer than ten years", remedy: nil))
            }
            total += product
            nextUnit = unit + 1
            rest = rest.dropFirst(digits.count + name.count)
        }
        return text.isEmpty ? .failure(refusal(of: text)) : .success(Interval(microseconds: total))
    }

    private static func refusal(of text: String) -> Refusal {
        let number = text.prefix { $0.isASCII && $0.isWholeNumber }
        let rest = text.dropFirst(number.count).drop { $0 == " " }
        if !number.isEmpty, rest.isEmpty {
            if let count = Int64(number), count >= 1000, count % 100 == 0 {
                let seconds = count % 1000 == 0 ? "\(count / 1000)s" : "\(count)ms"
                return Refusal(
                    message: "needs a unit: '\(text)' could be milliseconds or seconds",
                    remedy: "write `\(seconds)` for milliseconds, `\(number)s` for seconds"
                )
            }
            return Refusal(
                message: "needs a unit: '\(text)' could be seconds or minutes",
                remedy: "write `\(number)m` for minutes, `\(number)s` for seconds"
            )
        }
        if !number.isEmpty, let unit = spelledUnit(rest) {
            return Refusal(message: "can't be '\(text)'", remedy: "write `\(number)\(unit)`")
        }
        if let length = clock(text) ?? fraction(text) {
            return Refusal(message: "can't be '\(text)'", remedy: "write `\(length)`")
        }
        if let length = expressedLength(text) {
            return Refusal(message: "can't be an expression", remedy: "write `\(length)`")
        }
        return Refusal(
            message: "can't be '\(text)'",
            remedy: "write a length of time such as `15m`, `1h30m`, `10s`, `500ms` or `2d`"
        )
    }

    /// The length probably meant by a text in another form; nil if it is not clear.
    static func meant(by text: String) -> String? {
        if case .success = parse(text) { return text }
        let number = text.prefix { $0.isASCII && $0.isWholeNumber }
        let unit = spelledUnit(text.dropFirst(number.count).drop { $0 == " " })
        if !number.isEmpty, let unit { return "\(number)\(unit)" }
        return clock(text) ?? fraction(text) ?? expressedLength(text)
    }

    /// The length that somebody wrote as hours, minutes and seconds with colons.
    private static func clock(_ text: String) -> String? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 2 || parts.count == 3 else { return nil }
        var length = ""
        for (number, unit) in zip(parts, ["h", "m", "s"]) {
            guard let number, number >= 0, number < 100_000 else { return nil }
            if number > 0 { length += "\(number)\(unit)" }
        }
        return length.isEmpty ? nil : length
    }

    /// The length that somebody wrote with a decimal fraction, such as `1.5h`.
    private static func fraction(_ text: String) -> String? {
        let whole = text.prefix { $0.isASCII && $0.isWholeNumber }
        let rest = text.dropFirst(whole.count)
        guard rest.first == "." || rest.first == ",", whole.count < 5 else { return nil }
        let digits = rest.dropFirst().prefix { $0.isASCII && $0.isWholeNumber }
        let name = spelledUnit(rest.dropFirst(1 + digits.count).drop { $0 == " " })
        guard (1...3).contains(digits.count), let number = Int64(whole + digits),
            let unit = units.first(where: { $0.name == name })
        else { return nil }
        let divisor: Int64 = [1, 10, 100, 1000][digits.count]
        let length = Interval(microseconds: number * unit.microseconds / divisor)
        guard number * unit.microseconds % (1000 * divisor) == 0, length > .zero, length <= limit else {
            return nil
        }
        return Self.text(length)
    }

    /// The length that somebody wrote as an expression, such as `duration("10s")` or `minutes(5)`.
    private static func expressedLength(_ text: String) -> String? {
        guard text.hasSuffix(")"), let open = text.firstIndex(of: "(") else { return nil }
        let argument = text[text.index(after: open)...].dropLast().filter {
            $0 != "\"" && $0 != "'" && $0 != " "
        }
        // Parentheses within parentheses would be read again and again.
        guard !argument.hasSuffix(")") else { return nil }
        let name = text[..<open]
        let length = name == "duration" ? argument : argument + (spelledUnit(name) ?? "")
        if case .success = parse(length) { return length }
        return nil
    }

    private static func spelledUnit(_ word: Substring) -> String? {
        switch word.lowercased() {
        case "d", "day", "days": "d"
        case "h", "hr", "hrs", "hour", "hours": "h"
        case "m", "min", "mins", "minute", "minutes": "m"
        case "s", "sec", "secs", "second", "seconds": "s"
        case "ms", "msec", "millisecond", "milliseconds": "ms"
        default: nil
        }
    }
}
