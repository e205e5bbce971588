import SkerryActivity
import SkerryDevice
import SkerryValues
import Testing

@Suite("Alerts that time gives")
struct MovingAlertTests {
    private static func washer(_ alerts: String, more: String = "") -> String {
        """
        sources:
          - topic: thing/{device}
            signals: { phase: payload.phase, left: minutes(payload.left), lead: minutes(payload.lead), hot: payload.hot }
        timers: { cycle: { remaining: left, while: inState("on") }, open: { count: up, while: inState("on") } }
        machine:
          initial: "off"
          states:
            "off": { always: { guard: phase == "wash", target: "on" } }
            "on": { title: On, always: [{ guard: phase == "end", target: "off" }, { guard: phase == "pause", target: paused }] }
            paused: { always: [{ guard: phase == "end", target: "off" }, { guard: phase == "wash", target: "on" }] }
        activity:
          starts: "on"
          ends: "off"
          content: { cycle: timer.cycle, open: timer.open }
          alerts: [\(alerts)]
          \(more)
        """
    }

    /// The alerts with the seconds since the start of the scene.
    private static func alerts(_ scene: Scene) -> [String] {
        scene.updates.compactMap { update in
            update.alert.map { "\((update.at - Scene.start).roundedSeconds) \($0.title)" }
        }
    }

    @Test(
        "A condition over a timer or the time comes to hold while only time passes, and is told once",
        arguments: [
            ("timer.cycle < minutes(5)", ["3300 Now"]), ("timer.cycle <= minutes(5)", ["3300 Now"]),
            ("minutes(5) > timer.cycle", ["3300 Now"]), ("timer.open > minutes(20)", ["1200 Now"]),
            ("elapsed() >= minutes(20)", ["1200 Now"]),
            ("timer.cycle - minutes(1) < minutes(5)", ["3240 Now"]),
            ("timer.cycle < lead", ["3000 Now"]), ("timer.cycle.getMinutes() < 5", ["3300 Now"]),
            ("timer.cycle.asSeconds() < 300.0", ["3300 Now"]), ("timer.cycle < minutes(5) && hot", []),
            ("timer.cycle < minutes(5) && !hot", ["3300 Now"]), ("!(timer.cycle > minutes(5))", ["3300 Now"]),
            ("timer.cycle < minutes(90)", ["0 Now"]), ("timer.cycle > minutes(90)", []),
            ("now > timestamp(1003000)", ["3000 Now"]),
            // It turns true twice.
            (
                "timer.open > minutes(10) && timer.open < minutes(20) || timer.cycle < minutes(5)",
                ["600 Now", "3300 Now"]
            ),
        ]
    )
    func given(condition: String, alerts: [String]) throws {
        var scene = try Scene(Self.washer("{ when: '\(condition)', title: Now }"))
        scene.send(#"{"phase": "wash", "left": 60, "lead": 10, "hot": false}"#)
        scene.wait(.minutes(59))
        #expect(Self.alerts(scene) == alerts)
    }

    @Test("It moves with the end, stands still in a pause, and is gone with the run")
    func moves() throws {
        var scene = try Scene(Self.washer("{ when: timer.cycle < minutes(5), title: Now }"))
        scene.send(#"{"phase": "wash", "left": 60}"#)
        scene.wait(.minutes(10))
        scene.send(#"{"left": 20}"#)
        scene.wait(.minutes(5))
        scene.send(#"{"phase": "pause"}"#)
        scene.wait(.minutes(60))
        #expect(Self.alerts(scene) == [])
        scene.send(#"{"phase": "wash"}"#)
        scene.wait(.minutes(9))
        #expect(Self.alerts(scene) == [])
        scene.wait(.minutes(2))
        #expect(Self.alerts(scene) == ["5100 Now"])
        // A report of more time takes it back, and the next time tells it again.
        scene.send(#"{"left": 30}"#)
        scene.wait(.minutes(26))
        #expect(Self.alerts(scene).count == 2)
        scene.send(#"{"phase": "end"}"#)
        scene.send(#"{"phase": "wash", "left": 10}"#)
        scene.send(#"{"phase": "end"}"#)
        scene.wait(.minutes(60))
        #expect(Self.alerts(scene).count == 2)
    }

    @Test("A restart keeps its moment")
    func restart() throws {
        var scene = try Scene(Self.washer("{ when: timer.cycle < minutes(5), title: Now }"))
        scene.send(#"{"phase": "wash", "left": 60}"#)
        scene.wait(.minutes(1))
        try scene.restart()
        scene.wait(.minutes(57))
        #expect(Self.alerts(scene) == ["3300 Now"])
    }

    @Test(
        "Events that the machine raises itself give alerts, in the words of their name",
        arguments: [
            ("raise", "{ after: { 10m: { actions: { raise: remind.soon } } } }"),
            ("raise", "{ after: { 10m: { target: b, actions: { raise: remind.soon } } } }"),
            ("raise", "{ after: { 10m: b } }"),
            ("send", "{ entry: { send: { event: remind.soon, delay: minutes(10) } } }"),
        ]
    )
    func raised(by action: String, state: String) throws {
        var scene = try Scene(
            """
            sources: [{ topic: "thing/{device}", signals: { x: payload.x } }]
            machine:
              initial: a
              states:
                a: \(state)
                b: { entry: { raise: remind.soon } }
            activity: { starts: [a, b], content: { x: x }, alerts: [{ event: remind, title: "It says {event}" }] }
            """
        )
        scene.send(#"{"x": 1}"#)
        scene.wait(.minutes(11))
        let alerts = Self.alerts(scene)
        #expect(alerts.first == "600 It says remind.soon")
        #expect(alerts.count == 1)
    }
}
