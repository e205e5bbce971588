public import SkerryActivity
public import SkerryEngine
public import SkerryValues

/// How a bridge behaves.
public struct BridgeOptions: Sendable {
    /// What all published topics start with.
    public var prefix = "skerry"
    /// The MQTT client id: of two bridges with the same one, only one can be connected.
    public var clientID = "skerry"
    /// Whether it starts though another bridge is online; what one retains that is offline is taken away.
    public var takesOver = false
    /// The mark that a new store is given.
    public var newOwner = String(UInt64.random(in: .min ... .max), radix: 16)
    /// The version that `bridge/info` tells.
    public var version: String
    /// How often `bridge/health` is published.
    public var healthInterval = Interval.minutes(1)
    /// How many publications that are not retained may wait for the broker, and how many ended activities for each
    /// further sink; beyond that the oldest goes.
    public var outboxLimit = 10_000
    /// How long after it was raised an alert may still be told.
    public var alertFreshness = Interval.minutes(15)
    /// How much of the history of activities the store keeps.
    public var history = HistoryLimits()
    /// How often the store is told everything, also the numbers that devices reported and that changed nothing else.
    ///
    /// Nil only for a store that keeps nothing.
    public var checkpointInterval: Interval?
    /// Bounds on what the engine may hold.
    public var engine = EngineLimits()

    /// Makes the default options.
    public init(version: String) {
        self.version = version
    }
}

/// What a bridge tells those who watch it, from its own thread.
public enum BridgeEvent: Sendable {
    /// Something happened in a device.
    case effect(Effect)
    /// A device goes on that the store kept, with the last revision of its activity.
    case resumed(kind: String, device: String, ActivityUpdate)
    /// What will be seen of a device that goes on, if nothing more is said.
    case foretold(kind: String, device: String, ActivityTimeline)
    /// The broker took the connection.
    case connected
    /// The broker answered to the subscriptions: messages come from now on.
    case subscribed
    /// There is no connection, with the reason.
    case disconnected(BusFault)
    /// Another bridge is there, and this one must not start, with what to do.
    case isRefused(String)
    /// Readers know more than the store does: all revisions are of this epoch from now on.
    case newEpoch(Int64)
    /// The store takes nothing more from this process.
    case storeIsLost(StoreFault)
}
