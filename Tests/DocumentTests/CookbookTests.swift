import Foundation
import SkerryDevice
import SkerryFiles
import SkerryHouse
import Testing

/// The cookbook: each entry has a whole definition without a problem, and tests that pass.
@Suite("docs/cookbook")
struct CookbookTests {
    /// What comes with Skerry, which entries may extend.
    private static let shipped = DefinitionBases(of: [])

    private static func entries() throws -> [(page: String, block: Page.Block)] {
        try Page.all(below: "docs/cookbook").flatMap { page in
            page.blocks("yaml").map { (page.path, $0) }
        }
    }

    @Test func `every entry is a whole definition whose tests pass`() throws {
        let entries = try Self.entries()
        #expect(entries.count >= 25)
        for (page, block) in entries {
            let name = "\(page), the definition from line \(block.line) on"
            let bytes = Array(block.text.utf8)
            let files = CompiledFiles([DefinitionFile(path: name, bytes: bytes, extending: Self.shipped)])
            #expect(files.problems.isEmpty, "\(files.report(DiagnosticPrinter()))")
            guard let definition = files.definitions.first else { continue }
            let drafts = files.files[0].source.reading.tests
            #expect(!drafts.isEmpty, "\(name) has no tests")
            for outcome in DefinitionTestRunner(definition).run(drafts) {
                let failures = outcome.failures.map {
                    DiagnosticPrinter().text(of: $0, file: name, text: block.text)
                }
                #expect(outcome.hasPassed, "\(outcome.name.text)\n\(failures.joined())")
            }
        }
    }

    @Test func `the entries can stand in one folder`() throws {
        let files = CompiledFiles(
            try Self.entries().enumerated().map { number, entry in
                let bytes = Array(entry.block.text.utf8)
                return DefinitionFile(path: "\(number).yaml", bytes: bytes, extending: Self.shipped)
            }
        )
        #expect(files.problems.isEmpty, "\(files.report(DiagnosticPrinter()))")
    }

    @Test func `every entry has a definition, says what to look for, and is in the index`() throws {
        let index = try Page.read("docs/cookbook/README.md")
        for page in try Page.all(below: "docs/cookbook") where page.path != index.path {
            let name = String(page.path.split(separator: "/").last ?? "")
            let headings = page.anchors.dropFirst()
            #expect(page.blocks("yaml").count == headings.count, "\(page.path)")
            for heading in headings {
                #expect(
                    index.links.contains { $0.target == "\(name)#\(heading)" },
                    "\(page.path): \(heading)"
                )
            }
            let words = try Page.text(page.path).components(separatedBy: "**Look for**")
            #expect(words.count == headings.count + 1, "\(page.path)")
        }
    }
}
