public import SkerryValues

/// How much phones are asked to take, and how patient the household is with them.
///
/// Apple publishes none of the budgets; the defaults stay below what people have measured.
public struct HouseholdSettings: Sendable {
    /// Pushes of priority 10 that a phone takes within ``budgetWindow``.
    public var immediateBudget = 15
    /// The same for a phone whose user allows frequent updates.
    public var frequentBudget = 60
    /// Activities that can be started on a phone within ``budgetWindow``.
    public var startBudget = 8
    /// The length of the window that slides over the budgets.
    public var budgetWindow = Interval.hours(1)
    /// Activities that a phone shows for one app; more are not started.
    public var places = 5
    /// Whether phones with iOS 18 follow an activity on a broadcast channel: one push for the whole household.
    ///
    /// The app needs the capability. Phones that can't are pushed to one by one.
    public var usesChannels = false
    /// How long after a start the update token may take before it counts as overdue.
    public var tokenPatience = Interval.minutes(10)
    /// How long after its confirmation a push-to-start token counts as old: APNs accepts pushes to a dead one.
    public var tokenAge = Interval.hours(14 * 24)
    /// How long an alert may wait; a later push goes without it.
    public var alertFreshness = Interval.minutes(10)
    /// How long an activity is shown before a new one of the same run takes its place.
    public var renewalAge = Interval.minutes(450)

    /// How many of so many pushes of priority 10 are kept for starts, ends and alerts.
    static func reserve(of limit: Int) -> Int { limit / 4 }
    /// How many of so many pushes of priority 10 the news of one activity may take within ``Line/updateWindow``.
    static func share(of limit: Int) -> Int { max(1, limit / 3) }

    /// How long iOS lets an activity be active.
    public static let activeLimit = Interval.hours(8)
    /// How long iOS shows an activity at most, the time after its end included.
    public static let shownLimit = Interval.hours(12)
    /// The longest body for a channel in bytes; others have ``LiveActivityContract/limit``.
    public static let broadcastLimit = 5120

    /// Makes the default settings.
    public init() {}
}
