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

    /// Reads a topic; nil when it is none of these.
    ///
    /// - Parameters:
    ///   - topic: The topic of a message.
    ///   - start: The common beginning of the topics: the prefix and a slash.
    ///   - bridge: The common beginning of the topics of the bridge itself.
    ///   - announcements: The beginnings of topics of announcements to Home Assistant.
    init?(_ topic: ArraySlice<UInt8>, start: [UInt8], bridge: [UInt8], announcements: [[UInt8]] = []) {
        guard topic.starts(with: start) else {
            guard announcements.contains(where: { topic.starts(with: $0) }) else { return nil }
            self = .announcement
            return
        }
        let levels = topic.dropFirst(start.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        switch levels.count {
        case 2 where topic.starts(with: bridge):
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
