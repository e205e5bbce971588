public import SkerryDevice
public import SkerryEngine
import SkerryActivity

/// The sink that is the broker: what is published of each effect, as design and README describe it.
///
/// Topics are `<prefix>/<kind>/<device>/…`. A snapshot goes before the diff of the same revision, so that a reader who
/// misses a revision finds at least this one retained.
public struct MQTTSink: Sendable {
    /// What all topics start with; may have several levels.
    public let prefix: String

    /// The MQTT 5 content type of diffs (RFC 7396).
    public static let diffContentType = "application/merge-patch+json"

    /// Makes a sink.
    public init(prefix: String = "skerry") {
        self.prefix = prefix
    }

    /// The messages that tell an effect, in order; none for most kinds of effects.
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
        case .moved, .refused, .fault:
            return []
        }
    }

    /// What the broker should hold of a device, as it was published last.
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

    /// What the broker should hold of the future of a device.
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

    /// Takes away what tells if a device can be reached, for one that is no more.
    func forgottenAvailability(of device: String, kind: String) -> Publication {
        Publication(topic: "\(prefix)/\(kind)/\(device)/availability", payload: [], isRetained: true)
    }

    /// The topic that tells whether the bridge is there: `online` or, by its Will, `offline`; retained.
    public var stateTopic: String { "\(prefix)/bridge/state" }

    /// The topic that tells what the bridge is; retained.
    public var infoTopic: String { "\(prefix)/bridge/info" }

    /// The topic that tells how the bridge is doing; retained.
    public var healthTopic: String { "\(prefix)/bridge/health" }

    /// The topic on which the bridge hears itself, to know that the broker has sent all that it retains.
    var echoTopic: String { "\(prefix)/bridge/echo" }

    /// The topics that tell whether another bridge is there.
    var bridgeFilters: [String] { [stateTopic, infoTopic] }

    /// The topics that tell who was there last.
    var meetingFilters: [String] { bridgeFilters + [healthTopic, echoTopic] }

    /// What the bridge says to itself.
    func echo(_ text: String, id: UInt64) -> Publication {
        Publication(id: id, topic: echoTopic, payload: Array(text.utf8), quality: .atMostOnce)
    }

    /// The filter of commands to devices.
    public var commandFilter: String { "\(prefix)/+/+/event" }

    /// The filters of questions to the bridge.
    var questionFilters: [String] {
        [
            "\(prefix)/+/+/explain/get", "\(prefix)/bridge/devices/get", "\(prefix)/bridge/devices/forget",
        ]
    }

    /// The answer to a question, for those who listen now.
    func answer(_ json: [UInt8], to question: Question) -> Publication {
        let topic =
            switch question {
            case .explain(let kind, let device): "\(prefix)/\(kind)/\(device)/explain"
            case .devices: "\(prefix)/bridge/devices"
            case .forget: "\(prefix)/bridge/devices/forgotten"
            }
        return Publication(topic: topic, payload: json, contentType: "application/json")
    }

    /// The filters of all that is retained of devices.
    var retainedFilters: [String] { OwnTopic.DeviceTopic.allCases.map { "\(prefix)/+/+/\($0)" } }

    /// What the bridge says of itself when it comes and goes.
    public func state(isOnline: Bool) -> Publication {
        Publication(
            topic: stateTopic,
            payload: Array((isOnline ? "online" : "offline").utf8),
            isRetained: true
        )
    }
}
