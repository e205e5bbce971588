import SkerryActivity
import SkerryDevice
import SkerryEngine
package import SkerryValues

/// A search for devices in the messages of a broker, by the `recognise:` of definitions.
///
/// Beside it, an engine with these definitions reads the messages, to tell what would be shown. The memory is bounded for
/// every broker: the numbers of devices and topics, their lengths, and the size of all of them together.
package struct DeviceSearch: Sendable {
    /// The largest payload that is read; announcements of a whole house are larger than messages of devices.
    package static let payloadLimit = 4 * 1024 * 1024
    /// The largest number of devices.
    static let deviceLimit = 5000
    /// The largest number of topics that are remembered.
    static let topicLimit = 20_000
    /// The longest topic that is read, in bytes.
    static let topicLengthLimit = 1024
    /// The largest number of other bridges.
    static let bridgeLimit = 100
    /// The bytes of all texts that are remembered, each counted where it is kept.
    package static let textLimit = 32 * 1024 * 1024

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
    package let files: [CompiledFiles.File]
    let definitions: [Definition]
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
    package private(set) var survey: RecordingSurvey
    /// The definition of devices that publish such messages on topics that begin otherwise, by topic.
    private(set) var likenesses: [String: Int] = [:]
    /// The number of times that a topic was compared with those of all definitions.
    private var comparisons: [ArraySlice<UInt8>: Int] = [:]
    /// The prefixes of other bridges of this kind.
    private(set) var bridges: Set<String> = []
    /// The number of messages taken in.
    package private(set) var messages = 0
    /// The bytes of the texts that may still be remembered.
    private var textLeft: Int

    /// The number of devices found so far.
    package var deviceCount: Int { order.count }

    /// The filters for topics of the broker's own kind, which `#` does not cover, such as `$aws/things/+/shadow/update`.
    package var brokerFilters: [String] {
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
    package init(
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

    package mutating func add(_ message: RecordedMessage) {
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

extension DeviceSearch {
    /// The largest number of families of unknown topics.
    private static let familyLimit = 20

    /// The devices found so far: certain ones first, otherwise in the order in which they were found.
    ///
    /// Of two kinds that the same messages fit, the one that is surer is told, then the one whose entry looks closer.
    ///
    /// - Parameter now: The moment at which they are looked at.
    /// - Returns: the devices.
    package func devices(at now: Timestamp) -> [FoundDevice] {
        var others: [Key: [String]] = [:]
        let told = placesByTopic
        let kept = order.filter { key in
            guard !isOfBridge(key), let finding = findings[key] else { return false }
            let rivals = Set(finding.topics.keys.flatMap { told[$0] ?? [] })
            guard let better = rivals.filter({ isBetter(order[$0], than: key) }).min() else { return true }
            others[order[better], default: []].append(definitions[key.definition].kind)
            return false
        }
        var heard: [Key: [String]] = [:]
        for (topic, keys) in readers {
            for key in keys { heard[key, default: []].append(topic) }
        }
        let all = kept.compactMap { key in found(key, at: now, others[key] ?? [], on: heard[key] ?? []) }
        return all.filter { $0.certainty == .certain } + all.filter { $0.certainty == .likely }
    }

    /// The topics of devices that no definition recognises, those with most messages first.
    ///
    /// - Parameter kinds: Kinds in use, whatever they recognise: what their definitions read is not told.
    /// - Returns: the topics.
    package func unknownTopics(besides kinds: Set<String> = []) -> [UnknownTopics] {
        let known = Set(devices(at: .distantPast).map { Key($0, definitions) })
        let surroundings = Surroundings(of: known, in: self)
        var rest = survey.topics.filter { topic in
            let name = topic.name
            let isKnown =
                readers[name]?.contains {
                    known.contains($0) || kinds.contains(definitions[$0.definition].kind)
                }
                ?? false
            return !isKnown && !surroundings.has(topic) && !isOfBridge(name)
        }
        // What many devices publish beside each other says nothing about them together.
        rest.removeAll { $0.elementKey == nil && $0.lists > 0 && $0.lists == $0.messages - $0.empty }
        var families: [UnknownTopics] = []
        for tree in TopicTrees(rest).trees {
            var rest = tree
            while families.count < Self.familyLimit, let family = TopicFamily(rest, at: nil) {
                let members = Set(family.patterns.flatMap(\.topics))
                if members.isEmpty { break }
                families += family.kinds(rest).map { unknown($0, rest) }
                rest = rest.indices.filter { !members.contains($0) }.map { rest[$0] }
            }
        }
        return families.prefix(Self.familyLimit).enumerated()
            .sorted { ($1.element.messages, $0.offset) < ($0.element.messages, $1.offset) }
            .map(\.element)
    }

    private func unknown(_ kind: TopicFamily.Kind, _ topics: [RecordingSurvey.Topic]) -> UnknownTopics {
        UnknownTopics(
            filter: kind.filter,
            devices: kind.devices,
            messages: kind.topics.reduce(0) { $0 + topics[$1].messages },
            hasWatts: kind.topics.contains { topics[$0].hasWatts },
            like: kind.topics.lazy.compactMap { likenesses[topics[$0].name] }.first.map {
                definitions[$0].kind
            },
            named: kind.topics.lazy.flatMap { topics[$0].levels }.compactMap { kindOfPlug(named: $0) }.first
        )
    }

    /// The kind of device whose definition would recognise a plug of this name.
    private func kindOfPlug(named name: String) -> String? {
        if name.isProperty { return nil }
        let topic = Array("zigbee2mqtt/\(name)".utf8)
        let payload = Array(#"{"power":1,"state":"ON"}"#.utf8)
        let found = definitions.first { definition in
            definition.kind.hasSuffix("-plug")
                && definition.recognition.contains { recognition in
                    recognition.filter.matches(topic[...])
                        && !recognition.sightings(in: topic[...], payload[...], limits: JSONLimits()).isEmpty
                }
        }
        return found?.kind
    }

    /// The devices that are surely of definitions, and the survey of all other topics.
    ///
    /// - Returns: The devices to which the surveyed topics belong, and what is left without them.
    package func unknown(at now: Timestamp) -> (known: [FoundDevice], rest: RecordingSurvey) {
        let devices = devices(at: now).filter { $0.certainty == .certain }
        var known: [FoundDevice] = []
        var topics: Set<String> = []
        for device in devices {
            let key = Key(device, definitions)
            let own = survey.topics.map(\.name).filter { name in
                readers[name]?.contains(key) == true || findings[key]?.topics[name] != nil
            }
            if own.isEmpty { continue }
            known.append(device)
            topics.formUnion(own)
        }
        return (known, survey.without { topics.contains($0.name) })
    }

    // MARK: Devices

    private func found(
        _ key: Key,
        at now: Timestamp,
        _ alternatives: [String],
        on topics: [String]
    ) -> FoundDevice? {
        guard let finding = findings[key] else { return nil }
        let definition = definitions[key.definition]
        var found = FoundDevice(
            definition: definition,
            file: files[key.definition].source,
            device: key.device,
            name: finding.name,
            certainty: finding.certainty,
            topic: finding.topic,
            unset: definition.signalNames,
            alternatives: alternatives
        )
        guard var engine, let (device, _) = engine.device(kind: definition.kind, named: key.device) else {
            found.awaited = awaited(by: definition, key.device)
            return found
        }
        let state = device.stateName(in: definition)
        found.shown = FoundDevice.Shown(
            state: state,
            title: engine.title(ofStates: state, kind: definition.kind, device: key.device, at: now),
            content: device.activity?.content
        )
        found.unread = engine.unread(kind: definition.kind, device: key.device).compactMap { unread in
            // Signals without a value are in `unset`.
            if case .signal = unread.part { nil } else { unread.text }
        }
        found.unset = definition.missingSignals(of: device, on: topics)
        return found
    }

    /// The topics that would make a device known, of those that begin like others with its name.
    private func awaited(by definition: Definition, _ device: String) -> [String] {
        let beginnings = Set(survey.topics.filter { $0.levels.contains(device) }.compactMap(\.levels.first))
        var topics: [String] = []
        for source in definition.sources where source.reach == .new && source.filter.captures.count == 1 {
            let levels = source.filter.levels.compactMap { level -> String? in
                switch level {
                case .literal(let text): text
                case .capture: device
                case .any, .partialCapture, .captureOfRest, .rest: nil
                }
            }
            let topic = levels.joined(separator: "/")
            guard levels.count == source.filter.levels.count, beginnings.contains(levels[0]),
                !topics.contains(topic)
            else { continue }
            topics.append(topic)
        }
        return topics
    }

    /// The places in ``order`` of the devices of which messages of a topic told.
    private var placesByTopic: [String: [Int]] {
        var places: [String: [Int]] = [:]
        for (place, key) in order.enumerated() {
            guard let finding = findings[key] else { continue }
            for topic in finding.topics.keys { places[topic, default: []].append(place) }
        }
        return places
    }

    /// Returns whether other bridges of this kind published all that tells of a device.
    private func isOfBridge(_ key: Key) -> Bool {
        findings[key]?.topics.keys.allSatisfy { isOfBridge($0) } ?? false
    }

    private func isOfBridge(_ topic: String) -> Bool {
        bridges.contains { topic.utf8.starts(with: $0.utf8) }
    }

    /// Returns whether the same message tells of another kind of device, and rather of that one.
    private func isBetter(_ other: Key, than key: Key) -> Bool {
        guard other.definition != key.definition, let theirs = findings[other], let mine = findings[key]
        else { return false }
        let shared = mine.topics.keys.filter { theirs.topics[$0] != nil }
        guard !shared.isEmpty else { return false }
        if theirs.certainty != mine.certainty { return theirs.certainty > mine.certainty }
        return shared.contains { theirs.topics[$0] ?? 0 > mine.topics[$0] ?? 0 }
    }
}

/// The topics that are published beside the messages of known devices, and say nothing of others.
private struct Surroundings {
    private let devices: Set<String>
    private let roots: Set<String>
    /// The devices whose names come second, as in `tele/lamp/STATE`: then `cmnd/lamp/POWER` is theirs, too.
    private let halves: Set<String>
    private let evidence: Set<String>
    /// The beginnings of announcements, as `tasmota/discovery/A1B2C3` of `tasmota/discovery/A1B2C3/config`.
    private let announced: Set<[String]>

    init(of known: Set<DeviceSearch.Key>, in search: DeviceSearch) {
        devices = Set(known.map(\.device))
        let read = search.readers.filter { !$0.value.isDisjoint(with: known) }
            .keys.map { $0.split(separator: "/", omittingEmptySubsequences: false).map(String.init) }
        roots = Set(read.map { $0[0] })
        halves = Set(read.filter { $0.count > 2 }.map { $0[1] }).intersection(devices)
        let topics = known.flatMap { search.findings[$0]?.topics.keys.map { $0 } ?? [] }
        // A part of an announcement has the name of its device behind `#`, which no topic has.
        let parts = topics.map { $0.split(separator: "#", omittingEmptySubsequences: false) }
        evidence = Set(parts.map { String($0[0]) })
        announced = Set(
            parts.filter { $0.count > 1 }
                .map {
                    $0[0].split(separator: "/", omittingEmptySubsequences: false).dropLast().map(String.init)
                }
                .filter { $0.count > 1 }
        )
    }

    func has(_ topic: RecordingSurvey.Topic) -> Bool {
        let levels = topic.levels
        if evidence.contains(topic.name) || announced.contains(Array(levels.dropLast())) { return true }
        if levels.count > 2, halves.contains(levels[1]) { return true }
        // What publishes known devices tells about itself, too: `homeconnect/LWT`.
        return roots.contains(levels[0])
            && (levels.count == 2 && levels[1].isProperty || !devices.isDisjoint(with: levels))
    }
}

extension DeviceSearch.Key {
    fileprivate init(_ found: FoundDevice, _ definitions: [Definition]) {
        self.init(
            definition: definitions.firstIndex { $0 === found.definition } ?? 0,
            device: found.device
        )
    }
}

extension RecordingSurvey.Topic {
    /// True if a number in its messages looks like the watts of a plug.
    fileprivate var hasWatts: Bool {
        let names: Set = ["power", "apower", "watt", "watts"]
        if numbers > 0, let last = levels.last { return names.contains(last.lowercased()) }
        return fields.contains { field in
            field.survey.isNumber && field.path.last.map { names.contains($0.lowercased()) } ?? false
        }
    }
}
