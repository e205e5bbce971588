import ArgumentParser
import Glibc
import SkerryCommand
import SkerryDevice
import SkerryFiles
import SkerryHouse
import SkerryValues

/// `skerry describe`: a page about a definition.
struct DescribeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe",
        abstract: "Print a page about a definition, in Markdown.",
        discussion: """
            The page tells what the definition reads, its machine as a diagram, what people see and where, and how \
            many updates the lives in its tests take:
              skerry describe devices/washer.yaml > washer.md
              skerry describe devices --list          a table of all definitions
              skerry describe devices --json > definitions.jsonl

            Exit status: 0, 1 when a definition has errors or can't be read.
            """
    )

    @Argument(help: "A file or folder of definitions.", completion: .file(extensions: ["yaml", "yml"]))
    var path: String

    @Flag(help: "Print one table of all definitions, whose rows link to devices/KIND.md.")
    var list = false

    @Flag(help: "Print each definition as a line of JSON, as GET /v1/definitions/KIND has it.")
    var json = false

    func validate() throws {
        if list && json { throw ValidationError("choose either --list or --json") }
    }

    func run() throws {
        var compiled = try DefinitionLoading.read([path])
        if json { return try printJSON(of: compiled.files) }
        compiled.checkTests()
        var pages: [(kind: String, page: DefinitionPage)] = []
        for file in compiled.files {
            try DefinitionLoading.demandText(of: file)
            guard let definition = file.definition,
                let page = DefinitionPage(
                    file,
                    tests: DefinitionTestRunner(definition).run(file.source.reading.tests)
                )
            else { throw refusal(of: file) }
            pages.append((definition.kind, page))
        }
        let text =
            list
            ? DefinitionPage.tableHead + pages.map { $0.page.row(link: "devices/\($0.kind).md") }.joined()
            : pages.map(\.page.text).joined(separator: "\n")
        Terminal.write(Array(text.utf8))
    }

    private func printJSON(of files: [CompiledFiles.File]) throws {
        for file in files {
            try DefinitionLoading.demandText(of: file)
            guard let description = DefinitionDescription(file) else { throw refusal(of: file) }
            var writer = JSONWriter(capacity: 8192)
            // A path of this machine says nothing to another.
            description.write(to: &writer, file: nil)
            Terminal.write(writer.bytes + [UInt8(ascii: "\n")])
        }
    }

    /// Prints the problems of a file that can't be described; the error that ends the command.
    private func refusal(of file: CompiledFiles.File) -> ExitCode {
        Terminal.complain(DefinitionLoading.printer(STDERR_FILENO).text(of: file.problems, in: file.source))
        return .badInput
    }
}
