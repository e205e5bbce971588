import SkerryDevice
import SkerryEngine
import SkerryValues
import Testing

@Suite("Limits, unknown topics and events")
struct LimitTests {
    @Test(
        "The device in a topic",
        arguments: [
            ("/home/{device}", "/home/x", "x"), ("home/{device}/#", "home/x", "x"),
            ("home/{device}/#", "home/x/y/z", "x"), ("{device}/state", "/state", ""),
            ("plug/+/{device}/power", "plug//my plug/power", "my plug"), ("$SYS/{device}", "$SYS/x", "x"),
            ("a/{device}", "a/ü", "ü"),
        ]
    )
    func device(filter: String, topic: String, name: String) throws {
        var engine = Engine(definitions: [try Playground.lamp("lamp", topics: [filter])], epoch: 1)
        let effects = engine.handle(Playground.message(topic, "on"), at: Playground.start)
        #expect(effects.allSatisfy { $0.device == name })
        #expect(effects.count == 1)
        #expect(engine.device(kind: "lamp", named: name) != nil)
        #expect(engine.counters.unrouted == 0)
    }

    @Test(
        "Topics without a source are counted and make no device",
        arguments: ["home", "home/x/y", "Home/y", "$SYS/x", "", "/home/x", "home/x/"]
    )
    func unrouted(topic: String) throws {
        let definition = try Playground.lamp("lamp", topics: ["home/{device}", "{device}/x"])
        var engine = Engine(definitions: [definition], epoch: 1)
        for _ in 0..<2 { _ = engine.handle(Playground.message(topic, "on"), at: Playground.start) }
        #expect(engine.deviceCount == 0)
        #expect(engine.counters.unrouted == 2)
        #expect(engine.counters.messages == 2)
    }

    @Test("Devices beyond the limit are counted; those within it go on")
    func deviceLimit() throws {
        var limits = EngineLimits()
        limits.devices = 2
        limits.newDevices = 0
        let definition = try Playground.lamp("lamp", topics: ["home/{device}"])
        var engine = Engine(definitions: [definition], epoch: 1, limits: limits)
        for name in ["a", "b", "c", "c", "d", "a"] {
            _ = engine.handle(Playground.message("home/\(name)", "off"), at: Playground.start)
        }
        #expect(engine.deviceCount == 2)
        #expect(engine.counters.beyondLimit == 3)
        #expect(engine.counters.unrouted == 0)
        #expect(engine.handle(Playground.message("home/b", "on"), at: Playground.start).count == 1)
        #expect(engine.handle(Playground.message("home/c", "on"), at: Playground.start).isEmpty)
    }

    @Test("Events reach the device of their kind and name, and make no new one")
    func events() throws {
        let definition = try Playground.definition(
            """
            kind: lamp
            sources: [{ topic: "lamp/{device}", signals: { any: payload.any } }]
            machine: { initial: off, states: { off: { on: { go: lit } }, lit: { always: { guard: any == 1, target: off } } } }
            """
        )
        var engine = Engine(definitions: [definition], epoch: 1)
        func tell(_ kind: String, _ device: String, _ engine: inout Engine) -> [String] {
            engine.handle(.event(kind: kind, device: device, name: "go"), at: Playground.start)
                .map { Playground.words($0) }
        }
        #expect(tell("lamp", "a", &engine) == [])
        #expect(engine.deviceCount == 0)
        _ = engine.handle(Playground.message("lamp/a", "{}"), at: Playground.start)
        #expect(tell("lamp", "b", &engine) == [])
        #expect(tell("lump", "a", &engine) == [])
        #expect(tell("lamp", "a", &engine) == ["0 lamp/a off>lit"])
    }
}
