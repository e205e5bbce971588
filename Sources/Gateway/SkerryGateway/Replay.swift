public import SkerryDevice
public import SkerryEngine
public import SkerryValues

/// Recorded messages through the engine in virtual time: what a live bridge would have published.
///
/// Time is that of the recording; between two messages everything due is handled at its own deadline.
public struct Replay: Sendable {
    /// The engine, with its counters.
    public private(set) var engine: Engine?
    /// Bytes of topics and payloads taken in.
    package private(set) var bytesIn: UInt64 = 0

    private let definitions: [Definition]
    private let limits: EngineLimits
    private let foretells: Bool
    /// The time of the last message.
    private var lastMessageAt = Timestamp.distantPast
    /// The number of deadlines that were handled after it.
    private var deadlinesAfter = 0
    /// True if the clock stopped before its time, because definitions wake themselves again and again.
    package private(set) var isCutShort = false

    /// The default time for which the clock runs on after the last message.
    package static let longestRunOn = Interval.hours(48)
    /// The deadlines after the last message beyond which the clock does not run on by itself, of few devices.
    package static let mostDeadlines = 100_000
    /// The same for each of many devices.
    private static let mostOfDevice = 100
    /// The present limit, which tests make smaller.
    package var deadlineLimit = Self.mostDeadlines

    /// Makes a replay that begins with the time of its first message, with or without timelines.
    public init(definitions: [Definition], limits: EngineLimits = EngineLimits(), foretells: Bool = false) {
        self.definitions = definitions
        self.limits = limits
        self.foretells = foretells
    }

    /// Handles the next message.
    ///
    /// - Returns: the effects of the time before it, and of the message.
    public mutating func take(_ message: Message, at time: Timestamp) -> [Effect] {
        defer { (lastMessageAt, deadlinesAfter) = (engine?.now ?? time, 0) }
        bytesIn += UInt64(message.topic.count + message.payload.count)
        if let effects = engine?.handle(.message(message), at: time) { return effects }
        var engine = Engine(
            definitions: definitions,
            epoch: time.flooredSeconds,
            limits: limits,
            foretells: foretells
        )
        let effects = engine.handle(.message(message), at: time)
        self.engine = engine
        return effects
    }

    /// Handles the earliest deadline before a message of a moment.
    ///
    /// Called until there is none, it keeps a message after a long time from having the effects of all of it at once.
    ///
    /// - Returns: The effects; nil when nothing is due before that moment.
    package mutating func passDeadline(before moment: Timestamp) -> [Effect]? {
        guard let due = engine?.nextDeadline, due < moment else { return nil }
        return engine?.handle(.timePassed, at: due)
    }

    /// Handles the earliest deadline after the last message; see ``runOn(until:)``.
    ///
    /// - Returns: The effects; nil when the clock does not run on.
    package mutating func goOn(until limit: Timestamp? = nil) -> [Effect]? {
        // In place: a copy at hand would have each deadline copy the whole engine.
        guard let due = engine?.nextDeadline, due <= limit ?? lastMessageAt + Self.longestRunOn,
            limit != nil || engine?.hasUnfinishedBusiness == true
        else { return nil }
        let most = max(deadlineLimit, Self.mostOfDevice * (engine?.deviceCount ?? 0))
        if limit == nil, deadlinesAfter >= most {
            isCutShort = true
            return nil
        }
        deadlinesAfter += 1
        return engine?.handle(.timePassed, at: due)
    }

    /// Lets the clock run on after the last message: until a moment, or until no activity is followed or waits to be
    /// dismissed and no guard waits for its time, at most 48 hours and ``mostDeadlines``.
    ///
    /// - Parameter limit: The moment; nil for as long as something is pending.
    /// - Returns: Everything that came of it.
    package mutating func runOn(until limit: Timestamp? = nil) -> [Effect] {
        var effects: [Effect] = []
        while let more = goOn(until: limit) { effects += more }
        return effects
    }
}
