import SkerryActivity
import SkerryValues

// Cards that the app of another system shows: it has a token for each, which comes after the start, and iOS ends them after
// eight hours; a clock that has run down counts on.
extension SinkScheduler {
    /// Looks again at the running activities whose cards are to be renewed, or whose clocks have run down.
    mutating func visitCards(at now: Timestamp) {
        assert(wakeAt == nil, "a moment to wake is lost")
        guard service.cards != nil else { return }
        if let next = nextVisit, next > now {
            wakeAt = next
            return
        }
        nextVisit = nil
        let waiting = Set(pending)
        for key in activities.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard let activity = activities[key], activity.news.update.phase != .ended,
                let moment = recipients.indices.compactMap({ visit(of: activity, $0) }).min()
            else { continue }
            if moment > now {
                nextVisit = min(moment, nextVisit ?? moment)
            } else if !waiting.contains(key) {
                pending.append(key)
            }
        }
        assert(nextVisit.map { $0 > now } ?? true, "a visit is due that has just been made")
        assert(pending.count <= activities.count, "an activity waits twice")
        wakeAt = nextVisit
    }

    /// The moment at which a card has to be looked at again; nil if none is known.
    private func visit(of activity: SinkActivity, _ recipient: Int) -> Timestamp? {
        let lane = activity.lanes[recipient]
        guard let rules = service.cards, lane.sentAt != nil, !lane.isOver else { return nil }
        let renewal = renewal(of: activity, recipient, rules)
        guard case .down(let end)? = lane.shown?.clock else { return renewal }
        return min(end + rules.timeAtZero, renewal)
    }

    /// The moment at which a card is renewed.
    ///
    /// Of one that an earlier process has started, only the beginning of the run is known: it was renewed in the same steps.
    private func renewal(
        of activity: SinkActivity,
        _ recipient: Int,
        _ rules: SinkService.CardRules
    ) -> Timestamp {
        assert(rules.renewalAge > .zero, "a card is renewed without end")
        if let startedAt = activity.lanes[recipient].startedAt { return startedAt + rules.renewalAge }
        let age = beganAt - activity.news.update.startedAt
        let steps = max(age.microseconds, 0) / rules.renewalAge.microseconds + 1
        return activity.news.update.startedAt
            + Interval(microseconds: steps * rules.renewalAge.microseconds)
    }

    /// Returns whether a card is removed, to be started again.
    func isRenewalDue(_ activity: SinkActivity, _ recipient: Int, at now: Timestamp) -> Bool {
        guard let rules = service.cards, activity.lanes[recipient].sentAt != nil else { return false }
        return renewal(of: activity, recipient, rules) <= now
    }

    /// Returns whether a recipient shows a clock that has run down.
    func isClockOver(_ lane: SinkActivity.Lane, at now: Timestamp) -> Bool {
        guard let rules = service.cards, case .down(let end)? = lane.shown?.clock else { return false }
        return end + rules.timeAtZero <= now
    }

    /// The moment before which nothing is sent for a card: its token is on its way, or it is just being removed.
    func cardRest(_ activity: SinkActivity, _ recipient: Int, _ step: SinkStep) -> Timestamp? {
        guard let rules = service.cards else { return nil }
        let lane = activity.lanes[recipient]
        if step == .start, lane.startedAt == nil { return lane.restsUntil }
        return max(activity.start(at: recipient) + rules.tokenTime, lane.restsUntil ?? .distantPast)
    }
}
