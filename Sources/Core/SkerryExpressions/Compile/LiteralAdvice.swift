import SkerryValues

/// The mistake in a text that can't be converted, and its correct form.
struct LiteralAdvice {
    var message: String
    var hint: String?

    /// Advice for the argument of a conversion; nil when the function is none.
    init?(_ text: String, for function: String) {
        switch function {
        case "int", "uint":
            message = "\"" + text + "\" is not a whole number"
            hint = Double(text) == nil ? "write a number" : "write int(" + text + ")"
        case "double":
            message = "\"" + text + "\" is not a number"
            hint = "write one such as 21.5"
        case "seconds", "minutes", "hours":
            message = "\"" + text + "\" is not a number of " + function
            hint = "write one such as " + function + "(10)"
        case "bool":
            message = "\"" + text + "\" is not a truth value"
            hint = "write true or false"
        case "timestamp":
            let moment = Self.moment(text)
            message =
                moment.map { $0.hasZone } == false
                ? "this moment has no time zone" : "\"" + text + "\" is not a moment"
            hint = "write timestamp(\"" + (moment?.text ?? "2026-03-01T12:00:00Z") + "\")"
        case "clock":
            message = "\"" + text + "\" is not a length of time as clocks show it"
            hint = "write one such as clock(\"1:30:00\")"
        case "duration":
            message = "\"" + text + "\" is not a length of time"
            hint = "write duration(\"" + (Self.length(text) ?? "1h30m") + "\")"
        default: return nil
        }
    }

    /// A moment that somebody wrote otherwise, and whether that had a time zone.
    private static func moment(_ text: String) -> (text: String, hasZone: Bool)? {
        var bytes = Array(text.utf8)
        if let blank = bytes.firstIndex(of: UInt8(ascii: " ")) { bytes[blank] = UInt8(ascii: "T") }
        let written = String(decoding: bytes, as: UTF8.self)
        for end in ["", "Z", ":00Z", "T00:00:00Z"] {
            if case .timestamp = CalendarTimestamp.parse(written + end) {
                return (written + end, end.isEmpty)
            }
        }
        return nil
    }

    /// A length of time that somebody wrote otherwise: `01:23:45`, `10 min`, `1d`, `PT1H`, `90`.
    static func length(_ text: String) -> String? {
        let candidates = [clock(text), units(text), text + "s"]
        for case .some(let candidate) in candidates {
            if case .duration = CalendarDuration.parse(candidate) { return candidate }
        }
        return nil
    }

    private static func clock(_ text: String) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let numbers = parts.map { Int64(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 2 || numbers.count == 3 else { return nil }
        var result = ""
        for (number, unit) in zip(numbers, ["h", "m", "s"]) {
            guard let number, number >= 0 else { return nil }
            result += String(number) + unit
        }
        return result
    }

    private static func units(_ text: String) -> String? {
        var result = ""
        var number: [UInt8] = []
        var word: [UInt8] = []
        func add() -> Bool {
            guard !word.isEmpty else { return number.isEmpty }
            let digits = String(decoding: number, as: UTF8.self)
            switch String(decoding: word, as: UTF8.self) {
            case "d", "day", "days":
                guard let days = Int64(digits), days < 100_000 else { return false }
                result += String(days * 24) + "h"
            case "h", "hr", "hour", "hours": result += digits + "h"
            case "m", "min", "mins", "minute", "minutes": result += digits + "m"
            case "s", "sec", "secs", "second", "seconds": result += digits + "s"
            case "ms": result += digits + "ms"
            default: return false
            }
            (number, word) = ([], [])
            return true
        }
        for byte in text.utf8 where byte != 0x20 {
            if isDigit(byte) || byte == UInt8(ascii: ".") {
                if !word.isEmpty, !add() { return nil }
                number.append(byte)
            } else if number.isEmpty {
                // `PT` of ISO 8601 stands before the numbers.
                guard byte == UInt8(ascii: "P") || byte == UInt8(ascii: "T") else { return nil }
            } else {
                word.append(byte | 0x20)
            }
        }
        return add() && !result.isEmpty ? result : nil
    }
}
