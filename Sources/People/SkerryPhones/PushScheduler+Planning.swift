import SkerryActivity
import SkerryValues

extension PushScheduler {
    /// The next step for the card of an activity on a phone.
    ///
    /// The order of the checks is the policy. Who may no longer see an activity, or hides it, has it taken away before
    /// anything else is considered; then a user's removal counts, which outranks all news; then what Apple refused, so
    /// that nothing is sent twice in vain; then the end; and only what goes on competes for a place.
    func cardStep(
        _ phoneActivity: PhoneActivity,
        of phone: Phone,
        _ places: Places,
        at now: Timestamp
    ) -> Step {
        guard let index = activity(phoneActivity.activity), phoneActivity.lane.flight == nil else {
            return .rest
        }
        let activity = activities[index]
        if phone.leftAt != nil {
            return gated(ending(phoneActivity), phoneActivity, activity, phone, at: now)
        }
        if isWithheld(activity, from: phone) {
            return gated(
                withheld(phoneActivity, of: phone, activity),
                phoneActivity,
                activity,
                phone,
                at: now
            )
        }
        if phoneActivity.isMuted {
            // A renewal that came after its user had removed the instance before it.
            if !phoneActivity.instances.isEmpty, case .send(let intent) = ending(phoneActivity) {
                return gated(.send(intent), phoneActivity, activity, phone, at: now)
            }
            return .hold(
                Step.Hold(kind: .muted, text: "its user removed it: nothing more is sent in this run"),
                until: .distantFuture
            )
        }
        if !phoneActivity.instances.isEmpty, phoneActivity.lane.hasRefused(activity.key),
            !activity.isOver || phoneActivity.lane.isBareRefused
        {
            // Until iOS takes the cards away by itself: then there is something to plan again.
            return .hold(nil, until: phoneActivity.instances.reduce(.distantFuture) { min($0, $1.expires) })
        }
        if activity.isUnknown, activity.update.at + FollowedActivity.unknownPatience > now {
            return .hold(nil, until: activity.update.at + FollowedActivity.unknownPatience)
        }
        if activity.isOver { return gated(ending(phoneActivity), phoneActivity, activity, phone, at: now) }
        if phoneActivity.instances.isEmpty {
            let step = starting(phoneActivity, of: phone, activity, at: now)
            if case .send = step { return placed(step, phoneActivity, places) }
            return step
        }
        return gated(
            following(phoneActivity, of: phone, activity, places, at: now),
            phoneActivity,
            activity,
            phone,
            at: now
        )
    }

    /// The step for an ended activity: each instance is ended, the old one first.
    func ending(_ phoneActivity: PhoneActivity) -> Step {
        for instance in phoneActivity.instances where instance.token.token != nil {
            return .send(.end(instance: instance.number))
        }
        // Cards that listen to a channel are ended by the channel.
        guard let instance = phoneActivity.instances.first, instance.channel == nil else { return .rest }
        return .hold(
            Step.Hold(
                kind: .tokenMissing,
                text: "it has ended, and no update token is known to end it on the phone"
            ),
            until: instance.startedAt + PushSchedulerSettings.shownLimit
        )
    }

    /// Returns whether an activity that is not on the phone can be started now, if there is a place.
    func starting(
        _ phoneActivity: PhoneActivity,
        of phone: Phone,
        _ activity: FollowedActivity,
        at now: Timestamp
    ) -> Step {
        let type = activity.attributesType
        if phoneActivity.overAt != nil {
            return .hold(
                Step.Hold(kind: .over, text: "it has ended on the phone"),
                until: .distantFuture
            )
        }
        if phone.allowsActivities == false {
            let text =
                "Live Activities are switched off for the app: switch them on in the phone's Settings, under the app's name"
            return .hold(Step.Hold(kind: .disabled, text: text), until: .distantFuture)
        }
        let slot = phone.startToken(of: type)
        guard let slot, slot.token != nil else {
            let text =
                slot == nil
                ? "the app has reported no push-to-start token for \(type)"
                : "the push-to-start token for \(type) is none any more, and the app has reported no other"
            return .hold(Step.Hold(kind: .tokenMissing, text: text), until: .distantFuture)
        }
        // The same content would be refused again; another one has another key.
        if phoneActivity.lane.hasRefused(activity.key) { return .rest }
        let introduced = phone.pairedAt + Phone.introduction
        if phoneActivity.lastInstance == 0, introduced > now, activity.update.startedAt < phone.pairedAt {
            return .hold(nil, until: introduced)
        }
        let room = phone.starts.room(settings.startBudget, in: settings.budgetWindow, at: now)
        if room > now {
            let text =
                "\(settings.startBudget) activities were started recently: no more until the budget recovers"
            return .hold(Step.Hold(kind: .held, text: text, until: room), until: room)
        }
        let step = gated(channelled(activity, phone, slot, at: now), phoneActivity, activity, phone, at: now)
        guard case .hold(let hold, let until) = step else { return step }
        // The pause is one of pushes: a channel can be asked for as soon as its own is over.
        let channels = services[settings.app(phone.bundleID), slot.target].channels.holds(at: now)
        return .hold(hold, until: min(until, channels ?? until))
    }

    /// A start by a channel where that is possible, else by token.
    private func channelled(
        _ activity: FollowedActivity,
        _ phone: Phone,
        _ slot: TokenSlot,
        at now: Timestamp
    ) -> Step {
        let app = settings.app(phone.bundleID)
        // An activity with one recipient is a test, and no other phone would listen.
        guard settings.usesChannels(of: app), phone.canListen, activity.recipient == nil else {
            return .send(.start)
        }
        // Whatever is wrong with channels, phones can be reached without.
        let obstacle = services[app, slot.target].channels
        let another = Step.send(obstacle.holds(at: now) == nil ? .openChannel : .start)
        guard let channel = activity.newestChannel(app, slot.target) else { return another }
        switch channel.life {
        case .ended: return another
        case .wanted:
            guard obstacle.holds(at: now) == nil, channel.lane.trouble == nil else { return .send(.start) }
            let patience = (channel.lane.flight?.sentAt ?? now) + BroadcastChannel.patience
            return patience > now ? .hold(nil, until: patience) : .send(.start)
        case .refused: return .send(.start)
        case .open:
            let isOld = channel.startedAt.map { $0 + settings.renewalAge <= now } ?? false
            return isOld || isOverheard(channel, of: activity) ? another : .send(.start)
        }
    }

    private func placed(_ step: Step, _ phoneActivity: PhoneActivity, _ places: Places) -> Step {
        if Places.has(phoneActivity.activity, on: places.starters) { return step }
        if Places.has(phoneActivity.activity, on: places.awaited) {
            return .hold(nil, until: places.changesAt)
        }
        return .hold(
            Step.Hold(
                kind: .yielded,
                text: "the phone already shows \(settings.places) activities, and none less relevant can go"
            ),
            until: places.changesAt
        )
    }

    /// The step for a running activity that is on the phone.
    private func following(
        _ phoneActivity: PhoneActivity,
        of phone: Phone,
        _ activity: FollowedActivity,
        _ places: Places,
        at now: Timestamp
    ) -> Step {
        let newest = phoneActivity.instances[phoneActivity.instances.count - 1]
        if let leaving = phoneActivity.instances.first(where: { $0.isLeaving && $0.token.token != nil }) {
            return .send(.end(instance: leaving.number))
        }
        if phoneActivity.instances.count > 1, phoneActivity.instances[0].token.token != nil {
            let lastCall =
                phoneActivity.instances[0].startedAt + PushSchedulerSettings.activeLimit - .minutes(1)
            if newest.isConfirmed || (newest.isAccepted && now >= lastCall) {
                return .send(.end(instance: phoneActivity.instances[0].number))
            }
        }
        if Places.has(phoneActivity.activity, on: places.leavers) {
            return .send(.end(instance: newest.number))
        }
        var next = activity.staleMoves(after: now)
        let listeners = [phone.listener(of: activity.id)]
        let rings = owesAlert(of: activity, phoneActivity.lane, for: listeners, at: now)
        // The newest first, because it is the one that stays.
        for instance in phoneActivity.instances.reversed() where instance.token.token != nil {
            if !rings, instance.shown.isCurrent(activity, at: now) { continue }
            return .send(.update(instance: instance.number))
        }
        for instance in phoneActivity.instances { next = min(next, instance.expires) }
        if phoneActivity.instances.count == 1, let due = renewalDue(newest, activity, of: phone, at: now) {
            if now < due {
                next = min(next, due)
            } else {
                let step = starting(phoneActivity, of: phone, activity, at: now)
                // In quiet hours before which it could not be renewed it is due at its usual time.
                if case .hold(let hold, let until) = step {
                    return .hold(hold, until: min(until, next, quiet.start(for: phone.person, after: now)))
                }
                // Above its limit iOS drops a start silently, so the old instance is ended first.
                let mustGo = places.free <= 0 && newest.token.token != nil
                return mustGo ? .send(.end(instance: newest.number)) : step
            }
        }
        if phoneActivity.instances.count > 1 {
            let lastCall =
                phoneActivity.instances[0].startedAt + PushSchedulerSettings.activeLimit - .minutes(1)
            if lastCall > now { next = min(next, lastCall) }
        }
        if newest.token.token == nil, newest.channel == nil {
            return awaitsToken(newest, next: next, at: now)
        }
        return .hold(nil, until: next)
    }

    /// The moment of an instance's renewal; nil for an instance that could not be ended.
    ///
    /// A start lights up the screen. One that would come in quiet hours comes before them, if that makes one less in them.
    private func renewalDue(
        _ instance: ActivityInstance,
        _ activity: FollowedActivity,
        of phone: Phone,
        at now: Timestamp
    ) -> Timestamp? {
        if let id = instance.channel {
            guard let channel = activity.channel(id), let startedAt = channel.startedAt else { return nil }
            return startedAt + settings.renewalAge
        }
        if instance.token.token == nil { return nil }
        let due = instance.startedAt + settings.renewalAge
        guard let hours = quiet.hours(of: phone.person, around: due), now < hours.lowerBound else {
            return due
        }
        let age = settings.renewalAge.microseconds
        let renewals = [hours.lowerBound, instance.startedAt].map {
            (hours.upperBound - $0).microseconds / age
        }
        return renewals[0] < renewals[1] ? hours.lowerBound - .minutes(1) : due
    }

    private func awaitsToken(_ instance: ActivityInstance, next: Timestamp, at now: Timestamp) -> Step {
        let overdue = instance.startedAt + settings.tokenPatience
        if now < overdue {
            let text = "waits for the update token, which comes when the user has tapped Allow"
            return .hold(
                Step.Hold(kind: .tokenMissing, text: text, until: overdue),
                until: min(next, overdue)
            )
        }
        let text =
            "the update token is overdue: Allow was not tapped, or the app was ended; the state is sent when it comes"
        return .hold(Step.Hold(kind: .tokenMissing, text: text), until: next)
    }

    /// Delays a step while there is an obstacle to all pushes.
    func gated(
        _ step: Step,
        _ phoneActivity: PhoneActivity,
        _ activity: FollowedActivity,
        _ phone: Phone,
        at now: Timestamp
    ) -> Step {
        guard case .send(let intent) = step else { return step }
        let app = settings.app(phone.bundleID)
        if let hold = lacksKey(of: app) { return .hold(hold, until: .distantFuture) }
        let environment: PushEnvironment? =
            switch intent {
            case .start: phone.startToken(of: activity.attributesType)?.target
            case .notice: phone.notificationToken.target
            case .update(let instance), .end(let instance):
                phoneActivity.place(ofInstance: instance).map { phoneActivity.instances[$0].token.target }
            case .openChannel, .listChannels, .closeChannel: nil
            }
        let obstacle = environment.map { services[app, $0].pushes }
        let listeners = [phone.listener(of: activity.id)]
        return gated(step, phoneActivity.lane, activity, obstacle, for: listeners, at: now)
    }

    /// Why nothing goes to the phones of an app; nil if the bridge has its key.
    func lacksKey(of app: String) -> Step.Hold? {
        if settings.hasKey(of: app) { return nil }
        return Step.Hold(kind: .tokenMissing, text: "the settings have no key for the app \(app): push.apps")
    }

    func urgency(
        of intent: Step.Intent,
        _ lane: PushLane,
        _ activity: FollowedActivity,
        for listeners: [Listener],
        at now: Timestamp
    ) -> PushLane.Urgency {
        let alert = untoldAlert(of: activity, lane, for: listeners, at: now)
        switch intent {
        case .end where activity.isOver, .update where alert != nil, .notice:
            return .vital(rev: activity.newsRev)
        case .start, .update, .end: return .news(rev: activity.newsRev)
        case .openChannel, .listChannels, .closeChannel: return .manager
        }
    }

    /// Delays a step for the second between pushes, for pauses of its lane, and for the service.
    func gated(
        _ step: Step,
        _ lane: PushLane,
        _ activity: FollowedActivity,
        _ obstacle: Obstacle?,
        for listeners: [Listener],
        at now: Timestamp
    ) -> Step {
        guard case .send(let intent) = step else { return step }
        let gate = lane.opens(urgency(of: intent, lane, activity, for: listeners, at: now), at: now)
        let hold: Step.Hold?
        let until: Timestamp
        if gate.at > now {
            hold = gate.reason.map { Step.Hold(kind: .paused, text: $0, until: gate.at) }
            until = gate.at
        } else if let obstacle, let end = obstacle.holds(at: now) {
            hold = Step.Hold(kind: .paused, text: obstacle.reason, until: end)
            until = end
        } else {
            return step
        }
        guard untoldAlert(of: activity, lane, for: listeners, at: now) != nil else {
            return .hold(hold, until: until)
        }
        // Once the alert is told no more, what waits is less urgent, or waits for something else.
        let silence = listeners.map { quiet.start(for: $0.person, after: now) }
        return .hold(
            hold,
            until: ([until, activity.alertEnds(freshness: settings.alertFreshness)] + silence).min() ?? until
        )
    }
}

extension ActivityInstance {
    /// The moment at which iOS removes it by itself: an activity ends after eight hours, and without a push stays
    /// visible for four more.
    var expires: Timestamp {
        startedAt + (isConfirmed ? PushSchedulerSettings.activeLimit : PushSchedulerSettings.shownLimit)
    }
}

// Quiet hours, and runs that a person muted on a phone: alerts are left out, and pushes go with priority 5.
extension PushScheduler {
    /// Somebody who hears the pushes of an activity on a phone.
    struct Listener {
        /// The person that the phone belongs to.
        var person: String?
        /// True if the run is muted on the phone.
        var isSilent: Bool
        /// The revision of the last alert that came otherwise than by the lane that is asked about.
        var toldRev: Int64 = 0
    }

    /// The alert that a lane has not delivered yet; nil if it must not be heard.
    func untoldAlert(
        of activity: FollowedActivity,
        _ lane: PushLane,
        for listeners: [Listener],
        at now: Timestamp
    ) -> RaisedAlert? {
        let untold = activity.untoldAlert(
            after: lane.lastAlertRev,
            freshness: settings.alertFreshness,
            at: now
        )
        guard let untold else { return nil }
        // Who muted the run has not heard it, and need not.
        let toldRev = listeners.filter { !$0.isSilent }.map { $0.toldRev }.min()
        if let toldRev, untold.origin.rev <= toldRev { return nil }
        // Also by its own moment: what was raised in quiet hours must not sound at their end.
        let moments = [now, untold.origin.at]
        return moments.contains { quietReason(activity, for: listeners, at: $0) != nil } ? nil : untold
    }

    /// The alert that a lane has not delivered yet to a phone; nil if it must not be heard there.
    func untoldAlert(
        of activity: FollowedActivity,
        _ lane: PushLane,
        on phone: Phone,
        at now: Timestamp
    ) -> RaisedAlert? {
        untoldAlert(of: activity, lane, for: [phone.listener(of: activity.id)], at: now)
    }

    /// Returns whether a card has to ring, also if it shows already what it should: a reminder changes nothing that is seen.
    ///
    /// A channel without listeners owes nothing: Apple would keep the push for a card that begins later with this alert.
    func owesAlert(
        of activity: FollowedActivity,
        _ lane: PushLane,
        for listeners: [Listener],
        at now: Timestamp
    ) -> Bool {
        guard !listeners.isEmpty else { return false }
        return untoldAlert(of: activity, lane, for: listeners, at: now).map { $0.alert.level != .passive }
            ?? false
    }

    /// Why an activity must not sound or light up a screen at a moment; nil if it may.
    ///
    /// A broadcast reaches all listeners alike: one who sleeps is not woken, and one who muted the run is not heeded.
    func quietReason(
        _ activity: FollowedActivity,
        for listeners: [Listener],
        at moment: Timestamp
    ) -> String? {
        // Who has just asked for a test is awake.
        if activity.recipient != nil { return nil }
        if !listeners.isEmpty, listeners.allSatisfy({ $0.isSilent }) {
            return "muted on the phone for this run: without a sound"
        }
        guard activity.update.relevance < QuietHours.heardRelevance else { return nil }
        if let raised = activity.alert, raised.alert.level == .critical,
            moment - raised.origin.at <= settings.alertFreshness
        {
            return nil
        }
        let asleep = listeners.first { quiet.isQuiet(for: $0.person, at: moment) }
        return asleep.map { quiet.reason(for: $0.person) }
    }

    /// The listeners on a channel, who have the alerts that their cards began with or that another channel brings.
    func listeners(to channel: BroadcastChannel, of activity: FollowedActivity) -> [Listener] {
        listeners(at: placesListening(to: channel, of: activity.id), of: activity)
    }

    /// The listeners on phones that listen to a channel.
    func listeners(at places: [Int], of activity: FollowedActivity) -> [Listener] {
        // During a renewal there are two, and the second need not wait for the answer to the first.
        let ringing = activity.channels.filter { $0.lane.flight?.told.alertRev != nil }
        return places.map { phone in
            var listener = phones[phone].listener(of: activity.id)
            listener.toldRev = phones[phone].toldRev(of: activity.id, ringing)
            return listener
        }
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
    /// The revision of the last alert of an activity that the phone has, or that is on its way with a card
    /// or by one of these channels.
    fileprivate func toldRev(of activity: String, _ ringing: [BroadcastChannel]) -> Int64 {
        guard let place = place(of: activity) else { return 0 }
        return activities[place].instances.reduce(activities[place].lane.lastAlertRev) { rev, instance in
            let channel = ringing.first { instance.listens(to: $0) }
            return max(rev, instance.alertRev ?? 0, channel?.lane.flight?.told.alertRev ?? 0)
        }
    }

    /// Who hears an activity on this phone.
    func listener(of activity: String) -> PushScheduler.Listener {
        PushScheduler.Listener(
            person: person,
            isSilent: place(of: activity).map { activities[$0].isSilent } ?? false
        )
    }
}

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
            let origin = untoldAlert(of: activity, phoneActivity.lane, on: phone, at: now)?.origin,
            // What was raised before the pairing is no news for this phone.
            origin.at >= phone.pairedAt,
            let reason = lacksCard(phoneActivity, of: phone, activity, for: origin.rev, step, at: now)
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
        // An end that a channel refused goes once more, without content but with its alert.
        let channel = phoneActivity.instances.last?.channel.flatMap { activity.channel($0)?.lane }
        let isChannelRefused =
            channel.map { $0.hasRefused(activity.key) && (!activity.isOver || $0.isBareRefused) } ?? false
        if isChannelRefused || phoneActivity.lane.hasRefused(activity.key) {
            return "its content was refused"
        }
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
    mutating func notify(_ card: Card, because reason: String, at now: Timestamp) -> Push? {
        let (activity, phone, lane) = (activities[card.activity], card.phone, self[card].lane)
        assert(activity.recipient == nil && phones[phone].leftAt == nil, "nobody is to be told of this")
        guard let token = phones[phone].notificationToken.token,
            let untold = untoldAlert(of: activity, lane, on: phones[phone], at: now)
        else { return nil }
        let push = Push(
            id: nextID(),
            phone: phones[phone].id,
            activity: activity.id,
            instance: 0,
            route: .app(token: token),
            environment: phones[phone].notificationToken.target,
            event: .notification,
            // A passive notification lights up no screen, so it need not arrive at once.
            priority: spend(untold.alert.level != .passive, false, card, at: now),
            expiration: (now + ActivityDismissal.longest).flooredSeconds,
            collapseID: collapseID(activity.id, 0),
            timestamp: lane.nextTimestamp(at: now),
            payload: activity.notification(untold.alert)
        )
        return launch(push, card, PushLane.Told(alertRev: untold.origin.rev), because: reason, at: now)
    }
}

extension PhoneActivity {
    /// True if the card has gone without a word, as one does that its user removes while the app is not running.
    fileprivate var mayBeDismissed: Bool { isSilentlyOver && gone.last?.mark != nil }
}
