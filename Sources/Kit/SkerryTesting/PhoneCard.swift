public import SkerryValues

/// One activity on the screen of a simulated phone.
public struct PhoneCard: Sendable {
    /// The stage of a card's life.
    public enum Stage: Hashable, Sendable {
        /// It takes updates.
        case live
        /// It is over, and stays on the Lock Screen until then.
        case ended(removedAt: Timestamp)
        /// Its time on the Lock Screen has passed.
        case removed
        /// Its user swiped it away.
        case dismissed
    }

    /// The longest life of an activity.
    package static let longestLife = Interval.hours(8)
    /// The longest stay on the Lock Screen after the end.
    package static let longestRest = Interval.hours(4)

    /// Its number on this phone, from 0.
    public let number: Int
    /// Its type, such as `WasherPlugAttributes`.
    public let type: String
    /// The activity's id, `<kind>/<device>/<run>`.
    public let id: String
    /// Which showing of the run it is, from 1.
    public let instance: Int
    /// All that was fixed with the start.
    public let attributes: ValueMap
    /// The channel it listens on; nil when it has an update token.
    public let channel: String?
    /// The moment of appearance.
    package let startedAt: Timestamp
    /// The content-state shown.
    public internal(set) var state: ValueMap
    /// The `timestamp` of what is shown, Unix seconds.
    public internal(set) var timestamp: Int64
    /// From when on the card says that it may be out of date.
    public internal(set) var staleAt: Timestamp?
    /// Its relevance.
    public internal(set) var relevance: Double
    /// The stage of its life.
    public internal(set) var stage = Stage.live
    /// The number of times it lit the screen.
    public internal(set) var alerts = 0

    /// True if it takes updates.
    public var isLive: Bool { stage == .live }

    /// True if it is to be seen.
    package var isOnScreen: Bool {
        switch stage {
        case .live, .ended: true
        case .removed, .dismissed: false
        }
    }

    /// Returns whether it says that it may be out of date.
    package func isStale(at now: Timestamp) -> Bool { isLive && (staleAt.map { now >= $0 } ?? false) }

    /// The name of the state shown.
    public var stateName: String {
        guard case .string(let name)? = state["state"] else { return "" }
        return name
    }

    /// The revision shown; 0 if the state has none.
    public var rev: Int64 {
        guard case .int(let rev)? = state["rev"] else { return 0 }
        return rev
    }

    /// The content shown.
    public var content: ValueMap {
        guard case .map(let map)? = state["content"] else { return ValueMap() }
        return map
    }

    /// The end of the running countdown that ends first; nil when none runs.
    package var countdownEnd: Timestamp? {
        content.entries.compactMap { entry -> Timestamp? in
            guard case .map(let time) = entry.value, let end = time["end"] else { return nil }
            return PushContent.moment(end)
        }.min()
    }

    /// Returns the time that a countdown has rested at 0:00 with nothing on the card that says so; zero when none does.
    package func timeAtZero(at now: Timestamp) -> Interval {
        guard isLive, !isStale(at: now), let countdownEnd else { return .zero }
        return max(.zero, now - countdownEnd)
    }

    init(_ content: PushContent, number: Int, at now: Timestamp) throws(SimulatedPhone.Refusal) {
        guard content.event == "start" else { throw .init("event \(content.event) at a push-to-start token") }
        guard case .string(let type)? = content.aps["attributes-type"], !type.isEmpty else {
            throw .init("no attributes-type")
        }
        guard case .map(let attributes)? = content.aps["attributes"] else { throw .init("no attributes") }
        guard case .string(let id)? = attributes["id"] else {
            throw .init("does not decode: the attributes have no id")
        }
        guard case .int(let instance)? = attributes["instance"] else {
            throw .init("does not decode: the attributes have no whole instance")
        }
        guard let state = content.state else { throw .init("no content-state") }
        guard try content.hasAlert() else { throw .init("a start without an alert") }
        if let staleAt = content.staleAt, staleAt <= now {
            throw .init("its stale-date has passed: it is never shown")
        }
        try content.checkTimestamp(at: now)
        self.number = number
        self.type = type
        self.id = id
        self.instance = Int(clamping: instance)
        self.attributes = attributes
        if case .string(let channel)? = content.aps["input-push-channel"] {
            self.channel = channel
        } else {
            channel = nil
        }
        startedAt = now
        self.state = state
        timestamp = content.timestamp
        staleAt = content.staleAt
        relevance = content.relevance
    }

    mutating func take(_ content: PushContent, at now: Timestamp) throws(SimulatedPhone.Refusal) {
        let alerts = try content.hasAlert()
        switch content.event {
        case "update":
            try content.checkTimestamp(at: now)
            guard content.timestamp > timestamp else { throw .init("a timestamp that is not newer") }
            guard let state = content.state else { throw .init("no content-state") }
            self.state = state
        case "end":
            if let state = content.state { self.state = state }
            let latest = now + Self.longestRest
            stage = .ended(removedAt: min(content.dismissalAt ?? latest, latest))
        default: throw .init("event \(content.event) at an update token")
        }
        timestamp = max(timestamp, content.timestamp)
        staleAt = content.staleAt
        relevance = content.relevance
        if alerts { self.alerts += 1 }
    }

    /// Lets time pass.
    ///
    /// - Returns: what happened; nil for nothing.
    mutating func pass(until now: Timestamp) -> String? {
        var text: String?
        if isLive, now - startedAt >= Self.longestLife {
            stage = .ended(removedAt: startedAt + Self.longestLife + Self.longestRest)
            text = "is ended by the system after 8 hours"
        }
        if case .ended(let removedAt) = stage, now >= removedAt {
            stage = .removed
            text = "is gone"
        }
        return text
    }
}

/// The body of a push, as iOS reads it.
struct PushContent {
    let aps: ValueMap
    let event: String
    let timestamp: Int64

    init(_ body: [UInt8]) throws(SimulatedPhone.Refusal) {
        guard case .map(let root)? = try? JSONReader.value(of: body.span),
            case .map(let aps)? = root["aps"]
        else { throw .init("no JSON object with aps") }
        self.aps = aps
        guard case .string(let event)? = aps["event"] else { throw .init("no event") }
        self.event = event
        guard case .int(let timestamp)? = aps["timestamp"] else { throw .init("no whole timestamp") }
        self.timestamp = timestamp
    }

    var state: ValueMap? {
        guard case .map(let state)? = aps["content-state"] else { return nil }
        return state
    }

    var staleAt: Timestamp? { aps["stale-date"].flatMap(Self.moment) }

    var dismissalAt: Timestamp? { aps["dismissal-date"].flatMap(Self.moment) }

    var relevance: Double {
        switch aps["relevance-score"] {
        case .int(let number)?: Double(number)
        case .double(let number)?: number
        default: 0
        }
    }

    /// Returns whether it lights the screen; one without a title does not.
    func hasAlert() throws(SimulatedPhone.Refusal) -> Bool {
        guard case .map(let alert)? = aps["alert"] else { return false }
        for key in ["title-loc-key", "loc-key", "title-loc-args", "loc-args"] where alert[key] != nil {
            throw .init("an alert with a flat \(key)")
        }
        switch alert["title"] {
        case .string(let title)?: return !title.isEmpty
        case .map(let title)?: return title["loc-key"] != nil
        default: return false
        }
    }

    func checkTimestamp(at now: Timestamp) throws(SimulatedPhone.Refusal) {
        guard Timestamp(seconds: timestamp) - now <= .hours(8) else {
            throw .init("a timestamp more than 8 hours ahead")
        }
    }

    /// A moment from Unix seconds.
    static func moment(_ value: Value) -> Timestamp? {
        switch value {
        case .int(let seconds): Timestamp(seconds: seconds)
        case .double(let seconds): Interval(seconds: seconds).map { Timestamp(seconds: 0) + $0 }
        default: nil
        }
    }
}
