import ArgumentParser
import SkerryCommand
import SkerryDevice
import SkerryFiles

/// `skerry explain-code`: explains the code of a problem.
struct ExplainCodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain-code",
        abstract: "Explain the codes of problems, such as SK0101, with examples.",
        discussion: """
            'skerry check' prints a code with every problem. This explains the code, with an example that has the \
            problem and one that does not. Exit status: 0, or 1 when there is no such code.
            """
    )

    @Argument(help: "Codes: SK0101, or 101.")
    var codes: [String] = []

    @Flag(help: "Explain all codes.")
    var all = false

    @Flag(help: "Write the page docs/problems.md, which has all codes.")
    var markdown = false

    func validate() throws {
        if codes.isEmpty && !all && !markdown { throw ValidationError("name a code, or use --all") }
    }

    func run() throws {
        if markdown {
            Terminal.write(Array(ProblemCatalogue.markdown.utf8))
            return
        }
        var texts = all ? ProblemCatalogue.entries.map(\.text) : []
        var isMissing = false
        for code in codes {
            if let entry = ProblemCatalogue.entry(code) {
                texts.append(entry.text)
            } else {
                isMissing = true
                let near = ProblemCatalogue.near(code).map { "  \($0.code.name)  \($0.title)\n" }
                Terminal.complain("skerry: there is no code '\(code)'; there are:\n\(near.joined())")
            }
        }
        Terminal.write(Array(texts.joined(separator: "\n").utf8))
        if isMissing { throw ExitCode.badInput }
    }
}
