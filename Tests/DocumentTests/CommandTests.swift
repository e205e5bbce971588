import Foundation
import Testing

/// The commands of the documents, typed as they stand there.
@Suite(
    "commands in documents",
    .serialized,
    .enabled(if: Walkthrough.hasPrograms, "needs mosquitto with its clients, and python3")
)
struct CommandTests {
    /// The pages with commands.
    private static let pages = (["README.md"] + Page.paths(below: "docs")).filter { path in
        (try? Page.read(path))?.blocks("console").isEmpty == false
    }

    /// The page whose commands need the workshop.
    private static let tools = "docs/tools.md"

    @Test("do what the document shows", arguments: pages.filter { $0 != tools })
    func walk(path: String) throws {
        try Self.walk(path)
    }

    @Test(
        "do what the document shows, with tools of the workshop",
        .enabled(if: Walkthrough.hasImporter, "needs skerry-import, which scripts/test builds")
    )
    func walkWithTools() throws {
        try Self.walk(Self.tools)
    }

    private static func walk(_ path: String) throws {
        let page = try Page.read(path)
        #expect(!page.blocks("console").isEmpty)
        let walkthrough = try Walkthrough(page)
        try walkthrough.run()
        #expect(walkthrough.findings.isEmpty, "\(walkthrough.findings.joined(separator: "\n"))")
    }

    @Test("a wrong output, a wrong exit status and a terminal that ends are found")
    func wrongPage() throws {
        let text = """
            ```text file=a.txt
            one
            two
            ```
            ```console
            $ cat a.txt
            one
            $ cat a.txt
            …
            two
            $ echo 12 is not 13; false
            1… is not 13
            ```
            ```console terminal=other
            $ cat a.txt
            one
            three
            ```
            """
        let walkthrough = try Walkthrough(Page(path: "page.md", text: text))
        #expect(throws: Shell.Failure.self) { try walkthrough.run() }
        #expect(
            walkthrough.findings == ["page.md:6: $ cat a.txt\none\ntwo\n", "page.md:11: exit status 1"]
        )
    }

    @Test("every member of a snapshot, a difference and a timeline has its line in docs/publishing.md")
    func members() throws {
        let page = try Page.read("docs/publishing.md")
        let replay =
            "SKERRY_PUBLISH_TIMELINE=true skerry replay Tests/Recordings/simulated-valve.jsonl 2>/dev/null"
        let lines = try Walkthrough(page).output(of: replay).text.split(separator: "\n")
        var members: Set<String> = []
        var timelineMembers: Set<String> = []
        for line in lines {
            let message = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let payload = message?["payload"] as? String else { continue }
            let published = try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any]
            if (message?["topic"] as? String)?.hasSuffix("/timeline") == true {
                timelineMembers.formUnion(try #require(published).keys)
            } else {
                members.formUnion(try #require(published).keys)
            }
        }
        let tables = page.tables.filter { $0.header.first == "member" }
            .map { Set($0.rows.flatMap { $0[0].codeSpans }) }
        #expect(tables.prefix(2) == [members, timelineMembers])
        for block in page.blocks("json") {
            let example = try? JSONSerialization.jsonObject(with: Data(block.text.utf8)) as? [String: Any]
            guard let example, example["rev"] != nil else { continue }
            #expect(members.union(timelineMembers).isSuperset(of: example.keys))
        }
    }

    @Test("every command of the program has its line in docs/reference/commands.md")
    func commands() throws {
        let page = try Page.read("docs/reference/commands.md")
        let help = try Walkthrough(page).output(of: "skerry --help").text
        let list = try #require(help.components(separatedBy: "SUBCOMMANDS:\n").last)
        let known = list.matches(of: /(?m)^  (\w[\w-]*)\s\s/).map { String($0.output.1) }
        let table = try #require(page.tables.first { $0.header.first == "command" })
        let documented = table.rows.compactMap { $0[0].firstMatch(of: /`skerry (\w[\w-]*)/) }
            .map { String($0.output.1) }
        #expect(known.count > 5)
        #expect(Set(documented) == Set(known))
    }
}
