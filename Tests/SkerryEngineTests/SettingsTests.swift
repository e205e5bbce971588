import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues
import Testing

/// Devices of one definition with settings and names of their own.
@Suite("Settings of devices")
struct SettingsTests {
    /// A plug whose threshold and rest are settings, or have values that are written in their place.
    static func plug(
        threshold: String? = nil,
        rest: String? = nil,
        silence: String? = nil
    ) throws -> Definition {
        let settings = "settings: { threshold: 10, rest: 2m, silence: 1h, tolerance: 1m, kept: 30m }"
        return try definition(
            """
            skerry: 1
            kind: plug
            \(threshold == nil ? settings : "")
            sources:
              - { topic: "plug/{device}", signals: { power: payload.power, left: minutes(payload.left) } }
            timers:
              cycle:
                remaining: left
                tolerance: \(threshold == nil ? "settings.tolerance" : "1m")
                while: inState("running")
            machine:
              states:
                idle: { always: { guard: power > \(threshold ?? "settings.threshold"), target: running } }
                running:
                  always:
                    - guard: power <= \(threshold ?? "settings.threshold")
                      for: \(rest ?? "settings.rest")
                      dropout: 10s
                      target: done
                    - { quiet: \(silence ?? "settings.silence"), target: idle }
                done: { always: { guard: power > \(threshold ?? "settings.threshold"), target: running } }
            activity:
              starts: running
              ends: [done, idle]
              attributes: { name: device.name }
              content: { state: state, limit: "\(threshold ?? "settings.threshold")", cycle: timer.cycle }
              stale: \(silence ?? "settings.silence")
              dismiss: \(threshold == nil ? "settings.kept" : "30m")
            """
        )
    }

    /// What somebody chose for the plug `a`.
    static func choices(
        threshold: Double = 10,
        rest: Interval = .minutes(2),
        name: String? = nil
    ) -> [DeviceChoices] {
        var choices = DeviceChoices(device: "a")
        choices.settings = [
            DeviceChoices.Choice("threshold", .number(threshold)),
            DeviceChoices.Choice("rest", .length(rest)),
            DeviceChoices.Choice("silence", .length(.minutes(20))),
        ]
        choices.name = name
        return [choices]
    }

    /// The innermost state of a plug.
    private func state(_ engine: Engine, _ device: String) -> String? {
        engine.device(kind: "plug", named: device).map { $0.device.stateName(in: $0.definition) }
    }

    @Test func `a device has its own values, and the others have the defaults`() throws {
        var engine = Engine([try Self.plug().chosen(Self.choices(threshold: 100))])
        for device in ["a", "b"] { _ = engine.say("plug/\(device)", #"{"power":50}"#) }
        #expect(state(engine, "a") == "idle" && state(engine, "b") == "running")
    }

    @Test("a device with settings does what a definition with these values in it does", arguments: 0..<8)
    func equivalence(seed: Int) throws {
        let chosen = try Self.plug().chosen(Self.choices(threshold: 40, rest: .seconds(90)))
        var one = Engine([chosen])
        var other = Engine([try Self.plug(threshold: "40.0", rest: "1m30s", silence: "20m")])
        var numbers = Numbers(seed: UInt64(seed))
        var time = 0.0
        for _ in 0..<60 {
            time += Double(numbers.next(1200))
            let payload = #"{"power":\#(numbers.next(80)),"left":\#(numbers.next(60))}"#
            #expect(one.say("plug/a", payload, at: time) == other.say("plug/a", payload, at: time))
            #expect(one.nextDeadline == other.nextDeadline)
        }
        let end = second(time + 20_000)
        #expect(one.take([.wait(until: end)]) == other.take([.wait(until: end)]))
        #expect(one.brokenInvariant() == nil)
    }

    @Test func `a setting that changes while devices run is evaluated at once, for that device alone`() throws
    {
        let plain = try Self.plug()
        var engine = Engine([plain])
        for device in ["a", "b"] { _ = engine.say("plug/\(device)", #"{"power":50}"#) }
        _ = engine.takeImages(all: true)
        let chosen = plain.chosen(Self.choices(threshold: 5))
        let change = engine.change(to: [chosen], at: second(1))
        #expect(change.chosen == ["plug"] && change.moves.isEmpty && change.kept == 2)
        #expect(change.effects.map(\.device) == ["a"], "the limit that b shows did not change")
        #expect(engine.takeImages(all: true).map(\.name) == ["a"])
        let idle = plain.chosen(Self.choices(threshold: 60), since: chosen)
        _ = engine.change(to: [idle], at: second(2))
        _ = engine.take([.wait(until: second(130))])
        #expect(state(engine, "a") == "done" && state(engine, "b") == "running")
        #expect(engine.brokenInvariant() == nil)
    }

    @Test func `a wait that runs keeps its end, the next one has the new length`() throws {
        let plain = try Self.plug()
        var engine = Engine([plain])
        _ = engine.say("plug/a", #"{"power":50}"#)
        _ = engine.say("plug/a", #"{"power":1}"#, at: 10)
        _ = engine.change(to: [plain.chosen(Self.choices(rest: .seconds(20)))], at: second(20))
        _ = engine.take([.wait(until: second(129))])
        #expect(state(engine, "a") == "running")
        _ = engine.take([.wait(until: second(130))])
        #expect(state(engine, "a") == "done")
        _ = engine.say("plug/a", #"{"power":50}"#, at: 200)
        _ = engine.say("plug/a", #"{"power":1}"#, at: 210)
        _ = engine.take([.wait(until: second(230))])
        #expect(state(engine, "a") == "done")
    }

    @Test(
        "a restart evaluates a device anew if its settings changed in the meantime, and only then",
        arguments: [(50.0, []), (5.0, ["a"])] as [(Double, [String])]
    )
    func restart(threshold: Double, changed: [String]) throws {
        let plain = try Self.plug()
        var engine = Engine([plain.chosen(Self.choices(threshold: 50))])
        for device in ["a", "b"] { _ = engine.say("plug/\(device)", #"{"power":7}"#) }
        let images = engine.takeImages(all: true)
        let layouts = Dictionary(engine.imageLayouts().map { ($0.id, $0) }) { first, _ in first }
        let next = Engine(
            definitions: [plain.chosen(Self.choices(threshold: threshold))],
            epoch: 7,
            resumingAt: engine.sequence
        )
        let downtime = Downtime(start: second(1), end: second(10))
        var restoration = EngineRestoration(of: next, after: downtime)
        var effects: [Effect] = []
        for image in images {
            let layout = try #require(layouts[image.layout])
            guard case .restored = restoration.restore(image, layout: layout, effects: &effects) else {
                Issue.record("\(image.name) is not restored")
                continue
            }
        }
        let finished = restoration.finish()
        #expect(Set((effects + finished.effects).map(\.device)) == Set(changed))
        #expect(state(finished.engine, "b") == "idle")
        #expect(state(finished.engine, "a") == (changed.isEmpty ? "idle" : "running"))
        #expect(finished.engine.brokenInvariant() == nil)
    }

    @Test func `what nobody chose changes nothing`() throws {
        let plain = try Self.plug()
        #expect(plain.chosen([]) === plain)
        #expect(
            plain.chosen(Self.choices(rest: .minutes(2)).map { DeviceChoices(device: $0.device) }) === plain
        )
        let chosen = plain.chosen(Self.choices(threshold: 3))
        #expect(plain.chosen(Self.choices(threshold: 3), since: chosen) === chosen)
        #expect(chosen.chosen([], since: chosen) === plain)
        #expect(chosen.form(of: "b") === plain)
        #expect(DefinitionLayout(of: chosen.form(of: "b")).id == DefinitionLayout(of: plain).id)
        #expect(DefinitionLayout(of: chosen.form(of: "a")).id != DefinitionLayout(of: plain).id)
    }

    @Test func `a name is shown in place of that in the topic, from the next run on`() throws {
        let plain = try Self.plug()
        var engine = Engine([plain.chosen(Self.choices(name: "Big washer"))])
        #expect(engine.say("plug/a", #"{"power":50}"#).contains { $0.contains("Big washer") })
        #expect(engine.device(kind: "plug", named: "a") != nil)
        let change = engine.change(to: [plain.chosen(Self.choices(name: "Small washer"))], at: second(1))
        #expect(change.effects.isEmpty, "the attributes of a run do not change")
    }

    @Test("a value that the definition refuses has no effect", arguments: [-5.0, 4000])
    func refused(value: Double) throws {
        let limited = try definition(
            """
            skerry: 1
            kind: plug
            settings: { threshold: { default: 10, min: 0, max: 3000 } }
            sources: [{ topic: "plug/{device}", signals: { power: payload.power } }]
            machine: { states: { idle: { always: { guard: power > settings.threshold, target: on } }, on: {} } }
            """
        )
        #expect(limited.settings[0].refusal(of: .number(value)) != nil)
        #expect(limited.settings[0].refusal(of: .text("5")) == .otherType)
        #expect(limited.chosen(Self.choices(threshold: value)) === limited)
    }

    @Test func `a setting that is a wait has a length, and one for the dismissal at most four hours`() throws
    {
        let settings = try Self.plug().settings
        let rest = try #require(settings.first { $0.name == "rest" })
        #expect(rest.refusal(of: .length(.zero)) == .tooSmall(.length(.milliseconds(1))))
        let kept = try #require(settings.first { $0.name == "kept" })
        #expect(kept.refusal(of: .length(.hours(5))) == .tooLarge(.length(.hours(4))))
        #expect(kept.refusal(of: .length(.zero)) == nil)
    }
}

/// Numbers that look random and are the same each time.
private struct Numbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    /// The next number, from 0 to less than a limit.
    mutating func next(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }
}
