public import SkerryDevice
public import SkerryValues

/// What the world should know of something that the engine was told.
public struct Effect: Sendable {
    /// The moment it belongs to: that of the input, or the deadline that was due.
    public var at: Timestamp
    /// The kind of the device.
    public var kind: String
    /// The name of the device.
    public var device: String
    /// What happened.
    public var what: DeviceEffect

    /// Makes an effect.
    public init(at: Timestamp, kind: String, device: String, what: DeviceEffect) {
        self.at = at
        self.kind = kind
        self.device = device
        self.what = what
    }
}

/// How much an engine has seen and done.
public struct EngineCounters: Hashable, Sendable {
    /// Messages taken in.
    public var messages: UInt64 = 0
    /// Messages whose topic belongs to no source.
    public var unrouted: UInt64 = 0
    /// Payloads that could not be read.
    public var refused: UInt64 = 0
    /// Messages of devices beyond the limit, or with names beyond it.
    public var beyondLimit: UInt64 = 0
    /// Devices that people were shown nothing of and whose place another took.
    public var replaced: UInt64 = 0
    /// Values of signals and variables that were not kept because they are too large.
    public var refusedValues: UInt64 = 0
    /// Revisions of activities.
    public var updates: UInt64 = 0

    /// Nothing seen yet.
    public init() {}
}

/// Bounds on what an engine may hold.
public struct EngineLimits: Sendable {
    /// Devices; a further one takes the place of one that people were shown nothing of, or its messages are counted and
    /// not used.
    public var devices = 100_000
    /// How many devices take the place of others within a minute.
    public var newDevices = 1000
    /// The length of a device's name in bytes; messages of longer ones are counted and not used.
    public var nameBytes = 256
    /// What the signals and variables of all devices may take; see `Value.storage`.
    public var valueBytes = 134_217_728
    /// Topics whose devices are remembered; more are looked up anew.
    public var topics = 200_000
    /// How much older than the last message the image may be of a device that waits for silence; nil for any age.
    public var heardAge: Interval?

    /// Makes the default limits.
    public init() {}
}
