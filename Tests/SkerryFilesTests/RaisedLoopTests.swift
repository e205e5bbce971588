import SkerryDevice
import SkerryFiles
import Testing

@Suite("Events that come again and again at one moment")
struct RaisedLoopTests {
    /// What `check` says of endless loops in a machine, which is written in one or several lines.
    private static func loops(
        _ machine: String,
        as severity: DefinitionProblem.Severity = .warning
    ) -> [String] {
        let lines = machine.split(separator: "\n").map { "  " + $0 }
        let text = """
            skerry: 1
            kind: thing
            sources: [{ topic: "thing/{device}", signals: { x: payload.x }, event: payload.event }]
            context: { count: 0 }
            machine:
            \(lines.joined(separator: "\n"))
            """
        let files = CompiledFiles([DefinitionFile(path: "thing.yaml", bytes: Array(text.utf8))])
        let others = files.problems.filter { $0.severity == .error && $0.code != .endlessLoop }
        #expect(others.isEmpty, "\(others)")
        return files.problems.filter { $0.code == .endlessLoop && $0.severity == severity }.map { $0.message }
    }

    /// A machine with one state that does something on an event of its own.
    private static func ping(_ actions: String, guard condition: String = "true") -> String {
        "states: { a: { on: { ping: { guard: '\(condition)', actions: [\(actions)] } } } }"
            .replacing("guard: 'true', ", with: "")
    }

    @Test(
        "are warned of, with the events in their order",
        arguments: [
            (ping("{ raise: ping }"), "ping → ping"),
            (ping("{ send: { event: ping } }"), "ping → ping"),
            (ping("{ send: { event: ping, delay: seconds(0) } }"), "ping → ping"),
            (ping("{ try: [{ raise: ping }] }"), "ping → ping"),
            ("states: { a: { entry: { send: { event: again } }, on: { again: a } } }", "again → again"),
            (
                """
                states:
                  a: { entry: { send: { event: go } }, on: { go: b } }
                  b: { entry: { send: { event: back } }, on: { back: a } }
                """, "go → back → go"
            ),
            (
                """
                states:
                  a: { on: { go: { target: b, actions: { raise: back } } } }
                  b: { on: { back: { target: a, actions: { raise: go } } } }
                """, "go → back → go"
            ),
            (
                """
                states:
                  outer:
                    entry: { raise: go }
                    states: { a: { on: { go: outer } }, b: {} }
                    on: { next: b }
                """, "go → go"
            ),
            (
                """
                states:
                  a: { always: { guard: x > 3, target: b }, on: { ping: { actions: { raise: ping } } } }
                  b: {}
                """, "ping → ping"
            ),
            (
                """
                type: parallel
                states: { a: { on: { ping: { actions: { raise: ping } } } }, b: {} }
                """, "ping → ping"
            ),
        ] as [(String, String)]
    )
    func warned(machine: String, events: String) {
        let found = Self.loops(machine)
        #expect(found.count == 1 && found.allSatisfy { $0.hasSuffix(": " + events) }, "\(found)")
    }

    @Test(
        "are errors where the entry of each state raises the next one",
        arguments: [
            ("states: { a: { entry: { raise: again }, on: { again: a } } }", "a → a"),
            (
                """
                states:
                  a: { entry: { raise: x }, on: { x: b } }
                  b: { entry: { raise: y }, on: { y: c } }
                  c: { entry: { raise: z }, on: { z: a } }
                """, "a → b → c → a"
            ),
            (
                """
                states:
                  off: { on: { go: b } }
                  a: { entry: { raise: go }, on: { go: b } }
                  b: { entry: { raise: back }, on: { back: a } }
                """, "b → a → b"
            ),
            (
                """
                states:
                  outer: { states: { a: { entry: { raise: go } } }, on: { go: outer } }
                """, "a → a"
            ),
            (
                """
                states:
                  a:
                    entry: { raise: go }
                    on: { go: { target: a, actions: { assign: { count: context.count + 1 } } } }
                """, "a → a"
            ),
            (
                """
                states:
                  a: { entry: [{ raise: go }, { send: { event: told } }], on: { go: b } }
                  b: { entry: { raise: back }, exit: { send: { event: told } }, on: { back: a } }
                """, "a → b → a"
            ),
        ] as [(String, String)]
    )
    func errors(machine: String, states: String) {
        let found = Self.loops(machine, as: .error)
        #expect(found == ["this loop of raised events never ends: \(states)"])
        #expect(Self.loops(machine).isEmpty, "it is told twice")
    }

    @Test(
        "are only warned of where one state on the way sends its event, or raises it later than on its entry",
        arguments: [
            (
                """
                states:
                  a: { entry: { raise: go }, on: { go: b } }
                  b: { entry: { send: { event: back } }, on: { back: a } }
                """, "go → back → go"
            ),
            (
                """
                states:
                  a: { entry: { raise: go }, on: { go: b } }
                  b: { on: { back: a }, exit: { raise: none } }
                """, ""
            ),
            (
                """
                states:
                  a: { entry: [{ raise: go }, { send: { event: off } }], on: { go: b } }
                  b: { entry: { send: { event: back } }, on: { back: a, off: c } }
                  c: {}
                """, ""
            ),
            (
                """
                states:
                  a: { entry: { raise: go }, on: { go: { target: b, actions: { raise: back } } } }
                  b: { on: { back: a } }
                """, "go → back → go"
            ),
        ] as [(String, String)]
    )
    func mixed(machine: String, events: String) {
        #expect(Self.loops(machine, as: .error).isEmpty)
        let found = Self.loops(machine)
        #expect(found.count == (events.isEmpty ? 0 : 1) && found.allSatisfy { $0.hasSuffix(": " + events) })
    }

    @Test(
        "are not seen where something ends them",
        arguments: [
            ping("{ raise: ping }", guard: "x > 3"),
            ping("{ send: { event: ping, delay: minutes(2) } }"),
            ping("{ send: { event: ping, delay: minutes(x) } }"),
            ping("{ guard: x > 3, actions: { raise: ping } }"),
            ping("{ send: { event: ping, id: p } }, { cancel: p }"),
            """
            states:
              a: { on: { ping: { target: b, actions: { raise: pong } } } }
              b: { on: { pong: c } }
              c: { on: { ping: a } }
            """,
            """
            states:
              a:
                always: { guard: context.count > 3, target: b }
                on: { ping: { actions: [{ assign: { count: context.count + 1 } }, { raise: ping }] } }
              b: {}
            """,
        ]
    )
    func quiet(machine: String) {
        #expect(Self.loops(machine) == [])
    }

    @Test(
        "An alert that names several in a list is told how to write them",
        arguments: [
            ("event: [open, close]", "write several events with spaces between, as in `event: open close`"),
            ("state: [a, b]", "write an alert for each of the states"),
            ("when: [x > 1, x < 0]", "put '||' between conditions, or write an alert for each"),
        ]
    )
    func alerts(occasion: String, remedy: String) {
        let text = """
            skerry: 1
            kind: thing
            sources: [{ topic: "thing/{device}", signals: { x: payload.x }, event: payload.event }]
            machine: { states: { a: { on: { open: b } }, b: { on: { close: a } } } }
            activity:
              starts: b
              ends: a
              content: { x: x }
              alerts: [{ \(occasion), title: It happened }]
            """
        let files = CompiledFiles([DefinitionFile(path: "thing.yaml", bytes: Array(text.utf8))])
        #expect(files.problems.first?.remedy == remedy, "\(files.problems)")
    }
}
