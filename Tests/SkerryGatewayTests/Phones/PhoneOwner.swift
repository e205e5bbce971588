import SkerryPhones
import SkerryTesting
import SkerryValues

/// A phone with its app, its tokens and somebody who owns it.
struct PhoneOwner {
    /// Whether a token is one of this phone.
    enum Knowledge {
        case never
        case now
        case since(Timestamp)
    }

    let name: String
    var phone = SimulatedPhone()
    private let types: [String]
    private var random: SimulatedRandom
    private var startToken: String
    /// The token of the app for notifications.
    private var appToken = ""
    /// The update tokens of cards, once the owner has tapped Allow.
    private var tokens: [Int: String] = [:]
    /// Tokens that are over, and since when.
    private var dead: [String: Timestamp] = [:]
    /// When cards ended, and with them their tokens.
    private var overSince: [Int: Timestamp] = [:]
    /// When Allow is tapped for a card.
    private var allows: [Int: Timestamp] = [:]
    private var reports: [(at: Timestamp, report: PhoneReport)] = []
    private var offlineUntil: Timestamp?
    /// What APNs keeps for a phone that is off: one push, the last.
    private var kept: Push?
    /// Cards whose end was reported.
    private var told: Set<Int> = []
    private(set) var swiped: Set<String> = []

    init(name: String, types: [String], seed: UInt64, start: Timestamp) {
        self.name = name
        self.types = types
        random = SimulatedRandom(seed: seed)
        startToken = ""
        startToken = newToken()
        appToken = newToken()
    }

    /// Whether it can be reached, and has told its tokens.
    func isReachable(_ card: PhoneCard) -> Bool {
        offlineUntil == nil && tokens[card.number] != nil && reports.isEmpty
    }

    var isOnline: Bool { offlineUntil == nil }

    var nextMoment: Timestamp {
        var next = offlineUntil ?? .distantFuture
        if offlineUntil == nil { for report in reports { next = min(next, report.at) } }
        for allow in allows.values { next = min(next, allow) }
        return next
    }

    func knows(_ token: String) -> Knowledge {
        if let gone = dead[token] { return .since(gone) }
        if token == startToken || token == appToken { return .now }
        guard let card = tokens.first(where: { $0.value == token })?.key else { return .never }
        return phone.cards[card].isLive ? .now : .since(overSince[card] ?? phone.cards[card].startedAt)
    }

    mutating func receive(_ push: Push, allow: Interval?, at now: Timestamp) {
        guard offlineUntil == nil else {
            kept = push
            return
        }
        guard push.expiration >= now.flooredSeconds else { return }
        defer { noteEnds(at: now) }
        switch push.route {
        case .start(let token) where token == startToken:
            guard case .shown(let card) = phone.start(push.payload, at: now) else { return }
            endOlder(than: phone.cards[card], at: now)
            if let allow { allows[card] = now + allow }
        case .app(let token) where token == appToken:
            _ = phone.notify(push.payload, collapseID: push.collapseID, at: now)
        case .token(let token):
            guard let card = tokens.first(where: { $0.value == token })?.key else { return }
            _ = phone.receive(push.payload, for: card, priority: push.priority, at: now)
        default: break
        }
    }

    private mutating func noteEnds(at now: Timestamp) {
        for card in phone.cards where !card.isLive && overSince[card.number] == nil {
            overSince[card.number] = now
        }
    }

    /// Of two activities with one id and instance the app ends the older one.
    private mutating func endOlder(than card: PhoneCard, at now: Timestamp) {
        for other in phone.cards
        where other.isLive && other.number < card.number && other.id == card.id
            && other.instance == card.instance
        {
            phone.remove(other.number, at: now)
        }
    }

    /// What the app reports by now.
    mutating func dueReports(at now: Timestamp) -> [PhoneReport] {
        phone.pass(until: now)
        noteEnds(at: now)
        if let until = offlineUntil, until <= now {
            offlineUntil = nil
            if let push = kept { receive(push, allow: .seconds(1), at: now) }
            kept = nil
            tellAll(at: now)
        }
        for (card, at) in allows.sorted(by: { $0.key < $1.key }) where at <= now {
            allows[card] = nil
            guard phone.cards[card].isLive else { continue }
            tokens[card] = newToken()
            reports.append((now + .milliseconds(200), report([card], at: now)))
        }
        guard offlineUntil == nil else { return [] }
        let due = reports.filter { $0.at <= now }.map { $0.report }
        reports.removeAll { $0.at <= now }
        return due
    }

    /// A report that was not taken goes again.
    mutating func again(_ report: PhoneReport, at now: Timestamp) {
        reports.append((now + .seconds(5), report))
    }

    /// The app is opened: it reports everything that it knows.
    mutating func tellAll(at now: Timestamp) {
        reports.append((now, report(Array(phone.cards.indices), at: now)))
    }

    mutating func goOffline(until: Timestamp) {
        if offlineUntil == nil { offlineUntil = until }
    }

    mutating func comeBack(at now: Timestamp) {
        if offlineUntil != nil { offlineUntil = now }
        for card in phone.cards where card.isLive && tokens[card.number] == nil { allows[card.number] = now }
    }

    /// Tokens change without notice; the app tells the new ones, sometimes much later.
    mutating func rotateTokens(at now: Timestamp) {
        for token in [startToken, appToken] { dead[token] = now }
        (startToken, appToken) = (newToken(), newToken())
        for card in tokens.keys.sorted() where phone.cards[card].isLive && random.chance(1, of: 2) {
            if let old = tokens[card] { dead[old] = now }
            tokens[card] = newToken()
        }
        reports.append(
            (now + .seconds(Int64(random.below(600))), report(Array(phone.cards.indices), at: now))
        )
    }

    /// The owner swipes something away.
    mutating func swipe(at now: Timestamp) {
        guard let card = phone.lockScreen.first(where: { $0.isLive }) else { return }
        phone.dismiss(card.number, at: now)
        noteEnds(at: now)
        swiped.insert(card.id)
        reports.append((now + .seconds(1), report([card.number], at: now)))
    }

    private mutating func report(_ cards: [Int], at now: Timestamp) -> PhoneReport {
        var activities: [PhoneReport.Activity] = []
        for number in cards {
            let card = phone.cards[number]
            var end: PhoneReport.End?
            switch card.stage {
            case .live: break
            case .dismissed: end = .dismissed
            case .ended, .removed: end = .ended
            }
            activities.append(
                PhoneReport.Activity(
                    id: card.id,
                    instance: card.instance,
                    token: end == nil ? tokens[number].map { .known($0) } : nil,
                    end: end
                )
            )
        }
        return PhoneReport(
            confirmedAt: now,
            environment: .production,
            systemVersion: "18.1",
            notificationToken: .known(appToken),
            startTokens: types.map { PhoneReport.StartToken(type: $0, token: .known(startToken)) },
            activities: activities,
            shows: types.map { type in
                let live = phone.cards.filter { $0.isLive && $0.type == type }
                return PhoneReport.Shown(
                    type: type,
                    activities: live.map { .init(id: $0.id, instance: $0.instance, rev: $0.rev) }
                )
            }
        )
    }

    private mutating func newToken() -> String {
        String(random.next(), radix: 16) + String(random.next(), radix: 16)
    }
}
