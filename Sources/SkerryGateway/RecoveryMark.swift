public import SkerryValues

/// How far the recovery of devices has come, kept apart from the commits: it tells the next process of one that ended in the
/// middle.
///
/// See docs/decisions/0031-setting-aside.md.
public struct RecoveryMark: Hashable, Sendable {
    /// Recoveries that have begun since one came to its end.
    public var attempts: Int
    /// The device that is being brought back; nil between devices, and as long as nobody looks so closely.
    public var device: DeviceKey?
    /// How many recoveries in a row have come to this device and, as far as is known, not beyond it.
    public var hits: Int

    /// Makes a mark; without arguments that of a recovery that has come to its end.
    public init(attempts: Int = 0, device: DeviceKey? = nil, hits: Int = 0) {
        self.attempts = attempts
        self.device = device
        self.hits = hits
    }

    /// A kill from outside hits one device by chance; one that ends the process is hit each time.
    static let proof = 3

    /// The device that has ended so many processes in a row that it is no chance.
    var culprit: DeviceKey? { hits >= Self.proof ? device : nil }
}

/// What names a device among all devices; equal byte for byte.
public struct DeviceKey: Hashable, Sendable, CustomStringConvertible {
    /// The kind of its definition.
    public var kind: String
    /// Its name.
    public var name: String

    /// Makes a name of its parts.
    public init(kind: String, name: String) {
        self.kind = kind
        self.name = name
    }

    /// Both, as in topics.
    public var description: String { "\(kind)/\(name)" }

    /// Whether both parts are the same, byte for byte.
    public static func == (left: DeviceKey, right: DeviceKey) -> Bool {
        ExactText(left.kind) == ExactText(right.kind) && ExactText(left.name) == ExactText(right.name)
    }

    /// Hashes the bytes of both parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(kind))
        hasher.combine(ExactText(name))
    }
}

/// A device that ended the process when it was to be brought back, and stays where it hurts nobody.
public struct SetAsideDevice: Hashable, Sendable {
    /// Which one.
    public var device: DeviceKey
    /// When it was set aside.
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
