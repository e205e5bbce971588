import ArgumentParser
import Glibc
import SkerryCommand
import SkerryFiles
import SkerryImport

/// `skerry-import`, which `skerry import` runs: definitions from files of other systems.
@main
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skerry import",
        abstract: "Make a definition of a machine that was written for another system.",
        discussion: """
            Writes a definition as YAML that passes `skerry check`. What Skerry's language cannot express is reported \
            on standard error, with file, line and column, and a comment in the YAML marks where something is left to \
            do.
            """,
        subcommands: [ImportSCXMLCommand.self, ImportIoTEventsCommand.self]
    )

    static func main() {
        Terminal.openStandardStreams()
        main(nil)
    }
}

/// The options of all formats: the file, the kind of device, the output.
struct ImportOptions: ParsableArguments {
    @Argument(help: "The file to import.", completion: .file())
    var file: String

    @Option(
        help: "The kind of device. Default: the name of the machine in the file, else the name of the file."
    )
    var kind: String?

    @Option(
        help: "The file to write; an existing file is not overwritten. Default: standard output.",
        completion: .file()
    )
    var out: String?

    /// Reads and imports the file, prints the problems and writes the definition.
    ///
    /// - Throws: An exit code when the file can't be read or has another format.
    func run(_ convert: (String) -> ImportedDefinition) throws {
        let text: String
        do throws(FileError) {
            text = try FileBytes.text(file, limit: DefinitionReader.fileSizeLimit)
        } catch {
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
        let imported = convert(text)
        let printer = DefinitionLoading.printer(STDERR_FILENO)
        Terminal.complain(printer.text(of: imported.problems, file: file, text: text))
        guard let yaml = imported.yaml else { throw ExitCode.badInput }
        guard let out else {
            Terminal.write(Array(yaml.utf8))
            return
        }
        do throws(FileError) {
            try NewFile.write(yaml, to: out)
        } catch {
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
    }
}

/// `skerry import scxml`: definitions from W3C SCXML.
struct ImportSCXMLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scxml",
        abstract: "Import a statechart in SCXML (W3C).",
        discussion: """
            States, parallel and history states, transitions, data, assign, raise, send, cancel and `if` become the \
            machine, and conditions in ECMAScript become CEL:
              cond="In('door') && rounds % 2 === 0"    guard: inState("door") && context.rounds % 2 == 0
            A delayed event that only its own state reacts to becomes `after`. Scripts, foreach, invoke and the data \
            of sent events cannot be expressed and are reported. Events come from a source whose topic is a \
            placeholder for you to replace.

            Exit status: 0 when a definition was written, even if something was left out; 1 when the file is not \
            SCXML.
              skerry import scxml light.scxml --kind light --out devices/light.yaml
            """
    )

    @OptionGroup var options: ImportOptions

    func run() throws {
        try options.run { text in
            SCXMLTranslation.definition(from: text, kind: options.kind, file: options.file)
        }
    }
}
