import SkerryDevice

/// A tree of topic filters, with one step for each level.
struct TopicTrie: Sendable {
    /// A source of a definition; both are numbers.
    struct SourceID: Hashable, Sendable {
        var definition: UInt16
        var source: UInt16
    }

    private struct Node: Sendable {
        var literals: [(level: [UInt8], node: Int)] = []
        var any: Int?
        var here: [SourceID] = []
        var rest: [SourceID] = []
    }

    private var nodes = [Node()]

    mutating func insert(_ filter: TopicFilter, for source: SourceID) {
        var node = 0
        for level in filter.levels {
            switch level {
            case .rest, .captureOfRest:
                nodes[node].rest.append(source)
                return
            case .any, .capture, .partialCapture:
                node = anyChild(of: node)
            case .literal(let text):
                node = child(of: node, Array(text.utf8))
            }
        }
        nodes[node].here.append(source)
    }

    private mutating func anyChild(of node: Int) -> Int {
        if let child = nodes[node].any { return child }
        nodes.append(Node())
        nodes[node].any = nodes.count - 1
        return nodes.count - 1
    }

    private mutating func child(of node: Int, _ level: [UInt8]) -> Int {
        if let child = nodes[node].literals.first(where: { $0.level == level }) { return child.node }
        nodes.append(Node())
        nodes[node].literals.append((level, nodes.count - 1))
        return nodes.count - 1
    }

    /// The sources that may match a topic, in the order of definitions and their sources, each once.
    ///
    /// A capture in a part of a level is taken for a whole one, and `{name...}` for `#`: their filters must be asked.
    func sources(matching topic: ArraySlice<UInt8>) -> [SourceID] {
        var found: [SourceID] = []
        let levels = topic.topicLevels
        // Wildcards in the first level do not match the broker's own topics (MQTT 5, section 4.7.2).
        walk(node: 0, levels[...], wildcards: topic.first != UInt8(ascii: "$"), into: &found)
        // The tree finds them level by level.
        found.sort { ($0.definition, $0.source) < ($1.definition, $1.source) }
        return found
    }

    private func walk(
        node: Int,
        _ levels: ArraySlice<ArraySlice<UInt8>>,
        wildcards: Bool,
        into found: inout [SourceID]
    ) {
        // Before the end of the topic is looked for: `a/#` covers `a`, too.
        if wildcards { found += nodes[node].rest }
        guard let level = levels.first else {
            found += nodes[node].here
            return
        }
        let below = levels.dropFirst()
        for (literal, child) in nodes[node].literals where level.elementsEqual(literal) {
            walk(node: child, below, wildcards: true, into: &found)
        }
        if wildcards, let child = nodes[node].any {
            walk(node: child, below, wildcards: true, into: &found)
        }
    }
}

extension ArraySlice<UInt8> {
    /// The levels of a topic; a leading or trailing `/` gives an empty level.
    var topicLevels: [ArraySlice<UInt8>] {
        split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }
}
