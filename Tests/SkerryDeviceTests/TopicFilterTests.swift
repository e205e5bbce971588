import SkerryDevice
import Testing

@Suite("Captures of topic filters")
struct TopicFilterTests {
    @Test(
        "A filter covers a topic, and names what its captures stand for",
        arguments: [
            ("home/{device}/state", "home/a/state", "a", "home/+/state"),
            ("{a}/{b}", "/x", ",x", "+/+"),
            ("plug-{device}/relay/{n}", "plug-1a/relay/0", "1a,0", "+/relay/+"),
            ("x/{device}.json", "x/cellar.json", "cellar", "x/+"),
            ("x/a{device}b", "x/aäb", "ä", "x/+"),
            ("z/{device...}", "z/lamp", "lamp", "z/#"),
            ("z/{device...}", "z/ground/lamp/1", "ground/lamp/1", "z/#"),
            ("z/{device...}", "z/", "", "z/#"),
        ]
    )
    func captures(filter: String, topic: String, texts: String, subscription: String) throws {
        let filter = try TopicFilter(filter)
        #expect(filter.matches(Array(topic.utf8)[...]))
        #expect(filter.capturedTexts(in: Array("before/\(topic)".utf8)[7...]).joined(separator: ",") == texts)
        #expect(filter.subscription == subscription)
    }

    @Test(
        "What a filter does not cover",
        arguments: [
            ("plug-{device}/relay", "plug-/relay"), ("plug-{device}/relay", "lamp-1/relay"),
            ("x/a{device}a", "x/a"), ("x/a{device}a", "x/aa"), ("z/{device...}", "z"),
            ("z/{device...}", "y/lamp"), ("{device...}", "$SYS/load"), ("p{device}", "$SYS"),
        ]
    )
    func others(filter: String, topic: String) throws {
        #expect(try !TopicFilter(filter).matches(Array(topic.utf8)[...]))
    }

    @Test(
        "What is no filter",
        arguments: [
            ("x/{a}{b}", TopicFilter.Problem.badCapture), ("x/{a", .badCapture), ("x/a}", .badCapture),
            ("x/}{", .badCapture), ("x/{}", .badCapture), ("x/{...}", .badCapture), ("x/{a..}", .badCapture),
            ("x/{a...}/y", .misplacedRest), ("x/p{a...}", .misplacedRest), ("{a}/p{a}", .repeatedCapture),
            ("{a}/{a...}", .repeatedCapture), ("p+{a}", .misplacedPlus), ("p#{a}", .misplacedHash),
        ]
    )
    func problems(filter: String, problem: TopicFilter.Problem) {
        #expect(throws: problem) { try TopicFilter(filter) }
    }
}
