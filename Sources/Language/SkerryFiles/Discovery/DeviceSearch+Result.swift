import SkerryActivity
import SkerryDevice
import SkerryEngine
public import SkerryValues

extension DeviceSearch {
    /// The largest number of families of unknown topics.
    private static let familyLimit = 20

    /// The devices found so far: certain ones first, otherwise in the order in which they were found.
    ///
    /// Of two kinds that the same messages fit, the one that is surer is told, then the one whose entry looks closer.
    ///
    /// - Parameter now: The moment at which they are looked at.
    /// - Returns: the devices.
    public func devices(at now: Timestamp) -> [FoundDevice] {
        var others: [Key: [String]] = [:]
        let told = placesByTopic
        let kept = order.filter { key in
            guard !isOfBridge(key), let finding = findings[key] else { return false }
            let rivals = Set(finding.topics.keys.flatMap { told[$0] ?? [] })
            guard let better = rivals.filter({ isBetter(order[$0], than: key) }).min() else { return true }
            others[order[better], default: []].append(definitions[key.definition].kind)
            return false
        }
        let all = kept.compactMap { key in found(key, at: now, others[key] ?? []) }
        return all.filter { $0.certainty == .certain } + all.filter { $0.certainty == .likely }
    }

    /// The topics of devices that no definition recognises, those with most messages first.
    ///
    /// - Parameter kinds: Kinds in use, whatever they recognise: what their definitions read is not told.
    /// - Returns: the topics.
    public func unknownTopics(besides kinds: Set<String> = []) -> [UnknownTopics] {
        let known = Set(devices(at: .distantPast).map { Key($0, definitions) })
        let roots = Set(
            readers.filter { !$0.value.isDisjoint(with: known) }.keys.compactMap {
                $0.split(separator: "/").first
            }
        )
        let evidence = Set(known.flatMap { findings[$0]?.topics.keys.map { $0 } ?? [] })
        var rest = survey.topics.filter { topic in
            let name = topic.name
            let isKnown =
                evidence.contains(name)
                || readers[name]?.contains {
                    known.contains($0) || kinds.contains(definitions[$0.definition].kind)
                }
                    ?? false
            // What publishes known devices tells about itself, too: `homeconnect/LWT`.
            let isOfKnown =
                roots.contains(topic.levels[0][...])
                && (topic.levels.count == 2 && topic.levels[1].isProperty
                    || known.contains { topic.levels.contains($0.device) })
            return !isKnown && !isOfKnown && !isOfBridge(name)
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
    public func unknown(at now: Timestamp) -> (known: [FoundDevice], rest: RecordingSurvey) {
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

    private func found(_ key: Key, at now: Timestamp, _ alternatives: [String]) -> FoundDevice? {
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
        found.unset = definition.signalNames.filter { name in
            if case .error = device.signal(name, in: definition) { true } else { false }
        }
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

extension DeviceSearch.Key {
    /// The key of a device that was found.
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
