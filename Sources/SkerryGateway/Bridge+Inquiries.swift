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
            letter.then(reply(to: letter.question, at: now))
            if case .devices = letter.question { return }
        }
    }

    private func reply(to question: BridgeQuestion, at now: Timestamp) -> BridgeReply {
        switch question {
        case .devices:
            var writer = JSONWriter(capacity: 16_384)
            writer.beginArray()
            engine.summarize(limit: BridgeQuestion.devicesLimit, at: now, to: &writer)
            return .devices(writer, count: engine.deviceCount)
        case .device(let device):
            var writer = JSONWriter(capacity: 4096)
            writer.beginObject()
            return explain(device.kind, device.name, at: now, to: &writer) ? .device(writer) : .noDevice
        case .status: return .status(status(at: now))
        case .deviceCounts:
            var counts: [String: Int] = [:]
            engine.forEachDevice { kind, _ in counts[kind, default: 0] += 1 }
            return .deviceCounts(counts)
        case .runs(let kind, let device): return .runs(currentRuns(kind: kind, device: device))
        case .tape(let device):
            if engine.device(kind: device.kind, named: device.name) == nil { return .noDevice }
            return tapes?.tape(of: device, at: now).map { .tape($0) } ?? .noTape
        case .response(let publication):
            announce(publication)
            return .done
        case .event(let device, let name):
            if engine.device(kind: device.kind, named: device.name) == nil { return .noDevice }
            do throws(Command.Refusal) {
                let command = try Command(kind: device.kind, device: device.name, event: name)
                take(command, isRetained: false, at: now)
                return .done
            } catch {
                return .refused(error.message)
            }
        }
    }

    private func status(at now: Timestamp) -> BridgeStatus {
        BridgeStatus(
            version: options.version,
            startedAt: health.startedAt,
            prefix: options.prefix,
            isConnected: isConnected,
            connectionSince: connectionSince ?? health.startedAt,
            messages: engine.counters.messages,
            updates: engine.counters.updates,
            isStoring: nextCommit == nil,
            health: healthReport(at: now).payload,
            recordLength: recordLength
        )
    }

    private func currentRuns(kind: String?, device: String?) -> [CurrentRun] {
        var runs: [CurrentRun] = []
        engine.forEachDevice { deviceKind, found in
            guard runs.count < Self.currentRunLimit, kind.map({ $0 == deviceKind }) ?? true,
                device.map({ $0 == found.name }) ?? true, let activity = found.activity,
                activity.phase != .ended
            else { return }
            let run = CurrentRun(
                id: activity.id,
                device: DeviceKey(kind: deviceKind, name: found.name),
                startedAt: activity.startedAt,
                revisions: activity.rev
            )
            runs.append(run)
        }
        return runs
    }

    /// Notes the stage of a run that an update begins.
    func noteStage(of update: ActivityUpdate, kind: String, device: String) {
        guard options.history.activities > 0, update.phase != .ended,
            update.kind == .started || update.patch?["state"] != nil
        else { return }
        let title = engine.title(ofStates: update.state, kind: kind, device: device, at: update.at)
        let from = update.kind == .started ? update.startedAt : update.at
        changes.stages.append(
            RunStage(activity: update.id, state: update.state, title: title, from: from)
        )
    }

    /// Keeps the messages of each device for a time from now on; those that were kept so far are dropped.
    func keepMessages(for length: Interval) {
        recordLength = length
        tapes = MessageTapes(length: length)
    }

    /// Keeps a message for the recordings of its devices.
    func keep(_ message: MessageBatch.Message, at now: Timestamp) {
        engine.forEachDevice(of: message.topic) { place, kind, device in
            tapes?.append(message, at: now, place: place, kind: kind, device: device)
        }
    }
}
