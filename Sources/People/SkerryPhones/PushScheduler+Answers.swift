import SkerryActivity
public import SkerryValues

extension PushScheduler {
    /// Records the result of a push.
    ///
    /// No answer leads to the same request at once: a token, a channel or a content is given up, or a pause begins,
    /// longer each time.
    ///
    /// - Parameters:
    ///   - push: The push that was sent.
    ///   - answer: Its result.
    ///   - chance: A number from 0 up to 1, by which pauses differ from those of other gateways.
    ///   - now: The time.
    public mutating func answered(_ push: Push, _ answer: PushAnswer, chance: Double = 0, at now: Timestamp) {
        judgeService(push, answer, chance, at: now)
        guard let id = push.phone else { return answeredChannel(push, answer, chance, at: now) }
        if case .widgets = push.route {
            if let phone = phone(id) { answeredWidgets(push, on: phone, answer, chance, at: now) }
            return
        }
        guard let phone = phone(id), let phoneActivity = phones[phone].place(of: push.activity),
            let flight = phones[phone].activities[phoneActivity].lane.flight, flight.push == push.id
        else { return }
        assert(
            flight.instance == push.instance && flight.event == push.event,
            "an answer is taken for another push than the one on its way"
        )
        touch(phone: id)
        phones[phone].note(
            answer.outcome == .arrived ? .answered : .failed,
            "\(push.event?.name ?? "push"): \(answer.text)",
            of: push.activity,
            at: now
        )
        let newsRev = activity(push.activity).map { activities[$0].newsRev } ?? 0
        let failures = phones[phone].activities[phoneActivity].lane.failures
        phones[phone].activities[phoneActivity].lane.landed(answer.outcome)
        phones[phone].counts.landed(push.event, answer.outcome)
        var hasOtherWay = false
        switch answer.outcome {
        case .arrived: phones[phone].arrived(push, flight, phoneActivity)
        case .unknown: phones[phone].activities[phoneActivity].lost(flight)
        case .refused: hasOtherWay = phones[phone].refused(push, flight, phoneActivity, answer, at: now)
        }
        if !hasOtherWay, let pause = answer.pause(failures, chance) {
            phones[phone].activities[phoneActivity].lane.pause(
                for: pause,
                newsRev: newsRev,
                reason: answer.text,
                isBinding: answer.isBinding,
                at: now
            )
        }
        forgetWhoLeft(at: now)
    }

    /// Records trouble of a service or of the provider token, which concerns all its pushes and no single token.
    ///
    /// The channel service is separate: phones can be reached without it.
    private mutating func judgeService(
        _ push: Push,
        _ answer: PushAnswer,
        _ chance: Double,
        at now: Timestamp
    ) {
        var service = services[push.app, push.environment]
        var obstacle = push.route.isForManager ? service.channels : service.pushes
        let before = obstacle.earlierFailures(at: now)
        switch answer {
        case .notSent(let reason, let retryAfter):
            let pause = Pause.length(after: before, .seconds(1), .minutes(1), chance)
            obstacle.pause(for: Pause.asked(retryAfter, before, else: pause), reason, at: now)
        case .providerToken(let reason, let retryAfter):
            let pause = Pause.length(after: before, .minutes(5), .minutes(60), chance)
            let app = push.app.isEmpty ? "" : " of \(push.app)"
            let text = "APNs refuses the provider token\(app): \(reason)"
            obstacle.pause(for: Pause.asked(retryAfter, before, else: pause), text, at: now)
        case .unavailable(let reason, let retryAfter) where push.route.isForManager:
            let pause = Pause.length(after: before, .minutes(15), .minutes(60), chance)
            obstacle.pause(for: Pause.asked(retryAfter, before, else: pause), reason, at: now)
        // It proves neither trouble of the service nor the end of one.
        case .noAnswer: return
        default:
            if before == 0, obstacle.until == nil { return }
            obstacle = Obstacle()
        }
        assert(obstacle.failures == 0 || obstacle.failures > before, "a failure of a service is not counted")
        if push.route.isForManager { service.channels = obstacle } else { service.pushes = obstacle }
        services[push.app, push.environment] = service
        touchServices()
    }
}

extension PushScheduler.Obstacle {
    /// The failures in a row before the present pause: a push that was on its way when that began is no further one.
    func earlierFailures(at now: Timestamp) -> Int { holds(at: now) == nil ? failures : max(failures - 1, 0) }
}

/// The pauses after failures.
package enum Pause {
    /// A number from 0 up to 1 that differs from request to request and from gateway to gateway, and is the same in each
    /// replay.
    package static func chance(of body: [UInt8]) -> Double {
        // 53 bits, as many as a Double holds, and 2 to the power of 53.
        Double(body.fingerprint >> 11) / 9_007_199_254_740_992
    }

    /// Doubles with each failure in a row, up to a limit; up to half as much is added by chance.
    package static func length(
        after failures: Int,
        _ first: Interval,
        _ longest: Interval,
        _ chance: Double
    ) -> Interval {
        assert(.zero < first && first <= longest, "a pause begins at none, or beyond its longest")
        var length = first
        for _ in 0..<min(max(failures, 0), 32) where length < longest { length = length + length }
        let whole = min(length, longest).microseconds
        return Interval(microseconds: whole + Int64(Double(whole / 2) * min(max(chance, 0), 1)))
    }

    /// The pause that a service asks for, at most a day; one that asks for none again and again gets longer pauses all
    /// the same.
    package static func asked(_ retryAfter: Interval?, _ failures: Int, else pause: Interval) -> Interval {
        guard let retryAfter else { return pause }
        return max(min(retryAfter, .hours(24)), length(after: failures, .seconds(1), .minutes(15), 0))
    }
}

extension PushAnswer {
    /// True if the phone may have it.
    var outcome: PushLane.Outcome {
        switch self {
        case .accepted, .channelCreated, .channels: .arrived
        case .noAnswer: .unknown
        default: .refused
        }
    }

    /// The pause before the next push to the same place; nil if the push arrived.
    func pause(_ failures: Int, _ chance: Double) -> Interval? {
        func length(_ first: Interval, _ longest: Interval) -> Interval {
            Pause.length(after: failures, first, longest, chance)
        }
        return switch self {
        case .accepted, .channelCreated, .channels: nil
        case .busy(let retryAfter):
            Pause.asked(retryAfter, failures, else: length(.seconds(30), .minutes(15)))
        // Apple asks for a quarter of an hour.
        case .unavailable(_, let retryAfter):
            Pause.asked(retryAfter, failures, else: length(.minutes(15), .minutes(60)))
        case .noAnswer: length(.seconds(5), .minutes(5))
        case .tokenGone, .badToken, .wrongTopic, .channelGone, .tooLarge, .senderFault:
            length(.seconds(15), .minutes(60))
        // The service has a pause of its own.
        case .notSent, .providerToken: length(.seconds(1), .minutes(1))
        }
    }

    /// True if even vital news must wait for the end of the pause.
    var isBinding: Bool {
        switch self {
        case .busy, .senderFault: true
        case .unavailable(_, let retryAfter): retryAfter != nil
        default: false
        }
    }

    /// The answer in words.
    var text: String {
        switch self {
        case .accepted: "accepted"
        case .channelCreated: "the channel is there"
        case .channels(let channels): "there are \(channels.count) channels"
        case .tokenGone: "the token has expired (410)"
        case .badToken: "no token, or one of the other environment (BadDeviceToken)"
        case .wrongTopic: "the token belongs to another app (DeviceTokenNotForTopic)"
        case .channelGone(let reason): "there is no such channel (\(reason))"
        case .tooLarge: "too large (413)"
        case .senderFault(let reason): "refused: \(reason)"
        case .providerToken(let reason, _): "APNs refuses the provider token: \(reason)"
        case .busy: "too many pushes to this token (429)"
        case .unavailable(let reason, _): "APNs has trouble: \(reason)"
        case .notSent(let reason, _): "not sent: \(reason)"
        case .noAnswer(let reason): "no answer: \(reason)"
        }
    }
}

extension PhoneActivity {
    /// Handles a push that may or may not have arrived: an update or end is sent again, a start only if the phone does not
    /// show it.
    fileprivate mutating func lost(_ flight: PushLane.Flight) {
        guard let place = place(ofInstance: flight.instance) else { return }
        if flight.event != .start { instances[place].shown.key = nil }
        if flight.event == .end { instances[place].isLeaving = true }
    }
}

extension Phone {
    fileprivate mutating func arrived(_ push: Push, _ flight: PushLane.Flight, _ phoneActivity: Int) {
        changeToken(push, phoneActivity) { token, slot in slot.belongs(token, to: push.environment) }
        guard let instance = activities[phoneActivity].place(ofInstance: flight.instance) else { return }
        switch flight.event {
        case .start, .update:
            activities[phoneActivity].instances[instance].isAccepted = true
            activities[phoneActivity].instances[instance].shown = flight.shown
            activities[phoneActivity].refusedStarts = 0
        case .end: activities[phoneActivity].remove(flight.instance, .ended, at: flight.sentAt)
        case .notification, .widgets, nil: break
        }
    }

    /// Gives up the token, channel or content that was refused.
    ///
    /// - Returns: whether there is another route, which needs no pause.
    fileprivate mutating func refused(
        _ push: Push,
        _ flight: PushLane.Flight,
        _ phoneActivity: Int,
        _ answer: PushAnswer,
        at now: Timestamp
    ) -> Bool {
        if push.priority == .immediate { immediate.takeBack() }
        if flight.event == .start {
            starts.takeBack()
            activities[phoneActivity].undoStart(flight.instance)
            activities[phoneActivity].refusedStarts += 1
        }
        var hasOtherWay = false
        switch answer {
        case .tokenGone(let since):
            activities[phoneActivity].lane.expired(since: since ?? now)
            var isDropped = false
            changeToken(push, phoneActivity) { token, slot in
                isDropped = slot.expire(token, since: since, at: now)
            }
            if isDropped, flight.event != .start { lose(flight, phoneActivity, min(since ?? now, now)) }
            hasOtherWay = hasOtherToken(than: push, phoneActivity)
        case .badToken:
            activities[phoneActivity].lane.expired(since: nil)
            changeToken(push, phoneActivity) { token, slot in
                hasOtherWay = slot.refused(token, in: push.environment)
            }
            hasOtherWay = hasOtherWay || hasOtherToken(than: push, phoneActivity)
        case .wrongTopic:
            activities[phoneActivity].lane.expired(since: nil)
            changeToken(push, phoneActivity) { token, slot in
                if slot.has(token) { slot.giveUp() }
            }
            hasOtherWay = hasOtherToken(than: push, phoneActivity)
        case .tooLarge, .senderFault:
            if flight.event == .notification, let rev = flight.told.alertRev {
                // The same notification would be refused again; the card is another matter.
                activities[phoneActivity].lane.told(alert: rev)
                break
            }
            activities[phoneActivity].lane.refused(flight.shown.key, isBare: flight.told.isBare)
        case .channelGone:
            // The start named a channel that does not exist: the next one goes without.
            activities[phoneActivity].lane.refused(flight.shown.key, isBare: flight.told.isBare)
        default: break
        }
        return hasOtherWay
    }

    /// Returns whether the phone has told another token since a push left for one that is none: the next push goes there.
    private func hasOtherToken(than push: Push, _ phoneActivity: Int) -> Bool {
        let slot: TokenSlot?
        let sent: String
        switch push.route {
        case .start(let token):
            sent = token
            slot = startToken(of: LiveActivityContract.attributesType(ofActivity: push.activity))
        case .app(let token): (sent, slot) = (token, notificationToken)
        case .token(let token):
            let place = activities[phoneActivity].place(ofInstance: push.instance)
            (sent, slot) = (token, place.map { activities[phoneActivity].instances[$0].token })
        case .widgets, .channel, .createChannel, .deleteChannel, .listChannels: return false
        }
        return slot?.hasReplaced(sent) ?? false
    }

    /// Marks the activity as ended on this phone.
    ///
    /// It is not shown again, unless the phone turns out to be another one by now.
    private mutating func lose(_ flight: PushLane.Flight, _ phoneActivity: Int, _ moment: Timestamp) {
        guard let place = activities[phoneActivity].place(ofInstance: flight.instance) else { return }
        let instance = activities[phoneActivity].instances[place]
        // Tokens also rotate: only the list of shown activities distinguishes that from another phone.
        if isAnotherPhone(than: instance, ofActivity: activities[phoneActivity].activity) {
            activities[phoneActivity].mayBeAnother = true
        }
        let endsRun = flight.event != .end
        activities[phoneActivity].remove(flight.instance, .silent, at: moment, endsRun: endsRun)
    }

    /// Returns whether the push-to-start token has changed since an instance began: the phone was restored or set up again.
    func isAnotherPhone(than instance: ActivityInstance, ofActivity activity: String) -> Bool {
        guard let startedBy = instance.startedBy,
            let slot = startToken(of: LiveActivityContract.attributesType(ofActivity: activity)),
            slot.token != nil, let mark = slot.mark
        else { return false }
        return mark != startedBy
    }

    /// Changes the token that a push went to, if the phone still has it.
    private mutating func changeToken(
        _ push: Push,
        _ phoneActivity: Int,
        _ change: (String, inout TokenSlot) -> Void
    ) {
        switch push.route {
        case .start(let token):
            for index in startTokens.indices where startTokens[index].slot.has(token) {
                change(token, &startTokens[index].slot)
            }
        case .app(let token): change(token, &notificationToken)
        case .token(let token):
            guard let instance = activities[phoneActivity].place(ofInstance: push.instance) else { return }
            change(token, &activities[phoneActivity].instances[instance].token)
        case .widgets, .channel, .createChannel, .deleteChannel, .listChannels: break
        }
    }
}

extension LiveActivityContract {
    /// The name of the Swift type of an activity, by its id.
    static func attributesType(ofActivity id: String) -> String {
        attributesType(ofKind: String(decoding: id.utf8.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self))
    }
}

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
        assert(
            !activities[place].channels.contains { $0.lane.flight?.push == push.id },
            "two channels wait for one answer"
        )
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
            assert(activities[place].channels[index].life != .wanted, "a channel goes that there never was")
            // Also if the service refuses to remove it: asking again would change nothing.
            if !answer.isPassing { activities[place].channels.remove(at: index) }
        case .channel: published(flight, answer, place, index, at: now)
        case .start, .app, .widgets, .token: break
        }
        forgetWhoLeft(at: now)
    }

    private mutating func created(_ answer: PushAnswer, _ place: Int, _ index: Int, at now: Timestamp) {
        assert(
            activities[place].channels[index].life == .wanted,
            "a channel is made that nobody wants any more"
        )
        assert(activities[place].channels[index].isAsked, "a channel is made that nobody asked for")
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
        assert(activities[place].channels[index].life == .wanted, "a channel is opened twice")
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
        assert(activities[place].channels[index].life == .wanted, "a channel is looked for that is known")
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
        assert(channel.life == .open, "a channel is published to that is not open")
        switch answer {
        case .accepted, .channelCreated, .channels:
            activities[place].channels[index].shown = flight.shown
            if let rev = flight.told.alertRev {
                tellListeners(to: channel, of: activities[place].id, alert: rev)
            }
            guard flight.event == .end else { return }
            activities[place].channels[index].life = .ended
            activities[place].channels[index].endedAt = now
            dropCards(on: channel, of: activities[place].id, at: now)
        case .tokenGone, .badToken, .wrongTopic, .channelGone: giveUp(place, index, at: now)
        case .tooLarge, .senderFault:
            activities[place].channels[index].lane.refused(flight.shown.key, isBare: flight.told.isBare)
            let failures = activities[place].channels[index].lane.failures
            if failures >= Self.faultLimit { giveUp(place, index, at: now) }
        // The listeners may have it or not, so it is sent again.
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
        assert(channel.life == .open, "a channel is given up that nobody listens to")
        activities[place].channels[index].life = .refused
        for phone in phones.indices {
            guard let phoneActivity = phones[phone].place(of: activities[place].id) else { continue }
            for instance in phones[phone].activities[phoneActivity].instances
            where instance.listens(to: channel) {
                phones[phone].activities[phoneActivity].undoStart(instance.number)
                touch(phone: phones[phone].id)
            }
        }
        assert(
            placesListening(to: channel, of: activities[place].id).isEmpty,
            "a phone listens to a channel that was given up"
        )
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
        assert(placesListening(to: channel, of: activity).isEmpty, "a card stays on a channel that has ended")
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

extension PushScheduler {
    /// Removes the activities that iOS has ended by itself.
    mutating func expire(at now: Timestamp) {
        for (phone, entry, instance) in expired(at: now) {
            phones[phone].activities[entry].remove(instance, .ended, at: now)
            touch(phone: phones[phone].id)
            let text = "iOS ends an activity after eight hours, and takes it away after twelve"
            phones[phone].note(.over, text, of: phones[phone].activities[entry].activity, at: now)
        }
        for place in placesWithChannels where activities[place].isOver {
            // Nobody listens to these. One that was asked for may exist, and has to be given back.
            activities[place].channels.removeAll {
                $0.life == .refused || ($0.life == .wanted && !$0.isAsked)
            }
        }
        forgetWhoLeft(at: now)
    }

    /// The activities that have broadcast channels.
    var placesWithChannels: [Int] { activities.indices.filter { !activities[$0].channels.isEmpty } }

    /// The instances that no phone shows any more: the phone, the entry on it, and the number.
    private func expired(at now: Timestamp) -> [(phone: Int, entry: Int, instance: Int)] {
        var expired: [(phone: Int, entry: Int, instance: Int)] = []
        for phone in phones.indices {
            for entry in phones[phone].activities.indices {
                let instances = phones[phone].activities[entry].instances.filter { $0.expires <= now }
                // An answer that is under way may be that of the card.
                if instances.isEmpty || phones[phone].activities[entry].lane.flight != nil { continue }
                expired += instances.map { (phone, entry, $0.number) }
            }
        }
        return expired
    }
}
