import SkerryDevice
import SkerryEngine
import SkerryValues
import Testing

/// Limits, commands, and what is counted.
@Suite("Limits, commands and counters")
struct CounterTests {
    private static func door(_ kind: String = "door", source: String) throws -> Definition {
        try definition(
            """
            skerry: 1
            kind: \(kind)
            sources:
              - \(source)
            machine:
              initial: shut
              states:
                shut: { on: { knock: open }, always: { guard: word == "open", target: open } }
                open: { on: { shove: shut } }
            activity: { starts: open, ends: shut, content: { state: state }, dismiss: immediate }
            """
        )
    }

    private static let text = "{ topic: \"door/{device}/#\", payload: text, signals: { word: payload } }"

    @Test("devices beyond the limit are counted and not used, those within go on")
    func deviceLimit() throws {
        var engine = Engine([try Self.door(source: Self.text)], limits: limits(devices: 2))
        for name in ["a", "b", "c", "a", "c", "d"] { _ = engine.say("door/\(name)", "-") }
        #expect(engine.deviceCount == 2)
        #expect(engine.counters.messages == 6)
        #expect(engine.counters.beyondLimit == 3)
        #expect(engine.counters.unrouted == 0)
        #expect(engine.device(kind: "door", named: "c") == nil)
        #expect(engine.say("door/b/new/topic", "open").first == "0 door/b shut > open")
        #expect(engine.say("door/c", "open") == [])
        var none = Engine([try Self.door(source: Self.text)], limits: limits(devices: 0))
        #expect(none.say("door/a", "open") == [])
        #expect(none.deviceCount == 0 && none.counters.beyondLimit == 1)
        _ = none.begin(Self.openWord, device: "a", kind: "door", at: second(0))
        #expect(none.deviceCount == 0)
    }

    @Test("a message of two kinds reaches the device that there is room for")
    func halfRoom() throws {
        let definitions = try ["one", "two"].map { try Self.door($0, source: Self.text) }
        var engine = Engine(definitions, limits: limits(devices: 1))
        for _ in 0..<2 { _ = engine.say("door/a", "open") }
        #expect(engine.device(kind: "one", named: "a")?.device.name == "a")
        #expect(engine.device(kind: "two", named: "a") == nil)
        #expect(engine.signal("word", of: "a", kind: "one") == #""open""#)
        #expect(engine.counters.beyondLimit == 2)
        #expect(engine.counters.updates == 1)
    }

    @Test("messages without a source are counted, even when their topic is known")
    func unrouted() throws {
        var engine = Engine([try Self.door(source: Self.text)])
        for topic in ["window/a", "window/a", "door", "$door/a", "door/a", ""] { _ = engine.say(topic, "-") }
        #expect(engine.counters.unrouted == 5)
        #expect(engine.counters.messages == 6)
        #expect(engine.deviceCount == 1)
    }

    @Test(
        "payloads that can't be read are reported and counted, and change nothing",
        arguments: [
            ("json", #"{"a":}"#, "not valid JSON: a character that is not allowed here at byte 5"),
            ("json", "", "not valid JSON: nothing there at byte 0"),
            ("number", "a12", "no number"),
            ("bool", "maybe", "neither true nor false"),
            ("text", String(repeating: "x", count: 262_145), "longer than limits.payload allows"),
        ]
    )
    func refused(format: String, payload: String, words: String) throws {
        let source = "{ topic: \"door/{device}\", payload: \(format), signals: { word: string(payload) } }"
        var engine = Engine([try Self.door(source: source)])
        _ = engine.begin(Self.openWord, device: "a", kind: "door", at: second(0))
        for count in 1...2 as ClosedRange<UInt64> {
            #expect(engine.say("door/a", payload) == ["0 door/a refused: \(words)"])
            #expect(engine.counters.refused == count)
            #expect(engine.signal("word", of: "a", kind: "door") == #""open""#)
        }
        #expect(engine.nextDeadline == nil)
        #expect(engine.counters.messages == 2)
    }

    @Test("commands reach only their device; unknown ones reach none")
    func commands() throws {
        let definitions = try ["one", "two"].map { try Self.door($0, source: Self.text) }
        var engine = Engine(definitions)
        for name in ["a", "b"] { _ = engine.say("door/\(name)", "-") }
        func tell(_ kind: String, _ device: String, _ name: String) -> [String] {
            engine.take([Step(at: second(1), input: .event(kind: kind, device: device, name: name))])
        }
        for (kind, device, name) in [("one", "c", "knock"), ("three", "a", "knock"), ("one", "a", "shove")] {
            #expect(tell(kind, device, name) == [])
        }
        #expect(engine.deviceCount == 4, "a command makes no device")
        #expect(!engine.hasPendingActivity)
        #expect(tell("two", "a", "knock").first == "1 two/a shut > open")
        #expect(engine.hasPendingActivity)
        #expect(engine.counters.updates == 1)
        #expect(tell("two", "a", "knock") == [])
        #expect(tell("two", "b", "knock").first == "1 two/b shut > open")
        let end = tell("two", "a", "shove")
        #expect(
            end.count == 3 && end[0] == "1 two/a open > shut" && end[2].hasPrefix("1 two/a dismissed two/a/")
        )
        #expect(engine.hasPendingActivity, "that of the other device")
        _ = tell("two", "b", "shove")
        #expect(!engine.hasPendingActivity)
        #expect(engine.counters.updates == 4)
        #expect(engine.counters.messages == 2, "commands are no messages")
    }

    @Test("a device can begin in a situation if its kind exists")
    func situations() throws {
        var engine = Engine([try Self.door(source: Self.text)])
        _ = engine.begin(Self.openWord, device: "a", kind: "window", at: second(0))
        #expect(engine.deviceCount == 0)
        let silent = engine.begin(Self.openWord, device: "a", kind: "door", at: second(0))
        #expect(silent.isEmpty, "signals alone start no machine")
        #expect(engine.deviceCount == 1)
        #expect(engine.signal("word", of: "a", kind: "door") == #""open""#)
        var started = Self.openWord
        started.states = []
        let effects = engine.begin(started, device: "b", kind: "door", at: second(0))
        #expect(!effects.isEmpty)
    }

    /// The signal of a door says that it is open, and its machine has not started.
    static var openWord: Situation {
        var situation = Situation()
        situation.signals = [Situation.Setting(0, .string("open"))]
        return situation
    }
}
