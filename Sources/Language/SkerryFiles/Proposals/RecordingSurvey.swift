package import SkerryDevice
import SkerryExpressions
import SkerryValues

/// A survey of the messages of a recording: topics, formats of payloads, fields with their values.
///
/// Its memory is bounded for every recording; messages beyond the limits are counted and ignored.
package struct RecordingSurvey: Sendable {
    /// The largest number of topics.
    static let topicLimit = 2000
    /// The largest number of fields, of all topics together.
    static let fieldLimit = 20_000
    /// The depth to which payloads are read.
    static let depthLimit = 6

    struct Topic {
        var levels: [String]
        /// The number of messages.
        var messages = 0
        /// The number of payloads that were JSON objects.
        var objects = 0
        /// The number of payloads that were numbers.
        var numbers = 0
        /// The number of payloads that were lists.
        var lists = 0
        /// The number of empty payloads.
        var empty = 0
        /// The key of the elements of a list at the root by which their last level here tells them apart; nil for other topics.
        var elementKey: String?
        /// The payload as a whole, where it is no object.
        var whole = FieldSurvey()
        /// The fields by their paths, in the order of their first time.
        var fields: [(path: [String], survey: FieldSurvey)] = []
        fileprivate var fieldIndices: [[String]: Int] = [:]
    }

    /// The topics, in the order of their first time.
    private(set) var topics: [Topic] = []
    /// The number of messages surveyed.
    package private(set) var messages = 0
    /// The number of messages with topics that no definition can use, or beyond the limits.
    package private(set) var passedOver = 0
    /// The time of the first message.
    private(set) var start: Timestamp?
    /// The time of the last message.
    private(set) var end: Timestamp?
    private var topicIndices: [String: Int] = [:]
    private var fieldCount = 0
    private var filter: TopicFilter?

    /// Makes a survey of the topics that a filter matches; of all when it is nil.
    ///
    /// - Throws: the problem of the filter.
    package init(filter: String? = nil) throws(TopicFilter.Problem) {
        if let filter { self.filter = try TopicFilter(filter) } else { self.filter = nil }
    }

    /// The silence that a device with its usual pace never has: ten minutes to a day, in tens of minutes.
    var silence: Interval {
        guard let start, let end, let most = topics.map(\.messages).max(), most > 1 else {
            return .minutes(10)
        }
        let pauses = (end - start).microseconds / Int64(most - 1) * 3
        let step = Interval.minutes(10).microseconds
        return min(Interval(microseconds: max(1, (pauses - 1) / step + 1) * step), .hours(24))
    }

    /// The level `{device}` of the filter; nil if it has none.
    var deviceLevel: Int? { filter?.levels.firstIndex(of: .capture("device")) }

    /// Takes all messages of a recording in.
    package mutating func add(_ reader: RecordingReader) throws(FileError) {
        var messages = RecordedMessages()
        while try reader.read(into: &messages) {
            for message in messages { add(message) }
        }
    }

    package mutating func add(_ message: RecordedMessage) {
        guard let index = topicIndex(message.topic) else { return }
        messages += 1
        start = min(start ?? message.at, message.at)
        end = max(end ?? message.at, message.at)
        topics[index].messages += 1
        guard !message.payload.isEmpty else {
            topics[index].empty += 1
            return
        }
        guard let value = try? JSONReader.value(of: message.payload.span) else {
            let text = String(decoding: message.payload.prefix(256), as: UTF8.self)
            topics[index].whole.add(.string(text), at: message.at)
            return
        }
        switch value {
        case .map(let map):
            topics[index].objects += 1
            add(map, under: [], to: index, at: message.at)
        case .int, .uint, .double:
            topics[index].numbers += 1
            topics[index].whole.add(value, at: message.at)
        case .list(let elements):
            topics[index].lists += 1
            add(elements, of: index, at: message.at)
        default:
            let text = String(decoding: message.payload.prefix(256), as: UTF8.self)
            topics[index].whole.add(.string(text), at: message.at)
        }
    }

    private mutating func topicIndex(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let name = String(validating: bytes, as: UTF8.self) else {
            passedOver += 1
            return nil
        }
        if let index = topicIndices[name] { return index }
        let levels = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if let filter {
            guard filter.matches(levels) else { return nil }
        } else if !levels.areOfDevice {
            passedOver += 1
            return nil
        }
        let isNameable = !name.utf8.contains { byte in
            byte < 0x20
                || [UInt8(ascii: "+"), UInt8(ascii: "#"), UInt8(ascii: "{"), UInt8(ascii: "}")].contains(byte)
        }
        guard isNameable, !name.hasPrefix("$SYS/"), name.utf8.count <= 1024, topics.count < Self.topicLimit
        else {
            passedOver += 1
            return nil
        }
        topicIndices[name] = topics.count
        topics.append(Topic(levels: levels))
        return topics.count - 1
    }

    /// The keys that name the elements of lists, the best first.
    private static let elementKeys = [
        "id", "device_id", "deviceId", "device", "serial", "sn", "uid", "uuid", "mac", "friendly_name",
        "name",
    ]

    /// Surveys each object of a list at the root as if its name were one more level of the topic.
    private mutating func add(_ elements: [Value], of index: Int, at moment: Timestamp) {
        for element in elements.prefix(256) {
            guard case .map(let map) = element else { continue }
            for key in Self.elementKeys {
                guard let name = map[key]?.text, !name.isEmpty, name.isFieldName else { continue }
                if let place = elementTopic(name, key, of: index) {
                    topics[place].messages += 1
                    topics[place].objects += 1
                    add(map, under: [], to: place, at: moment)
                }
                break
            }
        }
    }

    private mutating func elementTopic(_ name: String, _ key: String, of index: Int) -> Int? {
        let levels = topics[index].levels + [name]
        // No topic has a U+0000.
        let id = levels.joined(separator: "/") + "\u{0}"
        if let known = topicIndices[id] { return known }
        guard topics.count < Self.topicLimit else { return nil }
        topicIndices[id] = topics.count
        var topic = Topic(levels: levels)
        topic.elementKey = key
        topics.append(topic)
        return topics.count - 1
    }

    /// The survey of those topics that a filter matches.
    ///
    /// - Throws: the problem of the filter.
    package func matching(_ filter: String) throws(TopicFilter.Problem) -> RecordingSurvey {
        let wanted = try TopicFilter(filter)
        var rest = without { !wanted.matches($0.levels) }
        rest.filter = wanted
        return rest
    }

    /// The survey without the topics that a test is true of.
    func without(_ isLeftOut: (Topic) -> Bool) -> RecordingSurvey {
        var rest = self
        rest.topics = topics.filter { !isLeftOut($0) }
        rest.topicIndices = [:]
        rest.messages = rest.topics.reduce(0) { $0 + ($1.elementKey == nil ? $1.messages : 0) }
        return rest
    }

    private mutating func add(_ map: ValueMap, under path: [String], to index: Int, at moment: Timestamp) {
        guard path.count < Self.depthLimit else { return }
        for entry in map.entries {
            guard case .string(let key) = entry.key, key.isFieldName else { continue }
            let path = path + [key]
            if case .map(let inner) = entry.value {
                add(inner, under: path, to: index, at: moment)
                continue
            }
            var field = topics[index].fieldIndices[path]
            if field == nil, fieldCount < Self.fieldLimit {
                field = topics[index].fields.count
                fieldCount += 1
                topics[index].fieldIndices[path] = field
                topics[index].fields.append((path, FieldSurvey()))
            }
            if let field { topics[index].fields[field].survey.add(entry.value, at: moment) }
        }
    }
}

extension [String] {
    /// True if a topic of these levels has data of a device, and is not a bridge's report on itself, a command, or
    /// for the discovery of Home Assistant.
    fileprivate var areOfDevice: Bool {
        guard count > 1 else { return true }
        return !dropFirst().dropLast().contains("bridge") && !["set", "get"].contains(self[count - 1])
            && !(self[0] == "homeassistant" && self[count - 1] == "config")
    }
}

extension RecordingSurvey.Topic {
    var name: String { levels.dropLast(elementKey == nil ? 0 : 1).joined(separator: "/") }

    /// The members of its objects; empty when its payloads are no objects.
    private var members: Set<String> { Set(fields.compactMap { $0.path.first }) }

    /// Returns whether the payloads of two topics look like the same data of two devices.
    func looksLike(_ other: Self) -> Bool {
        if objects == 0, other.objects == 0 { return (numbers > 0) == (other.numbers > 0) }
        let (mine, others) = (members, other.members)
        return 3 * mine.intersection(others).count >= mine.union(others).count
    }

    /// Returns whether a field tells that one level of the topic is the number of the vehicle.
    func namesVehicle(at level: Int) -> Bool {
        let keys: Set = [
            "veh", "vehicle", "vehicleid", "vehicle_id", "car", "device", "deviceid", "device_id", "id",
        ]
        return fields.contains { field in
            guard let key = field.path.last, keys.contains(key.lowercased()) else { return false }
            return field.survey.texts.first?.text == levels[level]
                || field.survey.isNumber && Double(levels[level]) == field.survey.most
        }
    }

    /// The path of a field that repeats one level of the topic, as events do that have their names there, too.
    func pathRepeating(_ level: Int) -> [String]? {
        fields.first { field in
            field.survey.numbers == field.survey.quoted && field.survey.texts.count == 1
                && field.survey.texts[0].text == levels[level]
        }?.path
    }
}

extension TopicFilter {
    /// Returns whether a topic with these levels matches.
    fileprivate func matches(_ topic: [String]) -> Bool {
        for (position, level) in levels.enumerated() {
            if level == .rest { return true }
            guard position < topic.count else { return false }
            if case .literal(let text) = level, text != topic[position] { return false }
        }
        return levels.count == topic.count
    }
}

extension String {
    /// True if an expression can name a field so: no quotes, no control characters, not too long.
    fileprivate var isFieldName: Bool {
        !isEmpty && utf8.count <= 64
            && utf8.allSatisfy {
                $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 < 0x7F
            }
    }
}
