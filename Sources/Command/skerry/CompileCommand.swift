import ArgumentParser
import SkerryCommand
import SkerryDevice
import SkerryFiles

/// `skerry compile`: a definition for devices that can't compile.
struct CompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Compile a definition into a small file that runs without its compiler.",
        discussion: """
            Writes names, machine, compiled expressions and layout in a binary form that is the same on every platform, \
            with a version and a checksum. The runtime of Skerry reads it without the compiler of definitions, in \
            WebAssembly for instance (docs/embedded.md). All commands that take a definition take the compiled one, \
            and do the same with it; only its text and its tests are not in it:
              skerry compile devices/washer.yaml -o washer.skd
              skerry replay day.jsonl -d washer.skd

            A file that is there is replaced. After an update of Skerry, compile again: a runtime reads one version of \
            the format, and says so of others.

            Exit status: 0, 1 when the definition has errors or the file can't be written.
            """
    )

    @Argument(help: "The definition.", completion: .file(extensions: ["yaml", "yml"]))
    var path: String

    @Option(
        name: [.short, .long],
        help: "The file to write, usually NAME.skd.",
        completion: .file(extensions: ["skd"])
    )
    var out: String

    @Option(
        help:
            "The language of texts that are written in several. (default: the first one of each definition)",
        transform: TextLanguage.init(argument:)
    )
    var language: TextLanguage?

    func run() throws {
        let definitions = try DefinitionLoading.load([path], in: language)
        guard definitions.count == 1 else {
            throw ValidationError("\(path) has several definitions; name the file of one")
        }
        let bytes: [UInt8]
        // The limits are those of the reader: what it refuses is not written.
        do throws(CompiledFault) {
            bytes = try definitions[0].compiled()
            _ = try Definition.read(compiled: bytes[...])
        } catch {
            Terminal.complain("skerry: \(path) is too large to be compiled: \(error.message)\n")
            throw ExitCode.badInput
        }
        do throws(FileError) {
            try NewFile.write(bytes, to: out, overwriting: true)
        } catch {
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
    }
}
