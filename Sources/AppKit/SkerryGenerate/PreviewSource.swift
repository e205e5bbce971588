import SkerryActivity
import SkerryValues

/// `…Previews.swift`: the card and the island in states that the tests of the definition show, for the canvas of
/// Xcode; the first one is also the sample of the widget.
struct PreviewSource {
    /// The beginning of the names of its types.
    let type: String
    /// The members of its types.
    let model: AppModel
    /// The revisions that are shown, each of another state.
    let updates: [ActivityUpdate]

    /// The most states of a preview.
    private static let limit = 5
    /// The longest text, so that a line has room for it.
    private static let longestText = 48

    /// Chooses from the revisions that tests bring about, in their order; nil if there is none.
    init?(type: String, model: AppModel, of all: [ActivityUpdate]) {
        var seen: Set<String> = []
        let updates = all.filter { seen.insert("\($0.phase.name) \($0.state)").inserted }.prefix(Self.limit)
        if updates.isEmpty { return nil }
        self.type = type
        self.model = model
        self.updates = Array(updates)
    }

    /// The lines of the file.
    @SourceLines var lines: [String] {
        """
        import Foundation

        #if DEBUG && canImport(DeveloperToolsSupport)
        import SwiftUI
        import WidgetKit
        #endif

        nonisolated extension \(type)Attributes {
        """
        run
        for (index, update) in updates.enumerated() { state(update, number: index + 1) }
        """

            /// Returns the moment that is this number of seconds from now, in Unix seconds.
            private static func moment(_ seconds: Double) -> Double { Date().timeIntervalSince1970 + seconds }
        }

        // MARK: - Previews

        #if DEBUG && canImport(DeveloperToolsSupport)
        """
        preview("Lock Screen", "content")
        for form in ["expanded", "compact", "minimal"] {
            preview("Island, \(form)", "dynamicIsland(.\(form))")
        }
        """
        #endif
        """
    }

    @SourceLines private var run: [String] {
        """
            /// A run in a test of the definition.
            static var preview: \(type)Attributes {
                var run = \(type)Attributes()
                run.device = \(text(device))
        """
        for member in model.attributes {
            assignment("run.attributes", member, updates[0].attributes, updates[0].at)
        }
        """
                return run
            }
        """
    }

    @SourceLines private func state(_ update: ActivityUpdate, number: Int) -> [String] {
        """

            /// The state `\(SwiftName.comment(update.state))`, \(update.phase.name).
            static var preview\(number): ContentState {
                var shown = ContentState()
                shown.phase = .\(update.phase.name)
                shown.state = \(state(named: update.state))
                shown.rev = \(update.rev)
        """
        if let heardAt = update.heardAt {
            """
                    shown.heard = \(moment(heardAt.roundedSeconds, update.at))
            """
        }
        for member in model.content { assignment("shown.content", member, update.content, update.at) }
        """
                return shown
            }
        """
    }

    @SourceLines private func preview(_ name: String, _ form: String) -> [String] {
        """
        #Preview("\(name)", as: .\(form), using: \(type)Attributes.preview) {
            \(type)LiveActivity()
        } contentStates: {
        """
        for number in 1...updates.count {
            """
                \(type)Attributes.preview\(number)
            """
        }
        "}"
    }

    /// The name of the device.
    private var device: String {
        updates[0].id.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    }

    private func state(named name: String) -> String {
        guard let states = model.states else { return SwiftName.literal(name) }
        return ".\(states.names[name] ?? states.unknown)"
    }

    /// The line that gives a member its value; none without a value that the member can have.
    private func assignment(
        _ owner: String,
        _ member: AppModel.Member,
        _ values: ValueMap,
        _ now: Timestamp
    ) -> [String] {
        guard let value = values[member.name], let literal = literal(value, member.type, now) else {
            return []
        }
        return ["        \(owner).\(member.property) = \(literal)"]
    }

    private func literal(_ value: Value, _ type: FieldType, _ now: Timestamp) -> String? {
        switch (type, value) {
        case (.string, .string(let text)): self.text(text)
        case (.bool, .bool(let truth)), (.any, .bool(let truth)):
            type == .any ? ".truth(\(truth))" : "\(truth)"
        case (.any, .string(let text)): ".text(\(self.text(text)))"
        case (.any, .int(let number)): ".number(\(number))"
        case (.any, .double(let number)): ".number(\(number))"
        case (.int, .int(let number)), (.double, .int(let number)), (.duration, .int(let number)): "\(number)"
        case (.double, .double(let number)), (.duration, .double(let number)): "\(number)"
        case (.timestamp, .int(let seconds)): moment(seconds, now)
        case (.time, .map(let time)): timer(time, now)
        default: nil
        }
    }

    private func timer(_ time: ValueMap, _ now: Timestamp) -> String {
        let parts = ["start", "end", "tolerance", "remaining", "duration", "elapsed"].compactMap {
            name -> String? in
            guard case .int(let seconds)? = time[name] else { return nil }
            return "\(name): " + (["start", "end"].contains(name) ? moment(seconds, now) : "\(seconds)")
        }
        return "TimerState(\(parts.joined(separator: ", ")))"
    }

    private func moment(_ seconds: Int64, _ now: Timestamp) -> String {
        "moment(\(seconds - now.flooredSeconds))"
    }

    private func text(_ text: String) -> String {
        SwiftName.literal(text.count > Self.longestText ? text.prefix(Self.longestText - 1) + "…" : text)
    }
}
