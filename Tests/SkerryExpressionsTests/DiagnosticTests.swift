import SkerryExpressions
import SkerryTesting
import SkerryValues
import Testing

/// What is said about a wrong expression, and where.
struct DiagnosticTests {
    @Test(arguments: [
        Mistake("power <", .syntax, at: "", "the end of the expression"),
        Mistake("power < < 3", .syntax, at: "<", after: 7, "found '<'"),
        Mistake("(1 + 2", .syntax, at: "", "expected ')'"),
        Mistake("1 +* 2", .syntax, at: "*", "'*'"),
        Mistake("a = 1", .syntax, at: "=", "no operator '='"),
        Mistake("'ü' + §", .syntax, at: "§", "§"),
        Mistake("for + 1", .syntax, at: "for", "reserved"),
        Mistake("'open", .badLiteral, at: "'open", "not closed"),
        Mistake("'\\q'", .badLiteral, at: "\\q", "escape"),
        Mistake("'\\ud800'", .badLiteral, at: "\\ud800", "escape"),
        Mistake("'\\udc00'", .badLiteral, at: "\\udc00", "escape"),
        Mistake("'\\ud83d\\u0041'", .badLiteral, at: "\\ud83d\\u0041", "escape"),
        Mistake("0X10", .syntax, at: "X10", "'X10'"),
        Mistake("9223372036854775808", .badLiteral, at: "9223372036854775808", "64-bit"),
        Mistake("1 + 99999999999999999999", .badLiteral, at: "99999999999999999999", "64 bits"),
        Mistake("1e999", .badLiteral, at: "1e999", "double"),
        Mistake("powr < 5.0", .unknownName, at: "powr", "powr", hint: "'power'"),
        Mistake(
            "timer.cycel > seconds(3)",
            .unknownName,
            at: "timer.cycel",
            "timer.cycel",
            hint: "'timer.cycle'"
        ),
        Mistake(
            "'a'.startWith('b')",
            .unknownFunction,
            at: "startWith",
            "startWith",
            hint: "'a'.startsWith('b')"
        ),
        Mistake("{'a': 1}.?['a']", .syntax, at: "[", "found '['", hint: "a[?b]"),
        Mistake("second(3)", .unknownFunction, at: "second", "second", hint: "seconds(3)"),
        Mistake("inState(\"runing\")", .unknownChoice, at: "\"runing\"", "runing", hint: "'running'"),
        Mistake("changed(powr)", .unknownChoice, at: "powr", "powr", hint: "'power'"),
        Mistake(
            "inState(operation)",
            .wrongArgument,
            at: "inState(operation)",
            "text literal",
            hint: "running"
        ),
        Mistake("changed('power')", .wrongArgument, at: "changed('power')", "plain name"),
        Mistake("elapsed(1)", .wrongArgument, at: "elapsed(1)", "no argument"),
        Mistake("has(1 + 2)", .wrongArgument, at: "1 + 2", "field"),
        Mistake("[1].all(x.y, true)", .wrongArgument, at: "x.y", "simple name"),
        Mistake("[1].all(x, x, true)", .wrongArgument, at: "x", after: 11, "same name"),
        Mistake("operation + 1", .wrongType, at: "operation + 1", "string and int", hint: "\"1\""),
        Mistake("power + count", .wrongType, at: "power + count", "double and int", hint: "double(value)"),
        Mistake("power && true", .wrongType, at: "power", "bool"),
        Mistake(
            "operation.contains(3)",
            .wrongType,
            at: "operation.contains(3)",
            "(int)",
            hint: "string.contains(string)"
        ),
        Mistake("count ? 1 : 2", .wrongType, at: "count", "bool"),
        Mistake("true ? 1 : 'a'", .wrongType, at: "'a'", "branches"),
        Mistake("optional.of(1).orValue('a')", .wrongType, at: "'a'", "int and string"),
        Mistake("[1][?0].or([''][?0])", .wrongType, at: "[''][?0]", "optionals"),
        Mistake("operation.x", .wrongType, at: "operation.x", "no fields"),
        Mistake("count.map(x, x)", .wrongType, at: "count", "elements"),
        Mistake("{1.5: 2}", .wrongType, at: "1.5", "key"),
        Mistake("'a'.matches('(')", .badLiteral, at: "'('", "pattern"),
        Mistake("'a'.matches('a{1001}')", .badLiteral, at: "'a{1001}'", "range"),
        Mistake("Message{field: 1}", .unsupported, at: "Message", "message types"),
    ])
    func `reports the mistake and its place`(_ mistake: Mistake) throws {
        var bench = Workbench.washer()
        let finding = try #require(bench.findings(mistake.text).first)
        #expect(finding.code == mistake.code)
        #expect(finding.message.contains(mistake.message), "\(finding.message)")
        #expect(finding.offset == mistake.offset)
        #expect(finding.length == mistake.part.utf8.count)
        if let hint = mistake.hint { #expect(finding.hint?.contains(hint) ?? false, "\(finding.hint ?? "")") }
    }

    @Test func `all mistakes of names and types are found at once, in order`() {
        var bench = Workbench.washer()
        let findings = bench.findings("powr > 1 && 'a' + 1 == 'b' && opration == 'x'")
        #expect(findings.map { $0.code } == [.unknownName, .wrongType, .unknownName])
        #expect(findings.map { $0.offset } == [0, 12, 30])
    }

    @Test func `stops after fifty mistakes`() {
        var bench = Workbench.washer()
        let many = String(repeating: "powr > 1 && ", count: 3000) + "true"
        #expect(bench.findings(many).count == 50)
    }

    @Test func `sizes are limited`() throws {
        var limits = ExpressionLimits()
        var paths = PathTable()
        limits.length = 10
        #expect(code("1 + 1 + 1 + 1", limits) == .tooLarge)
        limits = ExpressionLimits()
        limits.parts = 6
        #expect(code("1 + 1 + 1", limits) == nil)
        #expect(code("1 + 1 + 1 + 1", limits) == .tooLarge)
        limits = ExpressionLimits()
        limits.depth = 5
        #expect(code("((((1))))", limits) == nil)
        #expect(code("(((((1)))))", limits) == .tooLarge)
        #expect(code("1 + 1 + 1 + 1 + 1", limits) == nil)
        #expect(code("1 + 1 + 1 + 1 + 1 + 1", limits) == .tooLarge)
        let chain = String(repeating: "true && ", count: 2000) + "true"
        let program = try Program.compile(chain, in: Scope(), paths: &paths)
        #expect(program.evaluate(from: BoundValues(), (), costLimit: 10_000).isIdentical(to: .bool(true)))
    }

    private func code(_ text: String, _ limits: ExpressionLimits) -> ExpressionProblem.Code? {
        var paths = PathTable()
        do {
            _ = try Program.compile(text, in: Scope(), paths: &paths, limits: limits)
            return nil
        } catch {
            return error.findings.first?.code
        }
    }
}

/// A wrong text and what must be said about it.
struct Mistake: Sendable, CustomTestStringConvertible {
    let text: String
    let code: ExpressionProblem.Code
    let part: String
    let offset: Int
    let message: String
    let hint: String?

    /// `part` is what must be pointed at: its first occurrence at `after` or later, empty for the end.
    init(
        _ text: String,
        _ code: ExpressionProblem.Code,
        at part: String,
        after start: Int = 0,
        _ message: String,
        hint: String? = nil
    ) {
        self.text = text
        self.code = code
        self.part = part
        self.message = message
        self.hint = hint
        let bytes = Array(text.utf8)
        let wanted = Array(part.utf8)
        offset =
            part.isEmpty
            ? bytes.count
            : (start...bytes.count - wanted.count).first { bytes[$0...].starts(with: wanted) } ?? -1
    }

    var testDescription: String { text }
}
