import Foundation
import SkerryImport
import SkerryValues
import Testing

@testable import SkerryConformance

/// The public cases of statecharts, imported as definitions, written as YAML and run by the engine.
@Suite struct PublicMachineTests {
    /// Cases that are imported without a complaint and may go otherwise, each with the reason.
    private static let exceptions: [String: String] = [:]
    /// How many cases the importer must translate as a whole.
    private static let least = 45

    private static let file: URL = {
        if let folder = ProcessInfo.processInfo.environment["SKERRY_CONFORMANCE"] {
            return URL(fileURLWithPath: folder).appendingPathComponent("statecharts.json")
        }
        return URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../shared/conformance/statecharts.json").standardizedFileURL
    }()

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: file.path),
            "no ../shared/conformance/statecharts.json"
        )
    )
    func `cases that the importer translates wholly go as they must in the engine`() throws {
        let bytes = [UInt8](try Data(contentsOf: Self.file))
        let limits = JSONLimits(bytes: 1 << 28, depth: 256)
        let cases = try JSONReader.value(of: bytes.span, limits: limits).elements
        var whole = 0
        for one in cases {
            let title = [one["group"]?.word, one["name"]?.word].compactMap { $0 }.joined(separator: "/")
            let document = ChartDocument { _ in nil }.document(of: one["machine"] ?? .null)
            let imported = SCXMLTranslation.definition(of: document, kind: "case", file: title)
            guard imported.problems.isEmpty else { continue }
            whole += 1
            let difference = try difference(imported, one["script"] ?? .null)
            if let reason = Self.exceptions[title] {
                #expect(difference != nil, "\(title) passes, but is excepted: \(reason)")
            } else if let difference {
                Issue.record("\(title): \(difference)\n\(imported.yaml ?? "")")
            }
        }
        print("machines: \(whole) of \(cases.count) imported wholly, \(Self.exceptions.count) exceptions")
        #expect(whole >= min(cases.count, Self.least))
    }

    private func difference(_ imported: ImportedDefinition, _ script: Value) throws -> String? {
        var machine = try ImportedMachine(imported)
        var expected = (script["initialConfiguration"]?.elements ?? []).compactMap { $0.word }.sorted()
        if machine.states != expected { return "expected \(expected), got \(machine.states)" }
        for step in script["events"]?.elements ?? [] {
            if case .int(let wait)? = step["after"] { machine.wait(milliseconds: wait) }
            let name = step["event"]?["name"]?.word ?? ""
            machine.send(name)
            expected = (step["nextConfiguration"]?.elements ?? []).compactMap { $0.word }.sorted()
            if machine.states != expected {
                return "after \(name): expected \(expected), got \(machine.states)"
            }
        }
        return nil
    }
}
