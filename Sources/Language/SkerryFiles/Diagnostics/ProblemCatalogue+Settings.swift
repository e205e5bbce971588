import SkerryDevice

extension ProblemCatalogue {
    /// Problems of settings, and of definitions that extend others.
    static let settings = [
        ProblemExplanation(
            .badBase,
            "a definition to be extended that is not there",
            """
            `extends` names the kind of another definition, which may be one that comes with Skerry, or the path of a file
            from the folder of this one on. It is an error when there is none, when it can't be read, and when definitions
            extend each other in a circle. Nothing else of the definition is checked then.
            """,
            bad: """
                extends: washer-plgu
                """,
            good: """
                settings: { threshold: 10 }
                machine:
                  states:
                    idle: { always: { guard: power > settings.threshold, target: running } }
                    running: { always: { guard: power <= settings.threshold, target: idle } }
                """
        ),
        ProblemExplanation(
            .settingNeverRead,
            "a setting that nothing reads",
            """
            People could choose a value for it, and nothing would change. Expressions and some lengths of time read a setting as
            `settings.<name>`.
            """,
            bad: """
                settings: { rest: 5m }
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    running: { always: { guard: phase == "off", for: 2m, target: idle } }
                """,
            good: """
                settings: { rest: 5m }
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    running: { always: { guard: phase == "off", for: settings.rest, target: idle } }
                """
        ),
    ]
}
