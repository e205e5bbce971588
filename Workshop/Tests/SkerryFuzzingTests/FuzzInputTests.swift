import Foundation
import SkerryFuzzing
import Testing

/// What the fuzzers found, and what they begin with.
@Suite("Fuzz inputs")
struct FuzzInputTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func inputs(_ folder: String, of target: FuzzTarget) throws -> [URL] {
        let folder = root.appending(path: "Fuzzing/\(folder)/\(target.rawValue)")
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { !$0.lastPathComponent.hasPrefix(".") }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    @Test("every promise holds for everything in Corpus and Regressions", arguments: FuzzTarget.allCases)
    func promises(_ target: FuzzTarget) throws {
        let corpus = try Self.inputs("Corpus", of: target)
        let regressions = try Self.inputs("Regressions", of: target)
        #expect(!corpus.isEmpty, "a fuzzer needs something to begin with")
        var kept = 0
        for file in corpus + regressions {
            let broken = target.brokenPromise(on: Array(try Data(contentsOf: file)))
            #expect(broken == nil, "\(target.rawValue)/\(file.lastPathComponent)")
            if broken == nil { kept += 1 }
        }
        print(
            "fuzz \(target.rawValue): \(kept) of \(corpus.count + regressions.count) inputs keep all promises,",
            "\(regressions.count) of them regressions"
        )
    }

    @Test("bytes that are valid in no format", arguments: FuzzTarget.allCases)
    func nothing(_ target: FuzzTarget) {
        let inputs: [[UInt8]] = [
            [], [0], [0xFF, 0xFE], [0xEF, 0xBB, 0xBF, 0x7B], [0x1F, 0x8B], [0x0A], [0x0A, 0x0A],
            Array(repeating: 0x80, count: 65_536),
        ]
        for bytes in inputs {
            #expect(target.brokenPromise(on: bytes) == nil)
        }
    }
}
