import SkerryExpressions
import SkerryMachine
import SkerryValues

extension DefinitionParts {
    /// Adds an action that the machine leaves to its host.
    mutating func add(_ action: HostAction) -> Statechart.Action {
        hostActions.append(action)
        return .host(UInt16(hostActions.count - 1))
    }

    /// True if an action assigns a variable.
    func assigns(_ variable: Int) -> Bool {
        hostActions.contains { if case .assign(let found) = $0 { found.variable == variable } else { false } }
    }
}

extension DefinitionCompiler {
    /// Compiles a message that an action publishes; its topic must not be one that the definition itself reads.
    mutating func publication(_ draft: PublicationDraft) -> Statechart.Action? {
        let payload = draft.payload.map { template($0, in: scope) }
        guard let topic = template(draft.topic, in: scope), checkTopic(topic, draft.topic),
            payload.map({ $0 != nil }) ?? true
        else { return nil }
        return parts.add(
            .publish(
                PublicationTemplate(
                    topic: topic,
                    payload: payload ?? nil,
                    isRetained: draft.isRetained,
                    quality: draft.quality
                )
            )
        )
    }

    private mutating func checkTopic(_ topic: TextTemplate, _ source: SourceText) -> Bool {
        let levels = TopicPattern(topic).levels
        for case .literal(let text) in topic.parts {
            let wildcard = text.utf8.first { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }
            guard wildcard != nil || text.utf8.contains(where: { $0 < 0x20 }) else { continue }
            report(
                .badPublication,
                source,
                "a topic to publish to has no wildcards or control characters",
                remedy: "name the topic, as in \"cmnd/{device}/POWER\""
            )
            return false
        }
        guard levels[0][0].utf8.first != UInt8(ascii: "$") else {
            report(.badPublication, source, "topics that begin with '$' belong to the broker")
            return false
        }
        for written in draft.sources {
            guard let filter = try? TopicFilter(written.topic.text), TopicPattern(topic).meets(filter) else {
                continue
            }
            report(
                .badPublication,
                source,
                "this may be a topic that the source on line \(written.topic.place.line) reads, and so go round in a circle",
                remedy: "publish to the topic for commands of the device, or narrow the source"
            )
            return false
        }
        return true
    }
}

/// The topics that a template may give, level by level.
private struct TopicPattern {
    /// The literal text of each level, cut where an expression stands.
    var levels: [[String]] = [[""]]

    init(_ template: TextTemplate) {
        for part in template.parts {
            switch part {
            case .expression: levels[levels.count - 1].append("")
            case .literal(let text):
                let pieces = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
                levels[levels.count - 1][levels[levels.count - 1].count - 1] += pieces[0]
                for piece in pieces.dropFirst() { levels.append([piece]) }
            }
        }
    }

    /// True if a filter may cover one of the topics.
    func meets(_ filter: TopicFilter) -> Bool {
        for (place, level) in filter.levels.enumerated() {
            switch level {
            case .rest: return true
            case .captureOfRest: return place < levels.count
            default: guard place < levels.count, meets(levels[place], level) else { return false }
            }
        }
        return levels.count == filter.levels.count
    }

    private func meets(_ level: [String], _ filter: TopicFilter.Level) -> Bool {
        let (start, end) = (level[0], level[level.count - 1])
        switch filter {
        case .any, .capture, .rest, .captureOfRest: return true
        case .literal(let text):
            if level.count == 1 { return start.hasSameCodePoints(as: text) }
            return text.utf8.count > start.utf8.count + end.utf8.count && text.utf8.starts(with: start.utf8)
                && text.utf8.reversed().starts(with: end.utf8.reversed())
        case .partialCapture(let prefix, _, let suffix):
            if level.count == 1, start.utf8.count <= prefix.utf8.count + suffix.utf8.count { return false }
            return agree(Array(start.utf8), Array(prefix.utf8), isWhole: level.count == 1)
                && agree(end.utf8.reversed(), suffix.utf8.reversed(), isWhole: level.count == 1)
        }
    }

    /// True if a text may begin with another one; a text that is cut off may go on in any way.
    private func agree(_ text: [UInt8], _ start: [UInt8], isWhole: Bool) -> Bool {
        text.starts(with: start) || (!isWhole && start.starts(with: text))
    }
}
