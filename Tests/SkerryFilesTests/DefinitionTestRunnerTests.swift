import Foundation
import SkerryDevice
import SkerryFiles
import SkerryHouse
import Testing

@Suite("Tests inside definitions")
struct DefinitionTestRunnerTests {
    static let lamp = """
        skerry: 1
        kind: lamp
        sources:
          - topic: lamp/{device}/set
            signals: { on: payload.on, left: seconds(payload.left), count: payload.count }
          - topic: lamp/{device}/lwt
            payload: bool
            available: payload
        timers:
          off: { remaining: left, while: inState("lit") }
          total: { count: up, while: inState("lit") }
        machine:
          initial: dark
          states:
            dark: { always: { guard: on, target: lit } }
            lit:
              title: Lit
              always: { guard: "!on", target: dark }
              on: { blink: { target: lit }, spin: dizzy }
            dizzy: { always: { guard: has(on), target: dizzier } }
            dizzier: { always: { target: dizzy } }
        activity:
          starts: lit
          ends: dark
          attributes: { name: device }
          content: { status: state.title, off: timer.off, count: { value: count, tolerance: 5 } }
          alerts: { lit: { title: "{device} shines" } }
          stale: 1h
          dismiss: 5m
        tests:
          - name: it
            steps:

        """

    /// What comes of steps, as the lines below their mark and what is said of them.
    static func problems(
        _ steps: [String],
        of definition: String = lamp,
        costLimit: Int = DefinitionTestRunner.costLimit
    ) throws -> [String] {
        let text = definition + steps.map { "      - \($0)\n" }.joined()
        let file = DefinitionFile(path: "lamp.yaml", bytes: Array(text.utf8))
        let compiled = CompiledFiles([file])
        let definition = try #require(compiled.definitions.first, "\(compiled.report(DiagnosticPrinter()))")
        var runner = DefinitionTestRunner(definition)
        runner.costLimit = costLimit
        let outcomes = runner.run(file.reading.tests)
        try #require(outcomes.count == 1)
        #expect(outcomes[0].hasPassed == outcomes[0].failures.isEmpty)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return outcomes[0].failures.map { failure in
            let problem = failure.problem
            let line = lines[problem.place.line - 1].dropFirst(problem.place.column - 1)
            return "\(line.prefix(problem.length)): \(problem.message)"
                + (problem.remedy.map { "; \($0)" } ?? "")
        }
    }

    static let lit = "send: { lamp/a/set: { on: true, left: 60, count: 3 } }"

    @Test(
        "Met expectations pass",
        arguments: [
            ["expect: { updates: 0 }"],
            ["expect: { phase: none, ended: false, stale: false, runs: 0, alerts: 0, availability: null }"],
            [lit, "expect: { state: lit, updates: 1, phase: active, runs: 1, device: a }"],
            [lit, "expect: { signals: { on: true, left: 60s, count: 3 }, attributes: { name: a } }"],
            [lit, "expect: { alert: { title: a shines }, alerts: [{ title: a shines, body: \"\" }] }"],
            [
                lit, "wait: 20s",
                "expect: { timers: { off: { remaining: 40s, duration: 1m, paused: false } } }",
            ],
            [lit, "wait: 20s", "expect: { timers: { off: running, total: { elapsed: 20 } } }"],
            [lit, "wait: 60s", "expect: { timers: { off: elapsed, total: counting }, updates: 1 }"],
            [lit, "expect: { content: { status: Lit, off: { start: 0s, end: 2026-01-01T00:01:00Z } } }"],
            [lit, "expect: { content: { off: { start: 1767225600, end: 1767225660 } }, patch: null }"],
            [lit, "at: 2026-01-01T01:00:00Z", "expect: { stale: true, updates: 3, ended: false }"],
            ["wait: 5s", lit, "expect: { content: { off: { start: 5s, end: 1m5s } } }"],
            [
                lit, "send: { lamp/a/set: { on: false } }",
                "expect: { state: dark, ended: true, content: { status: null, count: 3 }, dismissed: false }",
                "expect: { patch: { phase: ended, content: { status: null } } }",
                "wait: 5m", "expect: { dismissed: true, ended: true, updates: 2 }",
            ],
            [lit, "send: { lamp/a/set: nonsense }", "expect: { refused: 1, faults: 0 }"],
            ["send: { lamp/a/set: { count: 0.30000000000000004 } }", "expect: { signals: { count: 0.3 } }"],
            ["send: { lamp/a/set: { count: 400.00000000000006 } }", "expect: { signals: { count: 400 } }"],
            [lit, "event: spin", "expect: { faults: 1, state: lit }"],
            [lit, "event: { name: blink, device: a }", "expect: { alerts: 2, updates: 2 }"],
            ["send: { lamp/a/lwt: off }", "expect: { availability: offline, state: dark }"],
            ["send: { lamp/a/lwt: on }", "expect: { availability: true }"],
            [
                "send: { lamp/a/set: { on: true } }\n        retained: true",
                "expect: { alerts: 0, updates: 1 }",
            ],
            [
                "given: { signals: { count: 7 } }", "send: { lamp/a/set: { on: true } }",
                "expect: { content: { count: 7 } }",
            ],
            ["given: { signals: { on: true } }", "send: { lamp/a/lwt: on }", "expect: { state: lit }"],
            [
                "send: { \"lamp/caf\u{E9}/set\": { on: true }, \"lamp/cafe\u{301}/set\": { on: false } }",
                "expect: { device: \"caf\u{E9}\", state: lit, updates: 1 }",
                "expect: { device: \"cafe\u{301}\", state: dark, updates: 0 }",
            ],
            [
                lit, "send: { lamp/b/set: {} }", "expect: { published: 2, device: b, updates: 0 }",
                "expect: { device: a, state: lit }",
                "expect: { device: b, state: dark }",
            ],
        ]
    )
    func passing(steps: [String]) throws {
        #expect(try Self.problems(steps) == [])
    }

    @Test(
        "Differences are reported at their places",
        arguments: [
            ("expect: { state: dark }", "dark: 'state' is 'lit', not 'dark'"),
            (
                "event: off.elapsed",
                "off.elapsed: there is no event that may come from outside 'off.elapsed'; there are: blink, spin"
            ),
            ("expect: { state: '' }", "': there is no state ''; there are: dark, lit, dizzy, dizzier"),
            ("expect: { state: lut }", "lut: there is no state 'lut'; did you mean 'lit'?"),
            ("expect: { updates: 2 }", "2: 'updates' is 1, not 2"),
            ("expect: { ended: true }", "true: 'ended' is false, not true"),
            ("expect: { signals: { left: 61s } }", "61s: 'signals.left' is 1m, not 61s"),
            ("expect: { signals: { lift: 61s } }", "lift: there is no signal 'lift'; did you mean 'left'?"),
            ("expect: { content: { status: Dark } }", "Dark: 'content.status' is 'Lit', not 'Dark'"),
            ("expect: { content: { status: null } }", "null: 'content.status' is 'Lit', not nothing"),
            ("expect: { content: { off: { end: 2m } } }", "2m: 'content.off.end' is 1m, not 2m"),
            ("expect: { content: { stat: Lit } }", "stat: there is no field 'stat'; did you mean 'status'?"),
            ("expect: { timers: { off: paused } }", "paused: 'timers.off' is 'running', not 'paused'"),
            ("expect: { timers: { of: paused } }", "of: there is no timer 'of'; did you mean 'off'?"),
            ("expect: { timers: { off: { end: 59s } } }", "59s: 'timers.off.end' is 1m, not 59s"),
            (
                "expect: { alerts: 0 }",
                "0: 'alerts' is 1: [{\"title\":\"a shines\",\"body\":\"\"}], not 0"
            ),
            ("expect: { faults: 1 }", "1: 'faults' is 0, not 1"),
            ("expect: { availability: online }", "online: 'availability' is not known, not 'online'"),
            (
                "expect: { patch: { phase: ended } }",
                "patch: 'patch' is none: nothing was sent, not {\"phase\":\"ended\"}"
            ),
            ("expect: { stat: lit }", "stat: 'stat' can't be expected; did you mean 'state'?"),
            ("expect: { device: b, state: lit }", "b: there is no device 'b'; there are: a"),
            (
                "send: { lump/a: 1 }",
                "lump/a: no source has the topic 'lump/a'; the sources have: lamp/+/set, lamp/+/lwt"
            ),
            (
                "given: { state: lit }",
                "given: 'given' describes the situation before the test; put it before all other steps"
            ),
            (
                "at: 2025-12-31T00:00:00Z",
                "a: it is 2026-01-01 00:00:00 by now, time does not run backwards; tests begin at 2026-01-01 00:00:00"
            ),
        ]
    )
    func failing(step: String, message: String) throws {
        let problems = try Self.problems([Self.lit, step])
        #expect(problems == [message])
    }

    @Test("Each step reports all its differences; a step that can't be carried out ends the test")
    func several() throws {
        let problems = try Self.problems([
            Self.lit, "expect: { updates: 5, state: dark, phase: active }", "expect: { state: dark }",
            "send: { lump/a: 1 }", "expect: { state: dark }",
        ])
        #expect(problems.count == 3)
        #expect(problems.first == "5: 2 things are not as expected: 'updates' and 'state'")
    }

    @Test(
        "A test whose expressions take more work than its bound ends, at the step where it does",
        arguments: ["send: { lamp/a/set: { on: false } }", "wait: 24h", "event: blink"]
    )
    func boundOfWork(step: String) throws {
        var limit = 0
        while limit < 1000, try !Self.problems([Self.lit], costLimit: limit).isEmpty { limit += 1 }
        #expect((5..<1000).contains(limit))
        #expect(try Self.problems([Self.lit, step]) == [])
        let problem = try #require(try Self.problems([Self.lit, step], costLimit: limit).last)
        #expect(problem.hasPrefix("\(step.prefix(1)): "), "\(problem)")
        #expect(
            problem.hasSuffix(
                ": the expressions of the test take too much work: more than \(limit) steps; send fewer or shorter messages,"
                    + " or match shorter texts"
            )
        )
    }

    @Test("With several devices a step must name one")
    func devices() throws {
        let problems = try Self.problems([Self.lit, "send: { lamp/b/set: {} }", "expect: { state: lit }"])
        #expect(
            problems == ["state: the test has 2 devices; say which one with 'device:', as in device: a"]
        )
    }

    @Test("Failed tests are errors with codes of their own")
    func codes() {
        #expect(ProblemCode.testFailed.name == "SK0601")
        #expect(ProblemCode.testFailed.severity == .error)
        #expect(ProblemCode.badTest.severity == .error)
        #expect(ProblemCode.unreachableState.severity == .warning)
    }

    @Test("tell of each expression within a text that fails: which, where, why, how often")
    func failuresInTexts() throws {
        let text = """
            skerry: 1
            kind: lamp
            sources:
              - topic: lamp
                device: "{payload.name}{int(payload.code)}"
                signals: { on: payload.on, word: payload.word }
            machine:
              states:
                dark: { always: { guard: on, target: lit } }
                lit:
                  title: "Lit {minutes(word)}, { duration(word) }"
                  entry:
                    - publish: { topic: lamp/set, payload: "{int(word)}" }
                    - publish: { topic: "lamp/{double(word)}" }
                  always: { guard: "!on", target: dark }
            activity:
              starts: lit
              ends: dark
              attributes: { made: timestamp(word) }
              content: { status: state.title }
              alerts: { lit: { title: "{bool(word)} x", body: "{hours(word)}" } }
              link: "lamp://{seconds(word)}"
            tests:
              - name: it
                steps:
                  - send: { lamp: { name: a, code: 1, on: true, word: x } }
                  - send: { lamp: { name: a, code: y, on: true } }

            """
        let file = DefinitionFile(path: "lamp.yaml", bytes: Array(text.utf8))
        let compiled = CompiledFiles([file])
        let definition = try #require(compiled.definitions.first, "\(compiled.report(DiagnosticPrinter()))")
        let outcome = try #require(DefinitionTestRunner(definition).run(file.reading.tests).first)
        let expected = [
            "int(payload.code)", "minutes(word)", "duration(word)", "int(word)", "double(word)",
            "timestamp(word)", "bool(word)", "hours(word)", "seconds(word)",
        ]
        let lines = text.components(separatedBy: "\n")
        var found: [String] = []
        for unread in outcome.unread {
            guard case .expression(let expression, let reason) = unread.part else { continue }
            found.append(expression.text)
            let line = lines[expression.place.line - 1].dropFirst(expression.place.column - 1)
            #expect(line.hasPrefix(expression.text), "\(unread)")
            #expect(reason == "an argument is out of range")
            #expect(unread.count == 1)
        }
        #expect(found.sorted() == expected.sorted())
    }
}
