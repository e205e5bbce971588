import SkerryActivity
import SkerryValues

// Quiet hours: an alert that was raised in them, or would arrive in them, is left out, and pushes go with priority 5.
extension PushScheduler {
    /// The alert that a lane has not delivered yet to phones of some people; nil if one of these people has quiet hours.
    func untoldAlert(
        of activity: FollowedActivity,
        _ lane: PushLane,
        for people: [String?],
        at now: Timestamp
    ) -> (ActivityAlert, Int64)? {
        let untold = activity.untoldAlert(
            after: lane.lastAlertRev,
            freshness: settings.alertFreshness,
            at: now
        )
        guard untold != nil, let raisedAt = activity.alert?.at else { return nil }
        let isQuiet = isQuiet(activity, for: people, at: now) || isQuiet(activity, for: people, at: raisedAt)
        return isQuiet ? nil : untold
    }

    /// Whether an activity must not sound or light up a screen for some people.
    func isQuiet(_ activity: FollowedActivity, for people: [String?], at moment: Timestamp) -> Bool {
        guard activity.recipient == nil, activity.update.relevance < QuietHours.heardRelevance else {
            return false
        }
        return people.contains { quiet.isQuiet(for: $0, at: moment) }
    }

    /// The people whose phones listen to a channel; a broadcast reaches all of them alike.
    func listeners(to channel: BroadcastChannel, of activity: String) -> [String?] {
        phones.filter { phone in
            guard let place = phone.place(of: activity) else { return false }
            return phone.activities[place].instances.contains { $0.listens(to: channel) }
        }.map { $0.person }
    }
}
