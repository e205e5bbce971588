import Logging
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues

// The announcements of devices to Home Assistant. They are retained messages of this bridge like snapshots: stored before
// they are sent, read back on each connection, and deleted with their devices.

extension Bridge {
    /// The longest delay of announcements after Home Assistant has started; all programs announce theirs then.
    private static var longestDelay: Int64 { 15 }
    /// The time that Home Assistant takes from an announcement to its subscription: it subscribes some seconds later.
    private static var subscriptionTime: Interval { .seconds(15) }

    /// Announces a device, changes its announcement or ends it, where an effect asks for that.
    func announceToHomeAssistant(_ effect: Effect) {
        guard let homeAssistant else { return }
        switch effect.what {
        case .moved(from: "", to: _, through: _), .availability:
            announce(device: effect.device, kind: effect.kind)
        case .forgotten:
            let withdrawal = homeAssistant.withdrawal(ofDevice: effect.device, kind: effect.kind)
            if retained[ExactText(withdrawal.topic)] != nil { enqueue(withdrawal) }
        // The name that people gave it may have come meanwhile.
        case .update(let update) where update.kind == .started:
            announce(device: effect.device, kind: effect.kind)
        case .moved, .update, .publication, .dismissed, .foretold, .refused, .fault: break
        }
    }

    /// Announces a device, unless it is announced like this already.
    private func announce(device name: String, kind: String) {
        guard let homeAssistant, let found = engine.device(kind: kind, named: name) else { return }
        let announcement = homeAssistant.announcement(of: found.device, found.definition)
        let topic = ExactText(homeAssistant.topic(ofDevice: name, kind: kind))
        if let announcement {
            let former = retained[topic]?.payload ?? []
            let next = HomeAssistant.retracting(announcement, after: former, keepsRetracted: true)
            if former == next.payload { return }
            enqueue(next)
            awaitIdleDevices(at: clock.now)
        } else if retained[topic] != nil {
            enqueue(homeAssistant.withdrawal(ofDevice: name, kind: kind))
        }
    }

    /// Collects the announcements of devices, for a broker that has none or older ones.
    func rememberAnnouncements(of engine: Engine) {
        guard let homeAssistant else { return }
        engine.forEachDevice { kind, device in
            guard let found = engine.device(kind: kind, named: device.name),
                let announcement = homeAssistant.announcement(of: found.device, found.definition)
            else { return }
            retained[ExactText(announcement.topic)] = announcement
        }
    }

    /// Changes the announcements of devices whose definitions have changed.
    func announceAnew(kinds: [String]) {
        guard homeAssistant != nil, !kinds.isEmpty else { return }
        var devices: [DeviceKey] = []
        engine.forEachDevice { kind, device in
            if kinds.contains(kind) { devices.append(DeviceKey(kind: kind, name: device.name)) }
        }
        for device in devices { announce(device: device.name, kind: device.kind) }
    }

    /// The filters of what is announced, also of what the last process announced elsewhere.
    var announcementFilters: [String] { announcementPrefixes.map { HomeAssistant.filter(under: $0) } }

    /// The beginnings of the topics of announcements.
    static func starts(of prefixes: [String], for sink: MQTTSink) -> [[UInt8]] {
        prefixes.map { Array(HomeAssistant.topicStart(under: $0, for: sink).utf8) }
    }

    /// The topic prefixes under which this bridge announces devices, or did so before.
    var announcementPrefixes: [String] {
        var prefixes = homeAssistant.map { [$0.prefix] } ?? []
        if let former = formerAnnouncements, !prefixes.contains(former) { prefixes.append(former) }
        return prefixes
    }

    /// Compares a retained announcement with the expected one; deletes one for a device that no longer exists.
    func compareAnnouncement(_ message: MessageBatch.Message, at now: Timestamp) {
        guard readBack.stage == .comparing, message.isRetained, !message.payload.isEmpty else { return }
        readBack.heard(at: now)
        let topic = ExactText(String(decoding: message.topic, as: UTF8.self))
        if let own = retained[topic] {
            if own.payload.elementsEqual(message.payload) {
                readBack.missing.remove(topic)
            } else {
                // The last process announced the device with entities that are no more.
                let former = Array(message.payload)
                retained[topic] = HomeAssistant.retracting(own, after: former, keepsRetracted: false)
            }
            return
        }
        guard HomeAssistant.isAnnouncement(message.payload, by: sink),
            readBack.signature?.owner == owner || readBack.claims, !isSetAside(topic)
        else { return }
        readBack.takenAway += 1
        enqueue(Publication(topic: topic.text, payload: [], isRetained: true))
    }

    /// Returns whether a topic announces a device that was set aside and may come back.
    private func isSetAside(_ topic: ExactText) -> Bool {
        journal.health.setAside.contains { device in
            let parts = device.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let homeAssistant, parts.count == 2 else { return false }
            return ExactText(homeAssistant.topic(ofDevice: "\(parts[1])", kind: "\(parts[0])")) == topic
        }
    }

    /// Takes note that Home Assistant has started, and will be told soon what there is.
    func hearHomeAssistant(_ message: MessageBatch.Message, at now: Timestamp) {
        guard let homeAssistant, !message.isRetained, message.payload.elementsEqual("online".utf8),
            message.topic.elementsEqual(homeAssistant.statusTopic.utf8)
        else { return }
        // Drawn from the mark of the store, so that several bridges do not all answer at once, and one always alike.
        let seed = owner.utf8.reduce(UInt64(journal.health.connects)) { $0 &* 31 &+ UInt64($1) }
        let moment = now + .seconds(1 + Int64(seed % UInt64(Self.longestDelay)))
        alarms[.announcements] = min(alarms[.announcements] ?? moment, moment)
    }

    /// Sends all announcements again.
    func repeatAnnouncements() {
        alarms[.announcements] = nil
        // Nothing may be published before it is stored.
        guard homeAssistant != nil, commit() else { return }
        let starts = announcementStarts
        let own = retained.filter { topic, _ in starts.contains { topic.text.utf8.starts(with: $0) } }
        for publication in own.values.sorted(by: { $0.topic < $1.topic })
        where !ledger.holds(ExactText(publication.topic)) {
            announce(publication)
        }
        awaitIdleDevices(at: clock.now)
        journal.logger.info(
            .homeAssistantStarted,
            "Home Assistant has started: \(own.count.devices) announced"
        )
    }

    /// Has Home Assistant told soon which devices do nothing.
    func awaitIdleDevices(at now: Timestamp) {
        guard homeAssistant != nil else { return }
        // From the last announcement on: it has to have subscribed to that device, too.
        alarms[.idleDevices] = now + Self.subscriptionTime
    }

    /// Says of each announced device without an activity that it has none.
    ///
    /// Nothing is retained for it, so that Home Assistant, which has just subscribed, would know nothing of it. An empty
    /// message is what it got at the dismissal.
    func announceIdleDevices() {
        alarms[.idleDevices] = nil
        // Nothing may be published before it is stored.
        guard let homeAssistant, commit() else { return }
        var topics: [String] = []
        engine.forEachDevice { kind, device in
            let topic = homeAssistant.stateTopic(ofDevice: device.name, kind: kind)
            let announcement = homeAssistant.topic(ofDevice: device.name, kind: kind)
            guard retained[ExactText(announcement)] != nil, retained[ExactText(topic)] == nil else { return }
            topics.append(topic)
        }
        for topic in topics.sorted() where !ledger.holds(ExactText(topic)) {
            announce(Publication(topic: topic, payload: [], isRetained: true))
        }
    }

    /// Takes note that announcements elsewhere than now have been looked for and deleted.
    func endFormerAnnouncements() {
        guard let former = formerAnnouncements, former != homeAssistant?.prefix, readBack.isReadable else {
            return
        }
        formerAnnouncements = homeAssistant?.prefix
        announceInfo()
    }
}
