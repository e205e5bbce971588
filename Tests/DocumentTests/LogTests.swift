import SkerryGateway
import Testing

/// The kinds of lines of the log, and the page about them.
@Suite("The log") struct LogTests {
    @Test("every id has its line in docs/reference/log.md, and there is no other")
    func ids() throws {
        let page = try Page.read("docs/reference/log.md")
        let table = try #require(page.tables.first { $0.header.first == "id" })
        let documented = table.rows.flatMap { $0[0].codeSpans }
        #expect(Set(documented) == Set(LogID.allCases.map(\.rawValue)))
        #expect(Set(documented).count == documented.count)
        #expect(table.rows.allSatisfy { row in row.allSatisfy { !$0.isEmpty } })
    }

    @Test("an id is words in small letters, and no two lines have one by accident")
    func form() {
        for id in LogID.allCases {
            #expect(id.rawValue.wholeMatch(of: /[a-z]+(?:-[a-z]+)*/) != nil, "\(id)")
        }
    }
}
