package import SkerryActivity
package import SkerryDevice

/// The Swift by which an app reports the tokens of its Live Activities: one reporter for all kinds of the app.
package struct ReporterSources: Sendable {
    /// The files, by their names.
    package let files: [AppSources.File]

    /// Writes the files for the definitions of one app; equal kinds give equal files.
    ///
    /// - Parameters:
    ///   - definitions: The definitions.
    ///   - revisions: What their tests publish, by kinds, from which samples of widgets are made.
    /// - Throws: ``AppSources/Fault`` if a definition has no activity, or a name of its types is another's.
    package init(
        _ definitions: [Definition],
        revisions: [String: [ActivityUpdate]] = [:]
    ) throws(AppSources.Fault) {
        var titles: [String: String] = [:]
        for definition in definitions {
            guard let contract = definition.contract else { throw .noActivity(kind: definition.kind) }
            titles[contract.kind] = definition.name
        }
        let embedded = EmbeddedSources.files(in: "reporter")
        let names = KindNames(
            kinds: titles.keys.sorted(),
            endings: ["Attributes", "LiveActivity"]
        )
        try names.check(against: embedded)
        var used = embedded
        used += [
            ("SkerryCard.swift", CardSource(titles: titles, revisions: revisions).lines),
            ("SkerryKinds.swift", KindsSource(kinds: titles.keys.sorted()).lines),
        ].map { name, lines in AppSources.File(name: name, text: lines.joined(separator: "\n") + "\n") }
        let buttons = ButtonsSource(definitions)
        if buttons.choices.isEmpty {
            used.removeAll { ["SkerryControl.swift", "SkerryEventIntent.swift"].contains($0.name) }
        } else {
            let text = buttons.lines.joined(separator: "\n") + "\n"
            used.append(AppSources.File(name: "SkerryButtons.swift", text: text))
        }
        files = used.sorted { $0.name < $1.name }
    }
}

/// `SkerryButtons.swift`: the buttons from which a person chooses those of controls.
private struct ButtonsSource {
    /// The buttons of all kinds, each with the kind and its symbol.
    let choices: [(kind: String, symbol: String, event: String, title: String)]

    init(_ definitions: [Definition]) {
        let layouts = Dictionary(definitions.map { ($0.kind, $0.island) }) { first, _ in first }
        choices = layouts.sorted { $0.key < $1.key }.flatMap { kind, layout in
            (layout?.buttons ?? []).compactMap { button in
                button.event.map { (kind, layout?.symbol ?? "", $0, button.title) }
            }
        }
    }

    /// The lines of the file.
    @SourceLines var lines: [String] {
        """
        //
        // The buttons of this app's kinds, for controls.
        //
        // \(AppSources.mark)` with these kinds. Generate it again instead of changing this file.
        //

        nonisolated extension SkerryButton {
            /// The buttons of all kinds.
            static let choices = [
        """
        for (kind, symbol, event, title) in choices {
            """
                    Choice(
                        kind: \(SwiftName.literal(kind)),
                        event: \(SwiftName.literal(event)),
                        title: \(SwiftName.literal(title)),
                        symbol: \(SwiftName.literal(symbol))
                    ),
            """
        }
        """
            ]
        }
        """
    }
}

/// `SkerryKinds.swift`: the kinds that the reporter follows.
private struct KindsSource {
    /// The kinds, each once, in the order of their names.
    let kinds: [String]

    /// The lines of the file.
    @SourceLines var lines: [String] {
        """
        //
        // The kinds of devices whose Live Activities this app reports to Skerry.
        //
        // \(AppSources.mark)` with these kinds. Generate it again instead of changing this file.
        //

        """
        for kind in kinds {
            """
            nonisolated extension \(Self.type(kind)): SkerryAttributes {
                static var skerryKind: String { \(SwiftName.literal(kind)) }
                static var skerryType: String { \(SwiftName.literal(Self.type(kind))) }
            }

            nonisolated extension \(Self.type(kind)).ContentState: SkerryContent {}

            """
        }
        """
        extension SkerryReporter {
            /// The reporter of this app.
            static let shared = SkerryReporter(
                followers: [
        """
        for kind in kinds {
            """
                        SkerryFollower<\(Self.type(kind))>(),
            """
        }
        """
                ]
            )
        }
        """
    }

    private static func type(_ kind: String) -> String { LiveActivityContract.attributesType(ofKind: kind) }
}
