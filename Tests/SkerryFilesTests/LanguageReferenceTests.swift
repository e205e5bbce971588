import Foundation
import SkerryFiles
import Testing

/// The page that is made of the declared keys.
struct LanguageReferenceTests {
    @Test func `the page of keys is the one in docs/reference`() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/reference/keys.md")
        #expect(
            try String(contentsOf: page, encoding: .utf8) == LanguageReference.page,
            "write it: skerry schema --markdown > docs/reference/keys.md"
        )
    }

    @Test func `it has every key, once in each part`() {
        let sections = LanguageReference.page.components(separatedBy: "\n## ").dropFirst()
        #expect(sections.count == LanguagePart.allCases.count)
        for (section, part) in zip(sections, LanguagePart.allCases) {
            for name in part.mapping.names {
                #expect(section.components(separatedBy: "\n| `\(name)` |").count == 2, "\(part): \(name)")
            }
        }
        #expect(Set(sections.map { $0.prefix { $0 != "\n" } }).count == sections.count)
    }
}
