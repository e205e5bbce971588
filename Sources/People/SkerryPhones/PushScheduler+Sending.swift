import SkerryActivity
public import SkerryValues

extension PushScheduler {
    /// A push that can be sent now, and its rank among others.
    struct Candidate {
        /// A card, or the indices of an activity and its channel.
        enum Place {
            case card(Card)
            case channel(activity: Int, channel: Int)
        }

        var place: Place
        var intent: Step.Intent
        var rank: Plan.Rank

        /// The activity's place.
        var activity: Int {
            switch place {
            case .card(let card): card.activity
            case .channel(let activity, _): activity
            }
        }
    }

    /// The indices of a phone, of an entry on it, and of the activity of that.
    struct Card {
        var phone: Int
        var entry: Int
        var activity: Int
    }

    subscript(card: Card) -> PhoneActivity { phones[card.phone].activities[card.entry] }

    /// Returns the next push to send, rendered from the present state.
    ///
    /// Call it until it returns nil: several pushes may be in flight, one for each activity and phone. Each needs an answer.
    /// Make ``takeChanges()`` durable before the push leaves, or a restart may start an activity twice.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - clockIsKnown: Whether that is the right time, for all that is known; phones drop what is dated wrongly.
    /// - Returns: the push; nil when nothing is to be sent, and the decisions say why.
    public mutating func nextPush(at now: Timestamp, clockIsKnown: Bool) -> Push? {
        // First what time alone has ended, so that nothing is sent for it any more.
        expire(at: now)
        endTests(at: now)
        forgetWhatIsOver(at: now)
        while let candidate = bestCandidate(at: now) {
            guard clockIsKnown else {
                noteUnknownClock(candidate, at: now)
                return nil
            }
            let push =
                switch candidate.place {
                case .card(let card): send(candidate, card, at: now)
                case .channel(let activity, let channel): publish(candidate, activity, channel, at: now)
                }
            assert(push.map { $0.id == lastPush } ?? true, "a push leaves out of its order")
            // Without a push, something has changed (a channel is wanted,
            // a content is too large), and another candidate is the best.
            if let push { return push }
        }
        return clockIsKnown ? nextWidgetPush(at: now) : nil
    }

    /// The moment at which ``nextPush(at:clockIsKnown:)`` may return something else than at `now`, unless there is
    /// news before; nil if nothing waits for time to pass.
    public func nextDeadline(at now: Timestamp) -> Timestamp? {
        var next = Timestamp.distantFuture
        for phone in phones.indices {
            // A plan that is due is made again for this answer alone: asking must change nothing.
            let plan = phones[phone].plan.due > now ? phones[phone].plan : planned(phone, at: now).plan
            next = min(next, plan.moment(at: now))
            if phones[phone].widgets.news != nil { next = min(next, widgetsDue(phones[phone], at: now)) }
        }
        for place in activities.indices where activities[place].update.phase == .ended {
            let forgotten = activities[place].update.at + ActivityDismissal.longest
            if forgotten > now { next = min(next, forgotten) }
        }
        for place in activities.indices where activities[place].recipient != nil {
            if let end = activities[place].testEnd { next = min(next, end) }
        }
        for place in placesWithChannels {
            let known = activities[place].channelPlan
            let plan = known.due > now ? known : plannedChannels(of: place, at: now).plan
            next = min(next, plan.moment(at: now))
        }
        return next == .distantFuture ? nil : next
    }

    /// The best push of all: plans are made again where they are due, and the best one is made again to see that it holds.
    private mutating func bestCandidate(at now: Timestamp) -> Candidate? {
        while true {
            var best: (rank: Plan.Rank, place: Int, isChannel: Bool)?
            for phone in phones.indices {
                if phones[phone].plan.due <= now { _ = plan(phone, at: now) }
                guard let rank = phones[phone].plan.rank else { continue }
                if best.map({ rank.goesBefore($0.rank) }) ?? true { best = (rank, phone, false) }
            }
            for activity in placesWithChannels {
                if activities[activity].channelPlan.due <= now { _ = planChannels(of: activity, at: now) }
                guard let rank = activities[activity].channelPlan.rank else { continue }
                if best.map({ rank.goesBefore($0.rank) }) ?? true { best = (rank, activity, true) }
            }
            guard let best else { return nil }
            let candidate =
                best.isChannel ? planChannels(of: best.place, at: now) : plan(best.place, at: now)
            if let candidate, candidate.rank == best.rank { return candidate }
        }
    }

    /// Plans a phone, and notes on it why what waits does so.
    private mutating func plan(_ phone: Int, at now: Timestamp) -> Candidate? {
        let planned = planned(phone, at: now)
        phones[phone].plan = planned.plan
        for (place, hold, mark) in planned.holds {
            let id = phones[phone].activities[place].activity
            phones[phone].activities[place].lastHold = mark
            phones[phone].note(hold.kind, hold.text, of: id, until: hold.until, at: now)
        }
        return planned.best
    }

    private mutating func planChannels(of activity: Int, at now: Timestamp) -> Candidate? {
        let planned = plannedChannels(of: activity, at: now)
        activities[activity].channelPlan = planned.plan
        return planned.best
    }

    /// The outcome of planning: the best push that can go now, and what waits until when.
    private struct Planned {
        var best: Candidate?
        var due = Timestamp.distantFuture
        /// The entries of a phone that wait for a reason that was not noted yet.
        var holds: [(place: Int, hold: Step.Hold, mark: UInt64)] = []

        var plan: Plan { Plan(due: due, rank: best?.rank) }

        mutating func add(_ candidate: Candidate) {
            if best.map({ candidate.rank.goesBefore($0.rank) }) ?? true { best = candidate }
        }
    }

    private func planned(_ phone: Int, at now: Timestamp) -> Planned {
        var planned = Planned()
        let places = places(on: phones[phone], at: now)
        for (place, entry) in phones[phone].activities.enumerated() {
            switch step(entry, of: phones[phone], places, at: now) {
            case .hold(let hold, let until):
                planned.due = min(planned.due, until)
                guard let hold, entry.lastHold != hold.mark else { continue }
                planned.holds.append((place, hold, hold.mark))
            case .send(let intent):
                guard let activity = activity(entry.activity) else { continue }
                let listeners = [phones[phone].listener(of: entry.activity)]
                let followed = activities[activity]
                let hasAlert = hasAlert(intent, entry.lane, followed, for: listeners, at: now)
                planned.add(
                    Candidate(
                        place: .card(Card(phone: phone, entry: place, activity: activity)),
                        intent: intent,
                        rank: Plan.Rank(
                            hasAlert: hasAlert,
                            isUrgent: hasAlert || isUrgent(intent, entry, followed),
                            waitsSince: activities[activity].update.at
                        )
                    )
                )
            }
        }
        return planned
    }

    private func plannedChannels(of place: Int, at now: Timestamp) -> Planned {
        var planned = Planned()
        let activity = activities[place]
        for (index, channel) in activity.channels.enumerated() {
            switch step(channel, of: activity, at: now) {
            case .hold(_, let until): planned.due = min(planned.due, until)
            case .send(let intent):
                let listeners = listeners(to: channel, of: activity)
                let hasAlert = hasAlert(intent, channel.lane, activity, for: listeners, at: now)
                var isUrgent = true
                if case .update = intent { isUrgent = hasAlert || channel.shown.rev < activity.newsRev }
                planned.add(
                    Candidate(
                        place: .channel(activity: place, channel: index),
                        intent: intent,
                        rank: Plan.Rank(
                            hasAlert: hasAlert,
                            isUrgent: isUrgent,
                            waitsSince: activity.update.at
                        )
                    )
                )
            }
        }
        return planned
    }

    /// Returns whether a push is news; a new estimate of a known end is not.
    private func isUrgent(
        _ intent: Step.Intent,
        _ phoneActivity: PhoneActivity,
        _ activity: FollowedActivity
    ) -> Bool {
        guard case .update(let instance) = intent, let instance = phoneActivity.place(ofInstance: instance)
        else { return true }
        return phoneActivity.instances[instance].shown.rev < activity.newsRev
    }

    /// Returns whether a push brings an alert that is heard.
    func hasAlert(
        _ intent: Step.Intent,
        _ lane: PushLane,
        _ activity: FollowedActivity,
        for listeners: [Listener],
        at now: Timestamp
    ) -> Bool {
        switch intent {
        case .openChannel, .listChannels, .closeChannel: return false
        // Such an end makes room, or takes a card away from who may not see it: it is no news.
        case .end where !activity.isOver: return false
        case .start, .notice, .update, .end:
            let untold = untoldAlert(of: activity, lane, for: listeners, at: now)
            return untold.map { $0.alert.level != .passive } ?? false
        }
    }

    private mutating func noteUnknownClock(_ candidate: Candidate, at now: Timestamp) {
        let id = activities[candidate.activity].id
        let text = "the gateway's clock may be wrong, and phones drop pushes with a wrong date"
        if case .card(let card) = candidate.place {
            phones[card.phone].note(.clockUnknown, text, of: id, at: now)
        } else {
            note(.clockUnknown, text, of: id, at: now)
        }
    }

    private mutating func send(_ candidate: Candidate, _ card: Card, at now: Timestamp) -> Push? {
        // Even if no push comes of it: something else then changed, and the phone has to be planned again.
        touch(phone: phones[card.phone].id)
        switch candidate.intent {
        case .openChannel:
            openChannel(
                card.activity,
                settings.app(phones[card.phone].bundleID),
                phones[card.phone].startToken(of: activities[card.activity].attributesType)?.target
            )
            return nil
        case .closeChannel, .listChannels: return nil
        case .start: return start(card, at: now)
        case .notice(let reason): return notify(card, because: reason, at: now)
        case .update(let instance), .end(let instance):
            return update(candidate, card, instance, at: now)
        }
    }

    private mutating func update(
        _ candidate: Candidate,
        _ card: Card,
        _ instance: Int,
        at now: Timestamp
    ) -> Push? {
        let (activity, phone, known) = (activities[card.activity], card.phone, self[card])
        assert(known.activity.hasSameCodePoints(as: activity.id), "a card has the activity of another")
        let (isUrgent, isEnd) = (candidate.rank.isUrgent, candidate.intent.isEnd)
        guard let place = known.place(ofInstance: instance), let token = known.instances[place].token.token
        else { return nil }
        let isWithheld = isWithheld(activity, from: phones[phone])
        let body = PushBody(
            of: activity,
            on: known.lane,
            isEnd: isEnd,
            isWithheld: isWithheld,
            untold: untoldAlert(of: activity, known.lane, on: phones[phone], at: now),
            at: now
        )
        // An end has to get through, without a content that nobody knows, that may not be seen, or that was
        // refused.
        var isBare = isEnd && (activity.isUnknown || isWithheld || known.lane.hasRefused(activity.key))
        var payload = body.render(activity, instance: instance, withContent: !isBare)
        if payload.count > LiveActivityContract.limit {
            guard isEnd else {
                refuseSize(payload.count, card, at: now)
                return nil
            }
            isBare = true
            payload = body.render(activity, instance: instance, withContent: false)
        }
        let isNews = isUrgent && !isEnd && !body.isVital
        assert(isEnd || !isBare, "an update is sent without content")
        let priority = spend(isUrgent, isNews, card, at: now)
        return launch(
            Push(
                id: nextID(),
                phone: phones[phone].id,
                activity: activity.id,
                instance: instance,
                route: .token(token),
                environment: known.instances[place].token.target,
                event: body.event,
                priority: priority,
                expiration: body.expiration(ofStart: known.instances[place].startedAt, at: now),
                timestamp: body.timestamp,
                payload: payload
            ),
            card,
            PushLane.Told(alertRev: body.alertRev, isBare: isBare, isNews: isNews),
            at: now
        )
    }

    /// Chooses the priority and charges the budget; if that is empty, news goes with priority 5 rather than not at all.
    ///
    /// A part is reserved for starts, ends and alerts, and the news of one activity gets no more than its share.
    mutating func spend(
        _ isUrgent: Bool,
        _ isNews: Bool,
        _ card: Card,
        at now: Timestamp
    ) -> Push.Priority {
        guard isUrgent else { return .considerate }
        let (activity, phone) = (activities[card.activity], card.phone)
        let listener = phones[phone].listener(of: activity.id)
        if let reason = quietReason(activity, for: [listener], at: now) {
            phones[phone].note(.held, reason, of: activity.id, at: now)
            return .considerate
        }
        let limit = phones[phone].immediateLimit(settings)
        if isNews, self[card].lane.hasHadItsShare(of: limit, at: now) {
            let text = "it has had many updates lately, so this is sent with priority 5"
            phones[phone].note(.held, text, of: activity.id, at: now)
            return .considerate
        }
        let room = phones[phone].immediate.room(
            isNews ? limit - PushSchedulerSettings.reserve(of: limit) : limit,
            in: settings.budgetWindow,
            at: now
        )
        guard room <= now else {
            let text = "the budget of priority 10 is empty: this is sent with priority 5"
            phones[phone].note(.held, text, of: activity.id, until: room, at: now)
            return .considerate
        }
        assert(limit > 0, "a push goes at once without a budget for that")
        phones[phone].immediate.spend(in: settings.budgetWindow, at: now)
        return .immediate
    }

    mutating func launch(
        _ push: Push,
        _ card: Card,
        _ told: PushLane.Told,
        because reason: String? = nil,
        at now: Timestamp
    ) -> Push {
        let (activity, phone) = (activities[card.activity], card.phone)
        assert(push.id == lastPush && push.event != nil, "a push to a phone is launched out of its order")
        assert(phones[phone].leftAt == nil || push.event == .end, "a phone that was removed gets news")
        var push = push
        push.app = settings.app(phones[phone].bundleID)
        push.repeatMark =
            push.event == .notification
            ? activity.repeatMark(ofNotice: told) : activity.repeatMark(told, at: now)
        phones[phone].activities[card.entry].lastHold = nil
        phones[phone].activities[card.entry].lane.sent(push, of: activity, told, at: now)
        if let event = push.event { phones[phone].counts[event].sent += 1 }
        let summary = push.summary(rev: activity.update.rev) + (reason.map { ": \($0)" } ?? "")
        phones[phone].note(reason == nil ? .sent : .notified, summary, of: activity.id, at: now)
        return push
    }

    mutating func refuseSize(_ bytes: Int, _ card: Card, at now: Timestamp) {
        let activity = activities[card.activity]
        phones[card.phone].activities[card.entry].lane.refused(activity.key, isBare: false)
        let text =
            "revision \(activity.update.rev) needs a body of \(bytes) bytes, more than a push can carry"
        phones[card.phone].note(.tooLarge, text, of: activity.id, at: now)
    }

    mutating func nextID() -> UInt64 {
        lastPush += 1
        return lastPush
    }

    /// A start that waits for a phone is replaced by the next one for the same instance, a notification of a run, as which
    /// number 0 counts, by the next one.
    func collapseID(_ activity: String, _ instance: Int) -> String {
        String("\(activity)/\(instance)".utf8.fingerprint, radix: 16)
    }
}

extension Step.Intent {
    var isEnd: Bool { if case .end = self { true } else { false } }
}

extension Push {
    /// The text of the decision.
    func summary(rev: Int64) -> String {
        "\(event?.name ?? "channel") of revision \(rev), priority \(priority.rawValue), \(payload.count) bytes"
            + (instance > 1 ? ", activity \(instance) of this run" : "")
    }
}

// Widgets ask for their timeline again when a push tells them to, from iOS 26 on.
//
// A timeline tells what follows by itself, so only what it could not foretell is a reason. WidgetKit limits how often
// widgets are drawn in a day: changes are gathered, and a phone has a budget.
extension PushScheduler {
    /// Has widgets drawn again that show an activity, on the phones that may see it.
    mutating func redrawWidgets(of activity: FollowedActivity, isState: Bool, at now: Timestamp) {
        guard activity.recipient == nil, !activity.isUnknown else { return }
        for place in placesWithWidgets(of: activity) {
            outdateWidgets(place, activity.id, isState: isState, at: now)
        }
    }

    private func placesWithWidgets(of activity: FollowedActivity) -> [Int] {
        phones.indices.filter { phones[$0].widgets.show(activity.kind) && maySee(activity, on: phones[$0]) }
    }

    /// Changes who may see what, and has widgets drawn again whose phone sees more or less than before.
    mutating func changeSight(at now: Timestamp, _ change: (inout PushScheduler) -> Void) {
        let before = self
        change(&self)
        for activity in activities.indices { follow(activity) }
        planAnew()
        for place in phones.indices {
            let differs = activities.first { activity in
                phones[place].widgets.show(activity.kind)
                    && before.maySee(activity, on: before.phones[place])
                        != maySee(activity, on: phones[place])
            }
            if let differs { outdateWidgets(place, differs.id, isState: true, at: now) }
        }
    }

    private mutating func outdateWidgets(_ place: Int, _ activity: String, isState: Bool, at now: Timestamp) {
        let news = PhoneWidgets.News(since: now, activity: activity, isState: isState)
        if phones[place].widgets.outdated(by: news) { touch(phone: phones[place].id) }
    }

    /// The moment at which the widgets of a phone may be drawn again, and why not before, if that is worth telling.
    private func widgetStep(_ phone: Phone, at now: Timestamp) -> (due: Timestamp, hold: Step.Hold?) {
        guard let due = phone.widgets.dueAt, let news = phone.widgets.news else {
            return (.distantFuture, nil)
        }
        if due > now { return (due, nil) }
        let budget = settings.widgetBudget
        let limit = news.isState ? budget : budget - PushSchedulerSettings.reserve(of: budget)
        let room = phone.widgets.spent.room(limit, in: PhoneWidgets.budgetWindow, at: now)
        if room > now {
            let text =
                "its widgets were drawn again \(limit) times within a day: no more until the budget recovers"
            let until = room == .distantFuture ? nil : room
            return (room, budget == 0 ? nil : Step.Hold(kind: .held, text: text, until: until))
        }
        let app = settings.app(phone.bundleID)
        if let hold = lacksKey(of: app) { return (.distantFuture, hold) }
        let obstacle = services[app, phone.widgets.token.target].pushes
        guard let until = obstacle.holds(at: now) else { return (now, nil) }
        return (until, Step.Hold(kind: .paused, text: obstacle.reason, until: until))
    }

    /// The next moment at which the widgets of a phone may be drawn again.
    func widgetsDue(_ phone: Phone, at now: Timestamp) -> Timestamp { widgetStep(phone, at: now).due }

    /// Returns the next push by which a phone's widgets are drawn again.
    mutating func nextWidgetPush(at now: Timestamp) -> Push? {
        for place in phones.indices {
            guard let news = phones[place].widgets.news, let token = phones[place].widgets.token.token else {
                continue
            }
            let (due, hold) = widgetStep(phones[place], at: now)
            if let hold, phones[place].widgets.lastHold != hold.mark {
                phones[place].widgets.lastHold = hold.mark
                phones[place].note(
                    hold.kind,
                    "widgets: \(hold.text)",
                    of: news.activity,
                    until: hold.until,
                    at: now
                )
            }
            if due <= now { return redraw(place, news, token, at: now) }
        }
        return nil
    }

    private mutating func redraw(
        _ place: Int,
        _ news: PhoneWidgets.News,
        _ token: String,
        at now: Timestamp
    ) -> Push {
        let isQuiet = quiet.isQuiet(for: phones[place].person, at: now)
        var push = Push(
            id: nextID(),
            phone: phones[place].id,
            activity: news.activity,
            instance: 0,
            route: .widgets(token: token),
            environment: phones[place].widgets.token.target,
            event: .widgets,
            priority: news.isState && !isQuiet ? .immediate : .considerate,
            // By then a widget asks again by itself.
            expiration: (now + .hours(1)).flooredSeconds,
            timestamp: now.flooredSeconds,
            payload: Array(#"{"aps":{"content-changed":true}}"#.utf8)
        )
        push.app = settings.app(phones[place].bundleID)
        push.repeatMark = UInt64(bitPattern: news.since.microseconds)
        phones[place].widgets.sent(push.id, news, at: now)
        phones[place].counts[.widgets].sent += 1
        let reason = news.isState ? "a state that their timeline did not foretell" : "new values"
        let text = "widgets are drawn again, priority \(push.priority.rawValue): \(reason)"
        phones[place].note(.sent, text, of: news.activity, at: now)
        touch(phone: phones[place].id)
        return push
    }

    /// Records the result of a push to widgets.
    mutating func answeredWidgets(
        _ push: Push,
        on place: Int,
        _ answer: PushAnswer,
        _ chance: Double,
        at now: Timestamp
    ) {
        guard case .widgets(let token) = push.route, phones[place].widgets.flight?.push == push.id else {
            return
        }
        touch(phone: phones[place].id)
        phones[place].note(
            answer.outcome == .arrived ? .answered : .failed,
            "widgets: \(answer.text)",
            of: push.activity,
            at: now
        )
        phones[place].counts.landed(push.event, answer.outcome)
        var pause = answer.pause(phones[place].widgets.failures, chance)
        var isDone = answer.outcome == .arrived
        // A late answer says nothing about a token that came meanwhile, to which the push goes now.
        let isReplaced = phones[place].widgets.token.hasReplaced(token)
        switch answer {
        case .accepted: phones[place].widgets.token.belongs(token, to: push.environment)
        case .tokenGone where isReplaced, .badToken where isReplaced, .wrongTopic where isReplaced:
            pause = nil
        case .tokenGone(let since): isDone = phones[place].widgets.token.expire(token, since: since, at: now)
        case .badToken:
            if phones[place].widgets.token.refused(token, in: push.environment) {
                pause = nil
            } else {
                isDone = true
            }
        case .wrongTopic:
            phones[place].widgets.token.giveUp()
            isDone = true
        // The same push would be refused again.
        case .tooLarge, .senderFault, .channelGone: isDone = true
        default: break
        }
        phones[place].widgets.landed(
            isSpent: answer.outcome != .refused,
            isDone: isDone,
            pause: pause,
            at: now
        )
    }
}

extension Phone {
    /// Takes in which widgets its user has placed, and the token by which they are drawn again.
    mutating func mergeWidgets(_ report: PhoneReport) {
        if let kinds = report.widgetKinds { widgets.place(kinds, confirmedAt: report.confirmedAt) }
        guard let token = report.widgetToken else { return }
        _ = widgets.token.merge(
            token,
            environment: report.environment ?? environment,
            confirmedAt: report.confirmedAt
        )
    }
}
