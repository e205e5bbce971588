import SkerryActivity
import SkerryPhones
import SkerryValues

/// An activity as the scheduler of a sink knows it: its newest state, and what each recipient has of it.
struct SinkActivity: Sendable {
    /// The part of an activity that one recipient has.
    struct Lane: Sendable {
        /// The newest revision that the recipient has, or does not need; 0 for none.
        var rev: Int64 = 0
        /// The epoch of that revision.
        var epoch: Int64 = 0
        /// The activity as the recipient shows it, for comparing; nil if that is unknown.
        var shown: ShownActivity?
        /// A hash of all that it could show; 0 if that is unknown.
        var look: UInt64 = 0
        /// The phase of the revision that it shows.
        var phase = ActivityPhase.active
        /// True if a request left, so that the recipient may show the activity.
        var isAsked = false
        /// The last request that arrived; nil for none.
        var sentAt: Timestamp?
        /// The moment of the last start, or of an attempt that may have arrived; nil for none.
        var startedAt: Timestamp?
        /// Nothing is sent before: the recipient was asked to remove the activity, and gets it again then.
        var restsUntil: Timestamp?
        /// True if the last state arrived with an alert, which stays to be seen for a while.
        var endedWithAlert = false
        /// True if nothing more is sent.
        var isOver = false
        /// True if the activity was not for the recipient last; what it had in an earlier process is not known.
        var isUnseen = false
        /// A hash of the last reason why nothing was sent, which is told once; nil after a request.
        var told: UInt64?

        /// The lane of a recipient that does not see the activity.
        static let unseen: Lane = {
            var lane = Lane()
            lane.isUnseen = true
            return lane
        }()

        /// Returns the lane of a recipient to which an earlier process has sent the last state, perhaps with an alert and a moment ago.
        static func had(_ update: ActivityUpdate, before now: Timestamp) -> Lane {
            var lane = Lane()
            lane.rev = update.rev
            lane.epoch = update.epoch
            lane.phase = update.phase
            lane.isAsked = true
            lane.endedWithAlert = true
            lane.sentAt = now
            return lane
        }

        /// Moves its moments by a step of the wall clock.
        mutating func clockStepped(by length: Interval) {
            sentAt = sentAt.map { $0 + length }
            startedAt = startedAt.map { $0 + length }
            restsUntil = restsUntil.map { $0 + length }
        }

        /// Records that the recipient was asked to remove the activity, which it may get again as long as that has not
        /// ended.
        mutating func clear(after phase: ActivityPhase) {
            assert(!isOver, "a card that is gone was to be removed again")
            if phase == .ended { isOver = true } else { self = .unseen }
        }
    }

    /// The newest state.
    var news: SinkNews
    /// For each recipient what it has.
    var lanes: [Lane]
    /// The number of the news: the larger, the later it came.
    var order: UInt64

    /// Returns whether a recipient has the newest state.
    func isKnown(to recipient: Int) -> Bool {
        let lane = lanes[recipient]
        return lane.epoch == news.update.epoch && lane.rev >= news.update.rev
    }

    /// The start of the activity at a recipient, for all that is known: of what an earlier process has started, the run's own.
    func start(at recipient: Int) -> Timestamp { lanes[recipient].startedAt ?? news.update.startedAt }

    /// Returns whether a recipient has nothing of the activity yet.
    ///
    /// What an earlier process has sent is not known. A run that began under this process is new, and one of which the
    /// service has not taken the start; so is one that was not for the recipient so far.
    func isNew(to recipient: Int, since began: Timestamp) -> Bool {
        let lane = lanes[recipient]
        guard lane.sentAt == nil else { return false }
        return lane.isUnseen || news.update.kind == .started || news.update.startedAt >= began
    }

    /// The newest state for a recipient: without an alert that it has, or that is too old.
    func update(for recipient: Int, freshAfter oldest: Timestamp) -> ActivityUpdate {
        let lane = lanes[recipient]
        var update = news.update
        let isKnown = lane.epoch == update.epoch && news.alertRev <= lane.rev
        if isKnown || news.alertedAt < oldest { update.alert = nil }
        return update
    }

    /// Returns whether a state that was raised at one moment and is sent at another must not sound for a recipient.
    func isQuiet(
        _ update: ActivityUpdate,
        for viewer: SinkViewer,
        _ hours: QuietHours,
        at now: Timestamp
    ) -> Bool {
        guard case .person(let person) = viewer, update.relevance < QuietHours.heardRelevance else {
            return false
        }
        if update.alert?.level == .critical { return false }
        if hours.isQuiet(for: person, at: now) { return true }
        return update.alert != nil && hours.isQuiet(for: person, at: news.alertedAt)
    }
}

/// Who looks at what a recipient gets.
enum SinkViewer: Sendable {
    /// A program that sees every activity, as on MQTT.
    case everybody
    /// A person; nil for a recipient without one, which gets only what is for everybody.
    case person(String?)

    /// The same in words, for reasons.
    var name: String {
        switch self {
        case .everybody: "everybody"
        case .person(let name): name ?? "a recipient without a person"
        }
    }
}

struct SinkRecipient: Sendable {
    /// Its name in decisions and in the log.
    let name: String
    /// Who looks at what it gets.
    let viewer: SinkViewer
    /// The requests of the last hour.
    var ledger = BudgetLedger()
    /// The request under way; nil for none.
    ///
    /// Requests to a recipient go one after the other, so none overtakes another.
    var flight: SinkFlight?
    /// Failures in a row.
    var failures = 0
    /// The end of a pause after failures.
    var pausedUntil: Timestamp?
    var pauseReason = ""
    /// True if it wants no further requests.
    var isGone = false
    /// The last decisions about it.
    var decisions = DecisionRing()

    /// Why it gets nothing that sounds.
    func quietReason(_ hours: QuietHours) -> String {
        if case .person(let person) = viewer { hours.reason(for: person) } else { hours.reason(for: nil) }
    }

    /// Records a decision.
    mutating func note(
        _ kind: PhoneDecision.Kind,
        _ text: String,
        of activity: String,
        until: Timestamp? = nil,
        at now: Timestamp
    ) {
        decisions.note(
            PhoneDecision(at: now, phone: name, activity: activity, kind: kind, text: text, until: until)
        )
    }
}

/// A request under way.
struct SinkFlight: Sendable {
    /// The number of the request.
    var id: UInt64
    /// The bytes of the activity's id.
    var activity: [UInt8]
    /// The state that it carries.
    var scene: SinkScene
}
