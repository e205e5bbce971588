package import ArgumentParser
package import SkerryFiles

/// `skerry generate`: what others need to know of a definition, as code.
package struct GenerateCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "generate",
        _superCommandName: "skerry",
        abstract: "Write an app's part of a definition, or an app.",
        subcommands: [GenerateAppCommand.self, GenerateSwiftCommand.self]
    )

    static let program = "skerry-generate"

    package init() {}
}

/// The definitions for which code is generated.
package struct GeneratedKinds: ParsableArguments {
    @Argument(help: "The kinds of the definitions: all that the app shows.")
    package var kinds: [String]

    @Option(
        name: [.short, .long],
        help: "Files or folders of definitions; may be given several times. (default: devices)",
        completion: .file(extensions: ["yaml", "yml", "skd"])
    )
    package var definitions: [String] = []

    @Option(
        help:
            "The language of texts that are written in several. (default: the first one of each definition)",
        transform: TextLanguage.init(argument:)
    )
    package var language: TextLanguage?

    package init() {}
}

/// `skerry generate swift`: the iOS side.
package struct GenerateSwiftCommand: ProgramCommand {
    package static let program = GenerateCommand.program

    package static let configuration = CommandConfiguration(
        commandName: "swift",
        abstract: "Write the Live Activities of definitions in Swift, for an app of your own.",
        discussion: """
            Writes up to three files for each kind, for the app and its widget extension:
              …Attributes.swift     what ActivityKit decodes
              …LiveActivity.swift   the card: Lock Screen, Dynamic Island, widget
              …Previews.swift       states for previews, from the definition's tests
            and six for all kinds, for both:
              SkerryCard.swift      the cards of all kinds
              SkerryChosenDevice.swift   the device of a widget or of a question to Siri
              SkerryGateway.swift   asks the gateway for activities, timelines and past runs
              SkerryKeychain.swift  stores the pairing
              SkerryPairing.swift   pairs the phone with the gateway
              SkerryTimeline.swift  the known future
            and six for the app, which report its tokens to the gateway:
              SkerryApp.swift       starts the reporter, and sends in the background
              SkerryCourier.swift   sends one report after the other
              SkerryFollower.swift  follows the activities of a kind
              SkerryKinds.swift     the kinds that are reported
              SkerryReporter.swift  reports the tokens and ends of all activities
              SkerryReports.swift   reports, answers to them, and their queue
            and two for the extension:
              SkerryDeviceWidget.swift   a widget for the Home Screen and the Lock Screen
              SkerryWidgetPushes.swift   has widgets drawn again by pushes, from iOS 26 on
            With buttons in a definition there are three more, the first one for both:
              SkerryEventIntent.swift   sends a device an event
              SkerryControl.swift   a control for Control Center; for the extension
              SkerryButtons.swift   the buttons that it offers; for the extension

              skerry generate swift washer printer-bambu --out App/Generated
              skerry generate swift washer -d devices/washer.yaml --out App/Generated

            Name all kinds of the app in one command. The files depend on the definitions alone. Generate them again \
            when these change; files that would stay the same are not written. docs/phones.md shows the way from \
            here to an app. 'skerry generate app' writes a whole one.

            Exit status: 0, 1 when a definition has errors or a file can't be read or written, 64 for wrong arguments.
            """
    )

    @OptionGroup package var chosen: GeneratedKinds

    @Option(
        name: .customLong("out"),
        help: "The folder to write to; it is created if needed.",
        completion: .directory
    )
    package var folder: String

    package init() {}
}

/// `skerry generate app`: a whole app.
package struct GenerateAppCommand: ProgramCommand {
    package static let program = GenerateCommand.program

    package static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Write an app for iPhone and iPad: an Xcode project that builds as it is.",
        discussion: """
            Writes a project for Xcode 16.3 or later: an app that is paired by QR code, reports its tokens, and shows \
            what is at work and what was; and a widget extension with the Live Activities of the kinds, and a \
            widget whose device a person chooses.

              skerry generate app Home washer --bundle-id org.example.home --team DEF123GHIJ
              open Home/Home.xcodeproj

            Files in folders named Generated belong to the definitions: run the command again when these change, or to \
            add a kind. All other files are yours; those that exist are left as they are.

            Exit status: 0, 1 when a definition has errors or a file can't be read or written, 64 for wrong arguments.
            """
    )

    @Argument(help: "The name of the app: letters and digits, a letter first.")
    package var name: String

    @OptionGroup package var chosen: GeneratedKinds

    @Option(
        name: .customLong("out"),
        help: "The folder to write to; it is created if needed. (default: the name)",
        completion: .directory
    )
    package var folder: String?

    @Option(
        name: .customLong("bundle-id"),
        help: "The identifier of the app at Apple. (default: org.example and the name)"
    )
    package var bundleID: String?

    @Option(help: "Your team at Apple, ten characters; without it, choose it in Xcode.")
    package var team = ""

    package init() {}

    package func validate() throws {
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
}
