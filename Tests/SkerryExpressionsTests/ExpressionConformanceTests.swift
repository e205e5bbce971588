import Foundation
import SkerryExpressions
import SkerryValues
import Testing

/// The public cases of the CEL specification, where they are at hand.
struct ExpressionConformanceTests {
    /// Cases that may fail, with the reason. An exception that passes fails the test.
    static let exceptions: [String: String] = [:]

    static let file: String = {
        if let folder = ProcessInfo.processInfo.environment["SKERRY_CONFORMANCE"] {
            return folder + "/cel.jsonl"
        }
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return package.deletingLastPathComponent().path + "/shared/conformance/cel.jsonl"
    }()

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: file), "the conformance cases are not here")
    )
    func `all cases of the file pass`() throws {
        let data = try #require(FileManager.default.contents(atPath: Self.file))
        var passed = 0
        var failed = 0
        for line in data.split(separator: UInt8(ascii: "\n")) {
            let test = try ExpressionCase(line: [UInt8](line), timeZone: SystemTimeZones.rules)
            let failure = test.failure()
            if failure == nil { passed += 1 } else { failed += 1 }
            if let reason = Self.exceptions[test.title] {
                if failure == nil { Issue.record("\(test.title) passes, but is excepted: \(reason)") }
            } else if let failure {
                Issue.record("\(test.title): \(test.expression) gave \(failure), not \(test.expectation)")
            }
        }
        #expect(failed == Self.exceptions.count)
        print("CEL cases: \(passed) passed, \(failed) failed")
    }
}
