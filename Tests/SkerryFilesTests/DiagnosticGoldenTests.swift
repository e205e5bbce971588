import SkerryDevice
import SkerryFiles
import Testing

@Suite("What authors are told about broken definitions")
struct DiagnosticGoldenTests {
    private static let goldens = GoldenFiles("Goldens")

    @Test("is what the golden files say", arguments: goldens.names)
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
