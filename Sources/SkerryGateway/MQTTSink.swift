public import SkerryDevice
public import SkerryEngine
import SkerryActivity

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

    /// The retained timeline of a device.
    func timeline(_ timeline: ActivityTimeline, of device: String, kind: String) -> Publication {
        self.timeline(timeline, "\(prefix)/\(kind)/\(device)")
    }

    private func timeline(_ timeline: ActivityTimeline?, _ base: String) -> Publication {
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

    /// The topic of a device's availability.
    func availabilityTopic(of device: String, kind: String) -> String {
        "\(prefix)/\(kind)/\(device)/availability"
    }

    /// Deletes the retained availability of a device that no longer exists.
    func forgottenAvailability(of device: String, kind: String) -> Publication {
        Publication(topic: availabilityTopic(of: device, kind: kind), payload: [], isRetained: true)
    }

    /// The topic of the bridge's state: `online` or, by its Will, `offline`; retained.
    public var stateTopic: String { "\(prefix)/bridge/state" }

    /// The topic of the bridge's description; retained.
    public var infoTopic: String { "\(prefix)/bridge/info" }

    /// The topic of the bridge's health; retained.
    public var healthTopic: String { "\(prefix)/bridge/health" }

    /// The topic on which the bridge hears itself, to know that the broker has sent all that it retains.
    var echoTopic: String { "\(prefix)/bridge/echo" }

    /// The topics that show whether another bridge is online.
    var bridgeFilters: [String] { [stateTopic, infoTopic] }

    /// The topics that show which bridge was online last.
    var meetingFilters: [String] { bridgeFilters + [healthTopic, echoTopic] }

    /// A message of the bridge to itself.
    func echo(_ text: String, id: UInt64) -> Publication {
        Publication(id: id, topic: echoTopic, payload: Array(text.utf8), quality: .atMostOnce)
    }

    /// The filter of commands to devices.
    public var commandFilter: String { "\(prefix)/+/+/event" }

    /// The filters of questions and requests to the bridge.
    var questionFilters: [String] {
        ["\(prefix)/+/+/explain/get", "\(prefix)/bridge/request/+"]
    }

    /// The topic of the answers to a request.
    func responseTopic(_ request: String) -> String { "\(prefix)/bridge/response/\(request)" }

    /// The topic of the list of devices; retained.
    public var devicesTopic: String { "\(prefix)/bridge/devices" }

    /// The topic of the list of definitions; retained.
    public var definitionsTopic: String { "\(prefix)/bridge/definitions" }

    /// The topic of devices that come and go.
    public var eventTopic: String { "\(prefix)/bridge/event" }

    /// The answer to a question, not retained.
    func answer(_ json: [UInt8], to question: Question) -> Publication {
        let topic =
            switch question {
            case .explain(let kind, let device): "\(prefix)/\(kind)/\(device)/explain"
            }
        return Publication(topic: topic, payload: json, contentType: "application/json")
    }

    /// The filters of all that is retained of devices.
    var retainedFilters: [String] { OwnTopic.DeviceTopic.allCases.map { "\(prefix)/+/+/\($0)" } }

    /// The state of the bridge when it comes and goes.
    public func state(isOnline: Bool) -> Publication {
        Publication(
            topic: stateTopic,
            payload: Array((isOnline ? "online" : "offline").utf8),
            isRetained: true
        )
    }
}
