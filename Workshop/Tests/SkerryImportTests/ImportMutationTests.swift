import Foundation
import SkerryDevice
import SkerryFiles
import SkerryImport
import SkerryTesting
import Testing

/// Files that are not quite right: nothing crashes, and what is written passes the check.
@Suite struct ImportMutationTests {
    private static let words = [
        "", " ", "a", "red", "memory", "oven", "song", "&lt;", "&amp;&amp;", "1", "0.5", "-3", "'x'",
        "[1, 2]", "{a: 1}",
        "rounds", "rounds + 'x'", "!night", "list[0]", "_event.data.a.b", "_event.name", "In('red')",
        "typeof list",
        "x ? 1 : 2", "function () {}", "(((", "a.b", "*", "e.*", "10s", "1e400", "return", "😀", "é", "%",
        "rounds % 0.5",
        "volume = 1", "-'a'", "!1 + 'b'", "list.length / 0", "null == 1", "'a' &lt; 1", "1 in list", "true",
        "#_internal",
    ]

    private static let samples: [String] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Examples")
        return ["microwave", "player", "traffic-light"].compactMap {
            try? String(contentsOf: folder.appendingPathComponent($0 + ".scxml"), encoding: .utf8)
        }
    }()

    /// Changes the values of some attributes, and some characters now and then.
    private func mutated(_ text: String, using random: inout SimulatedRandom) -> String {
        var parts = text.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
        for _ in 0...random.below(4) {
            let place = random.below(parts.count)
            if place % 2 == 1 {
                parts[place] = Self.words[random.below(Self.words.count)]
            } else if random.chance(1, of: 4), !parts[place].isEmpty {
                var characters = Array(parts[place])
                characters.remove(at: random.below(characters.count))
                parts[place] = String(characters)
            }
        }
        return parts.joined(separator: "\"")
    }

    @Test(arguments: 0..<4)
    func `changed files`(seed: UInt64) throws {
        var random = SimulatedRandom(seed: seed)
        try #require(Self.samples.count == 3)
        var imports = 0
        for _ in 0..<60 {
            let text = mutated(Self.samples[random.below(3)], using: &random)
            let imported = SCXMLTranslation.definition(from: text, kind: nil, file: "x.scxml")
            let lines = text.count { $0.isNewline } + 1
            for problem in imported.problems {
                #expect((1...lines).contains(problem.place.line))
                #expect(problem.place.column >= 1 && problem.length >= 1)
            }
            guard let yaml = imported.yaml else {
                #expect(!imported.problems.isEmpty)
                continue
            }
            imports += 1
            let files = CompiledFiles([DefinitionFile(path: "x", bytes: Array(yaml.utf8))])
            #expect(!files.hasErrors, "\(files.report(DiagnosticPrinter()))\n\(text)")
        }
        #expect(imports > 10)
    }
}
