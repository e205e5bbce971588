import SkerryDevice
import SkerryValues
import Testing

@Suite("States that are passed through")
struct PassedStateTests {
    private static let silent = """
        sources: [{ topic: "thing/{device}", signals: { power: payload.power } }]
        machine:
          initial: idle
          states:
            idle: { always: { guard: power > 10, target: running } }
            running: { always: [{ guard: power < 5, target: idle }, { quiet: 10m, target: lost }] }
            lost: { always: { guard: power > 10, target: running } }
        activity: { starts: running, ends: [idle, lost], content: { power: power } }
        """

    @Test("A state that is left again at once is told, though the device is where it was")
    func back() throws {
        var scene = try Scene(Self.silent)
        scene.send(#"{"power": 100}"#)
        scene.wait(.minutes(11))
        #expect(scene.story.contains("600 running > lost > running"))
        #expect(scene.state == "running")
    }

    @Test("So is one on the way to another state, and none where the machine rests")
    func onTheWay() throws {
        var scene = try Scene(
            """
            sources: [{ topic: "thing/{device}", signals: { mode: payload.mode } }]
            machine:
              initial: idle
              states:
                idle: { always: { guard: mode == "run", target: heating } }
                heating: { always: { guard: mode == "run", target: running } }
                running: { always: { guard: mode == "off", target: idle } }
            """
        )
        scene.send(#"{"mode": "off"}"#)
        scene.send(#"{"mode": "run"}"#)
        scene.send(#"{"mode": "off"}"#)
        #expect(scene.story == ["0 idle > heating > running", "0 running > idle"])
    }

    @Test("What a parallel region enters and stays in is not passed through")
    func parallel() throws {
        var scene = try Scene(
            """
            sources: [{ topic: "thing/{device}", signals: { x: payload.x } }]
            machine:
              type: parallel
              states:
                one: { initial: a, states: { a: { always: { guard: x > 1, target: b } }, b: {} } }
                two: { initial: c, states: { c: { always: { guard: 'inState("b")', target: d } }, d: {} } }
            """
        )
        scene.send(#"{"x": 1}"#)
        scene.send(#"{"x": 2}"#)
        #expect(scene.story == ["0 a,c > b,d"])
    }
}
