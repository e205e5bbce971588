import SkerryValues

/// What goes one after the other to one activity on one phone, or on one channel.
///
/// The `timestamp`s only grow, there is at most one push per second, one is on its way at a time, and after trouble
/// there are pauses.
struct Line: Sendable {
    /// The last `timestamp` that was sent.
    private(set) var lastTimestamp: Int64 = 0
    /// When something was sent last.
    private(set) var lastSentAt: Timestamp?
    /// The revision whose alert was sent last.
    private(set) var lastAlertRev: Int64 = 0
    /// What is on its way and not answered.
    private(set) var flight: Flight?
    /// A pause after something went wrong.
    private(set) var trouble: Trouble?
    /// The content that was refused; it is not sent again.
    var refusedKey: UInt64?

    /// What the answer to a push needs to know.
    struct Flight: Sendable {
        var push: UInt64
        var instance: Int
        /// Nil for creating and deleting channels.
        var event: Push.Event?
        var shown: Shown
        /// The revision whose alert had been sent before.
        var alertRevBefore: Int64
    }

    /// A pause after something went wrong.
    struct Trouble: Sendable {
        var failedAt: Timestamp
        var until: Timestamp
        /// How often in a row.
        var failures: Int
        /// The last revision with news then; what is newer need not wait so long.
        var newsRev: Int64
        var reason: String
    }

    /// The pause before news goes to where older news was not taken.
    private static let newsPause = Interval.seconds(15)
    /// How far ahead a `timestamp` may lie before phones drop it.
    private static let futureLimit: Int64 = 8 * 3600

    init() {}

    /// The next `timestamp`.
    func nextTimestamp(at now: Timestamp) -> Int64 {
        let seconds = now.flooredSeconds
        return lastTimestamp > seconds + Self.futureLimit ? seconds : max(seconds, lastTimestamp + 1)
    }

    /// When the next push may go, and why not earlier.
    func opens(newsRev: Int64) -> (at: Timestamp, reason: String?) {
        let next = lastSentAt.map { $0 + .seconds(1) } ?? .distantPast
        guard let trouble else { return (next, nil) }
        let news = min(trouble.until, trouble.failedAt + Self.newsPause)
        return (max(next, newsRev > trouble.newsRev ? news : trouble.until), trouble.reason)
    }

    /// Takes note that a push goes out with the present state of an activity, and with the alert of a revision.
    mutating func sent(_ push: Push, of activity: FollowedActivity, alertRev: Int64?, at now: Timestamp) {
        flight = Flight(
            push: push.id,
            instance: push.instance,
            event: push.event,
            shown: Shown(activity, at: now),
            alertRevBefore: lastAlertRev
        )
        if let alertRev { lastAlertRev = alertRev }
        lastTimestamp = push.timestamp
        lastSentAt = now
    }

    /// Lets no `timestamp` be older than one that went to the same phones by another line.
    mutating func follow(_ timestamp: Int64) { lastTimestamp = max(lastTimestamp, timestamp) }

    /// Takes note of an answer: the phone has it, may have it, or has it not for certain.
    mutating func landed(_ outcome: Outcome) {
        switch outcome {
        case .arrived: trouble = nil
        case .unknown: break
        case .refused: lastAlertRev = flight?.alertRevBefore ?? lastAlertRev
        }
        flight = nil
    }

    enum Outcome {
        case arrived
        case unknown
        case refused
    }

    mutating func pause(for length: Interval, newsRev: Int64, reason: String, at now: Timestamp) {
        trouble = Trouble(
            failedAt: now,
            until: now + length,
            failures: (trouble?.failures ?? 0) + 1,
            newsRev: newsRev,
            reason: reason
        )
    }

    /// How often it failed in a row.
    var failures: Int { trouble?.failures ?? 0 }

    /// Ends a pause, because something is new that may change the answer.
    mutating func resume() { trouble = nil }

    mutating func clockStepped(by length: Interval) {
        lastSentAt = lastSentAt.map { $0 + length }
        flight?.shown.clockStepped(by: length)
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
    }

    init(from reader: inout ImageReader) throws(ImageFault) {
        lastTimestamp = try reader.signed()
        lastSentAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        lastAlertRev = try reader.signed()
        refusedKey = try reader.optional { reader throws(ImageFault) in try reader.unsigned() }
    }
}

/// What is seen of an activity on a phone, or on all phones of a channel.
struct Shown: Sendable {
    /// The number of what a person sees; nil when that is not known.
    var key: UInt64?
    /// The last revision.
    var rev: Int64 = 0
    /// From when on it is marked as outdated.
    var staleAt: Timestamp?

    init() {}

    init(_ activity: FollowedActivity, at now: Timestamp) {
        key = activity.key
        rev = activity.update.rev
        staleAt = activity.staleAt(seenFrom: now)
    }

    /// Whether it is what should be seen.
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
