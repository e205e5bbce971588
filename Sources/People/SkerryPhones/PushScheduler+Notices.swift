import SkerryActivity
import SkerryValues

// Alerts that no card can carry are told by ordinary notifications, where the app has a token for these.
//
// See docs/decisions/0053-notifications.md.
extension PushScheduler {
    /// The next step for an activity on a phone: that of its card, or a notification where a card can't carry the alert.
    func step(_ phoneActivity: PhoneActivity, of phone: Phone, _ places: Places, at now: Timestamp) -> Step {
        let step = cardStep(phoneActivity, of: phone, places, at: now)
        guard phone.notifiableSince != nil, phone.leftAt == nil, let place = activity(phoneActivity.activity)
        else { return step }
        let activity = activities[place]
        guard activity.recipient == nil, !isWithheld(activity, from: phone),
            let (_, rev) = untoldAlert(of: activity, phoneActivity.lane, on: phone, at: now),
            // What was raised before the pairing is no news for this phone.
            (activity.alert?.at ?? .distantPast) >= phone.pairedAt,
            let reason = lacksCard(phoneActivity, of: phone, activity, for: rev, step, at: now)
        else { return step }
        let patience = phoneActivity.instances.last.map { $0.startedAt + Self.tokenTime } ?? .distantPast
        if patience > now, case .hold(let hold, let until) = step {
            return .hold(hold, until: min(until, patience))
        }
        return gated(.send(.notice(reason)), phoneActivity, activity, phone, at: now)
    }

    /// Why no card can carry the alert of a revision; nil if one can, could soon, may have, or was removed by its user.
    private func lacksCard(
        _ phoneActivity: PhoneActivity,
        of phone: Phone,
        _ activity: FollowedActivity,
        for rev: Int64,
        _ step: Step,
        at now: Timestamp
    ) -> String? {
        if phoneActivity.isMuted || phoneActivity.mayBeDismissed || phoneActivity.lane.flight != nil {
            return nil
        }
        guard case .hold(let hold, _) = step else {
            // APNs accepts starts by a dead token, too: such a start is not trusted with an alert.
            guard case .send(.start) = step, phoneActivity.instances.isEmpty,
                let slot = phone.startToken(of: activity.attributesType),
                now - slot.confirmedAt > settings.tokenAge
            else { return nil }
            return "the push-to-start token is old"
        }
        if phoneActivity.lane.hasRefused(activity.key) { return "its content was refused" }
        // A push that was not answered may have brought it.
        if phoneActivity.isReachable || phoneActivity.instances.contains(where: { $0.alertRev == rev })
            || phoneActivity.lane.unanswered?.rev == rev
        {
            return nil
        }
        switch hold?.kind {
        case .tokenMissing, .disabled, .held, .yielded, .over: return hold?.text
        case nil where activity.isOver && phoneActivity.instances.isEmpty:
            return "the phone shows no card of it"
        default: return nil
        }
    }

    /// The time after a start in which the token for updates usually comes.
    static let tokenTime = Interval.seconds(30)

    /// Tells the alert of an activity by a notification.
    mutating func notify(
        _ activity: FollowedActivity,
        _ phone: Int,
        _ phoneActivity: Int,
        because reason: String,
        at now: Timestamp
    ) -> Push? {
        let lane = phones[phone].activities[phoneActivity].lane
        guard let token = phones[phone].notificationToken.token,
            let (alert, rev) = untoldAlert(of: activity, lane, on: phones[phone], at: now)
        else { return nil }
        let push = Push(
            id: nextID(),
            phone: phones[phone].id,
            activity: activity.id,
            instance: 0,
            route: .app(token: token),
            environment: phones[phone].notificationToken.target,
            event: .notification,
            priority: spend(alert.level != .passive, false, lane, activity, phone, at: now),
            expiration: (now + ActivityDismissal.longest).flooredSeconds,
            collapseID: collapseID(activity.id, 0),
            timestamp: lane.nextTimestamp(at: now),
            payload: activity.notification(alert)
        )
        return launch(push, activity, phone, phoneActivity, alertRev: rev, because: reason, at: now)
    }
}

extension PhoneActivity {
    /// True if the card has gone without a word, as one does that its user removes while the app is not running.
    fileprivate var mayBeDismissed: Bool { isSilentlyOver && gone.last?.mark != nil }
}
