import ArgumentParser
import Glibc
import SkerryCommand
import SkerryDevice
import SkerryFiles
import SkerryTesting

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
            """
    )

    @Argument(help: "A file or folder of definitions.", completion: .file(extensions: ["yaml", "yml"]))
    var path: String

    @Flag(help: "Print one table of all definitions, whose rows link to devices/KIND.md.")
    var list = false

    func run() throws {
        var compiled = try DefinitionLoading.read([path])
        compiled.checkTests()
        var pages: [(kind: String, page: DefinitionPage)] = []
        for file in compiled.files {
            try DefinitionLoading.demandText(of: file)
            guard let definition = file.definition,
                let page = DefinitionPage(
                    file,
                    tests: DefinitionTestRunner(definition).run(file.source.reading.tests)
                )
            else {
                Terminal.complain(
                    DefinitionLoading.printer(STDERR_FILENO).text(of: file.problems, in: file.source)
                )
                throw ExitCode.badInput
            }
            pages.append((definition.kind, page))
        }
        let text =
            list
            ? DefinitionPage.tableHead + pages.map { $0.page.row(link: "devices/\($0.kind).md") }.joined()
            : pages.map(\.page.text).joined(separator: "\n")
        Terminal.write(Array(text.utf8))
    }
}
