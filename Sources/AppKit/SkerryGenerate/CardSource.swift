import SkerryActivity

/// `SkerryCard.swift`: the cards of all kinds, and the names of the kinds.
struct CardSource {
    /// A kind, as the file writes it.
    private struct Kind {
        /// The kind as a literal.
        let literal: String
        /// The beginning of the names of its types.
        let type: String
        /// The name of the definition as a literal.
        let name: String
        /// True if its tests show a card.
        let hasSample: Bool
    }

    private let kinds: [Kind]

    /// - Parameters:
    ///   - titles: The names of the definitions for people, by their kinds.
    ///   - revisions: What their tests publish, by kinds.
    init(titles: [String: String], revisions: [String: [ActivityUpdate]]) {
        kinds = titles.sorted { $0.key < $1.key }.map { kind, title in
            Kind(
                literal: SwiftName.literal(kind),
                type: LiveActivityContract.typeName(ofKind: kind),
                name: SwiftName.literal(title),
                hasSample: revisions[kind]?.isEmpty == false
            )
        }
    }

    /// The lines of the file.
    @SourceLines var lines: [String] {
        """
        //
        // The cards of all kinds of this app, and the kinds of devices from which a person chooses.
        //
        // \(AppSources.mark)` with these kinds. Generate it again instead of changing this file.
        //

        import SwiftUI

        /// An activity as the Lock Screen shows it; nothing for a kind that this app does not know.
        struct SkerryCard: View {
            /// The activity.
            let activity: SkerrySnapshot

            var body: some View {
        """
        choice("LockScreen", "isStale: false")
        """
            }
        }

        /// An activity as a widget shows it; nothing for a kind that this app does not know.
        struct SkerryWidgetCard: View {
            /// The activity.
            let activity: SkerrySnapshot

            var body: some View {
        """
        choice("WidgetCard", nil)
        """
            }
        }

        """
        island
        ""
        sample
        ""
        list
    }

    @SourceLines private var island: [String] {
        """
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
        choice("SmallCard", "isOutdated: false")
        """
            }
        }
        """
    }

    @SourceLines private var sample: [String] {
        """
        /// A widget of a kind as the tests of its definition show it.
        struct SkerrySampleCard: View {
            /// The kind.
            let kind: String

            var body: some View {
                switch kind {
        """
        for kind in kinds where kind.hasSample {
            """
                    case \(kind.literal):
                        \(kind.type)LiveActivity.WidgetCard(
                            attributes: \(kind.type)Attributes.preview,
                            state: \(kind.type)Attributes.preview1
                        )
            """
        }
        """
                default: EmptyView()
                }
            }
        }
        """
    }

    @SourceLines private var list: [String] {
        """
        nonisolated extension SkerryDeviceEntity {
            /// The names of the kinds of this app.
            static let kinds: [String: String] = [
        """
        for kind in kinds {
            """
                    \(kind.literal): \(kind.name),
            """
        }
        """
            ]
            /// The kinds that have a sample.
            static let samples: [String] = [
        """
        for kind in kinds where kind.hasSample {
            """
                    \(kind.literal),
            """
        }
        """
            ]
        }
        """
    }

    /// A view of the Live Activity of each kind, with its last argument.
    @SourceLines private func choice(_ view: String, _ last: String?) -> [String] {
        """
                switch activity.kind {
        """
        for kind in kinds {
            """
                    case \(kind.literal):
                        if let attributes = activity.decode(\(kind.type)Attributes.self),
                            let state = activity.decode(\(kind.type)Attributes.ContentState.self)
                        {
            """
            if let last {
                """
                                \(kind.type)LiveActivity.\(view)(
                                    attributes: attributes,
                                    state: state,
                                    \(last)
                                )
                """
            } else {
                """
                                \(kind.type)LiveActivity.\(view)(attributes: attributes, state: state)
                """
            }
            """
                        }
            """
        }
        """
                default: EmptyView()
                }
        """
    }
}
