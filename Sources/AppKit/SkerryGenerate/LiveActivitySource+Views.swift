import SkerryDevice

// The views that the regions of an island use.

extension LiveActivitySource {
    @SourceLines var lockScreen: [String] {
        """
            /// The banner on the Lock Screen; fainter when it may be outdated, and with the age of the last message while the
            /// device is silent for too long.
            struct LockScreen: View {
                /// The attributes, which stay the same for the run.
                let attributes: \(type)Attributes
                /// The content now.
                let state: \(type)Attributes.ContentState
                /// True if its stale date has passed.
                let isStale: Bool
        """
        if !view.layout.buttons.isEmpty {
            """
                    /// The link that a touch beside the buttons opens; nil if the whole banner has one.
                    var link: URL?
            """
        }
        """

                @Environment(\\.isLuminanceReduced) private var isLuminanceReduced

                var body: some View {
                    VStack(alignment: .leading, spacing: 8) {
        """
        view.lockScreen.indented(by: 16)
        """
                    }
                    .frame(maxWidth: .infinity, alignment: .leading)
                    .padding()
                    .opacity(isOutdated || isLuminanceReduced ? 0.6 : 1)
                    .overlay(alignment: .bottomTrailing) { silence }
                }

                /// The age of the last message, which the phone counts; it stands in the margin and takes no height.
                @ViewBuilder private var silence: some View {
                    if state.phase == .stale, let heard = state.heard {
                        Text("Heard \\(Date(timeIntervalSince1970: heard), style: .relative) ago")
                            .font(.caption2)
                            .foregroundStyle(.secondary)
                            .padding(.trailing)
                    }
                }

                /// True if what it shows may not be true any more.
                var isOutdated: Bool { isStale || state.phase == .stale }
            }

        """
    }

    @SourceLines var smallCard: [String] {
        """
            /// The banner, or the card in its place on a watch and in CarPlay.
            @available(iOS 18.0, *)
            struct Sized: View {
                /// The banner.
                let banner: LockScreen

                @Environment(\\.activityFamily) private var family

                var body: some View {
                    if family == .small {
                        SmallCard(
                            attributes: banner.attributes,
                            state: banner.state,
                            isOutdated: banner.isOutdated
                        )
                    } else {
                        banner
                    }
                }
            }

            /// The card on a watch and in CarPlay: both sides of the compact island.
            struct SmallCard: View {
                /// The attributes, which stay the same for the run.
                let attributes: \(type)Attributes
                /// The content now.
                let state: \(type)Attributes.ContentState
                /// True if what it shows may not be true any more.
                let isOutdated: Bool

                var body: some View {
                    HStack(spacing: 8) {
        """
        view.smallCard.indented(by: 16)
        """
                    }
                    .font(.title3)
                    .padding(.horizontal)
                    .padding(.vertical, 8)
                    .opacity(isOutdated ? 0.6 : 1)
                    .accessibilityElement(children: .combine)
                }
            }

        """
    }

    @SourceLines var linked: [String] {
        """
            /// A view that opens a link when it is touched; as it is without one.
            struct Linked<Content: View>: View {
                /// The link that opens.
                let url: URL?
                /// The view that is tapped.
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

    @SourceLines var picture: [String] {
        """

            /// A picture of the asset catalogue; the symbol in its place while there is none of this name.
            struct Picture<Symbol: View>: View {
                /// The name of the picture.
                let name: String
                /// The height in points; the width follows.
                let height: CGFloat
                /// The symbol.
                @ViewBuilder let symbol: Symbol

                var body: some View {
                    if UIImage(named: name) == nil {
                        symbol
                    } else {
                        picture
                            .scaledToFit()
                            .frame(height: height)
                    }
                }

                /// The picture in its colours, also on a Home Screen that is tinted.
                @ViewBuilder private var picture: some View {
                    if #available(iOS 18.0, *) {
                        Image(name)
                            .resizable()
                            .widgetAccentedRenderingMode(.fullColor)
                    } else {
                        Image(name)
                            .resizable()
                    }
                }
            }
        """
    }

    @SourceLines var pushedText: [String] {
        """

            /// A text that pushes the one before it up and out, unless its reader wants less motion.
            struct PushedText: View {
                /// The text.
                let verbatim: String

                @Environment(\\.accessibilityReduceMotion) private var reducesMotion

                var body: some View {
                    Text(verbatim: verbatim)
                        .id(verbatim)
                        .transition(reducesMotion ? .opacity : .push(from: .bottom))
                }
            }
        """
    }

    @SourceLines var timerBar: [String] {
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
                        Group {
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
                        .widgetAccentable()
                        .accessibilityLabel(Text("Progress"))
                    }
                }
            }
        """
    }

    @SourceLines var levelBar: [String] {
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
                            .widgetAccentable()
                            .accessibilityLabel(Text("Progress"))
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

    @SourceLines var stepBar: [String] {
        """

            /// A number as segments, of which the first ones are filled.
            struct StepBar: View {
                /// The number of filled segments; nothing is drawn without it.
                let value: Double?
                /// The number of segments.
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
                        .widgetAccentable()
                        .accessibilityLabel(Text("Progress"))
                        .accessibilityValue(Text(verbatim: "\\(Int(min(max(value, 0), Double(steps)))) / \\(steps)"))
                    }
                }
            }
        """
    }
}

// The buttons that send events and open links.

extension LiveActivitySource {
    /// An argument that is a list of texts, on several lines if it is long.
    private static func argument(_ label: String, _ texts: [String]) -> [String] {
        let literals = texts.map { SwiftName.literal($0) }
        let line = "\(label): [\(literals.joined(separator: ", "))]"
        if line.count <= AppView.longestText { return [line] }
        return ["\(label): ["] + literals.map { "    \($0)," } + ["]"]
    }

    private var sendsEvents: Bool { view.layout.buttons.contains { $0.event != nil } }

    private var opensLinks: Bool { view.layout.buttons.contains { $0.event == nil } }

    /// The view of the buttons.
    @SourceLines var buttons: [String] {
        """

            /// The buttons of the events that the device waits for in its state, and of links, side by side.
            struct Buttons: View {
                /// The attributes, which stay the same for the run.
                let attributes: \(type)Attributes
                /// The content now.
                let state: \(type)Attributes.ContentState

                var body: some View {
                    if !shown.isEmpty {
                        HStack(spacing: 8) {
                            ForEach(shown) { choice in
        """
        if sendsEvents && opensLinks {
            """
                                    if let url = choice.url {
            """
            linkButton("url").indented(by: 28)
            """
                                    } else {
            """
            eventButton.indented(by: 28)
            """
                                    }
            """
        } else {
            (sendsEvents ? eventButton : linkButton("choice.url")).indented(by: 24)
        }
        """
                            }
                        }
                    }
                }

                private nonisolated struct Choice: Identifiable {
                    let id: String
                    let title: String
        """
        if opensLinks { "            let url: URL\(sendsEvents ? "?" : "")" }
        """
                }

                private var shown: [Choice] {
                    var shown: [Choice] = []
        """
        for button in view.layout.buttons { choice(button) }
        """
                    return shown
                }
        """
        if sendsEvents { events }
        if opensLinks { linkChoice }
        """
            }
        """
    }

    private var eventButton: [String] {
        ["Button(intent: intent(choice.id)) {"] + title + ["}"]
    }

    private var title: [String] {
        ["    Text(verbatim: choice.title)", "        .lineLimit(1)"]
    }

    /// A link is drawn by its label alone, so the label has the form of a button.
    private func linkButton(_ url: String) -> [String] {
        let form = [
            ".padding(.horizontal, 12)", ".padding(.vertical, 6)", ".background(.quaternary, in: Capsule())",
        ]
        return ["Link(destination: \(url)) {"] + title + form.indented(by: 8) + ["}"]
    }

    @SourceLines private func choice(_ button: IslandLayout.Button) -> [String] {
        switch button.action {
        case .event(let event, let states):
            """
                        shown += event(
                            \(SwiftName.literal(event)),
                            \(SwiftName.literal(button.title)),
            """
            Self.argument("in", states).indented(by: 16)
        case .link:
            """
                        shown += link(
            """
            view.linked(button).indented(by: 16)
        }
        """
                    )
        """
    }

    @SourceLines private var events: [String] {
        """

                /// The button of an event; none in a state that does not wait for it.
                private func event(_ name: String, _ title: String, in states: [String]) -> [Choice] {
                    if state.phase == .ended { return [] }
                    let present = \(view.model.states == nil ? "state.state" : "state.state.rawValue").split(separator: ",")
                    guard present.contains(where: { states.contains(String($0)) }) else { return [] }
                    return [Choice(id: name, title: title\(opensLinks ? ", url: nil" : ""))]
                }

                private func intent(_ event: String) -> SkerryEventIntent {
                    SkerryEventIntent(kind: \(view.model.kind), device: attributes.device, event: event)
                }
        """
    }

    @SourceLines private var linkChoice: [String] {
        """

                /// The button of a link; none while a part of the link is missing.
                private func link(_ title: String, _ url: URL?) -> [Choice] {
                    url.map { [Choice(id: "\\(title) \\($0)", title: title, url: $0)] } ?? []
                }
        """
    }
}

extension IslandLayout.Button {
    /// The event that it sends; nil for a button with a link.
    var event: String? {
        if case .event(let event, _) = action { event } else { nil }
    }

    /// The parts of the link that it opens; none for a button that sends an event.
    var link: [IslandLayout.TextPart] {
        if case .link(let parts) = action { parts } else { [] }
    }
}
