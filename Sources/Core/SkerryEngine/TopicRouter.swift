import SkerryDevice
import SkerryValues

/// A cache from topics to the devices and sources that their messages belong to.
///
/// The first message of a topic searches the tree of filters; later ones find their routes by a hash of the topic.
struct TopicRouter: Sendable {
    /// The device and source that messages of a topic belong to, or a source that asks each message for its devices.
    struct Route: Sendable {
        /// The bit that marks the number of a definition in place of that of a device.
        private static let askingBit = UInt32(1) << 31

        /// The device; see ``definition`` for a route without one.
        var device: UInt32
        var source: UInt16
        /// The generation of the device's slot; a replaced device has an earlier one, which makes the route invalid.
        var generation: UInt16
        /// The captured levels, if an expression of the source reads them; otherwise empty.
        var captures: [Value]
        /// The devices among which a message that is asked chooses; nil if the topic does not tell them.
        var candidates: [AddressedDevice]?

        init(device: UInt32, source: UInt16, generation: UInt16, captures: [Value]) {
            self.device = device
            self.source = source
            self.generation = generation
            self.captures = captures
        }

        /// A route to a source that asks each message for its devices.
        init(asking source: TopicTrie.SourceID, among candidates: [AddressedDevice]?, captures: [Value]) {
            let device = Self.askingBit | UInt32(source.definition)
            self.init(device: device, source: source.source, generation: 0, captures: captures)
            self.candidates = candidates
        }

        /// True if each message is asked for its devices.
        var asksMessage: Bool { device & Self.askingBit != 0 }

        /// The definition of a source that asks each message.
        var definition: Int { Int(device & ~Self.askingBit) }
    }

    /// A source that matches a topic, with the device and the captures in the topic.
    struct Match {
        var source: TopicTrie.SourceID
        /// True if each message is asked for its devices.
        var asksMessage: Bool
        /// The devices of the messages, or those among which a message that is asked chooses; nil if the topic does not
        /// tell them.
        var candidates: [AddressedDevice]?
        var captures: [Value]
    }

    private struct Topic: Sendable {
        /// The lower 32 bits of the hash.
        var hash: UInt32
        var start: UInt32
        var length: UInt16
        var routeCount: UInt16
        /// The largest number if all its devices belong to other partitions.
        var firstRoute: UInt32
    }

    private let definitions: [Definition]
    private let capacity: Int
    private let byteHash: ByteHash
    private var trie = TopicTrie()
    private var topics: [Topic] = []
    private var topicBytes: [UInt8] = []
    private var topicIndex = HashIndex()
    /// The number of topics that belong to other partitions.
    private var countElsewhere = 0
    private var routes: [Route] = []

    init(definitions: [Definition], capacity: Int, _ byteHash: ByteHash) {
        self.definitions = definitions
        self.capacity = capacity
        self.byteHash = byteHash
        for (number, definition) in definitions.enumerated() {
            for (source, description) in definition.sources.enumerated() {
                let id = TopicTrie.SourceID(definition: UInt16(number), source: UInt16(source))
                trie.insert(description.filter, for: id)
            }
        }
    }

    /// The number of a cached topic; nil if it is not in the cache.
    func find(_ topic: ArraySlice<UInt8>) -> Int? {
        topic.withUnsafeBytes { bytes in
            let hash = byteHash.hash(bytes)
            return topicBytes.withUnsafeBytes { known in
                topicIndex.find(hash) { number in
                    let topic = topics[number]
                    return topic.hash == UInt32(truncatingIfNeeded: hash) && Int(topic.length) == bytes.count
                        && ByteHash.areEqual(bytes, known, at: Int(topic.start))
                }
            }
        }
    }

    /// The positions of a cached topic's routes.
    func routes(of topic: Int) -> Range<Int> {
        let first = Int(topics[topic].firstRoute)
        return first..<first + Int(topics[topic].routeCount)
    }

    func route(at position: Int) -> Route { routes[position] }

    /// True if all devices of a cached topic belong to other partitions.
    func isElsewhere(_ topic: Int) -> Bool { topics[topic].firstRoute == .max }

    /// Adds a topic whose devices all belong to other partitions, while at most half of the cache has such.
    mutating func rememberElsewhere(_ topic: ArraySlice<UInt8>) {
        // A fleet may have any number, and must not drive out those of this partition.
        if countElsewhere >= capacity / 2 { return }
        remember(topic, [])
        topics[topics.count - 1].firstRoute = .max
        countElsewhere += 1
        assert(countElsewhere <= topics.count, "the topics of other partitions are miscounted")
    }

    /// The sources that match a topic, found by searching the tree; one of them if the topic says that its messages belong
    /// to no device of any.
    func matches(_ topic: ArraySlice<UInt8>) -> [Match] {
        var matches: [Match] = []
        var isForNone: Match?
        for id in trie.sources(matching: topic) {
            let definition = definitions[Int(id.definition)]
            let source = definition.sources[Int(id.source)]
            // The tree takes a capture in a part of a level for a whole one.
            guard source.filter.matches(topic) else { continue }
            let match = Match(
                source: id,
                asksMessage: source.asksMessage,
                candidates: definition.candidates(of: topic, source: Int(id.source)),
                captures: source.readsCaptures
                    ? source.filter.capturedTexts(in: topic).map { .string($0) } : []
            )
            // One such source is enough to remember that the topic has a filter and yet no device: `ignored`, not
            // `unrouted`.
            if match.candidates?.isEmpty ?? false { isForNone = match } else { matches.append(match) }
        }
        return matches.isEmpty ? [isForNone].compactMap { $0 } : matches
    }

    /// Adds a topic to the cache with its routes.
    ///
    /// When the cache is full it is emptied, and filled again with the messages that come.
    mutating func remember(_ topic: ArraySlice<UInt8>, _ found: [Route]) {
        assert(find(topic) == nil, "a topic is in the cache twice")
        // Anyone can send long topics: more than 128 bytes for each on average count as more topics.
        if topics.count >= capacity || topicBytes.count > capacity * 128 { forgetTopics() }
        topics.append(
            Topic(
                // Half of the hash is enough to place it again when the table grows, which is far smaller than 2^32.
                hash: UInt32(truncatingIfNeeded: byteHash.hash(topic)),
                start: UInt32(topicBytes.count),
                // MQTT has no topic of more than 65,535 bytes.
                length: UInt16(truncatingIfNeeded: topic.count),
                routeCount: UInt16(found.count),
                firstRoute: UInt32(routes.count)
            )
        )
        topicBytes += topic
        routes += found
        topicIndex.insert(topics.count - 1) { UInt64(topics[$0].hash) }
        assert(topicIndex.count == topics.count, "a topic of the cache is not found")
        assert(topics.count <= max(capacity, 1), "there are more topics than the cache has room for")
    }

    /// Replaces the routes of a cached topic.
    mutating func replace(_ topic: Int, _ found: [Route]) {
        // Routes that were replaced stay behind in the array until the cache is emptied.
        if routes.count > capacity * 4 {
            forgetTopics()
            return
        }
        assert(topic < topics.count, "the cache was emptied while routes were looked for")
        assert(!isElsewhere(topic), "a topic of another partition gets routes")
        topics[topic].firstRoute = UInt32(routes.count)
        topics[topic].routeCount = UInt16(found.count)
        routes += found
    }

    /// Empties the cache.
    mutating func forgetTopics() {
        topics = []
        topicBytes = []
        routes = []
        countElsewhere = 0
        topicIndex.removeAll()
    }
}
