import SkerryActivity

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
        """
        import ActivityKit
        import Foundation
        import SwiftUI
        import WidgetKit

        /// What the Lock Screen and the Dynamic Island show of one run of the kind `\(kind)`.
        struct \(type)LiveActivity: Widget {
        """
        if let tint = view.tint {
            """
                /// The colour of the definition, `\(tint.hex)`.
                static let tint = \(tint.swift)

            """
        }
        """
            var body: some WidgetConfiguration {
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
        }

        // MARK: - Lock Screen

        extension \(type)LiveActivity {
        """
        lockScreen
        linked
        if view.drawsClock { timerText }
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
        if !view.writtenTypes.isEmpty || !view.measuredTypes.isEmpty {
            """

            // MARK: - Texts
            """
        }
        for type in view.writtenTypes { text(of: type) }
        if !view.measuredTypes.isEmpty { measure }
        if view.measuredTypes.contains(.int) { wholeMeasure }
    }
}

// MARK: - Configuration

extension LiveActivitySource {
    @SourceLines private var lockScreenUse: [String] {
        """
                    LockScreen(context: context)
        """
        if let tint {
            """
                            .activityBackgroundTint(\(tint)\(view.changesTint ? "?" : "").opacity(0.15))
            """
        }
        view.lockURL.indented(by: 16)
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
                    .widgetURL(context.attributes.url)
        """
    }
}

// MARK: - Views

extension LiveActivitySource {
    @SourceLines private var lockScreen: [String] {
        """
            /// The banner on the Lock Screen; fainter when it may be outdated.
            struct LockScreen: View {
                /// What is known of the activity.
                let context: ActivityViewContext<\(type)Attributes>

                var body: some View {
                    VStack(alignment: .leading, spacing: 8) {
        """
        view.lockScreen.indented(by: 16)
        """
                    }
                    .frame(maxWidth: .infinity, alignment: .leading)
                    .padding()
                    .opacity(isOutdated ? 0.6 : 1)
                }

                private var isOutdated: Bool { context.isStale || context.state.phase == .stale }
            }

        """
    }

    @SourceLines private var linked: [String] {
        """
            /// A view that opens a link when it is touched; as it is without one.
            struct Linked<Content: View>: View {
                /// What opens.
                let url: URL?
                /// What is touched.
                @ViewBuilder let content: Content

                var body: some View {
                    if let url {
                        Link(destination: url) { content }
                    } else {
                        content
                    }
                }
            }
        """
    }

    @SourceLines private var timerText: [String] {
        """

            /// A timer as a running clock.
            ///
            /// A clock takes all the width that it is offered, so it stands on a hidden text as wide as it will ever be.
            struct TimerText: View {
                /// The timer; nothing is drawn without one.
                let timer: \(type)Attributes.TimerState?

                var body: some View {
                    if let timer, let interval = timer.interval {
                        if timer.hasEnded() {
                            Image(systemName: "hourglass")
                        } else {
                            Text(verbatim: timer.widestText)
                                .hidden()
                                .overlay(alignment: .trailing) {
                                    Text(
                                        timerInterval: interval,
                                        pauseTime: timer.pauseDate,
                                        countsDown: timer.countsDown,
                                        showsHours: true
                                    )
                                    .multilineTextAlignment(.trailing)
                                }
                                .monospacedDigit()
                                .contentTransition(.numericText(countsDown: timer.countsDown))
                        }
                    }
                }
            }
        """
    }

    @SourceLines private var timerBar: [String] {
        """

            /// A countdown as a bar that fills.
            struct TimerBar: View {
                /// The timer; nothing is drawn of one that has no end.
                let timer: \(type)Attributes.TimerState?
        """
        if view.tint != nil, view.tintsBars {
            """

                    var body: some View { bar.tint(\(type)LiveActivity.tint) }

                    @ViewBuilder private var bar: some View {
            """
        } else {
            """

                    var body: some View {
            """
        }
        """
                    if let timer, timer.countsDown, let interval = timer.interval {
                        if timer.hasEnded() {
                            ProgressView(value: 1)
                        } else if timer.pauseDate != nil {
                            ProgressView(value: timer.fraction)
                        } else {
                            ProgressView(timerInterval: interval, countsDown: false) {
                                EmptyView()
                            } currentValueLabel: {
                                EmptyView()
                            }
                        }
                    }
                }
            }
        """
    }

    @SourceLines private var levelBar: [String] {
        """

            /// A number as a bar.
            struct LevelBar: View {
                /// The number; nothing is drawn without one.
                let value: Double?
                /// The number that fills the bar.
                let total: Double

                var body: some View {
                    if let value {
                        ProgressView(value: min(max(value, 0), total), total: total)
        """
        if view.tint != nil, view.tintsBars {
            """
                                .tint(\(type)LiveActivity.tint)
            """
        }
        """
                    }
                }
            }
        """
    }

    @SourceLines private var stepBar: [String] {
        """

            /// A number as segments, of which the first ones are filled.
            struct StepBar: View {
                /// How many segments are filled; nothing is drawn without it.
                let value: Double?
                /// How many segments there are.
                let steps: Int

                var body: some View {
                    if let value {
                        HStack(spacing: 4) {
                            ForEach(0..<steps, id: \\.self) { step in
                                ProgressView(value: Double(step) < value.rounded(.down) ? 1.0 : 0.0)
                            }
                        }
        """
        if view.tint != nil, view.tintsBars {
            """
                            .tint(\(type)LiveActivity.tint)
            """
        }
        """
                        .accessibilityElement(children: .ignore)
                        .accessibilityValue(Text(verbatim: "\\(Int(min(max(value, 0), Double(steps)))) / \\(steps)"))
                    }
                }
            }
        """
    }

    /// A function that chooses a symbol or a colour.
    @SourceLines private func chooser(_ choosing: AppView.Choosing) -> [String] {
        let isSymbol = choosing.name == "symbol"
        """

        /// \(isSymbol ? "The symbol" : "The colour of the island") that \(choosing.label == "byState" ? "a state" : "a value") chooses.
        private func \(choosing.name)(\(choosing.label) value: \(choosing.argument)) -> \(isSymbol ? "String" : "Color?") {
        """
        if choosing.isJoined {
            """
                for state in value.split(separator: ",") {
                    switch state {
            """
            for one in choosing.cases {
                """
                        case \(one.pattern): return \(one.result)
                """
            }
            """
                    default: continue
                    }
                }
                return \(choosing.otherwise)
            }
            """
        } else {
            """
                switch value {
            """
            for one in choosing.cases {
                """
                    case \(one.pattern): \(one.result)
                """
            }
            """
                default: \(choosing.otherwise)
                }
            }
            """
        }
    }

    @SourceLines private var links: [String] {
        """

        // MARK: - Links

        /// The link with these parts; nil when one of them is missing.
        private func url(_ parts: String?...) -> URL? {
            let found = parts.compactMap { $0 }
            return found.count == parts.count ? URL(string: found.joined()) : nil
        }
        """
        for type in view.linkedTypes { linked(type) }
    }

    /// The function that writes values of a type into links, as they were published.
    @SourceLines private func linked(_ valueType: FieldType) -> [String] {
        switch valueType {
        case .any:
            """

            /// The value as links contain it; nil when there is none.
            private func linked(_ value: \(type)Attributes.Scalar?) -> String? {
                switch value {
                case .text(let text): text.isEmpty ? nil : text
                case .number(let number): linked(number)
                case .truth(let truth): truth ? "true" : "false"
                case nil: nil
                }
            }
            """
        case .string:
            """

            /// The text; nil when there is none.
            private func linked(_ value: String?) -> String? { value?.isEmpty == false ? value : nil }
            """
        case .int:
            """

            /// The number in digits.
            private func linked(_ value: Int?) -> String? { value.map { String($0) } }
            """
        case .double:
            """

            /// The number in digits, a whole one without a fraction.
            private func linked(_ value: Double?) -> String? {
                value.map { number in Int(exactly: number).map { String($0) } ?? String(number) }
            }
            """
        case .bool:
            """

            /// The truth value in words.
            private func linked(_ value: Bool?) -> String? { value.map { $0 ? "true" : "false" } }
            """
        case .timestamp, .duration, .time, .structure: []
        }
    }

    @SourceLines private var measure: [String] {
        """

        /// The number as people write it, with its unit; nothing when there is none.
        private func text(_ value: Double?, digits: Int, unit: String) -> String {
            guard let value else { return "" }
            if unit == "%" { return (value / 100).formatted(.percent.precision(.fractionLength(0...digits))) }
            let number = value.formatted(.number.precision(.fractionLength(0...digits)))
            return unit.isEmpty ? number : number + "\\u{00A0}" + unit
        }
        """
    }

    @SourceLines private var wholeMeasure: [String] {
        """

        /// The whole number as people write it, with its unit; nothing when there is none.
        private func text(_ value: Int?, digits: Int, unit: String) -> String {
            text(value.map { Double($0) }, digits: digits, unit: unit)
        }
        """
    }

    /// Returns the function that writes values of a type as text.
    @SourceLines private func text(of valueType: FieldType) -> [String] {
        switch valueType {
        case .any:
            """

            /// The value as people write it; nothing when there is none.
            private func text(_ value: \(type)Attributes.Scalar?) -> String {
                switch value {
                case .text(let text): text
                case .number(let number): number.formatted(.number.precision(.fractionLength(0...2)))
                case .truth(let truth): truth ? "true" : "false"
                case nil: ""
                }
            }
            """
        case .string: text("The text; nothing when there is none.", of: "String", #"value ?? """#)
        case .int: text("The number as people write it.", of: "Int", #"value?.formatted() ?? """#)
        case .double:
            text(
                "The number with at most two digits of a fraction.",
                of: "Double",
                #"value?.formatted(.number.precision(.fractionLength(0...2))) ?? """#
            )
        case .bool:
            text("The truth value in words.", of: "Bool", #"value.map { $0 ? "true" : "false" } ?? """#)
        case .timestamp:
            text(
                "The moment as a time of day.",
                of: "Date",
                #"value?.formatted(date: .omitted, time: .shortened) ?? """#
            )
        case .duration:
            text(
                "The length in hours and minutes.",
                of: "Duration",
                #"value?.formatted(.time(pattern: .hourMinute)) ?? """#
            )
        case .time, .structure:
            []
        }
    }

    @SourceLines private func text(_ meaning: String, of valueType: String, _ body: String) -> [String] {
        """

        /// \(meaning)
        private func text(_ value: \(valueType)?) -> String {
            \(body)
        }
        """
    }
}
