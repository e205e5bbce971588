import SkerryDevice
import SkerryFiles
import SkerryValues
import Testing

@Suite("No value, by its word")
struct AbsentValueTests {
    private static func washer(_ left: String) -> String {
        """
        sources:
          - topic: thing/{device}
            signals: { phase: payload.phase, left: '\(left)' }
        timers: { cycle: { remaining: left, while: inState("on") } }
        machine:
          initial: "off"
          states:
            "off": { always: { guard: phase == "wash", target: "on" } }
            "on": { title: On, always: { guard: phase == "end", target: "off" } }
        activity: { starts: "on", ends: "off", content: { cycle: timer.cycle } }
        """
    }

    @Test(
        "A message that has no value for a signal does not report it, so the end stands",
        arguments: [
            "payload.ok ? minutes(payload.left) : unset", "payload.ok ? minutes(payload.left) : left",
            "!payload.ok ? unset : minutes(payload.left)",
            "default(payload.ok ? minutes(payload.left) : unset, left)",
            "default(minutes(payload.ok ? payload.left : unset), left)",
            "cel.bind(x, payload.left, payload.ok ? minutes(x) : left)",
            "payload.ok ? minutes(payload.left) : payload.left > 5 ? left : unset",
            "payload.ok ? minutes(payload.left) : default(left, minutes(5))",
            "payload.ok ? minutes(payload.left) : default(left, default(left, unset))",
            "payload.ok ? minutes(payload.left) : default(default(left, minutes(payload.none)), minutes(5))",
        ]
    )
    func endStands(left: String) throws {
        var scene = try Scene(Self.washer(left))
        scene.send(#"{"phase": "wash", "ok": true, "left": 60}"#)
        scene.wait(.minutes(10))
        scene.send(#"{"ok": false, "left": 99}"#)
        #expect(scene.timer("cycle") == "0 to 3600")
        #expect(scene.signal("left") == "3600s")
        #expect(scene.updates.count == 1)
        scene.send(#"{"ok": true, "left": 40}"#)
        #expect(scene.timer("cycle") == "0 to 3000")
    }

    @Test(
        "The other value of a signal's own is its first one",
        arguments: [
            "default(left, minutes(5))", "default(default(left, minutes(payload.none)), minutes(5))",
            "default(default(default(left, payload.none), minutes(5)), minutes(6))",
        ]
    )
    func firstValue(other: String) throws {
        var scene = try Scene(Self.washer("payload.ok ? minutes(payload.left) : \(other)"))
        scene.send(#"{"phase": "wash", "ok": false, "left": 60}"#)
        #expect(scene.signal("left") == "300s")
        #expect(scene.timer("cycle") == "0 to 300")
        scene.wait(.minutes(2))
        scene.send(#"{"ok": false, "left": 60}"#)
        #expect(scene.timer("cycle") == "0 to 300")
    }

    @Test(
        "A definition with default() within default() comes back from its bytes",
        arguments: [
            "default(default(minutes(payload.a), minutes(payload.b)), minutes(payload.left))",
            "default(default(default(payload.a, payload.b), minutes(payload.left)), minutes(5))",
            "default(default(left, minutes(payload.a)), minutes(payload.left))",
            "payload.ok ? minutes(5) : default(default(minutes(payload.a), left), minutes(payload.left))",
        ]
    )
    func compiled(left: String) throws {
        var scene = try Scene(Self.washer(left))
        let bytes = try scene.definition.compiled()
        #expect(try Definition.read(compiled: bytes[...]).compiled() == bytes)
        scene.send(#"{"phase": "wash", "ok": false, "left": 60}"#)
        #expect(scene.signal("left") == "3600s")
    }

    @Test("A signal that is only a part of its own expression is computed from itself")
    func computed() throws {
        var scene = try Scene(Self.washer("default(left, minutes(0)) + minutes(payload.left)"))
        scene.send(#"{"left": 60}"#)
        scene.send(#"{"left": 60}"#)
        #expect(scene.signal("left") == "7200s")
    }

    @Test("A time left below zero is none")
    func negative() throws {
        var scene = try Scene(Self.washer("minutes(payload.left)"))
        scene.send(#"{"phase": "wash", "left": -1}"#)
        #expect(scene.timer("cycle") == "stopped")
        scene.send(#"{"left": 60}"#)
        scene.send(#"{"left": -1}"#)
        #expect(scene.timer("cycle") == "0 to 3600")
        scene.send(#"{"left": 0}"#)
        #expect(scene.timer("cycle") == "elapsed 0 to 0")
    }

    @Test("Content without a value is left out, a variable loses it, and an event is none")
    func elsewhere() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { x: payload.x }
                event: 'payload.x > 3 ? "high" : unset'
            context: { last: 1, never: unset }
            machine:
              states:
                a: { on: { high: { target: b } } }
                b: { entry: { assign: { last: unset } } }
            activity: { starts: [a, b], content: { x: "x > 1 ? x : unset", last: context.last } }
            """
        )
        scene.send(#"{"x": 1}"#)
        #expect(scene.content == #"{"last":1}"#)
        scene.send(#"{"x": 2}"#)
        #expect(scene.content == #"{"last":1,"x":2}"# || scene.content == #"{"x":2,"last":1}"#)
        scene.send(#"{"x": 4}"#)
        #expect(scene.state == "b")
        #expect(scene.content == #"{"x":4}"#)
    }

    @Test("A signal of this name is older than the word")
    func ownName() throws {
        var scene = try Scene(
            """
            sources: [{ topic: "thing/{device}", signals: { unset: payload.unset, copy: "unset" } }]
            machine: { states: { a: {} } }
            activity: { starts: a, content: { copy: copy } }
            """
        )
        scene.send(#"{"unset": 7}"#)
        #expect(scene.signal("copy") == "7")
    }

    @Test(
        "Other languages' words for it, and comparisons with it, are advised",
        arguments: [
            ("payload.ok ? minutes(payload.left) : none", "no value is written `unset`"),
            (
                "payload.ok ? minutes(payload.left) : None",
                "write `payload.ok ? minutes(payload.left) : unset`"
            ),
            (
                "payload.ok ? minutes(payload.left) : undefined",
                "write `payload.ok ? minutes(payload.left) : unset`"
            ),
            ("payload.ok ? minutes(payload.left) : null", "no value is written `unset`"),
            ("phase == unset ? minutes(1) : minutes(2)", "write `!has(phase)`"),
            ("unset != phase ? minutes(1) : minutes(2)", "write `has(phase)`"),
        ]
    )
    func advice(left: String, remedy: String) {
        let text = "skerry: 1\nkind: thing\n" + Self.washer(left)
        let file = DefinitionFile(path: "thing.yaml", bytes: Array(text.utf8))
        let problems = CompiledFiles([file], limits: DeviceLimits()).files.flatMap { $0.problems }
        #expect(problems.contains { $0.remedy?.hasPrefix(remedy) ?? false }, "\(problems)")
    }
}
