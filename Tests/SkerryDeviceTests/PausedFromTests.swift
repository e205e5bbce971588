import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryMachine
import SkerryValues
import Testing

/// Timers whose pauses began before Skerry heard of them; 1,000,000 is the start of a scene.
@Suite("Pauses that began earlier")
struct PausedFromTests {
    private static func oven(
        _ timer: String,
        pause: String = "{ guard: mode == \"pause\", target: paused }"
    ) -> String {
        """
        sources:
          - topic: thing/{device}
            signals:
              mode: payload.mode
              left: seconds(payload.left)
              to: timestamp(int(payload.to))
              halted: timestamp(int(payload.halted))
        timers: { cycle: { \(timer), while: inState("running"), pausedFrom: halted } }
        machine:
          initial: idle
          states:
            idle: { always: { guard: mode == "run", target: running } }
            running: { on: { cycle.elapsed: over }, always: [\(pause), { guard: mode == "idle", target: idle }] }
            paused: { always: [{ guard: mode == "run", target: running }, { guard: mode == "idle", target: idle }] }
            over: { always: { guard: mode == "idle", target: idle } }
        activity: { starts: running, ends: idle, content: { cycle: timer.cycle, mode: mode, to: to, left: left } }
        """
    }

    /// Messages at seconds, and the timer after the last one.
    struct Story: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var timer = "remaining: left"
        var says: [(at: Int64, payload: String)]
        var cycle: String
    }

    static let stories = [
        Story(
            testDescription: "the time left is that of then",
            says: [(0, #"{"mode":"run","left":600}"#), (300, #"{"mode":"pause","halted":1000100}"#)],
            cycle: "500 of 600"
        ),
        Story(
            testDescription: "what the device says is left counts more",
            says: [
                (0, #"{"mode":"run","left":600}"#), (300, #"{"mode":"pause","left":450,"halted":1000100}"#),
            ],
            cycle: "450 of 550"
        ),
        Story(
            testDescription: "a count-up stops counting then",
            timer: "count: up",
            says: [(0, #"{"mode":"run"}"#), (300, #"{"mode":"pause","halted":1000100}"#)],
            cycle: "held at 100"
        ),
        Story(
            testDescription: "one that is not told is now",
            says: [(0, #"{"mode":"run","left":600}"#), (300, #"{"mode":"pause"}"#)],
            cycle: "300 of 600"
        ),
        Story(
            testDescription: "one in the future is now",
            says: [(0, #"{"mode":"run","left":600}"#), (300, #"{"mode":"pause","halted":1000301}"#)],
            cycle: "300 of 600"
        ),
        Story(
            testDescription: "one of the run before is now",
            says: [
                (0, #"{"mode":"run","halted":999000}"#), (100, #"{"left":600}"#), (300, #"{"mode":"pause"}"#),
            ],
            cycle: "400 of 600"
        ),
        Story(
            testDescription: "one of the pause before is now",
            says: [
                (0, #"{"mode":"run","left":600}"#), (200, #"{"mode":"pause","halted":1000100}"#),
                (300, #"{"mode":"run"}"#), (400, #"{"mode":"pause"}"#),
            ],
            cycle: "400 of 600"
        ),
        Story(
            testDescription: "one since the pause before is that of then, also after another end was told",
            says: [
                (0, #"{"mode":"run","left":600}"#), (200, #"{"mode":"pause","halted":1000100}"#),
                (300, #"{"mode":"run"}"#), (310, #"{"left":700}"#),
                (400, #"{"mode":"pause","halted":1000350}"#),
            ],
            cycle: "660 of 810"
        ),
        Story(
            testDescription: "one of the pause before is now, also after another end was told",
            says: [
                (0, #"{"mode":"run","left":600}"#), (200, #"{"mode":"pause","halted":1000100}"#),
                (300, #"{"mode":"run"}"#), (310, #"{"left":700}"#),
                (400, #"{"mode":"pause","halted":1000250}"#),
            ],
            cycle: "610 of 810"
        ),
        Story(
            testDescription: "an end that is told again and again does not shorten it",
            timer: "until: to",
            says: [
                (0, #"{"mode":"run","to":1000600}"#),
                (300, #"{"mode":"pause","to":1000600,"halted":1000100}"#),
                (400, #"{"mode":"pause","to":1000600,"halted":1000100}"#),
            ],
            cycle: "500 of 600"
        ),
        Story(
            testDescription: "an end that moves in the pause is how much is left",
            timer: "until: to",
            says: [
                (0, #"{"mode":"run","to":1000600}"#),
                (300, #"{"mode":"pause","to":1000790,"halted":1000100}"#),
            ],
            cycle: "490 of 590"
        ),
        Story(
            testDescription: "what has reached zero stays there",
            says: [(0, #"{"mode":"run","left":200}"#), (300, #"{"mode":"pause","halted":1000100}"#)],
            cycle: "elapsed 0 to 200"
        ),
    ]

    @Test(arguments: stories)
    func story(_ story: Story) throws {
        var scene = try Scene(Self.oven(story.timer))
        for (at, payload) in story.says {
            scene.wait(Scene.start + .seconds(at) - scene.now)
            scene.send(payload)
        }
        #expect(scene.timer("cycle") == story.cycle)
    }

    @Test func `since: the pause began when the guard began to hold`() throws {
        let text = Self.oven("count: up", pause: #"{ guard: mode == "rest", for: 5m, target: paused }"#)
        var scene = try Scene(text.replacing("pausedFrom: halted", with: "pausedFrom: since"))
        scene.send(#"{"mode":"run"}"#)
        scene.wait(.seconds(100))
        scene.send(#"{"mode":"rest"}"#)
        scene.wait(.minutes(5))
        #expect(scene.state == "paused" && scene.timer("cycle") == "held at 100")
    }

    @Test func `the action, too; without a moment it fails`() throws {
        var scene = try Scene(
            """
            sources: [{ topic: "thing/{device}", signals: { halted: timestamp(int(payload.halted)), on: payload.on } }]
            timers: { cycle: { duration: minutes(10) } }
            machine:
              initial: idle
              states:
                idle: { always: { guard: "on", target: running } }
                running:
                  entry: { start: cycle }
                  on: { halt: { actions: { pause: { timer: cycle, from: halted } } }, go: { actions: { resume: cycle } } }
            activity: { starts: running, content: { cycle: timer.cycle } }
            """
        )
        scene.send(#"{"on":true}"#)
        scene.wait(.seconds(300))
        scene.tell("halt")
        #expect(scene.timer("cycle") == "0 to 600")
        scene.send(#"{"halted":1000100}"#)
        scene.tell("halt")
        #expect(scene.content == #"{"cycle":{"remaining":500,"duration":600}}"#)
        scene.tell("go")
        #expect(scene.timer("cycle") == "200 to 800")
        scene.tell("halt")
        #expect(scene.timer("cycle") == "500 of 600")
    }

    @Test func `a restart of the bridge and a step of its clock keep when it was resumed`() throws {
        var scene = try Scene(Self.oven("remaining: left"))
        scene.send(#"{"mode":"run","left":600}"#)
        scene.wait(.seconds(100))
        scene.send(#"{"mode":"pause"}"#)
        scene.wait(.seconds(100))
        scene.send(#"{"mode":"run"}"#)
        let known = try #require(scene.engine.device(kind: "thing", named: "a"))
        let map = LayoutMap(from: DefinitionLayout(of: known.definition), to: known.definition)
        #expect(known.device.brokenImage(map: map, in: known.definition) == nil)
        #expect(known.device.image(in: known.definition).first == 5)
        let copy = try Device(
            name: "a",
            image: known.device.image(in: known.definition)[...],
            map: map,
            in: known.definition
        )
        let cycle = try #require(known.definition.chart.timer(named: "cycle"))
        for pausedFrom: Int64 in [150, 250] {
            var machine = copy.machine
            let now = Scene.start + .seconds(300)
            machine.pauseTimer(cycle, from: Scene.start + .seconds(pausedFrom), at: now)
            let left: Int64 = pausedFrom == 150 ? 400 : 450
            #expect(machine.timer(cycle) == .paused(remaining: .seconds(left), duration: .seconds(600)))
            var moved = copy.machine
            moved.move(by: ClockShift(by: .hours(1))) { _ in .whenArmed }
            moved.pauseTimer(cycle, from: Scene.start + .seconds(pausedFrom + 3600), at: now + .hours(1))
            #expect(moved.timer(cycle) == machine.timer(cycle))
        }
    }

    @Test func `a pause needs a moment, and 'while'`() {
        for (timer, message) in [
            ("{ remaining: left, pausedFrom: since }", "'pausedFrom' needs 'while'"),
            ("{ remaining: left, while: inState(\"running\"), pausedFrom: left }", "a moment"),
        ] {
            let text =
                "skerry: 1\nkind: thing\n"
                + Self.oven("remaining: left").replacing(
                    #/timers: .*/#,
                    with: "timers: { cycle: \(timer) }"
                )
            let compiled = CompiledFiles([DefinitionFile(path: "thing.yaml", bytes: Array(text.utf8))])
            #expect(compiled.report(DiagnosticPrinter()).contains(message))
        }
    }
}
