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
    public private(set) var bytesIn: UInt64 = 0

    private let definitions: [Definition]
    private let limits: EngineLimits

    /// How long the clock runs on after the last message, unless told otherwise.
    public static let longestRunOn = Interval.hours(48)

    /// Makes a replay that begins with the time of its first message.
    public init(definitions: [Definition], limits: EngineLimits = EngineLimits()) {
        self.definitions = definitions
        self.limits = limits
    }

    /// Takes the next message in.
    ///
    /// - Returns: what came of the time before it, and of it.
    public mutating func take(_ message: Message, at time: Timestamp) -> [Effect] {
        bytesIn += UInt64(message.topic.count + message.payload.count)
        if let effects = engine?.handle(.message(message), at: time) { return effects }
        var engine = Engine(definitions: definitions, epoch: time.flooredSeconds, limits: limits)
        let effects = engine.handle(.message(message), at: time)
        self.engine = engine
        return effects
    }

    /// Lets the clock run on after the last message: until a moment, or until no activity is followed or waits to be
    /// dismissed, at most 48 hours.
    ///
    /// - Returns: what came of it; empty when nothing more will.
    public mutating func runOn(until limit: Timestamp? = nil) -> [Effect] {
        guard let last = engine?.now else { return [] }
        let end = limit ?? last + Self.longestRunOn
        var effects: [Effect] = []
        while let due = engine?.nextDeadline, due <= end, limit != nil || engine?.hasPendingActivity == true {
            effects += engine?.handle(.timePassed, at: due) ?? []
        }
        return effects
    }
}
