/// A topic on which only the bridge of the prefix should write.
enum OwnTopic: Equatable {
    /// The state of the bridge.
    case state
    /// The description of the bridge.
    case info
    /// The health of the bridge.
    case health
    /// The echo that ends a step of the read-back.
    case echo
    /// An announcement of a device to Home Assistant.
    case announcement
    /// A retained message of a device.
    case device(DeviceTopic)

    /// The last level of a topic of a device.
    enum DeviceTopic: String, CaseIterable {
        case activity, availability, timeline
    }

    /// Reads the levels of a topic below the prefix; nil when it is none of these.
    ///
    /// - Parameters:
    ///   - levels: The levels after the prefix.
    ///   - isOfBridge: Whether the first of them is that of the bridge itself.
    init?(_ levels: [ArraySlice<UInt8>], isOfBridge: Bool) {
        switch levels.count {
        case 2 where isOfBridge:
            switch String(decoding: levels[1], as: UTF8.self) {
            case "state": self = .state
            case "info": self = .info
            case "health": self = .health
            case "echo": self = .echo
            default: return nil
            }
        case 3:
            let last = String(decoding: levels[2], as: UTF8.self)
            guard let topic = DeviceTopic(rawValue: last) else { return nil }
            self = .device(topic)
        default: return nil
        }
    }
}
