/// The topics of one kind of device: the level that names the device, and the patterns of its topics.
struct TopicFamily {
    /// The largest number of proposed sources.
    static let sourceLimit = 8
    /// The largest number of patterns.
    static let patternLimit = 64

    /// Topics that differ in nothing but the device, and levels that have too many values.
    struct Pattern {
        /// The levels of the filter.
        var levels: [String]
        /// The topics, by their numbers in the survey.
        var topics: [Int]
        /// The number of their messages.
        var messages: Int
        /// The key that names the elements of their lists, which are then the last level; nil for other topics.
        var elementKey: String?

        var filter: String { levels.dropLast(elementKey == nil ? 0 : 1).joined(separator: "/") }

        /// The name of the value, where the payload is nothing else: the last level that is the same for all devices.
        var label: String {
            let last = levels.isOfComponent ? levels[levels.count - 2] : nil
            return last ?? levels.last { $0 != "+" && $0 != "{device}" } ?? "value"
        }
    }

    /// The level that names the device.
    let position: Int
    /// The names of the devices, in the order of their first time.
    let devices: [String]
    /// The patterns, those with most messages first.
    let patterns: [Pattern]

    /// The family of most messages among the best guesses; nil when there are no topics.
    ///
    /// - Parameters:
    ///   - topics: The topics of the survey.
    ///   - known: The level that names the device, if given.
    init?(_ topics: [RecordingSurvey.Topic], at known: Int?) {
        let best: Candidate
        if let known {
            let members = topics.indices.filter { topics[$0].levels.count > known }
            best = Candidate(position: known, topics: members, score: 0)
        } else if let guess = Self.candidates(topics).max(by: { $0.score < $1.score }) {
            best = Self.pastOperator(guess, topics)
        } else {
            return nil
        }
        let position = best.position
        self.position = position
        let named = Set(best.topics.map { topics[$0].levels[position] })
        if named.isEmpty { return nil }
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

    /// Each level after each beginning of topics, with a score for being the name of a device.
    private static func candidates(_ topics: [RecordingSurvey.Topic]) -> [Candidate] {
        var groups: [[String]: [Int]] = [:]
        var order: [[String]] = []
        for (index, topic) in topics.enumerated() {
            for position in topic.levels.indices.prefix(12) {
                // The beginning is the key, because its length determines the position.
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

    /// The next level, if a guess has nothing but figures and numbers of devices follow them: first comes the operator of a
    /// fleet, then the vehicle.
    private static func pastOperator(_ guess: Candidate, _ topics: [RecordingSurvey.Topic]) -> Candidate {
        let next = guess.position + 1
        let names = guess.topics.map { topics[$0].levels[guess.position] }
        let followers = guess.topics.compactMap {
            topics[$0].levels.count > next ? topics[$0].levels[next] : nil
        }
        let isFleet =
            names.allSatisfy { $0.allSatisfy(\.isNumber) } && followers.count == names.count
            && followers.allSatisfy { $0.looksLikeID && $0.count > 2 && !$0.isProperty }
            && guess.topics.contains { topics[$0].namesVehicle(at: next) }
        return isFleet ? Candidate(position: next, topics: guess.topics, score: guess.score) : guess
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
        let share = { (test: (String) -> Bool) in
            Double(names.count(where: test)) / Double(names.count)
        }
        if position == topics[members[0]].levels.count - 1,
            members.allSatisfy({ topics[$0].elementKey != nil })
        {
            return 100
        }
        let isNamed = share { $0.looksLikeID } == 1
        var score = 3 * share { $0.looksLikeID } - 6 * share { $0.isEmpty || $0.isProperty }
        if names.count > 1 {
            score += agreement(suffixes, members, topics, position) + (isNamed ? 1 : 0)
        }
        let isWord = names.count == 1 && names[0].isCollection
        if position > 0 {
            let before = topics[members[0]].levels[position - 1]
            if before.isCollection { score += 2 }
            if before.isQuantity { score -= 2 }
        }
        if isWord { score -= 1 }
        if members.allSatisfy({ topics[$0].levels.dropFirst(position + 1).first?.isComponentType == true }),
            members.contains(where: {
                topics[$0].levels.count == position + 4 && topics[$0].levels.isOfComponent
            })
        {
            score += 6
        }
        if position == 0, share({ $0.isSerialNumber }) < 1 { score -= 3 }
        let levels = members.map { topics[$0].levels.count }.max() ?? 0
        if position == levels - 1 { score -= 1 }
        // A level near the front is more likely than one at the end.
        score -= 0.2 * Double(position)
        let all = topics.reduce(0) { $0 + $1.messages }
        return score + 2 * Double(messages) / Double(max(1, all))
    }

    /// A score for names at one level being devices of a kind, which have the same topics with the same content.
    private static func agreement(
        _ suffixes: [String: Set<[String]>],
        _ members: [Int],
        _ topics: [RecordingSurvey.Topic],
        _ position: Int
    ) -> Double {
        let common = suffixes.values.dropFirst().reduce(suffixes.values.first ?? []) { $0.intersection($1) }
        guard !common.isEmpty else {
            return Set(members.map { topics[$0].levels.count }).count == 1 ? 0 : -2
        }
        let shared = members.filter { common.contains(Array(topics[$0].levels[(position + 1)...])) }
        var firsts: [[String]: Int] = [:]
        for index in shared {
            let suffix = Array(topics[index].levels[(position + 1)...])
            guard let first = firsts[suffix] else {
                firsts[suffix] = index
                continue
            }
            if !topics[first].looksLike(topics[index]) { return -3 }
        }
        return 3
    }

    // MARK: Patterns of topics

    private static func patterns(
        of members: [Int],
        _ topics: [RecordingSurvey.Topic],
        _ position: Int
    ) -> [Pattern] {
        let open = openLevels(of: members, topics, position)
        var patterns: [Pattern] = []
        var indices: [[String]: Int] = [:]
        for index in members {
            var levels = topics[index].levels
            for level in levels.indices where level != position {
                if open.contains(Array(topics[index].levels[..<level]).scope(of: levels.count, position))
                    || open.contains(LevelScope(count: levels.count, level: level, beginning: nil))
                {
                    levels[level] = "+"
                }
            }
            levels[position] = "{device}"
            if let known = indices[levels] {
                patterns[known].topics.append(index)
                patterns[known].messages += topics[index].messages
            } else {
                indices[levels] = patterns.count
                patterns.append(
                    Pattern(
                        levels: levels,
                        topics: [index],
                        messages: topics[index].messages,
                        elementKey: topics[index].elementKey
                    )
                )
            }
        }
        return patterns.enumerated()
            .sorted { ($1.element.messages, $0.offset) < ($0.element.messages, $1.offset) }
            .map(\.element)
    }

    /// The levels that a filter leaves open.
    ///
    /// These are numbers and names of something other than the device, and names of events that the payload repeats.
    /// A level that names the measured property stays: its topics must not become one signal with two units.
    private static func openLevels(
        of members: [Int],
        _ topics: [RecordingSurvey.Topic],
        _ position: Int
    ) -> Set<LevelScope> {
        var groups: [LevelScope: [Int]] = [:]
        for index in members {
            let levels = topics[index].levels
            for level in levels.indices where level != position {
                let beginning = Array(levels[..<level]).scope(of: levels.count, position)
                groups[beginning, default: []].append(index)
                let everywhere = LevelScope(count: levels.count, level: level, beginning: nil)
                groups[everywhere, default: []].append(index)
            }
        }
        var open: Set<LevelScope> = []
        for (scope, group) in groups {
            let values = Set(group.map { topics[$0].levels[scope.level] })
            guard values.count > 1 else { continue }
            if scope.beginning == nil {
                let isNumbered = values.allSatisfy { $0.looksLikeID }
                let isAlike = values.count > 6 && group.allSatisfy { topics[group[0]].looksLike(topics[$0]) }
                let isProperty = values.contains { $0.isProperty }
                if isNumbered || isAlike && !isProperty { open.insert(scope) }
            } else if let path = topics[group[0]].pathRepeating(scope.level),
                group.allSatisfy({ topics[$0].pathRepeating(scope.level) == path })
            {
                open.insert(scope)
            }
        }
        return open
    }
}

/// A level of the topics of one length, with all beginnings or a certain one.
private struct LevelScope: Hashable {
    var count: Int
    var level: Int
    var beginning: [String]?
}

extension [String] {
    /// The beginning of a topic, independent of the device's name.
    fileprivate func scope(of count: Int, _ position: Int) -> LevelScope {
        var beginning = self
        if position < beginning.count { beginning[position] = "{device}" }
        return LevelScope(count: count, level: self.count, beginning: beginning)
    }
}
