import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryValues

/// A trial that routes topics by the engine and by a simple matcher, and compares the results.
enum TopicTrial {
    private static let filterLimit = 12
    private static let topicLimit = 60

    static func brokenPromise(_ bytes: [UInt8]) -> String? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let filters = lines.prefix { !$0.isEmpty }.prefix(filterLimit).map { Array($0) }
        let topics = lines.dropFirst(filters.count + 1).filter { !$0.isEmpty }.prefix(topicLimit)
        guard let definition = definition(filters) else { return nil }
        var limits = EngineLimits()
        var engines: [Engine] = []
        for remembered in [0, 3, 1000] {
            limits.topics = remembered
            engines.append(Engine(definitions: [definition], epoch: 1, limits: limits))
        }
        var devices: Set<[UInt8]> = []
        var unrouted: UInt64 = 0
        for topic in topics + topics {
            let found = filters.compactMap { device(of: topic, by: $0) }
            devices.formUnion(found)
            if found.isEmpty { unrouted += 1 }
            for index in engines.indices {
                let message = Message(topic: topic, payload: [UInt8(ascii: "1")])
                _ = engines[index].handle(.message(message), at: Timestamp(seconds: 0))
                if engines[index].counters.unrouted != unrouted { return "a topic is routed that none wants" }
                if engines[index].deviceCount != devices.count { return "a topic makes another device" }
            }
        }
        for name in devices {
            let name = String(decoding: name, as: UTF8.self)
            if engines.contains(where: { $0.device(kind: "fuzz", named: name) == nil }) {
                return "a device has another name"
            }
        }
        return nil
    }

    /// A definition with a source for each filter; nil when one of them is no filter.
    private static func definition(_ filters: [[UInt8]]) -> Definition? {
        var text = "skerry: 1\nkind: fuzz\nsources:\n"
        for filter in filters {
            var writer = JSONWriter()
            writer.string(String(decoding: filter, as: UTF8.self))
            text += "  - { payload: text, topic: " + String(decoding: writer.bytes, as: UTF8.self) + " }\n"
        }
        text += "machine: { initial: on, states: { on: {} } }\n"
        let file = DefinitionFile(path: "fuzz.yaml", bytes: Array(text.utf8))
        return CompiledFiles([file]).files[0].definition
    }

    /// The device that a filter captures from a topic (MQTT 5, section 4.7); nil when the topic does not match.
    private static func device(of topic: ArraySlice<UInt8>, by filter: [UInt8]) -> [UInt8]? {
        let parts = filter.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let levels = topic.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var device: [UInt8]?
        for (position, part) in parts.enumerated() {
            let isWildcard = part.first == UInt8(ascii: "{") || part == [UInt8(ascii: "+")]
            let isRest = part == [UInt8(ascii: "#")]
            if position == 0, isWildcard || isRest, topic.first == UInt8(ascii: "$") { return nil }
            if isRest { return device }
            guard position < levels.count, isWildcard || part == levels[position] else { return nil }
            if part.elementsEqual("{device}".utf8) {
                device = Array(String(decoding: levels[position], as: UTF8.self).utf8)
            }
        }
        return parts.count == levels.count ? device : nil
    }
}
