package import SkerryActivity
package import SkerryPhones
package import SkerryValues

/// Decides which requests a service gets, and when: a value without a clock, and the same for all services.
///
/// The newest state of an activity wins; each arrives at least once. What recipients have is known only until the process
/// ends. After a restart each running activity is sent once more, by the name that it had before, so that it replaces
/// what people see. See docs/sinks.md.
package struct SinkScheduler: Sendable {
    /// Counts for the health report.
    package struct Tally: Hashable, Sendable {
        /// Requests that the service took.
        package var sent: UInt64 = 0
        /// Requests that it did not take, or that got no answer.
        package var failed: UInt64 = 0
        /// Activities with a state that waits.
        package var held = 0

        /// Makes counts of nothing.
        package init() {}
    }

    var service: SinkService
    var recipients: [SinkRecipient]
    var activities: [[UInt8]: SinkActivity] = [:]
    /// The ids of activities with a delivery that is not settled, in the order of their news.
    var pending: [[UInt8]] = []
    let layouts: SinkLayouts
    var audience = AudiencePolicy()
    /// The hours in which nothing sounds.
    package var quiet = QuietHours()
    let alertFreshness: Interval
    /// The start of the scheduler: runs that began later are new to every recipient.
    var beganAt: Timestamp
    var lastID: UInt64 = 0
    private var settled: [UInt64] = []
    var counts = Tally()
    var wakeAt: Timestamp?
    /// The moment at which a running activity has to be looked at again without news; nil if none is known.
    var nextVisit: Timestamp?
    /// The deliveries that every recipient has, since this was last taken.
    private var arrived: [UInt64] = []

    /// The largest number of ended activities that wait; beyond it, the oldest is given up.
    static let endedLimit = 1000
    /// The largest number of activities that are remembered.
    static let activityLimit = 20_000
    static let budgetWindow = Interval.hours(1)

    /// Makes a scheduler that knows no activity.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - layouts: The layouts from which texts come.
    ///   - alertFreshness: The age from which an alert is not sent.
    ///   - now: The time.
    package init(
        _ service: SinkService,
        layouts: SinkLayouts,
        alertFreshness: Interval,
        at now: Timestamp
    ) {
        precondition(!service.recipients.isEmpty, "a service without recipients does nothing")
        assert(service.recipients.count == service.viewers.count, "a recipient has no viewer")
        self.service = service
        self.layouts = layouts
        self.alertFreshness = alertFreshness
        beganAt = now
        recipients = zip(service.recipients, service.viewers).map { SinkRecipient(name: $0, viewer: $1) }
    }

    /// The name of the service.
    package var name: String { service.name }

    /// Replaces the people who see an activity: running activities are shown to those who see them from now on, and
    /// removed where the service can do that.
    package mutating func setAudience(_ audience: AudiencePolicy) {
        guard audience != self.audience else { return }
        self.audience = audience
        let waiting = Set(pending)
        for key in activities.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard activities[key]?.news.update.phase != .ended else { continue }
            if !waiting.contains(key) { pending.append(key) }
        }
        assert(pending.count <= activities.count, "an activity waits twice")
    }

    /// Takes the newest state of an activity; it replaces an earlier one.
    package mutating func show(_ news: SinkNews) {
        let key = Array(news.update.id.utf8)
        lastID += 1
        if var activity = activities[key] {
            activity.news = news
            activity.order = lastID
            activities[key] = activity
            pending.removeAll { $0 == key }
            assert(activity.lanes.count == recipients.count, "a recipient has no lane")
        } else {
            assert(!pending.contains(key), "an activity waits that was forgotten")
            let lanes = [SinkActivity.Lane](repeating: SinkActivity.Lane(), count: recipients.count)
            var activity = SinkActivity(news: news, lanes: lanes, order: lastID)
            for recipient in recipients.indices where news.hasArrived {
                let isSeen = isSeen(activity, by: recipients[recipient].viewer)
                activity.lanes[recipient] = isSeen ? .had(news.update, before: beganAt) : .unseen
            }
            activities[key] = activity
        }
        pending.append(key)
        if news.update.phase == .ended { giveUpOldest(at: news.update.at) }
        forgetOldest()
        assert(pending.last == key, "the newest state was given up for an older one")
        assert(pending.count <= activities.count, "an activity waits twice, or was forgotten while it waited")
    }

    /// The deliveries that a newer state may replace, because none of their requests is under way.
    package var replaceable: [UInt64] {
        let flying = recipients.compactMap { $0.flight?.activity }
        return pending.filter { !flying.contains($0) }.compactMap { activities[$0]?.news.delivery }
    }

    /// The deliveries that every recipient has, or does not need, since this was last asked.
    package mutating func takeSettled() -> [UInt64] {
        defer { settled = [] }
        return settled
    }

    /// The deliveries that every recipient has, and which wait for their dismissal, since this was last asked.
    package mutating func takeArrived() -> [UInt64] {
        defer { arrived = [] }
        return arrived
    }

    /// The counts since the start.
    package var tally: Tally {
        var tally = counts
        tally.held = pending.count
        return tally
    }

    /// The moment at which ``next(at:clockIsKnown:)`` may return a request though nothing happened; nil for none.
    package var nextDeadline: Timestamp? { wakeAt }

    /// The last decisions about the activities of a device, oldest first.
    package func decisions(kind: String, device: String) -> [PhoneDecision] {
        let start = "\(kind)/\(device)/"
        return recipients.flatMap { $0.decisions.decisions }
            .filter { $0.activity.utf8.starts(with: start.utf8) }.sorted { $0.at < $1.at }
    }

    /// The decisions that were made since this was last asked.
    package mutating func takeNews() -> [PhoneDecision] {
        recipients.indices.flatMap { recipients[$0].decisions.takeNews() }
    }

    /// Moves all moments, because the wall clock was set.
    package mutating func clockStepped(by length: Interval) {
        beganAt = beganAt + length
        wakeAt = wakeAt.map { $0 + length }
        nextVisit = nextVisit.map { $0 + length }
        for index in recipients.indices {
            recipients[index].pausedUntil = recipients[index].pausedUntil.map { $0 + length }
            recipients[index].ledger.clockStepped(by: length)
        }
        for key in activities.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard var activity = activities[key] else { continue }
            activity.news.alertedAt = activity.news.alertedAt + length
            activity.news.update.startedAt = activity.news.update.startedAt + length
            activity.news.update.dismissAt = activity.news.update.dismissAt.map { $0 + length }
            for lane in activity.lanes.indices {
                activity.lanes[lane].clockStepped(by: length)
            }
            activities[key] = activity
        }
    }

    /// Settles deliveries of activities; ended activities are forgotten.
    mutating func settle(_ keys: [[UInt8]]) {
        if keys.isEmpty { return }
        let gone = Set(keys)
        assert(gone.count == keys.count, "a delivery is settled twice")
        let former = pending.count
        pending.removeAll { gone.contains($0) }
        assert(former - pending.count == keys.count, "a delivery is settled that did not wait")
        for key in keys {
            guard let activity = activities[key] else { continue }
            settled.append(activity.news.delivery)
            if activity.news.update.phase == .ended { activities[key] = nil }
        }
        assert(pending.count <= activities.count, "an activity was forgotten while it waits")
    }

    /// Keeps the memory bounded while a service can't be reached.
    private mutating func giveUpOldest(at now: Timestamp) {
        guard pending.count > Self.endedLimit else { return }
        let flying = recipients.compactMap { $0.flight?.activity }
        let ended = pending.filter { activities[$0]?.news.update.phase == .ended && !flying.contains($0) }
        let excess = Array(ended.prefix(max(ended.count - Self.endedLimit, 0)))
        for key in excess {
            let id = activities[key]?.news.update.id ?? ""
            for index in recipients.indices {
                recipients[index].note(.over, "given up: too many ended activities wait", of: id, at: now)
            }
            counts.failed += 1
        }
        settle(excess)
    }

    /// Forgets what recipients have of the activities that had no news for longest, if there are too many.
    private mutating func forgetOldest() {
        guard activities.count > Self.activityLimit else { return }
        let waiting = Set(pending)
        let idle = activities.filter { !waiting.contains($0.key) }.sorted { $0.value.order < $1.value.order }
        // Many at once, so that sorting is rare; and more after many waited for a recipient who was away.
        let excess = max(Self.activityLimit / 2, activities.count - Self.activityLimit)
        for (key, _) in idle.prefix(excess) { activities[key] = nil }
        assert(waiting.allSatisfy { activities[$0] != nil }, "an activity was forgotten while it waits")
        assert(
            activities.count <= Self.activityLimit || pending.count == activities.count,
            "more activities are remembered than wait, and than the limit allows"
        )
    }
}

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
    package mutating func next(at now: Timestamp, clockIsKnown: Bool) -> SinkRequest? {
        wakeAt = nil
        visitCards(at: now)
        defer { assert(wakeAt.map { $0 > now } ?? true, "a deadline is past that nothing meets") }
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
        assert(recipients[chosen.recipient].flight == nil, "a request overtakes another one")
        assert(!recipients[chosen.recipient].isGone, "a recipient that is gone gets a request")
        assert(activities[Array(id.utf8)] != nil, "a request is about an activity that was forgotten")
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
        assert(activities[key] != nil, "an activity waits that was forgotten")
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
        let due = Due(activity: activity, update: update, step: step, recipient: recipient)
        if let obstacle = obstacle(due, at: now, clockIsKnown) {
            tell(obstacle, key, recipient, at: now)
            return .wait(obstacle.until)
        }
        if onlyIfUrgent, !due.isUrgent { return .wait(nil) }
        return render(due, isQuiet, at: now)
    }

    /// A step that is due for an activity and a recipient.
    private struct Due {
        var activity: SinkActivity
        /// The state that the recipient gets.
        var update: ActivityUpdate
        var step: SinkStep
        var recipient: Int

        var isUrgent: Bool { step != .update || update.alert != nil || update.isNewState }
        /// The recipient's lane, with what it has of the activity.
        var lane: SinkActivity.Lane { activity.lanes[recipient] }
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
    private func obstacle(_ due: Due, at now: Timestamp, _ clockIsKnown: Bool) -> Obstacle? {
        guard clockIsKnown else { return (.clockUnknown, "the gateway does not know the time", nil) }
        let (step, recipient) = (due.step, due.recipient)
        if let until = recipients[recipient].pausedUntil, until > now {
            return (.paused, recipients[recipient].pauseReason, until)
        }
        if let moment = cardRest(due.activity, recipient, step), moment > now {
            return (.held, "its card was started or removed a moment ago", moment)
        }
        if step == .update, due.update.alert == nil, let sentAt = due.lane.sentAt,
            sentAt + service.pace > now
        {
            let text = "\(service.pace.roundedSeconds) s between two requests for an activity"
            return (.held, text, sentAt + service.pace)
        }
        // An end costs nothing: what is not ended would stay on the screen.
        guard let budget = service.budget, step != .end, step != .clear else { return nil }
        // A quarter is kept for starts, alerts and new states.
        let limit = due.isUrgent ? budget : max(1, budget - budget / 4)
        let room = recipients[recipient].ledger.room(limit, in: Self.budgetWindow, at: now)
        guard room > now else { return nil }
        return (.held, "\(limit) of \(budget) requests in an hour are used", room)
    }

    private mutating func render(_ due: Due, _ isQuiet: Bool, at now: Timestamp) -> Plan {
        let (kind, device) = (due.activity.news.kind, due.activity.news.device)
        let (update, step, recipient) = (due.update, due.step, due.recipient)
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
            zone: layouts.zone(),
            page: layouts.page
        )
        assert(!isQuiet || update.alert == nil, "an alert would sound in quiet hours")
        scene.isQuiet = isQuiet
        let lane = due.lane
        assert(!lane.isOver, "a card that is gone gets a request")
        if step == .update, update.alert == nil, lane.phase == update.phase,
            service.isSame(lane, shown, update)
        {
            var reason = "no difference would be seen"
            if isQuiet { reason += ", \(recipients[recipient].quietReason(quiet))" }
            return skip(scene, recipient, .equal, reason, at: now)
        }
        let rendering = service.render(scene, for: recipient)
        if case .nothing(let reason) = rendering { return skip(scene, recipient, .over, reason, at: now) }
        return .send(scene, rendering, isUrgent: due.isUrgent)
    }

    /// Records that a recipient does not need a state.
    private mutating func skip(
        _ scene: SinkScene,
        _ recipient: Int,
        _ kind: PhoneDecision.Kind,
        _ reason: String,
        at now: Timestamp
    ) -> Plan {
        assert(recipients[recipient].flight == nil, "a state is left out while an earlier one is under way")
        recipients[recipient].note(kind, reason, of: scene.update.id, at: now)
        let key = Array(scene.update.id.utf8)
        assert(activities[key] != nil, "a state is left out of an activity that was forgotten")
        activities[key]?.lanes[recipient].rev = scene.update.rev
        activities[key]?.lanes[recipient].epoch = scene.update.epoch
        return .done
    }
}

// What the answer to a request changes.
extension SinkScheduler {
    /// Records the result of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - answer: Its result.
    ///   - chance: A number from 0 up to 1, by which pauses differ from those of other gateways.
    ///   - now: The time.
    package mutating func answered(
        _ request: SinkRequest,
        _ answer: SinkAnswer,
        chance: Double = 0,
        at now: Timestamp
    ) {
        let index = request.recipient
        guard let flight = recipients[index].flight, flight.id == request.id else { return }
        assert(!recipients[index].isGone, "a recipient that is gone has a request under way")
        assert(flight.activity == Array(request.activity.utf8), "an answer is taken for another activity")
        recipients[index].flight = nil
        let text = "\(flight.scene.step.name): \(answer.text)"
        var kind = PhoneDecision.Kind.failed
        if case .accepted = answer { kind = .answered }
        recipients[index].note(kind, text, of: request.activity, at: now)
        if kind == .answered { counts.sent += 1 } else { counts.failed += 1 }
        if flight.scene.step == .start, !answer.mayHaveArrived {
            activities[flight.activity]?.lanes[index].startedAt = nil
        }
        let failures = recipients[index].failures
        switch answer {
        case .accepted(let body):
            service.learn(from: body)
            recipients[index].failures = 0
            recipients[index].pausedUntil = nil
            arrived(flight, index, at: now)
        case .gone: recipients[index].isGone = true
        case .refused:
            // The same content would be refused again; the next state may not be.
            recipients[index].failures = 0
            activities[flight.activity]?.lanes[index].rev = flight.scene.update.rev
            activities[flight.activity]?.lanes[index].epoch = flight.scene.update.epoch
            activities[flight.activity]?.lanes[index].shown = nil
            if flight.scene.step == .clear {
                activities[flight.activity]?.lanes[index].clear(after: flight.scene.update.phase)
            }
        case .busy(let reason, let retryAfter):
            let pause = Pause.length(after: failures, .seconds(5), .minutes(15), chance)
            self.pause(index, for: Pause.asked(retryAfter, failures, else: pause), reason, at: now)
        case .noAnswer(let reason):
            pause(
                index,
                for: Pause.length(after: failures, .seconds(2), .minutes(5), chance),
                reason,
                at: now
            )
        case .denied(let reason), .unauthorized(let reason):
            pause(
                index,
                for: Pause.length(after: failures, .minutes(5), .minutes(60), chance),
                reason,
                at: now
            )
        }
    }

    private mutating func arrived(_ flight: SinkFlight, _ recipient: Int, at now: Timestamp) {
        guard var activity = activities[flight.activity] else { return }
        let update = flight.scene.update
        assert(recipients[recipient].flight == nil, "an answer is noted while its request is under way")
        assert(activity.lanes.count == recipients.count, "a recipient has no lane")
        activity.lanes[recipient].rev = update.rev
        activity.lanes[recipient].epoch = update.epoch
        activity.lanes[recipient].shown = flight.scene.shown
        activity.lanes[recipient].phase = update.phase
        activity.lanes[recipient].look = LiveActivityContract.look(of: update)
        activity.lanes[recipient].sentAt = now
        switch flight.scene.step {
        case .start, .update: break
        case .end: activity.lanes[recipient].endedWithAlert = update.alert != nil
        case .clear:
            activity.lanes[recipient].clear(after: update.phase)
            activity.lanes[recipient].restsUntil = service.cards.map { now + $0.tokenTime }
        }
        activities[flight.activity] = activity
        if flight.scene.step == .start || flight.scene.shown.clock != nil { nextVisit = nil }
        if flight.scene.step != .clear { noteArrival(activity) }
    }

    /// Takes note that every recipient has an end, so that it is not sent again after a restart.
    private mutating func noteArrival(_ activity: SinkActivity) {
        assert(activity.lanes.count == recipients.count, "a recipient has no lane")
        // Any other end is settled as soon as every recipient has it.
        let isKept = activity.news.update.alert != nil || service.removal == .always
        guard isKept, activity.news.update.phase == .ended else { return }
        let hasArrived = recipients.indices.allSatisfy {
            activity.isKnown(to: $0) || recipients[$0].isGone || activity.lanes[$0].isUnseen
        }
        if hasArrived { arrived.append(activity.news.delivery) }
    }

    private mutating func pause(
        _ recipient: Int,
        for length: Interval,
        _ reason: String,
        at now: Timestamp
    ) {
        assert(length > .zero, "a pause has no length: the same request would follow at once")
        assert(recipients[recipient].flight == nil, "a recipient rests while its request is under way")
        recipients[recipient].failures += 1
        recipients[recipient].pausedUntil = now + length
        recipients[recipient].pauseReason = reason
    }
}
