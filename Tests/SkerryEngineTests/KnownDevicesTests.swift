import SkerryDevice
import SkerryFiles
import SkerryValues
import Testing

@testable import SkerryEngine

/// Sources that make no devices.
@Suite("Known devices, and all of them")
struct KnownDevicesTests {
    private static func plug(_ kind: String = "plug", known: String = "known") throws -> Definition {
        try definition(
            """
            skerry: 1
            kind: \(kind)
            sources:
              - { topic: "x/{device}/power", payload: number, signals: { power: payload } }
              - { topic: "y/{device}", when: payload.power > 0.0, signals: { power: payload.power } }
              - { topic: "x/{device}/LWT", devices: \(known), payload: text, available: payload == "online", signals: { will: payload } }
              - { topic: bridge/state, devices: all, payload: text, signals: { bridge: payload } }
              - { topic: "bridge/{part}/log", devices: all, payload: text, signals: { log: topic.part + payload } }
            machine: { states: { only: {} } }
            """
        )
    }

    private static func about(_ engine: Engine, _ device: String) -> [String?] {
        ["will", "bridge", "log"].map { engine.signal($0, of: device, kind: "plug") }
    }

    @Test("A will alone makes no device, and is not lost for the device that comes later")
    func willFirst() throws {
        var engine = Engine([try Self.plug()])
        #expect(engine.say("x/a/LWT", "online") == [])
        #expect(engine.say("x/a/LWT", "offline") == [])
        #expect(engine.say("x/b/LWT", "online") == [])
        #expect(engine.deviceCount == 0 && engine.counters.ignored == 3 && engine.counters.unrouted == 0)
        _ = engine.say("x/a/power", "1")
        #expect(engine.device(kind: "plug", named: "a")?.device.isAvailable == false)
        // The payload of the message that made the device is read again after those that were kept.
        _ = engine.say("y/b", #"{"power":7}"#)
        #expect(engine.device(kind: "plug", named: "b")?.device.isAvailable == true)
        #expect(engine.signal("power", of: "b", kind: "plug") == "7")
        _ = engine.say("x/a/LWT", "online")
        #expect(engine.device(kind: "plug", named: "a")?.device.isAvailable == true)
        #expect(engine.deviceCount == 2 && engine.counters.ignored == 3 && engine.kept.all.isEmpty)
    }

    @Test("One message for all devices reaches those that are known and those that come later")
    func all() throws {
        var engine = Engine([try Self.plug(), try Self.plug("other")])
        _ = engine.say("x/a/power", "1")
        _ = engine.say("bridge/state", "offline")
        _ = engine.say("bridge/z/log", "1")
        _ = engine.say("bridge/y/log", "2")
        _ = engine.say("x/b/power", "1")
        for device in ["a", "b"] {
            #expect(Self.about(engine, device) == ["unset", #""offline""#, #""y2""#])
        }
        #expect(engine.signal("bridge", of: "b", kind: "other") == #""offline""#)
        #expect(engine.counters.ignored == 0)
        #expect(engine.brokenInvariant() == nil)
    }

    @Test("A message for all that another filter takes for one of a device is not refused")
    func lookalike() throws {
        let text = """
            skerry: 1
            kind: hub
            sources:
              - { topic: "hub/{device}", when: payload.power > 0.0, signals: { power: payload.power } }
              - { topic: hub/LWT, devices: all, payload: text, signals: { will: payload } }
            machine: { states: { only: {} } }
            """
        var engine = Engine([try definition(text)])
        _ = engine.say("hub/LWT", "online")
        _ = engine.say("hub/a", #"{"power":1}"#)
        #expect(engine.signal("will", of: "a", kind: "hub") == #""online""#)
        #expect(engine.deviceCount == 1 && engine.counters.refused == 0)
        // What no other source takes is.
        _ = engine.say("hub/b", "online")
        #expect(engine.deviceCount == 1 && engine.counters.refused == 1)
    }

    @Test("What is kept has a bound, and the oldest goes first")
    func bound() throws {
        var limits = EngineLimits()
        limits.keptBytes = 1000
        var engine = Engine([try Self.plug()], limits: limits)
        for number in 0..<500 {
            _ = engine.say("x/d\(number)/LWT", "w\(number % 7)")
            if number % 3 == 0 { _ = engine.say("x/d\(number / 2)/LWT", "again") }
            let kept = engine.kept.all
            #expect(kept.reduce(0) { $0 + $1.size } <= 1000)
            #expect(kept.map(\.arrival) == kept.map(\.arrival).sorted())
        }
        _ = engine.say("x/d499/power", "1")
        _ = engine.say("x/d1/power", "1")
        _ = engine.say("x/long/LWT", String(repeating: "a", count: 2000))
        #expect(Self.about(engine, "d499")[0] == #""w2""#)
        #expect(Self.about(engine, "d1")[0] == "unset")
    }

    @Test("Other definitions get what was kept")
    func change() throws {
        let plug = try Self.plug()
        var engine = Engine([plug])
        _ = engine.say("x/a/LWT", "offline")
        _ = engine.say("bridge/state", "offline")
        _ = engine.change(to: [try Self.plug("other"), plug], at: second(1))
        _ = engine.change(to: [try Self.plug()], at: second(2))
        #expect(engine.deviceCount == 0)
        _ = engine.say("x/a/power", "1", at: 3)
        #expect(Self.about(engine, "a") == [#""offline""#, #""offline""#, "unset"])
    }

    @Test("What was for all is not told again to devices that are there, when their definition changes")
    func changedSince() throws {
        var engine = Engine([try Self.house()])
        _ = engine.say("house", "high")
        _ = engine.say("house/a/tariff", "low", at: 1)
        _ = engine.say("house/c/LWT", "offline", at: 1)
        _ = engine.change(to: [try Self.house(wills: "devices: known, as: { c: a }, ")], at: second(2))
        #expect(engine.signal("tariff", of: "a", kind: "house") == #""low""#)
        #expect(engine.signal("will", of: "a", kind: "house") == #""offline""#, "it was for no device")
        _ = engine.say("house/b/tariff", "1", at: 3)
        #expect(engine.signal("all", of: "b", kind: "house") == #""high""#)
    }

    /// A kind whose devices hear what is for all of them, and each what is for it alone.
    private static func house(wills: String = "devices: known, ") throws -> Definition {
        try definition(
            """
            skerry: 1
            kind: house
            sources:
              - { topic: "house/{device}/tariff", payload: text, signals: { tariff: payload } }
              - { topic: house, devices: all, payload: text, signals: { all: payload, tariff: payload } }
              - { topic: "house/{device}/LWT", \(wills)payload: text, signals: { will: payload } }
            machine: { states: { only: {} } }
            """
        )
    }

    @Test("A definition whose sources make no device, and one that names a device of all, are refused")
    func mistakes() throws {
        let maker = #"{ topic: "p/{device}" }, "#
        for (sources, message) in [
            (#"{ topic: "x/{device}/LWT", devices: known }"#, "no source of the definition makes devices"),
            (maker + #"{ topic: "x/{device}", devices: all }"#, Self.named),
            (maker + "{ topic: x, devices: all, device: a }", Self.named),
            (maker + "{ topic: x, devices: all, as: { a: b } }", Self.named),
            (maker + "{ topic: x, devices: all, each: payload }", Self.named),
        ] {
            let text = "skerry: 1\nkind: k\nsources: [\(sources)]\nmachine: { states: { a: {} } }"
            let draft = try #require(DefinitionReader.read(text: text).draft)
            #expect(Definition.compile(draft).problems.map { $0.message } == [message])
        }
    }

    private static let named = "the source belongs to all devices, and this names one"
}
