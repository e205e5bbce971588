import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues

// Questions of other threads of this process. Those that come over MQTT are in Bridge+Questions.swift.

extension Bridge {
    /// The number of questions answered in a turn.
    static var inquiryLimit: Int { 4 }

    /// The number of runs that an answer names.
    static var currentRunLimit: Int { 500 }

    /// Answers some of the questions that wait; a list of all devices is the last one of its turn.
    func answerInquiries(at now: Timestamp) {
        for _ in 0..<Self.inquiryLimit {
            guard let letter = inquiries.take() else { return }
            let reply = reply(to: letter.question, for: letter.viewer, at: now)
            // As a message of the broker, one over HTTP is acknowledged after the commit.
            if case .message = letter.question, case .done = reply {
                unconfirmed.append(letter.then)
            } else {
                letter.then(reply)
            }
            // Messages wait while it is written. The other questions
            // come right after them: `sleepLimit` is zero meanwhile.
            if case .devices = letter.question { return }
        }
    }

    /// Tells those who sent a message over HTTP whether it is stored.
    func confirm(_ isStored: Bool) {
        for then in unconfirmed { then(isStored ? .done : .notStored) }
        unconfirmed = []
    }

    private func reply(to question: BridgeQuestion, for viewer: Viewer, at now: Timestamp) -> BridgeReply {
        switch question {
        case .devices:
            var writer = JSONWriter(capacity: 16_384)
            writer.beginArray()
            let limit = BridgeQuestion.devicesLimit
            let (_, count) = engine.summarize(limit: limit, at: now, to: &writer) { kind, device in
                shows(device, of: kind, to: viewer)
            }
            return .devices(writer, count: count)
        case .device(let device):
            var writer = JSONWriter(capacity: 4096)
            writer.beginObject()
            guard shows(device.name, of: device.kind, to: viewer),
                explain(device.kind, device.name, for: viewer, at: now, to: &writer)
            else { return .noDevice }
            return .device(writer, since: beginning(of: device, for: viewer))
        case .timeline(let device):
            guard shows(device.name, of: device.kind, to: viewer) else { return .noDevice }
            return .timeline(engine.timeline(kind: device.kind, device: device.name))
        case .status: return .status(status(at: now))
        case .metrics: return .metrics(metrics(for: viewer, at: now))
        case .deviceCounts:
            var counts: [String: Int] = [:]
            engine.forEachDevice { kind, device in
                if shows(device.name, of: kind, to: viewer) { counts[kind, default: 0] += 1 }
            }
            return .deviceCounts(counts)
        case .runs(let kind, let device):
            return .runs(currentRuns(kind: kind, device: device, for: viewer))
        case .tape(let device):
            // A recording has the messages of earlier runs, too, and whole messages: some are about several devices.
            guard engine.device(kind: device.kind, named: device.name) != nil,
                shows(device.name, of: device.kind, to: viewer), !viewer.seesSingleRuns(ofKind: device.kind),
                viewer.seesEverything || !sharesMessages(ofKind: device.kind)
            else { return .noDevice }
            return tapes?.tape(of: device, at: now).map { .tape($0) } ?? .noTape
        case .response(let publication):
            announce(publication)
            return .done
        case .message(let device, let payload, let key):
            return take(payload, of: device, key: key, at: now)
        case .event(let device, let name):
            guard engine.device(kind: device.kind, named: device.name) != nil,
                shows(device.name, of: device.kind, to: viewer)
            else { return .noDevice }
            do throws(Command.Refusal) {
                let command = try Command(kind: device.kind, device: device.name, event: name)
                try take(command, at: now)
                return .done
            } catch {
                return .refused(error.message)
            }
        }
    }

    /// Returns whether somebody sees a device now; where each run has a person of its own, by the run that goes on.
    private func shows(_ device: String, of kind: String, to viewer: Viewer) -> Bool {
        viewer.sees(kind: kind, device: device, attributes: currentRun(of: device, kind: kind)?.attributes)
    }

    /// The run of a device that goes on.
    private func currentRun(of device: String, kind: String) -> Activity? {
        let activity = engine.device(kind: kind, named: device)?.device.activity
        return activity.flatMap { $0.phase == .ended ? nil : $0 }
    }

    /// The moment before which a viewer may see nothing of a device.
    private func beginning(of device: DeviceKey, for viewer: Viewer) -> Timestamp {
        guard viewer.seesSingleRuns(ofKind: device.kind) else { return .distantPast }
        return currentRun(of: device.name, kind: device.kind)?.startedAt ?? .distantFuture
    }

    private func status(at now: Timestamp) -> BridgeStatus {
        BridgeStatus(
            version: options.version,
            startedAt: journal.health.startedAt,
            prefix: options.prefix,
            isConnected: connection.isOpen,
            connectionSince: connection.since ?? journal.health.startedAt,
            connectionFault: connection.fault,
            messages: engine.counters.messages,
            updates: engine.counters.updates,
            quarters: journal.quarters(upTo: engine.counters),
            isStoring: ledger.isStoring,
            health: healthReport(at: now).payload,
            recordLength: recordLength
        )
    }

    private func currentRuns(kind: String?, device: String?, for viewer: Viewer) -> [CurrentRun] {
        var runs: [CurrentRun] = []
        engine.forEachDevice { deviceKind, found in
            guard runs.count < Self.currentRunLimit, kind.map(deviceKind.hasSameCodePoints) ?? true,
                device.map(found.name.hasSameCodePoints) ?? true, let activity = found.activity,
                activity.phase != .ended,
                viewer.sees(kind: deviceKind, device: found.name, attributes: activity.attributes)
            else { return }
            let run = CurrentRun(
                id: activity.id,
                device: DeviceKey(kind: deviceKind, name: found.name),
                startedAt: activity.startedAt,
                attributes: activity.attributes,
                revisions: activity.rev
            )
            runs.append(run)
        }
        return runs
    }

    /// Notes the stage of a run that an update begins.
    func noteStage(of update: ActivityUpdate, of device: DeviceKey, after entry: EnteredStates?) {
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

    /// Keeps the messages of each device for a time from now on; those that were kept so far are dropped.
    func keepMessages(for length: Interval) {
        recordLength = length
        tapes = MessageTapes(length: length)
    }

    /// Returns whether a message may be about several devices of a kind.
    private func sharesMessages(ofKind kind: String) -> Bool {
        let definition = engine.definitions.first { $0.kind.hasSameCodePoints(as: kind) }
        return definition?.sources.contains { $0.asksMessage } ?? true
    }

    /// Keeps a message for the recordings of its devices.
    func keep(_ message: MessageBatch.Message, at now: Timestamp) {
        engine.forEachDevice(of: message.topic) { place, kind, device in
            tapes?.append(message, at: now, place: place, kind: kind, device: device)
        }
    }
}

/// The states that a device has just entered, with their title; its update follows, and begins a stage with that title.
struct EnteredStates {
    let device: DeviceKey
    let states: String
    let title: String?
}
