import SkerryActivity
public import SkerryPhones
public import SkerryTesting
public import SkerryValues
import Synchronization

/// Simulated phones with their tokens, behind Apple's push service: what a push does to them, and what they report.
public final class PhoneShelf: Sendable {
    /// A push that reached a phone, and what came of it.
    public struct Arrival: Sendable {
        /// The moment of arrival.
        public var at: Timestamp
        /// The id of the phone.
        public var phone: String
        /// `start`, `update`, `end`, `notification` or `widgets`.
        public var event: String
        /// The priority.
        public var priority: Push.Priority
        /// The size of the body in bytes.
        public var size: Int
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
    public func dismiss(_ card: Int, on id: String) {
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
        let priority: Push.Priority = push.headers["apns-priority"] == "5" ? .considerate : .immediate
        if let channel = push.headers["apns-channel-id"] {
            broadcast(push.body, on: channel, priority, at: now)
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
            let isNotice = type == "alert"
            guard isNotice == (token == entry.appToken), (type == "widgets") == (token == entry.widgetToken)
            else {
                return PushRefusal(400, "DeviceTokenNotForTopic")
            }
            if type == "widgets" {
                let outcome = entry.phone.redrawWidgets(push.body, at: now)
                note(push.body, on: entry.id, priority, outcome, event: type, at: now, in: &state)
                return nil
            }
            if isNotice {
                let collapseID = push.headers["apns-collapse-id"]
                let outcome = entry.phone.notify(push.body, collapseID: collapseID, at: now)
                note(push.body, on: entry.id, priority, outcome, at: now, in: &state)
                return nil
            }
            guard let card = entry.cards[token] else {
                news = start(push.body, &entry, &state, priority, at: now)
                return nil
            }
            entry.phone.pass(until: now)
            guard entry.phone.cards[card].isLive else {
                return PushRefusal(410, "ExpiredToken", since: now)
            }
            let outcome = entry.phone.receive(push.body, for: card, priority: priority, at: now)
            note(push.body, on: entry.id, priority, outcome, at: now, in: &state)
            return nil
        }
        if let (phone, news) = news { report(phone, news) }
        return refusal
    }

    private func start(
        _ body: [UInt8],
        _ entry: inout Entry,
        _ state: inout State,
        _ priority: Push.Priority,
        at now: Timestamp
    ) -> (String, PhoneReport)? {
        let outcome = entry.phone.start(body, at: now)
        note(body, on: entry.id, priority, outcome, at: now, in: &state)
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

    private func broadcast(
        _ body: [UInt8],
        on channel: String,
        _ priority: Push.Priority,
        at now: Timestamp
    ) {
        state.withLock { state in
            for index in state.entries.indices {
                var entry = state.entries[index]
                for card in entry.phone.cards where card.channel == channel && card.isLive {
                    let outcome = entry.phone.receive(body, for: card.number, priority: priority, at: now)
                    note(body, on: entry.id, priority, outcome, at: now, in: &state)
                }
                state.entries[index] = entry
            }
        }
    }

    private func note(
        _ body: [UInt8],
        on phone: String,
        _ priority: Push.Priority,
        _ outcome: SimulatedPhone.Outcome,
        event: String? = nil,
        at now: Timestamp,
        in state: inout State
    ) {
        var event = event ?? "notification"
        if case .map(let root)? = try? JSONReader.value(of: body.span), case .map(let aps)? = root["aps"],
            case .string(let name)? = aps["event"]
        {
            event = name
        }
        if state.arrivals.count >= Self.arrivalLimit { state.arrivals.removeFirst() }
        state.arrivals.append(
            Arrival(
                at: now,
                phone: phone,
                event: event,
                priority: priority,
                size: body.count,
                outcome: outcome
            )
        )
    }

    /// The next of all tokens: 32 bytes, none like another.
    private static func token(_ count: inout UInt64) -> String {
        count += 1
        var random = SimulatedRandom(seed: count)
        return (0..<4).map { _ in
            let digits = String(random.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
