import Foundation
import Testing

/// The links between the documents.
@Suite("links between documents")
struct LinkTests {
    private static func pages() throws -> [Page] {
        let folder = Page.root.appending(path: "docs")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let paths = names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
        return try (paths + ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]).map { try Page.read($0) }
    }

    /// Links that lead nowhere: to no file of the repository, or to no heading of its page.
    private static func deadLinks(in pages: [Page]) -> [String] {
        pages.flatMap { page in
            page.links.compactMap { link in
                guard !link.target.hasPrefix("http") else { return nil }
                let parts = link.target.split(separator: "#", omittingEmptySubsequences: false).map(
                    String.init
                )
                let folder = Page.root.appending(path: page.path).deletingLastPathComponent()
                let file =
                    parts[0].isEmpty
                    ? Page.root.appending(path: page.path) : folder.appending(path: parts[0]).standardized
                let dead = "\(page.path):\(link.line): \(link.target)"
                guard FileManager.default.fileExists(atPath: file.path) else { return dead }
                guard parts.count > 1 else { return nil }
                let other = pages.first { Page.root.appending(path: $0.path).path == file.path }
                return other?.anchors.contains(parts[1]) == true ? nil : dead
            }
        }
    }

    @Test func `all lead somewhere`() throws {
        #expect(Self.deadLinks(in: try Self.pages()) == [])
    }

    @Test func `a dead link is found`() {
        let text =
            "# Über a `key`: b\n[a](#über-a-key-b) [b](#b) [c](nowhere.md) [d](../README.md) [e](language.md#x)\n"
        let found = Self.deadLinks(in: [Page(path: "docs/README.md", text: text)])
        #expect(found.count == 3, "\(found)")
    }

    @Test func `the index names every page`() throws {
        let index = try Page.read("docs/README.md")
        for page in try Self.pages() where page.path.hasPrefix("docs/") && page.path != index.path {
            let name = page.path.dropFirst("docs/".count)
            #expect(index.links.contains { $0.target == name }, "\(name)")
        }
    }
}
