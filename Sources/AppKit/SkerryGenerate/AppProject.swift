package import SkerryActivity
package import SkerryDevice

/// The names by which Xcode and Apple know an app.
package struct AppIdentity: Sendable {
    /// The name of the project and of the app: letters and digits of ASCII, a letter first.
    let name: String
    /// The identifier of the app at Apple.
    let bundleID: String
    /// The team at Apple; empty if it is chosen in Xcode.
    let team: String

    /// Makes it of its parts.
    package init(name: String, bundleID: String, team: String) {
        (self.name, self.bundleID, self.team) = (name, bundleID, team)
    }
}

/// An Xcode project for iOS: an app and its widget extension, for the kinds of some definitions.
///
/// The project names folders and not files, as projects of Xcode 16 do (`PBXFileSystemSynchronizedRootGroup`). So it
/// stays as it is when kinds are added.
package struct AppProject: Sendable {
    /// The most kinds of one app: a report to the gateway names at most 64.
    package static let kindLimit = 50

    /// The files that belong to the definitions, and are written again when these change; each with its path.
    package let generated: [AppSources.File]
    /// The files that belong to the maker of the app, and are written only where there is none.
    package let initial: [AppSources.File]

    /// Writes the files of a project; equal definitions give equal files.
    ///
    /// - Parameters:
    ///   - app: The names of the app.
    ///   - definitions: The definitions, each of another kind.
    ///   - revisions: What their tests publish, by kinds, from which previews are made.
    /// - Throws: ``AppSources/Fault`` if a definition has no activity, a name of its types is another's, or there are
    ///   too many.
    package init(
        _ app: AppIdentity,
        definitions: [Definition],
        revisions: [String: [ActivityUpdate]] = [:]
    ) throws(AppSources.Fault) {
        guard definitions.count <= Self.kindLimit else { throw .tooManyKinds }
        var generated: [AppSources.File] = []
        for definition in definitions {
            let sources = try AppSources(definition, revisions: revisions[definition.kind] ?? [])
            generated += sources.files.map { $0.within("Shared/Generated") }
        }
        let reporter = try ReporterSources(definitions, revisions: revisions).files
        for file in reporter { generated.append(file.within("\(Self.part(of: file))/Generated")) }
        let bundle = BundleSource(
            types: definitions.map(\.kind).sorted().map { LiveActivityContract.typeName(ofKind: $0) },
            hasControl: reporter.contains { $0.name == "SkerryControl.swift" }
        )
        generated.append(
            AppSources.File(
                name: "Widgets/Generated/SkerryWidgets.swift",
                text: bundle.lines.joined(separator: "\n") + "\n"
            )
        )
        self.generated = generated.sorted { $0.name < $1.name }
        let embedded = EmbeddedSources.files(in: "app")
        initial = embedded.map { file in
            var text = file.text
            for (placeholder, value) in [("NAME", app.name), ("BUNDLE_ID", app.bundleID), ("TEAM", app.team)]
            {
                text = text.split(separator: "__\(placeholder)__", omittingEmptySubsequences: false)
                    .joined(separator: value)
            }
            let isProject = file.name == "project.pbxproj"
            return AppSources.File(
                name: isProject ? "\(app.name).xcodeproj/project.pbxproj" : file.name,
                text: text
            )
        }
    }

    /// The folder whose target compiles a file of the reporter: `Shared` is compiled by both.
    private static func part(of file: AppSources.File) -> String {
        switch file.name {
        case "SkerryButtons.swift", "SkerryControl.swift", "SkerryDeviceWidget.swift",
            "SkerryWidgetPushes.swift":
            "Widgets"
        case "SkerryCard.swift", "SkerryChosenDevice.swift", "SkerryEventIntent.swift",
            "SkerryGateway.swift", "SkerryKeychain.swift", "SkerryPairing.swift", "SkerryTimeline.swift":
            "Shared"
        default: "App"
        }
    }
}

extension AppSources.File {
    /// The file in a folder.
    fileprivate func within(_ folder: String) -> Self { Self(name: "\(folder)/\(name)", text: text) }
}

/// `SkerryWidgets.swift`: the bundle of the widget extension.
private struct BundleSource {
    /// The beginnings of the names of the kinds' types.
    let types: [String]
    /// True if there are buttons for a control.
    let hasControl: Bool

    /// The most parts that a bundle of WidgetKit lists.
    private static let partLimit = 10

    @SourceLines var lines: [String] {
        let bundles = stride(from: 0, to: types.count, by: Self.partLimit).map {
            types[$0..<min($0 + Self.partLimit, types.count)]
        }
        """
        //
        // The widget and the Live Activities of this app.
        //
        // \(AppSources.mark) app` with these kinds. Generate it again instead of changing this file.
        //

        import SwiftUI
        import WidgetKit

        /// The widget, the Live Activities\(hasControl ? " and the control" : "").
        @main
        struct SkerryWidgets: WidgetBundle {
            @WidgetBundleBuilder var body: some Widget {
                SkerryDeviceWidget()
        """
        for number in bundles.indices {
            """
                    SkerryActivities\(number + 1)().body
            """
        }
        if hasControl {
            """
                    if #available(iOS 18.0, *) {
                        SkerryControl()
                    }
            """
        }
        """
            }
        }
        """
        for (number, types) in bundles.enumerated() {
            """

            /// Live Activities: a bundle lists ten.
            struct SkerryActivities\(number + 1): WidgetBundle {
                var body: some Widget {
            """
            for type in types {
                """
                        \(type)LiveActivity()
                """
            }
            """
                }
            }
            """
        }
    }
}
