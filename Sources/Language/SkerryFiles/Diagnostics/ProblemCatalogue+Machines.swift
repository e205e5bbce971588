import SkerryDevice

extension ProblemCatalogue {
    /// Problems of machines and of the names in them.
    static let machines = [
        ProblemExplanation(
            .unknownState,
            "a state that does not exist",
            "Targets, `initial`, `starts`, `ends` and alerts must name states of this definition.",
            bad: """
                activity:
                  starts: runing
                  ends: idle
                """,
            good: """
                activity:
                  starts: running
                  ends: idle
                """
        ),
        ProblemExplanation(
            .unknownTimer,
            "a timer that does not exist",
            "Actions must name timers declared under `timers:`.",
            bad: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    running: { entry: { start: cycle }, after: { 2h: idle } }
                """,
            good: """
                timers:
                  cycle: { duration: 'duration("90m")' }
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    running: { entry: { start: cycle }, on: { cycle.elapsed: idle } }
                """
        ),
        ProblemExplanation(
            .badMachine,
            "a machine that can't work",
            """
            The rules are those of SCXML: the targets of a transition can be active together, a history has a target for the first
            time, and final states have no transitions of their own.
            """,
            in: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: over } }
                    <here>
                """,
            bad: "over: { type: final, after: { 5m: idle } }",
            good: "over: { after: { 5m: idle } }"
        ),
        ProblemExplanation(
            .unknownVariable,
            "a variable that does not exist",
            "`assign` sets variables declared under `context:` with their first values.",
            bad: """
                machine:
                  states:
                    idle: { entry: { assign: { count: 0 } } }
                """,
            good: """
                context: { count: 0 }
                machine:
                  states:
                    idle: { on: { more: { actions: { assign: { count: context.count + 1 } } } } }
                """
        ),
        ProblemExplanation(
            .badPublication,
            "a topic that nothing can be published to",
            """
            A topic of `publish` has no wildcards, does not begin with `$`, and is none that a source of the same definition may
            read: such a message would come back, and could be published again and again.
            """,
            in: """
                sources:
                  - topic: plug/{device}/power
                    payload: number
                    signals: { power: payload }
                machine:
                  states:
                    on: { always: { guard: power > 2000, target: off } }
                    <here>
                """,
            bad: #"off: { entry: { publish: { topic: "plug/{device}/power", payload: "0" } } }"#,
            good: #"off: { entry: { publish: { topic: "plug/{device}/set", payload: OFF } } }"#
        ),
        ProblemExplanation(
            .unreachableState,
            "a state that nothing leads to",
            """
            No transition, no `initial` and no parallel state leads there: remove it, or correct the target that should lead
            there.
            """,
            bad: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    running: { always: { guard: phase == "off", target: idle } }
                    paused: { always: { guard: phase == "on", target: running } }
                """,
            good: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    running:
                      always:
                        - { guard: phase == "off", target: idle }
                        - { guard: phase == "pause", target: paused }
                    paused: { always: { guard: phase == "on", target: running } }
                """
        ),
        ProblemExplanation(
            .transitionNeverTaken,
            "a transition that is never taken",
            """
            Its guard can't hold, or a transition before it is always taken instead. Transitions are tried in the order written,
            an `always` without a guard leaves its state at once, and of two `after` without guards the shorter one wins.
            """,
            bad: """
                machine:
                  states:
                    idle:
                      always:
                        - { guard: power > 5, target: running }
                        - { guard: power > 100, target: heating }
                    running: { always: { guard: power < 3, target: idle } }
                    heating: { always: { guard: power < 3, target: idle } }
                """,
            good: """
                machine:
                  states:
                    idle:
                      always:
                        - { guard: power > 100, target: heating }
                        - { guard: power > 5, target: running }
                    running: { always: { guard: power < 3, target: idle } }
                    heating: { always: { guard: power < 3, target: idle } }
                """
        ),
        ProblemExplanation(
            .guardsOverlap,
            "two guards that can both hold",
            """
            For some values of a signal only the first guard holds, for some only the second, and for some both; then the one
            written first wins. The message names such a case. An exception before a more general guard, guards on different
            signals, and an else without a guard are common and cause no warning.
            """,
            in: """
                machine:
                  states:
                    idle:
                      always:
                        <here>
                        - { guard: power < 10, target: resting }
                    running: { always: { guard: phase == "off", target: idle } }
                    resting: { always: { guard: phase == "off", target: idle } }
                """,
            bad: "- { guard: power > 5, target: running }",
            good: "- { guard: power >= 10, target: running }"
        ),
        ProblemExplanation(
            .endlessLoop,
            "states that go round without end",
            """
            With the values named in the message, each state is left at once for the next one, and no time passes. A device that
            gets there stays in its last stable state, and a fault is reported. It is an error if the loop is certain: once one of
            its transitions is taken, nothing else can follow. Events go round, too, if what each of them leads to raises or sends
            the next one without a delay.
            """,
            bad: """
                machine:
                  states:
                    idle: { always: { guard: power > 5, target: running } }
                    running: { always: { guard: power < 10, target: idle } }
                """,
            good: """
                machine:
                  states:
                    idle: { always: { guard: power > 10, target: running } }
                    running: { always: { guard: power < 5, target: idle } }
                """
        ),
        ProblemExplanation(
            .noMessageThen,
            "a guard that asks for a message when a timer fires",
            """
            `changed(x)` is true if the message being handled changed the signal. When an `after`, a `quiet` or a timer fires,
            there is no message, so it is false, and with `for` it would have to stay true. Signals keep their values, and can be
            compared.
            """,
            in: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    <here>
                """,
            bad: "running: { after: { 5m: { guard: changed(phase), target: idle } } }",
            good: #"running: { after: { 5m: { guard: phase == "off", target: idle } } }"#
        ),
    ]

    /// Waits, timers and loops by time.
    static let waits = [
        ProblemExplanation(
            .waitTooShort,
            "a wait that is too short to be seen",
            """
            Devices report every few seconds, and people see only what stays for a second or more. With a `dropout` as long as its
            `for`, a single reading is enough. A timer of no length is over as it starts, and nothing can be sent in the past.
            """,
            in: """
                machine:
                  states:
                    idle: { always: { guard: power > 5, target: running } }
                    <here>
                """,
            bad: "running: { after: { 200ms: idle } }",
            good: "running: { after: { 20s: idle } }"
        ),
        ProblemExplanation(
            .endlessTimerLoop,
            "states or timers that repeat by time alone",
            """
            Each round changes what people see, so updates are sent without end, even if the device says nothing. Phones and push
            services allow only a limited number. A round of a minute or longer causes no warning.
            """,
            bad: """
                machine:
                  states:
                    bright: { after: { 1s: dark } }
                    dark: { after: { 1s: bright } }
                """,
            good: """
                machine:
                  states:
                    bright: { after: { 5m: dark } }
                    dark: { after: { 5m: bright } }
                """
        ),
        ProblemExplanation(
            .endKeepsMoving,
            "a countdown whose end moves with the clock",
            """
            `until` is computed again with every message. An end that counts from `now` then keeps moving, although the device has
            reported nothing new. Use `remaining` for the time left that a device reports, and `duration` for a fixed time from
            the start.
            """,
            bad: """
                timers:
                  cycle: { until: now + seconds(power), while: inState("running") }
                """,
            good: """
                timers:
                  cycle: { remaining: seconds(power), while: inState("running") }
                """
        ),
        ProblemExplanation(
            .timerNeverStarted,
            "a timer that nothing starts",
            "A timer runs while its `while` holds, or from an action `start` on. This one has neither, or its `while` can't hold.",
            bad: """
                timers:
                  cycle: { duration: 'duration("90m")' }
                """,
            good: """
                timers:
                  cycle: { duration: 'duration("90m")', while: inState("running") }
                """
        ),
        ProblemExplanation(
            .eventNeverRaised,
            "an event that nothing raises",
            """
            A timer raises its name with `.elapsed`, a state with a final state within `done.state.` with its name, the actions
            `raise` and `send` what they name, and the bridge `bridge.connected`. Messages may raise any other event, which is not
            doubted.
            """,
            in: """
                timers:
                  cycle: { duration: 'duration("90m")', while: inState("running") }
                machine:
                  states:
                    idle: { always: { guard: power > 10, target: running } }
                    <here>
                """,
            bad: "running: { on: { timer.cycle: idle } }",
            good: "running: { on: { cycle.elapsed: idle } }"
        ),
        ProblemExplanation(
            .actionInVain,
            "an action or a tolerance that has no effect",
            """
            `while` says when its timer runs: what `pause` and `resume` do to it is undone at once. A timer that counts up has no
            end that `extend` could move. `cancel` takes the `id` of a `send`. What `raise` and `send` name is awaited nowhere else
            than in this definition. Texts and truth values are the same or are not, and a countdown has the tolerance of its timer.
            """,
            bad: """
                timers:
                  cycle: { duration: 'duration("90m")', while: inState("running") }
                machine:
                  states:
                    running: { on: { hold: { actions: { pause: cycle } } } }
                """,
            good: """
                timers:
                  cycle: { duration: 'duration("90m")', while: inState("running") }
                machine:
                  states:
                    running: { on: { hold: held } }
                    held: { on: { go: running } }
                """
        ),
        ProblemExplanation(
            .conditionNeverHolds,
            "a condition that never holds",
            """
            The `when` of a source, a field or of what is learned, or the guard of an action contradicts itself, or asks for a value
            that its signal never has.
            """,
            in: """
                machine:
                  states:
                    idle: { always: { guard: power > 10, target: running } }
                    running: { always: { guard: power < 5, target: idle } }
                activity:
                  starts: running
                  ends: idle
                  <here>
                """,
            bad: "content: { load: { value: power, when: power > 10 && power < 5 } }",
            good: "content: { load: { value: power, when: power > 10 } }"
        ),
        ProblemExplanation(
            .timerNeverRead,
            "a timer that nothing reads",
            "Nothing shows it, nothing compares it, and no transition waits for its end.",
            bad: """
                timers:
                  cycle: { duration: 'duration("90m")', while: inState("running") }
                """,
            good: """
                timers:
                  cycle: { duration: 'duration("90m")', while: inState("running") }
                activity:
                  starts: running
                  ends: idle
                  content: { cycle: timer.cycle }
                """
        ),
    ]
}

extension ProblemCatalogue {
    /// Warnings about states that time and silence lead to.
    static let silence: [ProblemExplanation] = [
        ProblemExplanation(
            .leftAtOnce,
            "a state that is left again at once",
            """
            Signals keep their last values. A state that silence or a timer leads to, and from which a guard over the same values
            leads back, is left at the moment at which it is entered: nobody sees it, and it comes again and again. A guard with
            `changed(…)`, or an event that the source raises with each message, waits for something new.
            """,
            bad: """
                machine:
                  initial: idle
                  states:
                    idle: { always: { guard: power > 10, target: running } }
                    running: { always: [{ guard: power < 5, target: idle }, { quiet: 10m, target: lost }] }
                    lost: { always: { guard: power > 10, target: running } }
                """,
            good: """
                sources:
                  - { topic: "home/{device}/state", signals: { power: payload.power }, event: '"report"' }
                machine:
                  initial: idle
                  states:
                    idle: { always: { guard: power > 10, target: running } }
                    running: { always: [{ guard: power < 5, target: idle }, { quiet: 10m, target: lost }] }
                    lost: { on: { report: { guard: power > 10, target: running } } }
                """
        ),
        ProblemExplanation(
            .silenceForGood,
            "a silence after which no message leads back",
            """
            Devices are silent because a battery is low, a radio is far or a gateway starts anew, and then they go on. Where no
            message leads out of the state that silence led to, or only to where the device can't work any more, its work stays
            unseen.
            """,
            bad: """
                machine:
                  initial: idle
                  states:
                    idle: { always: { guard: power > 10, target: running } }
                    running: { always: [{ guard: power < 5, target: idle }, { quiet: 10m, target: lost }] }
                    lost: { after: { 1h: idle } }
                """,
            good: """
                sources:
                  - { topic: "home/{device}/state", signals: { power: payload.power }, event: '"report"' }
                machine:
                  initial: idle
                  states:
                    idle: { always: { guard: power > 10, target: running } }
                    running: { always: [{ guard: power < 5, target: idle }, { quiet: 10m, target: lost }] }
                    lost: { on: { report: { guard: power > 10, target: running } } }
                """
        ),
    ]
}

extension ProblemCatalogue {
    /// Tests, and files of other formats.
    static let tests = [
        ProblemExplanation(
            .testFailed,
            "a test expects something else",
            "`skerry test` shows the actual value. Either the definition is wrong, or the expectation.",
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
            "a test step that can't be carried out",
            "It names a signal, a state, a timer or an expectation that does not exist, or sends to a topic of no source.",
            in: """
                tests:
                  - name: it runs
                    steps:
                      - send: { home/cellar/state: { phase: "on" } }
                      <here>
                """,
            bad: "- expect: { stat: running }",
            good: "- expect: { state: running }"
        ),
        ProblemExplanation(
            .topicOfNoSource,
            "a test that sends to a topic of no source",
            "Such a message reaches no device, and the test fails at that step.",
            in: """
                tests:
                  - name: it runs
                    steps:
                      <here>
                """,
            bad: #"- send: { home/cellar: { phase: "on" } }"#,
            good: #"- send: { home/cellar/state: { phase: "on" } }"#
        ),
        ProblemExplanation(
            .notTranslated,
            "something that can't be translated",
            """
            The imported file says something that the language can't express, or not in quite the same way. The place is marked in
            the result; look at it before you use the definition.
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
            "It is not in the format that was named, or it has errors.",
            bad: """
                <scxml initial="idle">
                """,
            good: """
                <scxml xmlns="http://www.w3.org/2005/07/scxml" initial="idle"><state id="idle"/></scxml>
                """
        ),
    ]
}
