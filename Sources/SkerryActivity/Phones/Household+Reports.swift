public import SkerryValues

extension Household {
    /// Merges a report of a phone: values that it does not mention stay, and older values change nothing.
    ///
    /// A token that belonged to another phone moves to this one. With a push-to-start token move the showings of that
    /// phone, because it is the same phone, paired again.
    ///
    /// - Parameters:
    ///   - report: The report of the phone.
    ///   - id: The phone.
    ///   - now: The moment at which it arrived.
    /// - Returns: false when there is no such phone.
    public mutating func report(_ report: PhoneReport, of id: String, at now: Timestamp) -> Bool {
        guard let place = phone(id), phones[place].leftAt == nil else { return false }
        adopt(report, place, at: now)
        for token in report.tokens { giveUp(token, exceptAt: place) }
        phones[place].heardAt = now
        if let environment = report.environment { phones[place].environment = environment }
        if let version = report.systemVersion { phones[place].systemVersion = version }
        if let frequent = report.allowsFrequentUpdates { phones[place].allowsFrequentUpdates = frequent }
        for token in report.startTokens {
            phones[place].merge(token, of: report)
        }
        for said in report.activities { merge(said, report, place, at: now) }
        for shown in report.shows { merge(shown, place, confirmedAt: report.confirmedAt, at: now) }
        touch(phone: id)
        forgetWhoLeft(at: now)
        return true
    }

    private mutating func merge(
        _ said: PhoneReport.Activity,
        _ report: PhoneReport,
        _ place: Int,
        at now: Timestamp
    ) {
        if activity(said.id) == nil { takeUnknown(said, at: now) }
        guard let activity = activity(said.id), let showing = phones[place].showing(of: said.id) else {
            let text = "the phone reports it, but it is unknown here"
            return phones[place].note(.over, text, of: said.id, at: now)
        }
        let news = phones[place].mergeActivity(
            said,
            showing,
            environment: report.environment ?? phones[place].environment,
            confirmedAt: report.confirmedAt,
            at: now
        )
        guard !activities[activity].isOver, let news else { return }
        phones[place].note(news.kind, news.text, of: said.id, at: now)
    }

    /// Follows an activity that a phone shows and that is not known here, to end it.
    private mutating func takeUnknown(_ said: PhoneReport.Activity, at now: Timestamp) {
        guard case .known? = said.token, said.end == nil,
            activities.count(where: { $0.isUnknown }) < Self.unknownLimit,
            let unknown = FollowedActivity(unknown: said.id, at: now)
        else { return }
        add(unknown)
    }

    /// The number of activities known only from phones that are ended.
    private static let unknownLimit = 32

    /// Takes in all that a phone shows of one type.
    private mutating func merge(
        _ shown: PhoneReport.Shown,
        _ place: Int,
        confirmedAt: Timestamp,
        at now: Timestamp
    ) {
        for activity in activities where activity.attributesType.hasSameCodePoints(as: shown.type) {
            guard let showing = phones[place].showing(of: activity.id) else { continue }
            let instances = shown.activities.filter { $0.id.hasSameCodePoints(as: activity.id) }
                .map { $0.instance }
            phones[place].merge(instances, showing, confirmedAt: confirmedAt, at: now)
        }
    }

    /// Takes over the showings of another phone with the reported push-to-start token: it is this phone.
    private mutating func adopt(_ report: PhoneReport, _ place: Int, at now: Timestamp) {
        let tokens = report.startTokens.compactMap { token -> String? in
            if case .known(let known) = token.token { known } else { nil }
        }
        for other in phones.indices where other != place {
            let isSame = phones[other].startTokens.contains { slot in tokens.contains { slot.slot.has($0) } }
            guard isSame else { continue }
            phones[place].adopt(phones[other])
            for index in phones[other].showings.indices {
                phones[other].showings[index] = Showing(activity: phones[other].showings[index].activity)
            }
            touch(phone: phones[other].id)
        }
    }

    /// Takes a token from all phones but one.
    private mutating func giveUp(_ token: String, exceptAt place: Int) {
        for index in phones.indices where index != place && phones[index].giveUp(token) {
            touch(phone: phones[index].id)
        }
    }
}

extension PhoneReport {
    /// All tokens in the report.
    fileprivate var tokens: [String] {
        let all = startTokens.map { $0.token } + activities.compactMap { $0.token }
        return all.compactMap { if case .known(let token) = $0 { token } else { nil } }
    }
}

extension Phone {
    fileprivate mutating func merge(_ reported: PhoneReport.StartToken, of report: PhoneReport) {
        if startToken(of: reported.type) == nil {
            guard startTokens.count < Self.typeLimit else { return }
            startTokens.append(StartToken(type: reported.type, slot: TokenSlot()))
        }
        let environment = report.environment ?? environment
        let before = startToken(of: reported.type)?.mark
        var news = TokenSlot.News.outdated
        changeStartToken(of: reported.type) {
            news = $0.merge(reported.token, environment: environment, confirmedAt: report.confirmedAt)
        }
        guard case .another = news else { return }
        for index in showings.indices {
            let type = LiveActivityContract.attributesType(ofActivity: showings[index].activity)
            guard type.hasSameCodePoints(as: reported.type) else { continue }
            // Content that was refused may be accepted for another token.
            if showings[index].cards.isEmpty {
                showings[index].line.resume()
                showings[index].line.forgive()
            }
            // A phone that was restored has other tokens, and shows none of its former activities.
            if showings[index].isSilentlyOver, before != nil { showings[index].reopen() }
        }
    }

    fileprivate mutating func mergeActivity(
        _ said: PhoneReport.Activity,
        _ showing: Int,
        environment: PushEnvironment?,
        confirmedAt: Timestamp,
        at now: Timestamp
    ) -> (kind: PhoneDecision.Kind, text: String)? {
        let type = LiveActivityContract.attributesType(ofActivity: said.id)
        let startedBy = startToken(of: type)?.mark
        return showings[showing].merge(
            said,
            environment: environment,
            confirmedAt: confirmedAt,
            startedBy: startedBy,
            at: now
        )
    }

    /// Takes in which cards of an activity the phone shows; others it does not.
    fileprivate mutating func merge(
        _ instances: [Int],
        _ showing: Int,
        confirmedAt: Timestamp,
        at now: Timestamp
    ) {
        let id = showings[showing].activity
        let startedBy = startToken(of: LiveActivityContract.attributesType(ofActivity: id))?.mark
        for instance in instances where !showings[showing].isMuted {
            showings[showing].appear(instance, nil, confirmedAt, startedBy: startedBy, at: now)
            guard let card = showings[showing].card(instance) else { continue }
            showings[showing].confirm(card)
        }
        if showings[showing].cards.isEmpty, showings[showing].isSilentlyOver, showings[showing].mayBeAnother {
            showings[showing].reopen()
        }
        for card in showings[showing].cards where !instances.contains(card.instance) {
            let flight = showings[showing].line.flight
            let isOnItsWay = flight?.event == .start && flight?.instance == card.instance
            guard !isOnItsWay, let news = missing(card, showing, confirmedAt, at: now) else { continue }
            note(.over, news, of: id, at: now)
        }
    }

    /// Draws the conclusion from a card that the phone does not show.
    ///
    /// - Returns: the conclusion in words; nil if it is too early for one.
    private mutating func missing(
        _ card: Card,
        _ showing: Int,
        _ confirmedAt: Timestamp,
        at now: Timestamp
    ) -> String? {
        let id = showings[showing].activity
        let age = confirmedAt - card.startedAt
        if !card.isAccepted {
            // The start had no answer, and did not arrive.
            guard age > Self.deliveryTime else { return nil }
            showings[showing].undoStart(card.instance)
            return "the phone does not show the activity that was started: it is started again"
        }
        guard age > Self.longDeliveryTime, card.token.confirmedAt < confirmedAt else { return nil }
        if !card.isSeen, card.token.mark == nil, showings[showing].repeats < Self.repeatLimit {
            showings[showing].repeats += 1
            showings[showing].undoStart(card.instance)
            return "the phone never showed the activity that was started: it is started again"
        }
        let hadItsTime = confirmedAt >= card.startedAt + HouseholdSettings.activeLimit - .minutes(1)
        let isAnother = isAnotherPhone(than: card, ofActivity: id)
        // Only the renewal is there: the card before it was removed while the app did not run.
        let isRenewed = showings[showing].cards.last.map { $0.instance > card.instance } ?? false
        if isRenewed, card.isSeen, !hadItsTime, !isAnother { showings[showing].isMuted = true }
        showings[showing].remove(card.instance, .silent, at: confirmedAt, endsRun: !hadItsTime && !isAnother)
        return "the phone does not show it any more"
    }

    /// The time that a push takes to reach the phone.
    private static let deliveryTime = Interval.seconds(10)
    /// The time that a push accepted by APNs may take.
    private static let longDeliveryTime = Interval.minutes(1)
    /// The number of repetitions of a start that was accepted and never seen.
    private static let repeatLimit = 1

    /// Takes over the state of the same phone from its former pairing.
    fileprivate mutating func adopt(_ other: Phone) {
        for showing in other.showings where showing.isWorthKeeping {
            guard let place = self.showing(of: showing.activity), !showings[place].isWorthKeeping else {
                continue
            }
            var showing = showing
            if let flight = showing.line.flight {
                if let card = showing.card(flight.instance) { showing.cards[card].shown.key = nil }
                showing.line.landed(.unknown)
            }
            showings[place] = showing
        }
        immediate = other.immediate
        starts = other.starts
    }

    /// Gives a token up that is another phone's.
    ///
    /// - Returns: whether it was here.
    fileprivate mutating func giveUp(_ token: String) -> Bool {
        var wasHere = false
        for index in startTokens.indices where startTokens[index].slot.has(token) {
            startTokens[index].slot.giveUp()
            wasHere = true
        }
        for index in showings.indices {
            for card in showings[index].cards.indices where showings[index].cards[card].token.has(token) {
                showings[index].cards[card].token.giveUp()
                wasHere = true
            }
        }
        return wasHere
    }
}

extension Showing {
    /// Merges the report of one activity.
    ///
    /// - Returns: a text worth recording.
    fileprivate mutating func merge(
        _ said: PhoneReport.Activity,
        environment: PushEnvironment?,
        confirmedAt: Timestamp,
        startedBy: UInt64?,
        at now: Timestamp
    ) -> (kind: PhoneDecision.Kind, text: String)? {
        if let token = said.token {
            if said.end == nil, case .known(let known) = token, !isMuted {
                appear(said.instance, known, confirmedAt, startedBy: startedBy, at: now)
            }
            merge(token, said.instance, environment, confirmedAt)
        }
        guard let end = said.end, let place = card(said.instance) else { return nil }
        // An activity that we end ourselves was not swiped away by the user.
        let isOurs = line.flight?.event == .end && line.flight?.instance == said.instance
        let isNewest = place == cards.count - 1
        let hadItsTime = now >= cards[place].startedAt + HouseholdSettings.activeLimit - .minutes(1)
        switch end {
        case .dismissed where isNewest && !isOurs:
            for card in cards { remove(card.instance, .told, at: confirmedAt) }
            isMuted = true
            return (.muted, "its user removed it: nothing more is sent in this run")
        case .ended where isNewest && !isOurs && !hadItsTime:
            remove(said.instance, .told, at: confirmedAt, endsRun: true)
            return (.over, "the phone reports that it has ended")
        case .dismissed, .ended:
            remove(said.instance, .told, at: confirmedAt)
            return nil
        }
    }

    private mutating func merge(
        _ token: ReportedToken,
        _ instance: Int,
        _ environment: PushEnvironment?,
        _ confirmedAt: Timestamp
    ) {
        guard let place = card(instance) else { return }
        if case .known(let known) = token, isOver(known) { return }
        let news = cards[place].token.merge(token, environment: environment, confirmedAt: confirmedAt)
        guard case .known = token, news != .outdated else { return }
        confirm(place)
        if news == .another { line.resume() }
    }

    /// Whether APNs reported that a token has expired.
    private func isOver(_ token: String) -> Bool {
        gone.contains { $0.cause == .silent && $0.mark == TokenSlot.mark(of: token) }
    }

    /// Takes note that the phone shows a card.
    fileprivate mutating func confirm(_ place: Int) {
        cards[place].isAccepted = true
        cards[place].isSeen = true
        if let rev = cards[place].alertRev { line.told(alert: rev) }
        cards[place].alertRev = nil
    }

    /// Makes room for a card that the phone shows and that is not known here.
    ///
    /// It was started by the app, or is still there after it was thought to be over: an end that APNs accepts may get lost.
    fileprivate mutating func appear(
        _ instance: Int,
        _ token: String?,
        _ confirmedAt: Timestamp,
        startedBy: UInt64?,
        at now: Timestamp
    ) {
        guard card(instance) == nil, instance > 0, instance <= lastInstance + Self.unknownLimit,
            cards.count < 2
        else { return }
        if let end = gone.last(where: { $0.instance == instance }) {
            guard end.isContradicted(by: token, confirmedAt: confirmedAt) else { return }
            reopen()
        } else if instance <= lastInstance {
            let last = max(overAt ?? .distantPast, (line.lastSentAt ?? .distantPast) + .minutes(1))
            guard confirmedAt > last else { return }
            reopen()
        }
        lastInstance = max(lastInstance, instance)
        var card = Card(instance: instance, startedAt: now)
        card.startedBy = startedBy
        cards.append(card)
        cards.sort { $0.instance < $1.instance }
    }

    /// The number of instances that a phone may be ahead of us.
    private static let unknownLimit = 16
}
