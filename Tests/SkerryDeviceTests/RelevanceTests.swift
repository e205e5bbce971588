import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryValues
import Testing

/// The relevance of a run follows states and an expression, and goes with updates only.
@Suite("Relevance")
struct RelevanceTests {
    private static let freezer = """
        sources:
          - topic: thing/{device}
            signals: { open: payload.open, warm: payload.warm, label: payload.label }
        machine:
          initial: shut
          states:
            shut: { always: { guard: open, target: ajar } }
            ajar:
              always: { guard: "!open", target: shut }
              relevance: 30
              states:
                fresh: { always: { guard: warm > -5, target: thawing } }
                thawing: { relevance: 100 }
                calm: {}
        activity:
          starts: ajar
          ends: shut
          content: { label: label }
        """

    @Test("that of a state holds, or of the nearest state around it; then that of the activity")
    func states() throws {
        var scene = try Scene(Self.freezer.replacing("relevance: 30", with: "relevance: 20.5"))
        scene.send(#"{"open": true, "warm": -20}"#)
        scene.send(#"{"warm": 0}"#)
        scene.send(#"{"open": false}"#)
        let texts = scene.updates.map { String(decoding: $0.diffJSON() ?? $0.snapshotJSON(), as: UTF8.self) }
        #expect(scene.updates.map(\.relevance) == [20.5, 100, 50])
        #expect(texts[0].hasSuffix(#""content":{},"relevance":20.5}"#))
        #expect(texts[1].hasSuffix(#""patch":{"state":"thawing","relevance":100}}"#), "\(texts[1])")
        #expect(texts[2].hasSuffix(#""state":"shut","relevance":50}}"#), "\(texts[2])")
    }

    @Test("an expression is evaluated for updates, bounded, and 50 where it fails; alone it sends nothing")
    func expression() throws {
        let text = Self.freezer.replacing("  content:", with: "  relevance: warm * 2\n  content:")
            .replacing("      relevance: 30\n", with: "")
        var scene = try Scene(text)
        scene.send(#"{"open": true}"#)
        for (warm, label) in [(-30, "a"), (-10, "a"), (-10, "b")] {
            scene.send(#"{"warm": \#(warm), "label": "\#(label)"}"#)
        }
        scene.send(#"{"warm": -7.5}"#)
        #expect(scene.updates.map(\.relevance) == [50, 0, 0])
        #expect(scene.updates.map { $0.patch?["relevance"] != nil } == [false, true, false])
    }

    @Test("one number for all runs is neither in snapshots nor in diffs")
    func constant() throws {
        var scene = try Scene(
            Self.freezer.replacing("  content:", with: "  relevance: 70\n  content:")
                .replacing("      relevance: 30\n", with: "").replacing("{ relevance: 100 }", with: "{}")
        )
        scene.send(#"{"open": true}"#)
        scene.send(#"{"warm": 0}"#)
        #expect(scene.updates.map(\.relevance) == [70, 70])
        #expect(
            scene.updates.allSatisfy {
                !String(decoding: $0.diffJSON() ?? $0.snapshotJSON(), as: UTF8.self).contains("relevance")
            }
        )
    }

    @Test("a device that is restored has the snapshot that it published")
    func restored() throws {
        var scene = try Scene(Self.freezer)
        scene.send(#"{"open": true, "warm": 0}"#)
        let definition = scene.definition
        let device = try #require(scene.engine.device(kind: "thing", named: "a")?.device)
        let layout = DefinitionLayout(of: definition)
        let map = LayoutMap(from: layout, to: definition)
        let back = try Device(name: "a", image: device.image(in: definition)[...], map: map, in: definition)
        let snapshot = try #require(back.activity).snapshotJSON()
        #expect(snapshot == device.activity?.snapshotJSON())
        #expect(String(decoding: snapshot, as: UTF8.self).hasSuffix(#","relevance":100}"#))
        #expect(device.brokenImage(map: map, in: definition) == nil)
    }

    @Test("a compiled definition has it")
    func compiled() throws {
        let text = Self.freezer.replacing("  content:", with: "  relevance: warm\n  content:")
        let definition = try Scene.definition(text)
        let read = try Definition.read(compiled: definition.compiled()[...])
        #expect(try read.compiled() == definition.compiled())
        var scene = try Scene(text)
        scene.engine = .init(definitions: [read], epoch: 7)
        scene.send(#"{"open": true, "warm": 0}"#)
        #expect(scene.updates.map(\.relevance) == [100])
    }

    @Test("a text is none")
    func text() {
        let text = Self.freezer.replacing("  content:", with: "  relevance: device.name\n  content:")
        let file = DefinitionFile(path: "thing.yaml", bytes: Array("skerry: 1\nkind: thing\n\(text)".utf8))
        let problems = CompiledFiles([file]).problems.map { "\($0)" }
        #expect(problems.contains { $0.contains("a relevance must be a number") }, "\(problems)")
    }
}
