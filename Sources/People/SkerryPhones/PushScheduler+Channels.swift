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
        let number = (activities[activity].newestChannel(app, environment)?.number ?? 0) + 1
        activities[activity].channels.append(
            BroadcastChannel(app: app, environment: environment, number: number)
        )
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
        case .open: step = publishing(channel, of: activity, at: now)
        }
        guard case .send(let intent) = step else { return step }
        let isForManager =
            switch intent {
            case .openChannel, .listChannels, .closeChannel: true
            case .start, .notice, .update, .end: false
            }
        let listeners = listeners(to: channel, of: activity.id)
        let obstacle = isForManager ? service.channels : service.pushes
        return gated(step, channel.lane, activity, obstacle, for: listeners, at: now)
    }

    private func publishing(
        _ channel: BroadcastChannel,
        of activity: FollowedActivity,
        at now: Timestamp
    ) -> Step {
        guard let startedAt = channel.startedAt else {
            return activity.isOver ? .send(.closeChannel) : .rest
        }
        if isOverheard(channel, of: activity) {
            if !channel.lane.isBareRefused { return .send(.end(instance: channel.number)) }
            return .hold(nil, until: startedAt + PushSchedulerSettings.shownLimit)
        }
        if channel.lane.hasRefused(activity.key), !activity.isOver || channel.lane.isBareRefused {
            return .hold(nil, until: startedAt + PushSchedulerSettings.shownLimit)
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
        if !channel.shown.isCurrent(activity, at: now) { return .send(.update(instance: channel.number)) }
        return .hold(nil, until: min(lastCall, activity.staleMoves(after: now)))
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
        var told: Told? = Told()
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
            activities[place].channels[index].isAsked = true
            // Policy 1: the service keeps the last push for phones that are offline.
            push.payload = Array(#"{"message-storage-policy":1,"push-type":"LiveActivity"}"#.utf8)
        case .listChannels: push.route = .listChannels
        case .closeChannel: push.route = .deleteChannel(id: channel.id)
        case .start, .notice: return nil
        case .update, .end: told = render(&push, candidate, place, index, at: now)
        }
        guard let told else { return nil }
        push.repeatMark = activity.repeatMark(told.alertRev, isBare: told.isBare, at: now)
        activities[place].channels[index].lane.sent(
            push,
            of: activity,
            alertRev: told.alertRev,
            isBare: told.isBare,
            isNews: told.isNews,
            at: now
        )
        note(.sent, push.summary(rev: activity.update.rev), of: activity.id, at: now)
        return push
    }

    /// The content of a broadcast.
    private struct Told {
        var alertRev: Int64?
        var isBare = false
        var isNews = false
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
    ) -> Told? {
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
                for: listeners(to: channel, of: activity.id),
                at: now
            ),
            at: now
        )
        var told = Told(alertRev: body.alertRev)
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
        let quietReason = quietReason(activity, for: listeners(to: channel, of: activity.id), at: now)
        if isUrgent, let quietReason {
            note(.held, quietReason, of: activity.id, at: now)
            return .considerate
        }
        let listeners = placesListening(to: channel, of: activity.id)
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
