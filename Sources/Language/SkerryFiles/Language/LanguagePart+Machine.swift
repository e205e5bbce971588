import SkerryMachine

extension LanguagePart {
    static let machineMapping = LanguageMapping(
        "Machine",
        "The root of the statechart, a state without a name.",
        [
            title, symbol, tint,
            type(["parallel"], "All states of the machine are active at once."),
            initial,
            LanguageKey(
                "onUnavailable",
                "While the device can't be reached",
                "Whether waits run on while `available` is known to be false. `hold`, the default: guards with `for`, `after` and "
                    + "countdowns with `remaining` stand still. `run`: they run on.",
                .word(["hold", "run"]),
                examples: ["run"]
            ),
        ] + behaviour + [states(isRequired: true)]
    )

    static let stateMapping = LanguageMapping(
        "State",
        "A state of the machine. Its name differs from that of every other state of the definition.",
        [
            title, symbol, tint,
            LanguageKey(
                "relevance",
                "Relevance",
                "How much the activity matters compared with others while it is active, from 0 to 100.",
                .number(0...100),
                examples: ["90"]
            ),
            type(
                ["parallel", "history", "final"],
                "`parallel`: all of its states are active at once. `final`: entering it tells the parent that it is "
                    + "done. `history`: entering it leads to where the parent was left."
            ),
            initial,
        ] + behaviour + [
            states(isRequired: false),
            LanguageKey(
                "history",
                "Depth of the history",
                "For `type: history`. `shallow` (the default) restores the child of the parent, `deep` all that was active "
                    + "below it.",
                .word(["shallow", "deep"]),
                examples: ["deep"]
            ),
            LanguageKey(
                "target",
                "Default of the history",
                "For `type: history`: where it leads when the parent was never left.",
                .oneOrMore(.state),
                examples: ["running"]
            ),
        ]
    )

    private static let title = LanguageKey(
        "title",
        "Title for people",
        "The text that people see while it is active; expressions read it as `state.title`.",
        .words(.template),
        examples: ["Running", "\"Done after {context.length} min\""]
    )

    private static let symbol = LanguageKey(
        "symbol",
        "Symbol",
        "The symbol that an island draws as `{state.symbol}` while it is active.",
        .text,
        examples: ["checkmark"]
    )

    private static let tint = LanguageKey(
        "tint",
        "Colour",
        "The colour of the island while it is active.",
        .colour,
        examples: ["\"#2a9d8f\""]
    )

    private static let initial = LanguageKey(
        "initial",
        "First state",
        "The state entered with this one; the first of `states` when left out.",
        .oneOrMore(.state),
        examples: ["idle"]
    )

    private static func type(_ words: [String], _ summary: String) -> LanguageKey {
        LanguageKey(
            "type",
            "Type",
            summary + " Left out, one of its states is active at a time, or it has none.",
            .word(words),
            examples: ["parallel"]
        )
    }

    private static func states(isRequired: Bool) -> LanguageKey {
        LanguageKey(
            "states",
            "States",
            "The states within it, by their names.",
            .named(.state, .either([.mapping(.state), .nothing])),
            isRequired: isRequired,
            examples: ["{ idle: {}, running: { title: Running } }"]
        )
    }

    private static let behaviour = [
        LanguageKey(
            "entry",
            "On entry",
            "Actions on entering the state.",
            actions,
            examples: ["{ start: cycle }"]
        ),
        LanguageKey(
            "exit",
            "On exit",
            "Actions on leaving the state.",
            actions,
            examples: ["{ stop: cycle }"]
        ),
        LanguageKey(
            "on",
            "On an event",
            "Transitions by event. `a.*` matches every event that begins with `a`; several descriptors are separated by "
                + "spaces; a timer at zero raises `<timer>.elapsed`.",
            .named(.events, transitions(.transition)),
            examples: ["{ cycle.elapsed: finishing, snooze: { target: idle } }"]
        ),
        LanguageKey(
            "always",
            "As soon as",
            "Transitions that need no event, only their guard; tried after each message.",
            transitions(.waitingTransition),
            examples: ["{ guard: power < 5, for: 3m, target: done }"]
        ),
        LanguageKey(
            "after",
            "After a time in the state",
            "Transitions by the time that the state has been active.",
            .named(.duration, transitions(.transition)),
            examples: ["{ 15m: idle }"]
        ),
        LanguageKey(
            "at",
            "At a time of day",
            "Transitions by local time, with days of the week if they are not for every day; `sunrise` and `sunset` may have "
                + "an offset.",
            .named(.timeOfDay, transitions(.transition)),
            examples: ["{ \"22:00\": night, \"sat,sun 08:30\": awake, \"sunset - 30m\": { target: lit } }"]
        ),
    ]

    /// One action or a list of them.
    static let actions = LanguageValue.oneOrMore(
        .either([.mapping(.action), .mapping(.guardedAction)])
    )

    private static func transitions(_ part: LanguagePart) -> LanguageValue {
        .oneOrMore(.either([.state, .mapping(part)]))
    }

    static let transitionMapping = LanguageMapping(
        "Transition",
        "Where an event or a time leads. A state's name alone is a transition to it.",
        transitionKeys
    )

    static let waitingTransitionMapping = LanguageMapping(
        "Transition under 'always'",
        "Where a guard leads, at once or when it has held for a while. A state's name alone is a transition to it.",
        transitionKeys + [
            LanguageKey(
                "for",
                "How long the guard must hold",
                "The wait begins when the guard turns true and ends when it turns false or the state is left.",
                .settableDuration,
                examples: ["3m"]
            ),
            LanguageKey(
                "dropout",
                "Lapses forgiven",
                "With `for`: how long the guard may be false without ending the wait.",
                .settableDuration,
                examples: ["10s"]
            ),
            LanguageKey(
                "reports",
                "Reports that must agree",
                "With `for`: the guard must hold in so many reports of its signals, or for the time in which as many usually come. "
                    + "A signal with `pace` tells how often they do.",
                .number(2...Double(Statechart.reportLimit)),
                examples: ["3"]
            ),
            LanguageKey(
                "quiet",
                "Silence",
                "The transition is taken when no message has come from the device for this time, or none with certain signals.",
                settableSilence,
                examples: ["10m", "{ of: [left, percent], for: 30m }", "{ unchanged: left, for: 30m }"]
            ),
        ]
    )

    /// A length of silence of the device, or of some of its signals.
    static let settableSilence = LanguageValue.either([.settableDuration, .mapping(.silence)])

    static let silenceMapping = LanguageMapping(
        "Silence of signals",
        "How long no message has told one of some signals; other messages do not break it.",
        choice: ["of", "unchanged"],
        [
            LanguageKey(
                "of",
                "Broken by a report",
                "The signals; each message with one of them breaks the silence, whatever its value.",
                .oneOrMore(.signal),
                examples: ["[left, percent]"]
            ),
            LanguageKey(
                "unchanged",
                "Broken by a change",
                "The signals; only another value of one of them breaks the silence.",
                .oneOrMore(.signal),
                examples: ["[left, percent]"]
            ),
            LanguageKey(
                "for",
                "How long",
                "The length of the silence.",
                .settableDuration,
                isRequired: true,
                examples: ["30m"]
            ),
        ]
    )

    private static let transitionKeys = [
        LanguageKey(
            "target",
            "Target",
            "Where it leads: a state, or several in parallel regions. Without a target the state stays.",
            .oneOrMore(.state),
            examples: ["running"]
        ),
        LanguageKey(
            "guard",
            "Guard",
            "An expression that must be true. One that can't be evaluated is false.",
            .expression,
            examples: ["power > 10 && !context.done"]
        ),
        LanguageKey(
            "actions",
            "Actions",
            "What is done on the way.",
            actions,
            examples: ["{ assign: { began: since } }"]
        ),
        LanguageKey(
            "internal",
            "Internal transition",
            "With `true`, a transition to a state within its own state does not leave the latter.",
            .truth,
            examples: ["true"]
        ),
    ]
}
