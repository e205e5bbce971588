import SkerryDevice
import SkerryFiles
import Testing

/// Mistakes of authors in a good definition: one problem each, in the line of the mistake, with what to do.
@Suite("Mistakes of authors")
struct AuthorsMistakeTests {
    private static let good = """
        skerry: 1
        kind: dehumidifier
        settings: { full: 90 }
        sources:
          - topic: damp/{device}/state
            signals:
              power: payload.power
              tank: payload.tank
        machine:
          initial: idle
          states:
            idle:
              title: Ready
              always: { guard: power > 10, target: running }
            running:
              title: Running
              always: { guard: tank >= settings.full, target: full }
            full:
              title: The tank is full
              always: { guard: 'tank < 10 && power < 5 && power != "off"', target: idle }
        activity:
          starts: running
          ends: full
          content:
            status: state.title
            tank: tank
          alerts:
            full: { title: The tank is full, body: "{device.name}: empty it" }
        """

    @Test func `the definition is good`() {
        #expect(problems(Self.good) == [])
    }

    private func problems(_ text: String) -> [String] {
        problems(Array(text.utf8))
    }

    private func problems(_ bytes: [UInt8]) -> [String] {
        CompiledFiles([DefinitionFile(path: "damp.yaml", bytes: bytes)]).problems.map {
            "\($0.place.line): \($0.message)" + ($0.remedy.map { "; \($0)" } ?? "")
        }
    }

    @Test(
        arguments: [
            // Quotes, colons, dashes and blanks.
            ("title: Ready", "title: \"Ready", "13: this quote is not closed; close it on the same line"),
            ("title: Ready", "title Ready", "13: a ':' is missing after 'title'; write `title: Ready`"),
            ("title: Ready", "title:Ready", "13: a space is missing after 'title:'; write `title: Ready`"),
            (
                "- topic", "-topic",
                "5: a space is missing after the '-'; write `- topic: damp/{device}/state`"
            ),
            (
                "      tank: payload.tank", "\u{A0}     tank: payload.tank",
                "8: a character that looks like a space indents this line; delete it, and type spaces: "
                    + "texts copied from a web page have such characters"
            ),
            (
                "power > 10", "power\u{A0}> 10",
                "14: there is a character here that looks like a blank, or like nothing; "
                    + "delete it, and type a blank if one belongs here"
            ),
            (
                "title: Ready", "title: Program #1",
                "13: a text with ' #' needs quotes; write `\"Program #1\"`"
            ),
            (
                "title: Running", "title: Running #{tank} %",
                "16: a text with ' #' needs quotes; write `\"Running #{tank} %\"`"
            ),
            // Times.
            (
                "power > 10", "'now > 22:00'",
                "14: a time of day is not written like this; write `now.getClock(place.zone) > \"22:00\"`"
            ),
            (
                "power > 10", "power > 10 && now >= 2026-01-01",
                "14: a date is not written like this; "
                    + "write `power > 10 && now >= timestamp(\"2026-01-01 00:00\", place.zone)`"
            ),
            (
                "guard: power > 10,", "guard: power > 10, for: 1.5h,",
                "14: 'for' can't be '1.5h'; write `1h30m`"
            ),
            // Numbers.
            ("{ full: 90 }", "{ full: 90,5 }", "3: a ',' ends the value before it; write 90.5"),
            ("{ full: 90 }", "\n  full: 90,5", "4: 'full' can't be '90,5'; write 90.5"),
            (
                "settings: { full: 90 }",
                "settings: { full: 90 }\ntests: [{ name: t, steps: [{ send: { damp/a/state: { power: 1,5 } } }] }]",
                "4: a ',' ends the value before it; write 1.5"
            ),
            // Names.
            (
                "      power: payload.power", "      power-now: payload.power",
                "7: 'power-now' can't be used in an expression; write `power_now`: "
                    + "a signal's name has letters, digits and '_', and does not start with a digit"
            ),
            (
                "payload.power", "payload.power-level",
                "7: unknown name 'level'; write `payload[\"power-level\"]`"
            ),
            (
                "tank >= settings.full", "tank >= full",
                "17: unknown name 'full'; did you mean 'settings.full'?"
            ),
            // Texts.
            (
                "status: state.title", "status: Running",
                "25: unknown name 'Running'; a text has quotes of its own within those of YAML: '\"Running\"'"
            ),
            (
                "status: state.title", "status: \"Drying\"",
                "25: unknown name 'Drying'; a text has quotes of its own within those of YAML: '\"Drying\"'"
            ),
            // Transitions.
            (
                "{ guard: power > 10, target: running }", "{ power > 10, target: running }",
                "14: unknown key 'power > 10' in a transition; write `{ guard: power > 10, target: running }`"
            ),
            (
                "always: { guard: power > 10, target: running }", "on: [{ power > 10: running }]",
                "14: 'on' must be a mapping of events to states or transitions, not a list; "
                    + "write `always: { guard: power > 10, target: running }`"
            ),
            ("power > 10", "power => 10", "14: there is no operator '=>'; write `power >= 10`"),
            (
                "    full:\n      title", "    running:\n      title",
                "18: 'running' stands twice in this mapping, first on line 15; "
                    + "remove one of them, or give it another name"
            ),
            // Keys.
            ("  starts: running\n", "", "22: an activity needs the key 'starts'; as in `starts: running`"),
            (
                "    full: { title: The", "    [full, idle]: { title: The",
                "28: a key must be a text, not a list; write a key of its own for each of them"
            ),
            (
                "      title: Running", "      <<: idle",
                "16: '<<' merges a mapping, not a text; "
                    + "mark the mapping with `&name` where it stands, and write `<<: *name`"
            ),
            (
                "payload.power", "payload.items.0.power",
                "7: a number or a text can't stand here; "
                    + "an element of a list is written in brackets, as in `payload.items[0]`"
            ),
        ]
    )
    func `one problem, with its cause and what to write`(_ right: String, _ wrong: String, _ told: String) {
        #expect(Self.good.contains(right), "\(right)")
        let text = Self.good.replacing(right, with: wrong, maxReplacements: 1)
        #expect(problems(text) == [told])
    }

    @Test func `a file in another encoding is to be saved as UTF-8`() {
        let advice = "save it in your editor with the encoding UTF-8"
        let wide = Self.good.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        #expect(problems([0xFF, 0xFE] + wide) == ["1: the file is in UTF-16; \(advice)"])
        let latin = Self.good.replacing("Ready", with: "L?uft").utf8.map { $0 == 0x3F ? 0xE4 : $0 }
        #expect(problems(latin) == ["13: the file is not UTF-8 from here on; \(advice)"])
    }
}
