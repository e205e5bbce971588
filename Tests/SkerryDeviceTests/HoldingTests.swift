import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues
import Testing

@Suite("Waits of a device that can't be reached")
struct HoldingTests {
    private static func machine(_ key: String = "") -> String {
        """
        sources:
          - topic: thing/{device}
            signals: { mode: payload.mode, left: minutes(payload.left), gone: payload.gone }
            available: "!default(payload.away, false)"
        timers:
          cycle: { remaining: left, while: inState("on") }
          tea: { duration: minutes(10), while: inState("on") }
          fixed: { until: 'timestamp("1970-01-12T13:56:40Z")', while: inState("on") }
        machine:
          \(key)
          initial: idle
          states:
            idle: { always: { guard: mode == "on", target: "on" } }
            "on":
              always:
                - { guard: mode == "low", for: 10m, target: low }
                - { guard: "!default(device.available, true)", for: 20m, target: away }
              on: { cycle.elapsed: over, tea.elapsed: brewed, fixed.elapsed: reached }
              after: { 8m: late }
            low: {}
            over: {}
            brewed: {}
            reached: {}
            late: {}
            away: { after: { 1h: lost } }
            lost: {}
        activity: { starts: "on", content: { cycle: timer.cycle } }
        """
    }

    private func scene(_ text: String = HoldingTests.machine(), without states: [String]) throws -> Scene {
        var text = text
        if states.contains("late") { text = text.replacing("8m", with: "8h") }
        if states.contains("tea") { text = text.replacing("minutes(10)", with: "hours(9)") }
        if states.contains("fixed") { text = text.replacing("01-12", with: "01-13") }
        if states.contains("away") { text = text.replacing("20m", with: "20h") }
        return try Scene(text)
    }

    @Test("A guard with 'for', the time in a state and a reported countdown have as much time left as before")
    func held() throws {
        let cases: [(message: String, without: [String], state: String, due: Int64)] = [
            (#"{"mode": "on"}"#, ["tea", "fixed", "away"], "late", 8),
            (#"{"mode": "on", "left": 12}"#, ["late", "tea", "fixed", "away"], "over", 12),
            ("", ["late", "tea", "fixed", "away"], "low", 10),
        ]
        for (message, without, state, due) in cases {
            for (isRestarted, step) in [(false, 0), (true, 0), (false, 2), (false, -2)] as [(Bool, Int64)] {
                var scene = try scene(without: without)
                scene.send(message.isEmpty ? #"{"mode": "on"}"# : message)
                if message.isEmpty { scene.send(#"{"mode": "low"}"#) }
                scene.wait(.minutes(5))
                scene.send(#"{"away": true}"#)
                scene.wait(.minutes(30))
                if isRestarted { try scene.restart(after: .minutes(30)) }
                if step != 0 {
                    scene.now = scene.now + .hours(step)
                    scene.effects += scene.engine.clockSet(by: .hours(step), at: scene.now)
                }
                #expect(scene.state == "on", "\(state)")
                scene.send("{}")
                scene.wait(.minutes(due - 5) - .seconds(1))
                #expect(scene.state == "on", "\(state)")
                scene.wait(.seconds(1))
                #expect(scene.state == state)
                #expect(scene.engine.brokenInvariant() == nil)
            }
        }
    }

    @Test("What runs by itself runs on, and so does what begins while the device is away")
    func running() throws {
        let cases: [(without: [String], state: String, due: Int64)] = [
            (["late", "fixed", "away"], "brewed", 10), (["late", "tea", "away"], "reached", 10),
            (["late", "tea", "fixed"], "away", 25),
        ]
        for (without, state, due) in cases {
            var scene = try scene(without: without)
            scene.send(#"{"mode": "on"}"#)
            scene.wait(.minutes(5))
            scene.send(#"{"away": true}"#)
            scene.wait(.minutes(due - 5))
            #expect(scene.state == state)
        }
        var scene = try scene(without: ["late", "tea", "fixed"])
        scene.send(#"{"mode": "on"}"#)
        scene.send(#"{"away": true}"#)
        scene.wait(.minutes(80))
        #expect(scene.state == "lost")
    }

    @Test("A definition may let everything run on")
    func chosen() throws {
        var scene = try scene(HoldingTests.machine("onUnavailable: run"), without: ["tea", "fixed", "away"])
        scene.send(#"{"mode": "on"}"#)
        scene.send(#"{"away": true}"#)
        scene.wait(.minutes(8))
        #expect(scene.state == "late")
        let definition = scene.definition
        #expect(try Definition.read(compiled: definition.compiled()[...]).compiled() == definition.compiled())
    }

    @Test("What an unreachable device repeats of the time left moves no end, and readers get nothing")
    func repeated() throws {
        var scene = try scene(without: ["late", "tea", "fixed", "away"])
        scene.send(#"{"mode": "on", "left": 3}"#)
        for _ in 1...10 {
            scene.wait(.minutes(1))
            scene.send(#"{"left": 3, "away": true}"#)
        }
        #expect(scene.timer("cycle") == "0 to 180" && scene.state == "on")
        #expect(scene.updates.count == 1)
        scene.send(#"{"left": 2}"#)
        #expect(scene.timer("cycle") == "0 to 720")
        scene.wait(.minutes(2))
        #expect(scene.state == "over")
    }

    @Test("Explanations say what stands still")
    func explained() throws {
        var scene = try scene(without: ["tea", "fixed", "away"])
        scene.send(#"{"mode": "on", "left": 3}"#)
        scene.wait(.minutes(1))
        scene.send(#"{"away": true}"#)
        var writer = JSONWriter()
        writer.beginObject()
        #expect(scene.engine.explain(kind: "thing", device: "a", at: scene.now, to: &writer))
        writer.endObject()
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text.ranges(of: #""isHeld":true"#).count == 2)
    }
}
