import SkerryActivity
import SkerryValues

/// The places on a phone: who gets a free one, and who has to go for somebody more relevant.
struct Places {
    /// The places that nothing is shown on; negative during a renewal.
    var free: Int
    /// The activities that may be started now.
    var starters: [String] = []
    /// The activities that have to make room, one for each more relevant one that has no other place.
    var leavers: [String] = []
    /// The activities that get a place soon: one becomes free, or they can't be started in this moment.
    var awaited: [String] = []
    /// The next moment at which a place may be given otherwise: a card ends, nobody waits any more for the update token of
    /// one that could go, or one can be ended again.
    var changesAt = Timestamp.distantFuture

    /// Returns whether an activity is on one of the lists.
    static func has(_ activity: String, on list: [String]) -> Bool {
        list.contains { $0.hasSameCodePoints(as: activity) }
    }

    /// An activity that wants a place, or that could give its own up.
    struct Rival {
        var activity: String
        var relevance: Double
        /// True if it can be started, or ended, in this moment.
        var isReady = true
        /// True if nobody goes for it: several of its starts in a row were refused.
        var isModest = false
    }
}

extension PushScheduler {
    /// Computes the places on a phone.
    ///
    /// A card whose end is on its way, was lost on the way or is about to be sent keeps its place for iOS, but the place
    /// is given to the next in rank already, so that no other card has to go for it. Who waits a moment before its start
    /// keeps its rank, so that nobody is started on its place, only to be ended again.
    func places(on phone: Phone, at now: Timestamp) -> Places {
        var places = Places(free: settings.places)
        var (newcomers, leavers): ([Places.Rival], [Places.Rival]) = ([], [])
        var coming = 0
        for phoneActivity in phone.activities {
            guard let index = activity(phoneActivity.activity) else { continue }
            let activity = activities[index]
            if phoneActivity.instances.isEmpty {
                if let newcomer = newcomer(phoneActivity, of: phone, activity, at: now) {
                    newcomers.append(newcomer)
                }
                continue
            }
            // An activity that iOS has ended is still visible, but takes no place.
            let ends = phoneActivity.instances.map { $0.startedAt + PushSchedulerSettings.activeLimit }
                .filter { $0 > now }
            places.free -= ends.count
            places.changesAt = ends.reduce(places.changesAt) { min($0, $1) }
            let opens = phoneActivity.lane.opens(.news(rev: .max), at: now).at - Self.patience
            if opens > now { places.changesAt = min(places.changesAt, opens) }
            let leaving = leaving(phoneActivity, of: phone, activity, at: now)
            coming += min(leaving, ends.count)
            guard leaving == 0, ends.count == 1, phoneActivity.instances.count == 1 else { continue }
            guard let leaver = leaver(phoneActivity, activity, at: now) else { continue }
            leavers.append(leaver)
            if phoneActivity.instances[0].token.token == nil {
                let patience = phoneActivity.instances[0].startedAt + Self.tokenTime
                places.changesAt = min(places.changesAt, patience)
            }
        }
        newcomers.sort { $0.relevance > $1.relevance }
        // Of two that are as relevant, the one that came last goes.
        leavers.reverse()
        leavers.sort { $0.relevance < $1.relevance }
        // Nobody has to go for a start that the budget does not allow.
        let allowed = settings.startBudget - phone.starts.used(in: settings.budgetWindow, at: now)
        places.give(to: newcomers.prefix(max(allowed, 0)), coming, for: leavers)
        return places
    }

    /// The rank of an activity that the phone does not show; nil if it can't be started soon.
    private func newcomer(
        _ phoneActivity: PhoneActivity,
        of phone: Phone,
        _ activity: FollowedActivity,
        at now: Timestamp
    ) -> Places.Rival? {
        if activity.isOver || activity.isUnknown || phoneActivity.isMuted || phoneActivity.lane.flight != nil
            || isWithheld(activity, from: phone)
        {
            return nil
        }
        let isModest = phoneActivity.refusedStarts > Self.refusals
        var newcomer = Places.Rival(
            activity: phoneActivity.activity,
            relevance: activity.update.relevance,
            isModest: isModest
        )
        switch starting(phoneActivity, of: phone, activity, at: now) {
        case .send: return newcomer
        case .hold(let hold, let until):
            let isPaused = hold.map { if case .paused = $0.kind { true } else { false } } ?? true
            guard isPaused, !isModest, until < .distantFuture else { return nil }
            newcomer.isReady = false
            return newcomer
        }
    }

    /// The number of instances whose end is on its way, or is to be sent whoever needs the place.
    private func leaving(
        _ phoneActivity: PhoneActivity,
        of phone: Phone,
        _ activity: FollowedActivity,
        at now: Timestamp
    ) -> Int {
        let isOpen = isOpen(phoneActivity.lane, at: now)
        let goes = activity.isOver || phoneActivity.isMuted || isWithheld(activity, from: phone)
        let isRefused = phoneActivity.lane.isBareRefused && phoneActivity.lane.hasRefused(activity.key)
        var count = 0
        for (place, instance) in phoneActivity.instances.enumerated() {
            if let flight = phoneActivity.lane.flight, flight.event == .end,
                flight.instance == instance.number
            {
                count += 1
                continue
            }
            let isRenewed = place < phoneActivity.instances.count - 1
            guard goes || isRenewed || instance.isLeaving, instance.token.token != nil else { continue }
            if isOpen, !isRefused { count += 1 }
        }
        return count
    }

    /// The rank of an activity that could be ended to make room; nil if it can't.
    ///
    /// One that was started in this moment gets its update token soon: nobody more relevant goes instead.
    private func leaver(
        _ phoneActivity: PhoneActivity,
        _ activity: FollowedActivity,
        at now: Timestamp
    ) -> Places.Rival? {
        let instance = phoneActivity.instances[0]
        let hasToken = instance.token.token != nil
        guard hasToken || (instance.channel == nil && instance.startedAt + Self.tokenTime > now),
            !phoneActivity.lane.hasRefused(activity.key), isOpen(phoneActivity.lane, at: now)
        else { return nil }
        return Places.Rival(
            activity: phoneActivity.activity,
            relevance: activity.update.relevance,
            isReady: hasToken && phoneActivity.lane.flight == nil
        )
    }

    /// Returns whether a push can follow within a few minutes.
    private func isOpen(_ lane: PushLane, at now: Timestamp) -> Bool {
        lane.opens(.news(rev: .max), at: now).at <= now + Self.patience
    }

    /// The longest wait for the end of one card before another one has to go.
    private static let patience = Interval.minutes(5)
    /// So many starts in a row may be refused before nobody has to go for an activity.
    private static let refusals = 2
}

extension Places {
    /// Gives the places to the newcomers by their rank.
    ///
    /// - Parameters:
    ///   - newcomers: Who wants one, the most relevant first.
    ///   - coming: The number of places that become free.
    ///   - leavers: Who could go, the least relevant first.
    fileprivate mutating func give(
        to newcomers: ArraySlice<Rival>,
        _ coming: Int,
        for leavers: [Rival]
    ) {
        var (free, coming) = (free, coming)
        var others = leavers[...]
        // During a renewal one card more is shown, and one of those that go makes no room.
        if free < 0 { (free, coming) = (0, max(0, coming + free)) }
        for newcomer in newcomers {
            if free > 0 {
                free -= 1
                if newcomer.isReady {
                    starters.append(newcomer.activity)
                } else {
                    awaited.append(newcomer.activity)
                }
            } else if coming > 0 {
                coming -= 1
                awaited.append(newcomer.activity)
            } else if newcomer.isReady, !newcomer.isModest, let other = others.first,
                newcomer.relevance > other.relevance
            {
                others.removeFirst()
                awaited.append(newcomer.activity)
                if other.isReady { self.leavers.append(other.activity) }
            }
        }
    }
}
