import SkerryExpressions
import SkerryValues
import Testing

/// Texts with expressions in braces.
struct TextTemplateTests {
    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("{operation} has finished", "Run has finished"),
        ("{power} W", "3.5 W"),
        ("{count}{count}", "44"), ("{2.0 * 4.0} W", "8 W"), ("{program}!", ""), ("{payload.a.n}", ""),
        ("{1 / 0}x", ""),
        ("{{literal}} {count}", "{literal} 4"), ("{'}'}", "}"), ("{ {'k': 'v'}.k }", "v"),
        ("{'{' + \"}\"}}}", "{}}"),
        ("{timer.cycle}", "90s"), ("äöü {operation} ß", "äöü Run ß"), ("{elapsed()}", "true"),
        ("{count > 3 ? 'many' : 'few'}", "many"),
    ])
    func `renders`(_ text: String, _ expected: String) throws {
        var bench = Workbench.washer()
        let template = try TextTemplate.compile(text, in: bench.scope, paths: &bench.paths)
        #expect(template.render(from: bench, bench.paths, costLimit: 1000) == expected)
    }

    @Test(arguments: [
        ("ä {powr}", [4], [ExpressionProblem.Code.unknownName]), ("{", [0], [.syntax]),
        ("a {b", [2], [.syntax]),
        ("a } b", [2], [.syntax]), ("{}", [1], [.syntax]), ("{1 +}", [4], [.syntax]),
        ("{powr} {oper} {count}", [1, 8], [.unknownName, .unknownName]), ("{'open} x", [1], [.badLiteral]),
    ])
    func `points into the whole text`(_ text: String, _ offsets: [Int], _ codes: [ExpressionProblem.Code]) {
        var bench = Workbench.washer()
        do {
            _ = try TextTemplate.compile(text, in: bench.scope, paths: &bench.paths)
            Issue.record("compiled")
        } catch {
            #expect(error.findings.map { $0.offset } == offsets)
            #expect(error.findings.map { $0.code } == codes)
        }
    }

    @Test func `lists the references it reads`() throws {
        var bench = Workbench.washer()
        let template = try TextTemplate.compile(
            "{count} {power} {count}",
            in: bench.scope,
            paths: &bench.paths
        )
        #expect(template.references.map { $0.index } == [3, 0])
    }
}
