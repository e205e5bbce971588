import ArgumentParser
import SkerryCommand
import SkerryDevice
import SkerryFiles
import SkerryGenerate

/// `skerry generate`: what others need to know of a definition, as code.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write an app's part of a definition.",
        subcommands: [GenerateSwiftCommand.self]
    )
}

/// `skerry generate swift`: the iOS side.
struct GenerateSwiftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift",
        abstract: "Write the Live Activities of definitions in Swift, for iOS 17.2 and later.",
        discussion: """
            Writes three files for each kind:
              …Attributes.swift     what ActivityKit decodes; for the app and its widget extension
              …LiveActivity.swift   the Lock Screen and the Dynamic Island; for the extension
              …Timeline.swift       the known future for widgets; for the extension
            and six for the app, which report its tokens to the gateway:
              SkerryApp.swift       starts the reporter, sends in the background, uses the keychain
              SkerryCourier.swift   sends one report after the other
              SkerryKinds.swift     the kinds that are reported: name all kinds of the app in one command
              SkerryPairing.swift   pairs the phone with the gateway
              SkerryReporter.swift  follows the activities
              SkerryReports.swift   reports, answers to them, and their queue

              skerry generate swift washer printer-bambu --out App/Generated
              skerry generate swift washer --definitions devices/washer.yaml --out App/Generated

            The files depend on the definition alone. Generate them again when it changes; files that would stay the \
            same are not written. docs/phones.md shows the way from here to an app.
            """
    )

    @Argument(help: "The kinds of the definitions: all that the app shows.")
    var kinds: [String]

    @Option(
        name: .customLong("out"),
        help: "The folder to write to; it is created if needed.",
        completion: .directory
    )
    var folder: String

    @Option(
        name: [.short, .long],
        help: "Files or folders of definitions; may be given several times. (default: devices)",
        completion: .file(extensions: ["yaml", "yml", "skd"])
    )
    var definitions: [String] = []

    func run() throws {
        let loaded = try DefinitionLoading.load(definitions.isEmpty ? ["devices"] : definitions)
        let chosen = try kinds.map { kind in
            guard let definition = loaded.first(where: { $0.kind == kind }) else {
                let known = loaded.map { $0.kind }.joined(separator: ", ")
                throw ValidationError("there is no kind '\(kind)'; there are: \(known)")
            }
            return definition
        }
        var files: [AppSources.File] = []
        do throws(AppSources.Fault) {
            for definition in chosen { files += try AppSources(definition).files }
            files += try ReporterSources(chosen).files
        } catch {
            Terminal.complain("skerry: \(error.message)\n")
            throw ExitCode.badInput
        }
        do throws(FileError) {
            try Folder.make(folder)
            for file in files {
                let path = folder + (folder.hasSuffix("/") ? "" : "/") + file.name
                let outcome = try GeneratedFile.write(file.text, to: path, mark: AppSources.mark)
                Terminal.write(Array("\(path): \(outcome == .written ? "written" : "unchanged")\n".utf8))
            }
        } catch {
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
    }
}
