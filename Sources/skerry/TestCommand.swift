import ArgumentParser
import Glibc
import SkerryDevice
import SkerryFiles

/// `skerry test`: the tests inside definitions.
struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run the tests inside definitions, in virtual time.",
        discussion: """
            Every definition may have 'tests:' that send messages, let time pass and say what is expected. An hour's \
            wash takes a millisecond. What is not as expected is shown with its place. Exit status: 0 when all tests \
            passed, 1 otherwise.
            """
    )

    @Argument(help: "Files or folders of definitions.", completion: .file(extensions: ["yaml", "yml"]))
    var paths: [String] = ["devices"]

    @Option(name: [.short, .long], help: "Run only tests with this in their names.")
    var filter: String?

    @Flag(name: [.short, .long], help: "Name the tests that passed, too.")
    var verbose = false

    func run() throws {
        let compiled = try DefinitionLoading.read(paths)
        let printer = DefinitionLoading.printer(STDOUT_FILENO)
        var passed = 0
        var failed = 0
        for file in compiled.files {
            guard let definition = file.definition else {
                Terminal.complain(
                    printer.text(of: file.problems, file: file.source.path, text: file.source.text)
                )
                failed += 1
                continue
            }
            let tests = file.source.reading.tests.filter { test in
                filter.map { test.name.text.contains($0) } ?? true
            }
            for outcome in DefinitionTestRunner(definition).run(tests) {
                if outcome.hasPassed { passed += 1 } else { failed += 1 }
                show(outcome, in: file.source, printer)
            }
        }
        Terminal.write(Array("\(passed) passed, \(failed) failed\n".utf8))
        if failed > 0 { throw ExitCode.badInput }
    }

    private func show(_ outcome: TestOutcome, in file: DefinitionFile, _ printer: DiagnosticPrinter) {
        if outcome.hasPassed && !verbose { return }
        let word = outcome.hasPassed ? "passed" : "FAILED"
        var text = "\(word)  \(file.path): \(outcome.name.text)\n"
        text += printer.text(of: outcome.problems, file: file.path, text: file.text)
        Terminal.write(Array(text.utf8))
    }
}
