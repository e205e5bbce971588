import SkerryEngine
import SkerryValues

// A bridge of one partition: what concerns devices of others is not its business, except for the activities that its
// definitions read. See docs/decisions/0055-partitions.md.

extension Bridge {
    /// A topic of a device that another partition has.
    struct TopicElsewhere {
        var kind: String
        var device: String
        /// The level after the device.
        var name: String
    }

    private static var deviceTopics: Set<String> {
        Set(OwnTopic.DeviceTopic.allCases.map(\.rawValue) + ["event", "explain"])
    }

    /// Reads a topic as one of a device that another partition has; nil if it is none.
    func topicElsewhere(_ topic: ArraySlice<UInt8>) -> TopicElsewhere? {
        guard let partition = options.engine.partition, !topic.starts(with: sink.bridgeStart) else {
            return nil
        }
        let levels = topic.dropFirst(commandStart.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard levels.count > 2, Self.deviceTopics.contains(levels[2]), !partition.owns(levels[1]) else {
            return nil
        }
        return TopicElsewhere(kind: levels[0], device: levels[1], name: levels[2])
    }

    /// Gives the activity of a device of another partition to the definitions that read it, as the engine gives them those
    /// of its own devices.
    func relay(_ message: MessageBatch.Message, on topic: TopicElsewhere, at now: Timestamp) {
        if message.isRetained { readBack.heard(at: now) }
        let isRead = engine.kindsRead.contains { $0.hasSameCodePoints(as: topic.kind) }
        guard topic.name == OwnTopic.DeviceTopic.activity.rawValue, isRead, !message.payload.isEmpty else {
            return
        }
        let input = Engine.activityMessage(
            message.payload,
            ofKind: topic.kind,
            topic.device,
            isRetained: message.isRetained
        )
        tell(engine.handle(.message(input), at: now), of: message.topic)
    }

    /// The filters of the activities that definitions read, which may be those of devices of other partitions.
    var activityFilters: [String] {
        if options.engine.partition == nil { return [] }
        return engine.kindsRead.map { "\(sink.prefix)/\($0)/+/\(OwnTopic.DeviceTopic.activity.rawValue)" }
    }
}

// MARK: What the broker shares out

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

extension Bridge {
    /// Takes a message, on the topic on which it was published.
    func takeShared(_ message: MessageBatch.Message, at now: Timestamp) {
        guard let ownShare, message.topic.starts(with: ownShare.start) else { return take(message, at: now) }
        // A definition's filter may begin with a wildcard, and match what is for another partition.
        guard message.topic.starts(with: ownShare.own.utf8) else { return }
        var message = message
        message.topic = message.topic.dropFirst(ownShare.own.utf8.count)
        let former = engine.counters.elsewhere
        take(message, at: now)
        if engine.counters.elsewhere > former {
            let topic = String(decoding: message.topic.prefix(Self.notedTopicLimit), as: UTF8.self)
            note(
                .partitionWrong,
                "\(topic): the broker gave this partition a message that belongs to another, so it is lost: "
                    + "let the broker's mapping be that of skerry cluster --nats",
                kind: "messages given to the wrong partition",
                at: now
            )
        }
    }
}

// MARK: Other bridges

extension Bridge {
    /// The filters of what bridges with this prefix retain about themselves, whatever devices they have.
    var otherFilters: [String] {
        options.engine.partition == nil ? [] : ["\(sink.prefix)/+/state", "\(sink.prefix)/+/info"]
    }

    /// Takes note of what another bridge with this prefix retains about itself.
    ///
    /// - Returns: false for another message.
    func hearOtherBridge(_ message: MessageBatch.Message) -> Bool {
        guard options.engine.partition != nil, readBack.stage == .meeting, message.isRetained else {
            return false
        }
        let levels = message.topic.dropFirst(commandStart.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard levels.count == 2, levels[0].starts(with: "bridge".utf8) else { return false }
        let bridge = String(decoding: levels[0], as: UTF8.self)
        if levels[1].elementsEqual("state".utf8) {
            readBack.others[bridge, default: OtherBridge()].isOnline = message.payload.elementsEqual(
                "online".utf8
            )
        } else if levels[1].elementsEqual("info".utf8) {
            readBack.others[bridge, default: OtherBridge()].partitions =
                BridgeSignature(message.payload)?.partitions
        } else {
            return false
        }
        return true
    }

    /// The topics of a bridge that is online and has devices that this one has, too; nil if there is none.
    var bridgeWithSameDevices: String? {
        guard let partition = options.engine.partition else { return nil }
        let others = readBack.others.filter {
            $0.value.isOnline && $0.value.partitions != Int64(partition.count)
        }
        return others.keys.min().map { "\(sink.prefix)/\($0)" }
    }
}
