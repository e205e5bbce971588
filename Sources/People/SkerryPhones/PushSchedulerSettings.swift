package import SkerryValues

/// Budgets for pushes to phones, and the time limits of the household.
///
/// Apple publishes none of the budgets; the defaults stay below measured values.
public struct PushSchedulerSettings: Sendable {
    /// Pushes of priority 10 that a phone takes within ``budgetWindow``.
    package var immediateBudget = 15
    /// The same for a phone whose user allows frequent updates.
    package var frequentBudget = 60
    /// Activities that can be started on a phone within ``budgetWindow``.
    package var startBudget = 8
    /// The length of the window that slides over the budgets.
    package var budgetWindow = Interval.hours(1)
    /// Pushes by which the widgets of a phone are drawn again within a day; 0 for none.
    ///
    /// WidgetKit draws a widget that is often seen 40 to 70 times in a day.
    package var widgetBudget = 40
    /// Activities that a phone shows for one app; more are not started.
    package var places = 5
    /// True if phones with iOS 18 follow an activity on a broadcast channel: one push for the whole household.
    ///
    /// The app needs the capability. Phones that can't are pushed to one by one.
    public var usesChannels = false
    /// The bundle id of the usual app, whose phones need not tell it; nil without a key.
    public var bundleID: String?
    /// Further apps, each with a key of its own.
    package var otherApps: [OtherApp] = []
    /// The time after a start until a missing update token counts as overdue.
    package var tokenPatience = Interval.minutes(10)
    /// The age from which a push-to-start token counts as old: APNs accepts pushes to a dead one.
    package var tokenAge = Interval.hours(14 * 24)
    /// The longest wait of an alert; a later push goes without it.
    package var alertFreshness = Interval.minutes(10)
    /// The age at which an activity is replaced by a new one of the same run.
    package var renewalAge = Interval.minutes(450)

    /// The part of a budget of priority 10 that is reserved for starts, ends and alerts.
    static func reserve(of limit: Int) -> Int { limit / 4 }
    /// The part of a budget of priority 10 that the news of one activity may use within ``PushLane/updateWindow``.
    static func share(of limit: Int) -> Int { max(1, limit / 3) }

    /// The longest time for which iOS keeps an activity active.
    package static let activeLimit = Interval.hours(8)
    /// The longest time for which iOS shows an activity, the time after its end included.
    package static let shownLimit = Interval.hours(12)
    /// The longest body for a channel in bytes; others have ``LiveActivityContract/limit``.
    package static let broadcastLimit = 5120

    /// Makes the default settings.
    public init() {}

    /// An app beside the usual one.
    package struct OtherApp: Hashable, Sendable {
        /// Its bundle id.
        package var bundleID: String
        /// True if its phones with iOS 18 follow activities on broadcast channels.
        package var usesChannels: Bool

        package init(bundleID: String, usesChannels: Bool = false) {
            self.bundleID = bundleID
            self.usesChannels = usesChannels
        }
    }
}

extension PushSchedulerSettings {
    /// The bundle ids of all apps; none without a key, when phones may have any app.
    package var bundleIDs: [String] { bundleID.map { [$0] + otherApps.map { $0.bundleID } } ?? [] }

    /// The name of an app in pushes and images, which is empty for the usual one.
    func app(_ reported: String?) -> String {
        guard let bundleID, let reported, !reported.hasSameCodePoints(as: bundleID) else { return "" }
        return reported
    }

    /// Returns whether there is a key for an app.
    func hasKey(of app: String) -> Bool {
        app.isEmpty || otherApps.contains { $0.bundleID.hasSameCodePoints(as: app) }
    }

    /// Returns whether phones follow activities of an app on broadcast channels.
    func usesChannels(of app: String) -> Bool {
        app.isEmpty
            ? usesChannels
            : otherApps.contains { $0.usesChannels && $0.bundleID.hasSameCodePoints(as: app) }
    }
}
