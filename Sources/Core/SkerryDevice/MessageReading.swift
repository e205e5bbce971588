import SkerryActivity
import SkerryMachine
public import SkerryValues

/// The meaning of a message for a device: what it changed, and who reads that.
public struct MessageReading: Sendable {
    /// The signals that got another value, by their names.
    public var changed: [String]
    /// The event that it raised, if any.
    public var event: String?
    /// True if a guard that needs no event reads something that the message changed.
    public var concernsGuards: Bool
    /// True if the content of the activity reads something that the message changed.
    public var concernsContent: Bool
    /// True if a run was going on when the message came.
    public var isFollowed: Bool
    /// The time for which a guard that reads what changed still has to hold, the shortest of them; nil when none holds and waits.
    public var guardWait: Interval?
    /// The time after which the changed content is published; nil when none waits for that.
    public var contentWait: Interval?
}

extension MessageReading {
    /// Why the message changed signals and nothing else, in a few words.
    public var reasonForSilence: String {
        if let guardWait { return "guard holds, waits \(guardWait.words)" }
        if concernsContent, let contentWait {
            return "the content has changed, and settles for \(contentWait.words)"
        }
        if let event { return "no transition takes the event \(event)" }
        if changed.isEmpty { return "no signal changed" }
        if concernsContent, isFollowed {
            return concernsGuards
                ? "no guard holds, and the content is unchanged within its tolerance"
                : "the content is unchanged within its tolerance"
        }
        if concernsGuards { return "no guard holds" }
        return isFollowed ? "neither guards nor the content read what changed" : "no guard reads what changed"
    }
}

extension Turn {
    /// The meaning of the message whose signals were just taken.
    func messageReading(_ event: String?) -> MessageReading {
        let definition = scene.definition
        let changed = scene.changed
        let content = definition.activity?.contentDependencies
        return MessageReading(
            changed: definition.signalNames.indices.filter { changed.contains($0) }
                .map { definition.signalNames[$0] },
            event: event,
            concernsGuards: definition.machineDependencies.mayHaveChanged(by: changed),
            concernsContent: content?.mayHaveChanged(by: changed) ?? false,
            isFollowed: !run.isEmpty && run[0].activity.phase != .ended
        )
    }

    /// Completes the meaning of a message with what waits now that the machine rests.
    mutating func noteWaits(after changed: SignalSet) {
        let definition = scene.definition
        let waits = machine.pendingTransitions.filter { wait in
            guard case .sustained = definition.chart[wait.transition].trigger, wait.lapsedAt == nil,
                let condition = definition.chart[wait.transition].condition
            else { return false }
            return definition.guardDependencies[Int(condition.rawValue)].mayHaveChanged(by: changed)
        }
        reading?.guardWait = waits.compactMap { wait in wait.due.map { $0.at - scene.now } }.min()
        reading?.contentWait = run.first?.settling.map { $0.due.at - scene.now }
    }
}

extension Interval {
    /// A length in words, to the second; from two minutes on to the minute.
    fileprivate var words: String {
        let seconds = (microseconds + 999_999) / 1_000_000
        if seconds <= 120 { return "\(seconds) s" }
        let minutes = (seconds + 59) / 60
        return minutes % 60 == 0
            ? "\(minutes / 60) h" : minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
