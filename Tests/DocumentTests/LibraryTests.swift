import Foundation
import Testing

/// The page about the library: its program, compiled with the modules of this build, prints what the page says.
@Suite("docs/library.md")
struct LibraryTests {
    private static let modules = [
        "Activity", "Device", "Engine", "Expressions", "Files", "Machine", "Values",
    ]
    private static let build = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    @Test(
        "the program prints what the page says",
        .enabled(if: !build.path.contains("sanitize-"), "needs objects without a sanitizer")
    )
    func program() throws {
        let page = try Page.read("docs/library.md")
        let folder = FileManager.default.temporaryDirectory.appending(path: "library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for block in page.blocks {
            guard let name = block.option("file") else { continue }
            try Data(block.text.utf8).write(to: folder.appending(path: name))
        }
        let objects = Self.modules.map { "$BUILD/Skerry\($0).build/*.o" }.joined(separator: " ")
        let shell = try Shell(
            "swiftc -swift-version 6 -warnings-as-errors -enable-upcoming-feature MemberImportVisibility main.swift"
                + " -I $BUILD/Modules -I $ROOT/Sources/Language/CYAML \(objects) -lyaml -o glance && ./glance",
            in: folder,
            ["BUILD": Self.build.path, "ROOT": Page.root.path]
        )
        let status = try shell.end()
        #expect(status == 0)
        #expect(shell.news == (try #require(page.blocks("json").first).text))
    }
}
