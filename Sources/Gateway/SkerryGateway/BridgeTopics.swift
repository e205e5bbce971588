import SkerryEngine

/// The topics of a bridge, by which each message is classified.
///
/// A class, because it is asked about every message: a struct would be copied out of the bridge for each question.
final class BridgeTopics: Sendable {
    /// The common beginning of the topics of this bridge, its devices and its commands, with a slash.
    private let start: [UInt8]
    /// The common beginning of the topics of the bridge itself, with a slash.
    private let bridgeStart: [UInt8]
    /// The topics under which the broker gives this partition the messages of its devices; nil if it doesn't.
    let share: PartitionShare?
    private let prefix: String
    private let partition: Partition?
    /// The topic on which Home Assistant says that it has started; nil if nothing is announced to it.
    private let homeAssistantStatus: [UInt8]?

    init(_ options: BridgeOptions, sink: MQTTSink) {
        start = Array("\(options.prefix)/".utf8)
        bridgeStart = sink.bridgeStart
        share = PartitionShare(options)
        prefix = options.prefix
        partition = options.engine.partition
        homeAssistantStatus = options.announcer(for: sink).map { Array($0.statusTopic.utf8) }
    }

    /// Returns whose business a message is, by its topic alone.
    ///
    /// - Parameters:
    ///   - topic: The topic, without what a partition's share puts before it.
    ///   - announcements: The beginnings of topics of announcements to Home Assistant that may be this bridge's own.
    /// - Returns: what the message is.
    func classify(_ topic: ArraySlice<UInt8>, announcements: [[UInt8]]) -> Incoming {
        if topic.starts(with: start) {
            if let found = classifyOwn(topic) { return found }
        } else if announcements.contains(where: { topic.starts(with: $0) }) {
            return .own(.announcement)
        }
        if let homeAssistantStatus, topic.elementsEqual(homeAssistantStatus) { return .homeAssistantStatus }
        return .device
    }

    /// Returns whose business a message with a topic below the prefix is; nil if it may be about devices.
    private func classifyOwn(_ topic: ArraySlice<UInt8>) -> Incoming? {
        assert(topic.starts(with: start))
        let levels = topic.dropFirst(start.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        func text(_ level: Int) -> String { String(decoding: levels[level], as: UTF8.self) }
        let isOfBridge = topic.starts(with: bridgeStart)
        let isElsewhere = levels.count > 2 && !isOfBridge && partition.map { !$0.owns(text(1)) } ?? false
        if !isElsewhere, let own = OwnTopic(levels, isOfBridge: isOfBridge) { return .own(own) }
        if isElsewhere, Self.deviceLevels.contains(text(2)) {
            return .elsewhere(DeviceKey(kind: text(0), name: text(1)), level: text(2))
        }
        if partition != nil, levels.count == 2, levels[0].starts(with: "bridge".utf8),
            let other = Incoming.OtherBridgeTopic(rawValue: text(1))
        {
            return .otherBridge(text(0), other)
        }
        // Questions before requests: a topic of the one may look like one of the other.
        if levels.count == 4, levels[2].elementsEqual("explain".utf8), levels[3].elementsEqual("get".utf8) {
            return .question(DeviceKey(kind: text(0), name: text(1)))
        }
        if isOfBridge {
            let rest = topic.dropFirst(bridgeStart.count)
            if rest.starts(with: BridgeRequest.topicStart) {
                return .request(
                    String(decoding: rest.dropFirst(BridgeRequest.topicStart.count), as: UTF8.self)
                )
            }
        }
        if levels.count == 3, levels[2].elementsEqual("event".utf8) {
            return .command(DeviceKey(kind: text(0), name: text(1)))
        }
        return nil
    }

    /// The levels after a device by which a topic is one of a device, whichever partition has it.
    private static let deviceLevels = Set(
        OwnTopic.DeviceTopic.allCases.map(\.rawValue) + ["event", "explain"]
    )

    /// Returns whether only devices read a topic, so that messages on it may come over HTTP, too.
    func isOfDevices(_ topic: ArraySlice<UInt8>, announcements: [[UInt8]]) -> Bool {
        !topic.starts(with: start) && !announcements.contains { topic.starts(with: $0) }
    }

    /// The filters of marks at which a partition ends; none where each partition gets other messages.
    var cutFilters: [String] { partition == nil || share != nil ? [] : [PartitionCut.topic(prefix)] }

    /// Reads a message as the mark at which this number of partitions ends; nil for another one.
    func cut(_ message: MessageBatch.Message) -> PartitionCut? {
        guard let partition, message.topic.starts(with: start),
            let found = PartitionCut(message, prefix: prefix), found.partitions == partition.count
        else { return nil }
        return found
    }
}

/// The topics under which the broker gives a partition the messages of its own devices: `p/3/zigbee2mqtt/plug` for
/// `zigbee2mqtt/plug`, where another client published it.
struct PartitionShare {
    /// The beginning of those of all partitions.
    let start: [UInt8]
    /// The beginning of those of this one.
    let own: String

    /// Makes it; nil if the broker shares nothing out.
    init?(_ options: BridgeOptions) {
        guard let prefix = options.partitionPrefix, let partition = options.engine.partition else {
            return nil
        }
        start = Array("\(prefix)/".utf8)
        own = "\(prefix)/\(partition.number)/"
    }

    /// The same filters under the topics of this partition.
    func filters(of filters: [String]) -> [String] {
        filters.filter { !$0.utf8.starts(with: "$".utf8) }.map { own + $0 }
    }
}

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
