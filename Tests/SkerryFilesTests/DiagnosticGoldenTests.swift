import SkerryDevice
import SkerryFiles
import Testing

@Suite("What authors are told about broken definitions")
struct DiagnosticGoldenTests {
    private static let goldens = GoldenFiles("Goldens")

    @Test("is what the golden files say", arguments: goldens.names)
    func broken(name: String) throws {
        try Self.goldens.check(name) { bytes in
            let problems = DefinitionReader.read(bytes: bytes).problems
            let text = DiagnosticPrinter().text(
                of: problems,
                file: "\(name).yaml",
                text: String(decoding: bytes, as: UTF8.self)
            )
            return text + (DiagnosticPrinter.summary(of: problems) ?? "no problems") + "\n"
        }
    }

    @Test("covers at least twenty kinds")
    func enough() {
        #expect(Self.goldens.names.count >= 20)
    }
}
