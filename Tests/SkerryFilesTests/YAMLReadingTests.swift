import SkerryDevice
import SkerryFiles
import Testing

@Suite("Reading YAML")
struct YAMLReadingTests {
    /// The problems of a text as `line:column+length message`.
    private func problems(_ text: String) -> [String] {
        YAMLComposer.foreign(text).problems.map {
            "\($0.place.line):\($0.place.column)+\($0.length) \($0.message)"
        }
    }

    @Test(arguments: [
        ("a: b\n%x\n", "2:1+1 a '%' at the start of a line makes it a directive of YAML"),
        ("%YAML 2.0\n---\na: b\n", "1:1+1 a '%' at the start of a line makes it a directive of YAML"),
        (
            "%TAG ! x\n%TAG ! y\n---\na: b\n",
            "2:1+1 a '%' at the start of a line makes it a directive of YAML"
        ),
        ("%of all\n", "1:1+1 a '%' at the start of a line makes it a directive of YAML"),
        ("[a] b\n", "1:5+1 nothing can follow here: the document above is complete"),
        ("a: b\n...\nc: d\n", "3:1+1 nothing can follow here: the document above is complete"),
        ("a: ? b\n", "1:4+3 a text that begins with '?' needs quotes"),
        ("a: \"\\xg1\"\n", "1:7+1 no such escape in a text with double quotes"),
        ("a: \"\\ud800\"\n", "1:7+1 no such escape in a text with double quotes"),
        (
            "a: \"x\"!y\"\n",
            "1:4+6 a value that begins with a quote ends with the next one, and something follows"
        ),
        ("a: |0\n  b\n", "1:4+2 a text that begins with '|' needs quotes"),
        ("a: \"é\u{0}\"\n", "1:6+1 the character U+0000 is not allowed in YAML"),
        ("a: \u{FFFE}\n", "1:4+1 the character U+FFFE is not allowed in YAML"),
        ("a: [\n", "1:5+1 a '{' or '[' is never closed"),
        ("a: { b: c,\n\n", "1:11+1 a '{' or '[' is never closed"),
        ("a: 1\n---\nb: [\n", "3:1+1 a second document begins here"),
    ])
    func `each complaint of libyaml has plain words`(text: String, expected: String) {
        #expect(problems(text) == [expected])
    }

    @Test(arguments: [
        ("a: *b c\n", ["1:4+4 a text that begins with '*' needs quotes"]),
        (
            "a: *b\nc: *d e\n",
            ["1:4+2 '*b' names no anchor above", "2:4+4 a text that begins with '*' needs quotes"]
        ),
        ("a: &b [*b]\n", ["1:8+2 '*b' names no anchor above"]),
        ("a: &b 1\nc: \"*b c\"\nd: 2 *b c # *b c\n", []),
    ])
    func `an asterisk begins an alias only at the start of a text`(text: String, expected: [String]) {
        #expect(problems(text) == expected)
    }

    @Test(
        arguments: [
            "min(a, 5) > 1", "a in [\"b\", \"c\"]", "a ? b : c", "a == \"b: c\"", "a == \"b #1\"",
            "\"a\" == b",
            "'a' == b", "!a", "!a && b", "*a > 5", "&a", "%a", "@a", "`a`", "a.split(\",\")[0] == \"b\"",
            "a.exists(x, x > 3)", "a[0] > 3", "[a, 2].exists(x, x > 3)", "{\"a\": b}[\"a\"] > 3",
            "a && {\"a\": 1}.a > 3", "a.matches(\"b{2}\")", "> 5", "| 5", "? a", "f(a, b ? c : d)",
        ]
    )
    func `an expression that needs quotes is one problem, which shows it in quotes`(_ text: String) throws {
        let flow =
            "skerry: 1\nkind: x\nmachine:\n  states:\n    a: { always: { guard: \(text), target: a } }\n"
        let block =
            "skerry: 1\nkind: x\nmachine:\n  states:\n    a: { }\n  always:\n    guard: \(text)\n    target: a\n"
        for (file, isFlow) in [(flow, true), (block, false)] {
            let found = DefinitionReader.read(text: file).problems.filter { $0.code == .notYAML }
            // Brackets and commas mean something only between others.
            guard isFlow || !found.isEmpty else { continue }
            let problem = try #require(found.first, "\(file)")
            #expect(found.count == 1)
            #expect(problem.length == text.count, "\(problem)")
            let remedy = try #require(problem.remedy)
            let quoted = remedy.dropFirst("write `".count).dropLast()
            let healed = DefinitionReader.read(text: file.replacing(text, with: quoted))
            #expect(healed.problems.isEmpty, "\(quoted)")
            #expect(healed.draft?.machine.guardTexts == [text])
        }
    }

    @Test(arguments: [
        ("{ guard: a > 5 target: b }", "'target' begins another value here; put a ',' before it"),
        ("{ guard: a > 5\n        target: b }", "'target' begins another value here; put a ',' before it"),
        (
            "!secret a",
            "there is no '!secret': a '!' at the start of a text makes it a tag of YAML; "
                + "write the value itself, or put a text in quotes"
        ),
    ])
    func `what is not meant as a text gets no quotes`(_ value: String, _ expected: String) {
        let text = "skerry: 1\nkind: x\nmachine:\n  states:\n    a:\n      always: \(value)\n"
        let found = DefinitionReader.read(text: text).problems
        #expect(found.map { "\($0.message); \($0.remedy ?? "")" } == [expected])
    }

    @Test func `each double key is reported, however it is written`() {
        let text =
            "a: 1\n\"\\x61\": 2\n? >-\n  a\n: 3\n&x a: 4\nb: { c: 1, 'c': 2 }\n5: 1\n'5': 2\n<<: { a: 9 }\n"
        #expect(
            problems(text) == [
                "2:2+1 'a' stands twice in this mapping, first on line 1",
                "4:3+1 'a' stands twice in this mapping, first on line 1",
                "6:4+1 'a' stands twice in this mapping, first on line 1",
                "7:13+1 'c' stands twice in this mapping, first on line 7",
                "9:2+1 '5' stands twice in this mapping, first on line 8",
            ]
        )
        let many = (0..<80).map { "k\($0 / 2): \($0)\n" }.joined()
        #expect(problems(many).count == 40)
    }

    @Test func `a text that stops being YAML reports the tags and aliases before, and no double keys`() {
        #expect(
            problems("a: 1\na: 2\nb: *c\nd: @\n") == [
                "3:4+2 '*c' names no anchor above", "4:4+1 a text that begins with '@' needs quotes",
            ]
        )
        #expect(
            problems("a: 1\na: 2\n---\nb: c\n") == [
                "2:1+1 'a' stands twice in this mapping, first on line 1",
                "4:1+1 a second document begins here",
            ]
        )
    }

    @Test(arguments: [
        (
            String(repeating: "[", count: 100_000),
            "1:65+1 mappings and lists are nested deeper than 64 levels"
        ),
        (
            String(repeating: "- ", count: 100_000),
            "1:129+1 mappings and lists are nested deeper than 64 levels"
        ),
        (
            "[" + String(repeating: "x,", count: 60_000),
            "1:100000+1 there are more than 50000 values, those behind aliases counted"
        ),
        ((0..<90_000).map { "%TAG !a\($0)! x\n" }.joined(), "65:1+1 more than 64 lines begin with a '%'"),
    ])
    func `size and depth are bounded`(text: String, expected: String) {
        #expect(problems(text) == [expected])
    }

    @Test func `a byte order mark before a text is not part of it`() throws {
        let (root, problems) = YAMLComposer.foreign("\u{FEFF}a: 1\nb: 2\n")
        #expect(problems.isEmpty)
        guard case .map(let pairs)? = root?.content else {
            Issue.record("no mapping")
            return
        }
        #expect(pairs.map(\.key.text) == ["a", "b"])
        #expect(pairs.map(\.key.place.column) == [1, 1])
    }

    @Test func `a pair of escapes in JSON is one letter, and the letters after it keep their places`() throws
    {
        let text = #"{ "\ud83d\ude00": "\uD83D\uDE01 here\ud83d", "a": "\ud83d\ude00", "a": 1 }"#
        let whole = text.replacing("here\\ud83d", with: "here")
        let (root, problems) = YAMLComposer.foreign(whole)
        #expect(problems.map(\.place) == [Place(line: 1, column: 62)])
        guard case .map(let pairs)? = root?.content, let value = pairs.first?.value.scalar?.source else {
            Issue.record("no mapping")
            return
        }
        #expect(pairs.map(\.key.text) == ["😀", "a"])
        #expect(value.text == "😁 here")
        #expect(value.place(atUTF8Offset: 5) == Place(line: 1, column: 33))
        #expect(self.problems(text).map { $0.prefix(4) } == ["1:39"])
    }
}

extension StateDraft {
    /// The guards of its transitions and of those within.
    fileprivate var guardTexts: [String] {
        transitions.compactMap { $0.condition?.text } + states.flatMap { $0.guardTexts }
    }
}
