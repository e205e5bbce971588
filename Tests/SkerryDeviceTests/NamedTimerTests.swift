import SkerryActivity
import SkerryDevice
import SkerryValues
import Testing

@Suite("Named timers")
struct NamedTimerTests {
    static let oven = """
        sources:
          - topic: thing/{device}
            signals: { mode: payload.mode, left: seconds(payload.left) }
        timers:
          cycle: { remaining: left, tolerance: 1m, while: inState("running") }
        machine:
          initial: idle
          states:
            idle: { always: { guard: mode == "run", target: running } }
            running:
              always: [{ guard: mode == "pause", target: paused }, { guard: mode == "idle", target: idle }]
              on: { cycle.elapsed: finishing }
            paused: { always: [{ guard: mode == "run", target: running }, { guard: mode == "idle", target: idle }] }
            finishing: { always: { guard: mode == "idle", target: idle } }
        activity:
          starts: running
          ends: idle
          content: { cycle: timer.cycle }
        """

    @Test("The end moves only when the estimate moved by more than the tolerance")
    func hysteresis() throws {
        var scene = try Scene(Self.oven)
        scene.send(#"{"mode": "run", "left": 600}"#)
        #expect(scene.timer("cycle") == "0 to 600")
        scene.wait(.seconds(60))
        for left in [541, 600, 480, 540] {
            scene.send(#"{"left": \#(left)}"#)
            #expect(scene.timer("cycle") == "0 to 600", "\(left)")
        }
        #expect(scene.updates.count == 1)
        scene.send(#"{"left": 601}"#)
        #expect(scene.timer("cycle") == "0 to 661")
        #expect(scene.updates.count == 2)
        #expect(scene.content == #"{"cycle":{"start":1000000,"end":1000661}}"#)
    }

    @Test("A pause freezes the time left; resuming moves start and end by the length of the pause")
    func pause() throws {
        var scene = try Scene(Self.oven)
        scene.send(#"{"mode": "run", "left": 600}"#)
        scene.wait(.seconds(100))
        scene.send(#"{"mode": "pause"}"#)
        #expect(scene.timer("cycle") == "500 of 600")
        #expect(scene.content == #"{"cycle":{"remaining":500,"duration":600}}"#)
        scene.wait(.hours(1))
        #expect(scene.updates.count == 2)
        scene.send(#"{"mode": "run"}"#)
        #expect(scene.timer("cycle") == "3600 to 4200")
        scene.wait(.seconds(499))
        #expect(scene.state == "running")
        scene.wait(.seconds(1))
        #expect(scene.state == "finishing")
        #expect(scene.timer("cycle") == "elapsed 3600 to 4200")
    }

    @Test("A value of the last run starts no countdown of the next")
    func staleValue() throws {
        var scene = try Scene(Self.oven)
        scene.send(#"{"mode": "run", "left": 600}"#)
        scene.wait(.seconds(300))
        scene.send(#"{"left": 300}"#)
        scene.send(#"{"mode": "idle"}"#)
        #expect(scene.timer("cycle") == "stopped")
        scene.wait(.hours(3))
        scene.send(#"{"mode": "run"}"#)
        #expect(scene.state == "running")
        #expect(scene.timer("cycle") == "stopped")
        #expect(scene.content == "{}")
        scene.wait(.seconds(5))
        scene.send(#"{"left": 900}"#)
        #expect(scene.timer("cycle") == "11105 to 12005")
    }

    @Test("A value reported before the run began starts its countdown")
    func earlyValue() throws {
        var scene = try Scene(Self.oven)
        scene.send(#"{"mode": "run", "left": 600}"#)
        scene.send(#"{"mode": "idle"}"#)
        scene.send(#"{"left": 900}"#)
        scene.wait(.seconds(10))
        scene.send(#"{"mode": "run"}"#)
        #expect(scene.timer("cycle") == "10 to 910")
    }

    @Test("A retained message can only shorten a countdown: some of its time may have passed already")
    func retainedRest() throws {
        var scene = try Scene(Self.oven)
        scene.send(#"{"mode": "run", "left": 600}"#, retained: true)
        #expect(scene.timer("cycle") == "0 to 600")
        scene.wait(.seconds(500))
        scene.send(#"{"mode": "run", "left": 600}"#, retained: true)
        #expect(scene.timer("cycle") == "0 to 600")
        scene.send(#"{"mode": "pause", "left": 600}"#, retained: true)
        #expect(scene.timer("cycle") == "100 of 600")
        scene.send(#"{"mode": "run", "left": 30}"#, retained: true)
        #expect(scene.timer("cycle") == "0 to 530")
        scene.send(#"{"mode": "run", "left": 600}"#)
        #expect(scene.timer("cycle") == "0 to 1100")
        scene.wait(.seconds(600))
        #expect(scene.state == "finishing")
        scene.send(#"{"left": 600}"#, retained: true)
        #expect(scene.timer("cycle") == "elapsed 0 to 1100")
    }

    @Test("A signal that only starts or pauses a countdown does not move its end")
    func whileIsNoEstimate() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { power: payload.power, left: seconds(payload.left) }
            timers:
              cycle: { remaining: left, while: power > 5 }
            machine:
              states: { on: { on: { cycle.elapsed: done } }, done: {} }
            """
        )
        scene.send(#"{"power": 10, "left": 600}"#)
        scene.wait(.seconds(100))
        scene.send(#"{"power": 11}"#)
        #expect(scene.timer("cycle") == "0 to 600")
        scene.send(#"{"power": 1}"#)
        #expect(scene.timer("cycle") == "500 of 600")
        scene.wait(.seconds(100))
        scene.send(#"{"power": 12}"#)
        #expect(scene.timer("cycle") == "100 to 700")
        scene.wait(.seconds(500))
        #expect(scene.state == "done")
    }

    @Test("A countdown until a moment, from another")
    func until() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { from: timestamp(int(payload.from)), to: timestamp(int(payload.to)) }
            timers:
              job: { until: to, from: from, while: inState("on") }
            machine:
              states: { on: { on: { job.elapsed: done } }, done: {} }
            """
        )
        scene.send(#"{"from": 999900, "to": 1000100}"#)
        #expect(scene.timer("job") == "-100 to 100")
        scene.send(#"{"to": 1000050}"#)
        #expect(scene.timer("job") == "-100 to 50")
        scene.wait(.seconds(50))
        #expect(scene.state == "done")
        #expect(scene.timer("job") == "elapsed -100 to 50")
    }

    @Test("Actions start, extend, pause, resume and stop a timer")
    func actions() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { any: payload.any }
            timers:
              tea: { duration: 'duration("3m")' }
              total: { count: up }
            machine:
              initial: on
              states:
                on:
                  on:
                    go: { actions: [{ start: tea }, { start: total }] }
                    short: { actions: { start: { timer: tea, duration: seconds(any) } } }
                    more: { actions: { extend: { timer: tea, by: seconds(60) } } }
                    hold: { actions: [{ pause: tea }, { pause: total }] }
                    resume: { actions: [{ resume: tea }, { resume: total }] }
                    end: { actions: [{ stop: tea }, { stop: total }] }
                    tea.elapsed: ready
                ready: {}
            """
        )
        scene.send(#"{"any": 20}"#)
        scene.tell("go")
        #expect(scene.timer("tea") == "0 to 180")
        #expect(scene.timer("total") == "since 0")
        scene.tell("more")
        #expect(scene.timer("tea") == "0 to 240")
        scene.wait(.seconds(40))
        scene.tell("hold")
        #expect(scene.timer("tea") == "200 of 240")
        #expect(scene.timer("total") == "held at 40")
        scene.wait(.seconds(10))
        scene.tell("resume")
        #expect(scene.timer("tea") == "10 to 250")
        #expect(scene.timer("total") == "since 10")
        scene.tell("end")
        #expect(scene.timer("tea") == "stopped")
        #expect(scene.timer("total") == "stopped")
        scene.tell("short")
        scene.wait(.seconds(20))
        #expect(scene.state == "ready")
        #expect(scene.story == ["70 on > ready"])
    }
}
