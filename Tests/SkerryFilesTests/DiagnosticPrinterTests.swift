import SkerryDevice
import SkerryTesting
import Testing

@testable import SkerryFiles

@Suite("Problems printed")
struct DiagnosticPrinterTests {
    private func printed(
        _ line: String,
        column: Int,
        length: Int,
        usesColours: Bool = false
    ) -> [String] {
        let problem = DefinitionProblem(
            .unknownKey,
            at: Place(line: 2, column: column),
            length: length,
            "wrong",
            remedy: "right"
        )
        let text = DiagnosticPrinter(usesColours: usesColours)
            .text(of: [problem], file: "a.yaml", text: "first\n\(line)\nthird")
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `with place, code, line, mark and remedy`() {
        #expect(
            printed("    singals: x", column: 5, length: 7) == [
                "a.yaml:2:5: error: wrong [SK0002]",
                "    2 |     singals: x",
                "      |     ^~~~~~~",
                "        help: right",
                "",
            ]
        )
    }

    @Test(arguments: [
        ("\tkey: x", 2, 3, "\tkey: x", "\t^~~"),
        ("洗濯: x", 4, 2, "洗濯: x", "     ^~"),
        ("洗濯: x", 1, 2, "洗濯: x", "^~~~"),
        ("e\u{301}e\u{301}x", 3, 1, "e\u{301}e\u{301}x", "  ^"),
        ("👩‍👩‍👧: x", 4, 1, "👩‍👩‍👧: x", "    ^"),
        ("abc", 2, 99, "abc", " ^~"),
        ("abc", 99, 3, "abc", "   ^"),
        ("abc", 0, 0, "abc", "^"),
        ("a\u{1B}[31mb\u{202E}c", 1, 1, "a\u{FFFD}[31mb\u{FFFD}c", "^"),
        ("", 1, 5, "", "^"),
    ])
    func `with the mark below the mistake`(
        line: String,
        column: Int,
        length: Int,
        shown: String,
        mark: String
    ) {
        let lines = printed(line, column: column, length: length)
        #expect(lines[1] == "    2 | " + shown)
        #expect(lines[2] == "      | " + mark)
    }

    @Test func `with the part of a long line that matters`() {
        let line = String(repeating: "x", count: 300) + "here" + String(repeating: "y", count: 300)
        let lines = printed(line, column: 301, length: 4)
        #expect(lines[1].count < 160)
        let markStart = lines[2].firstIndex(of: "^").map {
            lines[2].distance(from: lines[2].startIndex, to: $0)
        }
        let shownStart = lines[1].firstIndex(of: "h").map {
            lines[1].distance(from: lines[1].startIndex, to: $0)
        }
        #expect(markStart == shownStart)
        #expect(lines[2].hasSuffix("^~~~"))
    }

    /// How many columns a line may have; the signs for what is cut off come on top.
    private static let limit = 40

    private static func excerpt(_ line: String, _ column: Int, _ length: Int) -> SourceExcerpt {
        SourceExcerpt(line: line, column: column, length: length, limit: limit)
    }

    @Test(arguments: [
        // What is cut off at one end or at both.
        (String(repeating: "x", count: 41), 1, 1, false, true),
        (String(repeating: "x", count: 40), 1, 1, false, false),
        (String(repeating: "x", count: 40), 40, 9, false, false),
        (String(repeating: "x", count: 41), 41, 1, true, false),
        (String(repeating: "x", count: 40), 41, 1, true, false),
        (String(repeating: "x", count: 39), 40, 1, false, false),
        (String(repeating: "x", count: 99), 60, 1, true, true),
        // A mark that is longer than the line may be, and begins so early that nothing is cut off before it.
        (String(repeating: "x", count: 99), 1, 99, false, true),
        (String(repeating: "x", count: 99), 10, 80, false, true),
        (String(repeating: "x", count: 99), 15, 80, true, true),
        // Letters of two columns.
        (String(repeating: "洗", count: 20), 20, 1, false, false),
        (String(repeating: "洗", count: 21), 21, 1, true, false),
        (String(repeating: "洗", count: 30), 2, 29, false, true),
    ])
    func `with a sign where a long line is cut off, and only there`(
        _ line: String,
        _ column: Int,
        _ length: Int,
        _ isCutBefore: Bool,
        _ isCutBehind: Bool
    ) {
        let excerpt = Self.excerpt(line, column, length)
        #expect(excerpt.text.hasPrefix("…") == isCutBefore)
        #expect(excerpt.text.hasSuffix("…") == isCutBehind)
        #expect(line.contains(excerpt.text.filter { $0 != "…" }))
    }

    /// Of random lines, marks at any place.
    @Test func `with the mark below the same letters, whatever is cut off`() {
        var random = SimulatedRandom(seed: 8)
        let letters: [Character] = ["a", "b", ":", " ", "洗", "é", "😀", "e\u{301}"]
        for _ in 0..<3000 {
            let line = String((0..<random.below(120)).map { _ in letters[random.below(letters.count)] })
            let (column, length) = (1 + random.below(130), 1 + random.below(130))
            let excerpt = Self.excerpt(line, column, length)
            let width = { (text: String) in text.reduce(0) { $0 + SourceExcerpt.width(of: $1) } }
            #expect(width(excerpt.text) <= Self.limit + 3, "\(line), \(column), \(length)")
            let blanks = excerpt.mark.prefix { $0 == " " }.count
            #expect(excerpt.mark.dropFirst(blanks).first == "^", "\(line), \(column), \(length)")
            #expect(excerpt.mark.dropFirst(blanks + 1).allSatisfy { $0 == "~" })
            // The letter above the sign is the one that is marked.
            var (place, above) = (0, Character("\0"))
            for letter in excerpt.text {
                if place == blanks { above = letter }
                place += SourceExcerpt.width(of: letter)
            }
            let characters = Array(line)
            guard column <= characters.count else { continue }
            #expect(above == characters[column - 1], "\(line), \(column), \(length)")
        }
    }

    @Test func `in colours when asked`() {
        let plain = printed("key: x", column: 1, length: 3)
        let coloured = printed("key: x", column: 1, length: 3, usesColours: true)
        #expect(coloured[0].contains("\u{1B}[1;31merror:\u{1B}[0m"))
        let bare = coloured.map { line in
            line.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated()
                .map { $0.offset == 0 ? $0.element : $0.element.drop { $0 != "m" }.dropFirst() }.joined()
        }
        #expect(bare == plain)
    }

    @Test func `in the order of their places`() {
        let problems = [(3, 1), (1, 5), (1, 2)].map { line, column in
            DefinitionProblem(.unreachableState, at: Place(line: line, column: column), "\(line):\(column)")
        }
        let text = DiagnosticPrinter().text(of: problems, file: "f", text: "abcdef\n\n")
        let heads = text.split(separator: "\n").filter { $0.hasPrefix("f:") }
        #expect(heads.map { $0.prefix(6) } == ["f:1:2:", "f:1:5:", "f:3:1:"])
        #expect(heads.allSatisfy { $0.contains(": warning: ") })
    }

    @Test(arguments: [
        ([], nil), ([ProblemCode.notYAML], "1 error"), ([.unreachableState], "1 warning"),
        ([.notYAML, .timerNeverRead, .badValue], "2 errors, 1 warning"),
        ([.timerNeverRead, .timerNeverRead], "2 warnings"),
    ])
    func `and counted`(codes: [ProblemCode], summary: String?) {
        let problems = codes.map { DefinitionProblem($0, at: Place(line: 1, column: 1), "x") }
        #expect(DiagnosticPrinter.summary(of: problems) == summary)
    }
}
