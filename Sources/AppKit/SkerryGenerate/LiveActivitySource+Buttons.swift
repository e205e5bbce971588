import SkerryActivity
import SkerryDevice

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
