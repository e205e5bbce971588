import SkerryExpressions
import SkerryValues
import Testing

/// What is said to people who write expressions of other languages.
struct RemedyTests {
    @Test(arguments: [
        // Operators.
        Foreign(#"operation = "Run""#, at: "=", #"operation == "Run""#),
        Foreign(#"operation === "Run""#, at: "===", #"operation == "Run""#),
        Foreign(#"operation <> "Run""#, at: "<>", #"operation != "Run""#),
        Foreign("power > 5.0 and count < 3", at: "and", "power > 5.0 && count < 3"),
        Foreign("power > 5.0 or count < 3 and count > 1", at: "or", "power > 5.0 || count < 3 && count > 1"),
        Foreign(#"not operation == "Run""#, at: "not", #"!(operation == "Run")"#),
        Foreign(#"operation not in ["a", "b"]"#, at: "not", #"!(operation in ["a", "b"])"#),
        Foreign(#""a" if count > 5 else "b""#, at: "if", #"count > 5 ? "a" : "b""#),
        Foreign(#"if count > 5 then "a" else "b""#, at: "if", #"count > 5 ? "a" : "b""#),
        Foreign("program ?? 3", at: "??", "default(program, 3)"),
        Foreign("payload?.a?.b", at: "?.", "payload.a.b"),
        Foreign("2 < count < 5", at: "2 < count < 5", "2 < count && count < 5"),
        Foreign("count ** 2 > 5", at: "**", "count * count > 5"),
        Foreign("program is defined", at: "is", "has(program)"),
        Foreign("program is not none", at: "is", "has(program)"),
        Foreign(#"operation =~ "R.*""#, at: "=~", #"operation.matches("R.*")"#),
        Foreign("count > 5;", at: ";", "count > 5"),
        Foreign("count > 50%", at: "%", "count > 50"),
        Foreign("count > 50 W", at: "W", "count > 50"),
        Foreign("count ≥ 5", at: "≥", "count >= 5"),
        Foreign("count – 1 ≠ 5", at: "–", "count - 1 != 5"),
        Foreign("count × 2 > 5", at: "×", "count * 2 > 5"),
        Foreign("count mod 2 == 0", at: "mod", "count % 2 == 0"),
        Foreign(#"operation contains "x""#, at: "contains", #"operation.contains("x")"#),
        Foreign(#"operation startswith "x""#, at: "startswith", #"operation.startsWith("x")"#),
        Foreign(#"operation equals "x""#, at: "equals", #"operation == "x""#),
        Foreign(#"operation is not "x""#, at: "is", #"operation != "x""#),
        Foreign("program is True", at: "is", "program == true"),
        Foreign(#"operation in ("a", "b")"#, at: "(", #"operation in ["a", "b"]"#),
        Foreign(#"operation in "abc""#, at: #"operation in "abc""#, #""abc".contains(operation)"#),
        Foreign("operation != null", at: "operation != null", "has(operation)"),
        Foreign("program == true & count > 1", at: "&", "program == true && count > 1"),
        Foreign("count > 5 # watts", at: "#", "count > 5"),
        Foreign("operation > 5", at: "operation > 5", "double(operation) > 5"),
        // What stands around an expression, and texts.
        Foreign("{{ count > 5 }}", at: "{{ count > 5 }}", "count > 5"),
        Foreign("{operation}", at: "{operation}", "operation"),
        Foreign("${operation}", at: "${operation}", "operation"),
        Foreign("It is {operation} now", at: "It is {operation} now", #""It is " + operation + " now""#),
        Foreign("At {count} W", at: "At {count} W", #""At " + string(count) + " W""#),
        Foreign("operation == «Run»", at: "«Run»", #"operation == "Run""#),
        Foreign("operation == “Run”", at: "“Run”", #"operation == "Run""#),
        Foreign("operation == Run", at: "Run", #"operation == "Run""#),
        // Paths and names.
        Foreign("@count > 5", at: "@", "count > 5"),
        Foreign("$.a.b > 5", at: "$", "payload.a.b > 5"),
        Foreign("value_json.a > 5", at: "value_json", "payload.a > 5"),
        Foreign("msg.payload.a > 5", at: "msg", "payload.a > 5"),
        Foreign("program == True", at: "True", "program == true"),
        Foreign("program != undefined", at: "undefined", "has(program)"),
        // Functions.
        Foreign("round(power) > 5", at: "round", "math.round(double(power)) > 5"),
        Foreign("round(power, 1) > 5", at: "round", "math.round(double(power) * 10.0) / 10.0 > 5"),
        Foreign("abs(count) > 5", at: "abs", "math.abs(count) > 5"),
        Foreign("min(count, 3) > 5", at: "min", "math.least(count, 3) > 5"),
        Foreign("max([count, 3]) > 5", at: "max", "math.greatest([count, 3]) > 5"),
        Foreign("len(operation) > 5", at: "len", "size(operation) > 5"),
        Foreign("operation.length > 5", at: "operation.length", "size(operation) > 5"),
        Foreign("float(program) > 5", at: "float", "double(program) > 5"),
        Foreign("str(count)", at: "str", "string(count)"),
        Foreign("parseInt(operation) > 5", at: "parseInt", "int(operation) > 5"),
        Foreign(#"operation.toLowerCase() == "run""#, at: "toLowerCase", #"operation.lowerAscii() == "run""#),
        Foreign(#"operation.slice(0, 1) == "R""#, at: "slice", #"operation.substring(0, 1) == "R""#),
        Foreign(#"operation | lower == "run""#, at: "|", #"operation.lowerAscii() == "run""#),
        Foreign("operation | int > 5 and count > 1", at: "|", "int(operation) > 5 && count > 1"),
        Foreign("program | float(0) > 5", at: "|", "default(double(program), 0) > 5"),
        Foreign("sum([1, count]) > 5", at: "sum", "1 + count > 5"),
        Foreign("sum(program) > 5", at: "sum", "program.sum() > 5"),
        Foreign("fromJson(payload).a", at: "fromJson", "payload.a"),
        Foreign("Math.floor(power)", at: "floor", "math.floor(double(power))"),
        Foreign(#"operation.includes("x")"#, at: "includes", #"operation.contains("x")"#),
        Foreign(#"startsWith(operation, "x")"#, at: "startsWith", #"operation.startsWith("x")"#),
        Foreign("[1, 2].some(x => x > 1)", at: "some", "[1, 2].exists(x, x > 1)"),
        Foreign("isset(program)", at: "isset", "has(program)"),
        Foreign("5.minutes() > timer.cycle", at: "minutes", "minutes(5) > timer.cycle"),
    ])
    func `is one finding with the corrected expression`(_ foreign: Foreign) throws {
        var bench = Workbench.washer()
        let findings = bench.findings(foreign.text)
        #expect(findings.count == 1)
        let finding = try #require(findings.first)
        #expect(finding.hint?.hasPrefix("write `\(foreign.corrected)`") ?? false, "\(finding)")
        let start = foreign.text.utf8.index(foreign.text.startIndex, offsetBy: finding.offset)
        let end = foreign.text.utf8.index(start, offsetBy: finding.length)
        #expect(foreign.text[start..<end] == foreign.part, "\(finding)")
        #expect(bench.findings(foreign.corrected).isEmpty, "what is written instead is right")
    }

    @Test(arguments: [
        ("states(\"sensor.power\") > 5", "Home Assistant"), ("avg(program) > 5", "list.sum() / list.size()"),
        ("{% if count > 5 %}a{% endif %}", "condition ? value : other"), ("context.loads > 3", "'context:'"),
        ("Running now", "'\"Running now\"'"), ("count.seconds", "seconds(count)"),
        ("default(program)", "default(value, other)"), ("changed(\"power\")", "changed(power)"),
        ("inState(running)", "inState(\"running\")"), ("operation == 5", "operation == \"5\""),
        ("count & 1 == 1", "math.bitAnd"), ("count > 5 ? 1", "condition ? value : other"),
        ("power > 1,5", "write 1.5"), ("count > 1, count < 5", "'&&' or '||'"),
        ("any(x > 1 for x in program)", "list.exists(x, condition)"),
        ("count.value > 5", "write `count` alone"), ("program.slice(0, 1)", "list[0]"),
        ("[1, 2].slice(0, 1)", "list[0]"), ("[1, 2][0:1]", "list[0]"), ("program[1:]", "list[0]"),
        ("operation[:2] == \"Ru\"", "text.substring(start, end)"),
        ("count == \"5\"", "count == 5"), ("!operation == \"Run\"", "!(operation == \"Run\")"),
    ])
    func `gives a hint where no corrected expression is known`(_ text: String, _ hint: String) throws {
        var bench = Workbench.washer()
        let findings = bench.findings(text)
        #expect(findings.count == 1)
        #expect(findings.first?.hint?.contains(hint) ?? false, "\(findings)")
    }

    @Test func `times are not compared or calculated with numbers, whose unit nobody knows`() {
        var bench = Workbench.washer()
        bench.signal("left", .duration, .error(.unset))
        bench.signal("began", .timestamp, .error(.unset))
        for (text, hint) in [
            ("left * 2 > minutes(1)", "calculate with its seconds, as in `left.getSeconds()`"),
            ("began - 60 > began", "a number has no unit: write minutes(60) or seconds(60)"),
            ("began == 5", "compare with a moment, or a length of time, as in `now - began > minutes(5)`"),
            ("began > 1700000000", "write `began > timestamp(1700000000)`"),
            ("began > left", "compare lengths of time, as in `now - began > minutes(5)`"),
            (
                "abs(left) > left",
                "its name here is `math.abs(left)`, which does not fit: no such function: math.abs(duration)"
            ),
        ] {
            #expect(bench.findings(text).map(\.hint) == [hint], "\(text)")
        }
        #expect(
            bench.findings("left > 10").first?.hint
                == "a number has no unit: write minutes(10) or seconds(10)"
        )
        #expect(bench.findings("left == 0").first?.hint == "write `left == seconds(0)`")
        #expect(bench.findings("left > \"01:30:00\"").first?.hint == "write `left > duration(\"1h30m0s\")`")
        #expect(bench.findings("left > 5m").first?.hint == "write `left > minutes(5)`")
    }

    @Test(arguments: [
        ("minutes(\"ten\")", "\"ten\"", "minutes(10)"), ("int(\"x\")", "\"x\"", "a number"),
        ("int(\"5.5\")", "\"5.5\"", "int(5.5)"), ("bool(\"yes\")", "\"yes\"", "true or false"),
        (
            "timestamp(\"2026-01-01T00:00:00\")", "\"2026-01-01T00:00:00\"",
            "timestamp(\"2026-01-01T00:00:00Z\")"
        ),
        ("timestamp(\"2026-01-01\")", "\"2026-01-01\"", "timestamp(\"2026-01-01T00:00:00Z\")"),
        ("duration(\"01:23:45\")", "\"01:23:45\"", "duration(\"1h23m45s\")"),
        ("duration(\"10 min\")", "\"10 min\"", "duration(\"10m\")"),
        ("duration(\"PT1H30M\")", "\"PT1H30M\"", "duration(\"1h30m\")"),
        ("duration(\"1d\")", "\"1d\"", "duration(\"24h\")"), ("count / 0", "0", nil),
        ("program % 0", "0", nil),
        ("[1, 2][2]", "2", "the last one 1"), ("[count][-1]", "-1", nil),
        ("{\"a\": 1}.b", "{\"a\": 1}.b", nil),
        ("default(1 / 0, 3)", "0", nil), ("\"%02d\".format([count])", "\"%02d\"", "no widths"),
        ("\"%d %s\".format([count])", "\"%d %s\"", "a value for each clause"),
    ])
    func `an expression that always fails is a mistake if the scope says so`(
        _ text: String,
        _ part: String,
        _ hint: String?
    ) throws {
        var bench = Workbench.washer()
        #expect(bench.findings(text).isEmpty, "CEL leaves it to the evaluation")
        bench.scope.refusesFailures = true
        let findings = bench.findings(text)
        #expect(findings.count == 1)
        let finding = try #require(findings.first)
        #expect(finding.code == .badLiteral)
        #expect(finding.length == part.utf8.count, "\(finding)")
        if let hint { #expect(finding.hint?.contains(hint) ?? false, "\(finding)") }
    }

    @Test func `a template goes on behind an expression that can't be read`() {
        var bench = Workbench.washer()
        var paths = PathTable()
        do {
            _ = try TextTemplate.compile("a {power = 1} b {powr} {count}", in: bench.scope, paths: &paths)
            Issue.record("it is compiled")
        } catch {
            #expect(error.findings.map(\.offset) == [9, 17])
            #expect(error.findings.first?.hint == "write `power == 1`")
        }
        _ = bench.findings("")
    }

    @Test func `advice is given on any text in no time`() {
        var bench = Workbench.washer()
        for piece in [
            "(", "[", "{", "not ", "a ?? ", "if ", "-", "a.b(", "{{", "f\"{", "a | b(", "$.", "a is ",
        ] {
            let text = String(repeating: piece, count: 400)
            #expect(!bench.findings(text).isEmpty)
        }
    }
}

/// A text of another language, what is pointed at, and what it is in CEL.
struct Foreign: Sendable, CustomTestStringConvertible {
    let text: String
    let part: String
    let corrected: String

    init(_ text: String, at part: String, _ corrected: String) {
        self.text = text
        self.part = part
        self.corrected = corrected
    }

    var testDescription: String { text }
}
