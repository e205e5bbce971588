import SkerryExpressions
public import SkerryValues

/// A moment that comes on some or all days of the week: a time by the clock, or sunrise or sunset.
public struct TimeOfDay: Sendable {
    /// The event of the day from which it counts.
    public enum Anchor: Hashable, Sendable {
        /// A time by the clock, in seconds since midnight.
        case clock(Int64)
        /// The upper edge of the sun appears.
        case sunrise
        /// The upper edge of the sun disappears.
        case sunset
    }

    /// The event of the day.
    public var anchor: Anchor
    /// The time from the event; negative means before it.
    public var offset: Interval
    /// The days of the week, a bit for each, the lowest for Sunday.
    public var weekdays: UInt8
    /// The text as it was written.
    public var text: String

    /// The days of every week.
    public static let everyDay: UInt8 = 0b111_1111
    /// The longest time before or after the event.
    public static let offsetLimit = Interval.hours(12)

    /// Makes one.
    public init(
        _ anchor: Anchor,
        offset: Interval = .zero,
        on weekdays: UInt8 = TimeOfDay.everyDay,
        text: String
    ) {
        self.anchor = anchor
        self.offset = offset
        self.weekdays = weekdays
        self.text = text
    }

    /// True if it comes with the sun, and not by the clock.
    public var isOfSun: Bool {
        if case .clock = anchor { false } else { true }
    }

    /// True if it comes at the same moments as another one.
    public func equals(_ other: TimeOfDay) -> Bool {
        anchor == other.anchor && offset == other.offset && weekdays == other.weekdays
    }

    /// The next moment at which it comes at a location, later than a given one.
    ///
    /// - Returns: The moment; nil when it does not come within a year.
    public func next(after moment: Timestamp, at location: Location) -> Timestamp? {
        let seconds = moment.flooredSeconds
        let local = seconds + Int64(location.zone.offset(at: seconds))
        let today = local.floorDivided(by: Self.secondsPerDay)
        // An offset may reach into the next day. In polar regions the sun does not rise or set for months.
        for day in today - 2...today + (isOfSun ? 400 : 9) where isOn(day) {
            guard let found = self.moment(on: day, at: location), found > moment else { continue }
            return found
        }
        return nil
    }

    /// The moment at which it comes on a day, counted from 1970-01-01; nil when it does not come on that day.
    private func moment(on day: Int64, at location: Location) -> Timestamp? {
        let midnight = day * Self.secondsPerDay
        if case .clock(let seconds) = anchor {
            return Timestamp(seconds: location.zone.moment(ofLocal: midnight + seconds))
        }
        guard let coordinates = location.coordinates else { return nil }
        let noon = location.zone.moment(ofLocal: midnight + Self.secondsPerDay / 2)
        let sun = Sun(at: coordinates, on: noon)
        return (anchor == .sunrise ? sun.rise : sun.set).map { Timestamp(seconds: $0) + offset }
    }

    /// True if it comes on a day; 1970-01-01 was a Thursday.
    private func isOn(_ day: Int64) -> Bool {
        let weekday = day + 4 - (day + 4).floorDivided(by: 7) * 7
        return weekdays & (1 << UInt8(weekday)) != 0
    }

    private static let secondsPerDay: Int64 = 86_400
}
