import SkerryExpressions
import SkerryValues

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
    /// A number with its unit, such as `34 min`: the function that takes both.
    case number(String)

    /// Reads a text, as the expression for its form does.
    ///
    /// Without patterns, because each text of each message is tried.
    ///
    /// - Returns: its form, and its length in seconds; nil for a text that names none.
    static func read(_ text: String) -> (form: LengthForm, seconds: Double)? {
        guard text.utf8.count <= 20, let first = text.utf8.first, let last = text.utf8.last else {
            return nil
        }
        if text.utf8.starts(with: "PT".utf8) {
            return seconds(CalendarDuration.parse(text.dropFirst(2).lowercased())).map { (.iso, $0) }
        }
        guard first.isDigit else { return nil }
        if last.isDigit { return seconds(CalendarDuration.parse(clock: text)).map { (.clock, $0) } }
        if let seconds = seconds(CalendarDuration.parse(text.replacing(" ", with: ""))) {
            return (.letters, seconds)
        }
        let name = text.drop { !$0.isLetter }.prefix { $0.isLetter }.lowercased()
        guard let unit = units[name], let number = text.leadingNumber else { return nil }
        return (.number(unit.function), number * unit.seconds)
    }

    private static func seconds(_ value: Value) -> Double? {
        if case .duration(let length) = value { length.interval.inSeconds } else { nil }
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
        case .number(let function): "\(function)(\(place))"
        }
    }
}
