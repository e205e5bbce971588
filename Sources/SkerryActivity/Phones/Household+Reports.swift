public import SkerryValues

extension Household {
    /// Takes a report of a phone in: what it does not mention stays, what is older than what is known changes nothing.
    ///
    /// A token that was another phone's moves to this one.
    ///
    /// - Parameters:
    ///   - report: What the phone says.
    ///   - id: The phone.
    ///   - now: When it was heard of.
    /// - Returns: false when there is no such phone.
    public mutating func report(_ report: PhoneReport, of id: String, at now: Timestamp) -> Bool {
        guard let place = phone(id) else { return false }
        for token in report.tokens { giveUp(token, exceptAt: place) }
        phones[place].heardAt = now
        if let environment = report.environment { phones[place].environment = environment }
        if let version = report.systemVersion { phones[place].systemVersion = version }
        if let frequent = report.allowsFrequentUpdates { phones[place].allowsFrequentUpdates = frequent }
        for token in report.startTokens {
            phones[place].merge(token, of: report)
        }
        for said in report.activities {
            guard let activity = activity(said.id), let showing = phones[place].showing(of: said.id) else {
                phones[place].note(
                    .over,
                    "the phone told of it, and nothing is known of it",
                    of: said.id,
                    at: now
                )
                continue
            }
            let environment = report.environment ?? phones[place].environment
            let news = phones[place].showings[showing].merge(
                said,
                environment: environment,
                confirmedAt: report.confirmedAt,
                at: now
            )
            if activities[activity].isOver || news == nil { continue }
            if let news { phones[place].note(news.kind, news.text, of: said.id, at: now) }
        }
        touch(phone: id)
        return true
    }

    /// Takes a token from all phones but one.
    private mutating func giveUp(_ token: String, exceptAt place: Int) {
        for index in phones.indices where index != place && phones[index].giveUp(token) {
            touch(phone: phones[index].id)
        }
    }
}

extension PhoneReport {
    /// All tokens that it tells.
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
        changeStartToken(of: reported.type) {
            _ = $0.merge(reported.token, environment: environment, confirmedAt: report.confirmedAt)
        }
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
    /// Takes in what the phone says of one activity.
    ///
    /// - Returns: what is worth noting.
    fileprivate mutating func merge(
        _ said: PhoneReport.Activity,
        environment: PushEnvironment?,
        confirmedAt: Timestamp,
        at now: Timestamp
    ) -> (kind: PhoneDecision.Kind, text: String)? {
        if let token = said.token { merge(token, said, environment, confirmedAt, at: now) }
        guard let end = said.end, let place = card(said.instance) else { return nil }
        // What we end ourselves, the user has not swiped away.
        let isOurs = line.flight?.event == .end && line.flight?.instance == said.instance
        let isNewest = place == cards.count - 1
        let hadItsTime = now >= cards[place].startedAt + HouseholdSettings.activeLimit - .minutes(1)
        switch end {
        case .dismissed where isNewest && !isOurs:
            cards = []
            isMuted = true
            return (.muted, "its user removed it: silent for this run")
        case .ended where isNewest && !isOurs && !hadItsTime:
            remove(said.instance, overAt: confirmedAt)
            return (.over, "the phone says that it has ended")
        case .dismissed, .ended:
            remove(said.instance)
            return nil
        }
    }

    private mutating func merge(
        _ token: ReportedToken,
        _ said: PhoneReport.Activity,
        _ environment: PushEnvironment?,
        _ confirmedAt: Timestamp,
        at now: Timestamp
    ) {
        if said.end == nil, case .known = token, !isMuted { appear(said.instance, confirmedAt, at: now) }
        guard let place = card(said.instance) else { return }
        guard cards[place].token.merge(token, environment: environment, confirmedAt: confirmedAt) else {
            return
        }
        if cards[place].token.token != nil {
            cards[place].isAccepted = true
            line.resume()
        }
    }

    /// Makes room for a card that the phone shows and that is not known here.
    ///
    /// It was started by the app, or is still there after it was thought to be over: an end that APNs accepts may get lost.
    private mutating func appear(_ instance: Int, _ confirmedAt: Timestamp, at now: Timestamp) {
        guard card(instance) == nil, instance > 0, instance <= lastInstance + Self.unknownLimit,
            cards.count < 2
        else { return }
        if instance <= lastInstance {
            let last = max(overAt ?? .distantPast, line.lastSentAt.map { $0 + Self.endDelay } ?? .distantPast)
            guard confirmedAt > last else { return }
            overAt = nil
        }
        lastInstance = max(lastInstance, instance)
        cards.append(Card(instance: instance, startedAt: now))
        cards.sort { $0.instance < $1.instance }
    }

    /// How long an end may take to the phone; what it reports later, it still shows.
    private static let endDelay = Interval.minutes(1)

    /// How many instances a phone may be ahead of us.
    private static let unknownLimit = 16
}
