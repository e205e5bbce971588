public import SkerryValues

extension Household {
    /// Takes note of what came of a push.
    ///
    /// - Parameters:
    ///   - push: What was sent.
    ///   - answer: What came of it.
    ///   - chance: A number from 0 up to 1, by which pauses differ from those of other gateways.
    ///   - now: The time.
    public mutating func answered(_ push: Push, _ answer: PushAnswer, chance: Double = 0, at now: Timestamp) {
        judgeService(push.environment, answer, chance, at: now)
        guard let id = push.phone else { return answeredChannel(push, answer, chance, at: now) }
        guard let phone = phone(id), let showing = phones[phone].showing(of: push.activity),
            let flight = phones[phone].showings[showing].line.flight, flight.push == push.id
        else { return }
        touch(phone: id)
        phones[phone].note(
            .answered,
            "\(push.event?.name ?? "push"): \(answer.text)",
            of: push.activity,
            at: now
        )
        let newsRev = activity(push.activity).map { activities[$0].newsRev } ?? 0
        phones[phone].showings[showing].line.landed(answer.outcome)
        if let pause = answer.pause(phones[phone].showings[showing].line.failures, chance) {
            phones[phone].showings[showing].line.pause(
                for: pause,
                newsRev: newsRev,
                reason: answer.text,
                at: now
            )
        }
        switch answer.outcome {
        case .arrived: phones[phone].arrived(push, flight, showing)
        case .unknown: phones[phone].showings[showing].lost(flight)
        case .refused: phones[phone].refused(push, flight, showing, answer, at: now)
        }
    }

    /// Trouble of the service or of the provider token concerns all that goes there, and no token.
    private mutating func judgeService(
        _ environment: PushEnvironment,
        _ answer: PushAnswer,
        _ chance: Double,
        at now: Timestamp
    ) {
        let place = Int(environment.rawValue)
        switch answer {
        case .notSent(let reason, let retryAfter):
            pause(place, retryAfter, first: .seconds(1), longest: .minutes(1), reason, chance, at: now)
        case .providerToken(let reason, let retryAfter):
            for place in services.indices {
                let text = "the provider token is not taken: \(reason)"
                pause(place, retryAfter, first: .minutes(5), longest: .minutes(60), text, chance, at: now)
            }
        case .noAnswer: break
        default:
            services[place].failures = 0
            services[place].pausedUntil = nil
        }
    }

    private mutating func pause(
        _ place: Int,
        _ retryAfter: Interval?,
        first: Interval,
        longest: Interval,
        _ reason: String,
        _ chance: Double,
        at now: Timestamp
    ) {
        let length = retryAfter ?? Pause.length(after: services[place].failures, first, longest, chance)
        services[place].failures += 1
        services[place].reason = reason
        services[place].pausedUntil = now + length
    }
}

/// How long to wait after something failed.
enum Pause {
    /// Doubles with each failure in a row, up to a limit; up to half of it is left out by chance.
    static func length(
        after failures: Int,
        _ first: Interval,
        _ longest: Interval,
        _ chance: Double
    ) -> Interval {
        var length = first
        for _ in 0..<min(max(failures, 0), 32) where length < longest { length = length + length }
        let whole = min(length, longest).microseconds
        return Interval(microseconds: whole - Int64(Double(whole / 2) * min(max(chance, 0), 1)))
    }
}

extension PushAnswer {
    /// Whether the phone may have it.
    var outcome: Line.Outcome {
        switch self {
        case .accepted, .channelCreated: .arrived
        case .noAnswer: .unknown
        default: .refused
        }
    }

    /// How long nothing goes to the same place; nil for no time at all.
    func pause(_ failures: Int, _ chance: Double) -> Interval? {
        switch self {
        case .busy(let retryAfter):
            retryAfter ?? Pause.length(after: failures, .seconds(30), .minutes(15), chance)
        // Apple asks for a quarter of an hour.
        case .unavailable(_, let retryAfter):
            retryAfter ?? Pause.length(after: failures, .minutes(15), .minutes(60), chance)
        case .noAnswer: Pause.length(after: failures, .seconds(5), .minutes(5), chance)
        default: nil
        }
    }

    /// The answer in words.
    var text: String {
        switch self {
        case .accepted: "accepted"
        case .channelCreated: "the channel is there"
        case .tokenGone: "the token is over (410)"
        case .badToken: "no token, or one of the other environment (BadDeviceToken)"
        case .wrongTopic: "the token belongs to another app (DeviceTokenNotForTopic)"
        case .tooLarge: "too large (413)"
        case .senderFault(let reason): "refused: \(reason)"
        case .providerToken(let reason, _): "the provider token is not taken: \(reason)"
        case .busy: "too many pushes to this token (429)"
        case .unavailable(let reason, _): "APNs has trouble: \(reason)"
        case .notSent(let reason, _): "not sent: \(reason)"
        case .noAnswer(let reason): "no answer: \(reason)"
        }
    }
}

extension Showing {
    /// Nobody knows whether the phone has it: an update or end goes again, a start never does.
    fileprivate mutating func lost(_ flight: Line.Flight) {
        guard let place = card(flight.instance) else { return }
        if flight.event != .start { cards[place].shown.key = nil }
    }
}

extension Phone {
    fileprivate mutating func arrived(_ push: Push, _ flight: Line.Flight, _ showing: Int) {
        changeToken(push, showing) { token, slot in slot.belongs(token, to: push.environment) }
        guard let card = showings[showing].card(flight.instance) else { return }
        switch flight.event {
        case .start, .update:
            showings[showing].cards[card].isAccepted = true
            showings[showing].cards[card].shown = flight.shown
        case .end: showings[showing].remove(flight.instance)
        case nil: break
        }
    }

    fileprivate mutating func refused(
        _ push: Push,
        _ flight: Line.Flight,
        _ showing: Int,
        _ answer: PushAnswer,
        at now: Timestamp
    ) {
        if push.priority == .immediate { immediate.takeBack() }
        if flight.event == .start {
            starts.takeBack()
            showings[showing].undoStart(flight.instance)
        }
        switch answer {
        case .tokenGone(let since):
            var isDropped = false
            changeToken(push, showing) { token, slot in isDropped = slot.drop(token, since: since) }
            if isDropped, flight.event != .start {
                // The activity is over on this phone; that is no reason to show it again.
                let overAt = flight.event == .end ? nil : since ?? now
                showings[showing].remove(flight.instance, overAt: overAt)
            }
        case .badToken:
            changeToken(push, showing) { token, slot in _ = slot.refused(token, in: push.environment) }
        case .wrongTopic:
            changeToken(push, showing) { token, slot in _ = slot.drop(token) }
        case .tooLarge, .senderFault:
            showings[showing].line.refusedKey = flight.shown.key
        default: break
        }
    }

    /// Changes the token that a push went to, if the phone still has it.
    private mutating func changeToken(
        _ push: Push,
        _ showing: Int,
        _ change: (String, inout TokenSlot) -> Void
    ) {
        switch push.route {
        case .start(let token):
            for index in startTokens.indices where startTokens[index].slot.has(token) {
                change(token, &startTokens[index].slot)
            }
        case .token(let token):
            guard let card = showings[showing].card(push.instance) else { return }
            change(token, &showings[showing].cards[card].token)
        case .channel, .createChannel, .deleteChannel: break
        }
    }
}

extension Showing {
    /// Takes a start back that no phone has seen.
    fileprivate mutating func undoStart(_ instance: Int) {
        cards.removeAll { $0.instance == instance }
        if lastInstance == instance { lastInstance -= 1 }
    }
}
