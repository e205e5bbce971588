import Foundation
import SkerryDevice
import SkerryFiles
import SkerryTesting
import Testing

@Suite("The pages of the definitions in devices")
struct DefinitionPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func `they are as the definitions are: scripts/device-pages writes them`() throws {
        let compiled = try CompiledFiles([Self.root.appendingPathComponent("devices").path])
        let docs = Self.root.appendingPathComponent("docs")
        let table = try String(contentsOf: docs.appendingPathComponent("devices.md"), encoding: .utf8)
        for file in compiled.files {
            let definition = try #require(file.definition, "\(file.source.path)")
            let outcomes = DefinitionTestRunner(definition).run(file.source.reading.tests)
            let page = try #require(DefinitionPage(file, tests: outcomes))
            let written = docs.appendingPathComponent("devices/\(definition.kind).md")
            let text = try? String(contentsOf: written, encoding: .utf8)
            #expect(text == page.text, "run scripts/device-pages: \(definition.kind)")
            #expect(table.contains(page.row(link: "devices/\(definition.kind).md")), "\(definition.kind)")
        }
        let pages = try FileManager.default.contentsOfDirectory(
            atPath: docs.appendingPathComponent("devices").path
        )
        #expect(pages.count == compiled.files.count, "a page has no definition")
    }
}
