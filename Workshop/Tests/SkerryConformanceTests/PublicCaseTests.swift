import Foundation
import SkerryConformance
import SkerryFiles
import Testing

/// The public cases, which are not part of the project, where they are at hand.
@Suite struct PublicCaseTests {
    /// Cases that may fail, each with the reason; one that passes is no exception and fails the test.
    private static let expressionExceptions: [String: String] = [:]
    private static let statechartExceptions = [
        "script-src/test1": "its scripts are files of their own, which the collection does not have"
    ]

    private static let folder: URL = {
        if let folder = ProcessInfo.processInfo.environment["SKERRY_CONFORMANCE"] {
            return URL(fileURLWithPath: folder)
        }
        return URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../shared/conformance").standardizedFileURL
    }()

    private static func isPresent(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    private static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    private func check(_ results: [CaseResult], _ exceptions: [String: String], _ what: String) {
        for result in results {
            if let reason = exceptions[result.title] {
                if result.failure == nil {
                    Issue.record("\(result.title) passes, but is excepted: \(reason)")
                }
            } else if let failure = result.failure {
                Issue.record("\(result.title): \(failure)")
            }
        }
        let passed = results.count { $0.failure == nil }
        print("\(what): \(passed) passed of \(results.count), \(exceptions.count) exceptions")
        #expect(results.count - passed == exceptions.count)
    }

    @Test(.enabled(if: isPresent("cel.jsonl"), "no ../shared/conformance/cel.jsonl"))
    func `the cases of the CEL specification pass`() throws {
        let zones = SystemTimeZones()
        let results = try ConformanceFile.expressions(in: try Self.bytes("cel.jsonl")) { zones.rules($0) }
        check(results, Self.expressionExceptions, "CEL cases")
    }

    @Test(.enabled(if: isPresent("statecharts.json"), "no ../shared/conformance/statecharts.json"))
    func `the cases of statecharts pass`() throws {
        let results = try ConformanceFile.statecharts(in: try Self.bytes("statecharts.json")) { _ in nil }
        check(results, Self.statechartExceptions, "statechart cases")
    }
}
