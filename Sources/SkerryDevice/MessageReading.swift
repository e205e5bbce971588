import SkerryActivity

/// The meaning of a message for a device: what it changed, and who reads that.
public struct MessageReading: Sendable {
    /// The signals that got another value, by their names.
    public var changed: [String]
    /// The event that it raised, if any.
    public var event: String?
    /// True if a guard that needs no event reads something that the message changed.
    public var concernsGuards: Bool
    /// True if the content of the activity reads something that the message changed.
    public var concernsContent: Bool
    /// True if a run was going on when the message came.
    public var isFollowed: Bool
}

extension MessageReading {
    /// The reason why nothing came of the message but what it changed, in a few words.
    public var reasonForSilence: String {
        if let event { return "no transition takes the event \(event)" }
        if changed.isEmpty { return "no signal changed" }
        if concernsContent, isFollowed {
            return concernsGuards
                ? "no guard holds, and the content is unchanged within its tolerance"
                : "the content is unchanged within its tolerance"
        }
        if concernsGuards { return "no guard holds" }
        return isFollowed ? "neither guards nor the content read what changed" : "no guard reads what changed"
    }
}

extension Turn {
    /// The meaning of the message whose signals were just taken.
    func messageReading(_ event: String?) -> MessageReading {
        let definition = scene.definition
        let changed = scene.changed
        let content = definition.activity?.contentDependencies
        return MessageReading(
            changed: definition.signalNames.indices.filter { changed.contains($0) }
                .map { definition.signalNames[$0] },
            event: event,
            concernsGuards: definition.machineDependencies.mayHaveChanged(by: changed),
            concernsContent: content?.mayHaveChanged(by: changed) ?? false,
            isFollowed: !run.isEmpty && run[0].activity.phase != .ended
        )
    }
}
