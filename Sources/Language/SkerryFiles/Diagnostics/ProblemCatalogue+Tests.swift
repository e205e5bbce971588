import SkerryDevice

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
            "Such a message reaches no device, and the test fails at that step.",
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
