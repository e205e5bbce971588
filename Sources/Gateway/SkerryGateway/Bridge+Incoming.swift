import Logging
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

// What comes in, each message handled by whose business its topic says it is.

extension Bridge {
    /// Looks for the mark at which a partition ends.
    ///
    /// - Returns: True if the message is the mark.
    func meetCut(_ message: MessageBatch.Message) -> Bool {
        guard inbound.meetCut(message) else { return false }
        journal.logger.notice(
            .partitionEnds,
            "the devices are being shared out otherwise: this partition ends where all of them do"
        )
        return true
    }

    /// Handles a message, on the topic on which it was published.
    func takeShared(_ message: MessageBatch.Message, _ topics: BridgeTopics, at now: Timestamp) {
        guard let share = topics.share, message.topic.starts(with: share.start) else {
            return take(message, topics, at: now)
        }
        // A definition's filter may begin with a wildcard, and match what is for another partition.
        guard message.topic.starts(with: share.own.utf8) else { return }
        var message = message
        message.topic = message.topic.dropFirst(share.own.utf8.count)
        let former = engine.counters.elsewhere
        take(message, topics, at: now)
        if engine.counters.elsewhere > former {
            let topic = String(decoding: message.topic.prefix(Inbound.notedTopicLimit), as: UTF8.self)
            journal.note(
                .partitionWrong,
                "\(topic): the broker gave this partition a message that belongs to another, so it is lost: "
                    + "let the broker's mapping be that of skerry cluster --nats",
                kind: "messages given to the wrong partition",
                at: now
            )
        }
    }

    /// Handles a message by whose business it is.
    private func take(_ message: MessageBatch.Message, _ topics: BridgeTopics, at now: Timestamp) {
        switch topics.classify(message.topic, announcements: announcer.starts) {
        case .device: takeOfDevice(message, at: now)
        case .homeAssistantStatus:
            hearHomeAssistant(message, at: now)
            takeOfDevice(message, at: now)
        case .own(let topic): take(message, on: topic, at: now)
        case .elsewhere(let device, let level): relay(message, of: device, level: level, at: now)
        case .otherBridge(let bridge, let topic):
            if !readBack.meet(message, of: bridge, topic) { takeOfDevice(message, at: now) }
        // A retained question or request would be answered, or carried out, once more at each connection.
        case .question(let device): if !message.isRetained { explain(device, at: now) }
        case .request(let name):
            if !message.isRetained { take(BridgeRequest(name, payload: message.payload), at: now) }
        case .command(let device): takeCommand(message, to: device, at: now)
        }
    }

    /// Hands a message to the devices that it is about.
    private func takeOfDevice(_ message: MessageBatch.Message, at now: Timestamp) {
        // Except for a device that is new, as with a new definition: of that, the session had no messages.
        if message.isRetained, readBack.progress.ignoresRetained, engine.hasDevices(of: message.topic) {
            return
        }
        let input = Message(topic: message.topic, payload: message.payload, isRetained: message.isRetained)
        let effects = engine.handle(.message(input), at: now)
        // After the engine: the message may have made its device.
        if recorder.isRecording { recorder.record(message, of: engine, at: now) }
        if !effects.isEmpty { tell(effects, of: message.topic) }
    }

    /// Handles a message of a device that came over HTTP, as if the broker had sent it.
    func takePosted(
        _ payload: [UInt8],
        of device: DeviceKey,
        key: String?,
        at now: Timestamp
    ) throws(HouseProblem) {
        // As in `handle`: while the store refuses, nothing more is taken.
        if !ledger.isStoring { throw .notStored }
        if let partition = options.engine.partition, !partition.owns(device.name) {
            let number = Partition.number(of: device.name, among: partition.count)
            throw .refused(
                "'\(device.name)' belongs to partition \(number), and this is partition \(partition.number)"
            )
        }
        guard let definition = engine.definitions.first(where: { $0.kind.hasSameCodePoints(as: device.kind) })
        else { throw .refused("there is no definition of the kind '\(device.kind)'") }
        let topic = definition.topic(of: payload[...], forDevice: device.name).map { Array($0.utf8)[...] }
        guard let topic, inbound.topics.isOfDevices(topic, announcements: announcer.starts) else {
            throw .refused("no source of '\(device.kind)' reads this as a message of '\(device.name)'")
        }
        let message = MessageBatch.Message(
            topic: topic,
            payload: payload[...],
            isRetained: false,
            quality: .atLeastOnce,
            packet: 0,
            arrival: .zero
        )
        if let key, inbound.handled.contain(message, key: key) { return }
        let former = engine.counters
        take(message, inbound.topics, at: now)
        noteLimits(since: former, at: now)
        if engine.device(kind: device.kind, named: device.name) == nil {
            throw .refused("the limits of this bridge allow no further device")
        }
        // Before the commit, so that a process that ends after it knows.
        if let key { inbound.handled.insert(message, key: key) }
    }

    // MARK: Commands

    /// Handles a command over MQTT, the event that the HTTP API sends, too; what is wrong with it stands in the log.
    private func takeCommand(_ message: MessageBatch.Message, to device: DeviceKey, at now: Timestamp) {
        let event: EventName
        do throws(EventName.Refusal) {
            event = try EventName(payload: message.payload)
        } catch {
            let topic = String(decoding: message.topic, as: UTF8.self)
            return refuseCommand("\(topic): \(error.message)", kind: "commands: \(error.message)", at: now)
        }
        if message.isRetained {
            return refuseCommand(
                "\(device): a retained command is ignored, because it is not an event of this moment",
                kind: "retained commands",
                at: now
            )
        }
        do throws(EventName.Refusal) {
            if try !send(event, to: device, at: now) {
                refuseCommand(
                    "\(device): a command for an unknown device",
                    kind: "commands for unknown devices",
                    at: now
                )
            }
        } catch {
            refuseCommand(
                "\(device): a command is refused: \(error.message)",
                kind: "\(device.kind): commands with events that nobody may send",
                at: now
            )
        }
    }

    private func refuseCommand(_ problem: String, kind: String, at now: Timestamp) {
        journal.note(.commandRefused, problem, kind: kind, at: now)
    }

    /// Sends an event to its device.
    ///
    /// - Returns: false if there is no such device.
    /// - Throws: why the event may not come from outside.
    func send(_ event: EventName, to device: DeviceKey, at now: Timestamp) throws(EventName.Refusal) -> Bool {
        guard let definition = engine.device(kind: device.kind, named: device.name)?.definition else {
            return false
        }
        guard definition.accepts(event: event.text) else {
            throw EventName.Refusal(of: event.text, by: definition)
        }
        let input = Input.event(kind: device.kind, device: device.name, name: event.text)
        tell(engine.handle(input, at: now))
        return true
    }

    // MARK: Partitions

    // A bridge of one partition: what concerns devices of others is not its business, except for the activities that its
    // definitions read. See docs/decisions/0055-partitions.md.

    /// Gives the activity of a device of another partition to the definitions that read it, as the engine gives them those
    /// of its own devices.
    private func relay(
        _ message: MessageBatch.Message,
        of device: DeviceKey,
        level: String,
        at now: Timestamp
    ) {
        if message.isRetained { readBack.heardElsewhere(at: now) }
        let isRead = engine.kindsRead.contains { $0.hasSameCodePoints(as: device.kind) }
        guard level == OwnTopic.DeviceTopic.activity.rawValue, isRead, !message.payload.isEmpty else {
            return
        }
        let input = Engine.activityMessage(
            message.payload,
            ofKind: device.kind,
            device.name,
            isRetained: message.isRetained
        )
        tell(engine.handle(.message(input), at: now), of: message.topic)
    }

    // MARK: Limits

    /// Counts messages that were left out because of their size.
    func noteOversized(_ count: Int) {
        if count == 0 { return }
        journal.health.oversized += UInt64(count)
        journal.note(
            .messageOversized,
            "\(count == 1 ? "a message is" : "\(count) messages are") longer than limits.payload and left out; with MQTT 3.1.1 it "
                + "was read whole first, unless the broker bounds it (mosquitto: message_size_limit)",
            kind: "messages longer than limits.payload",
            at: clock.now
        )
    }

    /// Reports that the limit of devices is reached, with a remedy.
    ///
    /// - Parameters:
    ///   - former: The counters of the engine before this batch.
    ///   - now: The time now.
    func noteLimits(since former: EngineCounters, at now: Timestamp) {
        let counters = engine.counters
        let limit = options.engine.devices
        journal.note(
            counters.replaced - former.replaced,
            of:
                "there are \(limit) devices, the most that limits.devices allows: each new one replaces the device without a run that was silent longest; 'skerry forget KIND/DEVICE' makes room, too",
            kind: "devices replaced by new ones, because of limits.devices",
            at: now
        )
        journal.note(
            counters.beyondLimit - former.beyondLimit,
            of:
                "messages of new devices are ignored: there are \(engine.deviceCount) devices of the \(limit) that limits.devices allows, and limits.new-devices or limits.device-name refuse more; 'skerry forget KIND/DEVICE' makes room",
            kind: "messages of new devices ignored, because of the limits",
            at: now
        )
    }
}
