/// A question to the bridge over MQTT.
enum Question: Equatable {
    /// An explanation of a device.
    case explain(kind: String, device: String)
}
