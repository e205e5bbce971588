import SkerryActivity
import SkerryValues

extension FollowedActivity {
    func channel(_ id: String) -> BroadcastChannel? { channels.first { $0.id.hasSameCodePoints(as: id) } }

    /// The channel on which activities are started now.
    func newestChannel(_ app: String, _ environment: PushEnvironment) -> BroadcastChannel? {
        channels.last { $0.environment == environment && $0.app.hasSameCodePoints(as: app) }
    }
}

extension PushScheduler {
    /// The channel that a phone follows; nil if it is reached by a token.
    func openChannel(
        for phone: Phone,
        _ activity: FollowedActivity,
        _ environment: PushEnvironment
    ) -> String? {
        let app = settings.app(phone.bundleID)
        guard settings.usesChannels(of: app), phone.canListen else { return nil }
        guard let channel = activity.newestChannel(app, environment), channel.life == .open else {
            return nil
        }
        return channel.id
    }

    /// Asks for one more channel of a run.
    mutating func openChannel(_ activity: Int, _ app: String, _ environment: PushEnvironment?) {
        guard let environment else { return }
        assert(activities[activity].recipient == nil, "a test, which is for one phone, gets a channel")
        let number = (activities[activity].newestChannel(app, environment)?.number ?? 0) + 1
        activities[activity].channels.append(
            BroadcastChannel(app: app, environment: environment, number: number)
        )
        assert(activities[activity].newestChannel(app, environment)?.number == number, "a channel is lost")
        touch(activity: activities[activity].id)
    }

    /// Notes that an activity is started on a channel.
    mutating func startedOn(_ channel: String, candidateOf id: String, _ timestamp: Int64, at now: Timestamp)
    {
        guard let activity = activity(id) else { return }
        for index in activities[activity].channels.indices
        where activities[activity].channels[index].id.hasSameCodePoints(as: channel) {
            if activities[activity].channels[index].startedAt == nil {
                activities[activity].channels[index].startedAt = now
            }
            activities[activity].channels[index].lane.follow(timestamp)
        }
        touch(activity: id)
    }

    /// The next step for a channel.
    func step(_ channel: BroadcastChannel, of activity: FollowedActivity, at now: Timestamp) -> Step {
        guard channel.lane.flight == nil else { return .rest }
        if lacksKey(of: channel.app) != nil { return .rest }
        let service = services[channel.app, channel.environment]
        // A channel that is not open needs none of them for most of its steps.
        lazy var listeners = self.listeners(to: channel, of: activity)
        let step: Step
        switch channel.life {
        case .wanted:
            // One that was asked for may exist, and has to be found to be deleted.
            if activity.isOver, !channel.isAsked { return .rest }
            let isUnclear = channel.isAsked || service.strangers == nil
            step = .send(isUnclear ? .listChannels : .openChannel)
        case .refused: return .rest
        case .ended:
            let due = (channel.endedAt ?? now) + BroadcastChannel.linger
            step = now >= due ? .send(.closeChannel) : .hold(nil, until: due)
        case .open: step = publishing(channel, of: activity, for: listeners, at: now)
        }
        guard case .send(let intent) = step else { return step }
        let isForManager =
            switch intent {
            case .openChannel, .listChannels, .closeChannel: true
            case .start, .notice, .update, .end: false
            }
        let obstacle = isForManager ? service.channels : service.pushes
        return gated(step, channel.lane, activity, obstacle, for: listeners, at: now)
    }

    private func publishing(
        _ channel: BroadcastChannel,
        of activity: FollowedActivity,
        for listeners: [Listener],
        at now: Timestamp
    ) -> Step {
        guard let startedAt = channel.startedAt else {
            return activity.isOver ? .send(.closeChannel) : .rest
        }
        // By then no phone shows a card that was not ended.
        let goneAt = startedAt + PushSchedulerSettings.shownLimit
        if isOverheard(channel, of: activity) {
            if !channel.lane.isBareRefused { return .send(.end(instance: channel.number)) }
            return now < goneAt ? .hold(nil, until: goneAt) : .send(.closeChannel)
        }
        if channel.lane.hasRefused(activity.key), !activity.isOver || channel.lane.isBareRefused {
            if now < goneAt { return .hold(nil, until: goneAt) }
            return activity.isOver ? .send(.closeChannel) : .rest
        }
        if activity.isOver { return .send(.end(instance: channel.number)) }
        let lastCall = startedAt + PushSchedulerSettings.activeLimit - .minutes(1)
        if let newest = activity.newestChannel(channel.app, channel.environment),
            newest.number > channel.number
        {
            if now >= lastCall || !isStillNeeded(channel, of: activity) {
                return .send(.end(instance: channel.number))
            }
        }
        if !channel.shown.isCurrent(activity, at: now)
            || owesAlert(of: activity, channel.lane, for: listeners, at: now)
        {
            return .send(.update(instance: channel.number))
        }
        let staleAt = activity.staleMoves(after: now)
        return .hold(nil, until: now < lastCall ? min(lastCall, staleAt) : staleAt)
    }

    /// Returns whether a phone has not reported a newer instance of the run than the one on this channel.
    ///
    /// Its report also tells whether its user had removed that one, while the app did not run.
    private func isStillNeeded(_ channel: BroadcastChannel, of activity: FollowedActivity) -> Bool {
        placesListening(to: channel, of: activity.id).contains { phone in
            guard let place = phones[phone].activities.place(of: activity.id),
                let newest = phones[phone].activities[place].instances.last
            else { return false }
            return newest.listens(to: channel) || !newest.isSeen
        }
    }

    /// Renders a push to a channel, or a request to the channel service.
    mutating func publish(_ candidate: Candidate, _ place: Int, _ index: Int, at now: Timestamp) -> Push? {
        let activity = activities[place]
        let channel = activity.channels[index]
        touch(activity: activity.id)
        assert(channel.life != .refused, "a channel is asked for something that does not work")
        var told: PushLane.Told? = PushLane.Told()
        var push = Push(
            id: nextID(),
            phone: nil,
            activity: activity.id,
            instance: channel.number,
            route: .channel(id: channel.id),
            environment: channel.environment,
            event: nil,
            priority: .immediate,
            expiration: now.flooredSeconds + 600,
            timestamp: channel.lane.nextTimestamp(at: now),
            payload: []
        )
        push.app = channel.app
        switch candidate.intent {
        case .openChannel:
            push.route = .createChannel
            assert(channel.life == .wanted && !channel.isAsked, "a channel is asked for twice")
            activities[place].channels[index].isAsked = true
            // Policy 1: the service keeps the last push for phones that are offline.
            push.payload = Array(#"{"message-storage-policy":1,"push-type":"LiveActivity"}"#.utf8)
        case .listChannels: push.route = .listChannels
        case .closeChannel:
            assert(
                channel.life == .ended || channel.startedAt == nil || channel.lane.isBareRefused,
                "a channel is closed before its last word"
            )
            push.route = .deleteChannel(id: channel.id)
        case .start, .notice: return nil
        case .update, .end: told = render(&push, candidate, place, index, at: now)
        }
        guard let told else { return nil }
        push.repeatMark = activity.repeatMark(told, at: now)
        activities[place].channels[index].lane.sent(push, of: activity, told, at: now)
        note(.sent, push.summary(rev: activity.update.rev), of: activity.id, at: now)
        return push
    }

    /// Fills a broadcast.
    ///
    /// - Returns: its content; nil if it is too large for a push.
    private mutating func render(
        _ push: inout Push,
        _ candidate: Candidate,
        _ place: Int,
        _ index: Int,
        at now: Timestamp
    ) -> PushLane.Told? {
        let activity = activities[place]
        let channel = activity.channels[index]
        let isEnd = candidate.intent.isEnd
        let isWithheld = isOverheard(channel, of: activity)
        let body = PushBody(
            of: activity,
            on: channel.lane,
            isEnd: isEnd,
            isWithheld: isWithheld,
            untold: untoldAlert(
                of: activity,
                channel.lane,
                for: listeners(to: channel, of: activity),
                at: now
            ),
            at: now
        )
        assert(channel.life == .open, "a channel is published to that is not open")
        var told = PushLane.Told(alertRev: body.alertRev)
        told.isBare = isEnd && (isWithheld || channel.lane.hasRefused(activity.key))
        push.payload = body.render(activity, instance: channel.number, withContent: !told.isBare)
        if push.payload.count > PushSchedulerSettings.broadcastLimit {
            guard isEnd else {
                activities[place].channels[index].lane.refused(activity.key, isBare: false)
                note(.tooLarge, "a body of \(push.payload.count) bytes", of: activity.id, at: now)
                return nil
            }
            told.isBare = true
            push.payload = body.render(activity, instance: channel.number, withContent: false)
        }
        push.event = body.event
        push.expiration = body.expiration(ofStart: channel.startedAt, at: now)
        told.isNews = candidate.rank.isUrgent && !isEnd && !body.isVital
        assert(isEnd || !told.isBare, "an update is sent without content")
        push.priority = spend(candidate.rank.isUrgent, told.isNews, channel, of: activity, at: now)
        return told
    }

    /// A broadcast is charged to each phone that listens; if the budget of one of them is empty, it goes with priority 5.
    private mutating func spend(
        _ isUrgent: Bool,
        _ isNews: Bool,
        _ channel: BroadcastChannel,
        of activity: FollowedActivity,
        at now: Timestamp
    ) -> Push.Priority {
        let listeners = placesListening(to: channel, of: activity.id)
        if isUrgent,
            let reason = quietReason(activity, for: self.listeners(at: listeners, of: activity), at: now)
        {
            note(.held, reason, of: activity.id, at: now)
            return .considerate
        }
        let window = settings.budgetWindow
        let isSpent = listeners.contains {
            let limit = phones[$0].immediateLimit(settings)
            if isNews, channel.lane.hasHadItsShare(of: limit, at: now) { return true }
            let share = isNews ? limit - PushSchedulerSettings.reserve(of: limit) : limit
            return phones[$0].immediate.room(share, in: window, at: now) > now
        }
        guard isUrgent, !isSpent else { return .considerate }
        for phone in listeners {
            phones[phone].immediate.spend(in: window, at: now)
            touch(phone: phones[phone].id)
        }
        return .immediate
    }
}

extension ActivityInstance {
    func listens(to channel: BroadcastChannel) -> Bool {
        self.channel?.hasSameCodePoints(as: channel.id) ?? false
    }
}

// Activities that are not for the person of a phone, or that its user hides there, and phones that were removed.
extension PushScheduler {
    /// Returns whether a phone may see an activity.
    ///
    /// One that only a phone has reported is not judged: its attributes are not known yet, and it gets no content. A test
    /// is for its phone alone.
    func maySee(_ activity: FollowedActivity, on phone: Phone) -> Bool {
        maySee(activity, person: phone.person, id: phone.id, isPaired: phone.leftAt == nil)
    }

    /// The same for a phone of which only the needed is at hand.
    func maySee(_ activity: FollowedActivity, person: String?, id: String, isPaired: Bool) -> Bool {
        guard isPaired else { return false }
        if activity.isUnknown { return true }
        if let recipient = activity.recipient { return recipient.hasSameCodePoints(as: id) }
        return audience.allows(
            person,
            kind: activity.kind,
            device: activity.device,
            attributes: activity.update.attributes
        )
    }

    /// Returns whether an activity has no place on a phone: it may not see it, or its user chose so.
    ///
    /// What is hidden can still be read in the app.
    func isWithheld(_ activity: FollowedActivity, from phone: Phone) -> Bool {
        !maySee(activity, on: phone) || hiding(activity, on: phone) != nil
    }

    /// The choice by which an activity is hidden on a phone; a test is never hidden.
    private func hiding(_ activity: FollowedActivity, on phone: Phone) -> String? {
        activity.recipient == nil ? phone.hiding(activity.id) : nil
    }

    /// The step for an activity that has no place on a phone: it is ended there, without its content.
    func withheld(_ phoneActivity: PhoneActivity, of phone: Phone, _ activity: FollowedActivity) -> Step {
        if !phoneActivity.instances.isEmpty { return ending(phoneActivity) }
        if activity.isOver || activity.recipient != nil { return .rest }
        if maySee(activity, on: phone), let choice = hiding(activity, on: phone) {
            let text = "its user chose not to see \(choice) on this phone"
            return .hold(Step.Hold(kind: .hidden, text: text), until: .distantFuture)
        }
        return .hold(Step.Hold(kind: .notAudience, text: phone.exclusion), until: .distantFuture)
    }

    /// Why phones that may not see the runs of a device get nothing of them: nothing is planned for these, so nothing is
    /// noted either.
    func exclusions(kind: String, device: String) -> [PhoneDecision] {
        activities.filter { activity in
            !activity.isOver && activity.recipient == nil && activity.kind.hasSameCodePoints(as: kind)
                && activity.device.hasSameCodePoints(as: device)
        }.flatMap { activity in
            pairedPhones.filter { $0.place(of: activity.id) == nil }.map { phone in
                PhoneDecision(
                    at: max(activity.update.startedAt, phone.pairedAt),
                    phone: phone.name,
                    phoneID: phone.id,
                    activity: activity.id,
                    kind: .notAudience,
                    text: phone.exclusion,
                    until: nil
                )
            }
        }
    }

    /// Returns whether a phone that may not see the activity listens to a channel of it.
    ///
    /// One phone alone can't be taken from a channel. So the channel is ended for all, without content, and the activity
    /// starts again on another one for those who may see it. What is only hidden is ended by the app.
    func isOverheard(_ channel: BroadcastChannel, of activity: FollowedActivity) -> Bool {
        placesListening(to: channel, of: activity.id).contains { !maySee(activity, on: phones[$0]) }
    }
}

extension Phone {
    /// Why it gets nothing of an activity that it may not see.
    fileprivate var exclusion: String { person.map { "not for \($0)" } ?? "not for a phone without a person" }
}

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
        assert(places.free <= settings.places, "a phone has more places than it has")
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
        assert(starters.count + awaited.count <= newcomers.count, "a card gets two places")
        assert(starters.count <= max(0, self.free), "more cards are started than there are places")
        assert(self.leavers.count <= awaited.count, "a card goes for nobody")
        assert(self.leavers.count <= leavers.count - others.count, "a card goes that was not asked to")
    }
}
