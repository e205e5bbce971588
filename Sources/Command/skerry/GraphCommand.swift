public import ArgumentParser
import Glibc
import SkerryCommand
import SkerryDevice
public import SkerryFiles

/// `skerry graph`: pictures of a machine.
struct GraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Draw the machine of a definition: Mermaid, DOT or SCXML.",
        discussion: """
            Prints text for other programs to draw. Mermaid can be pasted into Markdown, where GitHub draws it; DOT is \
            for Graphviz; SCXML is for editors and interpreters of statecharts:
              skerry graph devices/washer.yaml
              skerry graph devices/washer.yaml --format dot | dot -Tsvg > washer.svg
              skerry graph devices --kind sprinkler --format scxml > sprinkler.scxml

            Arrows are labelled with their trigger: an event, 'after 15m', a guard, 'power < 5 for 3m', 'quiet 10m'. \
            In SCXML, guards are CEL, and what SCXML cannot express is in a namespace of its own or left out: standard \
            error and a comment at the top list it.

            Exit status: 0, 1 when the definition has errors or can't be read, 64 when there is no such kind in it, or several \
            and none is named.
            """
    )

    @Argument(help: "A file or folder of definitions.", completion: .file(extensions: ["yaml", "yml"]))
    var path: String

    @Option(help: "What to print: mermaid, dot or scxml.")
    var format: DefinitionGraph.Format = .mermaid

    @Option(help: "The kind to draw, when there are several definitions.")
    var kind: String?

    func run() throws {
        let compiled = try DefinitionLoading.read([path])
        let files = compiled.files.filter { file in
            kind.map { file.kind == $0 } ?? true
        }
        let kinds = compiled.files.compactMap { $0.kind }.joined(separator: ", ")
        guard let file = files.first else {
            throw ValidationError("there is no kind '\(kind ?? "")' in \(path); there are: \(kinds)")
        }
        guard files.count == 1 else {
            throw ValidationError("\(path) has several definitions; choose one with --kind: \(kinds)")
        }
        try DefinitionLoading.demandText(of: file)
        let problems = file.problems.filter { $0.severity == .error }
        guard problems.isEmpty, let draft = file.draft else {
            let printer = DefinitionLoading.printer(STDERR_FILENO)
            Terminal.complain(printer.text(of: problems, in: file.source))
            throw ExitCode.badInput
        }
        for loss in DefinitionGraph.losses(of: draft, as: format) {
            Terminal.complain("\(file.source.path): not all of it is SCXML: \(loss)\n")
        }
        Terminal.write(Array(DefinitionGraph.text(of: draft, as: format).utf8))
    }
}

extension DefinitionGraph.Format: ExpressibleByArgument {}
