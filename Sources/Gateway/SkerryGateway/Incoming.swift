/// A message of the broker, by its topic: each message is exactly one of these.
enum Incoming: Equatable {
    /// A topic on which only the bridge of the prefix should write.
    case own(OwnTopic)
    /// The state or the description of another bridge with the same prefix; only for a bridge of a partition.
    case otherBridge(String, OtherBridgeTopic)
    /// A device that another partition has.
    case elsewhere(DeviceKey, level: String)
    /// A question about a device, whose explanation is the answer.
    case question(DeviceKey)
    /// A request to the bridge, by its name, of which there may be none.
    case request(String)
    /// An event for a device.
    case command(DeviceKey)
    /// Home Assistant comes or goes; devices may read it, too.
    case homeAssistantStatus
    /// Anything else, which may be about devices.
    case device

    /// The last level of a topic of another bridge.
    enum OtherBridgeTopic: String {
        case state, info
    }
}
