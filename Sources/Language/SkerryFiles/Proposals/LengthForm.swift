/// A form in which devices write lengths of time into texts.
enum LengthForm: Hashable {
    /// `1:23:45`, or `1:23` for hours and minutes.
    case clock
    /// `12:30` for minutes and seconds.
    case minutesAndSeconds
    /// As ISO 8601 has it, such as `PT1H5M`; without days.
    case iso
    /// `1h 5m`.
    case letters
    /// A number with its unit, such as `34 min`: the function that takes the number, and the unit with what parts them.
    case number(String, unit: String)

    /// Reads a text.
    ///
    /// Without patterns, because each text of each message is tried.
    ///
    /// - Returns: its form, and its length in seconds; nil for a text that names none.
    static func read(_ text: String) -> (form: LengthForm, seconds: Double)? {
        guard text.utf8.count <= 20, let first = text.utf8.first else { return nil }
        if first == UInt8(ascii: "P") {
            guard text.utf8.starts(with: "PT".utf8) else { return nil }
            return sum(text.utf8.dropFirst(2), "HMS").map { (.iso, $0) }
        }
        guard first.isDigit else { return nil }
        if let seconds = clock(text) { return (.clock, seconds) }
        if let seconds = sum(text.utf8[...], "hms") { return (.letters, seconds) }
        return number(text)
    }

    /// The seconds of `1:23:45` or `1:23`.
    private static func clock(_ text: String) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.allSatisfy(\.isDigit) }) else {
            return nil
        }
        var seconds = 0.0
        for (part, unit) in zip(parts, [3600.0, 60, 1]) {
            guard let number = Double(Substring(part)) else { return nil }
            guard unit == 3600 || part.count == 2 && number < 60 else { return nil }
            seconds += number * unit
        }
        return seconds
    }

    /// The seconds of numbers, each with the letter of its unit behind it, in the order of these letters.
    private static func sum(_ text: Substring.UTF8View, _ letters: String) -> Double? {
        var units = Array(zip(letters.utf8, [3600.0, 60, 1]))[...]
        var (seconds, number) = (0.0, 0.0)
        var (hasNumber, isFraction) = (false, false)
        for byte in text {
            if byte.isDigit {
                if !isFraction { number = number * 10 + Double(byte - UInt8(ascii: "0")) }
                hasNumber = true
            } else if byte == UInt8(ascii: "."), hasNumber {
                isFraction = true
            } else if let place = units.firstIndex(where: { $0.0 == byte }), hasNumber {
                seconds += number * units[place].1
                units = units[(place + 1)...]
                (number, hasNumber, isFraction) = (0, false, false)
            } else if byte != UInt8(ascii: " ") || hasNumber {
                return nil
            }
        }
        return hasNumber || units.count == letters.utf8.count ? nil : seconds
    }

    /// A number with its unit.
    private static func number(_ text: String) -> (form: LengthForm, seconds: Double)? {
        let end = text.utf8.firstIndex { !$0.isDigit && $0 != UInt8(ascii: ".") }
        guard let end, let number = Double(text[..<end]) else { return nil }
        let name = text[end...].drop { $0 == " " }.lowercased()
        guard let unit = units[name.hasSuffix(".") ? String(name.dropLast()) : name] else { return nil }
        return (.number(unit.function, unit: String(text[end...])), number * unit.seconds)
    }

    private static let units: [String: (function: String, seconds: Double)] = {
        let names: [(function: String, seconds: Double, names: [String])] = [
            ("seconds", 1, ["s", "sec", "secs", "second", "seconds", "sek", "sekunden"]),
            ("minutes", 60, ["min", "mins", "minute", "minutes", "minuten"]),
            ("hours", 3600, ["hr", "hrs", "hour", "hours", "std", "stunden"]),
        ]
        let units = names.flatMap { unit in unit.names.map { ($0, (unit.function, unit.seconds)) } }
        return Dictionary(uniqueKeysWithValues: units)
    }()

    /// The expression for the length of time that stands at a place.
    func expression(_ place: String) -> String {
        switch self {
        case .clock: "clock(\(place))"
        case .minutesAndSeconds: "clock(\"0:\" + \(place))"
        case .iso: "duration(\(place).substring(2).lowerAscii())"
        case .letters: "duration(\(place).replace(\" \", \"\"))"
        case .number(let function, let unit): "\(function)(\(place).replace(\"\(unit)\", \"\"))"
        }
    }
}
