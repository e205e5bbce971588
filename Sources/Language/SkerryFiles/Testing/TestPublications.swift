import SkerryDevice
import SkerryValues

/// The publications of a test, compared with its expectations.
///
/// A number expects this many publications. A list expects all of them in order, each a mapping of `topic` and any of
/// `payload`, `retained` and `qos`. A mapping expects the last payload of each topic that it names; null expects that
/// nothing was published there.
struct TestPublications {
    /// The keys of an expected publication.
    static let names = ["topic", "payload", "retained", "qos"]

    private let messages: [RecordedMessage]

    init(_ messages: [RecordedMessage]) {
        self.messages = messages
    }

    /// The differences from an expectation.
    func differences(_ entry: TestEntry) throws(DefinitionProblem) -> [TestDifference] {
        switch entry.value.content {
        case .list(let elements): return try all(elements, entry)
        case .int(let count):
            return messages.count == Int(count) ? [] : [difference(entry)]
        case .map(let topics):
            return topics.flatMap { topic -> [TestDifference] in
                let path = "published.\(topic.name.text)"
                let last = messages.last { topic.name.text.utf8.elementsEqual($0.topic) }
                guard let last else {
                    if case .null = topic.value.content { return [] }
                    return [TestComparison.difference(topic.value, at: path, topic.name, got: "nothing")]
                }
                return payload(topic.value, last, at: path, topic.name)
            }
        default:
            throw DefinitionProblem(
                .badTest,
                entry.value.source.text.isEmpty ? entry.name : entry.value.source,
                "'published' must be a list, a mapping or a number",
                remedy: "write published: [] for nothing, or { topic: payload }"
            )
        }
    }

    private func all(
        _ elements: [TestValue],
        _ entry: TestEntry
    ) throws(DefinitionProblem) -> [TestDifference] {
        var differences = elements.count == messages.count ? [] : [difference(entry)]
        for (index, element) in elements.enumerated() {
            let members = try TestEntry(name: entry.name, value: element).members
            for member in members where !Self.names.contains(member.name.text) {
                throw .unknown("part of a publication", member.name, among: Self.names)
            }
            guard elements.count == messages.count else { continue }
            let message = messages[index]
            for member in members {
                let path = "published[\(index)].\(member.name.text)"
                switch member.name.text {
                case "topic":
                    let topic = Value.string(String(decoding: message.topic, as: UTF8.self))
                    differences += TestComparison.differences(member.value, topic, at: path, member.name)
                case "retained":
                    let isRetained = Value.bool(message.isRetained)
                    differences += TestComparison.differences(member.value, isRetained, at: path, member.name)
                case "qos":
                    let qos = Value.int(Int64(message.qos))
                    differences += TestComparison.differences(member.value, qos, at: path, member.name)
                default:
                    differences += payload(member.value, message, at: path, member.name)
                }
            }
        }
        return differences
    }

    /// A text expects these bytes; anything else is compared with the payload's JSON.
    private func payload(
        _ expected: TestValue,
        _ message: RecordedMessage,
        at path: String,
        _ name: SourceText
    ) -> [TestDifference] {
        let text = Value.string(String(decoding: message.payload, as: UTF8.self))
        if case .text = expected.content {
            return TestComparison.differences(expected, text, at: path, name)
        }
        let value = (try? JSONReader.value(of: message.payload.span)) ?? text
        return TestComparison.differences(expected, value, at: path, name)
    }

    /// Another number of publications than expected.
    private func difference(_ entry: TestEntry) -> TestDifference {
        let topics = messages.map { String(decoding: $0.topic, as: UTF8.self) }
        let isNumber = if case .int = entry.value.content { true } else { false }
        let count = entry.value.count == 0 ? "nothing" : String(entry.value.count)
        return TestDifference(
            path: "published",
            place: isNumber ? entry.value.source : entry.name,
            expected: isNumber ? entry.value.source.text : count,
            got: topics.isEmpty ? "nothing" : "\(topics.count): \(topics.joined(separator: ", "))"
        )
    }
}
