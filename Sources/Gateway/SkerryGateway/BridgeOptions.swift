public import SkerryActivity
public import SkerryEngine
public import SkerryValues

/// The options of a bridge.
public struct BridgeOptions: Sendable {
    /// The common beginning of all published topics.
    public var prefix = "skerry"
    /// The MQTT client id: of two bridges with the same one, only one can be connected.
    public var clientID = "skerry"
    /// The mark of the machine that it runs on; nil when it is unknown.
    public var machine: String?
    /// The computer and process among those that share a store; nil if they don't.
    public var node: String?
    /// True if it starts even if another bridge is online; retained messages of a bridge that is offline are deleted.
    package var takesOver = false
    /// The mark that a new store is given.
    public var newOwner = String(UInt64.random(in: .min ... .max), radix: 16)
    /// True if the store is in the place of one that is lost, so that what has the client id of this bridge belongs to it.
    public var succeeds = false
    /// The version in `bridge/info`.
    public var version: String
    /// True if each change is also published as a diff.
    package var publishesDiffs = true
    /// True if the timeline of each activity is published.
    public var publishesTimelines = false
    /// The interval of `bridge/health`.
    public var healthInterval = Interval.minutes(1)
    /// The number of publications, except retained ones, that may wait for the broker, and of ended activities for
    /// each further sink; beyond that the oldest is dropped.
    package var outboxLimit = 10_000
    /// The time after which an alert is too late to be sent.
    public var alertFreshness = Interval.minutes(15)
    /// The limits of the stored history of activities.
    package var history = HistoryLimits()
    /// The interval of checkpoints, which also store readings that changed nothing else.
    ///
    /// Nil only for a store that keeps nothing.
    public var checkpointInterval: Interval?
    /// The time for which the messages of each device are kept in memory, for recordings; zero for none.
    package var recordLength = Interval.zero
    /// The announcement of devices to Home Assistant; nil for none.
    package var homeAssistant: HomeAssistantOptions?
    /// The limits of the engine.
    public var engine = EngineLimits()
    /// The beginning of the topics under which the broker gives each partition the messages of its own devices, before the
    /// number of the partition (`p` for `p/3/zigbee2mqtt/plug`); nil if all partitions get all messages.
    package var partitionPrefix: String?

    /// Makes the default options.
    public init(version: String) {
        self.version = version
    }

    /// The limits of the engine, with the age of a message up to which a silence may be stored late.
    var engineLimits: EngineLimits {
        var limits = engine
        limits.heardAge = checkpointInterval
        return limits
    }

    /// The broker as a sink of this bridge.
    var sink: MQTTSink {
        MQTTSink(prefix: prefix, publishesDiffs: publishesDiffs, partition: engine.partition?.number)
    }

    /// The announcements to Home Assistant; nil if there are none.
    func announcer(for sink: MQTTSink) -> HomeAssistant? {
        homeAssistant.map {
            HomeAssistant(prefix: $0.prefix, sink: sink, version: version, page: $0.page)
        }
    }
}

/// An event for the watcher of a bridge, on the bridge's thread.
public enum BridgeEvent: Sendable {
    /// Something happened in a device.
    case effect(Effect)
    /// A device was restored, with the last revision of its activity.
    case resumed(kind: String, device: String, ActivityUpdate)
    /// The timeline of a device, nil if nothing is foretold of it; only while those who watch want timelines.
    case foretold(kind: String, device: String, ActivityTimeline?)
    /// A device has entered a state with a title; told before the effect that it has moved.
    case entered(kind: String, device: String, title: String)
    /// The definitions were read again; told after what that did to devices.
    case redefined
    /// The broker took the connection.
    case connected
    /// The broker answered to the subscriptions: messages come from now on.
    case subscribed
    /// The retained messages of the broker were compared, and devices were told of the connection.
    case compared
    /// There is no connection, with the reason.
    case disconnected(BusFault)
    /// Another bridge is online, so this one must not start; with a remedy.
    case isRefused(String)
    /// The bridge goes by this clock, whose time was moved by so much.
    case clock(any GatewayClock, movedBy: Interval)
    /// Readers know more than the store does: all revisions are of this epoch from now on.
    case newEpoch(Int64)
    /// The store takes nothing more from this process.
    case storeIsLost(StoreFault)
}
