import SkerryDevice
import SkerryFiles
import SkerryHouse
import Testing

@Suite("What was silent in the language, or said too much")
struct LanguageFaultTests {
    /// The problems of a definition in one line each: code, message, remedy.
    private static func problems(_ text: String) -> [String] {
        let whole = text.hasPrefix("skerry:") ? text : "skerry: 1\nkind: thing\n" + text
        let files = CompiledFiles([DefinitionFile(path: "thing.yaml", bytes: Array(whole.utf8))])
        return files.problems.map { "\($0.code.name) \($0.message)" + ($0.remedy.map { "; \($0)" } ?? "") }
    }

    private static func washer(
        topic: String = "thing/{device}",
        left: String = "minutes(payload.left)",
        guard condition: String = #"phase == "wash""#,
        timer: String = "remaining: left",
        running: String = "",
        more: String = ""
    ) -> String {
        """
        sources: [{ topic: "\(topic)", signals: { phase: payload.phase, left: '\(left)', power: payload.power } }]
        timers: { cycle: { \(timer), while: 'inState("running")' } }
        machine:
          initial: idle
          states:
            idle: { always: { guard: '\(condition)', target: running } }
            running: { \(running)title: Running, always: { guard: phase == "off", target: idle } }
            \(more)
        activity:
          starts: running
          ends: idle
          content: { cycle: timer.cycle, power: power }
        """
    }

    @Test(
        "A number of a payload is no length of time and no moment",
        arguments: [
            ("payload.left", "remaining: left", "seconds(payload.left) or minutes(payload.left)"),
            ("payload.ok ? payload.left : unset", "remaining: left", "seconds("),
            ("default(payload.left, left)", "remaining: left", "seconds("),
            ("payload.left", "until: left", "timestamp(payload.left)"),
            ("payload.left", "duration: left", "minutes(payload.left)"),
        ]
    )
    func numbers(left: String, timer: String, remedy: String) {
        let found = Self.problems(Self.washer(left: left, timer: timer))
        #expect(found.count == 1 && found[0].hasPrefix("SK0203") && found[0].contains(remedy), "\(found)")
    }

    @Test(
        "What may be a length of time is taken",
        arguments: [
            "minutes(payload.left)", "payload.ok ? minutes(payload.left) : left",
            "default(seconds(payload.s), unset)",
        ]
    )
    func lengths(left: String) {
        #expect(Self.problems(Self.washer(left: left)).isEmpty)
    }

    @Test(
        "An expression costs no more than the type of its payload can hold",
        arguments: [
            ("base64", "text4", "text", true), ("hex", "bytes4", "list", true),
            ("bytes", "text255", "text", true), ("json", "", "text", false),
            ("number", "", "number", true), ("text", "", "number", false),
        ]
    )
    func sizes(payload: String, type: String, kind: String, isCheap: Bool) {
        let names = ["a", "b", "c", "d", "e"].map { "{ \($0): \(type) }" }.joined(separator: ", ")
        let form = type.isEmpty ? payload : "\(payload), struct: [\(names)]"
        let fields = [
            "payload.a", "payload.?b.orValue('')", "payload.?c.orValue('')", "payload.?d.orValue('')",
            "payload.?e.orValue('')",
        ]
        let expression =
            switch kind {
            case "text": "[\(fields.joined(separator: ", "))].join('')"
            case "list": "string(bytes(payload.a + payload.b + payload.c + payload.d + payload.e))"
            default: "[\(repeatElement("string(payload)", count: 8).joined(separator: ", "))].join('').size()"
            }
        let text = """
            sources: [{ topic: "thing/{device}", payload: \(form), signals: { name: "\(expression)" } }]
            machine: { initial: a, states: { a: { always: { guard: has(name), target: b } }, b: {} } }
            activity: { starts: b, content: { name: name } }
            """
        let found = Self.problems(text).filter { $0.hasPrefix("SK0204") }
        #expect(found.isEmpty == isCheap, "\(Self.problems(text))")
    }

    @Test("`state` is the innermost state")
    func compound() {
        let text = """
            sources: [{ topic: "thing/{device}", signals: { on: payload.on, left: seconds(payload.left) } }]
            timers: { cycle: { remaining: left, while: 'state == "working"' } }
            machine:
              initial: idle
              states:
                idle: { always: { guard: on, target: working } }
                working:
                  initial: warm
                  always: { guard: "!on", target: idle }
                  states: { warm: { after: { 5m: hot } }, hot: {} }
            activity: { starts: working, ends: idle, content: { cycle: timer.cycle, where: state } }
            """
        let found = Self.problems(text)
        #expect(found.count == 1 && found[0].contains(#"write `inState("working")`"#), "\(found)")
        for (condition, isRight) in [
            (#"state == "hot""#, true), (#"state in ["warm", "hot"]"#, true), (#"state != "working""#, false),
            (#"state in ["warm", "working"]"#, false), (#"state == "hto""#, false),
            (#"inState("working")"#, true),
        ] {
            let changed = text.replacing(#"state == "working""#, with: condition)
            #expect(Self.problems(changed).isEmpty == isRight, "\(condition)")
        }
    }

    @Test(
        "A word of CEL is no name of a signal",
        arguments: ["for", "in", "import", "true", "null", "while", "package"]
    )
    func reserved(name: String) {
        let found = Self.problems(
            """
            sources: [{ topic: "thing/{device}", signals: { "\(name)": payload.x } }]
            machine: { states: { a: {} } }
            """
        )
        #expect(found.first?.hasPrefix("SK0009 '\(name)' is a word of CEL") ?? false, "\(found)")
    }

    @Test(
        "A kind has no control characters",
        arguments: ["a\\tb", "a\\x1b[2Jb", "a\\x7f", "a\\x85b", "a\\nb"]
    )
    func kinds(kind: String) {
        let found = Self.problems(
            """
            skerry: 1
            kind: "\(kind)"
            sources: [{ topic: "thing/{device}", signals: { x: payload.x } }]
            machine: { states: { a: { always: { guard: x > 1, target: b } }, b: {} } }
            """
        )
        #expect(found.count == 1 && found[0].contains("control character"), "\(found)")
    }

    @Test(
        "Each mistake has its place, what is wrong, and what would be right",
        arguments: [
            (
                washer(topic: "home/{device}/*"),
                "SK0101 '*' is no wildcard of MQTT; write '+' for one level, or '#'"
            ),
            (washer(topic: "home/**/{device}"), "SK0101 '**' is no wildcard of MQTT; write '+'"),
            (washer(guard: "phase.matches(/done/i)"), #"write `phase.matches("(?i)done")`"#),
            (washer(guard: "phase =~ /^do.e$/"), #"write `phase.matches("^do.e$")`"#),
            (washer(guard: "/done/.test(phase)"), #"write `phase.matches("done")`"#),
            (washer(guard: #"/\\d+/.test(phase)"#), #"phase.matches(r""#),
            (washer(guard: "now"), "a time of day with `at:`"),
            (washer(guard: "elapsed()"), "compare it, as in `elapsed() > minutes(5)`"),
            (
                washer(running: "on: true, "),
                "'on' must be a mapping of events to states or transitions, not a truth value"
            ),
            (washer(running: "on: 5, "), "not a number"),
            (
                washer(running: "quiet: { 10m: idle }, "),
                "it belongs to a transition: write `always: { quiet: 10m, target: idle }`"
            ),
        ]
    )
    func messages(text: String, expected: String) {
        let found = Self.problems(text).filter { !$0.hasPrefix("SK05") }
        #expect(found.count == 1 && found[0].contains(expected), "\(found)")
    }

    @Test("An automation of Home Assistant is one mistake, wherever it is written")
    func automations() {
        let whole = """
            skerry: 1
            kind: thing
            trigger:
              - platform: mqtt
                topic: home/washer/state
            condition:
              - { condition: numeric_state, above: 5 }
            action: { service: notify.phone }
            """
        let found = Self.problems(whole).filter { $0.hasPrefix("SK0002") }
        #expect(found.count == 1 && found[0].contains("automations of Home Assistant"), "\(found)")
        let within = Self.problems(
            Self.washer(
                more: "paused: { always: { trigger: state, condition: phase == \"on\", action: running } }"
            )
        )
        #expect(within.filter { !$0.hasPrefix("SK05") }.count == 1, "\(within)")
    }

    // MARK: Silence and time

    /// A machine at work that time leads to another state, by a transition under `always` or by another key.
    private static func silent(_ time: String, _ lost: String, event: String = "") -> String {
        let off = "{ guard: power < 5, target: idle }"
        let running = time.hasPrefix("{") ? "always: [\(off), \(time)]" : "always: \(off), \(time)"
        return """
            sources: [{ topic: "thing/{device}", signals: { power: payload.power, mode: payload.mode }\(event) }]
            timers: { cycle: { duration: minutes(5), while: 'inState("running")' } }
            machine:
              initial: idle
              states:
                idle: { always: { guard: power > 10, target: running } }
                running: { title: Running, \(running) }
                lost: { title: Silent, \(lost) }
            activity:
              starts: running
              ends: idle
              content: { cycle: timer.cycle, mode: mode }
            """
    }

    private static let report = #", event: '"report"'"#
    private static let quiet = "{ quiet: 10m, target: lost }"

    @Test(
        "A state that is left again at once, for what the last message said, is warned of",
        arguments: [
            (quiet, "always: { guard: power > 10, target: running }", "", true),
            ("after: { 10m: lost }", "always: { guard: power > 10, target: running }", "", true),
            ("on: { cycle.elapsed: lost }", "always: { guard: power >= 5, target: running }", "", true),
            (quiet, "always: { target: idle }", "", true),
            (
                quiet, "always: { guard: changed(power) && power > 10, target: running }",
                "", false
            ),
            (quiet, "on: { report: { guard: power > 10, target: running } }", report, false),
            (quiet, "always: { guard: power < 5, target: idle }", "", false),
            (
                "{ quiet: 10m, guard: power < 8, target: lost }",
                "always: { guard: power > 10, target: running }", "", false
            ),
        ]
    )
    func leftAtOnce(running: String, lost: String, event: String, isWarned: Bool) throws {
        let found = Self.problems(Self.silent(running, lost, event: event)).filter { $0.hasPrefix("SK0533") }
        #expect(found.count == (isWarned ? 1 : 0), "\(found)")
        if isWarned { #expect(try #require(found.first).contains("back to 'running'")) }
    }

    @Test(
        "What a run unsets at its start leads nowhere back when time alone began it",
        arguments: [
            ("after: { 2h: { guard: left > 1, target: busy } }", "[left, percent]", false),
            ("always: { quiet: 2h, guard: left > 1, target: busy }", "percent", false),
            ("after: { 2h: { guard: left > 1, target: busy } }", "left", true),
            // What came while the guard held is kept.
            ("always: { guard: left > 1, for: 2h, target: busy }", "[left, percent]", true),
        ]
    )
    func leftAtOnceForWhatWasReset(idle: String, reset: String, isWarned: Bool) {
        let found = Self.problems(
            """
            skerry: 1
            kind: press
            sources: [{ topic: "press/{device}", signals: { left: payload.left, percent: payload.percent } }]
            machine:
              initial: idle
              states:
                idle: { \(idle) }
                busy: { title: Busy, always: { guard: percent >= 100, target: idle } }
            activity: { starts: busy, ends: idle, reset: \(reset), content: { left: left, percent: percent } }

            """
        ).filter { $0.hasPrefix("SK0533") }
        #expect(found.isEmpty != isWarned, "\(found)")
    }

    @Test(
        "A silence after which no message leads back is warned of",
        arguments: [
            ("after: { 1h: idle }", "", true), ("always: { quiet: 1h, target: idle }", "", true),
            ("title: Gone", "", true),
            ("on: { cycle.elapsed: idle }", "", true),
            ("on: { report: { guard: power > 10, target: running } }", report, false),
            ("always: { guard: changed(power) && power > 10, target: running }", "", false),
            ("always: { guard: power < 5, target: idle }", "", false),
        ]
    )
    func deadEnd(lost: String, event: String, isWarned: Bool) {
        let text = Self.silent(Self.quiet, lost, event: event).replacing(
            "title: Silent, title: Gone",
            with: "title: Gone"
        )
        let found = Self.problems(text).filter { $0.hasPrefix("SK0534") }
        #expect(found.count == (isWarned ? 1 : 0), "\(found)")
    }

    @Test("After the silence of some signals, these lead back, and not each message")
    func partialSilence() throws {
        func found(_ lost: String) -> [String] {
            let text = Self.silent("{ quiet: { of: [mode, power], for: 10m }, target: lost }", lost)
            return Self.problems(text).filter { $0.hasPrefix("SK0533") || $0.hasPrefix("SK0534") }
        }
        let deadEnd = try #require(found("after: { 1h: idle }").first)
        let news = "always: { guard: changed(mode) || changed(power), target: running }"
        #expect(deadEnd.hasPrefix("SK0534") && deadEnd.hasSuffix("in 'lost': " + news))
        #expect(found("after: { 1h: idle }, " + news).isEmpty)
        let atOnce = try #require(found("always: { guard: power > 10, target: running }").first)
        #expect(atOnce.hasPrefix("SK0533") && atOnce.hasSuffix(news))
    }

    @Test(
        "A text of several values is no cost",
        arguments: [
            ##""%d/%d".format([a, b])"##, ##""%s, %s and %s of %s".format([a, b, a, b])"##,
            ##""%.1f °C, %d %%, %e".format([a, b, a])"##, ##""%x %s".format([string(a), b])"##,
        ]
    )
    func format(text: String) {
        let found = Self.problems(
            """
            sources: [{ topic: "thing/{device}", signals: { a: payload.a, b: payload.b } }]
            machine: { states: { s: {} } }
            activity: { starts: s, content: { x: '\(text)' } }
            """
        )
        #expect(!found.contains { $0.hasPrefix("SK0204") || $0.hasPrefix("SK0201") }, "\(found)")
    }

    @Test(
        "A moment of any name is expected as a date, a length of time or Unix seconds",
        arguments: [
            ("1h", true), ("2026-01-01T01:00:00Z", true), ("1767229200", true), ("2h", false),
            ("2026-01-01T02:00:00Z", false), ("1767229201", false),
        ]
    )
    func moments(written: String, isMet: Bool) throws {
        let text = """
            skerry: 1
            kind: thing
            sources: [{ topic: "thing/{device}", signals: { at: timestamp(payload.at), n: payload.n } }]
            machine: { states: { s: {} } }
            activity: { starts: s, attributes: { since: at }, content: { begin: at, n: n } }
            tests:
              - name: it
                steps:
                  - send: { thing/x: { at: "2026-01-01T01:00:00Z", n: 3600 } }
                  - expect: { content: { begin: \(written), n: 1h }, attributes: { since: \(written) } }
            """
        let file = DefinitionFile(path: "thing.yaml", bytes: Array(text.utf8))
        let definition = try #require(CompiledFiles([file]).definitions.first)
        let outcome = try #require(DefinitionTestRunner(definition).run(file.reading.tests).first)
        #expect(outcome.hasPassed == isMet, "\(outcome.failures.map { $0.problem.message })")
    }

    @Test func `a timer beyond those of which ends are remembered is refused`() {
        let timers = (1...65).map { "t\($0): { count: up }" }.joined(separator: ", ")
        let text = Self.washer().replacing("timers: { cycle:", with: "timers: { \(timers), cycle:")
        let problems = Self.problems(text).filter { $0.contains("at most") }
        #expect(problems == ["SK0102 a definition may have at most 64 timers"])
    }
}
