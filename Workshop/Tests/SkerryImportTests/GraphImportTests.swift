import Foundation
import SkerryDevice
import SkerryFiles
import SkerryImport
import Testing

/// What `skerry graph` writes as SCXML, read back by `skerry import scxml`.
@Suite struct GraphImportTests {
    private static let devices = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../devices").standardizedFileURL.path

    /// The states with what is around them and what they are, and the transitions that lead somewhere, sorted.
    private func outline(_ state: StateDraft, in parent: String = "") -> [String] {
        let name = Self.identifier(state.name.text)
        let own = ["\(parent)/\(name) \(state.kind) starts \(state.initial.map { Self.identifier($0.text) })"]
        let arrows = state.transitions.filter { !$0.targets.isEmpty }
            .map { "\(name) -> \($0.targets.map { Self.identifier($0.text) })" }
        return (own + arrows + state.states.flatMap { outline($0, in: name) }).sorted()
    }

    /// The name as an identifier of XML.
    private static func identifier(_ name: String) -> String {
        name.replacingOccurrences(of: " ", with: "_")
    }

    @Test func `the definitions in devices keep their states, transitions and targets`() throws {
        let files = try DefinitionFiles.load([Self.devices])
        #expect(!files.isEmpty)
        for file in files {
            let draft = try #require(file.reading.draft)
            let scxml = DefinitionGraph.text(of: draft, as: .scxml)
            let imported = SCXMLTranslation.definition(from: scxml, kind: nil, file: "graph.scxml")
            let yaml = try #require(imported.yaml, "\(scxml)")
            let back = try #require(DefinitionReader.read(text: yaml).draft)
            var machine = draft.machine
            var found = back.machine
            if !machine.transitions.isEmpty {
                // SCXML has no transitions outside of states: such a machine comes back in a state of its own.
                found = try #require(back.machine.states.first)
                machine.name = found.name
            }
            #expect(outline(found) == outline(machine), "\(scxml)\n\(yaml)")
            #expect(back.kind.text == draft.kind.text)
        }
    }

    @Test func `parallel, final and history states come back`() throws {
        let text = """
            skerry: 1
            kind: oven
            machine:
              initial: off
              states:
                off: { on: { go stop: on }, after: { 10s: on } }
                on:
                  type: parallel
                  on: { bell: { target: [hot, past], internal: true } }
                  states:
                    heat: { initial: hot, states: { warm: {}, hot: { always: { guard: false, target: ended } } } }
                    door:
                      states:
                        shut: { on: { ring: { actions: { raise: rung } } } }
                        past: { type: history, history: deep, target: shut }
                ended: { type: final }
            """
        let draft = try #require(DefinitionReader.read(text: text).draft)
        let scxml = DefinitionGraph.text(of: draft, as: .scxml)
        let imported = SCXMLTranslation.definition(from: scxml, kind: nil, file: "graph.scxml")
        let yaml = try #require(imported.yaml)
        let back = try #require(DefinitionReader.read(text: yaml).draft)
        #expect(outline(back.machine) == outline(draft.machine), "\(scxml)\n\(yaml)")
    }
}
