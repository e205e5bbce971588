public import SkerryDevice

/// The meaning of a message for one of its devices.
public struct DeviceReading: Sendable {
    /// The kind of the device.
    public var kind: String
    /// The name of the device.
    public var device: String
    /// The meaning.
    public var reading: MessageReading
}
