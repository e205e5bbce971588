import SkerryDevice

extension ProblemCatalogue {
    /// Machines and what is named in them.
    static let machines = [
        ProblemExplanation(
            .unknownState,
            "a state that does not exist",
            "Targets, `initial`, `starts`, `ends` and alerts name states of this definition.",
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
            "Actions name timers declared under `timers:`.",
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
            The rules are those of SCXML: targets of one transition can be active together, a history says where it leads
            the first time, final states are not left by transitions of their own.
            """,
            bad: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: over } }
                    over: { type: final, after: { 5m: idle } }
                """,
            good: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: over } }
                    over: { after: { 5m: idle } }
                """
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
            .unreachableState,
            "a state that nothing leads to",
            "No transition, no `initial` and no parallel state leads there: it can be removed, or a target is wrong.",
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
            Its guard can't hold, or one before it is always taken instead: transitions are tried in the order written, a
            state with an `always` without guard is left at once, and of two `after` without guards the shorter one wins.
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
            For some values of a signal either guard holds alone, for others both, and then the one written first wins. The
            message names such a case. An exception before a more general guard, guards about different signals and an else
            without a guard are usual, and give no warning.
            """,
            bad: """
                machine:
                  states:
                    idle:
                      always:
                        - { guard: power > 5, target: running }
                        - { guard: power < 10, target: resting }
                    running: { always: { guard: phase == "off", target: idle } }
                    resting: { always: { guard: phase == "off", target: idle } }
                """,
            good: """
                machine:
                  states:
                    idle:
                      always:
                        - { guard: power >= 10, target: running }
                        - { guard: power < 10, target: resting }
                    running: { always: { guard: phase == "off", target: idle } }
                    resting: { always: { guard: phase == "off", target: idle } }
                """
        ),
        ProblemExplanation(
            .endlessLoop,
            "states that go round without end",
            """
            With the values named in the message each state is left at once for the next one, and no time passes. A device
            that gets there stays in its last stable state, and a fault is told. It is an error where the circle is
            certain: whenever a transition of it is taken, nothing else can follow.
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
            `changed(x)` tells whether the message that is being handled changed a signal. When an `after`, a `quiet` or a
            timer fires there is none, so it is false. Signals keep their values, and can be compared.
            """,
            bad: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    running: { after: { 5m: { guard: changed(phase), target: idle } } }
                """,
            good: """
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    running: { after: { 5m: { guard: phase == "off", target: idle } } }
                """
        ),
    ]

    /// Waits, timers and loops by time.
    static let waits = [
        ProblemExplanation(
            .waitTooShort,
            "a wait that is too short to be seen",
            """
            Devices report every few seconds, and people see what stays for a second. A `dropout` as long as its `for`
            forgives so much that a single reading is enough.
            """,
            bad: """
                machine:
                  states:
                    idle: { always: { guard: power > 5, for: 200ms, target: running } }
                    running: { always: { guard: power < 5, for: 1m, target: idle } }
                """,
            good: """
                machine:
                  states:
                    idle: { always: { guard: power > 5, for: 20s, target: running } }
                    running: { always: { guard: power < 5, for: 1m, target: idle } }
                """
        ),
        ProblemExplanation(
            .endlessTimerLoop,
            "states or timers that go round by time alone",
            """
            Each round changes what people see, so an update is sent, for ever, also when the device says nothing. Phones
            and push services allow only so many updates. What lasts a minute or longer gives no warning.
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
            `until` is computed anew with every message. An end that counts from `now` then moves on, though the device has
            not said anything new about it. `remaining` follows what the device says is left, `duration` counts from the start.
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
            """
            A timer runs while its `while` holds, or from an action `start` on. This one has neither, or a `while` that
            can't hold.
            """,
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
