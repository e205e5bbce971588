import SkerryActivity
import SkerryPhones
public import SkerryValues

// What the answer to a request changes.
extension SinkScheduler {
    /// Records the result of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - answer: Its result.
    ///   - chance: A number from 0 up to 1, by which pauses differ from those of other gateways.
    ///   - now: The time.
    public mutating func answered(
        _ request: SinkRequest,
        _ answer: SinkAnswer,
        chance: Double = 0,
        at now: Timestamp
    ) {
        let index = request.recipient
        guard let flight = recipients[index].flight, flight.id == request.id else { return }
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
        if flight.scene.step != .clear { noteTold(activity) }
    }

    /// Takes note that the alert of an end has been told, so that it does not sound again after a restart.
    private mutating func noteTold(_ activity: SinkActivity) {
        guard activity.news.update.alert != nil, activity.news.update.phase == .ended else { return }
        let isTold = recipients.indices.allSatisfy {
            activity.isKnown(to: $0) || recipients[$0].isGone || activity.lanes[$0].isUnseen
        }
        if isTold { told.append(activity.news.delivery) }
    }

    private mutating func pause(
        _ recipient: Int,
        for length: Interval,
        _ reason: String,
        at now: Timestamp
    ) {
        recipients[recipient].failures += 1
        recipients[recipient].pausedUntil = now + length
        recipients[recipient].pauseReason = reason
    }
}
