import SkerryActivity
import SkerryDevice

/// The views of the phone, `…LiveActivity.swift`.
struct LiveActivitySource {
    /// The beginning of the names of its types.
    let type: String
    /// The kind of device, as a comment has it.
    let kind: String
    /// The views.
    let view: AppView

    /// The lines of the file.
    @SourceLines var lines: [String] {
        imports
        """

        /// The Lock Screen and the Dynamic Island of one run of the kind `\(kind)`.
        struct \(type)LiveActivity: Widget {
        """
        if let tint = view.tint {
            """
                /// The colour of the definition, `\(tint.hex)`.
                static let tint = \(tint.swift)

            """
        }
        configuration
        """
        }

        // MARK: - Lock Screen

        extension \(type)LiveActivity {
        """
        lockScreen
        smallCard
        widgetCard
        linked
        if !view.layout.buttons.isEmpty { buttons }
        if view.drawsPictures { picture }
        if view.pushesTexts { pushedText }
        if view.drawsClock { timerText }
        if view.drawsMinutes { timerMinutes }
        if view.drawsBar { timerBar }
        if view.drawsLevel { levelBar }
        if view.drawsSteps { stepBar }
        "}"
        if !view.choosings.isEmpty {
            """

            // MARK: - Symbols and colours
            """
        }
        for choosing in view.choosings { chooser(choosing) }
        if view.hasLinks { links }
        if !view.writtenTypes.isEmpty || !view.measuredTypes.isEmpty || view.joinsTexts {
            """

            // MARK: - Texts
            """
        }
        for type in view.writtenTypes { text(of: type) }
        if !view.measuredTypes.isEmpty { measure }
        if view.measuredTypes.contains(.int) { wholeMeasure }
        if view.joinsTexts { joining }
    }
}

// MARK: - Configuration

extension LiveActivitySource {
    @SourceLines private var imports: [String] {
        "import ActivityKit"
        if view.layout.buttons.contains(where: { $0.event != nil }) { "import AppIntents" }
        """
        import Foundation
        import SwiftUI
        """
        if view.drawsPictures { "import UIKit" }
        "import WidgetKit"
    }

    @SourceLines private var configuration: [String] {
        """
            var body: some WidgetConfiguration {
                if #available(iOS 18.0, *) {
                    return configuration.supplementalActivityFamilies([.small, .medium])
                } else {
                    return configuration
                }
            }

            private var configuration: some WidgetConfiguration {
                ActivityConfiguration(for: \(type)Attributes.self) { context in
        """
        lockScreenUse
        """
                } dynamicIsland: { context in
        """
        island
        """
                }
            }
        """
    }

    @SourceLines private var lockScreenUse: [String] {
        """
                    let banner = LockScreen(
                        attributes: context.attributes,
                        state: context.state,
                        isStale: context.isStale
                    )
                    Group {
                        if #available(iOS 18.0, *) {
                            Sized(banner: banner)
                        } else {
                            banner
                        }
                    }
        """
        if let tint {
            """
                        .activityBackgroundTint(\(tint)\(view.changesTint ? "?" : "").opacity(0.15))
                        .activitySystemActionForegroundColor(\(tint))
            """
        }
        view.lockURL.indented(by: 12)
    }

    /// The colour of the island as Swift, within the type; nil for the system's own.
    private var tint: String? { view.changesTint ? view.islandTint : view.tint.map { _ in "Self.tint" } }

    @SourceLines private var island: [String] {
        """
                    DynamicIsland {
        """
        for region in view.expanded {
            """
                            DynamicIslandExpandedRegion(.\(region.position), priority: \(region.priority)) {
            """
            region.lines.indented(by: 20)
            """
                            }
            """
        }
        """
                    } compactLeading: {
        """
        view.compactLeading.indented(by: 16)
        """
                    } compactTrailing: {
        """
        view.compactTrailing.indented(by: 16)
        """
                    } minimal: {
        """
        view.minimal.indented(by: 16)
        """
                    }
        """
        if let tint {
            """
                        .keylineTint(\(tint))
            """
        }
        """
                    .widgetURL(\(view.activityURL))
        """
    }
}
