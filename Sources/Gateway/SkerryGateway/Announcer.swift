import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

/// The announcements of a bridge: retained lists of devices and definitions, an event for each device that comes or goes,
/// and the announcements to Home Assistant.
///
/// Announcements are retained messages like snapshots: stored before they are sent, read back on each connection, and
/// deleted with their devices. It publishes nothing: its verbs return what is to be published.
struct Announcer {
    /// The pause after which a changed list is published, so that many new devices are one change.
    static var listPause: Interval { .seconds(1) }
    /// The number of waiting publications up to which an event is added: it must not displace diffs.
    static var eventLimit: Int { 100 }
    /// The bytes of a list; what does not fit in is counted.
    private static var listLimit: Int { 128 * 1024 }
    /// The longest delay of announcements after Home Assistant has started; all programs announce theirs then.
    private static var longestDelay: Int64 { 15 }
    /// The time that Home Assistant takes from an announcement to its subscription: it subscribes some seconds later.
    static var subscriptionTime: Interval { .seconds(15) }

    private let sink: MQTTSink
    /// The form of the announcements to Home Assistant; nil when they are turned off.
    let homeAssistant: HomeAssistant?
    /// The lists that were published last, by topic.
    private var lists: [String: [UInt8]] = [:]
    /// The topic prefix of earlier announcements to Home Assistant, as far as the retained `bridge/info` names it.
    private(set) var former: String?
    /// The beginnings of the topics of all announcements that may be this bridge's own.
    private(set) var starts: [[UInt8]] = []

    init(
        _ options: BridgeOptions,
        sink: MQTTSink,
        room: @escaping @Sendable (DeviceKey) -> String?
    ) {
        self.sink = sink
        var homeAssistant = options.announcer(for: sink)
        homeAssistant?.room = room
        self.homeAssistant = homeAssistant
        starts = topicStarts
    }

    // MARK: Lists

    /// The lists that have changed since they were published last, which they are now.
    mutating func takeChangedLists(of engine: Engine) -> [Publication] {
        let all = [
            (sink.devicesTopic, deviceList(of: engine)), (sink.definitionsTopic, definitionList(of: engine)),
        ]
        defer { assert(lists.count <= all.count, "a list is remembered that is not published") }
        return all.compactMap { topic, payload in
            if lists[topic] == payload { return nil }
            lists[topic] = payload
            return Publication(
                topic: topic,
                payload: payload,
                isRetained: true,
                contentType: "application/json"
            )
        }
    }

    /// Forgets which lists were published: the broker, or another bridge, may have restored older ones.
    mutating func forgetLists() { lists = [:] }

    /// The event that a device has come or gone.
    func event(_ type: String, of device: String, kind: String) -> Publication {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("type", type)
        writer.key("data")
        writer.device(device, kind: kind)
        writer.endObject()
        return Publication(topic: sink.eventTopic, payload: writer.bytes, contentType: "application/json")
    }

    private func deviceList(of engine: Engine) -> [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.key("devices")
        writer.beginArray()
        var left = 0
        engine.forEachDevice { kind, device in
            if writer.bytes.count < Self.listLimit {
                writer.device(device.name, kind: kind)
            } else {
                left += 1
            }
        }
        writer.endArray()
        writer.left(left)
        writer.endObject()
        return writer.bytes
    }

    private func definitionList(of engine: Engine) -> [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.key("definitions")
        writer.beginArray()
        var left = 0
        for definition in engine.definitions {
            if writer.bytes.count < Self.listLimit { definition.write(to: &writer) } else { left += 1 }
        }
        writer.endArray()
        writer.left(left)
        writer.endObject()
        return writer.bytes
    }

    // MARK: Home Assistant

    /// The publication that announces a device, changes its announcement or ends it; nil if nothing is to be changed.
    ///
    /// - Parameters:
    ///   - name: The name of the device.
    ///   - kind: Its kind.
    ///   - engine: The engine, which may not have it.
    ///   - retained: What the broker should retain.
    /// - Returns: a publication about the device's announcement.
    func announcement(
        ofDevice name: String,
        kind: String,
        in engine: Engine,
        retained: [ExactText: Publication]
    ) -> Publication? {
        guard let homeAssistant, let found = engine.device(kind: kind, named: name) else { return nil }
        let former = retained[ExactText(homeAssistant.topic(ofDevice: name, kind: kind))]
        guard let announcement = homeAssistant.announcement(of: found.device, found.definition) else {
            return former == nil ? nil : homeAssistant.withdrawal(ofDevice: name, kind: kind)
        }
        let payload = former?.payload ?? []
        let next = HomeAssistant.retracting(announcement, after: payload, keepsRetracted: true)
        return next.payload == payload ? nil : next
    }

    /// The end of a device's announcement; nil if it has none.
    func withdrawal(
        ofDevice name: String,
        kind: String,
        retained: [ExactText: Publication]
    ) -> Publication? {
        guard let homeAssistant else { return nil }
        let withdrawal = homeAssistant.withdrawal(ofDevice: name, kind: kind)
        return retained[ExactText(withdrawal.topic)] == nil ? nil : withdrawal
    }

    /// The announcements of all devices.
    func announcements(of engine: Engine) -> [Publication] {
        guard let homeAssistant else { return [] }
        var announcements: [Publication] = []
        engine.forEachDevice { kind, device in
            guard let found = engine.device(kind: kind, named: device.name),
                let announcement = homeAssistant.announcement(of: found.device, found.definition)
            else { return }
            announcements.append(announcement)
        }
        return announcements
    }

    /// The announcements among the messages that the broker should retain, by topic.
    func own(in retained: [ExactText: Publication]) -> [Publication] {
        retained.filter { topic, _ in starts.contains { topic.text.utf8.starts(with: $0) } }
            .values.sorted { $0.topic < $1.topic }
    }

    /// The empty snapshots of announced devices without an activity, by topic.
    ///
    /// Nothing is retained for such a device, so that Home Assistant, which has just subscribed, would know nothing of it. An
    /// empty message is what it got at the dismissal.
    func idleSnapshots(of engine: Engine, retained: [ExactText: Publication]) -> [Publication] {
        guard let homeAssistant else { return [] }
        var topics: [String] = []
        engine.forEachDevice { kind, device in
            let topic = homeAssistant.stateTopic(ofDevice: device.name, kind: kind)
            let announcement = homeAssistant.topic(ofDevice: device.name, kind: kind)
            guard retained[ExactText(announcement)] != nil, retained[ExactText(topic)] == nil else { return }
            topics.append(topic)
        }
        return topics.sorted().map { Publication(topic: $0, payload: [], isRetained: true) }
    }

    /// The delay of all announcements after Home Assistant has started.
    ///
    /// Drawn from the mark of the store, so that several bridges do not all answer at once, and one always alike.
    static func delay(of owner: String, connects: UInt64) -> Interval {
        let seed = owner.utf8.reduce(connects) { $0 &* 31 &+ UInt64($1) }
        return .seconds(1 + Int64(seed % UInt64(longestDelay)))
    }

    /// Returns whether a topic announces one of some devices, each given as `kind/name`.
    func isAnnouncement(_ topic: ExactText, ofAnyOf devices: [String]) -> Bool {
        guard let homeAssistant else { return false }
        return devices.contains { device in
            let parts = device.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2
                && ExactText(homeAssistant.topic(ofDevice: "\(parts[1])", kind: "\(parts[0])")) == topic
        }
    }

    // MARK: Announcements elsewhere

    /// The filters of what is announced, also of what the last process announced elsewhere.
    var filters: [String] { prefixes.map { HomeAssistant.filter(under: $0) } }

    /// The prefix that `bridge/info` names: until they are deleted, announcements elsewhere are those that the next process has
    /// to look for.
    var namedPrefix: String? { former ?? homeAssistant?.prefix }

    /// Records the prefix below which the last process announced devices; changes ``starts``.
    mutating func found(former prefix: String?) {
        former = prefix
        starts = topicStarts
        assert(starts.count == prefixes.count)
    }

    /// Records that announcements elsewhere have been looked for and deleted; changes ``starts``.
    ///
    /// - Returns: false if there were none.
    mutating func leftFormer() -> Bool {
        guard let former, former != homeAssistant?.prefix else { return false }
        found(former: homeAssistant?.prefix)
        assert(namedPrefix == homeAssistant?.prefix, "the bridge names a prefix that it has left")
        return true
    }

    /// The topic prefixes under which this bridge announces devices, or did so before.
    private var prefixes: [String] {
        var prefixes = homeAssistant.map { [$0.prefix] } ?? []
        if let former, !prefixes.contains(former) { prefixes.append(former) }
        return prefixes
    }

    private var topicStarts: [[UInt8]] {
        prefixes.map { Array(HomeAssistant.topicStart(under: $0, for: sink).utf8) }
    }
}

extension Definition {
    /// Writes what other programs may know of it: states, what is shown, and the events that may be sent.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", kind)
        writer.member("name", name)
        writer.member("topics", sources.map { $0.filter.subscription })
        writer.key("states")
        writer.beginArray()
        for state in chart.states.dropFirst() where state.kind == .atomic || state.kind == .final {
            writer.beginObject()
            writer.member("name", state.name)
            if let title = fixedTitle(ofState: state.name) { writer.member("title", title) }
            writer.endObject()
        }
        writer.endArray()
        for (name, fields) in [("attributes", contract?.attributes), ("content", contract?.content)] {
            writer.objects(name, fields ?? []) { writer, field in
                writer.member("name", field.name)
                writer.member("type", field.type.name)
            }
        }
        writer.member("events", events)
        writer.endObject()
    }
}

extension JSONWriter {
    /// Writes an object with the kind and the name of a device.
    fileprivate mutating func device(_ name: String, kind: String) {
        beginObject()
        member("kind", kind)
        member("device", name)
        endObject()
    }

    /// Writes how many did not fit in, if there are any.
    fileprivate mutating func left(_ count: Int) {
        if count == 0 { return }
        member("left", Int64(count))
    }
}
