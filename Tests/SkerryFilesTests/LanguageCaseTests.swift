import Foundation
import SkerryDevice
import SkerryFiles
import SkerryHouse
import Testing

@Suite("Definitions that show faults of the language")
struct LanguageCaseTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/cases/language").path

    private static let isThere = FileManager.default.fileExists(atPath: folder)

    @Test(
        "They are taken, without a false warning, and their own tests pass",
        .enabled(if: isThere, "../shared/cases is absent")
    )
    func cases() throws {
        let files = try DefinitionFiles.load([Self.folder])
        #expect(!files.isEmpty)
        for file in files {
            let compiled = CompiledFiles([file])
            // Two of them have an activity that never ends.
            let problems = compiled.problems.filter { $0.code != .activityNeverEnds }
            #expect(problems.isEmpty, "\(compiled.report(DiagnosticPrinter()))")
            let definition = try #require(compiled.definitions.first)
            for outcome in DefinitionTestRunner(definition).run(file.reading.tests) {
                let failures = outcome.failures.map { $0.problem.message }
                #expect(outcome.hasPassed, "\(file.path): \(outcome.name): \(failures)")
            }
        }
    }
}
