package import SkerryPhones
public import SkerryValues

/// A phone as far as Live Activities and notifications go: what is on its Lock Screen after the pushes that came, and which
/// it dropped.
///
/// It does what iOS is known or reported to do, and where that is not known the stricter thing. No network and no tokens:
/// the sender of a push says which card it is for.
public struct SimulatedPhone: Sendable {
    /// The effect of a push.
    public enum Outcome: Hashable, Sendable {
        /// The screen shows it; for a start, the number of the new card.
        case shown(card: Int)
        /// The Notification Center has it.
        case notified
        /// The widgets of the app ask for their timelines.
        case redrawn
        /// iOS took no notice, for this reason; the sender never hears of it.
        case dropped(String)
    }

    /// An event on the phone, in a line for people.
    public struct Note: Hashable, Sendable {
        /// The moment of the event.
        package var at: Timestamp
        /// The card; nil when there is none.
        package var card: Int?
        /// The event.
        package var text: String
        /// True if a push was dropped.
        package var isDropped: Bool
    }

    /// The number of starts that iOS takes within an hour; Apple does not publish it.
    package var startBudget = 10
    /// The number of pushes of priority 10 that iOS takes within an hour, starts not counted; Apple does not publish it.
    package var priorityBudget = 15
    /// The number of activities of the app that may run at once.
    package var liveLimit = 5
    /// Says why a content-state of a type would not decode; nil if it would.
    package var decodingFault: @Sendable (_ type: String, _ state: ValueMap) -> String?
    /// All cards there ever were, in the order in which they started.
    public private(set) var cards: [PhoneCard] = []
    /// The notifications, oldest first.
    public internal(set) var notices: [PhoneNotice] = []
    /// The number of times that its widgets asked for their timelines because of a push.
    public internal(set) var redraws = 0
    /// The events so far.
    public private(set) var notes: [Note] = []
    private var starts: [Timestamp] = []
    private var priorityPushes: [Timestamp] = []

    /// Makes a phone with nothing on its screen.
    public init(
        decodingFault: @escaping @Sendable (_ type: String, _ state: ValueMap) -> String? = { _, _ in nil }
    ) {
        self.decodingFault = decodingFault
    }

    /// The cards on the Lock Screen: the most relevant first, of equal ones the one that started first.
    public var lockScreen: [PhoneCard] {
        cards.filter(\.isOnScreen).sorted { left, right in
            left.relevance == right.relevance ? left.number < right.number : left.relevance > right.relevance
        }
    }

    /// Returns the number of starts of the last hour that count.
    package func startsUsed(at now: Timestamp) -> Int { Self.count(starts, at: now) }

    /// Returns the number of pushes of priority 10 of the last hour that count.
    package func priorityUsed(at now: Timestamp) -> Int { Self.count(priorityPushes, at: now) }

    /// Takes a push to start an activity.
    public mutating func start(_ body: [UInt8], at now: Timestamp) -> Outcome {
        pass(until: now)
        let used = startsUsed(at: now)
        starts = starts.filter { now - $0 < .hours(1) } + [now]
        guard used < startBudget else { return drop("push-to-start budget exceeded", nil, at: now) }
        do throws(Refusal) {
            var card = try PhoneCard(PushContent(body), number: cards.count, at: now)
            if let fault = decodingFault(card.type, card.state) { throw Refusal("does not decode: \(fault)") }
            guard cards.filter(\.isLive).count < liveLimit else {
                throw Refusal("\(liveLimit) activities of this app go on already")
            }
            card.alerts = 1
            cards.append(card)
            note("\(card.id) appears", card.number, at: now)
            return .shown(card: card.number)
        } catch {
            return drop(error.text, nil, at: now)
        }
    }

    /// Takes an update or an end for a card.
    package mutating func receive(
        _ body: [UInt8],
        for number: Int,
        priority: Push.Priority,
        at now: Timestamp
    ) -> Outcome {
        pass(until: now)
        if priority == .immediate {
            let used = priorityUsed(at: now)
            priorityPushes = priorityPushes.filter { now - $0 < .hours(1) } + [now]
            guard used < priorityBudget else {
                return drop("budget of priority 10 exceeded", number, at: now)
            }
        }
        guard cards.indices.contains(number), cards[number].isLive else {
            return drop("the activity is over", number, at: now)
        }
        do throws(Refusal) {
            let content = try PushContent(body)
            var card = cards[number]
            try card.take(content, at: now)
            if let fault = decodingFault(card.type, card.state) { throw Refusal("does not decode: \(fault)") }
            cards[number] = card
            note("\(card.id) \(card.isLive ? "shows" : "ends with") \(card.stateName)", number, at: now)
            pass(until: now)
            return .shown(card: number)
        } catch {
            return drop(error.text, number, at: now)
        }
    }

    /// Lets time pass: cards end after eight hours and vanish when their time has come.
    public mutating func pass(until now: Timestamp) {
        for index in cards.indices {
            if let text = cards[index].pass(until: now) { note("\(cards[index].id) \(text)", index, at: now) }
        }
    }

    /// The user swipes a card away.
    public mutating func dismiss(_ number: Int, at now: Timestamp) {
        guard cards.indices.contains(number), cards[number].isOnScreen else { return }
        cards[number].stage = .dismissed
        note("\(cards[number].id) is swiped away", number, at: now)
    }

    /// The app takes a card away.
    public mutating func remove(_ number: Int, at now: Timestamp) {
        guard cards.indices.contains(number), cards[number].isOnScreen else { return }
        cards[number].stage = .removed
        note("\(cards[number].id) is taken away by the app", number, at: now)
    }

    mutating func drop(_ reason: String, _ card: Int?, at now: Timestamp) -> Outcome {
        notes.append(Note(at: now, card: card, text: reason, isDropped: true))
        return .dropped(reason)
    }

    mutating func note(_ text: String, _ card: Int?, at now: Timestamp) {
        notes.append(Note(at: now, card: card, text: text, isDropped: false))
    }

    private static func count(_ moments: [Timestamp], at now: Timestamp) -> Int {
        moments.count { now - $0 < .hours(1) }
    }

    /// Why iOS takes no notice of a push.
    struct Refusal: Error {
        var text: String

        init(_ text: String) {
            self.text = text
        }
    }
}
