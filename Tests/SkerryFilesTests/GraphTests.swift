import Foundation
import SkerryDevice
import SkerryFiles
import SkerryTesting
import Testing

@Suite("Pictures of machines")
struct GraphTests {
    private static let everything = #"""
        skerry: 1
        kind: oven
        machine:
          initial: off
          states:
            off:
              always: { guard: power > 5, for: 3m, target: on }
            on:
              type: parallel
              always: { quiet: 10m, target: off }
              states:
                heat:
                  states:
                    warming: { title: "50 % \"soon\"", on: { ready: hot } }
                    hot: { after: { 15m: { guard: power < 5, target: past } } }
                    past: { type: history, history: deep, target: warming }
                door:
                  on: { bell: { actions: { raise: rung } } }
                  states: { shut: {}, class: { type: final } }
            broken <&>: { type: final }
        """#

    private func draft(_ text: String) throws -> DefinitionDraft {
        let reading = DefinitionReader.read(text: text)
        #expect(reading.problems == [])
        return try #require(reading.draft)
    }

    @Test func `Mermaid shows states in states, regions, beginnings and ends`() throws {
        let text = DefinitionGraph.text(of: try draft(Self.everything), as: .mermaid)
        #expect(
            text == """
                stateDiagram-v2
                    off
                    state on{
                        state heat{
                            state "warming: 50 #37; #34;soon#34;" as warming
                            hot
                            state "H*" as past
                            [*] --> warming
                            past --> warming
                            warming --> hot : ready
                            hot --> past : after 15m [power #60; 5]
                        }
                        --
                        state door{
                            shut
                            state "class" as state_9
                            [*] --> shut
                            state_9 --> [*]
                        }
                        note right of door
                            bell
                        end note
                    }
                    state "broken #60;&#62;" as state_10
                    [*] --> off
                    state_10 --> [*]
                    off --> on : power #62; 5 for 3m
                    on --> off : quiet 10m

                """
        )
    }

    @Test func `DOT has a cluster for a state with states, and arrows that end at its border`() throws {
        let text = DefinitionGraph.text(of: try draft(Self.everything), as: .dot)
        for line in [
            #"subgraph "cluster on" {"#, #"style="rounded,dashed""#, #""past" [label="H*" "#,
            #""off" -> "start of on" [label="power > 5 for 3m" lhead="cluster on"]"#,
            #""off" -> "class" [label="quiet 10m" dir=back lhead="cluster on"]"#,
            #""hot" -> "past" [label="after 15m [power < 5]"]"#, #""past" -> "warming" [style=dashed]"#,
            #"label=<<b>door</b><br/><font point-size="9">bell</font>>"#,
            #"[label=<<b>broken &lt;&amp;&gt;</b>> peripheries=2]"#,
        ] {
            #expect(text.contains(line), "\(line)\n\(text)")
        }
    }

    @Test func `SCXML has delayed events for times, and a namespace for extensions`() throws {
        let text = DefinitionGraph.text(of: try draft(Self.everything), as: .scxml)
        for line in [
            #"version="1.0" datamodel="cel" name="oven" initial="off">"#, #"<parallel id="on">"#,
            #"<transition event="held.off.0" cond="power &gt; 5" target="on" skerry:for="3m"/>"#,
            #"<transition event="quiet.on.0" target="off" skerry:quiet="10m"/>"#,
            #"<send event="after.hot.0" id="after.hot.0" delay="900s"/>"#, #"<cancel sendid="after.hot.0"/>"#,
            #"<transition event="after.hot.0" cond="power &lt; 5" target="past"/>"#,
            #"<history id="past" type="deep">"#, #"<final id="class"/>"#, #"<raise event="rung"/>"#,
            #"<final id="broken_&lt;&amp;&gt;"/>"#,
        ] {
            #expect(text.contains(line), "\(line)\n\(text)")
        }
    }

    @Test func `a machine with transitions of its own is drawn as a state`() throws {
        let machine = "machine: { on: { reset: a }, states: { a: { on: { go: b } }, b: {} } }"
        let draft = try draft("{ skerry: 1, kind: lamp, \(machine) }")
        #expect(DefinitionGraph.text(of: draft, as: .mermaid).contains("    lamp --> a : reset\n"))
        #expect(DefinitionGraph.text(of: draft, as: .dot).contains(#"subgraph "cluster lamp" {"#))
        let scxml = DefinitionGraph.text(of: draft, as: .scxml)
        #expect(scxml.contains(#"<state id="machine" skerry:machine="true">"#))
    }
}

@Suite("Pictures by Graphviz", .enabled(if: Graphviz.isThere, "needs dot: apt-get install graphviz"))
struct GraphvizTests {
    private static let devices = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../devices").standardizedFileURL.path

    @Test func `it draws every definition in devices without a word`() throws {
        for file in try DefinitionFiles.load([Self.devices]) {
            let draft = try #require(file.reading.draft)
            let picture = try Graphviz.draw(DefinitionGraph.text(of: draft, as: .dot))
            #expect(picture.errors == "", "\(file.path)")
            for state in draft.machine.states {
                #expect(picture.svg.contains(">\(state.name.text)<"), "\(file.path): \(state.name.text)")
            }
        }
    }

    @Test(arguments: 0..<20) func `it draws machines with any names`(seed: UInt64) throws {
        var random = SimulatedRandom(seed: seed)
        var names: [String] = []
        func anyState(depth: Int) -> StateDraft {
            let letters = ["a", "\"", "\\", "<", ">", "&", " ", "\n", "é", "{", "%", "#", ";", "end", "-"]
            let name = (0...random.below(4)).map { _ in letters[random.below(letters.count)] }.joined()
            var state = StateDraft(name: SourceText(name + "\(names.count)", at: Place(line: 1, column: 1)))
            names.append(state.name.text)
            let kinds: [StateDraft.Kind] = [.single, .parallel, .final, .history(deep: true)]
            state.kind = depth == 0 ? kinds[0] : kinds[random.below(kinds.count)]
            if !state.kind.isLeaf, depth < 3 {
                state.states = (0..<1 + random.below(3)).map { _ in anyState(depth: depth + 1) }
            }
            for _ in 0..<random.below(3) where !state.kind.isLeaf {
                var transition = TransitionDraft(trigger: .always, at: Place(line: 1, column: 1))
                transition.condition = state.name
                let target = names[random.below(names.count)]
                transition.targets = [SourceText(target, at: Place(line: 1, column: 1))]
                state.transitions.append(transition)
            }
            return state
        }
        var machine = StateDraft(name: SourceText("", at: Place(line: 1, column: 1)))
        machine.states = (0..<4).map { _ in anyState(depth: 0) }
        let draft = DefinitionDraft(kind: SourceText("any", at: Place(line: 1, column: 1)), machine: machine)
        let picture = try Graphviz.draw(DefinitionGraph.text(of: draft, as: .dot))
        #expect(picture.errors == "", "\(DefinitionGraph.text(of: draft, as: .dot))")
    }
}

extension StateDraft.Kind {
    fileprivate var isLeaf: Bool {
        switch self {
        case .single, .parallel: false
        case .final, .history: true
        }
    }
}

/// The program `dot`.
private enum Graphviz {
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/dot")

    static func draw(_ text: String) throws -> (svg: String, errors: String) {
        let ran = try OtherProgram.run("/usr/bin/dot", ["-Tsvg"], input: Data(text.utf8))
        #expect(ran.status == 0)
        return (String(decoding: ran.output, as: UTF8.self), ran.errors)
    }
}
