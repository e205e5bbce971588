import Foundation
import SkerryDevice
import SkerryFiles
import SkerryHouse
import Testing

@Suite("The catalogue of problems")
struct ProblemCatalogueTests {
    /// The problems of an example, of its tests too; and the report of them.
    private func problems(of example: String) -> (found: [DefinitionProblem], report: String) {
        let text = ProblemCatalogue.completed(example)
        var files = CompiledFiles([DefinitionFile(path: "example.yaml", bytes: Array(text.utf8))])
        files.checkTests()
        var found = files.problems
        if !files.hasErrors, let definition = files.definitions.first {
            for outcome in DefinitionTestRunner(definition).run(files.files[0].source.reading.tests) {
                found += outcome.failures.map(\.problem)
            }
        }
        return (found, DiagnosticPrinter().text(of: found, file: "example.yaml", text: text))
    }

    @Test func `explains every code once`() {
        #expect(
            ProblemCatalogue.entries.map(\.code) == ProblemCode.allCases.sorted { $0.rawValue < $1.rawValue }
        )
    }

    @Test("every example is wrong and right as claimed", arguments: ProblemCatalogue.entries.map(\.code.name))
    func examples(name: String) throws {
        let entry = try #require(ProblemCatalogue.entry(name))
        guard entry.isOfDefinitions else { return }
        let bad = problems(of: entry.bad)
        #expect(bad.found.contains { $0.code == entry.code }, "\(bad.report)")
        let good = problems(of: entry.good)
        #expect(!good.found.contains { $0.code == entry.code || $0.severity == .error }, "\(good.report)")
    }

    @Test(
        arguments: [("SK0101", 101), ("sk0101", 101), ("101", 101), ("0101", 101), ("SK9", 9)]
            as [(String, UInt16)]
    )
    func `finds a code however it is written`(_ text: String, _ number: UInt16) {
        #expect(ProblemCatalogue.entry(text)?.code.rawValue == number)
    }

    @Test func `offers codes near one that is not there`() {
        #expect(ProblemCatalogue.entry("SK0199") == nil)
        #expect(ProblemCatalogue.near("SK0199").map(\.code) == [.badTopic, .tooMany, .badDevice])
        #expect(ProblemCatalogue.near("what").count == ProblemCatalogue.entries.count)
    }

    @Test func `is the page docs/problems.md`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/problems.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        #expect(
            page == ProblemCatalogue.markdown,
            "write it: skerry explain-code --markdown > docs/problems.md"
        )
    }
}
