import SkerryValues

extension FollowedActivity {
    func channel(_ id: String) -> Channel? { channels.first { $0.id.hasSameCodePoints(as: id) } }

    /// The channel on which activities are started now.
    func newestChannel(_ environment: PushEnvironment) -> Channel? {
        channels.last { $0.environment == environment }
    }
}

extension Household {
    /// The channel on which a phone is to follow; nil when it goes by a token.
    func openChannel(
        for phone: Phone,
        _ activity: FollowedActivity,
        _ environment: PushEnvironment
    ) -> String? {
        guard settings.usesChannels, phone.canListen else { return nil }
        guard let channel = activity.newestChannel(environment), channel.life == .open else { return nil }
        return channel.id
    }

    /// Asks for one more channel of a run.
    mutating func openChannel(_ activity: Int, _ environment: PushEnvironment?) {
        guard let environment else { return }
        let number = (activities[activity].newestChannel(environment)?.number ?? 0) + 1
        activities[activity].channels.append(Channel(environment: environment, number: number))
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
            activities[activity].channels[index].line.follow(timestamp)
        }
        touch(activity: id)
    }

    /// What comes next for a channel.
    func step(_ channel: Channel, of activity: FollowedActivity, at now: Timestamp) -> Step {
        guard channel.line.flight == nil else { return .rest }
        let step: Step
        switch channel.life {
        case .wanted: step = .send(.openChannel)
        case .refused: return .rest
        case .ended:
            let due = (channel.endedAt ?? now) + Channel.linger
            step = now >= due ? .send(.closeChannel) : .hold(nil, until: due)
        case .open: step = publishing(channel, of: activity, at: now)
        }
        return gated(step, channel.line, channel.environment, newsRev: activity.newsRev, at: now)
    }

    private func publishing(_ channel: Channel, of activity: FollowedActivity, at now: Timestamp) -> Step {
        guard let startedAt = channel.startedAt else {
            return activity.isOver ? .send(.closeChannel) : .rest
        }
        if channel.line.refusedKey == activity.key {
            return .hold(nil, until: startedAt + HouseholdSettings.shownLimit)
        }
        if activity.isOver { return .send(.end(instance: channel.number)) }
        let lastCall = startedAt + HouseholdSettings.activeLimit - .minutes(1)
        if let newest = activity.newestChannel(channel.environment), newest.number > channel.number {
            if now >= lastCall || !isStillNeeded(channel, of: activity) {
                return .send(.end(instance: channel.number))
            }
        }
        if !channel.shown.isCurrent(activity, at: now) { return .send(.update(instance: channel.number)) }
        return .hold(nil, until: min(lastCall, activity.staleMoves(after: now)))
    }

    /// Whether a phone shows nothing newer of the run than what is on this channel.
    private func isStillNeeded(_ channel: Channel, of activity: FollowedActivity) -> Bool {
        phones.contains { phone in
            guard let showing = phone.showing(of: activity.id),
                let newest = phone.showings[showing].cards.last
            else {
                return false
            }
            let isOnIt = phone.showings[showing].cards.contains { $0.listens(to: channel) }
            return isOnIt && (newest.listens(to: channel) || !newest.isConfirmed)
        }
    }

    func channelCandidates(at now: Timestamp) -> [Candidate] {
        var candidates: [Candidate] = []
        for activity in activities.indices {
            for channel in activities[activity].channels.indices {
                let known = activities[activity].channels[channel]
                guard case .send(let intent) = step(known, of: activities[activity], at: now) else {
                    continue
                }
                var isUrgent = true
                if case .update = intent { isUrgent = known.shown.rev < activities[activity].newsRev }
                candidates.append(
                    Candidate(
                        place: .channel(activity: activity, channel: channel),
                        intent: intent,
                        activity: activity,
                        isUrgent: isUrgent,
                        waitsSince: activities[activity].update.at
                    )
                )
            }
        }
        return candidates
    }

    /// Renders what goes to a channel, or to the manager of channels.
    mutating func publish(_ candidate: Candidate, _ place: Int, _ index: Int, at now: Timestamp) -> Push? {
        let activity = activities[place]
        let channel = activity.channels[index]
        touch(activity: activity.id)
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
            timestamp: channel.line.nextTimestamp(at: now),
            payload: []
        )
        var alertRev: Int64?
        switch candidate.intent {
        case .openChannel:
            push.route = .createChannel
            push.payload = Array(#"{"message-storage-policy":1,"push-type":"LiveActivity"}"#.utf8)
        case .closeChannel: push.route = .deleteChannel(id: channel.id)
        case .start: return nil
        case .update, .end:
            let body = PushBody(
                of: activity,
                on: channel.line,
                isEnd: candidate.intent.isEnd,
                freshness: settings.alertFreshness,
                at: now
            )
            alertRev = body.alertRev
            push.payload = body.render(activity, instance: channel.number)
            guard push.payload.count <= HouseholdSettings.broadcastLimit else {
                activities[place].channels[index].line.refusedKey = activity.key
                note(.tooLarge, "a body of \(push.payload.count) bytes", of: activity.id, at: now)
                return nil
            }
            push.event = body.event
            push.expiration = body.expiration(at: now)
            push.priority = spend(candidate.isUrgent, channel, of: activity.id, at: now)
        }
        activities[place].channels[index].line.sent(push, of: activity, alertRev: alertRev, at: now)
        note(.sent, push.summary(rev: activity.update.rev), of: activity.id, at: now)
        return push
    }

    /// A broadcast costs each phone that listens; when one of them has nothing left, it goes with 5.
    private mutating func spend(
        _ isUrgent: Bool,
        _ channel: Channel,
        of activity: String,
        at now: Timestamp
    ) -> Push.Priority {
        let listeners = phones.indices.filter { phone in
            guard let showing = phones[phone].showing(of: activity) else { return false }
            return phones[phone].showings[showing].cards.contains { $0.listens(to: channel) }
        }
        let window = settings.budgetWindow
        let isSpent = listeners.contains {
            phones[$0].immediate.room(phones[$0].immediateLimit(settings), in: window, at: now) > now
        }
        guard isUrgent, !isSpent else { return .considerate }
        for phone in listeners {
            phones[phone].immediate.spend(in: window, at: now)
            touch(phone: phones[phone].id)
        }
        return .immediate
    }

    /// Takes note of what came of a push to a channel, or of the wish for one.
    mutating func answeredChannel(_ push: Push, _ answer: PushAnswer, _ chance: Double, at now: Timestamp) {
        guard let place = activity(push.activity),
            let index = activities[place].channels.firstIndex(where: { $0.line.flight?.push == push.id }),
            let flight = activities[place].channels[index].line.flight
        else { return }
        touch(activity: push.activity)
        note(.answered, "\(push.event?.name ?? "channel"): \(answer.text)", of: push.activity, at: now)
        var channel = activities[place].channels[index]
        channel.line.landed(answer.outcome)
        if let pause = answer.pause(channel.line.failures, chance) {
            let newsRev = activities[place].newsRev
            channel.line.pause(for: pause, newsRev: newsRev, reason: answer.text, at: now)
        }
        switch (push.route, answer) {
        case (.createChannel, .channelCreated(let id)):
            channel.id = id
            channel.life = .open
            channel.shown = Shown(activities[place], at: now)
        // Whatever is wrong with channels, phones can be reached without.
        case (.createChannel, _): if !answer.isPassing { channel.life = .refused }
        case (.deleteChannel, _):
            if answer.outcome == .arrived || !answer.isPassing { channel.life = .refused }
        case (_, .accepted):
            channel.shown = flight.shown
            if flight.event == .end {
                channel.life = .ended
                channel.endedAt = now
                dropCards(on: channel, of: push.activity)
            }
        case (_, .senderFault), (_, .tooLarge): channel.line.refusedKey = flight.shown.key
        case (_, .noAnswer): channel.shown.key = nil
        default: break
        }
        activities[place].channels[index] = channel
        if case .deleteChannel = push.route, channel.life == .refused {
            activities[place].channels.remove(at: index)
        }
    }

    /// Takes note that the cards on a channel are no more.
    private mutating func dropCards(on channel: Channel, of activity: String) {
        for phone in phones.indices {
            guard let showing = phones[phone].showing(of: activity) else { continue }
            let cards = phones[phone].showings[showing].cards
            for card in cards where card.listens(to: channel) {
                phones[phone].showings[showing].remove(card.instance)
                touch(phone: phones[phone].id)
            }
        }
    }
}

extension Card {
    func listens(to channel: Channel) -> Bool { self.channel?.hasSameCodePoints(as: channel.id) ?? false }
}

extension PushAnswer {
    /// Whether the same may be taken later.
    fileprivate var isPassing: Bool {
        switch self {
        case .busy, .unavailable, .notSent, .providerToken: true
        default: false
        }
    }
}
