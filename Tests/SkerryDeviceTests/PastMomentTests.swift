import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues
import Testing

@Suite("Moments that are past")
struct PastMomentTests {
    private static func room(_ transition: String) -> String {
        """
        sources:
          - topic: thing/{device}
            signals:
              go: payload.go
              from: timestamp(int(payload.from))
              left: minutes(payload.left)
            event: default(payload.event, "")
        context: { soon: 0 }
        timers: { cycle: { remaining: left, while: inState("b") } }
        machine:
          states:
            a: { always: { guard: go, target: b } }
            b:
              on: { leave: a, hold: c }
              always: \(transition)
            c: { on: { hold: b } }
        activity: { starts: b, ends: a, content: { cycle: timer.cycle, soon: context.soon } }
        """
    }

    private static let counts = "{ past: from, actions: { assign: { soon: context.soon + 1 } } }"

    /// Each message has the minutes that pass before it.
    private static func story(_ transition: String, _ messages: [(Int64, String)]) throws -> Scene {
        var scene = try Scene(room(transition))
        for (minutes, message) in messages {
            scene.wait(.minutes(minutes))
            if message == "restart" { try scene.restart(after: .minutes(1)) } else { scene.send(message) }
        }
        return scene
    }

    private static func at(_ minutes: Int64) -> String {
        "\"from\": \(1_000_000 + minutes * 60)"
    }

    @Test(
        "taken once for each moment, however it comes to be past",
        arguments: [
            // It comes, and nothing is said then.
            ([(0, "{\"go\": true, \(at(5))}"), (5, "{}"), (9, "{}")], "1"),
            // It was past before the state was reached.
            ([(0, "{\(at(-5))}"), (1, "{\"go\": true}"), (9, "{}")], "1"),
            // It is not there, or never told.
            ([(0, #"{"go": true}"#), (9, "{}")], "0"),
            // It is moved away in time, and comes later.
            ([(0, "{\"go\": true, \(at(5))}"), (4, "{\(at(10))}"), (2, "{}")], "0"),
            ([(0, "{\"go\": true, \(at(5))}"), (4, "{\(at(10))}"), (6, "{}")], "1"),
            // It is moved once it was past: another moment.
            ([(0, "{\"go\": true, \(at(5))}"), (6, "{\(at(10))}"), (6, "{}")], "2"),
            // To another one in the past: that is no moment to come.
            ([(0, "{\"go\": true, \(at(5))}"), (6, "{\(at(4))}"), (6, "{}")], "1"),
            // In the downtime, before it, and after it.
            ([(0, "{\"go\": true, \(at(5))}"), (4, "restart"), (9, "{}")], "1"),
            ([(0, "{\"go\": true, \(at(5))}"), (1, "restart"), (9, "{}")], "1"),
            ([(0, "{\"go\": true, \(at(5))}"), (6, "restart"), (9, "{}")], "1"),
        ] as [([(Int64, String)], String)]
    )
    func once(messages: [(Int64, String)], expected: String) throws {
        let scene = try Self.story(Self.counts, messages)
        #expect(scene.variable("soon") == expected)
        #expect(scene.engine.brokenInvariant() == nil)
    }

    @Test("the end of a timer is such a moment, and moves with it")
    func timer() throws {
        var scene = try Scene(
            Self.room(
                "{ past: timer.cycle.end - minutes(5), actions: { assign: { soon: context.soon + 1 } } }"
            )
        )
        scene.send(#"{"go": true, "left": 20}"#)
        scene.wait(.minutes(14))
        #expect(scene.variable("soon") == "0")
        scene.wait(.minutes(1))
        #expect(scene.variable("soon") == "1")
        scene.send(#"{"left": 30}"#)
        scene.wait(.minutes(20))
        #expect(scene.variable("soon") == "1")
        // A timer that stands still has no end.
        scene.send(#"{"event": "hold"}"#)
        scene.wait(.minutes(60))
        scene.send(#"{"event": "hold"}"#)
        scene.wait(.minutes(4))
        #expect(scene.variable("soon") == "1")
        try scene.restart()
        scene.wait(.minutes(1))
        #expect(scene.variable("soon") == "2")
    }

    @Test("with a guard, it is taken as soon as both are so")
    func guarded() throws {
        let transition = "{ past: from, guard: 'default(left, minutes(0)) > minutes(3)', target: c }"
        var scene = try Self.story(transition, [(0, "{\"go\": true, \(Self.at(5))}"), (6, "{}")])
        #expect(scene.state == "b")
        scene.send(#"{"left": 4}"#)
        #expect(scene.state == "c")
        #expect(scene.engine.nextDeadline.map { $0 > scene.now } ?? true)
    }

    @Test("a state that is reached too late is passed through in one macrostep")
    func passed() throws {
        let scene = try Self.story("{ past: from, target: c }", [(0, "{\"go\": true, \(Self.at(-5))}")])
        #expect(scene.state == "c")
        #expect(scene.story.first == "0 1 snapshot active" || scene.updates.count <= 1)
    }

    @Test("compiled and read again it is the same")
    func compiled() throws {
        let definition = try Scene.definition(Self.room(Self.counts))
        let bytes = try definition.compiled()
        let again = try Definition.read(compiled: bytes[...]) { _ in nil }
        #expect(try again.compiled() == bytes)
        #expect(again.chart.hasMoments)
    }
}

@Suite("Timers that stop")
struct StoppingTimerTests {
    private static let autoclave = """
        sources:
          - topic: thing/{device}
            signals: { phase: payload.phase, left: minutes(payload.left) }
        timers:
          step: { remaining: left, while: 'phase in ["heat", "hold"]', otherwise: stop }
          hold: { duration: minutes(20), while: phase == "hold", otherwise: stop }
          all: { count: up, while: phase != "vent", otherwise: stop }
        machine:
          states:
            idle: { always: { guard: 'phase != "idle"', target: busy } }
            busy: { always: { guard: phase == "idle", target: idle } }
        activity: { starts: busy, ends: idle, content: { step: timer.step, hold: timer.hold, all: timer.all } }
        """

    @Test("one that stops begins anew in the same run")
    func anew() throws {
        var scene = try Scene(Self.autoclave)
        func timers() -> [String] { ["step", "hold", "all"].map { scene.timer($0) } }
        scene.send(#"{"phase": "heat", "left": 10}"#)
        #expect(timers() == ["0 to 600", "stopped", "since 0"])
        scene.wait(.minutes(5))
        scene.send(#"{"phase": "hold"}"#)
        #expect(timers() == ["0 to 600", "300 to 1500", "since 0"])
        scene.wait(.minutes(10))
        // At zero and while it runs: both are over.
        scene.send(#"{"phase": "vent"}"#)
        #expect(timers() == ["stopped", "stopped", "stopped"])
        scene.wait(.minutes(5))
        // What was told of the first time is not true of the next.
        scene.send(#"{"phase": "hold"}"#)
        #expect(timers() == ["stopped", "1200 to 2400", "since 1200"])
        scene.send(#"{"left": 8}"#)
        #expect(timers() == ["1200 to 1680", "1200 to 2400", "since 1200"])
        try scene.restart()
        scene.send(#"{"phase": "vent"}"#)
        #expect(timers() == ["stopped", "stopped", "stopped"])
        #expect(scene.updates.allSatisfy { $0.phase != .ended })
    }

    @Test("the message that stops it may tell of its next time")
    func told() throws {
        var scene = try Scene(Self.autoclave)
        scene.send(#"{"phase": "heat", "left": 10}"#)
        scene.send(#"{"phase": "vent", "left": 7}"#)
        scene.send(#"{"phase": "heat"}"#)
        #expect(scene.timer("step") == "0 to 420")
    }

    @Test("compiled and read again it still stops")
    func compiled() throws {
        let definition = try Scene.definition(Self.autoclave)
        let bytes = try definition.compiled()
        #expect(try Definition.read(compiled: bytes[...]) { _ in nil }.compiled() == bytes)
        let pausing = try Scene.definition(Self.autoclave.replacing(", otherwise: stop", with: ""))
        #expect(try pausing.compiled() != bytes)
    }
}

@Suite("Signals that a message told")
struct ReportedTests {
    @Test("a value that is the same, and a retained one, are reported, too")
    func reported() throws {
        var scene = try Scene(
            """
            sources:
              - { topic: "thing/{device}", signals: { power: payload.power, mode: payload.mode } }
            context: { count: 0 }
            machine:
              states:
                a: { always: { guard: reported(power), target: b, actions: { assign: { count: context.count + 1 } } } }
                b: { always: { guard: "!reported(power)", target: a } }
            """
        )
        scene.send(#"{"power": 1}"#)
        #expect(scene.variable("count") == "1")
        scene.send(#"{"mode": "x"}"#)
        scene.send(#"{"power": 1}"#)
        #expect(scene.variable("count") == "2")
        scene.send(#"{"mode": "x"}"#)
        scene.send(#"{"power": 1}"#, retained: true)
        #expect(scene.variable("count") == "3")
    }
}
