import SkerryDevice
import SkerryFiles
import Testing

@Suite("Problems of broken definitions")
struct DiagnosticGoldenTests {
    private static let goldens = GoldenFiles("Goldens")

    @Test("agree with the golden files", arguments: goldens.names)
    func broken(name: String) throws {
        try Self.goldens.check(name) { bytes in
            var files = CompiledFiles([DefinitionFile(path: "\(name).yaml", bytes: bytes)])
            files.checkTests()
            let summary = DiagnosticPrinter.summary(of: files.problems)
            return files.report(DiagnosticPrinter()) + (summary ?? "no problems") + "\n"
        }
    }

    @Test("covers at least twenty kinds")
    func enough() {
        #expect(Self.goldens.names.count >= 20)
    }
}
