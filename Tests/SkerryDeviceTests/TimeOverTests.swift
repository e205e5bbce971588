import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues
import Testing

@Suite("Countdowns that are over, and numbers that stand")
struct TimeOverTests {
    private static let washer = """
        sources:
          - topic: thing/{device}
            signals: { mode: payload.mode, left: minutes(payload.left), energy: payload.energy }
        timers: { cycle: { remaining: left, while: inState("on"), tolerance: 1m } }
        machine:
          initial: idle
          states:
            idle: { always: { guard: mode == "on", target: "on" } }
            "on": { always: [{ guard: mode == "held", target: held }, { guard: mode == "off", target: idle }] }
            held: { always: { guard: mode == "on", target: "on" } }
        activity:
          starts: "on"
          ends: idle
          content: { cycle: timer.cycle, energy: { value: energy, tolerance: 0.5 } }
        """

    @Test("A countdown at zero is left out by one update a minute later, and shown again with another end")
    func over() throws {
        var scene = try Scene(Self.washer)
        scene.send(#"{"mode": "on", "left": 10}"#)
        #expect(scene.content == #"{"cycle":{"start":1000000,"end":1000600}}"#)
        scene.wait(.minutes(10))
        scene.send(#"{"left": 0, "energy": 0}"#)
        #expect(scene.updates.count == 2)
        #expect(scene.content == #"{"cycle":{"start":1000000,"end":1000600},"energy":0}"#)
        scene.wait(.minutes(1))
        #expect(scene.updates.count == 3 && scene.content == #"{"energy":0}"#)
        scene.wait(.hours(3))
        scene.send(#"{"left": 0}"#)
        #expect(scene.updates.count == 3)
        scene.send(#"{"mode": "held"}"#)
        #expect(scene.content == #"{"energy":0}"#)
        scene.send(#"{"mode": "on", "left": 5}"#)
        #expect(scene.content == #"{"cycle":{"start":1000000,"end":1011760},"energy":0}"#)
    }

    @Test("A countdown that stands still beyond its end is kept by an edit, and when numbers become exact")
    func heldOver() throws {
        let signals = "energy: payload.energy }"
        let washer = Self.washer.replacing(signals, with: signals + "\n    available: payload.there")
        var scene = try Scene(washer)
        scene.send(#"{"mode": "on", "left": 10, "there": true}"#)
        scene.send(#"{"there": false}"#)
        scene.wait(.minutes(20))
        try scene.edit(washer)
        scene.wait(.minutes(20))
        #expect(scene.updates.count == 1 && scene.content == #"{"cycle":{"start":1000000,"end":1000600}}"#)
        scene = try Scene(washer)
        scene.send(#"{"mode": "on", "left": 10, "energy": 1, "there": true}"#)
        scene.send(#"{"energy": 1.2}"#)
        scene.send(#"{"there": false}"#)
        scene.wait(.minutes(30))
        #expect(scene.content == #"{"cycle":{"start":1000000,"end":1000600},"energy":1.2}"#)
    }

    @Test("A change of state at zero takes the countdown with it, and a restart keeps the minute")
    func zero() throws {
        var scene = try Scene(Self.washer)
        scene.send(#"{"mode": "on", "left": 10}"#)
        scene.wait(.minutes(10))
        try scene.restart()
        scene.wait(.seconds(59))
        #expect(scene.updates.count == 1)
        scene.send(#"{"mode": "off"}"#)
        #expect(scene.updates.count == 2 && scene.content == "{}" && scene.updates[1].kind == .ended)
        scene.wait(.minutes(5))
        #expect(scene.updates.count == 2)
    }

    @Test(
        "A countdown at zero is paused, too, by a pause in which time is left",
        arguments: [
            ([#"{"mode": "held", "left": 20}"#], "1200 of 1800"),
            ([#"{"mode": "held"}"#, #"{"left": 20}"#], "1200 of 1800"),
            ([#"{"mode": "held", "left": 20}"#, #"{"left": 5}"#], "300 of 900"),
            ([#"{"mode": "held"}"#], "elapsed 0 to 600"),
            ([#"{"mode": "held", "left": 0}"#], "elapsed 0 to 600"),
            ([#"{"mode": "held", "left": -1}"#], "elapsed 0 to 600"),
        ] as [([String], String)]
    )
    func pause(messages: [String], timer: String) throws {
        var scene = try Scene(Self.washer)
        scene.send(#"{"mode": "on", "left": 10}"#)
        scene.wait(.minutes(15))
        for message in messages { scene.send(message) }
        #expect(scene.timer("cycle") == timer)
        guard !timer.hasPrefix("elapsed") else {
            #expect(scene.content == "{}")
            return
        }
        let parts = timer.split(separator: " of ")
        #expect(scene.content == "{\"cycle\":{\"remaining\":\(parts[0]),\"duration\":\(parts[1])}}")
        scene.wait(.minutes(30))
        try scene.restart()
        let (left, length) = (try #require(Int64(parts[0])), try #require(Int64(parts[1])))
        scene.send(#"{"mode": "on"}"#)
        #expect(scene.timer("cycle") == "\(2700 + left - length) to \(2700 + left)")
        scene.wait(.seconds(left))
        #expect(scene.timer("cycle").hasPrefix("elapsed"))
    }

    @Test("What a retained message tells, or a device in the state that zero led to, is no pause")
    func noPause() throws {
        var scene = try Scene(Self.washer)
        scene.send(#"{"mode": "on", "left": 10}"#)
        scene.wait(.minutes(15))
        scene.send(#"{"mode": "held", "left": 20}"#, retained: true)
        #expect(scene.timer("cycle") == "elapsed 0 to 600")
        let text = Self.washer.replacing(
            #""on": { always"#,
            with: #"finishing: { always: { guard: mode == "off", target: idle } }"# + "\n    "
                + #""on": { on: { cycle.elapsed: finishing }, always"#
        )
        scene = try Scene(text)
        scene.send(#"{"mode": "on", "left": 10}"#)
        scene.wait(.minutes(15))
        scene.send(#"{"left": 4}"#)
        #expect(scene.state == "finishing" && scene.timer("cycle") == "elapsed 0 to 600")
    }

    @Test("A negative time left says nothing", arguments: [-1, -60])
    func negative(left: Int) throws {
        var scene = try Scene(Self.washer)
        scene.send("{\"mode\": \"on\", \"left\": \(left)}")
        #expect(scene.timer("cycle") == "stopped")
        scene.send(#"{"left": 10}"#)
        scene.send("{\"left\": \(left)}")
        #expect(scene.timer("cycle") == "0 to 600")
    }

    /// Energy by minutes, and what is told when.
    @Test(
        "A number within its tolerance is told exactly after a quarter of an hour",
        arguments: [
            // One report, and then silence.
            ([(1, 0.4)], ["960 0.4"]),
            // The latest value, and the next quarter begins with the next difference.
            ([(1, 0.2), (5, 0.3), (20, 0.5)], ["960 0.3", "2100 0.5"]),
            // What is as it was is not told.
            ([(1, 0.4), (2, 0)], []),
            // Beyond the tolerance at once.
            ([(1, 0.4), (2, 0.9), (30, 0.9)], ["120 0.9"]),
        ] as [([(Int64, Double)], [String])]
    )
    func bound(reports: [(Int64, Double)], told: [String]) throws {
        for isRestarted in [false, true] {
            var scene = try Scene(Self.washer)
            scene.send(#"{"mode": "on", "energy": 0}"#)
            for (minute, energy) in reports {
                scene.wait(Scene.start + .minutes(minute) - scene.now)
                scene.send("{\"energy\": \(energy)}")
                if isRestarted { try scene.restart() }
            }
            scene.wait(.hours(2))
            let updates = scene.updates.dropFirst().map { update in
                let energy = update.content["energy"].map { Scene.text($0) } ?? "none"
                return "\((update.at - Scene.start).roundedSeconds) \(energy)"
            }
            #expect(updates == told)
            #expect(scene.engine.brokenInvariant() == nil)
        }
    }

    @Test("A change of state tells exact numbers, and a definition may wait longer for them")
    func longer() throws {
        let text = Self.washer.replacing("ends: idle", with: "ends: idle\n  exactAfter: 1h")
        var scene = try Scene(text)
        scene.send(#"{"mode": "on", "energy": 0}"#)
        scene.send(#"{"energy": 0.4}"#)
        scene.wait(.minutes(59))
        #expect(scene.updates.count == 1)
        scene.wait(.minutes(1))
        #expect(scene.updates.count == 2 && scene.content == #"{"energy":0.4}"#)
        #expect(
            try Definition.read(compiled: scene.definition.compiled()[...]).compiled()
                == scene.definition.compiled()
        )
    }

    @Test(
        "The message that starts a device and its run by an event keeps what it set",
        arguments: [false, true]
    )
    func reset(isSecond: Bool) throws {
        var scene = try Scene(
            """
            sources:
              - { topic: "thing/{device}", signals: { left: payload.left, heat: payload.heat }, event: "'telemetry'" }
            machine:
              initial: none
              states:
                none: { on: { telemetry: { guard: left > 1, target: busy } } }
                busy: { always: { guard: left <= 1, target: none } }
            activity: { starts: busy, ends: none, reset: [left, heat], content: { left: left, heat: heat } }
            """
        )
        if isSecond { scene.send(#"{"left": 0, "heat": 5}"#) }
        scene.send(#"{"left": 97}"#)
        #expect(scene.state == "busy" && scene.content == #"{"left":97}"#)
    }
}
