import Foundation
import SkerryValues
import Testing

@Suite("Texts with missing values")
struct TextPieceTests {
    /// The texts that the page is tested with, too: values in braces, and what becomes of them.
    private static let table: [[String]] = {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let bytes = try? Data(contentsOf: tests.appendingPathComponent("Page/missing-values.json"))
        return bytes.flatMap { try? JSONDecoder().decode([[String]].self, from: $0) } ?? []
    }()

    private static func pieces(_ text: String) -> [TextPiece] {
        text.split(separator: "{", omittingEmptySubsequences: false).enumerated().flatMap { number, part in
            guard number > 0, let end = part.firstIndex(of: "}") else {
                return [TextPiece.words(String(part))]
            }
            return [.value(String(part[..<end])), .words(String(part[part.index(after: end)...]))]
        }
    }

    @Test("A missing value takes along the words and the separator that belong to it")
    func table() {
        #expect(Self.table.count > 40)
        for row in Self.table { #expect(Self.pieces(row[0]).joined() == row[1], "\(row[0])") }
    }

    /// Texts of random words, signs and values, from a generator that always gives the same.
    private static func random(_ seed: UInt64) -> [TextPiece] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ bound: UInt64) -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state % bound
        }
        let words = [
            ", ", " of ", " (", ")", " · ", ". ", "Washing ", " kWh", ": ", "\n", "[", "] ", "é", " – ", "",
        ]
        return (0..<next(9)).map { _ in
            switch next(4) {
            case 0: .value("")
            case 1: .value(["7", "Cotton", "1,5", "a b"][Int(next(4))])
            default: .words(words[Int(next(UInt64(words.count)))])
            }
        }
    }

    @Test("With all values there the text is the sum of its pieces")
    func whole() {
        for seed in 1...2000 as ClosedRange<UInt64> {
            let pieces = Self.random(seed).filter { $0 != .value("") }
            let sum = pieces.map {
                if case .value(let text) = $0 { text } else if case .words(let text) = $0 { text } else { "" }
            }
            #expect(pieces.joined() == sum.joined())
        }
    }

    @Test("Values that are there stay, in their order, and nothing is added")
    func kept() {
        for seed in 1...4000 as ClosedRange<UInt64> {
            let pieces = Self.random(seed)
            let text = pieces.joined()
            var rest = Substring(text)
            var (all, words) = ("", "")
            for piece in pieces {
                switch piece {
                case .words(let more):
                    all += more
                    words += more
                case .value(let value):
                    all += value
                    // Directly after a letter it is an ending, which its word may take along.
                    if words.last?.isLetter == true {
                        words += value
                        continue
                    }
                    words = ""
                    guard let found = rest.range(of: value) else {
                        if !value.isEmpty { Issue.record("\(pieces) lost \(value): \(text)") }
                        continue
                    }
                    rest = rest[found.upperBound...]
                }
            }
            // Each character of the text is one of the pieces, in their order.
            var left = Substring(all)
            for character in text {
                guard let place = left.firstIndex(of: character) else {
                    Issue.record("\(pieces) gained \(character): \(text)")
                    break
                }
                left = left[left.index(after: place)...]
            }
            guard pieces.contains(.value("")) else { continue }
            #expect(text.first != " " && text.last != " ", "\(pieces)")
        }
    }
}
