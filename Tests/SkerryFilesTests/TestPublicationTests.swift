import Testing

/// `expect: published` by the real sink.
@Suite("Expected publications of tests")
struct TestPublicationTests {
    static let lit = DefinitionTestRunnerTests.lit
    static let topic = "skerry/lamp/a/activity"
    static let alert = "skerry/lamp/a/alert"

    @Test(
        "Met expectations pass",
        arguments: [
            ["expect: { published: [] }"],
            ["expect: { published: { skerry/lamp/a/availability: null } }"],
            [lit, "expect: { published: 2 }"],
            [lit, "expect: { published: { \(topic): { rev: 1, state: lit, content: { status: Lit } } } }"],
            [lit, "expect: { published: { \(topic): { at: 0s, content: { off: { end: 60s } } } } }"],
            [
                lit,
                "expect: { published: [{ topic: \(topic), retained: true, qos: 1 }, { topic: \(alert), retained: false }] }",
            ],
            [lit, "expect: { updates: 1 }", "expect: { published: 2 }"],
            [lit, "expect: { published: 2 }", "wait: 30s", "expect: { published: [] }"],
            ["send: { lamp/a/lwt: on }", "expect: { published: { skerry/lamp/a/availability: online } }"],
            [
                lit, "send: { lamp/a/set: { on: false } }",
                """
                expect: { published: [
                            { topic: \(topic), payload: { rev: 1 } },
                            { topic: \(alert), payload: { title: a shines } },
                            { topic: \(topic), payload: { rev: 2, phase: ended } },
                            { topic: \(topic)/diff, payload: { prev: 1, patch: { state: dark } }, retained: false }
                          ] }
                """,
                "expect: { published: { \(topic): { rev: 2 } } }",
                "wait: 5m", "expect: { published: { \(topic): \"\" } }",
            ],
            ["given: { state: lit }", "expect: { published: [], updates: 0, phase: active }"],
            ["send: { lamp/a/set: }", "expect: { refused: 1, published: [] }"],
        ]
    )
    func passing(steps: [String]) throws {
        #expect(try DefinitionTestRunnerTests.problems(steps) == [])
    }

    @Test(
        "Differences are reported at their places",
        arguments: [
            ("published: []", "published: 'published' is 2: \(topic), \(alert), not nothing"),
            ("published: 3", "3: 'published' is 2: \(topic), \(alert), not 3"),
            (
                "published: { \(topic): { rev: 2 } }", "2: 'published.\(topic).rev' is 1, not 2"
            ),
            ("published: { skerry/x: on }", "on: 'published.skerry/x' is nothing, not 'on'"),
            (
                "published: [{ retained: false }, { retained: false }]",
                "false: 'published[0].retained' is true, not false"
            ),
            (
                "published: [{ retain: true }]",
                "retain: there is no part of a publication 'retain'; did you mean 'retained'?"
            ),
            (
                "published: none",
                "none: 'published' must be a list, a mapping or a number; write published: [] for nothing,"
                    + " or { topic: payload }"
            ),
        ]
    )
    func failing(expectation: String, message: String) throws {
        let problems = try DefinitionTestRunnerTests.problems([Self.lit, "expect: { \(expectation) }"])
        #expect(problems == [message])
    }
}
