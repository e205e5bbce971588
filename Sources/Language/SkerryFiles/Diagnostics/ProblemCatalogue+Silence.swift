import SkerryDevice

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
