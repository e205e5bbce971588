import Logging
import SkerryActivity
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

// What becomes of effects: publications, notes for people, events for those who watch.

extension Bridge {
    /// Turns effects into publications, log lines and events for the watcher.
    ///
    /// - Parameters:
    ///   - effects: The effects of an input.
    ///   - topic: The topic, if the input was a message.
    ///   - time: The time of the input; now, unless the clock was set meanwhile.
    func tell(_ effects: [Effect], of topic: ArraySlice<UInt8> = [], asOf time: Timestamp? = nil) {
        var entry: EnteredStates?
        for var effect in effects {
            switch effect.what {
            case .refused(let refusal):
                journal.health.kinds.count(\.refused, of: effect.kind)
                let topic = String(decoding: topic.prefix(Inbound.notedTopicLimit), as: UTF8.self)
                journal.note(
                    .payloadRefused,
                    "\(effect.kind)/\(effect.device): \(topic): \(refusal.message)",
                    kind: "\(effect.kind): \(refusal.sort)",
                    at: effect.at
                )
            case .fault(let fault):
                journal.health.kinds.count(\.faults, of: effect.kind)
                journal.note(
                    .deviceFault,
                    "\(effect.kind)/\(effect.device): \(fault.message)",
                    kind: "\(effect.kind): \(fault.sort)",
                    at: effect.at
                )
            case .moved(let from, let to, let through):
                journal.logger.debug(
                    .deviceMoved,
                    "\(effect.kind)/\(effect.device): \(DeviceEffect.words(from: from, to: to, through: through))"
                )
                // It is back where it was: no news for people.
                if from == to { break }
                let (kind, device) = (effect.kind, effect.device)
                let title = engine.title(ofStates: to, kind: kind, device: device, at: effect.at)
                entry = EnteredStates(device: DeviceKey(kind: kind, name: device), states: to, title: title)
                if let title { watcher.tell(.entered(kind: kind, device: device, title: title)) }
            case .update(var update):
                journal.health.kinds.count(\.updates, of: effect.kind)
                if let alert = update.alert, isLate(alert, of: effect, at: time ?? clock.now) {
                    update.alert = nil
                    effect.what = .update(update)
                }
                ledger.deliver(update, of: effect.device, kind: effect.kind)
                noteStage(of: update, of: DeviceKey(kind: effect.kind, name: effect.device), after: entry)
                if update.phase == .ended, options.history.activities > 0 {
                    ledger.add(EndedActivity(update, of: effect.device, kind: effect.kind))
                }
            case .forgotten: ledger.forget(DeviceKey(kind: effect.kind, name: effect.device))
            case .publication(let message):
                publish(message, effect)
                continue
            case .dismissed, .foretold, .availability: break
            }
            for publication in sink.publications(of: effect) { enqueue(publication) }
            announce(effect)
            watcher.tell(.effect(effect))
        }
        if watcher.getsTimelines { tellTimelines(after: effects) }
    }

    /// Publishes a message of an action, which is not one of the messages of the bridge that the broker must keep.
    private func publish(_ message: DevicePublication, _ effect: Effect) {
        if let publication = sink.publication(message) {
            enqueue(publication, isOwn: false)
        } else {
            journal.note(
                .actionRefused,
                "\(effect.kind)/\(effect.device): an action may not publish on '\(message.topic)': topics below "
                    + "'\(sink.prefix)/' belong to the bridge",
                kind: "\(effect.kind): actions that publish on topics of the bridge",
                at: effect.at
            )
        }
    }

    /// Returns whether an alert is too late to be sent; counts late alerts.
    private func isLate(_ alert: ActivityAlert, of effect: Effect, at now: Timestamp) -> Bool {
        guard now - effect.at > options.alertFreshness else { return false }
        journal.health.lateAlerts += 1
        journal.mention(
            .alertLate,
            "\(effect.kind)/\(effect.device): an alert of \(effect.at.flooredSeconds) is too late and is not sent: \(alert.title)",
            kind: "alerts that came too late",
            at: now
        )
        return true
    }

    // MARK: Announcements

    /// Announces a device, changes its announcement or ends it, where an effect asks for that, and publishes an event for a device
    /// that comes or goes.
    private func announce(_ effect: Effect) {
        let (device, kind) = (effect.device, effect.kind)
        switch effect.what {
        case .moved(from: "", to: _, through: _):
            announce(device: device, kind: kind)
            publishEvent("device_appeared", of: device, kind: kind)
        case .availability: announce(device: device, kind: kind)
        case .forgotten:
            if let withdrawal = announcer.withdrawal(
                ofDevice: device,
                kind: kind,
                retained: readBack.retained
            ) {
                enqueue(withdrawal)
            }
            publishEvent("device_forgotten", of: device, kind: kind)
        // The name that people gave it may have come meanwhile.
        case .update(let update) where update.kind == .started: announce(device: device, kind: kind)
        case .moved, .update, .publication, .dismissed, .foretold, .refused, .fault: break
        }
    }

    /// Announces a device to Home Assistant, unless it is announced like this already.
    func announce(device: String, kind: String) {
        guard announcer.homeAssistant != nil,
            let announcement = announcer.announcement(
                ofDevice: device,
                kind: kind,
                in: engine,
                retained: readBack.retained
            )
        else { return }
        let isWithdrawal = announcement.payload.isEmpty
        enqueue(announcement)
        if !isWithdrawal { awaitIdleDevices(at: clock.now) }
    }

    /// Publishes that a device has come or gone, and soon the list of all.
    func publishEvent(_ event: String, of device: String, kind: String) {
        if alarms[.lists] == nil { alarms[.lists] = clock.now + Announcer.listPause }
        guard ledger.unsent < Announcer.eventLimit else { return }
        enqueue(announcer.event(event, of: device, kind: kind))
    }

    /// Publishes the lists that have changed since they were published last.
    func announceLists() {
        alarms[.lists] = nil
        guard readBack.isAdmitted else { return }
        for list in announcer.takeChangedLists(of: engine) { announce(list) }
    }

    /// Takes note that Home Assistant has started, and will be told soon what there is.
    func hearHomeAssistant(_ message: MessageBatch.Message, at now: Timestamp) {
        guard !message.isRetained, message.payload.elementsEqual("online".utf8) else { return }
        let moment = now + Announcer.delay(of: readBack.owner, connects: journal.health.connects)
        alarms[.announcements] = min(alarms[.announcements] ?? moment, moment)
    }

    /// Sends all announcements again.
    func repeatAnnouncements() {
        alarms[.announcements] = nil
        // Nothing may be published before it is stored.
        guard let homeAssistant = announcer.homeAssistant, commit() else { return }
        let own = announcer.own(in: readBack.retained)
        let devices = own.count { $0.topic != homeAssistant.bridgeTopic }
        for publication in own where !ledger.holds(ExactText(publication.topic)) { announce(publication) }
        awaitIdleDevices(at: clock.now)
        journal.logger.info(
            .homeAssistantStarted,
            "Home Assistant has started: \(devices.devices) announced"
        )
    }

    /// Has Home Assistant told soon which devices do nothing.
    func awaitIdleDevices(at now: Timestamp) {
        guard announcer.homeAssistant != nil else { return }
        // From the last announcement on: it has to have subscribed to that device, too.
        alarms[.idleDevices] = now + Announcer.subscriptionTime
    }

    /// Says of each announced device without an activity that it has none.
    func announceIdleDevices() {
        alarms[.idleDevices] = nil
        // Nothing may be published before it is stored.
        guard announcer.homeAssistant != nil, commit() else { return }
        for snapshot in announcer.idleSnapshots(of: engine, retained: readBack.retained)
        where !ledger.holds(ExactText(snapshot.topic)) {
            announce(snapshot)
        }
    }

    // MARK: Stages and timelines

    /// Notes the stage of a run that an update begins.
    private func noteStage(of update: ActivityUpdate, of device: DeviceKey, after entry: EnteredStates?) {
        guard options.history.activities > 0, update.phase != .ended,
            update.kind == .started || update.patch?["state"] != nil
        else { return }
        let title =
            if let entry, entry.device == device, entry.states.hasSameCodePoints(as: update.state) {
                entry.title
            } else {
                engine.title(
                    ofStates: update.state,
                    kind: device.kind,
                    device: device.name,
                    at: update.at
                )
            }
        let from = update.kind == .started ? update.startedAt : update.at
        ledger.add(RunStage(activity: update.id, state: update.state, title: title, from: from))
    }

    /// Tells the timelines of all devices to readers that have just come.
    func lookForReaders() {
        guard watcher.look() else { return }
        engine.forEachDevice { kind, device in
            if device.activity != nil { tellTimeline(of: DeviceKey(kind: kind, name: device.name)) }
        }
    }

    /// Tells the timelines that may have changed with some effects.
    private func tellTimelines(after effects: [Effect]) {
        var changed: [DeviceKey] = []
        for effect in effects {
            switch effect.what {
            case .update, .moved:
                let device = DeviceKey(kind: effect.kind, name: effect.device)
                if changed.last != device { changed.append(device) }
            case .publication, .dismissed, .foretold, .availability, .forgotten, .refused, .fault: break
            }
        }
        for device in changed { tellTimeline(of: device) }
    }

    private func tellTimeline(of device: DeviceKey) {
        watcher.tell(.foretold(kind: device.kind, device: device.name, timeline(of: device)))
    }

    /// The timeline of a device; nil if nothing is foretold of it.
    func timeline(of device: DeviceKey) -> ActivityTimeline? {
        let timeline = engine.timeline(kind: device.kind, device: device.name)
        return timeline.flatMap { $0.foretells ? $0 : nil }
    }
}

/// The states that a device has just entered, with their title; its update follows, and begins a stage with that title.
private struct EnteredStates {
    let device: DeviceKey
    let states: String
    let title: String?
}

extension PayloadRefusal {
    /// The message without the parts that differ from payload to payload.
    fileprivate var sort: String {
        if case .json = self { "not valid JSON" } else { message }
    }
}

extension DeviceFault {
    /// The message without the parts that differ from time to time.
    fileprivate var sort: String {
        switch self {
        case .contentTooLarge: "the content is too large"
        case .valueTooLarge(let name, _): "values of '\(name)' that are too large"
        case .messageTooCostly: "messages that take too much work"
        case .machine, .valuesForgotten, .runSwallowed, .unpublished: message
        }
    }
}
