import SkerryTesting
import SkerryDevice
import SkerryFiles
import Testing

@Suite("Random bytes cause no crash")
struct MutationTests {
    /// Changes some bytes: exchanges, removes, doubles and inserts pieces.
    private func mutate(_ bytes: [UInt8], words: [String], using random: inout SimulatedRandom) -> [UInt8] {
        var result = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) where !result.isEmpty {
            let position = Int.random(in: 0..<result.count, using: &random)
            let length = min(Int.random(in: 1...12, using: &random), result.count - position)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: result[position] = UInt8.random(in: 0...255, using: &random)
            case 1: result.removeSubrange(position..<position + length)
            case 2: result.insert(contentsOf: Array(result[position..<position + length]), at: position)
            case 3: result.removeLast(length)
            default:
                let word = words.randomElement(using: &random) ?? ""
                result.replaceSubrange(
                    position..<position + Int.random(in: 0...1, using: &random),
                    with: word.utf8
                )
            }
        }
        return result
    }

    @Test(arguments: 0..<8)
    func `definitions`(seed: UInt64) {
        var random = SimulatedRandom(seed: seed)
        let words = [
            "\t", "\n", "  ", ": ", "- ", "{", "}", "[", "]", ",", "\"", "'", "|\n", ">-\n", "&a ", "*a",
            "<<: *a", "#",
            "? ", "---\n", "...\n", "%YAML 1.2\n", "!!str ", "null", "\u{85}", "\u{2028}", "\u{FEFF}",
            "\u{E000}", "😀",
            "\r", "\u{0}", "kind", "on", "skerry: 1", "\\", "\"\\ud800\"", "99999999999999999999",
        ]
        let samples = [Samples.washer, Samples.machine].map { Array($0.utf8) }
        for _ in 0..<150 {
            let bytes = mutate(samples.randomElement(using: &random) ?? [], words: words, using: &random)
            let reading = DefinitionReader.read(bytes: bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            let lineCount =
                text.unicodeScalars.count { "\r\n\u{85}\u{2028}\u{2029}".unicodeScalars.contains($0) } + 1
            for problem in reading.problems {
                #expect((1...lineCount).contains(problem.place.line))
                #expect(problem.place.column >= 1 && problem.length >= 1)
            }
            #expect(reading.draft != nil || !reading.problems.isEmpty)
            #expect(reading.problems.map(\.place) == reading.problems.map(\.place).sorted())
            let printed = DiagnosticPrinter().text(of: reading.problems, file: "x", text: text)
            #expect(printed.isEmpty == reading.problems.isEmpty)
        }
    }

    @Test(arguments: 0..<8)
    func `recordings`(seed: UInt64) throws {
        var random = SimulatedRandom(seed: seed)
        let words = [
            "\\", "\"", "\\u", "\\ud83d", "\\ude00", "{", "}", "[", "]", ",", ":", "\n", "\r", " ", "\t",
            "null", "true",
            "-", "1e9", "\"payload\":", "\"payloadlen\":4", "99999999999999999999", "\u{0}", "Z", "+",
            "2026-",
        ]
        let lines =
            RecordingReaderTests.accepted.map(\.text) + RecordingReaderTests.refused.map(\.text)
            + RecordingWriterTests.lines
        for _ in 0..<400 {
            let chosen = (0..<4).map { _ in lines.randomElement(using: &random) ?? "" }
            let bytes = mutate(Array(chosen.joined(separator: "\n").utf8), words: words, using: &random)
            let (messages, report) = try readAll(bytes)
            #expect(messages.count == report.messages)
            #expect(report.lines == report.messages + report.emptyLines + report.refused)
            #expect(report.bytes == bytes.count)
            let lineFeeds = bytes.count { $0 == 0x0A }
            #expect(report.lines == (bytes.last == 0x0A || bytes.isEmpty ? lineFeeds : lineFeeds + 1))
        }
    }

    @Test func `deep, wide and recursive YAML is refused or read in bounded memory`() {
        let deep = String(repeating: "[", count: 100_000)
        let indented = (0..<900).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
        let wide = "skerry: 1\nkind: [" + String(repeating: "x,", count: 300_000) + "]\n"
        let recursive = "skerry: 1\nkind: &a [*a]\n"
        let keys = "? " + String(repeating: "? ", count: 5000)
        let bomb = (1...30).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()
        let keyBomb = "a0: &a0 x\n" + bomb + "? *a30\n: x\n"
        for text in [deep, indented, wide, recursive, keys, "a0: &a0 x\n" + bomb, keyBomb] {
            let reading = DefinitionReader.read(text: text)
            #expect(!reading.problems.isEmpty)
            #expect(reading.problems.count <= 100)
        }
    }

    @Test func `a file full of mistakes lists the first hundred`() {
        let text =
            "skerry: 1\nkind: a\nmachine:\n  states:\n" + (0..<500).map { "    s\($0): { x: y }\n" }.joined()
        #expect(DefinitionReader.read(text: text).problems.count == 100)
        let twice =
            "skerry: 1\nkind: a\nmachine:\n  states:\n" + (0..<500).map { "    s\($0 / 2): {}\n" }.joined()
        #expect((1...100).contains(DefinitionReader.read(text: twice).problems.count))
    }
}
