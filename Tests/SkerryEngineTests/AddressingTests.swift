import SkerryDevice
import SkerryValues
import Testing

@testable import SkerryEngine

/// Messages that are asked for their devices, beside those whose topic tells.
@Suite("Messages that name their devices")
struct AddressingTests {
    private static func order() throws -> Definition {
        try definition(
            """
            skerry: 1
            kind: order
            sources:
              - { topic: orders, device: "{payload.id}", signals: { word: payload.word } }
              - { topic: orders, device: all, signals: { word: payload.word } }
              - { topic: "order/{device}", payload: text, signals: { word: payload } }
            machine:
              initial: shut
              states:
                shut: { always: { guard: word == "open", target: open } }
                open: { always: { guard: word == "shut", target: shut } }
            """
        )
    }

    private static func message(_ id: String, _ word: String) -> String {
        #"{"id": "\#(id)", "word": "\#(word)"}"#
    }

    @Test("One topic belongs to another device with each message, the sources in their order")
    func order() throws {
        var engine = Engine([try Self.order()])
        #expect(
            engine.say("orders", Self.message("a", "open")) == ["0 order/a  > open", "0 order/all  > open"]
        )
        #expect(engine.say("orders", Self.message("b", "-")) == ["0 order/b  > shut"])
        #expect(
            engine.say("orders", Self.message("a", "shut")) == [
                "0 order/a open > shut", "0 order/all open > shut",
            ]
        )
        #expect(engine.say("order/b", "open") == ["0 order/b shut > open"])
        #expect(engine.say("orders", #"{"word": "open"}"#) == ["0 order/all shut > open"])
        #expect(engine.deviceCount == 3 && engine.counters.ignored == 0)
        #expect(engine.brokenInvariant() == nil)
    }

    @Test(
        "A topic that names no device is not asked, whatever its messages hold",
        arguments: [
            #"device: '{topic.plug.startsWith("wash") ? topic.plug : ""}'"#,
            """
            each: '[{"plug": topic.plug}]'
                device: '{item.plug.startsWith("wash") ? item.plug : ""}'
            """,
            """
            each: 'topic.plug.startsWith("wash") ? [topic.plug] : []'
                device: "{item}"
            """,
        ]
    )
    func namesNone(_ address: String) throws {
        let plug = try definition(
            """
            skerry: 1
            kind: washer
            sources:
              - topic: "plug/{plug}"
                when: has(payload.power)
                \(address)
                signals: { power: double(payload.power) }
            machine: { states: { off: { always: { guard: power > 5.0, target: on } }, on: {} } }
            """
        )
        var engine = Engine([plug])
        for payload in ["{\"power\": 20}", "no JSON", "{\"power\": 20}"] {
            #expect(engine.say("plug/lamp", payload).isEmpty)
        }
        #expect(engine.counters.ignored == 3 && engine.counters.refused == 0)
        #expect(engine.say("plug/wash", "{\"state\": 1}").isEmpty)
        #expect(engine.say("plug/wash", "{\"power\": 20}") == ["0 washer/wash  > on"])
        #expect(engine.counters.ignored == 4 && engine.counters.unrouted == 0)
    }

    @Test("What failed before a device was known stays counted when definitions change")
    func failures() throws {
        let strict = try definition(
            """
            skerry: 1
            kind: order
            sources: [{ topic: orders, device: "{payload.id}", when: payload.on, signals: { on: payload.on } }]
            machine: { states: { shut: { always: { guard: on, target: open } }, open: {} } }
            """
        )
        var engine = Engine([strict])
        _ = engine.say("orders", #"{"id": "a", "on": "yes"}"#)
        #expect(engine.failedReadings == 1)
        _ = engine.change(to: [try Self.order()], at: second(1))
        #expect(engine.failedReadings == 1)
    }

    @Test("The devices of the last message are told, each once")
    func told() throws {
        var engine = Engine([try Self.order()])
        _ = engine.say("orders", Self.message("a", "open"))
        _ = engine.say("orders", Self.message("b", "open"))
        var names: [String] = []
        engine.forEachDevice(of: Array("orders".utf8)[...]) { _, _, name in names.append(name) }
        #expect(names == ["all", "b"])
    }

    @Test("Limits hold for each device that a message names")
    func limit() throws {
        let list = try definition(
            """
            skerry: 1
            kind: part
            sources:
              - { topic: parts, each: payload, device: "{item}", signals: { word: item } }
            machine: { initial: one, states: { one: {} } }
            """
        )
        var engine = Engine([list], limits: limits(devices: 3))
        _ = engine.say("parts", #"["a", "b", "a", "c", "d", "e", "\#(String(repeating: "x", count: 300))"]"#)
        #expect(engine.deviceCount == 3 && engine.counters.beyondLimit == 3)
        var replacing = Engine([list], limits: limits(devices: 2, newDevices: 60))
        _ = replacing.say("parts", #"["a", "b", "c", "d"]"#)
        #expect(replacing.deviceCount == 2 && replacing.counters.replaced == 2)
        #expect(replacing.signal("word", of: "d", kind: "part") == #""d""#)
        #expect(replacing.brokenInvariant() == nil)
    }

    @Test("A device that a message makes replaces none to which the same message still goes")
    func spared() throws {
        var engine = Engine([try Self.order()], limits: limits(devices: 2, newDevices: 60))
        _ = engine.say("orders", Self.message("a", "-"))
        _ = engine.say("order/a", "-", at: 1)
        #expect(
            engine.say("orders", Self.message("b", "open"), at: 2) == ["2 order/all shut > open"],
            "the oldest device is the one that the message goes to, so there is no room"
        )
        #expect(engine.counters.beyondLimit == 1)
        _ = engine.say("orders", Self.message("a", "-"), at: 3)
        _ = engine.say("order/all", "-", at: 4)
        #expect(
            engine.say("orders", Self.message("b", "shut"), at: 5)
                == ["5 order/a forgotten", "5 order/b  > shut", "5 order/all open > shut"]
        )
    }
}
