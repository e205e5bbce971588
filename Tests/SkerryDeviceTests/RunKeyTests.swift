import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryValues
import Testing

@Suite("The key of a run")
struct RunKeyTests {
    static let printer = """
        sources:
          - topic: thing/{device}
            signals:
              mode: payload.mode
              job: payload.job
              left: minutes(payload.left)
              share: payload.share
        timers: { cycle: { remaining: left, while: inState("on") } }
        machine:
          initial: idle
          states:
            idle: { always: { guard: mode == "on", target: "on" } }
            "on":
              always:
                - { guard: mode == "held", target: held }
                - { guard: mode == "off", target: over }
                - { guard: share > 99, target: over }
            held: { always: { guard: mode == "on", target: "on" } }
            over: { always: { guard: mode == "on" && changed(mode), target: "on" } }
        activity:
          starts: "on"
          ends: over
          run: job
          reset: [share]
          attributes: { job: job }
          content: { share: share, cycle: timer.cycle }
          alerts: { "on": { title: "Job {job}" } }
          dismiss: 10m
        """

    @Test("Another key ends the run as it was shown and begins the next, in one message")
    func replaced() throws {
        var scene = try Scene(Self.printer)
        scene.send(#"{"mode": "on", "job": 7, "share": 90, "left": 10}"#)
        scene.wait(.minutes(5))
        scene.send(#"{"job": 8, "left": 30}"#)
        #expect(scene.story == ["0 1 started on ! Job 7", "300 2 ended on", "300 1 started on ! Job 8"])
        let (end, next) = (scene.updates[1], scene.updates[2])
        #expect(end.id == "thing/a/1000000" && next.id == "thing/a/1000300")
        #expect(end.dismissAt == scene.now + .minutes(10))
        #expect(Scene.text(.map(end.content)) == #"{"share":90,"cycle":{"start":1000000,"end":1000600}}"#)
        #expect(Scene.text(.map(end.attributes)) == #"{"job":7}"#)
        #expect(Scene.text(.map(next.attributes)) == #"{"job":8}"#)
        #expect(Scene.text(.map(next.content)) == #"{"cycle":{"start":1000300,"end":1002100}}"#)
    }

    @Test("An end that was reported for the last run is none of the next")
    func timers() throws {
        var scene = try Scene(Self.printer)
        scene.send(#"{"mode": "on", "job": 7, "left": 10}"#)
        scene.send(#"{"job": 8}"#)
        #expect(scene.timer("cycle") == "stopped")
        scene.send(#"{"left": 10}"#)
        #expect(scene.timer("cycle") == "0 to 600")
    }

    @Test(
        "Runs by what the device reports",
        arguments: [
            // The same key is the same run until an end was entered and left.
            ([#"{"mode": "on", "job": 7}"#, #"{"mode": "held"}"#, #"{"mode": "on"}"#], 1),
            ([#"{"mode": "on", "job": 7}"#, #"{"mode": "off"}"#, #"{"mode": "on"}"#], 2),
            ([#"{"mode": "on", "job": 7}"#, #"{"mode": "off"}"#, "wait", #"{"mode": "on", "job": "7"}"#], 2),
            ([#"{"mode": "on", "job": 7}"#, #"{"mode": "off"}"#, #"{"mode": "on"}"#, #"{"job": 8}"#], 3),
            ([#"{"mode": "on", "job": 7}"#, #"{"mode": "off", "job": 8}"#, #"{"mode": "on"}"#], 2),
            // An absent key changes nothing; the first one that comes belongs to the run.
            ([#"{"mode": "on", "job": ""}"#, #"{"job": 7}"#, #"{"job": null}"#, #"{"job": 7}"#], 1),
            ([#"{"mode": "on"}"#, #"{"job": 7}"#, #"{"job": 8}"#], 2),
            ([#"{"mode": "on", "job": 7}"#, #"{"job": ""}"#, #"{"job": 8}"#], 2),
            // A change while the machine rests elsewhere counts when it is back.
            ([#"{"mode": "on", "job": 7}"#, #"{"mode": "held"}"#, #"{"job": 8}"#], 1),
            ([#"{"mode": "on", "job": 7}"#, #"{"mode": "held"}"#, #"{"job": 8}"#, #"{"mode": "on"}"#], 2),
            ([#"{"mode": "on", "job": 7}"#, #"{"mode": "held"}"#, #"{"mode": "on"}"#], 1),
        ]
    )
    func runs(messages: [String], runs: Int) throws {
        var scene = try Scene(Self.printer)
        for message in messages {
            if message == "wait" { scene.wait(.hours(1)) } else { scene.send(message) }
        }
        #expect(Set(scene.updates.map(\.id)).count == runs)
    }

    @Test("A run starts without the values of the last one, and guards see them unset at once")
    func reset() throws {
        var scene = try Scene(Self.printer)
        scene.send(#"{"mode": "on", "job": 7, "share": 50}"#)
        scene.send(#"{"mode": "off", "share": 98}"#)
        scene.send(#"{"mode": "on", "job": 8}"#)
        #expect(scene.signal("share") == "unset")
        scene.send(#"{"job": 9, "share": 3}"#)
        #expect(scene.signal("share") == "3", "the message that starts the run set it")
        #expect(scene.content == #"{"share":3}"#)
    }

    @Test(
        "What was reported while the guard that starts the run held is of this run, what came before is not",
        arguments: [false, true]
    )
    func resetAfterHolding(isEdited: Bool) throws {
        let held = Self.printer.replacing(
            #"idle: { always: { guard: mode == "on", target: "on" } }"#,
            with: #"idle: { always: { guard: mode == "on", for: 10s, target: "on" } }"#
        )
        #expect(held != Self.printer)
        for (messages, share) in [
            ([#"{"mode": "on", "job": 7, "share": 3}"#], "3"),
            ([#"{"mode": "on", "job": 7}"#, #"{"share": 4}"#], "4"),
            ([#"{"share": 98}"#, #"{"mode": "on", "job": 7}"#], "unset"),
        ] {
            var scene = try Scene(held)
            for message in messages {
                scene.send(message)
                scene.wait(.seconds(2))
            }
            if isEdited { try scene.edit(held) }
            scene.wait(.seconds(10))
            #expect(scene.story.last?.hasSuffix(" 1 started on ! Job 7") == true)
            #expect(scene.signal("share") == share, "\(messages)")
        }
    }

    @Test("A restart keeps the key; devices without one have the images of earlier versions")
    func image() throws {
        var scene = try Scene(Self.printer)
        scene.send(#"{"mode": "idle", "job": 7}"#)
        #expect(scene.engine.takeImages(all: true)[0].bytes.first == 2)
        scene.send(#"{"mode": "on"}"#)
        try scene.restart()
        scene.send(#"{"job": 7}"#)
        #expect(scene.updates.count == 1)
        scene.send(#"{"job": 8}"#)
        #expect(scene.updates.map(\.rev) == [1, 2, 1])
        scene.send(#"{"mode": "off"}"#)
        scene.wait(.hours(1))
        try scene.restart()
        scene.send(#"{"mode": "on", "job": 8}"#)
        #expect(scene.updates.map(\.rev) == [1, 2, 1, 2, 1])
    }

    @Test("A key that begins one run only is told when it swallows another, also over a restart")
    func once() throws {
        var scene = try Scene(Self.printer.replacing("run: job", with: "run: { key: job, once: true }"))
        scene.send(#"{"mode": "on", "job": 7}"#)
        scene.send(#"{"mode": "off"}"#)
        try scene.restart(after: .hours(1))
        scene.send(#"{"mode": "on", "job": 7}"#)
        scene.send(#"{"job": 7}"#)
        let faults = scene.story.filter { $0.contains("fault") }
        #expect(faults == ["3600 fault: no run begins: its key is that of the last one, and 'run' says once"])
        #expect(scene.updates.count == 2)
        scene.send(#"{"job": 8}"#)
        #expect(scene.updates.map(\.rev) == [1, 2, 1])
        #expect(
            try Definition.read(compiled: scene.definition.compiled()[...]).compiled()
                == scene.definition.compiled()
        )
    }

    @Test("A key that is neither text nor a whole number is refused, or counted as a failed reading")
    func wrongKeys() throws {
        let wrong = "skerry: 1\nkind: thing\n" + Self.printer.replacing("run: job", with: "run: job == 3")
        let compiled = CompiledFiles([DefinitionFile(path: "thing.yaml", bytes: Array(wrong.utf8))])
        #expect(
            compiled.report(DiagnosticPrinter()).contains("the key of a run must be a text or a whole number")
        )
        var scene = try Scene(Self.printer)
        scene.send(#"{"mode": "on", "job": 7}"#)
        scene.send(#"{"job": 7.5}"#)
        #expect(scene.updates.count == 1)
        #expect(scene.failedReadings > 0)
    }
}
