import SkerryValues

/// The widgets of an app on a phone: by which token they are drawn again, and why they should be.
///
/// One push has all widgets of the app ask for their timelines.
struct PhoneWidgets: Sendable {
    /// The reason to draw them again.
    struct News: Sendable {
        /// The moment of the first change that they don't show.
        var since: Timestamp
        /// The activity that changed last.
        var activity: String
        /// True if an activity has another state; otherwise it has new values only.
        var isState: Bool

        /// Adds an earlier reason.
        func after(_ earlier: News?) -> News {
            guard let earlier else { return self }
            return News(
                since: min(since, earlier.since),
                activity: activity,
                isState: isState || earlier.isState
            )
        }
    }

    var token = TokenSlot()
    /// The kinds of devices whose widgets its user has placed; nil if the phone does not tell.
    private(set) var kinds: [String]?
    /// The moment at which the phone knew these kinds.
    private var kindsConfirmedAt = Timestamp.distantPast
    /// The reason to draw them again; nil without one.
    private(set) var news: News?
    /// The push on its way, and its reason.
    private(set) var flight: (push: UInt64, news: News)?
    /// The pushes within the last day.
    private(set) var spent = BudgetLedger()
    private var lastSentAt: Timestamp?
    private var pausedUntil: Timestamp?
    /// The failures in a row.
    private(set) var failures = 0
    /// The last reason for waiting that was noted, as a number.
    var lastHold: UInt64?

    /// The window of the budget, which is that of WidgetKit.
    static let budgetWindow = Interval.hours(24)
    /// The time in which several changes become one push.
    private static let gathering = Interval.seconds(5)
    /// The shortest time between two pushes for new states.
    private static let stateGap = Interval.minutes(1)
    /// The shortest time between two pushes of which the second tells of new values.
    private static let valueGap = Interval.minutes(15)

    /// Takes in which widgets its user has placed.
    mutating func place(_ kinds: [String], confirmedAt: Timestamp) {
        guard confirmedAt >= kindsConfirmedAt else { return }
        (self.kinds, kindsConfirmedAt) = (kinds, confirmedAt)
    }

    /// Returns whether devices of a kind have a widget that can be drawn again.
    func show(_ kind: String) -> Bool {
        // An app that does not tell its widgets may have some of any kind.
        token.token != nil && kinds?.contains { $0.hasSameCodePoints(as: kind) } ?? true
    }

    /// Takes in a reason to draw them again.
    ///
    /// - Returns: whether that changes when they are.
    mutating func outdated(by next: News) -> Bool {
        let before = news
        news = next.after(before)
        return before == nil || before?.isState != news?.isState
    }

    /// The moment from which a push may go; nil without a reason for one, and while one is on its way.
    var dueAt: Timestamp? {
        guard let news, flight == nil, token.token != nil else { return nil }
        let gap = news.isState ? Self.stateGap : Self.valueGap
        let next = lastSentAt.map { $0 + gap } ?? .distantPast
        return max(news.since + Self.gathering, next, pausedUntil ?? .distantPast)
    }

    mutating func sent(_ push: UInt64, _ news: News, at now: Timestamp) {
        assert(flight == nil, "two pushes draw the widgets of a phone at once")
        assert(
            self.news?.since == news.since,
            "widgets are drawn again for another reason than the present one"
        )
        assert(token.token != nil, "widgets are drawn again that can't be reached")
        flight = (push, news)
        self.news = nil
        lastHold = nil
        lastSentAt = now
        spent.spend(in: Self.budgetWindow, at: now)
    }

    /// Notes that the push on its way was answered, or never will be.
    ///
    /// - Parameters:
    ///   - isSpent: True if the phone may have it.
    ///   - isDone: True if the same push is not to be sent again.
    ///   - pause: The time until another one may go; nil after a success.
    ///   - now: The time.
    mutating func landed(isSpent: Bool, isDone: Bool, pause: Interval?, at now: Timestamp) {
        assert(flight != nil, "an answer belongs to no push")
        if !isDone, let flight { news = news?.after(flight.news) ?? flight.news }
        if !isSpent { spent.takeBack() }
        assert(isDone || news != nil, "a push that goes again has lost its reason")
        flight = nil
        failures = pause == nil ? 0 : failures + 1
        pausedUntil = pause.map { now + $0 }
    }

    /// Takes over what another pairing of the same phone has spent.
    mutating func adopt(_ other: PhoneWidgets) {
        spent = other.spent
        lastSentAt = other.lastSentAt
    }

    mutating func clockStepped(by length: Interval) {
        // Not when tokens and kinds were confirmed: the phone tells that, whose clock was not set.
        if let news { self.news?.since = news.since + length }
        if let flight { self.flight?.news.since = flight.news.since + length }
        spent.clockStepped(by: length)
        lastSentAt = lastSentAt.map { $0 + length }
        pausedUntil = pausedUntil.map { $0 + length }
    }
}

extension PhoneWidgets {
    func write(to writer: inout ImageWriter) {
        token.write(to: &writer)
        writer.optional(kinds) { $0.list($1) { $0.text($1) } }
        writer.moment(kindsConfirmedAt)
        // The next process will not learn the result of a push in flight, so that goes again.
        writer.optional(flight.map { news?.after($0.news) ?? $0.news } ?? news) {
            $0.moment($1.since)
            $0.text($1.activity)
            $0.flag($1.isState)
        }
        spent.write(to: &writer)
        writer.optional(lastSentAt) { $0.moment($1) }
        writer.optional(pausedUntil) { $0.moment($1) }
        writer.count(failures)
    }

    init(from reader: inout ImageReader, version: UInt8) throws(ImageFault) {
        token = try TokenSlot(from: &reader, version: version)
        kinds = try reader.optional { reader throws(ImageFault) in
            try reader.list { reader throws(ImageFault) in try reader.text() }
        }
        kindsConfirmedAt = try reader.moment()
        news = try reader.optional { reader throws(ImageFault) in
            News(since: try reader.moment(), activity: try reader.text(), isState: try reader.flag())
        }
        spent = try BudgetLedger(from: &reader)
        lastSentAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        pausedUntil = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        failures = try reader.smallNumber()
    }
}
