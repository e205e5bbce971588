public import SkerryActivity
public import SkerryPhones
public import SkerryValues

/// Decides which requests a service gets, and when: a value without a clock, and the same for all services.
///
/// The newest state of an activity wins; each arrives at least once. What recipients have is known only until the process
/// ends. After a restart each running activity is sent once more, by the name that it had before, so that it replaces
/// what people see. See docs/sinks.md.
public struct SinkScheduler: Sendable {
    /// Counts for the health report.
    public struct Tally: Hashable, Sendable {
        /// Requests that the service took.
        public var sent: UInt64 = 0
        /// Requests that it did not take, or that got no answer.
        public var failed: UInt64 = 0
        /// Activities with a state that waits.
        public var held = 0

        /// Makes counts of nothing.
        public init() {}
    }

    /// The service.
    var service: SinkService
    var recipients: [SinkRecipient]
    var activities: [[UInt8]: SinkActivity] = [:]
    /// The ids of activities with a delivery that is not settled, in the order of their news.
    var pending: [[UInt8]] = []
    let layouts: SinkLayouts
    var audience: AudiencePolicy
    /// The hours in which nothing sounds.
    public var quiet: QuietHours
    let alertFreshness: Interval
    /// The start of the scheduler: runs that began later are new to every recipient.
    var beganAt: Timestamp
    var lastID: UInt64 = 0
    private var settled: [UInt64] = []
    var counts = Tally()
    var wakeAt: Timestamp?
    /// The moment at which a running activity has to be looked at again without news; nil if none is known.
    var nextVisit: Timestamp?
    var told: [UInt64] = []

    /// The largest number of ended activities that wait; beyond it, the oldest is given up.
    static let endedLimit = 1000
    /// The largest number of activities that are remembered.
    static let activityLimit = 20_000
    /// The window of budgets.
    static let budgetWindow = Interval.hours(1)

    /// Makes a scheduler that knows no activity.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - layouts: The layouts from which texts come.
    ///   - audience: The people who see an activity.
    ///   - quiet: The hours in which nothing sounds.
    ///   - alertFreshness: The age from which an alert is not sent.
    ///   - now: The time.
    public init(
        _ service: SinkService,
        layouts: SinkLayouts,
        audience: AudiencePolicy = AudiencePolicy(),
        quiet: QuietHours = QuietHours(),
        alertFreshness: Interval,
        at now: Timestamp
    ) {
        self.service = service
        self.audience = audience
        self.quiet = quiet
        self.layouts = layouts
        self.alertFreshness = alertFreshness
        beganAt = now
        recipients = zip(service.recipients, service.viewers).map { SinkRecipient(name: $0, viewer: $1) }
    }

    /// Replaces the people who see an activity: running activities are shown to those who see them from now on, and
    /// removed where the service can do that.
    public mutating func setAudience(_ audience: AudiencePolicy) {
        guard audience != self.audience else { return }
        self.audience = audience
        let waiting = Set(pending)
        for key in activities.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard activities[key]?.news.update.phase != .ended else { continue }
            if !waiting.contains(key) { pending.append(key) }
        }
    }

    /// Takes the newest state of an activity; it replaces an earlier one.
    public mutating func show(_ news: SinkNews) {
        let key = Array(news.update.id.utf8)
        lastID += 1
        if var activity = activities[key] {
            activity.news = news
            activity.order = lastID
            activities[key] = activity
            pending.removeAll { $0 == key }
        } else {
            let lanes = [SinkActivity.Lane](repeating: SinkActivity.Lane(), count: recipients.count)
            activities[key] = SinkActivity(news: news, lanes: lanes, order: lastID)
        }
        pending.append(key)
        if news.update.phase == .ended { giveUpOldest(at: news.update.at) }
        forgetOldest()
    }

    /// The deliveries that a newer state may replace, because none of their requests is under way.
    public var replaceable: [UInt64] {
        let flying = recipients.compactMap { $0.flight?.activity }
        return pending.filter { !flying.contains($0) }.compactMap { activities[$0]?.news.delivery }
    }

    /// The deliveries that every recipient has, or does not need, since this was last asked.
    public mutating func takeSettled() -> [UInt64] {
        defer { settled = [] }
        return settled
    }

    /// The deliveries whose alerts every recipient has, and which wait for their dismissal, since this was last asked.
    public mutating func takeTold() -> [UInt64] {
        defer { told = [] }
        return told
    }

    /// The counts since the start.
    public var tally: Tally {
        var tally = counts
        tally.held = pending.count
        return tally
    }

    /// The moment at which ``next(at:clockIsKnown:)`` may return a request though nothing happened; nil for none.
    public var nextDeadline: Timestamp? { wakeAt }

    /// The last decisions about the activities of a device, oldest first.
    public func decisions(kind: String, device: String) -> [PhoneDecision] {
        let start = "\(kind)/\(device)/"
        return recipients.flatMap { $0.decisions.decisions }
            .filter { $0.activity.utf8.starts(with: start.utf8) }.sorted { $0.at < $1.at }
    }

    /// The decisions that were made since this was last asked.
    public mutating func takeNews() -> [PhoneDecision] {
        recipients.indices.flatMap { recipients[$0].decisions.takeNews() }
    }

    /// Moves all moments, because the wall clock was set.
    public mutating func clockStepped(by length: Interval) {
        beganAt = beganAt + length
        wakeAt = wakeAt.map { $0 + length }
        nextVisit = nextVisit.map { $0 + length }
        for index in recipients.indices {
            recipients[index].pausedUntil = recipients[index].pausedUntil.map { $0 + length }
            recipients[index].ledger.clockStepped(by: length)
        }
        for key in activities.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard var activity = activities[key] else { continue }
            activity.news.alertedAt = activity.news.alertedAt + length
            activity.news.update.startedAt = activity.news.update.startedAt + length
            activity.news.update.dismissAt = activity.news.update.dismissAt.map { $0 + length }
            for lane in activity.lanes.indices {
                activity.lanes[lane].clockStepped(by: length)
            }
            activities[key] = activity
        }
    }

    /// Settles deliveries of activities; ended activities are forgotten.
    mutating func settle(_ keys: [[UInt8]]) {
        if keys.isEmpty { return }
        let gone = Set(keys)
        pending.removeAll { gone.contains($0) }
        for key in keys {
            guard let activity = activities[key] else { continue }
            settled.append(activity.news.delivery)
            if activity.news.update.phase == .ended { activities[key] = nil }
        }
    }

    /// Keeps the memory bounded while a service can't be reached.
    private mutating func giveUpOldest(at now: Timestamp) {
        guard pending.count > Self.endedLimit else { return }
        let flying = recipients.compactMap { $0.flight?.activity }
        let ended = pending.filter { activities[$0]?.news.update.phase == .ended && !flying.contains($0) }
        let excess = Array(ended.prefix(max(ended.count - Self.endedLimit, 0)))
        for key in excess {
            let id = activities[key]?.news.update.id ?? ""
            for index in recipients.indices {
                recipients[index].note(.over, "given up: too many ended activities wait", of: id, at: now)
            }
            counts.failed += 1
        }
        settle(excess)
    }

    /// Forgets what recipients have of the activities that had no news for longest, if there are too many.
    private mutating func forgetOldest() {
        guard activities.count > Self.activityLimit else { return }
        let waiting = Set(pending)
        let idle = activities.filter { !waiting.contains($0.key) }.sorted { $0.value.order < $1.value.order }
        // Many at once, so that sorting is rare.
        for (key, _) in idle.prefix(Self.activityLimit / 2) { activities[key] = nil }
    }
}
