import SkerryDevice

extension ProblemCatalogue {
    /// Problems of activities and islands.
    static let activities = [
        ProblemExplanation(
            .badActivity,
            "an activity that can't work",
            """
            A countdown is published once, as absolute times, and readers draw it. Content computed from `now` or from the
            time left would be sent all the time.
            """,
            bad: """
                activity:
                  starts: running
                  ends: idle
                  content: { at: string(now) }
                """,
            good: """
                timers:
                  cycle: { remaining: minutes(power), while: inState("running") }
                activity:
                  starts: running
                  ends: idle
                  content: { cycle: timer.cycle }
                """
        ),
        ProblemExplanation(
            .badIsland,
            "an island region that can't be drawn",
            """
            A region draws symbols, texts made of attributes and content, and timers of the content; a bar also shows a number
            that has its whole, `of`, or its `steps`. A tint is `#rrggbb`. Links are for the regions of `expanded` and for `lock`,
            and show fields as they are. A field that chooses a symbol or a colour has all of its values in its expression.
            """,
            in: """
                activity:
                  starts: running
                  ends: idle
                  content: { status: state.title }
                island:
                  <here>
                """,
            bad: "minimal: { countdown: cycle }",
            good: "minimal: { symbol: washer }"
        ),
        ProblemExplanation(
            .badLink,
            "a link that must not be opened",
            """
            A link opens a page or an app. It must not run or read anything (`javascript:`, `data:`, `file:`). Its scheme must be
            written in the definition, so that no message of a device can choose it.
            """,
            in: """
                activity:
                  starts: running
                  ends: idle
                  <here>
                """,
            bad: #"link: "{phase}:{device}""#,
            good: #"link: "https://example.org/washer/{device}""#
        ),
        ProblemExplanation(
            .linkOpensNothing,
            "a link that no known app opens",
            """
            A touch hands the link to the app whose scheme it begins with. Where no app on the phone has declared that scheme,
            generated apps show their page of the device instead, as they do without a `link`. iOS opens `https:`, `tel:`,
            `sms:`, `mailto:`, `facetime:`, `maps:` and `shortcuts:`; generated apps open `skerry:`. The link of another app is
            right if each phone has that app.
            """,
            in: """
                activity:
                  starts: running
                  ends: idle
                  <here>
                """,
            bad: #"link: "home://washer/{device}""#,
            good: #"link: "skerry://washer/{device}""#
        ),
        ProblemExplanation(
            .tooLargeForPhones,
            "attributes and content that can be too large for phones",
            """
            Apple accepts 4,096 bytes in a push. If there is an island, the largest attributes and content that the types of the
            fields allow must fit, together with the alert. Numbers count 24 bytes; texts and fields of unknown type count 256,
            and longer ones are cut. Lists and objects are not sent to phones.
            """,
            bad: """
                activity:
                  starts: running
                  ends: idle
                  content: { a: power, b: power, c: power, d: power, e: power, f: power, g: power, h: power, i: power, j: power, k: power }
                island:
                  lock: { text: "{a}" }
                """,
            good: """
                activity:
                  starts: running
                  ends: idle
                  content: { a: { value: power, type: int } }
                island:
                  lock: { text: "{a}" }
                """
        ),
        ProblemExplanation(
            .activityNeverEnds,
            "an activity that can start and never end",
            """
            It has no `ends`, or there is a state from which none of them can be reached. Such an activity stays on screens until
            the system removes it, hours later. A state of `ends` that is also in `starts`, or within a state of it, ends
            nothing while the machine stays in it.
            """,
            bad: """
                activity:
                  starts: running
                  content: { status: state.title }
                """,
            good: """
                activity:
                  starts: running
                  ends: idle
                  content: { status: state.title }
                """
        ),
        ProblemExplanation(
            .alertNeverGiven,
            "an alert that is never given",
            """
            Alerts are given when a state is entered while the activity goes on, the first state of `ends` included. Of two for one
            state the first is given, and a `when` must be able to hold.
            """,
            in: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    running: { always: { guard: phase == "off", target: done } }
                    done: { after: { 5m: idle } }
                activity:
                  starts: running
                  ends: done
                  <here>
                """,
            bad: "alerts: { idle: { title: Done } }",
            good: "alerts: { done: { title: Done } }"
        ),
        ProblemExplanation(
            .contentTooLarge,
            "content that can be too large",
            """
            Content may have 4,096 bytes, because push services accept no more. A whole payload can have 256 KiB. Content that is
            too large is not published, and a fault is reported.
            """,
            bad: """
                sources:
                  - topic: home/{device}/state
                    signals: { phase: payload.phase, all: payload }
                activity:
                  starts: running
                  ends: idle
                  content: { all: all }
                """,
            good: """
                sources:
                  - topic: home/{device}/state
                    signals: { phase: payload.phase, program: payload.program }
                activity:
                  starts: running
                  ends: idle
                  content: { program: program }
                """
        ),
        ProblemExplanation(
            .textTooWide,
            "a text that is too wide for its place",
            """
            A compact region has room for about 10 characters, the expanded one for 16 beside the camera and 40 below it, and the
            Lock Screen for 80, with 40 in its title. Where `state.title` is shown, the longest title of a state counts.
            """,
            in: """
                activity:
                  starts: running
                  ends: idle
                island:
                  <here>
                """,
            bad: "compact: { leading: { symbol: washer }, trailing: { text: The laundry is being washed } }",
            good: "compact: { leading: { symbol: washer }, trailing: { text: Washing } }"
        ),
    ]

    /// Signals and variables without use or value.
    static let unused = [
        ProblemExplanation(
            .notDrawnOnPhones,
            "a text of the island that phones can't draw",
            """
            Apps are generated from the definition and show fields as they are, so that gateway, page and phone can't disagree.
            Texts of the island name fields; compute values in the content.
            """,
            bad: """
                activity:
                  starts: running
                  ends: idle
                  content: { watts: power }
                island:
                  lock: { text: "{int(watts) / 1000} kW" }
                """,
            good: """
                activity:
                  starts: running
                  ends: idle
                  content: { kilowatts: { value: double(power) / 1000.0, tolerance: 0.1 } }
                island:
                  lock: { text: "{kilowatts} kW" }
                """
        ),
        ProblemExplanation(
            .signalNeverRead,
            "a signal that nothing reads",
            "No guard, timer, content field or other signal reads it, so taking it from payloads is wasted work.",
            bad: """
                sources:
                  - topic: home/{device}/state
                    signals: { phase: payload.phase, power: payload.power }
                """,
            good: """
                sources:
                  - topic: home/{device}/state
                    signals: { phase: payload.phase }
                """
        ),
        ProblemExplanation(
            .variableNeverRead,
            "a variable that nothing reads",
            "It is stored and assigned for nothing, or its name is misspelt where it should be read.",
            bad: """
                context: { began: now }
                """,
            good: """
                context: { began: now }
                activity:
                  starts: running
                  ends: idle
                  content: { began: int(context.began) }
                """
        ),
        ProblemExplanation(
            .readBeforeSet,
            "a variable or timer that is read before it has a value",
            """
            Variables get their first values in the order in which they are written, when the first message of a device arrives.
            At that moment no timer runs, and variables further down have no values yet.
            """,
            bad: """
                context:
                  last: context.began
                  began: now
                """,
            good: """
                context:
                  began: now
                  last: context.began
                """
        ),
        ProblemExplanation(
            .signalNeverSet,
            "a signal that can never have a value",
            """
            It is computed from itself, directly or through other signals, and has no value to begin with. `has(x)` tests whether
            there is one.
            """,
            bad: """
                sources:
                  - topic: home/{device}/state
                    signals: { phase: payload.phase, total: total + payload.power }
                """,
            good: """
                sources:
                  - topic: home/{device}/state
                    signals:
                      phase: payload.phase
                      total: "has(total) ? total + payload.power : payload.power"
                """
        ),
    ]
}

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
            in: """
                activity:
                  starts: running
                  ends: idle
                island:
                  <here>
                """,
            bad: "minimal: { symbol: wascher }",
            good: "minimal: { symbol: washer }"
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
            in: """
                activity:
                  starts: running
                  ends: idle
                island:
                  lock:
                    title: { value: "{device}", lines: 2 }
                    <here>
                """,
            bad: #"text: { value: "Clean the filter, the drum and the seal of the door", lines: 4 }"#,
            good: #"text: { value: "Clean the filter, the drum and the seal of the door", lines: 3 }"#
        ),
        ProblemExplanation(
            .titleMissing,
            "a title is shown, but a state has none",
            """
            `state.title` has no value in a state that has no title and is in no state with one. The field is then missing, and
            people see nothing in its place.
            """,
            in: """
                machine:
                  states:
                    <here>
                    running: { title: Running, always: { guard: phase == "off", target: idle } }
                activity:
                  starts: running
                  ends: idle
                  content: { status: state.title }
                """,
            bad: #"idle: { always: { guard: phase == "on", target: running } }"#,
            good: #"idle: { title: Done, always: { guard: phase == "on", target: running } }"#
        ),
        ProblemExplanation(
            .mixedTypes,
            "a value that is compared with a text and with a number",
            """
            The type of a JSON field is known only when a message arrives, so both comparisons are allowed. But a number never
            equals a text, so one of the two never holds. An expression that tests for both on purpose, as `level == 5 || level ==
            "5"` does, causes no warning.
            """,
            in: """
                machine:
                  states:
                    idle: { always: { guard: power > 5, target: running } }
                    <here>
                """,
            bad: #"running: { always: { guard: 'power == "0"', target: idle } }"#,
            good: "running: { always: { guard: power == 0, target: idle } }"
        ),
        ProblemExplanation(
            .bracesShown,
            "a text that shows an expression instead of its value",
            """
            In texts, one brace begins an expression, and two stand for the brace itself. A text without braces is shown as it stands,
            also if it could be computed. `{device}` in a topic is the name of the device, and `device` alone is not.
            """,
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
