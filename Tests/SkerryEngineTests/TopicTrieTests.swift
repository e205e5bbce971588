import SkerryDevice
import SkerryTesting
import Testing

@testable import SkerryEngine

/// The tree of filters, judged by the words of MQTT 5, section 4.7.
@Suite("Topic trie")
struct TopicTrieTests {
    @Test(
        "filters and topics of the standard and of real brokers",
        arguments: [
            ("sport/tennis/player1/#", "sport/tennis/player1", true),
            ("sport/tennis/player1/#", "sport/tennis/player1/ranking", true),
            ("sport/tennis/player1/#", "sport/tennis/player1/score/wimbledon", true),
            ("sport/tennis/player1/#", "sport/tennis/player10", false),
            ("sport/#", "sport", true),
            ("sport/#", "sport/", true),
            ("sport/#", "sports", false),
            ("#", "a", true),
            ("#", "/", true),
            ("#", "$SYS/uptime", false),
            ("+", "$SYS", false),
            ("+/uptime", "$SYS/uptime", false),
            ("$SYS/#", "$SYS/uptime", true),
            ("$SYS/+", "$SYS/uptime", true),
            ("a/+", "a/$b", true),
            ("a/#", "a/$b", true),
            ("sport/tennis/+", "sport/tennis/player1", true),
            ("sport/tennis/+", "sport/tennis/player1/ranking", false),
            ("sport/+", "sport", false),
            ("sport/+", "sport/", true),
            ("+/+", "/finance", true),
            ("/+", "/finance", true),
            ("+", "/finance", false),
            ("/finance", "finance", false),
            ("a//b", "a//b", true),
            ("a/+/b", "a//b", true),
            ("a//b", "a/b", false),
            ("a/b/", "a/b", false),
            ("a b/+", "a b/c", true),
            ("a b", "a  b", false),
            ("ä/{device}", "ä/x", true),
            ("ä/{device}", "a\u{308}/x", false),
            ("A/{device}", "a/x", false),
        ]
    )
    func standard(filter: String, topic: String, isMatch: Bool) throws {
        var trie = TopicTrie()
        trie.insert(try TopicFilter(filter), for: Self.id(0))
        #expect(trie.sources(matching: Array(topic.utf8)[...]) == (isMatch ? [Self.id(0)] : []))
        #expect(Self.matches(filter, topic) == isMatch, "the matcher that judges below is right")
    }

    @Test("random filters and topics, compared with a plain matcher", arguments: 0..<8 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SimulatedRandom(seed: seed)
        var matches = 0
        for _ in 0..<100 {
            let filters = (0..<Int.random(in: 1...12, using: &random)).map { _ in Self.filter(&random) }
            var trie = TopicTrie()
            // In another order than that of their numbers.
            for number in filters.indices.shuffled(using: &random) {
                trie.insert(try TopicFilter(filters[number]), for: Self.id(number))
            }
            for _ in 0..<50 {
                let topic = Self.topic(&random)
                let expected = filters.indices.filter { Self.matches(filters[$0], topic) }.map(Self.id)
                try #require(
                    trie.sources(matching: Array("before/\(topic)".utf8)[7...]) == expected,
                    "\(filters) \(topic)"
                )
                matches += expected.count
            }
        }
        #expect(matches > 2000)
    }

    private static func id(_ number: Int) -> TopicTrie.SourceID {
        TopicTrie.SourceID(definition: UInt16(number / 3), source: UInt16(number % 3))
    }

    private static let levels = ["a", "b", "", "$b", "a b", "ä", "aa"]

    private static func topic(_ random: inout SimulatedRandom) -> String {
        var parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in random.pick(levels) }
        if parts == [""] { parts = ["a"] }
        return parts.joined(separator: "/")
    }

    private static func filter(_ random: inout SimulatedRandom) -> String {
        var parts = (0..<Int.random(in: 1...4, using: &random)).map { number in
            random.pick(levels + ["+", "+", "{c\(number)}"])
        }
        if Int.random(in: 0..<3, using: &random) == 0 { parts[parts.count - 1] = "#" }
        if parts == [""] { parts = ["+"] }
        return parts.joined(separator: "/")
    }

    /// Whether a filter matches a topic, level by level.
    static func matches(_ filter: String, _ topic: String) -> Bool {
        let filters = filter.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let levels = topic.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (position, part) in filters.enumerated() {
            let isWildcard =
                part.first == UInt8(ascii: "{") || part.elementsEqual("+".utf8)
                || part.elementsEqual("#".utf8)
            if isWildcard, position == 0, topic.utf8.first == UInt8(ascii: "$") { return false }
            if part.elementsEqual("#".utf8) { return true }
            guard position < levels.count else { return false }
            if !isWildcard, !part.elementsEqual(levels[position]) { return false }
        }
        return filters.count == levels.count
    }
}
