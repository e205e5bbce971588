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
        if view.drawsClock { timerText + fittedClock }
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

// The functions of those views: they choose symbols and colours, and write links and texts.

extension LiveActivitySource {
    /// A function that chooses a symbol or a colour.
    @SourceLines func chooser(_ choosing: AppView.Choosing) -> [String] {
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

    @SourceLines var links: [String] {
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

    @SourceLines var measure: [String] {
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

    @SourceLines var wholeMeasure: [String] {
        """

        /// The whole number as people write it, with its unit; nothing when there is none.
        private func text(_ value: Int?, digits: Int, unit: String) -> String {
            text(value.map { Double($0) }, digits: digits, unit: unit)
        }
        """
    }

    /// The rule by which a missing value takes along what belongs to it, as Skerry has it.
    @SourceLines var joining: [String] {
        """

        /// The pieces as one text, without what belongs to missing values.
        private func joined(_ pieces: TextPiece...) -> String { pieces.joined() }

        """
        for file in EmbeddedSources.files(in: "views") {
            file.text.replacing("public enum", with: "private enum").replacing("public ", with: "")
                .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    /// Returns the function that writes values of a type as text.
    @SourceLines func text(of valueType: FieldType) -> [String] {
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

// The card as a widget of the Home Screen and of the Lock Screen, in a form for each family.

extension LiveActivitySource {
    /// The view of a widget.
    @SourceLines var widgetCard: [String] {
        """
            /// A widget on the Home Screen or on the Lock Screen; the wide ones on the Home Screen have the banner.
            ///
            /// It has margins of its own: give the configuration of the widget `contentMarginsDisabled()`.
            struct WidgetCard: View {
                /// The attributes, which stay the same for the run.
                let attributes: \(type)Attributes
                /// The content now.
                let state: \(type)Attributes.ContentState

                @Environment(\\.widgetFamily) private var family

                var body: some View {
                    switch family {
                    case .systemMedium, .systemLarge:
                        // A large widget has several of them, each with its own link.
        """
        view.widgetBanner.indented(by: 16)
        """
                    default:
                        card
                            .opacity(state.phase == .stale ? 0.6 : 1)
                            .accessibilityElement(children: .combine)
        """
        view.widgetURL.indented(by: 20)
        """
                    }
                }

                @ViewBuilder private var card: some View {
                    switch family {
                    case .accessoryCircular: circular
                    case .accessoryInline: inline
                    case .accessoryRectangular: rectangular
                    default: small.padding()
                    }
                }

        """
        widgetForms
        """
            }

        """
    }

    @SourceLines private var widgetForms: [String] {
        """
                private var small: some View {
                    VStack(alignment: .leading, spacing: 4) {
        """
        view.widgetSmall.indented(by: 16)
        """
                    }
                    .frame(maxWidth: .infinity, alignment: .leading)
                }

                private var rectangular: some View {
                    VStack(alignment: .leading, spacing: 2) {
        """
        view.widgetRectangular.indented(by: 16)
        """
                    }
                    .frame(maxWidth: .infinity, alignment: .leading)
                }

                private var circular: some View {
                    ZStack {
                        AccessoryWidgetBackground()
        """
        view.widgetCircular.indented(by: 16)
        """
                    }
                }

                /// A line, in which iOS draws a text and a picture, and no other views.
                private var inline: some View {
                    Label {
                        line
                    } icon: {
        """
        view.widgetSymbol.indented(by: 16)
        """
                    }
                }

                private var line: Text {
        """
        view.widgetLine.indented(by: 12)
        """
                }
        """
    }
}

extension AppView {
    /// This view with names that are read within a view that has `attributes` and `state`.
    private var own: AppView {
        var view = self
        view.context = ""
        return view
    }

    /// The first view of the Lock Screen, or of any other place, that is one of these.
    private func first(where isMeant: (IslandLayout.View) -> Bool) -> IslandLayout.Element? {
        let lock = layout.lock.symbols + layout.lock.clocks + layout.lock.bars
        return (lock + layout.elements).first { isMeant($0.view) }
    }

    private var clock: [String]? {
        first { if case .clock = $0 { true } else { false } }.map { own.view($0) }
    }

    /// The first bar that can be a ring.
    private var ring: [String]? {
        let bar = first { view in
            switch view {
            case .bar, .level: true
            case .symbol, .title, .text, .clock, .steps, .caption, .row: false
            }
        }
        return bar.map { own.view($0) }
    }

    /// The banner within what a touch opens.
    var widgetBanner: [String] { own.linkedBanner }

    /// The modifier with what a touch opens.
    var widgetURL: [String] { own.lockURL }

    /// The symbol, which VoiceOver reads as the name of the definition.
    var widgetSymbol: [String] {
        let symbol = first { if case .symbol = $0 { true } else { false } }
        guard let symbol else { return own.symbolOfDefinition }
        return own.view(symbol, isAlone: true, diameter: nil)
    }

    /// The symbol over the texts and the bar of the Lock Screen, with the clock beside it.
    var widgetSmall: [String] {
        let symbol = modified(modified(widgetSymbol, by: ".font(.title2)"), by: ".widgetAccentable()")
        let texts = layout.lock.texts.prefix(3).flatMap { own.oneLine($0) }
        let clock = clock.map { modified($0, by: ".font(.title3)") } ?? []
        let bar = layout.lock.bars.first { $0.isBar }.map { own.view($0) } ?? []
        return stack("HStack(spacing: 4)", [symbol, ["Spacer(minLength: 0)"], clock])
            + ["Spacer(minLength: 0)"] + texts + bar
    }

    /// Three lines: the title; the next text with the clock; the bar.
    var widgetRectangular: [String] {
        let texts = layout.lock.texts.prefix(2).map { own.oneLine($0) }
        let title = texts.count > 1 ? modified(texts[0], by: ".widgetAccentable()") : []
        let row = [texts.last ?? widgetSymbol, ["Spacer(minLength: 0)"], clock ?? []]
        let bar = layout.lock.bars.first { $0.isBar }.map { own.view($0) } ?? []
        return title + stack("HStack(spacing: 4)", row) + bar
    }

    /// The symbol in a ring, or above a clock; what the smallest island has if there is neither.
    var widgetCircular: [String] {
        if let ring {
            return modified(ring, by: ".progressViewStyle(.circular)") + widgetSymbol
        }
        guard let clock else { return own.minimal }
        return stack(
            "VStack(spacing: 0)",
            [widgetSymbol, modified(clock, by: ".font(.caption2)")]
        )
    }

    /// The last text of the Lock Screen, which tells the state, and the clock.
    var widgetLine: [String] {
        let parts = layout.lock.texts.last?.parts ?? [.literal(name)]
        let words = own.words(of: parts)
        let clock = first { if case .clock = $0 { true } else { false } }
        guard case .clock(let field, _)? = clock?.view else { return words }
        return ["let words = \(words[0])"] + words.dropFirst() + [
            "guard let clock = TimerText.clock(of: \(own.timer(field))) else { return words }",
            #"return Text("\(words) \(clock)")"#,
        ]
    }

    /// A text on one line, unless the definition gives it more.
    private func oneLine(_ element: IslandLayout.Element) -> [String] {
        element.lines == nil ? modified(view(element), by: ".lineLimit(1)") : view(element)
    }
}
