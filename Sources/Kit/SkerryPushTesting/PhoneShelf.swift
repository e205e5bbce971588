public import SkerryPhones
public import SkerryTesting
public import SkerryValues
import Synchronization

/// Simulated phones with their tokens, behind Apple's push service: what a push does to them, and what they report.
public final class PhoneShelf: Sendable {
    /// A push that reached a phone, and what came of it.
    public struct Arrival: Sendable {
        /// The moment of arrival.
        package var at: Timestamp
        /// The id of the phone.
        package var phone: String
        /// `start`, `update`, `end`, `notification` or `widgets`.
        public var event: String
        package var priority: Push.Priority
        /// The size of the body in bytes.
        package var size: Int
        /// The effect of the push on the phone.
        public var outcome: SimulatedPhone.Outcome
    }

    private struct Entry {
        var id: String
        var phone: SimulatedPhone
        /// The bundle id of its app; nil if it does not tell.
        var bundleID: String?
        var startToken: String
        /// The token of the app for notifications.
        var appToken: String
        /// The token of its widgets; nil without any.
        var widgetToken: String?
        /// The cards by their update tokens.
        var cards: [String: Int] = [:]
        /// True if it is switched off.
        var isOff = false
        /// The push that the service keeps for it while it is off.
        var kept: ReceivedPush?
    }

    private struct State {
        var entries: [Entry] = []
        var arrivals: [Arrival] = []
        var tokens: UInt64 = 0
        var waiting: [(isOver: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
            []
    }

    private static let arrivalLimit = 1000

    private let now: @Sendable () -> Timestamp
    private let report: @Sendable (_ phone: String, PhoneReport) -> Void
    private let state = Mutex(State())

    /// Makes a shelf without phones.
    ///
    /// - Parameters:
    ///   - now: The time on the phones.
    ///   - report: Called when a phone has something to tell its gateway, such as a new update token.
    public init(
        now: @escaping @Sendable () -> Timestamp,
        report: @escaping @Sendable (_ phone: String, PhoneReport) -> Void
    ) {
        self.now = now
        self.report = report
    }

    /// Adds a phone, which reports its tokens at once.
    ///
    /// - Parameters:
    ///   - id: The id of the phone.
    ///   - phone: The phone.
    ///   - bundleID: The bundle id of its app; nil if it does not tell.
    ///   - types: The types of activities that its app can start.
    ///   - widgets: The kinds whose widgets its user has placed.
    public func add(
        _ id: String,
        _ phone: SimulatedPhone = SimulatedPhone(),
        bundleID: String? = nil,
        types: [String],
        widgets: [String] = []
    ) {
        let entry = state.withLock { state in
            let (token, appToken) = (Self.token(&state.tokens), Self.token(&state.tokens))
            var entry = Entry(
                id: id,
                phone: phone,
                bundleID: bundleID,
                startToken: token,
                appToken: appToken
            )
            if !widgets.isEmpty { entry.widgetToken = Self.token(&state.tokens) }
            state.entries.append(entry)
            return entry
        }
        var first = PhoneReport(
            confirmedAt: now(),
            environment: .development,
            systemVersion: widgets.isEmpty ? "18.2" : "26.0",
            allowsNotifications: true,
            notificationToken: .known(entry.appToken),
            startTokens: types.map { .init(type: $0, token: .known(entry.startToken)) }
        )
        first.bundleID = bundleID
        if let token = entry.widgetToken {
            (first.widgetToken, first.widgetKinds) = (.known(token), widgets)
        }
        report(id, first)
    }

    /// A phone as it is now; nil when there is none of this id.
    public func phone(_ id: String) -> SimulatedPhone? {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.id == id }) else { return nil }
            state.entries[index].phone.pass(until: now())
            return state.entries[index].phone
        }
    }

    /// Returns once a phone is as it should be.
    public func waits(
        for id: String,
        _ condition: @escaping @Sendable (SimulatedPhone) -> Bool
    ) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                let isOver: @Sendable (State) -> Bool = { state in
                    state.entries.contains { $0.id == id && condition($0.phone) }
                }
                state.waiting.append((isOver, continuation))
            }
            settle()
        }
    }

    private func settle() {
        let over = state.withLock { state in
            let present = state
            state.waiting.removeAll { $0.isOver(present) }
            return present.waiting.filter { $0.isOver(present) }
        }
        for (_, continuation) in over { continuation.resume() }
    }

    /// The last pushes that reached a phone, oldest first.
    public var arrivals: [Arrival] { state.withLock { $0.arrivals } }

    /// The user swipes a card away, and the phone reports it.
    package func dismiss(_ card: Int, on id: String) {
        let dismissed: PhoneCard? = state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.id == id }),
                state.entries[index].phone.cards.indices.contains(card)
            else { return nil }
            state.entries[index].phone.dismiss(card, at: now())
            return state.entries[index].phone.cards[card]
        }
        guard let dismissed else { return }
        report(
            id,
            PhoneReport(
                confirmedAt: now(),
                activities: [.init(id: dismissed.id, instance: dismissed.instance, end: .dismissed)]
            )
        )
    }

    /// Takes a push that the service accepts.
    ///
    /// - Returns: the refusal for a token that no phone has, or that is dead; nil when the service takes it.
    public func deliver(_ push: ReceivedPush) -> PushRefusal? {
        defer { settle() }
        let now = now()
        if let channel = push.headers["apns-channel-id"] {
            broadcast(push, on: channel, at: now)
            return nil
        }
        guard let token = push.deviceToken else { return PushRefusal(404, "BadPath") }
        var news: (phone: String, PhoneReport)?
        let refusal: PushRefusal? = state.withLock { state in
            guard
                let index = state.entries.firstIndex(where: {
                    [$0.startToken, $0.appToken, $0.widgetToken].contains(token) || $0.cards[token] != nil
                })
            else { return PushRefusal(400, "BadDeviceToken") }
            var entry = state.entries[index]
            defer { state.entries[index] = entry }
            let topic = push.headers["apns-topic"] ?? ""
            if let app = entry.bundleID, topic != app, !topic.hasPrefix("\(app).push-type.") {
                return PushRefusal(400, "DeviceTokenNotForTopic")
            }
            let type = push.headers["apns-push-type"]
            guard (type == "alert") == (token == entry.appToken),
                (type == "widgets") == (token == entry.widgetToken)
            else {
                return PushRefusal(400, "DeviceTokenNotForTopic")
            }
            entry.phone.pass(until: now)
            if let card = entry.cards[token], !entry.phone.cards[card].isLive {
                return PushRefusal(410, "ExpiredToken", since: now)
            }
            if entry.isOff { entry.kept = push } else { news = arrive(push, &entry, &state, at: now) }
            return nil
        }
        if let (phone, news) = news { report(phone, news) }
        return refusal
    }

    /// Switches a phone off: like Apple's service, this one keeps the last push for its app and none before it, and nothing
    /// of channels.
    public func switchOff(_ id: String) {
        state.withLock { state in
            for index in state.entries.indices where state.entries[index].id == id {
                state.entries[index].isOff = true
            }
        }
    }

    /// Switches a phone on: it gets the push that was kept, unless that has expired.
    public func switchOn(_ id: String) {
        defer { settle() }
        let now = now()
        let news: (String, PhoneReport)? = state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.id == id }) else { return nil }
            var entry = state.entries[index]
            defer { state.entries[index] = entry }
            let kept = entry.kept
            (entry.isOff, entry.kept) = (false, nil)
            entry.phone.pass(until: now)
            guard let kept, let until = kept.headers["apns-expiration"].flatMap({ Int64($0) }),
                until >= now.flooredSeconds
            else { return nil }
            return arrive(kept, &entry, &state, at: now)
        }
        if let (phone, news) = news { report(phone, news) }
    }

    /// The app comes to the front, and reports all cards on the screen with their revisions.
    public func open(_ id: String) {
        guard let live = phone(id)?.cards.filter(\.isLive) else { return }
        let shows = Dictionary(grouping: live, by: \.type).sorted { $0.key < $1.key }.map { type, cards in
            PhoneReport.Shown(
                type: type,
                activities: cards.map { .init(id: $0.id, instance: $0.instance, rev: $0.rev) }
            )
        }
        report(id, PhoneReport(confirmedAt: now(), shows: shows))
    }

    /// A push reaches a phone.
    ///
    /// - Returns: what the phone reports.
    private func arrive(
        _ push: ReceivedPush,
        _ entry: inout Entry,
        _ state: inout State,
        at now: Timestamp
    ) -> (String, PhoneReport)? {
        let priority = push.priority
        let outcome: SimulatedPhone.Outcome
        switch push.headers["apns-push-type"] {
        case "widgets": outcome = entry.phone.redrawWidgets(push.body, at: now)
        case "alert":
            outcome = entry.phone.notify(push.body, collapseID: push.headers["apns-collapse-id"], at: now)
        default:
            guard let token = push.deviceToken, let card = entry.cards[token] else {
                return start(push, &entry, &state, at: now)
            }
            outcome = entry.phone.receive(push.body, for: card, priority: priority, at: now)
        }
        note(push, on: entry.id, outcome, at: now, in: &state)
        return nil
    }

    private func start(
        _ push: ReceivedPush,
        _ entry: inout Entry,
        _ state: inout State,
        at now: Timestamp
    ) -> (String, PhoneReport)? {
        let outcome = entry.phone.start(push.body, at: now)
        note(push, on: entry.id, outcome, at: now, in: &state)
        guard case .shown(let number) = outcome else { return nil }
        let card = entry.phone.cards[number]
        guard card.channel == nil else { return nil }
        let token = Self.token(&state.tokens)
        entry.cards[token] = number
        return (
            entry.id,
            PhoneReport(
                confirmedAt: now,
                activities: [.init(id: card.id, instance: card.instance, token: .known(token))]
            )
        )
    }

    private func broadcast(_ push: ReceivedPush, on channel: String, at now: Timestamp) {
        let (body, priority) = (push.body, push.priority)
        state.withLock { state in
            for index in state.entries.indices where !state.entries[index].isOff {
                var entry = state.entries[index]
                for card in entry.phone.cards where card.channel == channel && card.isLive {
                    let outcome = entry.phone.receive(body, for: card.number, priority: priority, at: now)
                    note(push, on: entry.id, outcome, at: now, in: &state)
                }
                state.entries[index] = entry
            }
        }
    }

    private func note(
        _ push: ReceivedPush,
        on phone: String,
        _ outcome: SimulatedPhone.Outcome,
        at now: Timestamp,
        in state: inout State
    ) {
        var event = push.headers["apns-push-type"] == "widgets" ? "widgets" : "notification"
        if case .map(let root)? = try? JSONReader.value(of: push.body.span),
            case .map(let aps)? = root["aps"], case .string(let name)? = aps["event"]
        {
            event = name
        }
        if state.arrivals.count >= Self.arrivalLimit { state.arrivals.removeFirst() }
        state.arrivals.append(
            Arrival(
                at: now,
                phone: phone,
                event: event,
                priority: push.priority,
                size: push.body.count,
                outcome: outcome
            )
        )
    }

    /// The next of all tokens: 32 bytes, none like another.
    private static func token(_ count: inout UInt64) -> String {
        count += 1
        var random = SimulatedRandom(seed: count)
        return (0..<4).map { _ in String(random.next(), hexadecimalDigits: 16) }.joined()
    }
}

extension ReceivedPush {
    /// The priority; without the header, 10.
    fileprivate var priority: Push.Priority {
        headers["apns-priority"] == "5" ? .considerate : .immediate
    }
}
