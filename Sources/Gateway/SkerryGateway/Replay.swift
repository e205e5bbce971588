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

    /// The default time for which the clock runs on after the last message.
    package static let longestRunOn = Interval.hours(48)

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

    /// Lets the clock run on after the last message: until a moment, or until no activity is followed or waits to be
    /// dismissed and no guard waits for its time, at most 48 hours.
    ///
    /// - Parameters:
    ///   - limit: The moment; nil for as long as something is pending.
    ///   - take: Called with the effects of each deadline.
    package mutating func runOn(until limit: Timestamp? = nil, _ take: ([Effect]) -> Void) {
        guard let last = engine?.now else { return }
        let end = limit ?? last + Self.longestRunOn
        while let due = engine?.nextDeadline, due <= end,
            limit != nil || engine?.hasUnfinishedBusiness == true
        {
            take(engine?.handle(.timePassed, at: due) ?? [])
        }
    }

    /// The same, with everything that came of it at once.
    package mutating func runOn(until limit: Timestamp? = nil) -> [Effect] {
        var effects: [Effect] = []
        runOn(until: limit) { effects += $0 }
        return effects
    }
}
