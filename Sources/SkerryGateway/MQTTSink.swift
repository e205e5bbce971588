public import SkerryDevice
public import SkerryEngine
import SkerryActivity
import SkerryValues

/// The broker as a sink: makes the publications of each effect, as docs/publishing.md describes them.
///
/// Topics are `<prefix>/<kind>/<device>/…`. A snapshot goes before the diff of the same revision, so that a reader
/// that misses a revision finds at least this one retained.
public struct MQTTSink: Sendable {
    /// The common beginning of all topics; may have several levels.
    public let prefix: String

    /// The MQTT 5 content type of diffs (RFC 7396).
    public static let diffContentType = "application/merge-patch+json"

    /// Makes a sink.
    public init(prefix: String = "skerry") {
        self.prefix = prefix
    }

    /// The publications of an effect, in order; none for most kinds of effects.
    public func publications(of effect: Effect) -> [Publication] {
        let base = "\(prefix)/\(effect.kind)/\(effect.device)"
        switch effect.what {
        case .update(let update):
            var messages = [snapshot(update.snapshotJSON(), base)]
            // See docs/decisions/0014-revisions.md.
            if let diff = update.diffJSON() {
                messages.append(
                    Publication(
                        topic: "\(base)/activity/diff",
                        payload: diff,
                        contentType: Self.diffContentType
                    )
                )
            }
            if let alert = update.alertJSON() {
                messages.append(
                    Publication(topic: "\(base)/alert", payload: alert, contentType: "application/json")
                )
            }
            return messages
        case .dismissed:
            return [Publication(topic: "\(base)/activity", payload: [], isRetained: true)]
        case .foretold(let timeline):
            return [self.timeline(timeline, base)]
        case .availability(let isAvailable):
            return [availability(isAvailable, base)]
        case .forgotten(let toldAvailability):
            return toldAvailability
                ? [Publication(topic: "\(base)/availability", payload: [], isRetained: true)] : []
        case .publication(let message):
            return publication(message).map { [$0] } ?? []
        case .moved, .refused, .fault:
            return []
        }
    }

    /// The message that an action publishes; nil on a topic of the bridge itself, where only the bridge writes.
    func publication(_ message: DevicePublication) -> Publication? {
        if message.topic.utf8.starts(with: "\(prefix)/".utf8) { return nil }
        return Publication(
            topic: message.topic,
            payload: message.payload,
            quality: message.quality == 0 ? .atMostOnce : .atLeastOnce,
            isRetained: message.isRetained
        )
    }

    /// The messages of a device that the broker should retain, as last published.
    public func retained(of device: borrowing Device, kind: String) -> [Publication] {
        let base = "\(prefix)/\(kind)/\(device.name)"
        var publications: [Publication] = []
        if let activity = device.activity { publications.append(snapshot(activity.snapshotJSON(), base)) }
        if let isAvailable = device.isAvailable { publications.append(availability(isAvailable, base)) }
        return publications
    }

    private func snapshot(_ payload: [UInt8], _ base: String) -> Publication {
        Publication(
            topic: "\(base)/activity",
            payload: payload,
            isRetained: true,
            contentType: "application/json"
        )
    }

    func timeline(_ timeline: ActivityTimeline?, _ base: String) -> Publication {
        Publication(
            topic: "\(base)/timeline",
            payload: timeline?.json() ?? [],
            isRetained: true,
            contentType: timeline == nil ? nil : "application/json"
        )
    }

    private func availability(_ isAvailable: Bool, _ base: String) -> Publication {
        Publication(
            topic: "\(base)/availability",
            payload: Array((isAvailable ? "online" : "offline").utf8),
            isRetained: true
        )
    }
}
