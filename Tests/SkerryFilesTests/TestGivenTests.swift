import Testing

/// `given`: where a device is before the test.
@Suite("The situation in which tests begin")
struct TestGivenTests {
    static let fan = """
        skerry: 1
        kind: fan
        sources:
          - topic: fan/{device}
            signals: { speed: payload.speed, left: seconds(payload.left), mode: string(payload.mode) }
        context: { began: now, turns: 0 }
        timers:
          off: { remaining: left, while: inState("spinning") }
          total: { count: up, while: inState("spinning") }
          rest: { duration: minutes(5) }
        machine:
          type: parallel
          states:
            motor:
              states:
                still: { always: { guard: speed > 0, target: spinning } }
                spinning:
                  entry: [{ start: rest }, { assign: { turns: context.turns + 1 } }]
                  always: { guard: speed == 0, target: still }
                  after: { 10m: hot }
                  on: { rest.elapsed: {} }
                hot: { on: { cool: back } }
                back: { type: history, target: still }
            light:
              states:
                dark: { on: { light: bright } }
                bright: { after: { 1m: dark } }
        activity:
          starts: spinning
          ends: [still, hot]
          content: { turns: context.turns, mode: mode, began: string(context.began), off: timer.off }
        tests:
          - name: it
            steps:

        """

    @Test(
        "A device starts in the given situation, and time goes on from there",
        arguments: [
            ["given: { state: hot }", "expect: { state: [hot, motor, dark], updates: 0, phase: none }"],
            ["given: { state: [spinning, bright] }", "expect: { state: 'spinning,bright' }"],
            [
                "given: { state: bright }", "expect: { state: 'still,bright' }", "wait: 1m",
                "expect: { state: dark }",
            ],
            [
                "given: { state: spinning }", "expect: { phase: active, updates: 0, runs: 0, alerts: 0 }",
                "wait: 10m", "expect: { state: hot, updates: 1, ended: true }",
            ],
            [
                "given: { state: spinning }",
                "expect: { timers: { rest: { remaining: 5m } }, context: { turns: 1 } }",
            ],
            [
                "given: { context: { turns: 3, began: -30m } }",
                "expect: { context: { turns: 3, began: -30m } }",
            ],
            [
                "given: { state: spinning, timers: { off: 3m, total: 20m, rest: 1m } }",
                "expect: { timers: { off: { remaining: 3m }, total: { elapsed: 20m }, rest: { end: 1m } } }",
                "expect: { content: { off: { end: 3m } } }",
                "wait: 3m", "expect: { timers: { off: elapsed }, updates: 0 }",
                "wait: 1m", "expect: { content: { off: null }, updates: 1 }",
            ],
            [
                "given: { timers: { off: 3m } }",
                "expect: { state: still, timers: { off: { remaining: 3m, paused: true } } }",
            ],
            [
                "given: { signals: { speed: 1, left: 5m, mode: 007 }, state: spinning }",
                "expect: { signals: { left: 300, mode: '007' }, timers: { off: { remaining: 5m } } }",
                "expect: { content: { mode: '007' } }",
            ],
            [
                "given: { signals: { speed: 1 } }", "send: { fan/a: {} }",
                "expect: { state: spinning, updates: 1 }",
            ],
            [
                "given: { device: a, state: hot }", "given: { device: b, state: bright }",
                "expect: { device: a, state: hot }", "expect: { device: b, state: bright }",
                "event: { name: light, device: a }", "expect: { device: a, state: bright }",
            ],
        ]
    )
    func passing(steps: [String]) throws {
        #expect(try DefinitionTestRunnerTests.problems(steps, of: Self.fan) == [])
    }

    @Test(
        "An impossible situation is reported at its place",
        arguments: [
            (["given: { state: hat }"], "hat: there is no state 'hat'; did you mean 'hot'?"),
            (
                ["given: { state: back }"],
                "back: a machine is never in a history state; name the state that it stands for"
            ),
            (
                ["given: { state: [hot, still] }"],
                "still: a machine is never in 'hot' and 'still' together;"
                    + " name one state, or one in each parallel region"
            ),
            (
                ["given: { state: [motor, still] }"],
                "still: a machine is never in 'motor' and 'still' together;"
                    + " name one state, or one in each parallel region"
            ),
            (
                ["given: { state: still, signals: { speed: 2 } }"],
                "still: the machine does not stay in 'still': it goes on to 'spinning,dark';"
                    + " give it signals with which it stays"
            ),
            (["given: { timers: { of: 1m } }"], "of: there is no timer 'of'; did you mean 'off'?"),
            (["given: { context: { turn: 1 } }"], "turn: there is no variable 'turn'; did you mean 'turns'?"),
            (
                ["given: { context: { turns: few } }"],
                "few: 'turns' is a whole number; write a number such as 5"
            ),
            (
                ["given: { signals: { left: 2 min } }"],
                "2 min: 'left' is a length of time; write one such as 5m"
            ),
            (
                ["wait: 1s", "given: { state: hot }"],
                "given: 'given' describes the situation before the test; put it before all other steps"
            ),
            (
                ["given: { device: a, state: hot }", "given: { device: a, timers: { off: 1m } }"],
                "a: the device 'a' is given twice; say all of it in one 'given'"
            ),
        ]
    )
    func failing(steps: [String], message: String) throws {
        #expect(try DefinitionTestRunnerTests.problems(steps, of: Self.fan) == [message])
    }
}
