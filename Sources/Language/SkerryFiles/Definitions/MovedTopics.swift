import SkerryDevice

/// The beginnings of topics that are other ones in this house than in the definitions: `zigbee2mqtt = ground/zigbee`.
///
/// A level in braces stands for any capture, and is where the same name is in the other beginning:
/// `tele/{plug} = {plug}/tele`.
public struct MovedTopics: Sendable, Hashable {
    /// A beginning as definitions have it, and as it is here, both by levels.
    private struct Move: Sendable, Hashable {
        var from: [Substring]
        var to: [Substring]
    }

    /// The longest ones first: of several that fit, the one that says most counts.
    private var moves: [Move] = []

    /// Makes none: topics are as definitions have them.
    public init() {}

    /// Reads moves, each written as `from = to`.
    ///
    /// - Throws: what is wrong with one of them.
    package init(_ texts: [String]) throws(MovedTopicFault) {
        for text in texts {
            let sides = text.split(separator: "=", omittingEmptySubsequences: false).map { side in
                side.split(separator: " ").joined(separator: " ").split(
                    separator: "/",
                    omittingEmptySubsequences: false
                )
            }
            guard sides.count == 2 else {
                throw MovedTopicFault(message: "'\(text)' is no move: write `zigbee2mqtt = ground/zigbee`")
            }
            let move = Move(from: sides[0], to: sides[1])
            if let wrong = (move.from + move.to).first(where: { !Self.isLevel($0) }) {
                throw MovedTopicFault(
                    message: "'\(wrong)' in '\(text)' is no level of a topic: write a name, or one in braces"
                )
            }
            let captures = move.from.filter(Self.isCapture)
            let here = move.to.filter(Self.isCapture)
            guard captures.count == Set(captures).count, Set(captures) == Set(here) else {
                throw MovedTopicFault(
                    message: "'\(text)' must have the same names in braces on both sides, each once"
                )
            }
            if moves.contains(where: { $0.from == move.from }) {
                throw MovedTopicFault(message: "two moves begin with '\(move.from.joined(separator: "/"))'")
            }
            moves.append(move)
        }
        moves.sort { $0.from.count > $1.from.count }
    }

    private static func isCapture(_ level: Substring) -> Bool { level.first == "{" }

    private static func isLevel(_ level: Substring) -> Bool {
        let name = isCapture(level) ? level.dropFirst().dropLast() : level
        guard !isCapture(level) || level.last == "}" else { return false }
        return !name.isEmpty && !name.contains { "+#{}$ ".contains($0) }
    }

    /// A topic, a filter or a template of one, as it is here.
    func moved(_ topic: String) -> String {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        for move in moves where levels.count >= move.from.count {
            var captured: [Substring: Substring] = [:]
            let fits = zip(move.from, levels).allSatisfy { wanted, level in
                guard Self.isCapture(wanted) else { return wanted == level }
                captured[wanted] = level
                // `{name...}` takes all further levels, and can't be moved among them.
                return Self.isCapture(level) && !level.hasSuffix("...}")
            }
            guard fits else { continue }
            let beginning = move.to.map { captured[$0] ?? $0 }
            return (beginning + levels.dropFirst(move.from.count)).joined(separator: "/")
        }
        return topic
    }
}

package struct MovedTopicFault: Error, Sendable {
    /// The reason, and what to write.
    package var message: String
}

extension DefinitionDraft {
    /// The same definition with the topics of this house: of its sources, of what it is recognised by, and of its messages.
    func moved(by topics: MovedTopics) -> DefinitionDraft {
        guard topics != MovedTopics() else { return self }
        var draft = self
        for index in draft.sources.indices {
            draft.sources[index].topic.text = topics.moved(draft.sources[index].topic.text)
        }
        for index in draft.recognition.indices {
            let topic = draft.recognition[index].source.topic.text
            draft.recognition[index].source.topic.text = topics.moved(topic)
        }
        draft.machine.move(by: topics)
        return draft
    }
}

extension StateDraft {
    fileprivate mutating func move(by topics: MovedTopics) {
        entry = entry.map { $0.moved(by: topics) }
        exit = exit.map { $0.moved(by: topics) }
        for index in transitions.indices {
            transitions[index].actions = transitions[index].actions.map { $0.moved(by: topics) }
        }
        for index in states.indices { states[index].move(by: topics) }
    }
}

extension ActionDraft {
    fileprivate func moved(by topics: MovedTopics) -> ActionDraft {
        switch self {
        case .publish(var message):
            message.topic.text = topics.moved(message.topic.text)
            return .publish(message)
        case .guarded(let condition, let then, let otherwise):
            return .guarded(
                condition,
                then.map { $0.moved(by: topics) },
                otherwise: otherwise.map { $0.moved(by: topics) }
            )
        case .attempt(let actions): return .attempt(actions.map { $0.moved(by: topics) })
        default: return self
        }
    }
}
