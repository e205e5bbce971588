import SkerryDevice

extension ProblemCatalogue {
    /// What people see.
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
            "something that a region can't draw",
            "A region draws symbols, texts over attributes and content, and times that the content has. A tint is `#rrggbb`.",
            bad: """
                activity:
                  starts: running
                  ends: idle
                  content: { status: state.title }
                island:
                  minimal: { countdown: cycle }
                """,
            good: """
                activity:
                  starts: running
                  ends: idle
                  content: { status: state.title }
                island:
                  minimal: { symbol: washer }
                """
        ),
        ProblemExplanation(
            .badLink,
            "a link that must not be opened",
            """
            A link opens a page or an app. It must not run or read anything (`javascript:`, `data:`, `file:`), and what a
            device sends must not choose what it does: the scheme stands in the definition.
            """,
            bad: """
                activity:
                  starts: running
                  ends: idle
                  link: "{phase}:{device}"
                """,
            good: """
                activity:
                  starts: running
                  ends: idle
                  link: "home://washer/{device}"
                """
        ),
        ProblemExplanation(
            .tooLargeForPhones,
            "attributes and content that a phone may not take",
            """
            Apple takes 4,096 bytes in a push. When there is an island, the largest attributes and content that the types of
            the fields allow must fit, together with the alert. Numbers take 24 bytes, texts and fields of unknown type 256,
            longer ones are cut. Lists and objects are not sent to phones.
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
            It has no `ends`, or there is a state from which none of them can be reached any more. Such an activity stays on
            screens until the system removes it, after hours.
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
            "Alerts are given when a state is entered while the activity goes on, the first state of `ends` included.",
            bad: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    running: { always: { guard: phase == "off", target: done } }
                    done: { after: { 5m: idle } }
                activity:
                  starts: running
                  ends: done
                  alerts: { idle: { title: Done } }
                """,
            good: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    running: { always: { guard: phase == "off", target: done } }
                    done: { after: { 5m: idle } }
                activity:
                  starts: running
                  ends: done
                  alerts: { done: { title: Done } }
                """
        ),
        ProblemExplanation(
            .contentTooLarge,
            "content that can be too large",
            """
            Content may have 4,096 bytes: push services take no more. Whole payloads can have 256 KiB. Content that is too
            large is not published, and a fault is told.
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
            "a text that does not fit where it is drawn",
            """
            There is room for about 10 characters in a compact region, 16 beside the camera in the expanded one, 40 below it,
            and 80 on the Lock Screen, 40 in its title. The longest title of a state counts where `state.title` is shown.
            """,
            bad: """
                activity:
                  starts: running
                  ends: idle
                island:
                  compact: { leading: { symbol: washer }, trailing: { text: The laundry is being washed } }
                """,
            good: """
                activity:
                  starts: running
                  ends: idle
                island:
                  compact: { leading: { symbol: washer }, trailing: { text: Washing } }
                """
        ),
    ]

    /// Signals and variables without use or value.
    static let unused = [
        ProblemExplanation(
            .notDrawnOnPhones,
            "a text of the island that phones can't draw",
            """
            Apps are generated from the definition, and show fields as they are: what the gateway, the page and the phone
            say can't differ. Texts of the island name fields; what is to be computed belongs into the content.
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
            "No guard, no timer, no content and no other signal reads it. Reading a payload for it is work for nothing.",
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
            "It is kept and assigned for nothing, or a name is wrong where it should be read.",
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
            "something that is read before it has a value",
            """
            Variables get their first values in the order written, when the first message of a device comes. No timer runs
            then, and variables further down have no values yet.
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
            It is computed from itself, alone or over other signals, and has no value to begin with. `has(x)` asks whether
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

    /// What is shown otherwise than it was meant.
    static let shown = [
        ProblemExplanation(
            .unknownSymbol,
            "a symbol that no reader knows",
            """
            Readers draw a gear in its place. [Symbols](phones.md#symbols) has the names that there are; a name with a point
            in it, such as `bolt.car`, is one of SF Symbols and taken as it is.
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
            .titleMissing,
            "a title that is shown of a state that has none",
            """
            `state.title` has no value in a state without a title, neither of its own nor of a state around it. The field is
            then missing: the last thing that people see of the activity is nothing.
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
            What a field of JSON is shows only when a message comes, so both are allowed. But a number never equals a text,
            and one of the two comparisons never holds. An expression that asks for both, as
            `level == 5 || level == "5"` does, means it so.
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
            "In texts one brace begins an expression, and two stand for the brace itself.",
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

    /// Tests, and files of other formats.
    static let tests = [
        ProblemExplanation(
            .testFailed,
            "something that a test expects is not so",
            "`skerry test` shows what is there instead. Either the definition is wrong, or the expectation.",
            bad: """
                tests:
                  - name: it runs
                    steps:
                      - send: { home/cellar/state: { phase: on } }
                      - expect: { state: idle }
                """,
            good: """
                tests:
                  - name: it runs
                    steps:
                      - send: { home/cellar/state: { phase: "on" } }
                      - expect: { state: running }
                """
        ),
        ProblemExplanation(
            .badTest,
            "a step of a test that can't be done",
            "It names a signal, a state, a timer or an expectation that there is none of, or sends to a topic of no source.",
            bad: """
                tests:
                  - name: it runs
                    steps:
                      - send: { home/cellar/state: { phase: "on" } }
                      - expect: { stat: running }
                """,
            good: """
                tests:
                  - name: it runs
                    steps:
                      - send: { home/cellar/state: { phase: "on" } }
                      - expect: { state: running }
                """
        ),
        ProblemExplanation(
            .topicOfNoSource,
            "a test that sends to a topic of no source",
            "Such a message reaches no device, and the test fails there when it is run.",
            bad: """
                tests:
                  - name: it runs
                    steps:
                      - send: { home/cellar: { phase: "on" } }
                """,
            good: """
                tests:
                  - name: it runs
                    steps:
                      - send: { home/cellar/state: { phase: "on" } }
                """
        ),
        ProblemExplanation(
            .notTranslated,
            "something that can't be translated",
            """
            A file of another format says something that the language can't say, or not quite the same. What was made of it
            is marked; look at it before you use it.
            """,
            bad: """
                <invoke type="http" src="https://example.org/"/>
                """,
            good: """
                <send event="ready" delay="5s"/>
                """
        ),
        ProblemExplanation(
            .badImport,
            "a file that can't be imported",
            "It is not of the format that it is said to be, or not right in it.",
            bad: """
                <scxml initial="idle">
                """,
            good: """
                <scxml xmlns="http://www.w3.org/2005/07/scxml" initial="idle"><state id="idle"/></scxml>
                """
        ),
    ]
}
