/// The topics of one kind of device: which level names the device, and what its topics look like.
struct TopicFamily {
    /// How many sources are proposed.
    static let sourceLimit = 8

    /// Topics that differ in nothing but the device, and levels that have too many values.
    struct Pattern {
        /// The levels of the filter.
        var levels: [String]
        /// The topics, by their numbers in the survey.
        var topics: [Int]
        /// How many messages they had.
        var messages: Int

        /// The filter.
        var filter: String { levels.joined(separator: "/") }
    }

    /// The level that names the device.
    let position: Int
    /// The names of the devices, in the order of their first time.
    let devices: [String]
    /// The patterns, those with most messages first.
    let patterns: [Pattern]

    /// The family of most messages among the best guesses; nil when there are no topics.
    init?(_ topics: [RecordingSurvey.Topic]) {
        let candidates = Self.candidates(topics)
        guard let best = candidates.max(by: { $0.score < $1.score }) else { return nil }
        position = best.position
        let position = best.position
        let named = Set(best.topics.map { topics[$0].levels[position] })
        // The same devices may have topics under other first levels: tele/lamp/STATE and stat/lamp/POWER.
        let members = topics.indices.filter { index in
            topics[index].levels.count > position && named.contains(topics[index].levels[position])
        }
        var seen: [String] = []
        for index in members where !seen.contains(topics[index].levels[position]) {
            seen.append(topics[index].levels[position])
        }
        devices = seen
        patterns = Self.patterns(of: members, topics, position)
    }

    // MARK: Which level

    private struct Candidate {
        var position: Int
        var topics: [Int]
        var score: Double
    }

    /// Each level behind each beginning of topics, with how much it looks like the name of a device.
    private static func candidates(_ topics: [RecordingSurvey.Topic]) -> [Candidate] {
        var groups: [[String]: [Int]] = [:]
        var order: [[String]] = []
        for (index, topic) in topics.enumerated() {
            for position in topic.levels.indices.prefix(12) {
                // One key for a beginning and the position behind it: the beginning's length tells the position.
                let key = Array(topic.levels[..<position])
                if groups[key] == nil { order.append(key) }
                groups[key, default: []].append(index)
            }
        }
        return order.map { key in
            let members = groups[key] ?? []
            return Candidate(
                position: key.count,
                topics: members,
                score: score(members, topics, key.count)
            )
        }
    }

    private static func score(
        _ members: [Int],
        _ topics: [RecordingSurvey.Topic],
        _ position: Int
    ) -> Double {
        var suffixes: [String: Set<[String]>] = [:]
        var names: [String] = []
        var messages = 0
        for index in members {
            let levels = topics[index].levels
            let name = levels[position]
            if suffixes[name] == nil { names.append(name) }
            suffixes[name, default: []].insert(Array(levels[(position + 1)...]))
            messages += topics[index].messages
        }
        let count = Double(names.count)
        let share = { (test: (String) -> Bool) in Double(names.count(where: test)) / count }
        var score =
            3 * share { $0.looksLikeID } - 6
            * share { $0.isEmpty || Self.properties.contains($0.lowercased()) }
        if names.count > 1 {
            // Devices of a kind have the same topics.
            let common = names.dropFirst().reduce(suffixes[names[0]] ?? []) {
                $0.intersection(suffixes[$1] ?? [])
            }
            score += common.isEmpty ? -2 : 3
        }
        if position == 0 { score -= 3 }
        let levels = members.map { topics[$0].levels.count }.max() ?? 0
        if position == levels - 1 { score -= 1 }
        // A level near the front says more than one far behind.
        score -= 0.3 * Double(position)
        let all = topics.reduce(0) { $0 + $1.messages }
        return score + 2 * Double(messages) / Double(max(1, all))
    }

    /// Levels that say what is told, not of whom.
    private static let properties: Set<String> = [
        "state", "status", "report", "power", "tele", "stat", "cmnd", "set", "get", "availability", "lwt",
        "sensor", "switch", "light", "relay", "device", "devices", "home", "event", "events", "rpc", "online",
        "info", "config", "command", "position", "energy", "temperature", "humidity", "result", "zigbee2mqtt",
        "homeassistant", "shellies", "station", "plug", "request", "response", "raw", "value", "attributes",
    ]

    // MARK: What its topics look like

    private static func patterns(
        of members: [Int],
        _ topics: [RecordingSurvey.Topic],
        _ position: Int
    ) -> [Pattern] {
        // A level with more values than this is left open.
        var values: [Int: [Int: Set<String>]] = [:]
        for index in members {
            let levels = topics[index].levels
            for (level, text) in levels.enumerated() where level != position {
                values[levels.count, default: [:]][level, default: []].insert(text)
            }
        }
        var patterns: [Pattern] = []
        var indices: [[String]: Int] = [:]
        for index in members {
            var levels = topics[index].levels
            for level in levels.indices where level != position {
                if (values[levels.count]?[level]?.count ?? 0) > 6 { levels[level] = "+" }
            }
            levels[position] = "{device}"
            if let known = indices[levels] {
                patterns[known].topics.append(index)
                patterns[known].messages += topics[index].messages
            } else {
                indices[levels] = patterns.count
                patterns.append(Pattern(levels: levels, topics: [index], messages: topics[index].messages))
            }
        }
        return patterns.enumerated()
            .sorted { ($1.element.messages, $0.offset) < ($0.element.messages, $1.offset) }
            .map(\.element)
    }
}

extension String {
    /// Whether it looks like a number or name of a device: letters with digits, or a serial number.
    fileprivate var looksLikeID: Bool {
        // v2 is the version of a protocol.
        contains(where: \.isNumber) && count >= 2 && prefixMatch(of: /v\d+$/) == nil
    }
}
