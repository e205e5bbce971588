import SkerryActivity
import SkerryValues

extension PushScheduler {
    /// Records the result of a push to a channel, or of the request for one.
    mutating func answeredChannel(_ push: Push, _ answer: PushAnswer, _ chance: Double, at now: Timestamp) {
        guard let place = activity(push.activity),
            let index = activities[place].channels.firstIndex(where: { $0.lane.flight?.push == push.id }),
            let flight = activities[place].channels[index].lane.flight
        else { return }
        touch(activity: push.activity)
        note(
            answer.outcome == .arrived ? .answered : .failed,
            "\(push.event?.name ?? "channel"): \(answer.text)",
            of: push.activity,
            at: now
        )
        let failures = activities[place].channels[index].lane.failures
        // A list does not show that creating a channel works.
        let endsTrouble = push.route != .listChannels
        activities[place].channels[index].lane.landed(answer.outcome, endsTrouble: endsTrouble)
        if let pause = answer.pause(failures, chance) {
            activities[place].channels[index].lane.pause(
                for: pause,
                newsRev: activities[place].newsRev,
                reason: answer.text,
                isBinding: answer.isBinding,
                at: now
            )
        }
        switch push.route {
        case .createChannel: created(answer, place, index, at: now)
        case .listChannels: listed(answer, place, index, at: now)
        case .deleteChannel:
            if !answer.isPassing { activities[place].channels.remove(at: index) }
        case .channel: published(flight, answer, place, index, at: now)
        case .start, .app, .widgets, .token: break
        }
        forgetWhoLeft(at: now)
    }

    private mutating func created(_ answer: PushAnswer, _ place: Int, _ index: Int, at now: Timestamp) {
        switch answer {
        case .channelCreated(let id): open(id, place, index, at: now)
        // The channel may exist: the list of all channels will show it.
        case .noAnswer where activities[place].channels[index].lane.failures < Self.faultLimit: break
        default:
            activities[place].channels[index].isAsked = false
            activities[place].channels[index].life = .refused
        }
    }

    private mutating func open(_ id: String, _ place: Int, _ index: Int, at now: Timestamp) {
        let shown = Shown(activities[place], at: now)
        activities[place].channels[index].id = id
        activities[place].channels[index].life = .open
        activities[place].channels[index].shown = shown
    }

    /// Records the existing channels: those older than our first one are left alone, and one that was created without
    /// an answer is used.
    private mutating func listed(_ answer: PushAnswer, _ place: Int, _ index: Int, at now: Timestamp) {
        let (app, environment) = (
            activities[place].channels[index].app, activities[place].channels[index].environment
        )
        let known = activities.flatMap { $0.channels }.map { TokenSlot.mark(of: $0.id) }
        let wasAsked = activities[place].channels[index].isAsked
        activities[place].channels[index].isAsked = false
        guard case .channels(let all) = answer else {
            if answer.isPassing {
                activities[place].channels[index].isAsked = wasAsked
                if !wasAsked { activities[place].channels[index].life = .refused }
            } else if services[app, environment].strangers == nil {
                // Without a list, the older channels are unknown, so none is considered ours.
                services[app, environment].strangers = []
                touchServices()
            }
            return
        }
        let unknown = all.filter { !known.contains(TokenSlot.mark(of: $0)) }
        guard let strangers = services[app, environment].strangers else {
            let marks = unknown.map { TokenSlot.mark(of: $0) }
            services[app, environment].strangers = marks
            touchServices()
            return
        }
        let ours = unknown.filter { !strangers.contains(TokenSlot.mark(of: $0)) }
        if wasAsked, let id = ours.first { open(id, place, index, at: now) }
    }

    private mutating func published(
        _ flight: PushLane.Flight,
        _ answer: PushAnswer,
        _ place: Int,
        _ index: Int,
        at now: Timestamp
    ) {
        let channel = activities[place].channels[index]
        switch answer {
        case .accepted, .channelCreated, .channels:
            activities[place].channels[index].shown = flight.shown
            if let rev = flight.alertRev { tellListeners(to: channel, of: activities[place].id, alert: rev) }
            guard flight.event == .end else { return }
            activities[place].channels[index].life = .ended
            activities[place].channels[index].endedAt = now
            dropCards(on: channel, of: activities[place].id, at: now)
        case .tokenGone, .badToken, .wrongTopic, .channelGone: giveUp(place, index, at: now)
        case .tooLarge, .senderFault:
            activities[place].channels[index].lane.refused(flight.shown.key, isBare: flight.isBare)
            let failures = activities[place].channels[index].lane.failures
            if failures >= Self.faultLimit { giveUp(place, index, at: now) }
        case .noAnswer: activities[place].channels[index].shown.key = nil
        case .busy, .unavailable, .notSent, .providerToken: break
        }
    }

    /// After how many failures in a row a channel is taken for none.
    private static let faultLimit = 4

    /// Gives up a channel that does not work: its activities are started again, on each phone by its token.
    ///
    /// They keep their instance number, so that the app knows which one to remove.
    private mutating func giveUp(_ place: Int, _ index: Int, at now: Timestamp) {
        let channel = activities[place].channels[index]
        activities[place].channels[index].life = .refused
        for phone in phones.indices {
            guard let phoneActivity = phones[phone].place(of: activities[place].id) else { continue }
            for instance in phones[phone].activities[phoneActivity].instances
            where instance.listens(to: channel) {
                phones[phone].activities[phoneActivity].undoStart(instance.number)
                touch(phone: phones[phone].id)
            }
        }
    }

    /// Takes note that all who listen to a channel have the alert of a revision.
    private mutating func tellListeners(to channel: BroadcastChannel, of activity: String, alert rev: Int64) {
        for phone in placesListening(to: channel, of: activity) {
            guard let place = phones[phone].place(of: activity) else { continue }
            phones[phone].activities[place].lane.told(alert: rev)
            touch(phone: phones[phone].id)
        }
    }

    /// Removes the instances on a channel.
    private mutating func dropCards(on channel: BroadcastChannel, of activity: String, at now: Timestamp) {
        for phone in phones.indices {
            guard let phoneActivity = phones[phone].place(of: activity) else { continue }
            let instances = phones[phone].activities[phoneActivity].instances
            for instance in instances where instance.listens(to: channel) {
                phones[phone].activities[phoneActivity].remove(instance.number, .ended, at: now)
                touch(phone: phones[phone].id)
            }
        }
    }
}

extension PushAnswer {
    /// True if the same may be taken later.
    fileprivate var isPassing: Bool {
        switch self {
        case .busy, .unavailable, .notSent, .providerToken, .noAnswer: true
        default: false
        }
    }
}
