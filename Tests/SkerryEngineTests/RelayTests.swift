import SkerryActivity
import SkerryDevice
import SkerryMachine
import SkerryValues
import Testing

@testable import SkerryEngine

/// Definitions that read the activities of other kinds.
@Suite("Activities that other definitions read")
struct RelayTests {
    /// A lamp with a run that ends by itself after ten seconds.
    private static func lamp(_ kind: String, reads topic: String) throws -> Definition {
        try definition(
            """
            skerry: 1
            kind: \(kind)
            sources:
              - { topic: "\(topic)", signals: { light: payload.state } }
            machine:
              initial: dark
              states:
                dark: { always: { guard: light == "bright", target: bright } }
                bright: { after: { 10s: dim }, always: { guard: light == "dim", target: dim } }
                dim: {}
            activity: { starts: bright, ends: dim, content: { status: state } }
            """
        )
    }

    private static func chain() throws -> [Definition] {
        [
            try lamp("last", reads: "$skerry/middle/{device}"),
            try lamp("middle", reads: "$skerry/first/{device}"),
            try lamp("first", reads: "lamp/{device}"),
        ]
    }

    private static let bright = #"{"state": "bright"}"#

    @Test("A revision is read at once, through all kinds, also one that a deadline makes")
    func chain() throws {
        var engine = Engine(try Self.chain())
        let shown = engine.say("lamp/a", Self.bright).filter { $0.contains(" > bright") }
        #expect(shown == ["0 first/a  > bright", "0 middle/a  > bright", "0 last/a  > bright"])
        #expect(engine.counters.messages == 1 && engine.counters.unrouted == 0)
        let ended = engine.handle(.timePassed, at: second(10)).compactMap { effect -> String? in
            if case .moved(_, "dim", _) = effect.what { effect.kind } else { nil }
        }
        // The deadline of the first comes first; the others are told before their own.
        #expect(ended == ["first", "middle", "last"])
        #expect(engine.brokenInvariant() == nil)
    }

    @Test("A definition that comes later reads the activities that go on")
    func later() throws {
        let chain = try Self.chain()
        var engine = Engine([chain[2]])
        _ = engine.say("lamp/a", Self.bright)
        let change = engine.change(to: chain, at: second(1))
        #expect(change.added == ["last", "middle"])
        let states = ["middle", "last"].map { kind in
            engine.device(kind: kind, named: "a").map { $0.device.activity?.state ?? "none" }
        }
        #expect(states == ["bright", "bright"])
    }

    /// What becomes of a device whose run is over with it.
    enum Removal: CaseIterable {
        case forgotten, kindRemoved, orphaned, beyondLimit
    }

    @Test("The end of a run that ends with its device is read", arguments: Removal.allCases)
    func removed(_ removal: Removal) throws {
        let reader = try definition(
            """
            skerry: 1
            kind: reader
            sources:
              - { topic: "$skerry/first/{device}", signals: { phase: payload.phase } }
            machine:
              initial: apart
              states:
                apart: { always: { guard: phase == "active", target: beside } }
                beside: { always: { guard: phase == "ended", target: apart } }
            activity: { starts: beside, ends: apart, content: { status: state } }
            """
        )
        let first = try Self.lamp("first", reads: "lamp/{device}")
        var engine = Engine([reader, first])
        _ = engine.say("lamp/a", Self.bright)
        #expect(engine.device(kind: "reader", named: "a")?.device.activity?.phase == .active)
        var effects: [Effect] = []
        switch removal {
        case .forgotten: effects = engine.forget(kind: "first", device: "a", at: second(1)) ?? []
        case .kindRemoved: effects = engine.change(to: [reader], at: second(1)).effects
        case .orphaned, .beyondLimit:
            let definitions = removal == .orphaned ? [reader] : [reader, first]
            let images = engine.takeImages(all: true).sorted { $0.kind > $1.kind }
            let layouts = engine.imageLayouts()
            var limits = EngineLimits()
            if removal == .beyondLimit { limits.devices = 1 }
            var restoration = EngineRestoration(
                of: Engine(definitions: definitions, epoch: 1, limits: limits),
                after: Downtime(start: second(0), end: second(1))
            )
            for image in images {
                let layout = try #require(layouts.first { $0.id == image.layout })
                _ = restoration.restore(image, layout: layout, effects: &effects)
            }
            let late: [Effect]
            (engine, late) = restoration.finish()
            effects += late
        }
        let ends = effects.compactMap { effect -> String? in
            if case .update(let update) = effect.what, update.phase == .ended { effect.kind } else { nil }
        }
        #expect(ends == ["first", "reader"])
        #expect(engine.relays.isEmpty)
        #expect(engine.brokenInvariant() == nil)
    }

    @Test("An activity of a given situation reaches the definitions that read it at once")
    func situation() throws {
        let definitions = [
            try Self.lamp("reader", reads: "$skerry/first/{device}"),
            try Self.lamp("first", reads: "lamp/{device}"),
        ]
        var engine = Engine(definitions)
        var situation = Situation()
        situation.states = [try #require(definitions[1].chart.state(named: "bright"))]
        _ = engine.begin(situation, device: "a", kind: "first", at: second(0))
        #expect(engine.device(kind: "reader", named: "a") != nil)
        #expect(engine.brokenInvariant() == nil)
    }

    @Test("A circle that no check has refused comes to rest")
    func circle() throws {
        let text = """
            skerry: 1
            kind: KIND
            sources:
              - { topic: "$skerry/OTHER/{device}", signals: { count: payload.content.count } }
              - { topic: "push/KIND/{device}", payload: number, signals: { count: payload } }
            machine: { initial: on, states: { on: { title: On } } }
            activity: { starts: on, ends: off, content: { count: count + 1 } }
            """
        let definitions = try [("ping", "pong"), ("pong", "ping")].map { kind, other in
            try definition(
                text.replacing("KIND", with: kind).replacing("OTHER", with: other)
                    .replacing("on: { title: On }", with: "on: { title: On, on: { end: off } }, off: {}")
            )
        }
        var engine = Engine(definitions)
        let effects = engine.say("push/ping/a", "1")
        #expect(engine.counters.updates == 3, "\(effects)")
        #expect(engine.relays.isEmpty)
    }
}
