import Foundation
import SkerryMachine
import Testing

/// The public cases, which are not part of the project.
private enum Conformance {
    static let file: URL = {
        if let folder = ProcessInfo.processInfo.environment["SKERRY_CONFORMANCE"] {
            return URL(fileURLWithPath: folder).appendingPathComponent("statecharts.json")
        }
        return URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent()
            .appendingPathComponent("../../../shared/conformance/statecharts.json")
            .standardizedFileURL
    }()

    static var isPresent: Bool { FileManager.default.fileExists(atPath: file.path) }

    /// Cases that need real ECMAScript. Each must fail here, or it is no exception.
    static let exceptions = [
        "error error": "defines functions in a script",
        "script-src test1": "loads scripts from files that are not in the case",
    ]
}

@Suite struct StatechartConformanceTests {
    @Test(.enabled(if: Conformance.isPresent, "no ../shared/conformance/statecharts.json"))
    func `the public statechart cases pass`() throws {
        let data = try Data(contentsOf: Conformance.file)
        let cases = try #require(JSONSerialization.jsonObject(with: data) as? [JSONObject])
        var passed = 0
        for json in cases {
            var one = try ConformanceCase(json)
            let problem = one.play()
            if Conformance.exceptions[one.title] != nil {
                #expect(problem != nil, "\(one.title) passes, so it is no exception")
            } else {
                #expect(problem == nil)
                if problem == nil { passed += 1 }
            }
        }
        print("statecharts: \(passed) of \(cases.count) passed")
        #expect(passed == cases.count - Conformance.exceptions.count)
    }
}
