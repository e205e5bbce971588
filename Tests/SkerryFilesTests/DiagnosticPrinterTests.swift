import SkerryDevice
import SkerryFiles
import Testing

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
