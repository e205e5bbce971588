import SkerryActivity
import SkerryPhones
public import SkerryValues

// Which request is next, and why none is.
extension SinkScheduler {
    /// The next step for an activity and a recipient.
    private enum Plan {
        /// Nothing is left to do.
        case done
        /// Nothing for now; until a moment, or until something happens.
        case wait(Timestamp?)
        /// This can go now.
        case send(SinkScene, SinkRendering, isUrgent: Bool)
    }

    /// Returns the next request, or nil if nothing can go now; starts, ends, alerts and new states go first.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - clockIsKnown: Whether the gateway knows the time. Until then nothing is sent, because times mean nothing.
    /// - Returns: the request, whose result ``answered(_:_:chance:at:)`` takes.
    public mutating func next(at now: Timestamp, clockIsKnown: Bool) -> SinkRequest? {
        wakeAt = nil
        visitCards(at: now)
        guard recipients.contains(where: { $0.flight == nil }) else { return nil }
        var done: [[UInt8]] = []
        var chosen: (recipient: Int, scene: SinkScene, rendering: SinkRendering, isUrgent: Bool)?
        // What is left out may be due before `wakeAt`; after a request, the sender asks again at once.
        for key in pending where chosen?.isUrgent != true {
            var isDone = true
            for recipient in recipients.indices {
                switch plan(key, recipient, at: now, clockIsKnown, onlyIfUrgent: chosen != nil) {
                case .done: break
                case .wait(let moment):
                    isDone = false
                    if let moment { wakeAt = min(moment, wakeAt ?? moment) }
                case .send(let scene, let rendering, let isUrgent):
                    isDone = false
                    if chosen?.isUrgent != true { chosen = (recipient, scene, rendering, isUrgent) }
                }
            }
            if isDone { done.append(key) }
        }
        settle(done)
        guard let chosen, case .request(let path, let headers, let body, let messageID) = chosen.rendering
        else { return nil }
        lastID += 1
        let id = chosen.scene.update.id
        recipients[chosen.recipient].flight = SinkFlight(
            id: lastID,
            activity: Array(id.utf8),
            scene: chosen.scene
        )
        activities[Array(id.utf8)]?.lanes[chosen.recipient].isAsked = true
        activities[Array(id.utf8)]?.lanes[chosen.recipient].told = nil
        if chosen.scene.step == .start {
            activities[Array(id.utf8)]?.lanes[chosen.recipient].startedAt = now
        }
        recipients[chosen.recipient].ledger.spend(in: Self.budgetWindow, at: now)
        var what = "\(chosen.scene.step.name), revision \(chosen.scene.update.rev)"
        if chosen.scene.isQuiet { what += ", \(recipients[chosen.recipient].quietReason(quiet))" }
        recipients[chosen.recipient].note(.sent, what, of: id, at: now)
        return SinkRequest(
            id: lastID,
            recipient: chosen.recipient,
            activity: id,
            path: path,
            headers: headers,
            body: body,
            messageID: messageID
        )
    }

    private mutating func plan(
        _ key: [UInt8],
        _ recipient: Int,
        at now: Timestamp,
        _ clockIsKnown: Bool,
        onlyIfUrgent: Bool
    ) -> Plan {
        guard let activity = activities[key], !recipients[recipient].isGone else { return .done }
        var update = activity.update(for: recipient, freshAfter: now - alertFreshness)
        let isQuiet = activity.isQuiet(update, for: recipients[recipient].viewer, quiet, at: now)
        if isQuiet { update.alert = nil }
        let step: SinkStep
        switch self.step(activity, update, recipient, at: now) {
        case .withheld:
            let text = "not for \(recipients[recipient].viewer.name)"
            tell((.notAudience, text, nil), key, recipient, at: now)
            activities[key]?.lanes[recipient].isUnseen = true
            return .done
        case .nothing: return .done
        case .later(let moment):
            tell((.held, "it has ended; it stays until it is dismissed", moment), key, recipient, at: now)
            return .wait(moment)
        case .now(let next): step = next
        }
        if recipients[recipient].flight != nil { return .wait(nil) }
        let isUrgent = step != .update || update.alert != nil || update.isNewState
        if let obstacle = obstacle(activity, update, step, recipient, isUrgent, at: now, clockIsKnown) {
            tell(obstacle, key, recipient, at: now)
            return .wait(obstacle.until)
        }
        if onlyIfUrgent, !isUrgent { return .wait(nil) }
        return render(activity, update, step, recipient, isUrgent, isQuiet, at: now)
    }

    /// Notes why nothing is sent, unless that was told: all that waits is looked at again and again.
    private mutating func tell(
        _ obstacle: Obstacle,
        _ key: [UInt8],
        _ recipient: Int,
        at now: Timestamp
    ) {
        let mark =
            "\(obstacle.kind.rawValue) \(obstacle.until?.microseconds ?? 0) \(obstacle.text)".utf8.fingerprint
        guard let activity = activities[key], activity.lanes[recipient].told != mark else { return }
        activities[key]?.lanes[recipient].told = mark
        let id = activity.news.update.id
        recipients[recipient].note(obstacle.kind, obstacle.text, of: id, until: obstacle.until, at: now)
    }

    private enum Step {
        /// The activity is not for those who look at the recipient.
        case withheld
        case nothing
        case later(Timestamp)
        case now(SinkStep)
    }

    private func step(
        _ activity: SinkActivity,
        _ update: ActivityUpdate,
        _ recipient: Int,
        at now: Timestamp
    ) -> Step {
        let lane = activity.lanes[recipient]
        guard isSeen(activity, by: recipients[recipient].viewer) else {
            let isShown = lane.isAsked && !lane.isOver
            return isShown && service.removal != .never ? .now(.clear) : .withheld
        }
        let isKnown = activity.isKnown(to: recipient)
        guard !lane.isOver else { return .nothing }
        guard update.phase == .ended else {
            if isRenewalDue(activity, recipient, at: now) { return .now(.clear) }
            if isKnown { return isClockOver(lane, at: now) ? .now(.update) : .nothing }
            return .now(activity.isNew(to: recipient, since: beganAt) ? .start : .update)
        }
        guard service.removal == .always else { return isKnown ? .nothing : .now(.end) }
        var clearAt = update.dismissAt ?? update.at
        if lane.endedWithAlert, let sentAt = lane.sentAt {
            clearAt = max(clearAt, sentAt + ActivityDismissal.alertShown)
        }
        if !isKnown, clearAt > now || update.alert != nil { return .now(.end) }
        return clearAt > now ? .later(clearAt) : .now(.clear)
    }

    private func isSeen(_ activity: SinkActivity, by viewer: SinkViewer) -> Bool {
        guard case .person(let person) = viewer else { return true }
        let news = activity.news
        return audience.allows(
            person,
            kind: news.kind,
            device: news.device,
            attributes: news.update.attributes
        )
    }

    private typealias Obstacle = (kind: PhoneDecision.Kind, text: String, until: Timestamp?)

    /// The reason that holds a request back: the clock, a pause, the pace of the activity, the budget.
    private func obstacle(
        _ activity: SinkActivity,
        _ update: ActivityUpdate,
        _ step: SinkStep,
        _ recipient: Int,
        _ isUrgent: Bool,
        at now: Timestamp,
        _ clockIsKnown: Bool
    ) -> Obstacle? {
        guard clockIsKnown else { return (.clockUnknown, "the gateway does not know the time", nil) }
        if let until = recipients[recipient].pausedUntil, until > now {
            return (.paused, recipients[recipient].pauseReason, until)
        }
        if let moment = cardRest(activity, recipient, step), moment > now {
            return (.held, "its card was started or removed a moment ago", moment)
        }
        if step == .update, update.alert == nil, let sentAt = activity.lanes[recipient].sentAt,
            sentAt + service.pace > now
        {
            let text = "\(service.pace.roundedSeconds) s between two requests for an activity"
            return (.held, text, sentAt + service.pace)
        }
        // An end costs nothing: what is not ended would stay on the screen.
        guard let budget = service.budget, step != .end, step != .clear else { return nil }
        // A quarter is kept for starts, alerts and new states.
        let limit = isUrgent ? budget : max(1, budget - budget / 4)
        let room = recipients[recipient].ledger.room(limit, in: Self.budgetWindow, at: now)
        guard room > now else { return nil }
        return (.held, "\(limit) of \(budget) requests in an hour are used", room)
    }

    private mutating func render(
        _ activity: SinkActivity,
        _ update: ActivityUpdate,
        _ step: SinkStep,
        _ recipient: Int,
        _ isUrgent: Bool,
        _ isQuiet: Bool,
        at now: Timestamp
    ) -> Plan {
        let (kind, device) = (activity.news.kind, activity.news.device)
        var shown = ShownActivity(update, device: device, layouts.island(kind), layouts)
        if let rules = service.cards, case .down(let end)? = shown.clock, end + rules.timeAtZero <= now {
            shown.clock = nil
        }
        var scene = SinkScene(
            step: step,
            update: update,
            kind: kind,
            device: device,
            shown: shown,
            words: layouts.words,
            page: layouts.page
        )
        scene.isQuiet = isQuiet
        let lane = activity.lanes[recipient]
        if step == .update, update.alert == nil, lane.phase == update.phase,
            service.isSame(lane, shown, update)
        {
            var reason = "no difference would be seen"
            if isQuiet { reason += ", \(recipients[recipient].quietReason(quiet))" }
            return skip(scene, recipient, .equal, reason, at: now)
        }
        let rendering = service.render(scene, for: recipient)
        if case .nothing(let reason) = rendering { return skip(scene, recipient, .over, reason, at: now) }
        return .send(scene, rendering, isUrgent: isUrgent)
    }

    /// Records that a recipient does not need a state.
    private mutating func skip(
        _ scene: SinkScene,
        _ recipient: Int,
        _ kind: PhoneDecision.Kind,
        _ reason: String,
        at now: Timestamp
    ) -> Plan {
        recipients[recipient].note(kind, reason, of: scene.update.id, at: now)
        let key = Array(scene.update.id.utf8)
        activities[key]?.lanes[recipient].rev = scene.update.rev
        activities[key]?.lanes[recipient].epoch = scene.update.epoch
        return .done
    }
}
