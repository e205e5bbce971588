import Foundation
import Testing

/// The links between the documents.
@Suite("links between documents")
struct LinkTests {
    private static func pages() throws -> [Page] {
        let beside = ["Sources/WORDS.md", "Workshop/README.md", "Embedded/README.md"]
        let top = try FileManager.default.contentsOfDirectory(atPath: Page.root.path)
        let paths = beside + top.filter { $0.hasSuffix(".md") }.sorted()
        return try Page.all(below: "docs") + paths.map { try Page.read($0) }
    }

    /// The file of the repository that a link of a page leads to.
    private static func file(of link: Page.Link, on page: Page) -> String {
        let path = link.target.prefix { $0 != "#" }
        guard !path.isEmpty else { return page.path }
        let folder = Page.root.appending(path: page.path).deletingLastPathComponent()
        return String(folder.appending(path: path).standardized.path.dropFirst(Page.root.path.count + 1))
    }

    /// Links that lead nowhere: to no file of the repository, or to no heading of its page.
    private static func deadLinks(in pages: [Page]) -> [String] {
        pages.flatMap { page in
            page.links.compactMap { link in
                guard !link.target.hasPrefix("http") else { return nil }
                let file = file(of: link, on: page)
                let dead = "\(page.path):\(link.line): \(link.target)"
                guard exists(file) else { return dead }
                guard let mark = link.target.firstIndex(of: "#") else { return nil }
                let anchor = String(link.target[mark...].dropFirst())
                let other = pages.first { $0.path == file }
                return other?.anchors.contains(anchor) == true ? nil : dead
            }
        }
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Page.root.appending(path: path).path)
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

    @Test func `an index names every page`() throws {
        let pages = try Page.all(below: "docs")
        let indexes = pages.filter { $0.path.hasSuffix("/README.md") || $0.path == "docs/devices.md" }
        let named = Set(indexes.flatMap { index in index.links.map { Self.file(of: $0, on: index) } })
        for page in pages where page.path != "docs/README.md" { #expect(named.contains(page.path)) }
    }

    @Test func `no page is long but those that are generated`() throws {
        let generated = ["docs/problems.md", "docs/reference/keys.md"]
        for path in Page.paths(below: "docs") where !generated.contains(path) {
            let words = try Page.text(path).split { $0.isWhitespace }.count
            #expect(words <= 3000, "\(path)")
        }
    }

    @Test func `pages that programs and their sources name are there`() throws {
        let pages = try Self.pages()
        var count = 0
        for folder in ["Sources", "Workshop/Sources", "Playground", "scripts", "packaging"] {
            let files = FileManager.default.subpaths(atPath: Page.root.appending(path: folder).path) ?? []
            for path in files.map({ "\(folder)/\($0)" }) {
                let file = Page.root.appending(path: path)
                guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                for match in text.matches(of: /\bdocs\/[\w\/-]+\.(?:md|yaml)(?:#([\w-]+))?/) {
                    let name = String(match.output.0.prefix { $0 != "#" })
                    #expect(Self.exists(name), "\(path): \(match.output.0)")
                    guard let anchor = match.output.1, let page = pages.first(where: { $0.path == name })
                    else {
                        continue
                    }
                    #expect(page.anchors.contains(String(anchor)), "\(path): \(match.output.0)")
                    count += 1
                }
            }
        }
        #expect(count > 5)
    }
}
