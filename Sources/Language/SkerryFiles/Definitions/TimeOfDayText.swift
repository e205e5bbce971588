import SkerryDevice
import SkerryValues

/// Times of day as definitions write them: `22:00`, `mon-fri 06:30`, `sat,sun 08:30`, `sunset`, `sunrise + 30m`.
enum TimeOfDayText {
    /// Why a text is no time of day.
    struct Refusal: Error {
        /// The problem, to be read after the text.
        var message: String
        var remedy = "write a time such as `22:00`, `mon-fri 06:30`, `sunset` or `sunrise + 30m`"
    }

    private static let weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

    /// The time of day that a text contains.
    static func parse(_ text: String) throws(Refusal) -> TimeOfDay {
        // Blanks are free around `,`, `+` and `-`, and part the days from the time.
        var words = text.split(separator: " ").map(String.init)
        var days = ""
        while let word = words.first, !isTime(word) {
            days += word
            words.removeFirst()
        }
        guard let first = words.first else { throw Refusal(message: "has no time") }
        let weekdays = days.isEmpty ? TimeOfDay.everyDay : try self.weekdays(days)
        let rest = words.dropFirst().joined()
        if first.contains(":") {
            guard let seconds = clock(first) else { throw Refusal(message: "is no time from 00:00 to 23:59") }
            guard rest.isEmpty else {
                throw Refusal(message: "has '\(rest)' after the time", remedy: "write the time that is meant")
            }
            return TimeOfDay(.clock(seconds), on: weekdays, text: text)
        }
        let anchor: TimeOfDay.Anchor = first.hasPrefix("sunrise") ? .sunrise : .sunset
        let length = String(first.dropFirst(anchor == .sunrise ? 7 : 6)) + rest
        return TimeOfDay(anchor, offset: try offset(length), on: weekdays, text: text)
    }

    private static func isTime(_ word: String) -> Bool {
        word.contains(":") || word.hasPrefix("sunrise") || word.hasPrefix("sunset")
    }

    private static func weekdays(_ text: String) throws(Refusal) -> UInt8 {
        var found: UInt8 = 0
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            let days = ends.compactMap { weekdays.firstIndex(of: String($0)) }
            guard days.count == ends.count, (1...2).contains(days.count) else {
                let remedy = "write mon, tue, wed, thu, fri, sat or sun, or several as in `mon-fri,sun`"
                throw Refusal(message: "has '\(part)' where a day of the week belongs", remedy: remedy)
            }
            var day = days[0]
            found |= 1 << UInt8(day)
            while day != days[days.count - 1] {
                day = (day + 1) % 7
                found |= 1 << UInt8(day)
            }
        }
        return found
    }

    /// Seconds since midnight of `h:mm` or `h:mm:ss`; nil for other texts.
    static func clock(_ text: some StringProtocol) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isWholeNumber } })
        else { return nil }
        let numbers = parts.compactMap { Int64($0) }
        guard numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
    }

    private static func offset(_ text: String) throws(Refusal) -> Interval {
        guard let sign = text.first else { return .zero }
        let remedy = "write it as in `sunset - 30m`, with at most 12h"
        guard sign == "+" || sign == "-",
            case .success(let length) = DurationText.parse(String(text.dropFirst())),
            length <= TimeOfDay.offsetLimit
        else { throw Refusal(message: "has '\(text)' after the sun", remedy: remedy) }
        return sign == "+" ? length : .zero - length
    }
}

extension DefinitionBuilder {
    mutating func timeOfDay(_ source: SourceText) -> TimeOfDay? {
        do throws(TimeOfDayText.Refusal) {
            return try TimeOfDayText.parse(source.text)
        } catch {
            report(.badValue, source, "'\(source.text)' \(error.message)", remedy: error.remedy)
            return nil
        }
    }

    /// The place of a test.
    mutating func location(_ node: YAMLNode) -> Location? {
        guard let keys = keys(node, of: "'place'", .place) else { return nil }
        var location = Location.utc
        if let zone = keys["zone"].flatMap({ text($0, of: "'zone'") }) {
            if let rules = SystemTimeZones.shared.rules(zone.text) {
                (location.zone, location.name) = (rules, zone.text)
            } else {
                report(
                    .badValue,
                    zone,
                    "there is no time zone '\(zone.text)'",
                    remedy: "write a name of the time zone database, such as Europe/Berlin"
                )
            }
        }
        let latitude = keys["latitude"].flatMap { number($0, of: "'latitude'", in: -90...90) }
        let longitude = keys["longitude"].flatMap { number($0, of: "'longitude'", in: -180...180) }
        if let latitude, let longitude {
            location.coordinates = Location.Coordinates(latitude: latitude, longitude: longitude)
        } else if let pair = keys.pair("latitude") ?? keys.pair("longitude") {
            report(.missingKey, pair.key, "a place on the earth has 'latitude' and 'longitude'")
        }
        return location
    }
}
