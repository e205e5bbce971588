import Foundation
import SkerryDevice
import SkerryFiles
import SkerryGateway
import Testing

/// Small recordings and what a replay prints of them, side by side in `Goldens`: `NAME.jsonl` and `NAME.expected`.
///
/// With `RECORD_GOLDENS=1` in the environment the expected files are written anew, and the tests fail, so that nobody
/// records by accident.
@Suite("Golden replays")
struct GoldenTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Goldens")

    static let names: [String] = {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return found.filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) }.sorted()
    }()

    @Test("there are recordings of every definition that tells a trap of its own")
    func complete() {
        #expect(Self.names == ["cellar", "laundry", "lawn", "oddities", "workshop"])
        #expect(Files.household.count == 5)
    }

    @Test("the output is the same as in the golden file", arguments: names)
    func printed(name: String) throws {
        let recording = Self.folder.appendingPathComponent("\(name).jsonl").path
        let playback = Playback(try Files.messages(RecordingReader(path: recording)), Files.household)
        let expected = Self.folder.appendingPathComponent("\(name).expected")
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" {
            try playback.text.write(to: expected, atomically: true, encoding: .utf8)
            Issue.record("recorded \(name).expected")
            return
        }
        #expect(
            try playback.text == String(contentsOf: expected, encoding: .utf8),
            "\(name) is told differently"
        )
        #expect(try Reader.complaints(about: playback.sent.map { $0.publication }) == [])
    }
}
