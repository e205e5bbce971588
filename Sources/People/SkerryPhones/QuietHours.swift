public import SkerryExpressions
package import SkerryValues

/// The hours in which nothing sounds or lights up a screen for a person, by the clocks of the house.
///
/// They are compared with the local time of a moment, so they begin and end by the clock on both days on which it changes.
public struct QuietHours: Hashable, Sendable {
    /// The quiet hours of one person.
    public struct Window: Hashable, Sendable {
        /// The person; nil for all who have no hours of their own.
        package var person: String?
        /// The start, in seconds after midnight.
        package var start: Int64
        /// The end, in seconds after midnight; before the start if midnight lies between them.
        package var end: Int64

        package init(person: String?, start: Int64, end: Int64) {
            self.person = person
            self.start = start
            self.end = end
        }
    }

    private let windows: [Window]
    private let zone: TimeZoneRules

    /// The relevance of activities that are heard all the same.
    package static let heardRelevance = 100.0

    /// Makes quiet hours, by default none.
    public init(_ windows: [Window] = [], zone: TimeZoneRules = TimeZoneRules(firstOffset: 0)) {
        self.windows = windows
        // Without hours, all zones are the same.
        self.zone = windows.isEmpty ? TimeZoneRules(firstOffset: 0) : zone
    }

    /// Returns whether a moment is in the quiet hours of a person.
    ///
    /// - Parameters:
    ///   - person: The person; nil for an activity without one.
    ///   - moment: The moment.
    /// - Returns: whether it is quiet then.
    package func isQuiet(for person: String?, at moment: Timestamp) -> Bool {
        hours(of: person, around: moment) != nil
    }

    /// The quiet hours of a person around a moment; nil if it is not quiet then.
    ///
    /// In a night in which the clocks change, one of the two ends is an hour off.
    func hours(of person: String?, around moment: Timestamp) -> Range<Timestamp>? {
        guard let window = window(of: person) else { return nil }
        let seconds = moment.flooredSeconds
        let local = seconds + Int64(zone.offset(at: seconds))
        let since = Self.timeOfDay(local - window.start)
        let length = window.start == window.end ? Self.day : Self.timeOfDay(window.end - window.start)
        guard since < length else { return nil }
        let start = Timestamp(seconds: seconds - since)
        return start..<(start + .seconds(length))
    }

    /// The moment at which the next quiet hours of a person begin; the distant future while it is quiet, and without any.
    func start(for person: String?, after moment: Timestamp) -> Timestamp {
        guard let window = window(of: person), !isQuiet(for: person, at: moment) else {
            return .distantFuture
        }
        let seconds = moment.flooredSeconds
        let local = seconds + Int64(zone.offset(at: seconds))
        return Timestamp(seconds: seconds + Self.day - Self.timeOfDay(local - window.start))
    }

    private static let day: Int64 = 86_400

    private static func timeOfDay(_ seconds: Int64) -> Int64 { seconds - seconds.floorDivided(by: day) * day }

    /// The reason for decisions: whose hours they are.
    package func reason(for person: String?) -> String {
        "quiet hours\(person.map { " of \($0)" } ?? ""): without a sound"
    }

    private func window(of person: String?) -> Window? {
        let own = person.flatMap { person in
            windows.first { $0.person?.hasSameCodePoints(as: person) ?? false }
        }
        return own ?? windows.first { $0.person == nil }
    }
}
