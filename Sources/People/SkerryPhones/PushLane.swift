import SkerryActivity
import SkerryValues

/// The serial queue of pushes to one activity on one phone, or to one channel.
///
/// The `timestamp`s only grow, there is at most one push per second, one is in flight at a time, and after trouble
/// there are pauses.
struct PushLane: Sendable {
    /// The last `timestamp` that was sent.
    private(set) var lastTimestamp: Int64 = 0
    /// The moment of the last push.
    private(set) var lastSentAt: Timestamp?
    /// The revision whose alert was delivered last.
    private(set) var lastAlertRev: Int64 = 0
    /// The last revision whose alert a notification told.
    private var noticedRev: Int64 = 0
    /// The alert that a card may have been sent: the answer to its update or end got lost.
    private(set) var unanswered: Unanswered?
    private(set) var flight: Flight?
    /// A pause after something went wrong.
    private(set) var trouble: Trouble?
    /// The content that was refused; it is not sent again, but an end is sent once without content.
    private(set) var refusedKey: UInt64?
    /// True if the end without content was refused, too.
    private(set) var isBareRefused = false
    /// The recent news, so that a device that flaps does not use up the budget of others.
    private(set) var updates = BudgetLedger()
    /// Those of them that went with priority 10.
    private(set) var hurried = BudgetLedger()

    /// The data needed when the answer to a push comes.
    struct Flight: Sendable {
        var push: UInt64
        var instance: Int
        /// The event; nil for a request about a channel itself.
        var event: Push.Event?
        var shown: Shown
        var told: Told
        var sentAt: Timestamp
    }

    /// The content of a push, beside the state of its activity.
    struct Told: Sendable {
        /// The revision whose alert is sent with it.
        var alertRev: Int64?
        /// True if it is sent without content.
        var isBare = false
        /// True if it counts as news.
        var isNews = false
    }

    /// An alert whose push had no answer.
    struct Unanswered: Sendable {
        /// The revision of the alert.
        var rev: Int64
        /// The moment at which it was sent first.
        var sentAt: Timestamp
    }

    /// A pause after something went wrong.
    struct Trouble: Sendable {
        var failedAt: Timestamp
        var until: Timestamp
        /// The number of failures in a row.
        var failures: Int
        /// The last revision with news at that time; newer news waits less.
        var newsRev: Int64
        var reason: String
        /// True if even vital news must wait.
        var isBinding = false
    }

    enum Urgency {
        /// Whenever it may.
        case plain
        /// News, or an end.
        case news(rev: Int64)
        /// The end of a run, or an alert.
        case vital(rev: Int64)
        /// A request to the channel service, which needs no distance from pushes.
        case manager
    }

    /// The first pause before news after older news was refused.
    private static let newsPause = Interval.seconds(15)
    /// The first pause before an end or an alert is sent again.
    private static let vitalPause = Interval.seconds(30)
    /// The limit for a `timestamp` in the future; phones drop later ones.
    private static let futureLimit: Int64 = 8 * 3600
    /// The window in which the news of one lane is counted.
    static let updateWindow = Interval.minutes(20)
    /// This much news within the window is sent as it comes; more of it is spaced out.
    private static let updateLimit = 24
    private static let updateDistance = Interval.seconds(30)

    init() {}

    /// The next `timestamp`.
    func nextTimestamp(at now: Timestamp) -> Int64 {
        let seconds = now.flooredSeconds
        // Phones ignored the last one then: counting on from it, all that follow would be ignored, too.
        return lastTimestamp > seconds + Self.futureLimit ? seconds : max(seconds, lastTimestamp + 1)
    }

    /// The moment at which the next push may be sent, and the reason for waiting.
    func opens(_ urgency: Urgency, at now: Timestamp) -> (at: Timestamp, reason: String?) {
        // A `timestamp` has whole seconds and only grows: more than one in a second would run ahead of the
        // clock.
        var next = lastSentAt.map { $0 + .seconds(1) } ?? .distantPast
        if case .manager = urgency { next = .distantPast }
        guard let trouble else { return (max(next, keepsDistance(urgency, at: now)), nil) }
        var until = trouble.until
        if !trouble.isBinding {
            switch urgency {
            case .plain, .manager: break
            case .news(let rev):
                if rev > trouble.newsRev { until = min(until, trouble.ends(after: Self.newsPause)) }
            case .vital(let rev):
                let pause = rev > trouble.newsRev ? Self.newsPause : Self.vitalPause
                until = min(until, trouble.ends(after: pause))
            }
        }
        return (max(next, until), trouble.reason)
    }

    /// The earliest moment for a further update of a device with very many updates.
    private func keepsDistance(_ urgency: Urgency, at now: Timestamp) -> Timestamp {
        switch urgency {
        // An end or an alert never waits so that the budget of others lasts.
        case .vital, .manager: return .distantPast
        case .plain, .news: break
        }
        guard let last = updates.spent.last, updates.used(in: Self.updateWindow, at: now) >= Self.updateLimit
        else { return .distantPast }
        return last + Self.updateDistance
    }

    /// Records that a push was sent with the present state of an activity.
    mutating func sent(_ push: Push, of activity: FollowedActivity, _ told: Told, at now: Timestamp) {
        assert(flight == nil, "a push overtakes another one on its way")
        assert(push.timestamp == nextTimestamp(at: now), "a push is dated otherwise than its lane counts")
        assert(push.activity.hasSameCodePoints(as: activity.id), "a push is of another activity")
        flight = Flight(
            push: push.id,
            instance: push.instance,
            event: push.event,
            shown: Shown(activity, at: now),
            told: told,
            sentAt: now
        )
        if told.isNews { updates.spend(in: Self.updateWindow, at: now) }
        if told.isNews, push.priority == .immediate { hurried.spend(in: Self.updateWindow, at: now) }
        assert(!told.isBare || push.event == .end, "an update or a start goes without content")
        assert(!told.isNews || push.event == .update, "what counts as news is no update")
        lastTimestamp = push.timestamp
        lastSentAt = now
    }

    /// Raises the `timestamp` to one that was sent to the same phones by another lane.
    mutating func follow(_ timestamp: Int64) { lastTimestamp = max(lastTimestamp, timestamp) }

    /// Records an answer: the phone has the push, may have it, or certainly does not.
    ///
    /// An alert counts as delivered only when the push arrived; a repeated push carries the same id.
    mutating func landed(_ outcome: Outcome, endsTrouble: Bool = true) {
        assert(flight != nil, "an answer belongs to no push")
        if outcome == .arrived {
            if endsTrouble { trouble = nil }
            if let rev = flight?.told.alertRev {
                told(alert: rev)
                if flight?.event == .notification { noticedRev = max(noticedRev, rev) }
                assert(noticedRev <= lastAlertRev, "a notification told more than the phone has")
            }
        }
        // Before the flight is cleared, of which it is made.
        if outcome == .unknown { unanswered = unansweredByNow }
        flight = nil
    }

    /// The alert that has no answer if none comes to the push in flight.
    ///
    /// A start is remembered by its instance, and a notification replaces the one before it.
    private var unansweredByNow: Unanswered? {
        guard let flight, let rev = flight.told.alertRev, flight.event == .update || flight.event == .end,
            unanswered?.rev != rev
        else { return unanswered }
        return Unanswered(rev: rev, sentAt: flight.sentAt)
    }

    /// Takes note that the phone has the alert of a revision.
    mutating func told(alert rev: Int64) {
        // A channel and the phone's own lane may tell of the same alerts, in either order.
        lastAlertRev = max(lastAlertRev, rev)
        if let unanswered, unanswered.rev <= lastAlertRev { self.unanswered = nil }
    }

    /// Takes note that the token of the push in flight is none, and since when; nil if it never was one.
    ///
    /// An alert without an answer that was sent before that moment reached the card. One that was sent later did not.
    mutating func expired(since moment: Timestamp?) {
        guard let unanswered else { return }
        if let moment, moment + Phone.deliveryTime >= unanswered.sentAt { told(alert: unanswered.rev) }
        self.unanswered = nil
    }

    /// Takes note that the card shows an older revision, so that alerts of later ones were not heard.
    mutating func missed(alertsAfter rev: Int64) {
        // What a notification told was heard, whatever the card shows.
        lastAlertRev = min(lastAlertRev, max(rev, noticedRev))
        assert(lastAlertRev >= noticedRev, "what a notification told was not heard")
        if let unanswered, unanswered.rev > rev { self.unanswered = nil }
    }

    /// Has all that was sent count as before a new epoch.
    mutating func renumber(_ number: Renumbering) {
        lastAlertRev = number(lastAlertRev)
        noticedRev = number(noticedRev)
        assert(noticedRev <= lastAlertRev, "revisions have lost their order")
        if let unanswered { self.unanswered?.rev = number(unanswered.rev) }
        if let trouble { self.trouble?.newsRev = number(trouble.newsRev) }
        guard let flight else { return }
        self.flight?.shown.rev = number(flight.shown.rev)
        self.flight?.told.alertRev = flight.told.alertRev.map { number($0) }
    }

    /// Records that a push was refused for its content.
    mutating func refused(_ key: UInt64?, isBare: Bool) {
        assert(flight == nil, "content is refused while a push is on its way")
        // Of another content, the end without content was not tried yet.
        if refusedKey != key { isBareRefused = false }
        refusedKey = key
        if isBare { isBareRefused = true }
        assert(refusedKey != nil, "content is refused that nobody knows")
    }

    /// Returns whether this content was refused.
    func hasRefused(_ key: UInt64) -> Bool { refusedKey == key }

    /// Takes the refusal back, because it was not for the content.
    mutating func forgive() {
        refusedKey = nil
        isBareRefused = false
    }

    /// The result of a push.
    enum Outcome {
        case arrived, unknown, refused
    }

    /// Begins a pause before the next push.
    mutating func pause(
        for length: Interval,
        newsRev: Int64,
        reason: String,
        isBinding: Bool = false,
        at now: Timestamp
    ) {
        assert(flight == nil, "a pause begins before the answer is noted")
        assert(length > .zero, "a lane pauses for no time: the same push would follow at once")
        trouble = Trouble(
            failedAt: now,
            until: now + length,
            failures: (trouble?.failures ?? 0) + 1,
            newsRev: newsRev,
            reason: reason,
            isBinding: isBinding
        )
    }

    /// Returns whether its news takes more than its share of the pushes that a phone takes at once.
    func hasHadItsShare(of limit: Int, at now: Timestamp) -> Bool {
        hurried.used(in: Self.updateWindow, at: now) >= PushSchedulerSettings.share(of: limit)
    }

    /// The number of failures in a row.
    var failures: Int { trouble?.failures ?? 0 }

    /// Ends a pause, because there is another route to the phone; a pause that the service asked for continues.
    mutating func resume() {
        if trouble?.isBinding != true { trouble = nil }
    }

    mutating func clockStepped(by length: Interval) {
        // Not `lastTimestamp`: phones compare with what they were sent.
        lastSentAt = lastSentAt.map { $0 + length }
        updates.clockStepped(by: length)
        hurried.clockStepped(by: length)
        if var flight {
            flight.shown.clockStepped(by: length)
            flight.sentAt = flight.sentAt + length
            self.flight = flight
        }
        if let unanswered { self.unanswered?.sentAt = unanswered.sentAt + length }
        if var trouble {
            trouble.failedAt = trouble.failedAt + length
            trouble.until = trouble.until + length
            self.trouble = trouble
        }
    }

    func write(to writer: inout ImageWriter) {
        writer.signed(lastTimestamp)
        writer.optional(lastSentAt) { $0.moment($1) }
        writer.signed(lastAlertRev)
        writer.optional(refusedKey) { $0.unsigned($1) }
        writer.flag(isBareRefused)
        updates.write(to: &writer)
        hurried.write(to: &writer)
        writer.optional(trouble) { writer, trouble in
            writer.moment(trouble.failedAt)
            writer.moment(trouble.until)
            writer.count(trouble.failures)
            writer.signed(trouble.newsRev)
            writer.text(trouble.reason)
            writer.flag(trouble.isBinding)
        }
        writer.signed(noticedRev)
        // The result of a push in flight will never be known.
        writer.optional(unansweredByNow) {
            $0.signed($1.rev)
            $0.moment($1.sentAt)
        }
    }

    init(from reader: inout ImageReader, version: UInt8) throws(ImageFault) {
        lastTimestamp = try reader.signed()
        lastSentAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        lastAlertRev = try reader.signed()
        refusedKey = try reader.optional { reader throws(ImageFault) in try reader.unsigned() }
        guard version > 1 else { return }
        isBareRefused = try reader.flag()
        updates = try BudgetLedger(from: &reader)
        hurried = try BudgetLedger(from: &reader)
        trouble = try reader.optional { reader throws(ImageFault) in
            Trouble(
                failedAt: try reader.moment(),
                until: try reader.moment(),
                failures: try reader.smallNumber(),
                newsRev: try reader.signed(),
                reason: try reader.text(),
                isBinding: try reader.flag()
            )
        }
        if version > 9 { noticedRev = try reader.signed() }
        guard version > 10 else { return }
        unanswered = try reader.optional { reader throws(ImageFault) in
            Unanswered(rev: try reader.signed(), sentAt: try reader.moment())
        }
    }
}

extension PushLane.Trouble {
    /// The end of a pause that doubles with each failure.
    fileprivate func ends(after first: Interval) -> Timestamp {
        // Without a random part: it is computed at each look, and has to stay the same.
        failedAt + Pause.length(after: failures - 1, first, .minutes(15), 0)
    }
}

/// The visible state of an activity on a phone, or on all phones of a channel.
struct Shown: Sendable {
    /// A hash of what a person sees; nil if it is unknown.
    var key: UInt64?
    /// The last revision.
    var rev: Int64 = 0
    /// The moment from which it is marked as outdated.
    var staleAt: Timestamp?

    init() {}

    init(_ activity: FollowedActivity, at now: Timestamp) {
        key = activity.key
        rev = activity.update.rev
        staleAt = activity.staleAt(seenFrom: now)
    }

    /// Returns whether it matches the present state of the activity.
    func isCurrent(_ activity: FollowedActivity, at now: Timestamp) -> Bool {
        key == activity.key && staleAt == activity.staleAt(seenFrom: now)
    }

    mutating func clockStepped(by length: Interval) { staleAt = staleAt.map { $0 + length } }

    func write(to writer: inout ImageWriter) {
        writer.optional(key) { $0.unsigned($1) }
        writer.signed(rev)
        writer.optional(staleAt) { $0.moment($1) }
    }

    init(from reader: inout ImageReader) throws(ImageFault) {
        key = try reader.optional { reader throws(ImageFault) in try reader.unsigned() }
        rev = try reader.signed()
        staleAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
    }
}
