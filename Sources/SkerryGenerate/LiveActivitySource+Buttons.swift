import SkerryActivity
import SkerryDevice

// The buttons that send events.

extension LiveActivitySource {
    /// An argument that is a list of texts, on several lines if it is long.
    private static func argument(_ label: String, _ texts: [String]) -> [String] {
        let literals = texts.map { SwiftName.literal($0) }
        let line = "\(label): [\(literals.joined(separator: ", "))]"
        if line.count <= AppView.longestText { return [line] }
        return ["\(label): ["] + literals.map { "    \($0)," } + ["]"]
    }

    /// The view of the buttons.
    @SourceLines var buttons: [String] {
        """

            /// The buttons of the events that the device waits for in its state, side by side.
            struct Buttons: View {
                /// The name of the device.
                let device: String
                /// The content now.
                let state: \(type)Attributes.ContentState

                var body: some View {
                    if !shown.isEmpty {
                        HStack(spacing: 8) {
                            ForEach(shown) { choice in
                                Button(intent: intent(choice.event)) {
                                    Text(verbatim: choice.title)
                                        .lineLimit(1)
                                }
                            }
                        }
                    }
                }

                private nonisolated struct Choice: Identifiable {
                    let event: String
                    let title: String
                    let states: [String]

                    var id: String { event }
                }

        """
        choices
        """
            }
        """
    }

    /// The buttons with their states, and what is there of them.
    @SourceLines private var choices: [String] {
        let states = view.model.states == nil ? "state.state" : "state.state.rawValue"
        """
                private static let choices = [
        """
        for button in view.layout.buttons {
            """
                        Choice(
                            event: \(SwiftName.literal(button.event)),
                            title: \(SwiftName.literal(button.title)),
            """
            Self.argument("states", button.states).indented(by: 16)
            """
                        ),
            """
        }
        """
                ]

                private var shown: [Choice] {
                    if state.phase == .ended { return [] }
                    let states = \(states).split(separator: ",").map(String.init)
                    return Self.choices.filter { choice in states.contains { choice.states.contains($0) } }
                }

                private func intent(_ event: String) -> SkerryEventIntent {
                    SkerryEventIntent(kind: \(view.model.kind), device: device, event: event)
                }
        """
    }
}
