public import SkerryDevice
public import SkerryValues

/// A change or a fault of one device, caused by an input.
public struct Effect: Sendable {
    /// The moment of the effect: that of the input, or of the deadline that was due.
    public var at: Timestamp
    /// The kind of the device.
    public var kind: String
    /// The name of the device.
    public var device: String
    /// The change or fault.
    public var what: DeviceEffect

    /// Makes an effect.
    public init(at: Timestamp, kind: String, device: String, what: DeviceEffect) {
        self.at = at
        self.kind = kind
        self.device = device
        self.what = what
    }
}

/// The counters of an engine since its start.
public struct EngineCounters: Hashable, Sendable {
    /// Messages received.
    public var messages: UInt64 = 0
    /// Messages whose topic matches no source.
    public var unrouted: UInt64 = 0
    /// Messages that no source took, although one has their topic: `when` did not hold, nothing named a device, or the device
    /// is not known and the source makes none.
    public var ignored: UInt64 = 0
    /// Messages whose devices all belong to other partitions.
    public var elsewhere: UInt64 = 0
    /// Payloads that could not be read.
    public var refused: UInt64 = 0
    /// Messages of devices beyond the limit, or with names that are too long.
    public var beyondLimit: UInt64 = 0
    /// Devices without a run that were replaced by new devices.
    public var replaced: UInt64 = 0
    /// Values of signals and variables that were refused because of their size.
    public var refusedValues: UInt64 = 0
    /// Messages that actions published.
    public var published: UInt64 = 0
    /// Messages that actions could not publish.
    public var unpublished: UInt64 = 0
    /// Revisions of activities, ends included.
    public var updates: UInt64 = 0

    /// Makes counters that are all 0.
    public init() {}
}

/// Bounds on the size of an engine.
public struct EngineLimits: Sendable {
    /// The number of devices; beyond it a new device replaces one that never had a run, or its messages are counted and
    /// not used.
    public var devices = 100_000
    /// The number of devices that may be replaced within a minute.
    public var newDevices = 1000
    /// The length of a device's name in bytes; messages with longer names are counted and not used.
    public var nameBytes = 256
    /// The size of the signals and variables of all devices, as counted by `Value.storage`.
    public var valueBytes = 134_217_728
    /// The size of the messages that are kept for devices to come; beyond it the oldest are dropped.
    public var keptBytes = 4_194_304
    /// The number of topics whose routes are cached; beyond it the cache starts empty again.
    public var topics = 200_000
    /// The age from which the image of a device that waits for silence is stored again when a message comes; nil for
    /// never.
    public var heardAge: Interval?
    /// The cost of all expressions for a message to all devices of a definition, after which the rest of them are left out.
    ///
    /// Without a bound for devices that are there; whoever tries definitions of others sets one.
    public var broadcastCost = Int.max
    /// The partition whose devices there are; nil for all devices.
    public var partition: Partition?

    /// Makes the default limits.
    public init() {}
}
