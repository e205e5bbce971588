public import SkerryValues

/// The time for which readers keep an activity that has ended.
public enum ActivityDismissal: Equatable, Sendable {
    /// Four hours.
    case `default`
    /// Not at all.
    case immediate
    /// This long, at most four hours.
    case after(Interval)

    /// The longest time that an ended activity is kept.
    public static let longest = Interval.hours(4)
    /// The time for which an alert stays to be seen when its activity is dismissed at once.
    public static let alertShown = Interval.minutes(1)

    /// The time from the end to the dismissal, 0 to four hours.
    public var delay: Interval {
        switch self {
        case .default: ActivityDismissal.longest
        case .immediate: .zero
        case .after(let delay): min(max(delay, .zero), ActivityDismissal.longest)
        }
    }
}
