import Logging
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues

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
            announceToHomeAssistant(effect)
            noteAppearance(effect)
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
