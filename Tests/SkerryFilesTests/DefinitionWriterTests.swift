import Foundation
import SkerryDevice
import SkerryFiles
import SkerryHouse
import SkerryTesting
import Testing

@Suite("Definitions written as YAML")
struct DefinitionWriterTests {
    private static let devices = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("devices").path

    private func read(_ text: String) throws -> DefinitionDraft {
        let reading = DefinitionReader.read(text: text)
        #expect(reading.problems == [], "\(text)")
        return try #require(reading.draft)
    }

    @Test func `the devices of the repository are read as they were written`() throws {
        for file in try DefinitionFiles.load([Self.devices]) {
            let draft = try #require(file.reading.draft)
            let text = DefinitionWriter.text(of: draft)
            #expect(DefinitionWriter.text(of: try read(text)) == text)
            let written = DefinitionFile(path: file.path, bytes: Array(text.utf8))
            let compiled = CompiledFiles([written])
            #expect(compiled.problems == [], "\(compiled.report(DiagnosticPrinter()))")
            let definition = try #require(compiled.definitions.first)
            let outcomes = DefinitionTestRunner(definition).run(file.reading.tests)
            #expect(!outcomes.isEmpty && outcomes.allSatisfy(\.hasPassed), "\(file.path)")
        }
    }

    @Test(arguments: [Samples.washer, Samples.machine])
    func `all of the language is read as it was written`(sample: String) throws {
        let text = DefinitionWriter.text(of: try read(sample))
        #expect(DefinitionWriter.text(of: try read(text)) == text)
        // Every part of the sample is there: as many scalars as before, whatever their places.
        #expect(scalars(of: try read(text)) == scalars(of: try read(sample)))
    }

    /// All texts of a draft, with the order of everything and without the places.
    private func scalars(of draft: DefinitionDraft) -> String {
        var draft = draft
        draft.fingerprint = 0
        return "\(draft)".replacing(/SkerryDevice\.Place\(line: \d+, column: \d+, file: \d+\)/, with: "")
            .replacing(/pieces: \[[^\]]*\]/, with: "")
    }

    @Test func `a definition looks as a person would write it`() throws {
        let text = DefinitionWriter.text(of: try read(Samples.washer))
        let machine = """
            machine:
              initial: idle
              states:
                idle: { always: { guard: operation == "Run", target: running } }

                running:
                  title: Running
                  always:
                    - { guard: operation == "Pause", target: paused }
                    - { guard: operation == "Finished", target: done }
                  on: { cycle.elapsed: finishing }

                finishing: {}
                paused: {}

                done:
                  title: Laundry is done
                  after: { 15m: idle }

            """
        #expect(text.hasPrefix("skerry: 1\nkind: washer\nname: Washing machine\n\nsources:\n  - topic: home"))
        #expect(text.contains("\n\(machine)\n"), "\(text)")
        #expect(text.contains("\n  attributes: { name: device.name, program: program }\n"))
    }

    @Test func `comments are above the lines that they explain`() throws {
        var comments = DefinitionComments()
        comments.add("Made of\nsomething else.", at: .top)
        comments.add("first", at: .source(0))
        comments.add("how many", at: .variable("count"))
        comments.add("the end", at: .timer("cycle"))
        comments.add("at rest", at: .state("idle"))
        comments.add("never mind", at: .entry(of: "idle"))
        comments.add("it is on", at: .transition(of: "running", 1))
        comments.add("zero", at: .transition(of: "running", 2))
        comments.add("people", at: .activity)
        comments.add(String(repeating: "long ", count: 30) + "\u{7}\u{85}", at: .activity)
        let draft = try read(Samples.washer)
        let text = DefinitionWriter.text(of: draft, comments: comments)
        #expect(DefinitionWriter.text(of: try read(text)) == DefinitionWriter.text(of: draft))
        for expected in [
            "# Made of\n# something else.\nskerry: 1\n", "  # first\n  - topic: homeconnect",
            "  # how many\n  count: 0\n", "  # the end\n  cycle:\n", "    # at rest\n    idle:\n",
            "      # never mind\n      entry: []\n", "        # it is on\n        - { guard: operation",
            "      on:\n        # zero\n        cycle.elapsed: finishing\n", "\n# people\n# long",
        ] { #expect(text.contains(expected), "\(expected) in\n\(text)") }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 110 })
    }

    @Test func `transitions keep their turns`() throws {
        let draft = try read(
            """
            skerry: 1
            kind: turns
            machine:
              states:
                a:
                  on:
                    x: { guard: "true", target: b }
                    y: b
                    x.y x: { guard: "false", target: b }
                    x x: c
                    "*": c
                    x  x: a
                b:
                c:
            """
        )
        let text = DefinitionWriter.text(of: draft)
        #expect(DefinitionWriter.text(of: try read(text)) == text)
        let keys = text.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("        "), let colon = line.firstIndex(of: ":") else { return nil }
            return line[..<colon].trimmingCharacters(in: .whitespaces)
        }
        #expect(keys == ["x", "y", "x.y x", "x x", "\"*\"", "x x x"])
    }

    // MARK: Texts

    private static let letters: [Character] = [
        "a", "b", "0", " ", " ", ":", "#", "-", "?", "{", "}", "[", "]", ",", "&", "*", "!", "|", ">", "'",
        "\"",
        "%", "@", "`", "\\", "~", "<", "=", ".", "\n", "\t", "\u{0}", "\u{85}", "\u{2028}", "é", "🏝",

    ]

    /// A definition with a text in every position that a text can have.
    private func draft(of text: String, name: String) -> DefinitionDraft {
        let place = Place(line: 1, column: 1)
        let source = SourceText(text, at: place)
        let key = SourceText(name, at: place)
        var state = StateDraft(name: key)
        state.title = source
        var transition = TransitionDraft(trigger: .always, at: place)
        transition.condition = source
        transition.targets = [source, source]
        transition.actions = [.assign(key, value: source), .raise(source)]
        state.transitions = [transition]
        state.entry = [.send(source, delay: source, id: source)]
        var machine = StateDraft(name: SourceText("", at: place))
        machine.states = [state]
        var draft = DefinitionDraft(kind: source, machine: machine)
        draft.name = source
        draft.context = [NamedText(name: key, text: source)]
        draft.settings = [SettingDraft(name: key, standard: .text(text))]
        return draft
    }

    @Test func `any text is read as it was written`() throws {
        var random = SimulatedRandom(seed: 7)
        let fixed = [
            "true", "3", "~", "yes", "- a", "-1", "a: b", "a:", "a #b", "*a", "<<", "{a}", "...", "x ? y : z",
            "a\nb", "a\n", "\na", " a", "a ", "a\n b\n\nc", "a \nb", "http://x/{device}", "'", "\"", "\\",
            "=", "5m", "1h 30m", "2 s",
        ]
        for round in 0..<400 {
            let text =
                round < fixed.count
                ? fixed[round]
                : String(
                    (0..<Int.random(in: 1...12, using: &random)).map { _ in
                        Self.letters.randomElement(using: &random) ?? "a"
                    }
                )
            let name = text.contains(where: \.isNewline) ? "n" : text
            let draft = draft(of: text, name: name)
            let written = DefinitionWriter.text(of: draft)
            let back = try read(written)
            #expect(scalars(of: back) == scalars(of: draft), "\(text.debugDescription)\n\(written)")
        }
    }

    @Test func `a long expression is folded before its operators`() throws {
        let term = "payload.reading.warmth > 20.5 && payload.reading.wet < 80"
        let expression = "(\(term)) || (\(term) && \"a  b ? c\" == x) || \(term)"
        let draft = draft(of: expression, name: "n")
        let text = DefinitionWriter.text(of: draft)
        #expect(scalars(of: try read(text)) == scalars(of: draft))
        #expect(text.contains("guard: >-\n"))
        #expect(text.contains("\n          || ("))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
}
