import Foundation
import Testing

/// The commands that documents, the page, messages and help texts tell people to type.
@Suite(.enabled(if: Walkthrough.hasPrograms, "needs mosquitto with its clients, and python3"))
struct `Commands that people are told to type` {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The texts of all files below a folder with one of these endings, by their paths.
    static func texts(below folder: String, _ endings: Set<String>) throws -> [(path: String, text: String)] {
        let place = root.appendingPathComponent(folder)
        let paths = FileManager.default.subpaths(atPath: place.path) ?? []
        return try paths.sorted().filter { endings.contains(($0 as NSString).pathExtension) }.map { path in
            (folder + "/" + path, try String(contentsOf: place.appendingPathComponent(path), encoding: .utf8))
        }
    }

    /// The command lines in a text in which code stands between marks; what is computed becomes `X`.
    static func commands(in text: String, ending: String) -> [String] {
        switch ending {
        case "md":
            let spans = text.matches(of: /`(skerry [^`]*)`/).map { String($0.output.1) }
            let lines = text.matches(of: /(?m)^ *\$? ?(?:sudo )?(skerry (?:[^\n]*\\\n)*[^\n]*)$/).map {
                String($0.output.1)
            }
            let blocks = Page(path: "-", text: text).blocks.map(\.text)
            return spans + lines.filter { line in blocks.contains { $0.contains(line) } }
        case "swift":
            return text.replacing(/\\\n\s*/, with: "").replacing(
                /\\\([^()]*(?:\([^()]*\)[^()]*)*\)/,
                with: "X"
            )
            .matches(of: /'(skerry [^'\n]*)'/).map { String($0.output.1) }
        default:
            return text.replacing(/\$\{[^}]*\}/, with: "X").matches(of: /(["'`>])(skerry [^"'`<\n]*)/)
                .map { String($0.output.2) }
        }
    }

    /// The commands that sentences name, of which no mark says where they end.
    static func named(in text: String) -> [String] {
        text.matches(of: /\bskerry ([a-z][a-z-]*)/).map { "skerry \($0.output.1)" }
    }

    @Test func `are commands of the program, with options that it has`() throws {
        let program = try ProgramCommand.program()
        var shown: [(path: String, line: String)] = []
        var files = try Self.texts(below: "docs", ["md"]) + Self.texts(below: "Sources", ["swift"])
        files +=
            try Self.texts(below: "Sources/Adapters/CPage/page", ["js", "html"])
            + Self.texts(below: "Playground", ["js", "html"])
        for name in ["README.md", "CONTRIBUTING.md"] {
            files.append(
                (name, try String(contentsOf: Self.root.appendingPathComponent(name), encoding: .utf8))
            )
        }
        for (path, text) in files {
            if path.contains("/texts-") { shown += Self.named(in: text).map { (path, $0) } }
            shown += Self.commands(in: text, ending: (path as NSString).pathExtension).map { (path, $0) }
        }
        for text in program.helpTexts {
            shown += text.matches(of: /(?m)^ +(skerry .*?)(?:  |$)/).map { ("--help", String($0.output.1)) }
        }
        for path in [
            "docs/reference/commands.md", "Sources/Adapters/CPage/page/welcome.js",
            "Sources/Adapters/CPage/page/texts-views.js",
            "--help",
        ] {
            #expect(shown.contains { $0.path == path }, "\(path)")
        }
        for (path, line) in shown {
            let refusal = program.refusal(of: ProgramCommand.words(of: line).dropFirst())
            #expect(refusal == nil, "\(path): \(line)")
        }
    }

    @Test func `tell with which status they end`() throws {
        // What the workshop's programs say of theirs stands in their own help; a manual is for installers.
        let others = ["generate", "help", "import", "manual", "simulate"]
        let commands = try ProgramCommand.program().subcommands ?? []
        for command in commands where !others.contains(command.commandName) {
            #expect(command.helpTexts.contains { $0.contains("Exit status: ") }, "\(command.commandName)")
        }
    }

    /// The parser breaks a longer line, also within a command that people copy.
    @Test func `fit on a line of a terminal in the help`() throws {
        let lines = try ProgramCommand.program().helpTexts.flatMap { $0.split(separator: "\n") }
        let indented = lines.filter { $0.hasPrefix("  ") }
        #expect(indented.contains { $0.hasPrefix("  skerry generate app") })
        for line in indented {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test func `a wrong one in a sentence is found`() throws {
        let named = Self.named(
            in: "A file, as skerry tape or skerry record writes it; a Skerry of another version"
        )
        #expect(named == ["skerry tape", "skerry record"])
        let program = try ProgramCommand.program()
        let refusals = named.map { program.refusal(of: ProgramCommand.words(of: $0).dropFirst()) }
        #expect(refusals == ["no command 'tape'", nil])
    }

    @Test(arguments: [
        ("skerry record -t 'a/b' > x.jsonl", "no option '-t'"), ("skerry record 'a b' > x.jsonl", nil),
        ("skerry watch-all", "no command 'watch-all'"), ("skerry demo", nil), ("skerry COMMAND --help", nil),
        ("skerry send a b c", "3 arguments, it takes 2"), ("skerry run --host=a -p 1 | jq .", nil),
    ])
    func `a wrong one is found`(line: String, refusal: String?) throws {
        #expect(
            try ProgramCommand.program().refusal(of: ProgramCommand.words(of: line).dropFirst()) == refusal
        )
    }
}
