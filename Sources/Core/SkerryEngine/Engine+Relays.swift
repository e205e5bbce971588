import SkerryActivity
import SkerryDevice
import SkerryValues

/// A revision of an activity on its way to the definitions that read it.
struct Relay: Sendable {
    /// The snapshot, on a topic of the engine.
    var message: Message
    /// The number of relays that led to it.
    var depth: Int
}

// A definition may read the activities of another kind: each revision is a message on `$skerry/<kind>/<device>`, handled in
// the same input, at the same time, once the device that has the activity has had its turn.

extension Engine {
    /// Returns for each definition whether another one reads its activities.
    static func areRead(_ definitions: [Definition]) -> [Bool] {
        let kinds = kindsRead(by: definitions)
        return definitions.map { definition in kinds.contains { $0.hasSameCodePoints(as: definition.kind) } }
    }

    private static func kindsRead(by definitions: [Definition]) -> [String] {
        definitions.flatMap { $0.sources.compactMap { $0.filter.activityKind } }
    }

    /// The kinds whose activities definitions read.
    public var kindsRead: [String] { Self.kindsRead(by: definitions) }

    /// Makes the message by which definitions read an activity.
    public static func activityMessage(
        _ snapshot: ArraySlice<UInt8>,
        ofKind kind: String,
        _ name: String,
        isRetained: Bool
    ) -> Message {
        let topic = "\(TopicFilter.engineLevel)/\(kind)/\(name)"
        return Message(topic: ArraySlice(topic.utf8), payload: snapshot, isRetained: isRetained)
    }

    /// Puts the snapshot of an activity on its way, if another definition reads it.
    mutating func relay(_ snapshot: @autoclosure () -> [UInt8], of index: Int, isRetained: Bool = false) {
        guard areRead[Int(devices.span[index].definition)] else { return }
        // Kinds that read each other in a circle are refused by the check of definitions; this ends them here.
        guard relayDepth < definitions.count else { return }
        let (kind, name) = (definition(of: index).kind, devices[index].device.name)
        relay(snapshot(), ofKind: kind, name, isRetained: isRetained)
    }

    /// Puts an effect on its way that did not come of a turn: the end of a run whose device is gone or was created again.
    mutating func relay(_ effect: Effect) {
        guard case .update(let update) = effect.what,
            Self.kindsRead(by: definitions).contains(where: { $0.hasSameCodePoints(as: effect.kind) })
        else { return }
        relay(update.snapshotJSON(), ofKind: effect.kind, effect.device, isRetained: false)
    }

    private mutating func relay(
        _ snapshot: [UInt8],
        ofKind kind: String,
        _ name: String,
        isRetained: Bool
    ) {
        let message = Self.activityMessage(snapshot[...], ofKind: kind, name, isRetained: isRetained)
        relays.append(Relay(message: message, depth: relayDepth + 1))
    }

    /// Delivers the activities that are on their way, and those that change by it.
    mutating func deliverRelays(_ effects: inout [Effect]) {
        while !relays.isEmpty {
            // By rounds: what these cause comes after all of them, one level deeper.
            let arrived = relays
            relays.removeAll()
            for relay in arrived {
                if workspace.cost > limits.broadcastCost { break }
                relayDepth = relay.depth
                route(relay.message, &effects)
            }
        }
        assert(relayDepth <= definitions.count, "activities are read in a circle")
        relayDepth = 0
    }

    /// Gives all present activities to the definitions that read them, as the broker gives retained messages: they set
    /// signals and are no events.
    mutating func relayRetained(_ effects: inout [Effect]) {
        for index in devices.indices {
            guard let activity = devices[index].device.activity else { continue }
            relay(activity.snapshotJSON(), of: index, isRetained: true)
        }
        deliverRelays(&effects)
    }
}
