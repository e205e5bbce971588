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
    /// - Returns: its form, and its length in seconds; nil for a text that names none.
    static func read(_ text: String) -> (form: LengthForm, seconds: Double)? {
        guard text.utf8.count <= 20, text.contains(where: \.isNumber) else { return nil }
        if let match = text.wholeMatch(of: /(\d+):([0-5]\d)(?::([0-5]\d))?/) {
            return (.clock, length(match.output.1, match.output.2, match.output.3))
        }
        if let match = text.wholeMatch(of: /PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?/) {
            return (.iso, length(match.output.1, match.output.2, match.output.3))
        }
        if let match = text.wholeMatch(of: /(?:(\d+)h ?)?(?:(\d+)m ?)?(?:(\d+)s)?/) {
            return (.letters, length(match.output.1, match.output.2, match.output.3))
        }
        if let match = text.wholeMatch(of: /(\d+(?:\.\d+)?)( ?([A-Za-z]{1,8})\.?)/),
            let unit = units[match.output.3.lowercased()], let number = Double(match.output.1)
        {
            return (.number(unit.function, unit: String(match.output.2)), number * unit.seconds)
        }
        return nil
    }

    private static func length(_ hours: Substring?, _ minutes: Substring?, _ seconds: Substring?) -> Double {
        zip([hours, minutes, seconds], [3600.0, 60, 1]).reduce(0) { sum, part in
            sum + (part.0.flatMap { Double($0) } ?? 0) * part.1
        }
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
