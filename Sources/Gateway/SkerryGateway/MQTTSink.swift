package import SkerryDevice
package import SkerryEngine
import SkerryActivity
import SkerryValues

/// The broker as a sink: makes the publications of each effect, as docs/publishing.md describes them.
///
/// Topics are `<prefix>/<kind>/<device>/…`. A snapshot goes before the diff of the same revision, so that a reader
/// that misses a revision finds at least this one retained.
package struct MQTTSink: Sendable {
    /// The common beginning of all topics; may have several levels.
    package let prefix: String
    /// True if each change is also published as a diff, and not only in the retained snapshot.
    package let publishesDiffs: Bool
    /// The common beginning of the topics of the bridge itself: `<prefix>/bridge`, or that of its partition.
    package let bridge: String
    /// The same in UTF-8, with a slash.
    let bridgeStart: [UInt8]

    /// The MQTT 5 content type of diffs (RFC 7396).
    package static let diffContentType = "application/merge-patch+json"

    package init(prefix: String = "skerry", publishesDiffs: Bool = true, partition: Int? = nil) {
        self.prefix = prefix
        self.publishesDiffs = publishesDiffs
        bridge = Self.bridge(prefix, partition: partition)
        bridgeStart = Array("\(bridge)/".utf8)
    }

    /// The common beginning of the topics of a bridge itself.
    package static func bridge(_ prefix: String, partition: Int?) -> String {
        // One level, so that a partition's topics are as deep as those of any bridge, and never those of a device.
        "\(prefix)/bridge\(partition.map { "-p\($0)" } ?? "")"
    }

    /// The topic of a device that ends in a name.
    func topic(_ name: String, of device: String, kind: String) -> String {
        var topic = ""
        // An interpolation would grow it in steps, for every update.
        topic.reserveCapacity(
            prefix.utf8.count + kind.utf8.count + device.utf8.count + name.utf8.count + 3
        )
        topic += prefix
        topic += "/"
        topic += kind
        topic += "/"
        topic += device
        topic += "/"
        topic += name
        return topic
    }

    /// The publications of an effect, in order; none for most kinds of effects.
    package func publications(of effect: Effect) -> [Publication] {
        func topic(_ name: String) -> String {
            self.topic(name, of: effect.device, kind: effect.kind)
        }
        switch effect.what {
        case .update(let update):
            return messages(of: update, topic)
        case .dismissed:
            return [Publication(topic: topic("activity"), payload: [], isRetained: true)]
        case .foretold(let timeline):
            return [self.timeline(timeline, topic("timeline"))]
        case .availability(let isAvailable):
            return [availability(isAvailable, topic("availability"))]
        case .forgotten(let toldAvailability):
            return toldAvailability
                ? [Publication(topic: topic("availability"), payload: [], isRetained: true)] : []
        case .publication(let message):
            return publication(message).map { [$0] } ?? []
        case .moved, .refused, .fault:
            return []
        }
    }

    private func messages(of update: ActivityUpdate, _ topic: (String) -> String) -> [Publication] {
        var messages: [Publication] = []
        messages.reserveCapacity(update.alert == nil ? 2 : 3)
        messages.append(snapshot(update.snapshotJSON(), topic("activity")))
        // See docs/decisions/0014-revisions.md.
        if publishesDiffs, let diff = update.diffJSON() {
            messages.append(
                Publication(topic: topic("activity/diff"), payload: diff, contentType: Self.diffContentType)
            )
        }
        if let alert = update.alertJSON() {
            messages.append(
                Publication(topic: topic("alert"), payload: alert, contentType: "application/json")
            )
        }
        return messages
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
    package func retained(of device: borrowing Device, kind: String) -> [Publication] {
        func topic(_ name: String) -> String { self.topic(name, of: device.name, kind: kind) }
        var publications: [Publication] = []
        if let activity = device.activity {
            publications.append(snapshot(activity.snapshotJSON(), topic("activity")))
        }
        if let isAvailable = device.isAvailable {
            publications.append(availability(isAvailable, topic("availability")))
        }
        return publications
    }

    private func snapshot(_ payload: [UInt8], _ topic: String) -> Publication {
        Publication(
            topic: topic,
            payload: payload,
            isRetained: true,
            contentType: "application/json"
        )
    }

    /// The retained timeline; empty if there is no forecast.
    func timeline(_ timeline: ActivityTimeline?, _ topic: String) -> Publication {
        Publication(
            topic: topic,
            payload: timeline?.json() ?? [],
            isRetained: true,
            contentType: timeline == nil ? nil : "application/json"
        )
    }

    private func availability(_ isAvailable: Bool, _ topic: String) -> Publication {
        Publication(
            topic: topic,
            payload: Array((isAvailable ? "online" : "offline").utf8),
            isRetained: true
        )
    }
}
