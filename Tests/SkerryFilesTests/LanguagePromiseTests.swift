import Foundation
import SkerryDevice
import SkerryFiles
import SkerryHouse
import Testing

@Suite("Definitions that hold the language to its documents")
struct LanguagePromiseTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Promises").path

    private static let names = (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? []

    @Test("They are taken without a warning, and their own tests pass", arguments: names)
    func promises(name: String) throws {
        let file = try #require(try DefinitionFiles.load([Self.folder + "/" + name]).first)
        let compiled = CompiledFiles([file])
        #expect(compiled.problems.isEmpty, "\(compiled.report(DiagnosticPrinter()))")
        let definition = try #require(compiled.definitions.first)
        #expect(!file.reading.tests.isEmpty)
        for outcome in DefinitionTestRunner(definition).run(file.reading.tests) {
            let failures = outcome.failures.map { $0.problem.message }
            #expect(outcome.hasPassed, "\(outcome.name): \(failures)")
        }
    }

    @Test("There are such files")
    func areThere() { #expect(Self.names.count > 15) }
}
