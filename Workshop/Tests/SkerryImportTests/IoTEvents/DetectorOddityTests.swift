import SkerryImport
import Testing

/// What surprises people about detectors, in the engine as in the reference.
@Suite("Oddities of detectors")
struct DetectorOddityTests {
    /// A model of states, each with its JSON members.
    private func scene(
        _ states: [(name: String, members: String)],
        method: String = "BATCH"
    ) throws -> DetectorScene {
        let all = states.map { "{ \"stateName\": \"\($0.name)\", \($0.members) }" }.joined(separator: ",\n")
        return try DetectorScene(
            """
            { "detectorModelDefinition": { "states": [\(all)], "initialStateName": "\(states[0].name)" },
              "evaluationMethod": "\(method)", "key": "id" }
            """
        )
    }

    private func set(_ name: String, _ value: String) -> String {
        #"{ "setVariable": { "variableName": "\#(name)", "value": "\#(value)" } }"#
    }

    private let timer = #"{ "setTimer": { "timerName": "t", "seconds": 60 } }"#

    private func event(_ condition: String, _ actions: String..., next: String? = nil) -> String {
        let next = next.map { ", \"nextState\": \"\($0)\"" } ?? ""
        let quoted = condition.replacing("\"", with: "\\\"")
        return
            #"{ "eventName": "e", "condition": "\#(quoted)", "actions": [\#(actions.joined(separator: ", "))]\#(next) }"#
    }

    @Test func `the end of a timer is used up by the first check, also when the rest of the condition fails`()
        throws
    {
        var scene = try scene([
            (
                "a",
                #""onEnter": { "events": [\#(event("true", timer))] }, "onInput": { "transitionEvents": [\#(event(#"timeout("t") && $input.X.v > 5"#, next: "b"))] }"#
            ),
            ("b", #""onEnter": { "events": [] }"#),
        ])
        try scene.send(#"{"v": 1}"#, to: "X")
        scene.wait(60)
        try scene.send(#"{"v": 9}"#, to: "X")
        #expect(scene.state == "a")
        #expect(scene.timer("t") == "off")
        #expect(scene.difference == nil)
    }

    @Test(arguments: [
        "$input.X.v / 0 > 1", "$variable.n / 0 > 1", "1 / 0 == 1", "(4 / (2 - 2)) + $input.X.v > 1",
        "9223372036854775807 + 1 > 0", "1 / 0 / 0 > 1",
        "convert(\"Decimal\", 'warm') > 1.5", "convert(\"Boolean\", 'warm')", "isUndefined(1 / 0)",
    ])
    func `a condition that never has a value is imported, and as good as false`(_ condition: String) throws {
        for method in ["BATCH", "SERIAL"] {
            let go = event(condition, next: "b")
            var scene = try scene(
                [
                    (
                        "a",
                        #""onEnter": { "events": [\#(event("true", set("n", "1")))] }, "onInput": { "transitionEvents": [\#(go)] }"#
                    ),
                    (
                        "b",
                        #""onInput": { "transitionEvents": [\#(event("$input.X.v == 0", next: "a"))] }"#
                    ),
                ],
                method: method
            )
            try scene.send(#"{"v": 9}"#, to: "X")
            #expect(scene.state == (condition == "isUndefined(1 / 0)" ? "b" : "a"))
            #expect(scene.difference == nil)
        }
    }

    @Test func `a check that is not reached uses nothing up`() throws {
        var scene = try scene([
            (
                "a",
                #""onEnter": { "events": [\#(event("true", timer))] }, "onInput": { "transitionEvents": [\#(event(#"$input.X.v > 5 && timeout("t")"#, next: "b"))] }"#
            ),
            ("b", #""onEnter": { "events": [] }"#),
        ])
        try scene.send(#"{"v": 1}"#, to: "X")
        scene.wait(60)
        #expect(scene.timer("t") == "over")
        try scene.send(#"{"v": 9}"#, to: "X")
        #expect(scene.state == "b")
        #expect(scene.difference == nil)
    }

    @Test func `a timer set in one state is over in another`() throws {
        var scene = try scene([
            (
                "a",
                #""onEnter": { "events": [\#(event("true", timer))] }, "onInput": { "transitionEvents": [\#(event("true", next: "b"))] }"#
            ),
            ("b", #""onInput": { "transitionEvents": [\#(event(#"timeout("t")"#, next: "c"))] }"#),
            ("c", #""onEnter": { "events": [] }"#),
        ])
        try scene.send("{}", to: "input")
        #expect(scene.state == "b")
        scene.wait(60)
        #expect(scene.state == "c")
        #expect(scene.difference == nil)
    }

    @Test(arguments: ["BATCH", "SERIAL"])
    func `a timer that is started again at its end is still over for the transition`(method: String) throws {
        var scene = try scene(
            [
                (
                    "a",
                    #""onInput": { "events": [\#(event("$input.X.v == 1", timer))], "transitionEvents": [\#(event(#"timeout("t")"#, next: "b"))] }"#
                ),
                ("b", #""onEnter": { "events": [] }"#),
            ],
            method: method
        )
        try scene.send(#"{"v": 1}"#, to: "X")
        scene.wait(60)
        #expect(scene.state == "b")
        #expect(scene.timer("t") == "until 120")
        #expect(scene.difference == nil)
    }

    @Test func `of two checks of one timer around another timer each uses up its own`() throws {
        var scene = try scene([
            (
                "a",
                #""onEnter": { "events": [\#(event("true", timer, timer.replacing("\"t\"", with: "\"u\"")))] }, "onInput": { "transitionEvents": [\#(event(#"$input.X.v > 5 && timeout("t") && timeout("u") && timeout("t")"#, next: "b"))] }"#
            ),
            ("b", #""onEnter": { "events": [] }"#),
        ])
        try scene.send(#"{"v": 1}"#, to: "X")
        scene.wait(60)
        try scene.send(#"{"v": 9}"#, to: "X")
        #expect(scene.state == "a")
        #expect(scene.timer("t") == "off")
        #expect(scene.timer("u") == "off")
        #expect(scene.difference == nil)
    }

    @Test func `a transition to its own state enters it again`() throws {
        var scene = try scene([
            (
                "a",
                #""onEnter": { "events": [\#(event("isUndefined($variable.n)", set("n", "0"))), \#(event("$variable.n >= 0", set("n", "$variable.n + 1")))] }, "onInput": { "transitionEvents": [\#(event("$input.X.v == 1", next: "a"))] }"#
            )
        ])
        try scene.send(#"{"v": 0}"#, to: "X")
        #expect(scene.variable("n") == "0")
        try scene.send(#"{"v": 1}"#, to: "X")
        try scene.send(#"{"v": 1}"#, to: "X")
        #expect(scene.variable("n") == "2")
        #expect(scene.difference == nil)
    }

    @Test(arguments: [("BATCH", ["a", "a", "a", "b"]), ("SERIAL", ["a", "a", "b", "b"])])
    func `a counter is seen by the next message only, or at once`(method: String, expected: [String]) throws {
        var scene = try scene(
            [
                (
                    "a",
                    #""onEnter": { "events": [\#(event("true", set("n", "3")))] }, "onInput": { "events": [\#(event("true", set("n", "$variable.n - 1")))], "transitionEvents": [\#(event("$variable.n <= 0", next: "b"))] }"#
                ),
                ("b", #""onEnter": { "events": [] }"#),
            ],
            method: method
        )
        var states: [String] = []
        for _ in 0..<4 {
            try scene.send("{}", to: "input")
            states.append(scene.state)
        }
        #expect(states == expected)
        #expect(scene.difference == nil)
    }

    @Test func `an undefined value is false beside another condition, and fails by itself`() throws {
        var scene = try scene([
            (
                "a",
                #""onInput": { "events": [\#(event("$variable.no > 1 || $input.X.v == 1", set("either", "true"))), \#(event("!($variable.no > 1)", set("not", "true"))), \#(event("!($variable.no > 1 || $variable.no < 1)", set("neither", "true"))), \#(event("$variable.no == 1", set("no", "1")))] }"#
            )
        ])
        try scene.send(#"{"v": 1}"#, to: "X")
        #expect(scene.variable("either") == "true")
        #expect(scene.variable("not") == "unset")
        #expect(scene.variable("neither") == "true")
        #expect(scene.difference == nil)
    }

    @Test func `a condition that is not a truth value is false`() throws {
        var scene = try scene([
            (
                "a",
                #""onInput": { "events": [\#(event("1 + 1", set("n", "1"))), \#(event("'yes'", set("n", "2"))), \#(event("$input.X.v", set("n", "3")))] }"#
            )
        ])
        try scene.send(#"{"v": 1}"#, to: "X")
        #expect(scene.variable("n") == "unset")
        try scene.send(#"{"v": true}"#, to: "X")
        #expect(scene.variable("n") == "3")
        #expect(scene.difference == nil)
    }

    @Test func `a timer is reset to the length it had, not to a new one`() throws {
        let start = #"{ "setTimer": { "timerName": "t", "durationExpression": "$input.X.v + 0.9" } }"#
        let reset = #"{ "resetTimer": { "timerName": "t" } }"#
        let clear = #"{ "clearTimer": { "timerName": "t" } }"#
        var scene = try scene([
            (
                "a",
                #""onInput": { "events": [\#(event(#"$input.X.do == "set""#, start)), \#(event(#"$input.X.do == "reset""#, reset)), \#(event(#"$input.X.do == "clear""#, clear))] }"#
            )
        ])
        try scene.send(#"{"do": "reset"}"#, to: "X")
        #expect(scene.timer("t") == "off")
        // Rounded down to whole seconds.
        try scene.send(#"{"do": "set", "v": 60}"#, to: "X")
        #expect(scene.timer("t") == "until 60")
        scene.wait(100)
        try scene.send(#"{"do": "reset", "v": 600}"#, to: "X")
        #expect(scene.timer("t") == "until 160")
        try scene.send(#"{"do": "set", "v": "soon"}"#, to: "X")
        #expect(scene.timer("t") == "until 160")
        try scene.send(#"{"do": "clear"}"#, to: "X")
        try scene.send(#"{"do": "reset"}"#, to: "X")
        #expect(scene.timer("t") == "off")
        #expect(scene.difference == nil)
    }

    @Test func `a transition acts before its state is left`() throws {
        var scene = try scene([
            (
                "a",
                #""onInput": { "transitionEvents": [\#(event("true", set("n", "1"), next: "b"))] }, "onExit": { "events": [\#(event("$variable.n == 1", set("seen", "true")))] }"#
            ),
            ("b", #""onEnter": { "events": [\#(event("$variable.seen", set("n", "2")))] }"#),
        ])
        try scene.send("{}", to: "input")
        #expect(scene.variable("seen") == "true")
        #expect(scene.variable("n") == "2")
        #expect(scene.difference == nil)
    }

    @Test func `whole numbers stay whole, fields may have any name, templates put texts together`() throws {
        var scene = try scene([
            (
                "a",
                #""onInput": { "events": [\#(event("true", set("half", "$input.X.`motor id` / 2"), set("exact", "$input.X.`motor id` / 2.0"), set("text", "'no. ${$input.X.list[1].in + 1}!'"), set("bits", "~($input.X.`motor id` | 8)")))] }"#
            )
        ])
        try scene.send(#"{"motor id": 7, "list": [0, {"in": 4}]}"#, to: "X")
        #expect(scene.variable("half") == "3")
        #expect(scene.variable("exact") == "3.5")
        #expect(scene.variable("text") == "\"no. 5!\"")
        #expect(scene.variable("bits") == "-16")
        #expect(scene.difference == nil)
    }

    @Test func `the trigger is available, also on the first entry`() throws {
        var scene = try scene([
            (
                "a",
                #""onEnter": { "events": [\#(event(#"currentInput("X")"#, set("first", "true"), timer))] }, "onInput": { "events": [\#(event(#"triggerType("Timer") && $input.X.v == 1"#, set("n", "1"))), \#(event(#"currentInput("Y")"#, set("n", "2")))] }"#
            )
        ])
        try scene.send(#"{"v": 1}"#, to: "X")
        #expect(scene.variable("first") == "true")
        try scene.send("{}", to: "Y")
        #expect(scene.variable("n") == "2")
        scene.wait(60)
        #expect(scene.variable("n") == "1")
        #expect(scene.difference == nil)
    }
}
