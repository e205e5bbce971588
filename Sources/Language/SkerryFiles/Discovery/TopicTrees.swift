/// Topics by the systems that publish them: one tree for each first level, and one for those that belong together.
///
/// Two first levels belong together if they name devices of one kind, with the same topics below and alike content, or if
/// they are halves of one tree, as `tele/lamp/STATE` and `stat/lamp/POWER` are.
struct TopicTrees {
    /// The topics of each tree, in the order of their first time.
    let trees: [[RecordingSurvey.Topic]]

    init(_ topics: [RecordingSurvey.Topic]) {
        var roots: [String] = []
        var groups: [String: [RecordingSurvey.Topic]] = [:]
        for topic in topics {
            let root = topic.levels[0]
            if groups[root] == nil { roots.append(root) }
            groups[root, default: []].append(topic)
        }
        var joined: [[String]] = []
        for root in roots {
            let own = groups[root] ?? []
            let place = joined.firstIndex { others in
                others.contains { Self.areRelated(root, own, $0, groups[$0] ?? []) }
            }
            if let place { joined[place].append(root) } else { joined.append([root]) }
        }
        trees = joined.map { roots in
            let members = roots.flatMap { groups[$0] ?? [] }
            let inside = members.filter { !Self.isOfBridge($0, in: members) }
            return inside.isEmpty ? members : inside
        }
    }

    private static func areRelated(
        _ left: String,
        _ own: [RecordingSurvey.Topic],
        _ right: String,
        _ others: [RecordingSurvey.Topic]
    ) -> Bool {
        // Halves of one tree: the same names come second.
        let (mine, theirs) = (names(own), names(others))
        if !mine.isEmpty, mine == theirs { return true }
        // Devices of one kind: the same topics below, with content that looks alike.
        let suffixes = Dictionary(others.map { (Array($0.levels.dropFirst()), $0) }) { first, _ in first }
        let shared = own.filter { suffixes[Array($0.levels.dropFirst())] != nil }
        let all = own.count + others.count - shared.count
        return shared.count * 2 >= all
            && shared.allSatisfy { suffixes[Array($0.levels.dropFirst())]?.looksLike($0) ?? false }
    }

    private static func names(_ topics: [RecordingSurvey.Topic]) -> Set<String> {
        Set(topics.compactMap { $0.levels.count > 2 && !$0.levels[1].isProperty ? $0.levels[1] : nil })
    }

    /// True for a topic such as `homeconnect/LWT`, which tells about the program that publishes the tree.
    private static func isOfBridge(
        _ topic: RecordingSurvey.Topic,
        in tree: [RecordingSurvey.Topic]
    ) -> Bool {
        topic.levels.count == 2 && topic.elementKey == nil && topic.levels[1].isProperty
            && tree.contains {
                $0.levels[0] == topic.levels[0] && !$0.levels.dropFirst().allSatisfy(\.isProperty)
            }
    }
}

extension TopicFamily {
    /// Devices of a family whose messages look alike.
    struct Kind {
        /// The filter of their messages: with the name of a single device if others of the family are of other kinds.
        var filter: String
        /// The names of the devices.
        var devices: [String]
        /// The topics, by their numbers.
        var topics: [Int]
    }

    /// The family by kinds of devices: those of one kind have a topic in common, with content that looks alike.
    func kinds(_ all: [RecordingSurvey.Topic]) -> [Kind] {
        var kinds: [Kind] = []
        for device in devices {
            let own = patterns.flatMap(\.topics).filter { all[$0].levels[position] == device }.sorted()
            let place = kinds.firstIndex { kind in
                kind.topics.contains { other in own.contains { isAlike(all[$0], all[other]) } }
            }
            if let place {
                kinds[place].devices.append(device)
                kinds[place].topics += own
            } else {
                kinds.append(Kind(filter: "", devices: [device], topics: own))
            }
        }
        for index in kinds.indices {
            let own = Set(kinds[index].topics)
            guard let pattern = patterns.first(where: { !own.isDisjoint(with: $0.topics) }) else { continue }
            var levels = pattern.levels
            if kinds.count > 1, kinds[index].devices.count == 1, pattern.elementKey == nil {
                levels[position] = kinds[index].devices[0]
            }
            kinds[index].filter = levels.dropLast(pattern.elementKey == nil ? 0 : 1).joined(separator: "/")
        }
        return kinds
    }

    private func isAlike(_ left: RecordingSurvey.Topic, _ right: RecordingSurvey.Topic) -> Bool {
        left.levels[(position + 1)...] == right.levels[(position + 1)...] && left.looksLike(right)
    }
}
