import ArgumentParser
import Glibc
import SkerryDevice
import SkerryFiles

/// `skerry check`: tells everything that is wrong with definitions.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check definitions and show every problem with its place.",
        discussion: """
            Reads files and folders of definitions and prints all problems at once, each with file, line and column, \
            the line itself and what would be right. It looks into tests, too, without running them; 'skerry test' \
            does. 'skerry explain-code' tells more of a code. Exit status: 0 when there are no errors, 1 otherwise; with \
            --strict also for warnings.
            """
    )

    @Argument(help: "Files or folders of definitions.", completion: .file(extensions: ["yaml", "yml"]))
    var paths: [String] = ["devices"]

    @Flag(help: "Take warnings for errors.")
    var strict = false

    func run() throws {
        var compiled = try DefinitionLoading.read(paths)
        compiled.checkTests()
        Terminal.write(Array(compiled.report(DefinitionLoading.printer(STDOUT_FILENO)).utf8))
        let count = compiled.files.count
        let files = count == 1 ? "1 definition" : "\(count) definitions"
        let summary = DiagnosticPrinter.summary(of: compiled.problems) ?? "no problems"
        Terminal.write(Array("\(files): \(summary)\n".utf8))
        if Terminal.outputIsTerminal, let first = compiled.problems.first {
            Terminal.write(Array("skerry explain-code \(first.code.name) tells more\n".utf8))
        }
        if compiled.hasErrors || (strict && !compiled.problems.isEmpty) { throw ExitCode.badInput }
    }
}
