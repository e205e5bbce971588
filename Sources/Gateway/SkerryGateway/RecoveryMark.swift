public import SkerryValues

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
