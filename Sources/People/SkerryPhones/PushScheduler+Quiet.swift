import SkerryActivity
import SkerryValues

// Quiet hours, and runs that a person muted on a phone: alerts are left out, and pushes go with priority 5.
extension PushScheduler {
    /// Somebody who hears the pushes of an activity on a phone.
    struct Listener {
        /// The person that the phone belongs to.
        var person: String?
        /// True if the run is muted on the phone.
        var isSilent: Bool
    }

    /// The alert that a lane has not delivered yet; nil if it must not be heard.
    func untoldAlert(
        of activity: FollowedActivity,
        _ lane: PushLane,
        for listeners: [Listener],
        at now: Timestamp
    ) -> (ActivityAlert, Int64)? {
        let untold = activity.untoldAlert(
            after: lane.lastAlertRev,
            freshness: settings.alertFreshness,
            at: now
        )
        guard untold != nil, let raisedAt = activity.alert?.at else { return nil }
        // Also by its own moment: what was raised in quiet hours must not sound at their end.
        let isQuiet = [now, raisedAt].contains { quietReason(activity, for: listeners, at: $0) != nil }
        return isQuiet ? nil : untold
    }

    /// The alert that a lane has not delivered yet to a phone; nil if it must not be heard there.
    func untoldAlert(
        of activity: FollowedActivity,
        _ lane: PushLane,
        on phone: Phone,
        at now: Timestamp
    ) -> (ActivityAlert, Int64)? {
        untoldAlert(of: activity, lane, for: [phone.listener(of: activity.id)], at: now)
    }

    /// Why an activity must not sound or light up a screen at a moment; nil if it may.
    ///
    /// A broadcast reaches all listeners alike: one who sleeps is not woken, and one who muted the run is not heeded.
    func quietReason(
        _ activity: FollowedActivity,
        for listeners: [Listener],
        at moment: Timestamp
    ) -> String? {
        if activity.recipient != nil { return nil }
        if !listeners.isEmpty, listeners.allSatisfy({ $0.isSilent }) {
            return "muted on the phone for this run: without a sound"
        }
        guard activity.update.relevance < QuietHours.heardRelevance else { return nil }
        if let (alert, _, raisedAt) = activity.alert, alert.level == .critical,
            moment - raisedAt <= settings.alertFreshness
        {
            return nil
        }
        let asleep = listeners.first { quiet.isQuiet(for: $0.person, at: moment) }
        return asleep.map { quiet.reason(for: $0.person) }
    }

    /// The listeners on a channel.
    func listeners(to channel: BroadcastChannel, of activity: String) -> [Listener] {
        placesListening(to: channel, of: activity).map { phones[$0].listener(of: activity) }
    }

    /// The phones that listen to a channel.
    func placesListening(to channel: BroadcastChannel, of activity: String) -> [Int] {
        phones.indices.filter { phone in
            guard let place = phones[phone].activities.place(of: activity) else { return false }
            return phones[phone].activities[place].instances.contains { $0.listens(to: channel) }
        }
    }
}

extension Phone {
    /// Who hears an activity on this phone.
    func listener(of activity: String) -> PushScheduler.Listener {
        PushScheduler.Listener(
            person: person,
            isSilent: place(of: activity).map { activities[$0].isSilent } ?? false
        )
    }
}
