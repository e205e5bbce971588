import SkerryDevice
import SkerryValues
import Testing

@Suite("Machines of devices")
struct MachineTests {
    static let plug = """
        sources:
          - topic: thing/{device}
            signals: { power: payload.power }
        timers:
          total: { count: up, from: since, while: inState("on") }
        machine:
          initial: off
          states:
            off: { always: { guard: power > 5, for: 2m, dropout: 10s, target: on } }
            on: { always: { guard: power < 5, for: 1m, target: off } }
        activity:
          starts: on
          ends: off
          content: { total: timer.total }
        """

    @Test("A guard that must hold forgives short lapses, and the run begins when it turned true")
    func sustained() throws {
        var scene = try Scene(Self.plug)
        scene.send(#"{"power": 10}"#)
        scene.wait(.seconds(60))
        scene.send(#"{"power": 1}"#)
        scene.wait(.seconds(9))
        scene.send(#"{"power": 10}"#)
        scene.wait(.seconds(50))
        #expect(scene.state == "off")
        scene.wait(.seconds(1))
        #expect(scene.state == "on")
        #expect(scene.timer("total") == "since 0")
        #expect(scene.content == #"{"total":{"start":1000000}}"#)
        #expect(scene.story == ["120 off > on", "120 1 started on"])
    }

    @Test("A lapse as long as the dropout restarts the wait")
    func dropout() throws {
        var scene = try Scene(Self.plug)
        scene.send(#"{"power": 10}"#)
        scene.wait(.seconds(60))
        scene.send(#"{"power": 1}"#)
        scene.wait(.seconds(10))
        scene.send(#"{"power": 10}"#)
        scene.wait(.seconds(119))
        #expect(scene.state == "off")
        scene.wait(.seconds(1))
        #expect(scene.state == "on")
        #expect(scene.timer("total") == "since 70")
    }

    @Test("after counts from the entry of the state, quiet from the last message that is not retained")
    func waiting() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { on: payload.on }
            machine:
              initial: off
              states:
                off: { always: { guard: on, target: busy } }
                busy: { after: { 10m: late }, always: { quiet: 4m, target: lost } }
                late: {}
                lost: { on: { again: busy } }
            """
        )
        scene.send(#"{"on": true}"#)
        scene.wait(.seconds(200))
        scene.send("{}")
        scene.wait(.seconds(200))
        scene.send("{}", retained: true)
        scene.wait(.seconds(39))
        #expect(scene.state == "busy")
        scene.wait(.seconds(1))
        #expect(scene.state == "lost", "the replay broke no silence")
        scene.tell("again")
        for _ in 0..<9 {
            scene.wait(.minutes(1))
            scene.send("{}")
        }
        scene.wait(.seconds(59))
        #expect(scene.state == "busy")
        scene.wait(.seconds(1))
        #expect(scene.state == "late")
    }

    @Test("Variables are assigned by actions and read by guards; an error leaves them as they were")
    func context() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { step: payload.step }
            context: { sum: 0, first: '"none"' }
            machine:
              initial: counting
              states:
                counting:
                  on:
                    add: { actions: [{ assign: { sum: context.sum + step } }, { assign: { first: '"some"' } }] }
                  always: { guard: context.sum >= 5, target: full }
                full: {}
            activity: { starts: full, ends: counting, content: { sum: context.sum, first: context.first } }
            """
        )
        scene.send(#"{"step": 2}"#)
        scene.tell("add")
        scene.tell("add")
        #expect(scene.state == "counting")
        scene.send(#"{"step": "x"}"#)
        scene.tell("add")
        #expect(scene.failedReadings == 1)
        scene.send(#"{"step": 1}"#)
        scene.tell("add")
        #expect(scene.state == "full")
        #expect(scene.content == #"{"sum":5,"first":"some"}"#)
    }

    @Test("A machine that finds no rest returns to its last stable state and variables, with a fault")
    func endless() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { power: payload.power }
            context: { turns: 0 }
            machine:
              initial: calm
              states:
                calm: { always: { guard: power > 5, target: left } }
                left: { entry: { assign: { turns: context.turns + 1 } }, always: { guard: power > 5, target: right } }
                right: { always: { guard: power < 20, target: left } }
                out: {}
              on: { check: { guard: context.turns == 0, target: out } }
            """
        )
        scene.send(#"{"power": 1}"#)
        scene.send(#"{"power": 9}"#)
        #expect(scene.state == "calm")
        #expect(scene.signal("power") == "9")
        #expect(scene.story.count == 1)
        #expect(scene.story.last?.hasPrefix("0 fault: the machine does not come to rest") == true)
        scene.send(#"{"power": 2}"#)
        scene.tell("check")
        #expect(scene.state == "out")
    }

    @Test("The same when a deadline causes it")
    func endlessAfterDeadline() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { power: payload.power }
            context: { turns: 0 }
            machine:
              initial: calm
              states:
                calm: { after: { 5s: left } }
                left: { entry: { assign: { turns: context.turns + 1 } }, always: { guard: power > 5, target: right } }
                right: { always: { guard: power < 20, target: left } }
                out: {}
              on: { check: { guard: context.turns == 0, target: out } }
            """
        )
        scene.send(#"{"power": 9}"#)
        scene.wait(.seconds(5))
        #expect(scene.state == "calm")
        #expect(scene.story.count == 1)
        scene.tell("check")
        #expect(scene.state == "out")
    }

    static let button = """
        sources:
          - topic: thing/{device}
            signals: { action: payload.action }
            event: payload.action
        machine:
          initial: off
          states:
            off: { on: { press: on } }
            on: { on: { press: off, "snooze.*": dozing } }
            dozing: {}
        """

    @Test("A message raises its event once, a retained one never")
    func events() throws {
        var scene = try Scene(Self.button)
        scene.send(#"{"action": ""}"#)
        scene.send(#"{"action": "press"}"#, retained: true)
        #expect(scene.state == "off")
        #expect(scene.signal("action") == #""press""#)
        scene.send(#"{"action": "press"}"#)
        #expect(scene.state == "on")
        scene.send(#"{"battery": 90}"#)
        #expect(scene.state == "on", "an absent field is no event")
        scene.tell("snooze.long")
        #expect(scene.state == "dozing")
        scene.tell("unheard")
        #expect(scene.state == "dozing")
        #expect(scene.failedReadings == 0)
    }

    @Test("The very first message of a device raises its event, too")
    func firstEvent() throws {
        var scene = try Scene(Self.button)
        scene.send(#"{"action": "press"}"#)
        #expect(scene.state == "on")
        var replayed = try Scene(Self.button)
        replayed.send(#"{"action": "press"}"#, retained: true)
        #expect(replayed.state == "off")
    }

    @Test("Availability is an effect when it changes, after retained messages too")
    func availability() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                payload: text
                available: payload == "online"
            machine:
              initial: up
              states:
                up: { always: { guard: "!device.available", target: down } }
                down: { always: { guard: device.available, target: up } }
            """
        )
        #expect(scene.isAvailable == nil)
        scene.send("online", retained: true)
        scene.send("online")
        scene.send("offline")
        scene.send("offline")
        scene.send("online")
        #expect(
            scene.story == ["0 online", "0 offline", "0 up > down", "0 online", "0 down > up"]
        )
        #expect(scene.isAvailable == true)
    }
}
