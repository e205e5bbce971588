import Foundation
import Testing

/// Files with an input and what must come of it, side by side: `NAME.yaml` and `NAME.expected`.
///
/// With `RECORD_GOLDENS=1` in the environment the expected files are written anew, and the test fails, so that nobody
/// records by accident.
struct GoldenFiles {
    /// The folder of the files.
    var folder: URL

    /// The folder `name` beside a test.
    init(_ name: String, beside file: String = #filePath) {
        folder = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(name)
    }

    /// The names of the inputs, without their extension, sorted.
    var names: [String] {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return found.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }

    /// The text of a file of the folder.
    func bytes(_ file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(file)))
    }

    /// Compares what a closure makes of an input with what is expected.
    func check(_ name: String, _ produce: ([UInt8]) -> String) throws {
        let actual = produce(try bytes(name + ".yaml"))
        let expectedFile = folder.appendingPathComponent(name + ".expected")
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" {
            try actual.write(to: expectedFile, atomically: true, encoding: .utf8)
            Issue.record("recorded \(name).expected")
            return
        }
        let expected = String(decoding: try bytes(name + ".expected"), as: UTF8.self)
        #expect(actual == expected, "\(name): what is printed has changed")
    }
}
