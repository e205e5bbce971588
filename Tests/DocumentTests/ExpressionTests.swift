import Foundation
import SkerryFiles
import SkerryHouse
import SkerryValues
import Testing

@testable import SkerryDevice
@testable import SkerryExpressions

/// The reference of expressions: its examples have the results it says, and it has everything that the compiler knows.
@Suite("docs/expressions.md and docs/functions.md")
struct ExpressionTests {
    private let pages: [Page]

    init() throws { pages = try ["docs/expressions.md", "docs/functions.md"].map { try Page.read($0) } }

    private func blocks(_ language: String) -> [Page.Block] { pages.flatMap { $0.blocks(language) } }

    private var examples: [ExpressionExample] {
        blocks("cel").filter { $0.info.count == 1 }.flatMap { ExpressionExample.examples(in: $0) }
    }

    private func table(_ header: String...) throws -> Page.Table {
        try #require(pages.flatMap(\.tables).first { $0.header.starts(with: header) })
    }

    @Test func `every example has its result`() {
        #expect(examples.count > 150)
        for example in examples {
            let difference = example.difference()
            #expect(difference == nil, "line \(example.line): \(example.expression)")
        }
    }

    @Test func `a wrong example is found`() {
        let block = Page.Block(
            info: ["cel"],
            text: "1 + 1 → 3\n1 + 1 → 2.0\n1 / 0 → 1\n1 → error: overflow\n1 + → 1\n1 → mistake: x\n",
            line: 1
        )
        let differences = ExpressionExample.examples(in: block).map { $0.difference() }
        #expect(differences.count == 6)
        #expect(!differences.contains(nil))
    }

    @Test func `every function is there with every form, and no other`() {
        var documented: [String] = []
        for table in pages.flatMap(\.tables) where table.header.starts(with: ["function", "result"]) {
            for row in table.rows {
                let result = row[1].codeSpans.first ?? ""
                documented += row[0].codeSpans.filter { !$0.contains("…") }.map { "\($0) → \(result)" }
            }
        }
        let known = Overload.all.map { "\($0.description) → \($0.result.description)" }
        for form in known where !documented.contains(form) { Issue.record("not documented: \(form)") }
        for form in documented where !known.contains(form) { Issue.record("no such function: \(form)") }
        #expect(Set(documented).count == documented.count)
    }

    @Test func `every macro is there, and no other`() throws {
        let documented = try table("macro").rows.flatMap { $0[0].codeSpans }.compactMap { span in
            span.prefixMatch(of: /(?:\w+\.)?(\w+)\(/).map { String($0.output.1) }
        }
        #expect(Set(documented) == Set(macroNames + ["default", "has", "bind"]))
    }

    @Test func `every function and macro has an example`() {
        let texts = examples.map(\.expression)
        let calls =
            Overload.all.map { ($0.isMethod ? "." : "") + $0.name + "(" }
            + macroNames.map { ".\($0)(" } + [
                "default(", "has(", "cel.bind(", "math.greatest(", "math.least(",
            ]
        for call in Set(calls) where !texts.contains(where: { $0.contains(call) }) {
            Issue.record("no example of \(call)…)")
        }
    }

    @Test func `every operator is there`() throws {
        let cells = try table("operator", "takes").rows.map { $0[0] }.joined(separator: " ")
        let noOperators: [Symbol] = [.leftParenthesis, .rightParenthesis, .leftBrace, .rightBrace, .comma]
        for raw in UInt8(0)...UInt8.max {
            guard let symbol = Symbol(rawValue: raw), !noOperators.contains(symbol) else { continue }
            #expect(cells.contains(symbol.text), "no operator \(symbol.text)")
        }
    }

    @Test func `every type, error and limit is there`() throws {
        let types = try table("type", "what it is").rows.map { $0[0].codeSpans[0] }
        let shortNames = typeNames.map { $0.split(separator: ".").last.map { $0.lowercased() } ?? "" }
        #expect(Set(types) == Set(shortNames + ["dyn"]))
        let errors = try table("error", "from").rows.map { $0[0] }
        let known = EvaluationError.allCases.filter { $0 != .undeclaredReference }
        #expect(Set(errors) == Set(known.map { ExpressionExample.words(of: $0) }))
        let limits = try table("what", "at most").rows.map { $0[1] }
        let costOfMessage = "2,000,000, or 200 times `limits.expression-cost` if that is more"
        #expect(Array(limits.prefix(5)) == ["10,000", costOfMessage, "65,536 bytes", "128", "20,000"])
        #expect(DeviceLimits().expressionCost == 10_000)
        #expect(DeviceLimits().messageCost == 2_000_000)
        let compiler = ExpressionLimits()
        #expect(compiler.length == 65_536)
        #expect(compiler.depth == 128)
        #expect(compiler.parts == 20_000)
    }

    @Test func `every name of a definition is there, and no other`() throws {
        let rows = try table("name", "type").rows.dropFirst()
        let roots = rows.flatMap { $0[0].codeSpans }.compactMap { $0.prefixMatch(of: /\w+/)?.output }
        // Signals may have had these names before they were words.
        #expect(
            Set(roots.map(String.init))
                == Set(DefinitionDraft.reservedNames + ["item", "place", "reported", "unset"])
        )
    }

    // MARK: The scene

    @Test func `every example in the scene has its result`() throws {
        let scene = try #require(blocks("yaml").first { $0.info.contains("scene") })
        let examples = blocks("cel").filter { $0.info.contains("scene") }.flatMap {
            ExpressionExample.examples(in: $0)
        }
        #expect(examples.count > 20)
        for example in examples {
            guard case .value(let result) = example.result else {
                Issue.record("\(example.line): an example in the scene has a value")
                continue
            }
            let problems = try ask(
                "type(dyn(\(example.expression))) == type(dyn(\(result))) && (\(example.expression)) == (\(result))",
                scene.text
            )
            #expect(problems.isEmpty, "line \(example.line): \(example.expression)")
        }
        #expect(try !ask("power == 1", scene.text).isEmpty)
    }

    /// Lets the scene's machine assign what an expression gives, and tells why that is not true.
    private func ask(_ expression: String, _ scene: String) throws -> [String] {
        let reading = DefinitionReader.read(text: scene)
        #expect(reading.problems == [])
        var draft = try #require(reading.draft)
        var test = try #require(reading.tests.first)
        let place = Place(line: 1, column: 1)
        let answer = SourceText("answer", at: place)
        let ask = SourceText("ask", at: place)
        draft.context.append(NamedText(name: answer, text: SourceText("null", at: place)))
        draft.activity?.content.append(
            ContentDraft(name: answer, value: SourceText("context.answer", at: place))
        )
        var transition = TransitionDraft(trigger: .event([ask]), at: place)
        transition.actions = [.assign(answer, value: SourceText(expression, at: place))]
        draft.machine.transitions.append(transition)
        let expected = TestValue(.bool(true), source: SourceText("true", at: place))
        let content = TestValue(.map([TestEntry(name: answer, value: expected)]), source: answer)
        test.steps.append(TestStep(.event(ask, device: nil), at: place))
        test.steps.append(
            TestStep(
                .expect([TestEntry(name: SourceText("content", at: place), value: content)]),
                at: place
            )
        )
        let zones = SystemTimeZones()
        let compilation = Definition.compile(draft) { zones.rules($0) }
        guard let definition = compilation.definition else { return compilation.problems.map(\.message) }
        return DefinitionTestRunner(definition).run(test).failures.map(\.problem.message)
    }

    @Test func `every template has its text`() throws {
        let block = try #require(blocks("template").first)
        for line in block.text.split(separator: "\n") {
            let parts = line.components(separatedBy: "→").map { $0.trimmingCharacters(in: .whitespaces) }
            var paths = PathTable()
            do {
                let template = try TextTemplate.compile(parts[0], in: Scope(), paths: &paths)
                let text = template.render(from: NoNames(), (), costLimit: 1000)
                #expect(text.trimmingCharacters(in: .whitespaces) == parts[1])
            } catch {
                #expect("mistake: \(error.findings[0].message)" == parts[1])
            }
        }
    }
}
