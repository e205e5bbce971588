import ArgumentParser
import SkerryActivity
import SkerryCommand
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGenerate
import Synchronization

/// `skerry generate`: what others need to know of a definition, as code.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write an app's part of a definition, or an app.",
        subcommands: [GenerateAppCommand.self, GenerateSwiftCommand.self]
    )
}

/// The definitions for which code is generated.
struct GeneratedKinds: ParsableArguments {
    @Argument(help: "The kinds of the definitions: all that the app shows.")
    var kinds: [String]

    @Option(
        name: [.short, .long],
        help: "Files or folders of definitions; may be given several times. (default: devices)",
        completion: .file(extensions: ["yaml", "yml", "skd"])
    )
    var definitions: [String] = []

    @Option(
        help:
            "The language of texts that are written in several. (default: the first one of each definition)",
        transform: Settings.language
    )
    var language: TextLanguage?

    /// The definitions of the kinds, each once, and the revisions that their tests publish.
    func chosen() throws -> (definitions: [Definition], revisions: [String: [ActivityUpdate]]) {
        let paths = definitions.isEmpty ? ["devices"] : definitions
        let files = try DefinitionLoading.loadFiles(paths, in: language)
        let loaded = files.definitions
        var chosen: [Definition] = []
        var revisions: [String: [ActivityUpdate]] = [:]
        for kind in kinds where !chosen.contains(where: { $0.kind == kind }) {
            guard let definition = loaded.first(where: { $0.kind == kind }) else {
                let known = loaded.map { $0.kind }.joined(separator: ", ")
                throw ValidationError("there is no kind '\(kind)'; there are: \(known)")
            }
            chosen.append(definition)
            let tests = files.files.first { $0.definition?.kind == kind }?.source.reading.tests ?? []
            let published = Mutex<[ActivityUpdate]>([])
            let runner = DefinitionTestRunner(definition) { effect in
                if case .update(let update) = effect.what { published.withLock { $0.append(update) } }
                return []
            }
            _ = runner.run(tests)
            revisions[kind] = published.withLock { $0 }
        }
        return (chosen, revisions)
    }
}

/// `skerry generate swift`: the iOS side.
struct GenerateSwiftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift",
        abstract: "Write the Live Activities of definitions in Swift, for an app of your own.",
        discussion: """
            Writes up to four files for each kind:
              …Attributes.swift     what ActivityKit decodes; for the app and its widget extension
              …LiveActivity.swift   the Lock Screen and the Dynamic Island; for the extension
              …Timeline.swift       the known future for widgets; for the extension
              …Previews.swift       previews in states of the definition's tests; for the extension
            and nine for the app, which report its tokens to the gateway:
              SkerryApp.swift       starts the reporter, and sends in the background
              SkerryCourier.swift   sends one report after the other
              SkerryFollower.swift  follows the activities of a kind
              SkerryGateway.swift   asks the gateway for activities, timelines and past runs
              SkerryKeychain.swift  stores the pairing
              SkerryKinds.swift     the kinds that are reported: name all kinds of the app in one command
              SkerryPairing.swift   pairs the phone with the gateway
              SkerryReporter.swift  reports the tokens and ends of all activities
              SkerryReports.swift   reports, answers to them, and their queue
            and one for the extension:
              SkerryWidgetPushes.swift   has widgets drawn again by pushes, from iOS 26 on
            With buttons in a definition there are three more, the first one for both:
              SkerryEventIntent.swift   sends a device an event
              SkerryControl.swift   a control for Control Center; for the extension
              SkerryButtons.swift   the buttons that it offers; for the extension

              skerry generate swift washer printer-bambu --out App/Generated
              skerry generate swift washer --definitions devices/washer.yaml --out App/Generated

            The files depend on the definition alone. Generate them again when it changes; files that would stay the \
            same are not written. docs/phones.md shows the way from here to an app. 'skerry generate app' writes a \
            whole one.
            """
    )

    @OptionGroup var chosen: GeneratedKinds

    @Option(
        name: .customLong("out"),
        help: "The folder to write to; it is created if needed.",
        completion: .directory
    )
    var folder: String

    func run() throws {
        let (definitions, revisions) = try chosen.chosen()
        try GeneratedFolder(path: folder).write { () throws(AppSources.Fault) in
            var files: [AppSources.File] = []
            for definition in definitions {
                files += try AppSources(definition, revisions: revisions[definition.kind] ?? []).files
            }
            return (files + (try ReporterSources(definitions).files), [])
        }
    }
}

/// `skerry generate app`: a whole app.
struct GenerateAppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Write an app for iPhone and iPad: an Xcode project that builds as it is.",
        discussion: """
            Writes a project for Xcode 16.3 or later: an app that is paired by QR code, reports its tokens, and shows \
            what is at work and what was; and a widget extension with the Live Activities and Home Screen widgets of \
            the kinds.

              skerry generate app Home washer printer-bambu --bundle-id org.example.home --team DEF123GHIJ
              open Home/Home.xcodeproj

            Files in folders named Generated belong to the definitions: run the command again when these change, or to \
            add a kind. All other files are yours; those that exist are left as they are.
            """
    )

    @Argument(help: "The name of the app: letters and digits, a letter first.")
    var name: String

    @OptionGroup var chosen: GeneratedKinds

    @Option(
        name: .customLong("out"),
        help: "The folder to write to; it is created if needed. (default: the name)",
        completion: .directory
    )
    var folder: String?

    @Option(
        name: .customLong("bundle-id"),
        help: "The identifier of the app at Apple. (default: org.example and the name)"
    )
    var bundleID: String?

    @Option(help: "Your team at Apple, ten characters; without it, choose it in Xcode.")
    var team = ""

    func validate() throws {
        func isPlain(_ text: some StringProtocol) -> Bool {
            text.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
            }
        }
        guard isPlain(name), name.first?.isLetter == true, name.count <= 50 else {
            throw ValidationError(
                "'\(name)' can't be the name of an app: use letters a to z and digits, a letter first"
            )
        }
        guard isPlain(team), team.isEmpty || team.count == 10 else {
            throw ValidationError(
                "'\(team)' is no team: it has ten letters and digits, as developer.apple.com shows it"
            )
        }
        let parts = (bundleID ?? "a.b").split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty && isPlain($0.filter { $0 != "-" }) }) else {
            throw ValidationError("'\(bundleID ?? "")' is no bundle identifier, such as org.example.home")
        }
    }

    func run() throws {
        let (definitions, revisions) = try chosen.chosen()
        let identifier = bundleID ?? "org.example.\(name.lowercased())"
        let folder = folder ?? name
        try GeneratedFolder(path: folder).write { () throws(AppSources.Fault) in
            let project = try AppProject(
                name: name,
                bundleID: identifier,
                team: team,
                definitions: definitions,
                revisions: revisions
            )
            return (project.generated, project.initial)
        }
        Terminal.write(
            Array(
                """

                Open \(folder)/\(name).xcodeproj in Xcode, \(team.isEmpty ? "choose your team, " : "")and run it on a phone.
                Give the gateway your key (docs/phones.md), with push.apns.bundle-id as in \(folder)/Settings.xcconfig.

                """.utf8
            )
        )
    }
}

/// The folder that code is written to.
private struct GeneratedFolder {
    let path: String

    /// Makes the files and writes them; the initial ones only where there is none.
    func write(
        _ make: () throws(AppSources.Fault) -> (generated: [AppSources.File], initial: [AppSources.File])
    ) throws {
        do {
            let files = try make()
            for file in files.generated { try write(file, mark: AppSources.mark) }
            for file in files.initial { try write(file, mark: nil) }
        } catch let fault as AppSources.Fault {
            Terminal.complain("skerry: \(fault.message)\n")
            throw ExitCode.badInput
        } catch {
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
    }

    private func write(_ file: AppSources.File, mark: String?) throws(FileError) {
        let target = path + (path.hasSuffix("/") ? "" : "/") + file.name
        try Folder.make(String(target[..<(target.lastIndex(of: "/") ?? target.endIndex)]))
        let outcome =
            switch try GeneratedFile.write(file.text, to: target, mark: mark) {
            case .written: "written"
            case .unchanged: "unchanged"
            case .kept: "yours, left as it is"
            }
        Terminal.write(Array("\(target): \(outcome)\n".utf8))
    }
}
