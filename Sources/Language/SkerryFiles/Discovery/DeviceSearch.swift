import SkerryDevice
import SkerryEngine
import SkerryValues

/// A search for devices in the messages of a broker, by the `recognise:` of definitions.
///
/// Beside it, an engine with these definitions reads the messages, to tell what would be shown. The memory is bounded for
/// every broker: the numbers of devices and topics, their lengths, and the size of all of them together.
public struct DeviceSearch: Sendable {
    /// The largest payload that is read; announcements of a whole house are larger than messages of devices.
    public static let payloadLimit = 4 * 1024 * 1024
    /// The largest number of devices.
    static let deviceLimit = 5000
    /// The largest number of topics that are remembered.
    static let topicLimit = 20_000
    /// The longest topic that is read, in bytes.
    static let topicLengthLimit = 1024
    /// The largest number of other bridges.
    static let bridgeLimit = 100
    /// The bytes of all texts that are remembered, each counted where it is kept.
    public static let textLimit = 32 * 1024 * 1024

    /// A device by its definition and its name.
    struct Key: Hashable {
        /// The place of the definition among those searched for.
        var definition: Int
        /// The name.
        var device: String

        static func == (left: Key, right: Key) -> Bool {
            left.definition == right.definition && left.device.hasSameCodePoints(as: right.device)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(definition)
            hasher.combine(ExactText(device))
        }
    }

    /// The messages that told of a device.
    struct Finding {
        var certainty: Certainty
        var name: String?
        /// The topics of messages, or of parts of them, with the closeness of the entry that they fit.
        var topics: [String: Int]
        /// The first of these topics, or the first that made it surer.
        var topic: String
    }

    /// The files of the definitions.
    public let files: [CompiledFiles.File]
    let definitions: [Definition]
    /// The entries of all definitions.
    private let entries: [(definition: Int, recognition: Recognition, closeness: Int)]
    /// The entries whose filters begin with a level that can be another, by this level: a prefix that people may change.
    private let beginnings: [(text: String, entries: [Int])]
    private let own: [UInt8]
    /// The entries whose filter a topic fits.
    private var fitting: [ArraySlice<UInt8>: [Int]] = [:]
    private(set) var findings: [Key: Finding] = [:]
    /// The devices in the order in which they were found.
    private(set) var order: [Key] = []
    /// The devices whose definitions read a topic.
    private(set) var readers: [String: Set<Key>] = [:]
    private(set) var engine: Engine?
    /// The survey of all topics.
    public private(set) var survey: RecordingSurvey
    /// The definition of devices that publish such messages on topics that begin otherwise, by topic.
    private(set) var likenesses: [String: Int] = [:]
    /// The number of times that a topic was compared with those of all definitions.
    private var comparisons: [ArraySlice<UInt8>: Int] = [:]
    /// The prefixes of other bridges of this kind.
    private(set) var bridges: Set<String> = []
    /// The number of messages taken in.
    public private(set) var messages = 0
    /// The bytes of the texts that may still be remembered.
    private var textLeft: Int

    /// The number of devices found so far.
    public var deviceCount: Int { order.count }

    /// The filters for topics of the broker's own kind, which `#` does not cover, such as `$aws/things/+/shadow/update`.
    public var brokerFilters: [String] {
        let filters = entries.map { $0.recognition.filter } + definitions.flatMap { $0.sources.map(\.filter) }
        let wanted = filters.map(\.subscription).filter { $0.hasPrefix("$") && !$0.hasPrefix("$SYS/") }
        return Set(wanted).sorted()
    }

    /// Makes a search for the devices of definitions.
    ///
    /// - Parameters:
    ///   - files: The files of the definitions; those with errors are passed over.
    ///   - prefix: The beginning of the topics of one's own bridge.
    ///   - survey: The survey that the messages are added to; nil for one of all topics.
    ///   - textLimit: The bytes of all texts that are remembered.
    public init(
        _ files: [CompiledFiles.File],
        prefix: String,
        survey: RecordingSurvey? = nil,
        textLimit: Int = Self.textLimit
    ) {
        textLeft = textLimit
        let files = files.filter { $0.definition != nil }
        let definitions = files.compactMap(\.definition)
        self.files = files
        self.definitions = definitions
        let entries = definitions.enumerated().flatMap { place, definition in
            definition.recognition.map { (definition: place, recognition: $0, closeness: $0.closeness) }
        }
        self.entries = entries
        let beginnings = Dictionary(
            grouping: entries.indices.filter { entries[$0].recognition.filter.beginning != nil },
            by: { entries[$0].recognition.filter.beginning ?? "" }
        )
        self.beginnings = beginnings.sorted { $0.key < $1.key }.map { (text: $0.key, entries: $0.value) }
        own = Array("\(prefix)/".utf8)
        do throws(TopicFilter.Problem) {
            self.survey = if let survey { survey } else { try RecordingSurvey() }
        } catch {
            preconditionFailure("no filter, no problem with it")
        }
    }

    /// Takes a message in.
    public mutating func add(_ message: RecordedMessage) {
        messages += 1
        guard !message.topic.starts(with: own), message.topic.count <= Self.topicLengthLimit else { return }
        if !recognise(message) { noteLikeness(message) }
        noteBridge(message)
        survey.add(message)
        read(message)
    }

    // MARK: Recognition

    /// Notes the devices that a message tells of, and returns whether there are any.
    private mutating func recognise(_ message: RecordedMessage) -> Bool {
        var tells = false
        for index in fittingEntries(message.topic) {
            let (definition, recognition, closeness) = entries[index]
            let limits = JSONLimits(bytes: Self.payloadLimit)
            for sighting in recognition.sightings(in: message.topic, message.payload, limits: limits) {
                tells = true
                let topic = String(decoding: message.topic, as: UTF8.self)
                // An announcement of many devices is a message about each of them.
                let part = recognition.isOfMany ? "\(topic)#\(sighting.device)" : topic
                note(
                    sighting,
                    Key(definition: definition, device: sighting.device),
                    topic,
                    part: part,
                    closeness
                )
            }
        }
        return tells
    }

    /// Notes the definition that would surely recognise a message if its topic began as usual.
    private mutating func noteLikeness(_ message: RecordedMessage) {
        let compared = comparisons[message.topic, default: 0]
        guard compared > 0 ? compared < 8 : comparisons.count < Self.topicLimit,
            compared > 0 || remembers(2 * message.topic.count)
        else { return }
        comparisons[ArraySlice(Array(message.topic))] = compared + 1
        let levels = message.topic.split(separator: 0x2F, omittingEmptySubsequences: false)
        let limits = JSONLimits(bytes: Self.payloadLimit)
        for (beginning, candidates) in beginnings {
            for dropped in 1...2 where levels.count > dropped {
                let usual = [ArraySlice(beginning.utf8)] + levels.dropFirst(dropped)
                let topic = ArraySlice(usual.joined(separator: [0x2F]))
                let like = candidates.first { index in
                    guard entries[index].recognition.filter.matches(topic) else { return false }
                    return entries[index].recognition.sightings(in: topic, message.payload, limits: limits)
                        .contains { $0.certainty == .certain }
                }
                guard let like else { continue }
                likenesses[String(decoding: message.topic, as: UTF8.self)] = entries[like].definition
                return
            }
        }
    }

    private mutating func fittingEntries(_ topic: ArraySlice<UInt8>) -> [Int] {
        if let known = fitting[topic] { return known }
        let found = entries.indices.filter { entries[$0].recognition.filter.matches(topic) }
        if fitting.count >= Self.topicLimit { fitting = [:] }
        // A copy, because the slice would keep the whole batch of messages.
        fitting[ArraySlice(Array(topic))] = found
        return found
    }

    private mutating func note(
        _ sighting: Sighting,
        _ key: Key,
        _ topic: String,
        part: String,
        _ closeness: Int
    ) {
        guard var finding = findings[key] else {
            guard order.count < Self.deviceLimit,
                remembers(key.device.utf8.count + 2 * topic.utf8.count + part.utf8.count)
            else { return }
            order.append(key)
            findings[key] = Finding(
                certainty: sighting.certainty,
                name: sighting.name,
                topics: [part: closeness],
                topic: topic
            )
            return
        }
        if sighting.certainty > finding.certainty {
            finding.certainty = sighting.certainty
            finding.topic = topic
        }
        if let name = sighting.name { finding.name = name }
        if finding.topics[part] != nil || (finding.topics.count < 64 && remembers(part.utf8.count)) {
            finding.topics[part] = max(closeness, finding.topics[part] ?? 0)
        }
        findings[key] = finding
    }

    // MARK: Everything else

    /// Notes another bridge of this kind: what it publishes tells of no device.
    private mutating func noteBridge(_ message: RecordedMessage) {
        let levels = message.topic.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard levels.count > 2, levels[levels.count - 1].elementsEqual("info".utf8),
            // `bridge`, or `bridge-p3` of a partition.
            levels[levels.count - 2].starts(with: "bridge".utf8),
            case .map(let members)? = try? JSONReader.value(of: message.payload.span),
            ["owner", "client", "epoch", "definitions"].allSatisfy({ members[$0] != nil })
        else { return }
        let start = message.topic[..<levels[levels.count - 2].startIndex]
        if bridges.count < Self.bridgeLimit { bridges.insert(String(decoding: start, as: UTF8.self)) }
    }

    /// Takes note of a text that is to be remembered; false if there are too many.
    private mutating func remembers(_ size: Int) -> Bool {
        if size > textLeft { return false }
        textLeft -= size
        return true
    }

    /// Has the engine read a message, and notes the devices that it was for.
    private mutating func read(_ message: RecordedMessage) {
        if engine == nil {
            var limits = EngineLimits()
            limits.devices = Self.deviceLimit
            engine = Engine(
                definitions: definitions,
                epoch: message.at.flooredSeconds,
                limits: limits,
                foretells: false
            )
            engine?.recordReadings()
        }
        let input = Message(topic: message.topic, payload: message.payload, isRetained: message.isRetained)
        _ = engine?.handle(.message(input), at: message.at)
        for reading in engine?.readings ?? [] {
            guard let place = definitions.firstIndex(where: { $0.kind == reading.kind }) else { continue }
            let topic = String(decoding: message.topic, as: UTF8.self)
            let key = Key(definition: place, device: reading.device)
            if readers[topic]?.contains(key) ?? false { continue }
            guard readers[topic] != nil || readers.count < Self.topicLimit,
                remembers(key.device.utf8.count + (readers[topic] == nil ? topic.utf8.count : 0))
            else { continue }
            readers[topic, default: []].insert(key)
        }
    }
}

extension TopicFilter {
    /// The first level, if it is a text and another level tells what the topic is about.
    fileprivate var beginning: String? {
        guard
            levels.count > 2
                || levels.contains(where: { if case .captureOfRest = $0 { true } else { false } }),
            case .literal(let text)? = levels.first, !text.isEmpty
        else { return nil }
        return text
    }
}
