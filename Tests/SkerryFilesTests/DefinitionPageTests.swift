import Foundation
import SkerryDevice
import SkerryFiles
import SkerryHouse
import Testing

@Suite("The pages of the definitions in devices")
struct DefinitionPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Kinds whose messages Skerry itself proposes, so that there is nothing to know them from.
    private static let proposed: Set = [
        "energy-level", "match", "order-coffee", "order-groceries", "order-pizza", "order-restaurant", "ride",
    ]

    @Test func `each names the sources of its facts, unless its messages are a proposal`() throws {
        for file in try CompiledFiles([Self.root.appendingPathComponent("devices").path]).files {
            let kind = try #require(file.definition).kind
            let page = try #require(DefinitionPage(file, tests: []))
            let facts = try #require(page.row(link: "").components(separatedBy: " | ").last)
            #expect(facts.contains("](https://") != Self.proposed.contains(kind), "\(kind): \(facts)")
        }
    }

    @Test func `events that only the messages of a device raise are not offered to people`() throws {
        let folder = Self.root.appendingPathComponent("devices")
        let paths = ["washer", "sprinkler"].map { folder.appendingPathComponent("\($0).yaml").path }
        for file in try CompiledFiles(paths).files {
            let definition = try #require(file.definition)
            #expect(file.source.text.contains(" device."), "it has none")
            #expect(definition.events == [], "\(definition.kind)")
        }
    }

    @Test func `topics from which the same is read share a row, each once`() throws {
        let path = Self.root.appendingPathComponent("devices/washer-plug.yaml").path
        let page = try #require(DefinitionPage(try CompiledFiles([path]).files[0], tests: []))
        let table = try #require(page.text.components(separatedBy: "## What it reads").last)
        let rows = table.split(separator: "\n").dropFirst(2).prefix { $0.hasPrefix("|") }
        let cells = rows.map { $0.components(separatedBy: " | ") }
        #expect(Set(cells.map { $0.dropFirst().joined(separator: "|") }).count == cells.count)
        for cell in cells {
            let topics = cell[0].dropFirst(2).components(separatedBy: "<br>")
            #expect(Set(topics).count == topics.count, "\(topics)")
        }
    }

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
