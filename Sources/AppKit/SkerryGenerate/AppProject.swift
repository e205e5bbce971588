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
    /// The most kinds of one app, because a bundle of WidgetKit lists at most ten parts: ten bundles of five kinds, with
    /// two widgets each.
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
        let shared = [
            "SkerryEventIntent.swift", "SkerryGateway.swift", "SkerryKeychain.swift", "SkerryPairing.swift",
        ]
        let widgets = ["SkerryButtons.swift", "SkerryControl.swift", "SkerryWidgetPushes.swift"]
        let reporter = try ReporterSources(definitions).files
        for file in reporter {
            let part =
                shared.contains(file.name) ? "Shared" : widgets.contains(file.name) ? "Widgets" : "App"
            generated.append(file.within("\(part)/Generated"))
        }
        let embedded = EmbeddedSources.files(in: "app")
        try KindNames(kinds: definitions.map(\.kind).sorted(), endings: ["Widget"]).check(against: embedded)
        let kinds = definitions.sorted { $0.kind < $1.kind }.map { ProjectKind($0) }
        let written = [
            ("Shared/Generated/SkerryCard.swift", CardSource(kinds: kinds).lines),
            (
                "Widgets/Generated/SkerryWidgets.swift",
                WidgetsSource(kinds: kinds, hasControl: reporter.contains { $0.name == widgets[1] }).lines
            ),
        ]
        generated += written.map { path, lines in
            AppSources.File(name: path, text: lines.joined(separator: "\n") + "\n")
        }
        self.generated = generated.sorted { $0.name < $1.name }
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
}

extension AppSources.File {
    /// The file in a folder.
    fileprivate func within(_ folder: String) -> Self { Self(name: "\(folder)/\(name)", text: text) }
}

/// A kind, as the files that name all kinds write it.
private struct ProjectKind {
    /// The kind as a literal.
    let literal: String
    /// The beginning of the names of its types.
    let type: String
    /// The name of the definition as a literal.
    let name: String

    init(_ definition: Definition) {
        literal = SwiftName.literal(definition.kind)
        type = LiveActivityContract.typeName(ofKind: definition.kind)
        name = SwiftName.literal(definition.name)
    }
}

/// `SkerryCard.swift`: the cards and the islands of all kinds.
private struct CardSource {
    let kinds: [ProjectKind]

    @SourceLines var lines: [String] {
        """
        //
        // The cards and the islands of all kinds of this app.
        //
        // \(AppSources.mark) app` with these kinds. Generate it again instead of changing this file.
        //

        import SwiftUI

        /// An activity as the Lock Screen shows it; nothing for a kind that this app does not know.
        struct SkerryCard: View {
            /// The activity.
            let activity: SkerrySnapshot

            var body: some View {
        """
        choice("LockScreen", "isStale")
        """
            }
        }

        /// An activity as both sides of the small island show it; nothing for a kind that this app does not know.
        struct SkerryIsland: View {
            /// The activity.
            let activity: SkerrySnapshot

            var body: some View {
                sides
                    .frame(maxWidth: 250)
                    .background(.black, in: Capsule())
                    .environment(\\.colorScheme, .dark)
                    // The card says all of it.
                    .accessibilityHidden(true)
            }

            @ViewBuilder private var sides: some View {
        """
        choice("SmallCard", "isOutdated")
        """
            }
        }
        """
    }

    /// A view of the Live Activity of each kind, with the name of its last argument, which is false.
    @SourceLines private func choice(_ view: String, _ last: String) -> [String] {
        """
                switch activity.kind {
        """
        for kind in kinds {
            """
                    case \(kind.literal):
                        if let attributes = activity.decode(\(kind.type)Attributes.self),
                            let state = activity.decode(\(kind.type)Attributes.ContentState.self)
                        {
                            \(kind.type)LiveActivity.\(view)(
                                attributes: attributes,
                                state: state,
                                \(last): false
                            )
                        }
            """
        }
        """
                default: EmptyView()
                }
        """
    }
}

/// `SkerryWidgets.swift`: the bundle of the widget extension, and a widget for each kind.
private struct WidgetsSource {
    let kinds: [ProjectKind]
    /// True if there are buttons for a control.
    let hasControl: Bool

    /// A bundle lists at most ten widgets, and there are two of each kind.
    private static let kindsOfBundle = 5

    private var bundles: [[ProjectKind]] {
        stride(from: 0, to: kinds.count, by: Self.kindsOfBundle).map {
            Array(kinds[$0..<min($0 + Self.kindsOfBundle, kinds.count)])
        }
    }

    @SourceLines var lines: [String] {
        """
        //
        // The widgets of all kinds of this app.
        //
        // \(AppSources.mark) app` with these kinds. Generate it again instead of changing this file.
        //

        import SwiftUI
        import WidgetKit

        """
        if hasControl { bundleWithControl }
        """
        /// All Live Activities and widgets.
        """
        if !hasControl { "@main" }
        "struct \(hasControl ? "SkerryKindWidgets" : "SkerryWidgets"): WidgetBundle {"
        if bundles.count < 2 {
            """
                var body: some Widget {
            """
            for kind in kinds { use(kind) }
            """
                }
            """
        } else {
            """
                @WidgetBundleBuilder var body: some Widget {
            """
            for number in bundles.indices {
                """
                        SkerryWidgets\(number + 1)().body
                """
            }
            """
                }
            """
        }
        "}"
        if bundles.count > 1 {
            for (number, kinds) in bundles.enumerated() {
                """

                /// A part of them: a bundle can list ten.
                struct SkerryWidgets\(number + 1): WidgetBundle {
                    var body: some Widget {
                """
                for kind in kinds { use(kind) }
                """
                    }
                }
                """
            }
        }
        for kind in kinds { widget(kind) }
        loading
    }

    @SourceLines private var bundleWithControl: [String] {
        """
        /// All widgets and the control.
        @main
        struct SkerryWidgets: WidgetBundle {
            @WidgetBundleBuilder var body: some Widget {
                SkerryKindWidgets().body
                if #available(iOS 18.0, *) {
                    SkerryControl()
                }
            }
        }

        """
    }

    @SourceLines private func use(_ kind: ProjectKind) -> [String] {
        """
                \(kind.type)LiveActivity()
                \(kind.type)Widget()
        """
    }

    @SourceLines private func widget(_ kind: ProjectKind) -> [String] {
        """

        /// The card of the device of the kind \(kind.literal) that changed last, on the Home Screen and the Lock Screen.
        struct \(kind.type)Widget: Widget {
            var body: some WidgetConfiguration {
                StaticConfiguration(
                    kind: \(kind.literal),
                    provider: \(kind.type)TimelineProvider(load: Self.load)
                ) { entry in
                    Group {
                        if let attributes = entry.attributes, let state = entry.state {
                            \(kind.type)LiveActivity.WidgetCard(attributes: attributes, state: state)
                        } else {
                            IdleWidget(isKnown: entry.isKnown)
                        }
                    }
                    .containerBackground(.background, for: .widget)
                }
                .configurationDisplayName(Text(verbatim: \(kind.name)))
                .supportedFamilies([
                    .systemSmall, .systemMedium, .accessoryCircular, .accessoryRectangular, .accessoryInline,
                ])
                .contentMarginsDisabled()
                .skerryPushes()
            }

            @Sendable private nonisolated static func load() async -> \(kind.type)Timeline? {
                guard let found = await newest(of: \(kind.literal)) else { return nil }
                guard let activity = found.activity else { return \(kind.type)Timeline() }
                var timeline = try? await found.gateway.timeline(
                    \(kind.type)Timeline.self,
                    of: activity
                )
                timeline?.attributes = activity.decode(\(kind.type)Attributes.self)
                return timeline
            }
        }
        """
    }

    @SourceLines private var loading: [String] {
        """

        /// The gateway, and the activity of a kind that changed last; nil if the gateway does not answer.
        private nonisolated func newest(
            of kind: String
        ) async -> (gateway: SkerryGateway, activity: SkerrySnapshot?)? {
            guard let pairing = SkerryKeychain.pairing() else { return nil }
            let gateway = SkerryGateway(pairing: pairing)
            guard let activities = try? await gateway.activities() else { return nil }
            return (gateway, activities.filter { $0.kind == kind }.max { $0.changed < $1.changed })
        }
        """
    }
}
