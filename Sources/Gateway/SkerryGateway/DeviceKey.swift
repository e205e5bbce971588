import SkerryValues

/// The identity of a device among all devices; compared byte by byte.
public struct DeviceKey: Hashable, Sendable, CustomStringConvertible {
    /// The kind of its definition.
    package var kind: String
    package var name: String

    /// Makes a name of its parts.
    package init(kind: String, name: String) {
        self.kind = kind
        self.name = name
    }

    /// Both, as in topics.
    public var description: String { "\(kind)/\(name)" }

    /// Returns whether both parts are the same, byte for byte.
    public static func == (left: DeviceKey, right: DeviceKey) -> Bool {
        ExactText(left.kind) == ExactText(right.kind) && ExactText(left.name) == ExactText(right.name)
    }

    /// Hashes the bytes of both parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(kind))
        hasher.combine(ExactText(name))
    }
}
