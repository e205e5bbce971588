import SkerryActivity
import SkerryDevice
import SkerryValues

/// The settings of the announcement of devices to Home Assistant.
package struct HomeAssistantOptions: Hashable, Sendable {
    /// The beginning of the topics on which Home Assistant looks for devices.
    package var prefix: String
    /// The address of the page without a slash at its end, on which a device is visited; nil for none.
    package var page: String?

    /// Makes the settings; the prefix is Home Assistant's own default.
    package init(prefix: String = "homeassistant", page: String? = nil) {
        (self.prefix, self.page) = (prefix, page)
    }
}

/// The announcements to Home Assistant: one retained message for each device whose activity people follow, and one for the
/// bridge, through which these are connected.
///
/// They have the device form of its MQTT discovery. All values come from the retained snapshot, so announcing costs nothing
/// while devices run. An empty snapshot, after the activity was dismissed, is read as a device that does nothing.
///
/// See docs/publishing.md#home-assistant.
struct HomeAssistant {
    /// The beginning of Home Assistant's topics.
    let prefix: String
    /// The sink whose topics the announcements name.
    private let sink: MQTTSink
    /// The version of Skerry.
    private let version: String
    /// The address of the page; nil for none.
    private let page: String?
    /// The room that people gave a device.
    var room: @Sendable (DeviceKey) -> String? = { _ in nil }

    init(prefix: String, sink: MQTTSink, version: String, page: String? = nil) {
        self.prefix = prefix
        self.page = page
        self.sink = sink
        self.version = version
    }

    /// The topic on which Home Assistant says that it has started.
    var statusTopic: String { "\(prefix)/status" }

    /// The filter of all announcements, those of other programs among them.
    static func filter(under prefix: String) -> String { "\(prefix)/device/+/config" }

    /// The beginning of the topics of all announcements of a bridge; other bridges may have the same one.
    static func topicStart(under prefix: String, for sink: MQTTSink) -> String {
        "\(prefix)/device/\(Self.plain(sink.prefix))_"
    }

    /// The topic of the announcement of a device.
    func topic(ofDevice name: String, kind: String) -> String {
        "\(prefix)/device/\(identifier(ofDevice: name, kind: kind))/config"
    }

    /// The topic of the snapshot that all entities of a device read.
    func stateTopic(ofDevice name: String, kind: String) -> String {
        "\(sink.prefix)/\(kind)/\(name)/activity"
    }

    /// The end of an announcement.
    func withdrawal(ofDevice name: String, kind: String) -> Publication {
        Publication(topic: topic(ofDevice: name, kind: kind), payload: [], isRetained: true)
    }

    /// True if a payload is an announcement by a bridge with the topics of a sink.
    static func isAnnouncement(_ payload: ArraySlice<UInt8>, by sink: MQTTSink) -> Bool {
        guard case .map(let members)? = try? JSONReader.value(of: Array(payload).span),
            case .map(let origin)? = members["origin"], case .string(Self.originName)? = origin["name"]
        else { return false }
        // A device is available while its bridge is; what a bridge shows is that it is there.
        var topic = members["state_topic"]
        if case .list(let topics)? = members["availability"], case .map(let first)? = topics.first {
            topic = first["topic"]
        }
        guard case .string(let topic)? = topic else { return false }
        return topic.hasSameCodePoints(as: sink.stateTopic)
    }

    private static let originName = "Skerry"

    /// The name of a device that nobody has named: that of its kind, and its own unless both say the same.
    private static func title(of name: String, _ definition: Definition) -> String {
        let words = name.split { "-_ ".contains($0) }.joined(separator: " ")
        return words.lowercased() == definition.name.lowercased()
            ? definition.name : "\(definition.name) \(name)"
    }

    /// The topic of the announcement of the bridge.
    var bridgeTopic: String { "\(prefix)/device/\(bridgeIdentifier)/config" }

    /// The end of the bridge's topics that tells it from others: `bridge`, or `bridge-p0` with partitions.
    private var bridgePlace: Substring { sink.bridge.dropFirst(sink.prefix.count + 1) }

    /// The name of the bridge for Home Assistant; those of devices have one part more.
    private var bridgeIdentifier: String { "\(Self.plain(sink.prefix))_\(bridgePlace)" }

    /// The announcement of the bridge.
    var bridgeAnnouncement: Publication {
        let words = [
            Self.originName, sink.prefix.lowercased() == Self.originName.lowercased() ? "" : sink.prefix,
            String(bridgePlace.drop { $0 != "-" }.dropFirst()),
        ]
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.object("device") { writer in
            writer.member("identifiers", [bridgeIdentifier])
            writer.member("name", words.filter { !$0.isEmpty }.joined(separator: " "))
            writer.member("sw_version", version)
            if let page { writer.member("configuration_url", page) }
        }
        writeOrigin(to: &writer)
        writer.member("state_topic", sink.stateTopic)
        writer.member("qos", 1)
        writer.object("components") { writer in
            HomeAssistantComponent.connection.write(to: &writer, device: bridgeIdentifier, base: sink.bridge)
        }
        writer.endObject()
        return announcement(on: bridgeTopic, writer)
    }

    private func writeOrigin(to writer: inout JSONWriter) {
        writer.object("origin") { writer in
            writer.member("name", Self.originName)
            writer.member("sw_version", version)
        }
    }

    private func announcement(on topic: String, _ writer: JSONWriter) -> Publication {
        Publication(
            topic: topic,
            payload: writer.bytes,
            isRetained: true,
            contentType: "application/json"
        )
    }

    /// The announcement of a device; nil when its definition has no activity.
    func announcement(of device: borrowing Device, _ definition: Definition) -> Publication? {
        guard let contract = definition.contract else { return nil }
        let name = device.name
        let identifier = identifier(ofDevice: name, kind: definition.kind)
        let base = "\(sink.prefix)/\(definition.kind)/\(name)"
        var writer = JSONWriter(capacity: 2048)
        writer.beginObject()
        writer.object("device") { writer in
            writer.member("identifiers", [identifier])
            writer.member("name", device.givenName(in: definition) ?? Self.title(of: name, definition))
            writer.member("model", definition.name)
            if let room = room(DeviceKey(kind: definition.kind, name: name)) {
                // Home Assistant takes it for a device that is in no area yet.
                writer.member("suggested_area", room)
            }
            if let page {
                let activity = "\(definition.kind)/\(name)/"
                writer.member("configuration_url", ActivityLink.page(ofActivity: activity, at: page))
            }
            writer.member("via_device", bridgeIdentifier)
        }
        writeOrigin(to: &writer)
        var availability = [sink.stateTopic]
        if device.isAvailable != nil {
            availability.append(sink.availabilityTopic(of: name, kind: definition.kind))
        }
        let stateTopic = stateTopic(ofDevice: name, kind: definition.kind)
        writer.array("availability", availability) { $0.topic($1) }
        writer.member("availability_mode", "all")
        writer.member("state_topic", stateTopic)
        writer.member("qos", 1)
        writer.object("components") { writer in
            for component in HomeAssistantComponent.all(of: definition, contract) {
                component.write(
                    to: &writer,
                    device: identifier,
                    base: base,
                    stateTopic: stateTopic,
                    availability: availability
                )
            }
        }
        writer.endObject()
        return announcement(on: topic(ofDevice: name, kind: definition.kind), writer)
    }

    /// An announcement that also retracts the entities which a former one has and it has not: these have their platform only.
    ///
    /// - Parameters:
    ///   - announcement: The announcement.
    ///   - former: The payload of the former one.
    ///   - keepsRetracted: Whether entities are retracted that the former one has retracted already.
    /// - Returns: the announcement.
    static func retracting(
        _ announcement: Publication,
        after former: [UInt8],
        keepsRetracted: Bool
    ) -> Publication {
        let (old, new) = (components(of: former), components(of: announcement.payload))
        var writer = JSONWriter(capacity: 64)
        writer.beginObject()
        for entry in old.entries {
            guard case .string(let key) = entry.key, new[key] == nil, case .map(let members) = entry.value,
                let platform = members["platform"], keepsRetracted || members.entries.count > 1
            else { continue }
            writer.object(key) { $0.member("platform", platform) }
        }
        writer.endObject()
        let retracted = writer.bytes.dropFirst().dropLast()
        if retracted.isEmpty { return announcement }
        var announcement = announcement
        // The components are the last member of the announcement.
        let separator = new.entries.isEmpty ? [] : [UInt8(ascii: ",")]
        announcement.payload = announcement.payload.dropLast(2) + separator + retracted + Array("}}".utf8)
        return announcement
    }

    private static func components(of payload: [UInt8]) -> ValueMap {
        guard case .map(let members)? = try? JSONReader.value(of: payload.span),
            case .map(let components)? = members["components"]
        else { return ValueMap() }
        return components
    }

    /// The name of a device for Home Assistant, in its letters; different devices have different ones.
    private func identifier(ofDevice name: String, kind: String) -> String {
        // A kind with an underscore would leave open where the name of the device begins.
        let isPlain =
            Self.isPlain(kind) && Self.isPlain(name) && !kind.utf8.contains(UInt8(ascii: "_"))
            && !Self.looksMarked(name)
        let text = "\(Self.plain(sink.prefix))_\(Self.plain(kind))_\(Self.plain(name))"
        return isPlain ? text : "\(text)_\(PlainName.mark(of: "\(kind)/\(name)"))"
    }

    /// The longest part of a name; longer ones end in a mark.
    private static let longestPart = 64

    /// True if a plain name could be the reduced form of another one with its mark, such as `K_che_0123456789abcdef`.
    ///
    /// Only a name with a letter that became `_` has a mark, so `plug_00158d0001a2b3c4` is none of these.
    private static func looksMarked(_ name: String) -> Bool {
        let bytes = name.utf8
        let underscore = UInt8(ascii: "_")
        return bytes.dropLast(PlainName.markLength).last == underscore
            && bytes.dropLast(PlainName.markLength + 1).contains(underscore)
            && bytes.suffix(PlainName.markLength).allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= longestPart && text.utf8.allSatisfy(PlainName.takes)
    }

    /// A text in the letters that Home Assistant takes.
    static func plain(_ text: String) -> String { PlainName.plain(text, limit: longestPart) }
}

extension JSONWriter {
    /// Writes a topic of availability, whose payloads are those that Home Assistant expects anyway.
    mutating func topic(_ topic: String) {
        beginObject()
        member("topic", topic)
        endObject()
    }
}
