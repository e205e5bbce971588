import SkerryConformance
import Testing

/// The runners, with cases of our own.
@Suite struct RunnerTests {
    private func statechart(_ text: String) throws -> [CaseResult] {
        try ConformanceFile.statecharts(in: Array(text.utf8)) { $0 == "six.js" ? "v = 6" : nil }
    }

    /// A machine with data, actions on entry of the first state `a` and transitions of it.
    private func machine(
        data: String = "[]",
        entry: String = "[]",
        transitions: String,
        _ end: String
    ) -> String {
        """
        [{"group": "own", "name": "case", "machine": {"kind": "scxml", "data": \(data), "children": [
          {"kind": "state", "id": "a", "onentry": [\(entry)], "transitions": \(transitions)},
          {"kind": "final", "id": "pass"}, {"kind": "final", "id": "fail"}]},
          "script": {"initialConfiguration": ["\(end)"], "events": []}}]
        """
    }

    @Test func `expressions are compared by value, type and error`() throws {
        let text = """
            {"file": "f", "section": "s", "name": "right", "expr": "1 + 1", "expect": {"value": {"int": "2"}}}
            {"file": "f", "section": "s", "name": "other type", "expr": "1 + 1", "expect": {"value": {"double": "2"}}}
            {"file": "f", "section": "s", "name": "error", "expr": "1 / 0", "expect": {"error": "division"}}
            {"file": "f", "section": "s", "name": "no error", "expr": "1", "expect": {"error": "any"}}

            {"file": "f", "section": "s", "name": "bound", "expr": "x", "env": [{"var": "x", "type": "string"}], \
            "bindings": {"x": {"string": "y"}}, "expect": {"value": {"string": "y"}}}
            {"file": "f", "section": "s", "name": "type", "expr": "[1]", "check_only": true, \
            "expect": {"type": {"list": "int"}}}
            """
        let results = try ConformanceFile.expressions(in: Array(text.utf8)) { _ in nil }
        #expect(results.map { $0.failure == nil } == [true, false, true, false, true, true])
        #expect(results[1].title == "f/s/other type")
        #expect(results[1].failure == "1 + 1: expected {\"value\":{\"double\":\"2\"}}, got int(2)")
    }

    @Test func `files of another form are refused with the line`() {
        #expect(throws: ConformanceFile.Problem.self) { try statechart("{") }
        #expect(throws: ConformanceFile.Problem.self) { try statechart("{}") }
        let error = #expect(throws: ConformanceFile.Problem.self) {
            try ConformanceFile.expressions(in: Array("{}\n{\n".utf8)) { _ in nil }
        }
        #expect(error?.line == 2)
    }

    @Test func `an unexpected configuration is reported`() throws {
        let results = try statechart(machine(transitions: "[{\"target\": [\"pass\"]}]", "a"))
        #expect(results[0].title == "own/case")
        #expect(results[0].failure == "after the start: expected [\"a\"], got [\"pass\"]")
    }

    @Test func `an invalid machine fails`() throws {
        let results = try statechart(machine(transitions: "[{\"target\": [\"nowhere\"]}]", "a"))
        #expect(results[0].failure?.contains("nowhere") == true)
    }

    @Test(
        arguments: [
            (
                #"[{"do": "send", "event": "e", "target": "!no", "id": "s"}]"#, "error.execution",
                "_event.sendid === 's'"
            ),
            (#"[{"do": "send", "event": "e", "type": "27"}]"#, "error.execution", "true"),
            (##"[{"do": "send", "event": "e", "target": "#_scxml_x"}]"##, "error.communication", "true"),
            (##"[{"do": "send", "event": "e", "target": "#_internal"}]"##, "e", "_event.type === 'internal'"),
            (#"[{"do": "send", "event": "e", "namelist": "v"}]"#, "e", "_event.data.v === 5"),
            (#"[{"do": "send", "event": "e"}]"#, "e", "_event.type == 'external' && _event.origin != null"),
            (#"[{"do": "raise", "event": "e"}]"#, "e", "_event.name == 'e' && _event.type == 'internal'"),
            (
                #"[{"do": "assign", "location": "nobody", "expr": "1"}]"#, "error.execution",
                "_event.type == 'platform'"
            ),
            (#"[{"do": "assign", "location": "_sessionid", "expr": "1"}]"#, "error", "true"),
            (#"[{"do": "foreach", "array": "v", "item": "i"}]"#, "error.execution", "true"),
            (#"[{"do": "foreach", "array": "[1]", "item": "'continue'"}]"#, "error.execution", "true"),
            (
                #"[{"do": "foreach", "array": "[1, 2]", "item": "v", "body": [{"do": "raise", "event": "e"}]}]"#,
                "e",
                "v === 2"
            ),
            (#"[{"do": "log", "expr": "nobody"}, {"do": "raise", "event": "e"}]"#, "error.execution", "true"),
            (#"[{"do": "script", "text": "v = 6"}, {"do": "raise", "event": "e"}]"#, "e", "v == 6"),
            (#"[{"do": "script", "src": "six.js"}, {"do": "raise", "event": "e"}]"#, "e", "v == 6"),
            (
                #"[{"do": "script", "src": "none.js"}, {"do": "raise", "event": "e"}]"#, "error.execution",
                "_event.data.tagname === 'script' && _event.data.reason.length > 0"
            ),
            (
                #"[{"do": "if", "cond": "nobody", "body": [{"do": "else"}, {"do": "raise", "event": "e"}]}]"#,
                "error.execution", "!isNaN(_event.data.line)"
            ),
            (
                #"[{"do": "foreach", "array": "[1]", "item": "_event", "body": []}, {"do": "raise", "event": "e"}]"#,
                "e", "'name' in _event"
            ),
        ]
    )
    func `actions raise the expected events`(_ entry: String, _ event: String, _ condition: String) throws {
        let transitions = """
            [{"event": ["\(event)"], "cond": "\(condition)", "target": ["pass"]}, {"event": ["*"], "target": ["fail"]}]
            """
        let data = #"[{"id": "v", "expr": "5"}]"#
        let results = try statechart(machine(data: data, entry: entry, transitions: transitions, "pass"))
        #expect(results.map { $0.failure } == [nil])
    }

    @Test func `sends wait in virtual time and can be taken back`() throws {
        let entry = """
            [{"do": "send", "event": "never", "id": "n", "delay": "1s"},
             {"do": "send", "event": "late", "delayexpr": "'2' + 's'"}, {"do": "cancel", "sendidexpr": "'n'"}]
            """
        let text = machine(
            entry: entry,
            transitions:
                #"[{"event": ["never"], "target": ["fail"]}, {"event": ["late"], "target": ["pass"]}]"#,
            "a"
        ).replacing(
            #""events": []"#,
            with: """
                "events": [{"after": 1999, "event": {"name": "x"}, "nextConfiguration": ["a"]},
                           {"after": 1, "event": {"name": "x"}, "nextConfiguration": ["pass"]}]
                """
        )
        #expect(try statechart(text).map { $0.failure } == [nil])
    }

    @Test(arguments: ["a", "b", "pass"])
    func `cases may look before or after events that the machine sends itself`(_ first: String) throws {
        let text = """
            [{"machine": {"kind": "scxml", "children": [
              {"kind": "state", "id": "a", "onentry": [[{"do": "send", "event": "e"}]],
               "transitions": [{"event": ["e"], "target": ["b"]}]},
              {"kind": "state", "id": "b", "onentry": [[{"do": "send", "event": "f"}]],
               "transitions": [{"event": ["f"], "target": ["pass"]}]},
              {"kind": "final", "id": "pass"}]},
              "script": {"initialConfiguration": ["\(first)"],
                         "events": [{"event": {"name": "x"}, "nextConfiguration": ["pass"]}]}}]
            """
        #expect(try statechart(text).map { $0.failure } == [nil])
        let other = try statechart(
            text.replacing("Configuration\": [\"pass\"]", with: "Configuration\": [\"a\"]")
        )
        #expect(other[0].failure != nil)
    }
}
