import SkerryDevice
import SkerryFiles
import SkerryHouse
import Testing

/// What is told about tests: every example passes, and the wrong one fails as shown.
@Suite("docs/testing.md")
struct TestingTests {
    /// What `skerry test` shows of the tests of a definition.
    static func report(_ text: String) throws -> (text: String, tests: Int) {
        let file = DefinitionFile(path: "kettle.yaml", bytes: Array(text.utf8))
        let compiled = CompiledFiles([file])
        let definition = try #require(compiled.definitions.first, "\(compiled.report(DiagnosticPrinter()))")
        #expect(compiled.problems.isEmpty, "\(compiled.report(DiagnosticPrinter()))")
        let outcomes = DefinitionTestRunner(definition).run(file.reading.tests)
        var report = ""
        for outcome in outcomes where !outcome.hasPassed {
            report += "FAILED  kettle.yaml: \(outcome.name.text)\n"
            for failure in outcome.failures {
                report += DiagnosticPrinter().text(of: failure, file: "kettle.yaml", text: text)
            }
        }
        return (report, outcomes.count)
    }

    @Test func `every example passes, the wrong one fails with the words that are shown`() throws {
        var definition = ""
        var shown: String?
        var tests = 0
        for block in try Page.read("docs/testing.md").blocks {
            switch block.info {
            case ["yaml"] where block.text.hasPrefix("skerry: 1"):
                definition = block.text
            case ["yaml"]:
                let report = try Self.report(definition + block.text)
                #expect(report.text.isEmpty, "the example from line \(block.line) on: \(report.text)")
                tests += report.tests
            case ["yaml", "fails"]:
                shown = try Self.report(definition + block.text).text
            case ["text"]:
                #expect(block.text == shown, "\(shown ?? "")")
            default: break
            }
        }
        #expect(tests > 12)
        #expect(shown != nil)
    }

    /// The key of a step or of what is given or expected, for each row of the tables.
    @Test func `every key has its row`() throws {
        let rows = try Page.read("docs/testing.md").tables.flatMap(\.rows).compactMap(\.first).flatMap(
            \.codeSpans
        )
        for part in [LanguagePart.step, .given, .expectation] {
            for key in part.mapping.names where key != "retained" {
                #expect(rows.contains(key), "\(part): \(key)")
            }
        }
    }
}
