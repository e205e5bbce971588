import SkerryActivity
import SkerryValues

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
        switch answer {
        case .accepted: phones[place].widgets.token.belongs(token, to: push.environment)
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
