import SkerryActivity
public import SkerryDevice
public import SkerryEngine
public import SkerryPhones
import SkerryValues

/// The broker as a sink: makes the publications of each effect, as docs/publishing.md describes them.
///
/// Topics are `<prefix>/<kind>/<device>/…`. A snapshot goes before the diff of the same revision, so that a reader
/// that misses a revision finds at least this one retained.
public struct MQTTSink: Sendable {
    /// The common beginning of all topics; may have several levels.
    public let prefix: String
    /// True if each change is also published as a diff, and not only in the retained snapshot.
    public let publishesDiffs: Bool
    /// The common beginning of the topics of the bridge itself: `<prefix>/bridge`, or that of its partition.
    public let bridge: String
    /// The same in UTF-8, with a slash.
    let bridgeStart: [UInt8]

    /// The MQTT 5 content type of diffs (RFC 7396).
    public static let diffContentType = "application/merge-patch+json"

    /// Makes a sink.
    public init(prefix: String = "skerry", publishesDiffs: Bool = true, partition: Int? = nil) {
        self.prefix = prefix
        self.publishesDiffs = publishesDiffs
        bridge = Self.bridge(prefix, partition: partition)
        bridgeStart = Array("\(bridge)/".utf8)
    }

    /// The common beginning of the topics of a bridge itself.
    public static func bridge(_ prefix: String, partition: Int?) -> String {
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
    public func publications(of effect: Effect) -> [Publication] {
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
    public func retained(of device: borrowing Device, kind: String) -> [Publication] {
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

// The topics and messages of the bridge itself; what effects of the engine become stands in MQTTSink.swift alone, because
// boards and browsers have no bridge.

extension MQTTSink {
    /// The message that tells what the user of a phone did with a card.
    public func publication(of gesture: PhoneGesture) -> Publication {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("event", gesture.kind.name)
        writer.member("phone", gesture.phone)
        if let person = gesture.person { writer.member("person", person) }
        writer.member("activity", gesture.activity)
        writer.member("at", gesture.at)
        writer.endObject()
        return Publication(
            topic: topic("phone", of: gesture.device, kind: gesture.deviceKind),
            payload: writer.bytes,
            contentType: "application/json"
        )
    }

    /// The retained timeline of a device.
    func timeline(_ timeline: ActivityTimeline, of device: String, kind: String) -> Publication {
        self.timeline(timeline, topic("timeline", of: device, kind: kind))
    }

    /// The topic of a device's availability.
    func availabilityTopic(of device: String, kind: String) -> String {
        topic("availability", of: device, kind: kind)
    }

    /// Deletes the retained availability of a device that no longer exists.
    func forgottenAvailability(of device: String, kind: String) -> Publication {
        Publication(topic: availabilityTopic(of: device, kind: kind), payload: [], isRetained: true)
    }

    /// The topic of the bridge's state: `online` or, by its Will, `offline`; retained.
    public var stateTopic: String { "\(bridge)/state" }

    /// The topic of the bridge's description; retained.
    public var infoTopic: String { "\(bridge)/info" }

    /// The topic of the bridge's health; retained.
    public var healthTopic: String { "\(bridge)/health" }

    /// The topic on which the bridge hears itself, to know that the broker has sent all that it retains.
    var echoTopic: String { "\(bridge)/echo" }

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
        ["\(prefix)/+/+/explain/get", "\(bridge)/request/+"]
    }

    /// The topic of the answers to a request.
    func responseTopic(_ request: String) -> String { "\(bridge)/response/\(request)" }

    /// The topic of the list of devices; retained.
    public var devicesTopic: String { "\(bridge)/devices" }

    /// The topic of the list of definitions; retained.
    public var definitionsTopic: String { "\(bridge)/definitions" }

    /// The topic of devices that come and go.
    public var eventTopic: String { "\(bridge)/event" }

    /// The answer to a question about a device, not retained.
    func explanation(_ json: [UInt8], of device: DeviceKey) -> Publication {
        let topic = topic("explain", of: device.name, kind: device.kind)
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
