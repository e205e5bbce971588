import SkerryActivity
import SkerryValues

/// Renders messages of ntfy: alerts, and one message for each run that is updated if the server can do that.
///
/// See docs/sinks.md#ntfy.
struct NtfyMessages: Sendable {
    /// The topic that people subscribe to.
    let topic: String
    /// True if the server replaces messages of the same sequence; nil until its first answer.
    private var replacesMessages: Bool?

    init(topic: String) { self.topic = topic }

    /// The priority of an alert, or of a state without one: 2 makes no sound, and 5 is the highest.
    private static func priority(of alert: ActivityAlert?) -> Int64 {
        guard let alert, alert.heardSound != nil else { return 2 }
        return alert.level == .active ? 4 : 5
    }

    func render(_ scene: SinkScene) -> SinkRendering {
        let update = scene.update
        // An older server would show each update as a message of its own.
        // What was shown before a restart would stay, so one update is tried: its answer tells what the server can do.
        let mayReplace = replacesMessages ?? (scene.step == .update)
        if update.alert == nil, scene.step != .start, !mayReplace {
            let reason =
                replacesMessages == false
                ? "the server can't update messages (ntfy 2.16 or later can): it gets starts and alerts"
                : "no message of this start has shown yet whether the server can update messages"
            return .nothing(reason: reason)
        }
        var writer = JSONWriter(capacity: 384)
        writer.beginObject()
        writer.member("topic", topic)
        writer.member("sequence_id", SinkTag.name(of: update.id))
        writer.member("title", scene.shown.title)
        writer.member("message", text(of: scene))
        writer.member("priority", Self.priority(of: update.alert))
        writer.key("tags")
        writer.beginArray()
        writer.string(update.phase == .ended ? "white_check_mark" : "hourglass_flowing_sand")
        writer.string(scene.kind)
        writer.endArray()
        if let link = scene.link {
            writer.member("click", link)
        }
        writer.endObject()
        return .json(writer.bytes, to: "")
    }

    private func text(of scene: SinkScene) -> String {
        if let text = scene.alertText { return text }
        let shown = scene.shown
        if let end = shown.endTime(in: scene.zone) { return "\(shown.text) · \(scene.words.until(end))" }
        guard scene.step != .end, let bar = shown.bar else { return shown.text }
        return "\(shown.text) · \(bar.part * 100 / bar.whole)%"
    }

    /// Learns from the answer to a message whether the server knows sequences: then the answer repeats the message's.
    mutating func learn(from body: [UInt8]) {
        let limits = JSONLimits(bytes: body.count, depth: 8)
        guard case .map(let members)? = try? JSONReader.value(of: body.span, limits: limits),
            case .string? = members["id"]
        else { return }
        if case .string? = members["sequence_id"] {
            replacesMessages = true
        } else {
            replacesMessages = false
        }
    }
}
