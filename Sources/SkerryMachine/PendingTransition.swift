public import SkerryValues

/// A transition that waits for its time, as it stands; for people who ask.
public struct PendingTransition: Sendable {
    /// The transition.
    public let transition: TransitionID
    /// When the wait began: with the entry of its state, the last message, or when its condition turned true.
    public let since: Timestamp
    /// When it is over; nil when it is, and only waits for its condition to hold again or for a message.
    public let due: Deadline?
    /// Since when its condition does not hold, which is forgiven for a while; nil while it holds.
    public let lapsedAt: Timestamp?
}

extension Machine {
    /// The transitions that wait for their time, in the order of arming.
    public var pendingTransitions: [PendingTransition] {
        waits.map { wait in
            PendingTransition(
                transition: wait.transition,
                since: wait.kind == .quiet ? max(wait.since, lastHeard) : wait.since,
                due: isFinished ? nil : wait.deadline(lastHeard: lastHeard),
                lapsedAt: wait.isLapsed ? wait.lapsedAt : nil
            )
        }
    }

    /// The events that the machine has sent itself and that are not due yet, in the order of sending.
    public var pendingEvents: [(name: String, due: Deadline)] {
        sends.map { ($0.event.name, $0.deadline) }
    }

    /// When a running countdown reaches zero; nil for a timer that does something else.
    public func deadline(of timer: TimerID) -> Deadline? {
        for running in runningTimers where running.id == timer {
            if case .running = running.state { return running.deadline }
        }
        return nil
    }
}
