import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryValues
import Testing

/// Fields of the content with `when`.
@Suite("Fields that are hidden")
struct HiddenFieldTests {
    private static func oven(_ condition: String) -> String {
        """
        sources:
          - topic: thing/{device}
            signals: { mode: payload.mode, left: seconds(payload.left), shy: payload.shy }
        timers:
          cycle: { remaining: left, while: 'inState("running") || inState("cooling")' }
        machine:
          initial: idle
          states:
            idle: { always: { guard: mode == "run", target: running } }
            running: { always: [{ guard: mode == "cool", target: cooling }, { guard: mode == "idle", target: idle }] }
            cooling: { on: { cycle.elapsed: idle }, always: { guard: mode == "run", target: running } }
        activity:
          starts: running
          ends: idle
          content: { cycle: { value: timer.cycle, when: '\(condition)' }, mode: mode }
        """
    }

    @Test func `a countdown is hidden in a state, runs on, and is shown with its present end`() throws {
        var scene = try Scene(Self.oven(#"!inState("cooling")"#))
        scene.send(#"{"mode": "run", "left": 600}"#)
        scene.wait(.seconds(100))
        scene.send(#"{"mode": "cool"}"#)
        let hidden = try #require(scene.updates.last)
        #expect(Scene.text(.map(hidden.content)) == #"{"mode":"cool"}"#)
        #expect(hidden.patch.map { Scene.text(.map($0)) }?.contains(#""cycle":null"#) == true)
        #expect(scene.timer("cycle") == "0 to 600")
        scene.send(#"{"left": 300}"#)
        #expect(scene.updates.count == 2 && scene.timer("cycle") == "0 to 400")
        scene.send(#"{"mode": "run"}"#)
        #expect(scene.content == #"{"cycle":{"start":1000000,"end":1000400},"mode":"run"}"#)
        scene.send(#"{"mode": "cool"}"#)
        scene.wait(.seconds(300))
        #expect(scene.state == "idle" && scene.updates.last?.phase == .ended)
    }

    @Test func `what is foretold hides it, too`() throws {
        let text = Self.oven(#"!inState("cooling")"#)
            .replacing("running: { always", with: "running: { after: { 5m: cooling }, always")
            .replacing(#"idle }, always: { guard: mode == "run", target: running }"#, with: "idle }")
        var scene = try Scene(text)
        scene.send(#"{"mode": "run", "left": 600}"#)
        let told = scene.effects.compactMap { effect in
            if case .foretold(let timeline?) = effect.what { timeline } else { nil }
        }
        #expect(told.last?.entries.prefix(2).map { $0.content["cycle"] != nil } == [true, false])
    }

    @Test func `a signal shows and hides it; without a value it is hidden`() throws {
        var scene = try Scene(Self.oven("!shy"))
        scene.send(#"{"mode": "run", "left": 600}"#)
        #expect(scene.content == #"{"mode":"run"}"#)
        #expect(scene.failedReadings == 0)
        scene.send(#"{"shy": false}"#)
        #expect(scene.content == #"{"cycle":{"start":1000000,"end":1000600},"mode":"run"}"#)
        scene.send(#"{"shy": true}"#)
        #expect(scene.content == #"{"mode":"run"}"#)
    }

    @Test(
        "a condition that changes by itself, one that is no truth value, and an unknown state are refused",
        arguments: [
            ("timer.cycle > minutes(1)", "content that changes by itself would be sent all the time"),
            ("elapsed() > minutes(1)", "content that changes by itself would be sent all the time"),
            ("left", "bool"), (#"inState("colling")"#, "did you mean 'cooling'?"),
        ]
    )
    func refused(condition: String, message: String) {
        let text = "skerry: 1\nkind: thing\n" + Self.oven(condition)
        let compiled = CompiledFiles([DefinitionFile(path: "thing.yaml", bytes: Array(text.utf8))])
        #expect(compiled.definitions.isEmpty, "\(condition)")
        #expect(compiled.report(DiagnosticPrinter()).contains(message))
    }

    @Test func `a compiled definition hides it`() throws {
        let definition = try Scene.definition(Self.oven(#"inState("running")"#))
        let read = try Definition.read(compiled: definition.compiled()[...])
        #expect(try read.compiled() == definition.compiled())
    }
}
