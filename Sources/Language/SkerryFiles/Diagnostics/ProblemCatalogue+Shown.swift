import SkerryDevice

extension ProblemCatalogue {
    /// Problems of values that are shown differently than intended.
    static let shown = [
        ProblemExplanation(
            .unknownSymbol,
            "a symbol that no reader knows",
            """
            Readers draw a gear in its place. [Symbols](phones.md#symbols) lists the names. An SF Symbol of another name is drawn on
            phones only. Symbols of states are drawn where the island has `symbol: "{state.symbol}"`.
            """,
            bad: """
                activity:
                  starts: running
                  ends: idle
                island:
                  minimal: { symbol: wascher }
                """,
            good: """
                activity:
                  starts: running
                  ends: idle
                island:
                  minimal: { symbol: washer }
                """
        ),
        ProblemExplanation(
            .languageMissing,
            "a text lacks a language",
            """
            Some texts of this definition are written in several languages. People of a language in which this text is not written
            read its first one. A text that is right for everybody, such as a name, can be listed for each language.
            """,
            bad: """
                machine:
                  states:
                    idle: { title: { en: Done, de: Fertig }, always: { guard: phase == "on", target: running } }
                    running: { title: Running, always: { guard: phase == "off", target: idle } }
                activity:
                  starts: running
                  ends: idle
                  content: { status: state.title }
                """,
            good: """
                machine:
                  states:
                    idle: { title: { en: Done, de: Fertig }, always: { guard: phase == "on", target: running } }
                    running: { title: { en: Running, de: Läuft }, always: { guard: phase == "off", target: idle } }
                activity:
                  starts: running
                  ends: idle
                  content: { status: state.title }
                """
        ),
        ProblemExplanation(
            .cardTooTall,
            "a card that is higher than iOS shows it",
            """
            iOS cuts a card on the Lock Screen and the expanded island at 160 points. A line of text counts 22 points and a text
            without `lines` one line; [what phones do not show](phones.md#what-phones-do-not-show) has the other heights.
            """,
            bad: """
                activity:
                  starts: running
                  ends: idle
                island:
                  lock:
                    title: { value: "{device}", lines: 2 }
                    text: { value: "Clean the filter, the drum and the seal of the door", lines: 4 }
                """,
            good: """
                activity:
                  starts: running
                  ends: idle
                island:
                  lock:
                    title: { value: "{device}", lines: 2 }
                    text: { value: "Clean the filter, the drum and the seal of the door", lines: 3 }
                """
        ),
        ProblemExplanation(
            .titleMissing,
            "a title is shown, but a state has none",
            """
            `state.title` has no value in a state that has no title and is in no state with one. The field is then missing, and
            people see nothing in its place.
            """,
            bad: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    running: { title: Running, always: { guard: phase == "off", target: idle } }
                activity:
                  starts: running
                  ends: idle
                  content: { status: state.title }
                """,
            good: """
                machine:
                  states:
                    idle: { title: Done, always: { guard: phase == "on", target: running } }
                    running: { title: Running, always: { guard: phase == "off", target: idle } }
                activity:
                  starts: running
                  ends: idle
                  content: { status: state.title }
                """
        ),
        ProblemExplanation(
            .mixedTypes,
            "a value that is compared with a text and with a number",
            """
            The type of a JSON field is known only when a message arrives, so both comparisons are allowed. But a number never
            equals a text, so one of the two never holds. An expression that tests for both on purpose, as `level == 5 || level ==
            "5"` does, causes no warning.
            """,
            bad: """
                machine:
                  states:
                    idle: { always: { guard: power > 5, target: running } }
                    running: { always: { guard: 'power == "0"', target: idle } }
                """,
            good: """
                machine:
                  states:
                    idle: { always: { guard: power > 5, target: running } }
                    running: { always: { guard: power == 0, target: idle } }
                """
        ),
        ProblemExplanation(
            .bracesShown,
            "a text that shows an expression instead of its value",
            "In texts, one brace begins an expression, and two stand for the brace itself.",
            bad: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    running: { title: "Running {{ power }} W", always: { guard: phase == "off", target: idle } }
                """,
            good: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    running: { title: "Running {power} W", always: { guard: phase == "off", target: idle } }
                """
        ),
    ]
}
