public import SkerryValues

/// The result of a recovery: what a bridge found in its store when it started.
public struct Recovery: Hashable, Sendable, CustomStringConvertible {
    /// The number of devices that go on.
    package var devices: Int
    /// The time from the last commit to the start.
    package var downtime: Interval
    /// The number of effects that were due meanwhile.
    package var late: Int

    /// One line for the log.
    public var description: String {
        "devices restored: \(devices); downtime: \(downtime.roundedSeconds) s; due meanwhile: \(late)"
    }
}

/// The progress of a recovery, stored apart from the commits: it shows the next process that a recovery did not
/// finish.
///
/// See docs/decisions/0031-setting-aside.md.
public struct RecoveryMark: Hashable, Sendable {
    /// Recoveries that have begun since one came to its end.
    package var attempts: Int
    /// The device that is being restored; nil between devices, and unless the last recovery failed.
    public var device: DeviceKey?
    /// The number of recoveries in a row that have ended at this device, as far as is known.
    package var hits: Int

    /// Makes a mark; without arguments that of a recovery that has come to its end.
    public init(attempts: Int = 0, device: DeviceKey? = nil, hits: Int = 0) {
        self.attempts = attempts
        self.device = device
        self.hits = hits
    }

    /// A kill from outside hits one device by chance; one that ends the process is hit each time.
    static let proof = 3

    /// The device that has ended too many processes in a row for it to be chance.
    var culprit: DeviceKey? { hits >= Self.proof ? device : nil }
}

/// A device that ended several processes while it was being restored, and is no longer restored.
public struct SetAsideDevice: Hashable, Sendable {
    /// The device.
    public var device: DeviceKey
    /// The moment at which it was set aside.
    public var at: Timestamp

    /// Makes a record of a device.
    public init(device: DeviceKey, at: Timestamp) {
        self.device = device
        self.at = at
    }
}

extension Store {
    /// A store that forgets everything has nothing to recover.
    public mutating func note(_ mark: RecoveryMark) throws(StoreFault) {}

    /// A store that forgets everything has nothing to set aside.
    public mutating func setAside(_ device: SetAsideDevice) throws(StoreFault) {}
}

/// The turns of the devices in a recovery, each noted in the store before it begins: a device that ends the process
/// whenever it is restored must not keep all others from being restored.
///
/// See docs/decisions/0031-setting-aside.md.
struct RecoveryTurns {
    /// The note for the store.
    private(set) var mark: RecoveryMark
    /// The note of the last process, whose recovery may not have finished.
    private let former: RecoveryMark

    /// Begins a recovery after that of the last process.
    init(after former: RecoveryMark) {
        self.former = former
        mark = RecoveryMark(attempts: former.attempts + 1)
    }

    /// True if each device is noted before its turn, because the last recovery did not finish.
    var isCareful: Bool { former.attempts > 0 }

    /// Begins the turn of a device, or ends the last one with nil; changes ``mark``.
    mutating func begin(_ device: DeviceKey?) {
        mark.device = device
        mark.hits = device == nil ? 0 : device == former.device ? former.hits + 1 : 1
        assert(mark.attempts > former.attempts, "a turn belongs to the recovery that has begun")
        assert((mark.hits == 0) == (device == nil))
    }
}
