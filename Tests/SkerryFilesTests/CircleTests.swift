import SkerryDevice
import SkerryFiles
import Testing

/// Definitions that read the activities of others.
@Suite("Circles of definitions")
struct CircleTests {
    /// A definition that reads the activities of some kinds.
    private func file(_ kind: String, reads kinds: [String]) -> DefinitionFile {
        let sources = kinds.map {
            "  - { topic: \"$skerry/\($0)/{device}\", signals: { from_\($0): payload.state } }\n"
        }
        let text = """
            skerry: 1
            kind: \(kind)
            sources:
              - { topic: "push/\(kind)/{device}", payload: number, signals: { count: payload } }
            \(sources.joined())
            machine: { initial: on, states: { on: { title: On } } }
            activity: { starts: on, content: { count: count } }

            """
        return DefinitionFile(path: "\(kind).yaml", bytes: Array(text.utf8))
    }

    @Test("a circle is refused with the way that leads round")
    func circle() {
        let compiled = CompiledFiles([
            file("one", reads: ["two"]), file("two", reads: ["three"]), file("three", reads: ["one"]),
        ])
        let told = compiled.files.flatMap { $0.problems }.map { $0.message }
        #expect(
            told.contains(
                "definitions read each other's activities in a circle: 'one' reads 'two' reads 'three' reads 'one'"
            )
        )
        #expect(compiled.definitions.isEmpty)
    }

    /// There are 2 to the power of 20 ways through them.
    @Test("twenty layers that all read the next two are looked at once each")
    func layers() {
        var files: [DefinitionFile] = []
        for layer in 0..<20 {
            let next = layer < 19 ? ["a\(layer + 1)", "b\(layer + 1)"] : []
            files += [file("a\(layer)", reads: next), file("b\(layer)", reads: next)]
        }
        let compiled = CompiledFiles(files)
        #expect(compiled.definitions.count == 40, "\(compiled.report(DiagnosticPrinter()))")
    }
}
