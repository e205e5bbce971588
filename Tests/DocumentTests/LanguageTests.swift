import Foundation
import SkerryDevice
import SkerryFiles
import Testing

/// The reference of the language: its examples are right, and it has every key.
@Suite("docs/language.md")
struct LanguageTests {
    let page: Page
    /// What parts of a definition are completed with, by key.
    private let frame: [(key: String, text: String)]

    init() throws {
        page = try Page.read("docs/language.md")
        let frame = try #require(page.blocks("yaml").first { $0.info.contains("frame") })
        self.frame = Self.parts(of: frame.text)
    }

    /// The keys of a definition, each with its lines.
    private static func parts(of text: String) -> [(key: String, text: String)] {
        var parts: [(key: String, text: String)] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if let match = line.prefixMatch(of: /([A-Za-z]+):/) {
                parts.append((key: String(match.output.1), text: ""))
            }
            if !parts.isEmpty { parts[parts.count - 1].text += line + "\n" }
        }
        return parts
    }

    /// An example with what it leaves out.
    private func completed(_ text: String) -> String {
        if text.hasPrefix("skerry:") { return text }
        let own = Self.parts(of: text)
        let missing = frame.filter { part in !own.contains { $0.key == part.key } }
        return (missing + own).map(\.text).joined()
    }

    @Test func `every example is right, and its tests pass`() throws {
        var tests = 0
        for block in page.blocks("yaml") {
            let text = completed(block.text)
            let name = "\(page.path), the example from line \(block.line) on"
            let files = CompiledFiles([DefinitionFile(path: name, bytes: Array(text.utf8))])
            let report = files.report(DiagnosticPrinter())
            guard !files.hasErrors, let definition = files.definitions.first else {
                Issue.record("\(report)")
                continue
            }
            let isWhole = block.text.hasPrefix("skerry:") && !block.info.contains("frame")
            #expect(!isWhole || files.problems.isEmpty, "\(report)")
            let drafts = files.files[0].source.reading.tests
            tests += drafts.count
            for outcome in DefinitionTestRunner(definition).run(drafts) {
                let problems = DiagnosticPrinter().text(of: outcome.problems, file: name, text: text)
                #expect(outcome.hasPassed, "\(outcome.name.text)\n\(problems)")
            }
        }
        #expect(tests > 15)
    }
}
