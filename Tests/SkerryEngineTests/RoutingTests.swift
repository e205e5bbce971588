import SkerryDevice
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryEngine

/// From topics to devices and their sources.
@Suite("Routing")
struct RoutingTests {
    @Test("a topic of several definitions and sources reaches each, in their order")
    func order() throws {
        let first = try definition(
            """
            skerry: 1
            kind: first
            sources:
              - topic: "+/{device}/#"
                payload: text
                signals: { a: 'payload + "1"', log: 'payload + "1"' }
              - { topic: "{device}/#", payload: text, signals: { b: payload } }
              - { topic: "x/{device}", payload: text, signals: { log: 'log + "3"' } }
            machine: { initial: on, states: { on: {} } }
            """
        )
        let second = try definition(
            """
            skerry: 1
            kind: second
            sources: [ { topic: "x/{device}", payload: text, available: payload == "in" } ]
            machine: { initial: on, states: { on: {} } }
            """
        )
        for definitions in [[first, second], [second, first]] {
            var engine = Engine(definitions)
            #expect(
                engine.say("x/y", "in")
                    == definitions.flatMap { definition in
                        definition.kind == "first"
                            ? ["0 first/y  > on", "0 first/x  > on"]
                            : ["0 second/y here", "0 second/y  > on"]
                    }
            )
            #expect(engine.deviceCount == 3)
            #expect(engine.signal("a", of: "y", kind: "first") == #""in1""#)
            #expect(engine.signal("b", of: "x", kind: "first") == #""in""#)
            #expect(engine.signal("log", of: "y", kind: "first") == #""in13""#)
            #expect(engine.signal("a", of: "x", kind: "first") == "unset")
            #expect(engine.say("x/y", "out") == ["0 second/y away"], "the routes are remembered")
            #expect(engine.counters.messages == 2)
        }
    }

    @Test("all topics with a device's name reach one device; another definition has its own")
    func names() throws {
        let definitions = try ["one", "two"].map { kind in
            try definition(
                """
                skerry: 1
                kind: \(kind)
                sources:
                  - { topic: "a/{device}/+", signals: { n: payload } }
                  - { topic: "b/{device}", signals: { m: payload } }
                machine: { initial: on, states: { on: {} } }
                """
            )
        }
        var engine = Engine(definitions)
        for topic in ["a/x/1", "a/x/2", "b/x", "a//1", "b/", "b/x y", "b/ä", "b/a\u{308}"] {
            _ = engine.say(topic, "1")
        }
        #expect(engine.deviceCount == 10, "x, one without a name, x y, and two that only look alike")
        #expect(engine.signal("m", of: "x y", kind: "two") == "1")
        #expect(engine.device(kind: "one", named: "ä")?.device.name.utf8.count == 2)
        #expect(engine.device(kind: "one", named: "y") == nil)
        #expect(engine.device(kind: "three", named: "x") == nil)
        #expect(engine.definitions.map(\.kind) == ["one", "two"])
    }

    @Test("a topic that is not UTF-8 or very long does no harm", arguments: [0, 4, 200_000])
    func strange(topics: Int) throws {
        let text = """
            skerry: 1
            kind: any
            sources: [ { topic: "{device}/#", payload: bool, available: payload } ]
            machine: { initial: on, states: { on: {} } }
            """
        var bounds = limits(topics: topics)
        bounds.nameBytes = 100_000
        var engine = Engine([try definition(text)], limits: bounds)
        let strange: [[UInt8]] = [
            [0xFF, 0xFE], [0], Array(repeating: UInt8(ascii: "/"), count: 65_535),
            Array(repeating: UInt8(ascii: "x"), count: 65_535),
            Array(repeating: UInt8(ascii: "x"), count: 65_536 + 3), Array("xxx".utf8),
        ]
        for payload in ["on", "off"] {
            for topic in strange {
                let message = Message(topic: topic[...], payload: Array(payload.utf8)[...])
                let effects = engine.handle(.message(message), at: second(0))
                #expect(effects.count == (payload == "on" ? 2 : 1), "here and started, then away")
            }
        }
        #expect(engine.deviceCount == 6)
    }

    /// Sources with random filters, and what a dictionary knows of their devices.
    struct Model {
        var filters: [[String]] = []
        var signals: [String: Int64] = [:]
        var unrouted: UInt64 = 0
        var beyondLimit: UInt64 = 0
        var devices: [String] = []

        /// Takes a message in as the engine should: by definition, then source.
        mutating func take(_ topic: String, _ number: Int64, deviceLimit: Int) {
            let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
            var isRouted = false
            for (definition, filters) in filters.enumerated() {
                for (source, filter) in filters.enumerated() where TopicTrieTests.matches(filter, topic) {
                    isRouted = true
                    let parts = filter.split(separator: "/", omittingEmptySubsequences: false)
                    let device = "\(definition) \(levels[parts.firstIndex(of: "{device}")!])"
                    if !devices.contains(device) {
                        guard devices.count < deviceLimit else {
                            beyondLimit += 1
                            continue
                        }
                        devices.append(device)
                    }
                    signals["\(device)/s\(source)"] = number
                }
            }
            if !isRouted { unrouted += 1 }
        }
    }

    @Test(
        "random definitions and topics, compared with a dictionary, even if few topics are cached",
        arguments: 0..<12 as Range<UInt64>
    )
    func random(seed: UInt64) throws {
        var random = SimulatedRandom(seed: seed)
        var model = Model()
        for _ in 0..<3 {
            model.filters.append(
                (0..<Int.random(in: 1...5, using: &random)).map { _ in Self.filter(&random) }
            )
        }
        let definitions = try model.filters.enumerated().map { number, filters in
            try definition(Self.text(number, filters))
        }
        let deviceLimit = seed % 3 == 0 ? 2 : 1000
        var engines = [0, 1, 5, 1000].map {
            Engine(definitions, limits: limits(devices: deviceLimit, topics: $0))
        }
        let topics = (0..<40).map { _ in
            (0..<Int.random(in: 1...4, using: &random)).map { _ in random.pick(Self.levels) }
                .joined(separator: "/")
        }
        for number in 0..<400 {
            let topic = random.pick(topics)
            model.take(topic, Int64(number), deviceLimit: deviceLimit)
            var effects: [String] = []
            for index in engines.indices {
                let these = engines[index].say(topic, "\(number)", at: Double(number))
                if index == 0 { effects = these }
                try #require(these == effects, "\(topic)")
            }
        }
        for engine in engines {
            #expect(engine.deviceCount == model.devices.count)
            #expect(engine.counters.messages == 400)
            #expect(engine.counters.unrouted == model.unrouted)
            #expect(engine.counters.beyondLimit == model.beyondLimit)
            #expect(deviceLimit > 2 || model.beyondLimit > 0)
            for (name, value) in model.signals {
                let parts = name.split(separator: "/", omittingEmptySubsequences: false)
                let device = parts[0].split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
                let shown = engine.signal(String(parts[1]), of: String(device[1]), kind: "kind\(device[0])")
                #expect(shown == "\(value)", "\(name) is \(value)")
            }
        }
    }

    @Test("captures come from the topic of each message, even when it is cached", arguments: [0, 2, 100])
    func captures(topics: Int) throws {
        let text = """
            skerry: 1
            kind: thing
            sources:
              - topic: "{house}/{device}/{room}/#"
                payload: text
                signals: { where: 'topic.house + ":" + topic.room + ":" + topic.device' }
              - topic: "{house}/{device}/#"
                payload: text
                signals: { said: payload }
            machine: { initial: on, states: { on: {} } }
            """
        var engine = Engine([try definition(text)], limits: limits(topics: topics))
        for _ in 0..<3 {
            for (house, room) in [("a", "bath"), ("b", "hall"), ("", ""), ("a b", "ä"), ("a", "hall")] {
                _ = engine.say("\(house)/x/\(room)/more", house + room)
                let expected = "\"\(house):\(room):x\""
                #expect(engine.signal("where", of: "x", kind: "thing") == expected)
                #expect(engine.signal("said", of: "x", kind: "thing") == "\"\(house)\(room)\"")
            }
        }
    }

    private static let levels = ["a", "b", "", "$b", "a b", "ä"]

    /// A filter with a level for the device.
    private static func filter(_ random: inout SimulatedRandom) -> String {
        var parts = (0..<Int.random(in: 1...4, using: &random)).map { number in
            random.pick(levels + ["+", "+", "+", "{c\(number)}"])
        }
        let hasRest = parts.count > 1 && Bool.random(using: &random)
        if hasRest { parts[parts.count - 1] = "#" }
        parts[Int.random(in: 0..<(hasRest ? parts.count - 1 : parts.count), using: &random)] = "{device}"
        return parts.joined(separator: "/")
    }

    /// A definition whose sources each have a signal.
    private static func text(_ number: Int, _ filters: [String]) -> String {
        let sources = filters.enumerated().map { source, filter in
            "  - { topic: \"\(filter)\", signals: { s\(source): payload } }\n"
        }
        return """
            skerry: 1
            kind: kind\(number)
            sources:
            \(sources.joined())machine: { initial: on, states: { on: {} } }
            """
    }
}
