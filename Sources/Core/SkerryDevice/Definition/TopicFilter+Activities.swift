// A source of `$skerry/<kind>/<device>` reads the activities of the devices of another kind. The engine gives
// these messages to itself: topics that begin with `$` belong to the broker, so no client can publish there (MQTT 5,
// section 4.7.2).

extension TopicFilter {
    /// The first level of the topics on which the engine gives activities to definitions that read them.
    public static let engineLevel = "$skerry"

    /// True if the engine makes the messages, and no broker has them.
    public var isOfEngine: Bool { levels.first == .literal(Self.engineLevel) }

    /// The kind whose activities the filter covers; nil if it covers none, or those of several kinds.
    public var activityKind: String? {
        guard isOfEngine, levels.count > 2, case .literal(let kind) = levels[1] else { return nil }
        return kind
    }
}
