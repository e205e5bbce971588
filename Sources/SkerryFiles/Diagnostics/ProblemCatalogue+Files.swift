import SkerryDevice

extension ProblemCatalogue {
    /// How a file is written.
    static let files = [
        ProblemExplanation(
            .notYAML,
            "the file is not YAML",
            """
            A definition is a YAML file in UTF-8 of at most 1 MiB. Where YAML can't be read, nothing behind that place can
            be checked. A value with a colon and a space, or beginning with a bracket, a brace, `!`, `#` or `%`, needs quotes.
            """,
            bad: """
                machine:
                  states:
                    idle:
                      always: { guard: !phase, target: idle }
                """,
            good: """
                machine:
                  states:
                    idle:
                      on: { again: { guard: "!phase", target: idle } }
                """
        ),
        ProblemExplanation(
            .unknownKey,
            "a key that the language does not know",
            """
            A key with a typing error would otherwise be passed over in silence. The help names the key that was probably
            meant.
            """,
            bad: """
                sources:
                  - topic: home/{device}/state
                    singals: { phase: payload.phase }
                """,
            good: """
                sources:
                  - topic: home/{device}/state
                    signals: { phase: payload.phase }
                """
        ),
        ProblemExplanation(
            .missingKey,
            "a key is missing",
            "Some keys must be there: a definition needs `kind`, `machine` and `sources`, an activity `starts`.",
            bad: """
                activity:
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
            .wrongShape,
            "a value of another shape is expected",
            "Such as a text where a mapping belongs, or a list where one value belongs, or no value at all.",
            bad: """
                timers:
                  cycle: 90m
                """,
            good: """
                timers:
                  cycle: { duration: 'duration("90m")', while: inState("running") }
                """
        ),
        ProblemExplanation(
            .badValue,
            "a value is not among the allowed ones",
            "The help lists what it can be.",
            bad: """
                activity:
                  starts: running
                  ends: idle
                  relevance: 200
                """,
            good: """
                activity:
                  starts: running
                  ends: idle
                  relevance: 50
                """
        ),
        ProblemExplanation(
            .badDuration,
            "a length of time is not written as one",
            """
            Keys such as `after`, `for`, `quiet` and `stale` take whole numbers with units: `2d`, `1h30m`, `15m`, `10s`,
            `500ms`. Only expressions write `duration("15m")`.
            """,
            bad: """
                machine:
                  states:
                    idle: { after: { 15 minutes: running } }
                    running: { always: { guard: phase == "off", target: idle } }
                """,
            good: """
                machine:
                  states:
                    idle: { after: { 15m: running } }
                    running: { always: { guard: phase == "off", target: idle } }
                """
        ),
        ProblemExplanation(
            .duplicateName,
            "the same name twice",
            """
            States, timers and keys have one name each, and all definitions together have different kinds: topics and
            activities are named by them.
            """,
            bad: """
                machine:
                  states:
                    idle: { on: { start: busy } }
                    busy:
                      states: { idle: {} }
                """,
            good: """
                machine:
                  states:
                    idle: { on: { start: busy } }
                    busy:
                      states: { resting: {} }
                """
        ),
        ProblemExplanation(
            .unknownVersion,
            "a version of the language that this Skerry does not know",
            "The key `skerry` says in which version of the language a file is written. There is version 1.",
            bad: """
                skerry: 7
                kind: thing
                """,
            good: """
                skerry: 1
                kind: thing
                sources: [{ topic: "home/{device}", signals: { phase: payload.phase } }]
                machine: { states: { idle: { on: { again: { guard: phase == "on", target: idle } } } } }
                """
        ),
        ProblemExplanation(
            .badName,
            "a name that can't be used",
            """
            Signals, variables, timers and fields are named in expressions: letters, digits and `_`, not beginning with a
            digit, and none of the words of the language. A kind is one level of a topic.
            """,
            bad: """
                sources:
                  - topic: home/{device}/state
                    signals: { state: payload.phase }
                """,
            good: """
                sources:
                  - topic: home/{device}/state
                    signals: { phase: payload.phase }
                """
        ),
    ]

    /// Sources, and how much there may be.
    static let topics = [
        ProblemExplanation(
            .badTopic,
            "a topic that can't be used",
            """
            A topic filter follows the rules of MQTT, and one of its levels is `{device}`: what stands there names the
            device. Captures, `+` and `#` take whole levels, `#` the last one. Shared subscriptions give no order per
            device.
            """,
            bad: """
                sources:
                  - topic: home/washer/state
                    signals: { phase: payload.phase }
                """,
            good: """
                sources:
                  - topic: home/{device}/state
                    signals: { phase: payload.phase }
                """
        ),
        ProblemExplanation(
            .tooMany,
            "more than a definition may have",
            "A definition has at most 256 signals and 255 states, and a device is meant to be small: split it.",
            bad: "sources:\n  - topic: home/{device}/state\n    signals:\n"
                + (0...256).map { "      s\($0): payload.s\($0)" }.joined(separator: "\n"),
            good: """
                sources:
                  - topic: home/{device}/state
                    signals: { phase: payload.phase }
                """
        ),
    ]

    /// Expressions.
    static let expressions = [
        ProblemExplanation(
            .badExpression,
            "an expression that can't be read",
            "Expressions are CEL. The mark stands where the text stops being one.",
            bad: """
                timers:
                  cycle: { remaining: "seconds(power", while: inState("running") }
                """,
            good: """
                timers:
                  cycle: { remaining: "seconds(power)", while: inState("running") }
                """
        ),
        ProblemExplanation(
            .unknownName,
            "a name that nothing declares",
            """
            Expressions name signals, `context.x`, `timer.x`, `device`, `state`, `now` and functions; those of signals also
            `payload` and the captures of the topic as `topic.x`.
            """,
            bad: """
                activity:
                  starts: running
                  ends: idle
                  content: { watts: powr }
                """,
            good: """
                activity:
                  starts: running
                  ends: idle
                  content: { watts: power }
                """
        ),
        ProblemExplanation(
            .wrongType,
            "types that do not fit",
            """
            What is known of types is checked when a definition is loaded. What comes out of JSON is known only when it
            comes: if it then has another type, the expression has an error, and a guard with an error does not hold.
            """,
            bad: """
                timers:
                  cycle: { remaining: '"ten minutes"', while: inState("running") }
                """,
            good: """
                timers:
                  cycle: { remaining: 'duration("10m")', while: inState("running") }
                """
        ),
        ProblemExplanation(
            .tooCostly,
            "evaluating this can cost more than the limit",
            """
            An expression must not keep a gateway busy. Its cost is estimated when it is loaded, taking every value of a
            payload for at most 1,000 bytes or elements, and a list for at most 100 elements. A loop over a list is fine, a
            loop in a loop is not. `limits.expression-cost` is the limit, 10,000 unless set; an evaluation that meets larger
            values stops there.
            """,
            bad: """
                sources:
                  - topic: home/{device}/state
                    signals:
                      phase: payload.phase
                      twice: payload.items.exists(a, payload.items.exists(b, a.id + 1 == b.id))
                """,
            good: """
                sources:
                  - topic: home/{device}/state
                    signals:
                      phase: payload.phase
                      open: payload.items.filter(a, a.open).map(a, a.name)
                """
        ),
    ]
}
