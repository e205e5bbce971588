import ArgumentParser
import Glibc
import SkerryCommand
import SkerryFiles

/// `skerry test`: the tests inside definitions.
struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run the tests inside definitions, in virtual time.",
        discussion: """
            Every definition may have 'tests:' that send messages, let time pass and state what is expected. An hour's \
            wash takes a millisecond:

              tests:
                - name: the lamp goes out by itself
                  steps:
                    - send: { lamp/hall/state: on }
                    - wait: 10m
                    - expect: { state: dark, updates: 2 }

            A result that differs is shown with its place, beside the expected one, and with the events that led to \
            it. docs/testing.md has every key of a test.

              skerry test                             all definitions in devices/
              skerry test washer.yaml --watch         again whenever the file is saved
              skerry test --coverage                  what no test reaches
              skerry test --junit results.xml         for a CI system

            Exit status: 0 when all tests passed, 1 otherwise.
            """
    )

    @Argument(help: "Files or folders of definitions.", completion: .file(extensions: ["yaml", "yml"]))
    var paths: [String] = ["devices"]

    @Option(name: [.short, .long], help: "Run only tests whose names contain this text.")
    var filter: String?

    @Flag(name: [.short, .long], help: "List the tests that passed, too.")
    var verbose = false

    @Flag(help: "List the tests with their places, and run none.")
    var list = false

    @Flag(name: [.short, .long], help: "Run again when a file changes, until Ctrl-C.")
    var watch = false

    @Flag(help: "Show which states were entered and which transitions were taken.")
    var coverage = false

    @Option(
        help: ArgumentHelp(
            "Fail when a smaller percentage of states and transitions is reached; implies --coverage.",
            valueName: "percent"
        )
    )
    var requireCoverage: Double?

    @Option(
        help: ArgumentHelp("Write the results as JUnit XML; '-' is standard output.", valueName: "file"),
        completion: .file(extensions: ["xml"])
    )
    var junit: String?

    mutating func validate() throws {
        if let requireCoverage, !(0...100).contains(requireCoverage) {
            throw ValidationError("--require-coverage takes a percentage, from 0 to 100")
        }
    }

    func run() throws {
        if watch {
            try runForEver()
        } else if list {
            show(TestListing.text(of: try DefinitionLoading.read(paths), filter: filter))
        } else {
            guard try runOnce(try DefinitionLoading.read(paths)) else { throw ExitCode.badInput }
        }
    }

    /// Runs all tests and shows their results.
    ///
    /// - Returns: whether all tests passed.
    private func runOnce(_ compiled: CompiledFiles) throws -> Bool {
        // With the report on standard output, everything else makes room for it.
        let printer = DefinitionLoading.printer(junit == "-" ? STDERR_FILENO : STDOUT_FILENO)
        var results = TestResults(printer: printer, namesPassed: verbose)
        for file in compiled.files {
            // Otherwise the tests that a compiled file lacks would all have passed.
            try DefinitionLoading.demandText(of: file)
            results.add(file, filter: filter)
        }
        if let junit { try write(results.report.text, to: junit) }
        show(results.text)
        if coverage || requireCoverage != nil { show(results.coverage.text) }
        show(results.summary)
        if let requireCoverage, results.coverage.total.percent < requireCoverage {
            let (reached, required) = (results.coverage.total.percent, requireCoverage)
            Terminal.complain(
                "skerry: the tests reach \(reached.inPercent) of states and transitions,"
                    + " \(required.inPercent) is required\n"
            )
            return false
        }
        if let filter, results.passed + results.failed == 0 {
            Terminal.complain("skerry: no test has '\(filter)' in its name\n")
            return false
        }
        return results.failed == 0
    }

    private func runForEver() throws {
        do throws(FileError) {
            let folders = try FolderWatch()
            var last: [String: String]?
            // A path that is missing at the start is a mistake.
            for path in paths where access(path, F_OK) != 0 {
                throw FileError(path: path, reason: String(cString: strerror(errno)))
            }
            while true {
                try folders.follow(paths)
                if let compiled = try? DefinitionLoading.read(paths) {
                    let texts = compiled.texts
                    if texts != last {
                        if Terminal.outputIsTerminal { Terminal.clear() }
                        _ = try? runOnce(compiled)
                        Terminal.complain("waiting for a change; Ctrl-C ends\n")
                    }
                    last = texts
                } else {
                    // The results come again below the error, also when the files are those of before.
                    last = nil
                }
                while try !folders.wait() {}
            }
        } catch {
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
    }

    private func show(_ text: String) {
        if junit == "-" { Terminal.complain(text) } else { Terminal.write(Array(text.utf8)) }
    }

    private func write(_ report: String, to path: String) throws {
        if path == "-" {
            Terminal.write(Array(report.utf8))
            return
        }
        do throws(FileError) {
            try NewFile.write(report, to: path, overwriting: true)
        } catch {
            Terminal.complain("skerry: can't write \(error)\n")
            throw ExitCode.badInput
        }
    }
}

extension Double {
    /// A percentage, rounded down, so that 100 % is all there is.
    fileprivate var inPercent: String {
        let tenths = (self * 10).rounded(.down) / 10
        return tenths == tenths.rounded() ? "\(Int(tenths)) %" : "\(tenths) %"
    }
}
