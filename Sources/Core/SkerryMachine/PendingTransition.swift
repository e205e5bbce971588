public import SkerryValues

/// A transition that waits for its time, for explanations.
public struct PendingTransition: Sendable {
    /// The transition.
    public let transition: TransitionID
    /// The beginning of the wait: the entry of its state, the last message, or the moment its condition became true.
    public let since: Timestamp
    /// The end of the wait; nil when that has passed and only the condition or a message is missing.
    public let due: Deadline?
    /// The beginning of a lapse of its condition, which is forgiven for a while; nil while the condition holds.
    public let lapsedAt: Timestamp?
    /// True if it stands still; see ``Machine/hold(at:timers:)``.
    public let isHeld: Bool
}

extension Machine {
    /// The transitions that wait for their time, in the order of arming.
    public var pendingTransitions: [PendingTransition] {
        waits.map { wait in
            PendingTransition(
                transition: wait.transition,
                since: wait.kind == .quiet ? max(wait.since, lastHeard) : wait.since,
                due: isFinished ? nil : deadline(of: wait),
                lapsedAt: wait.isLapsed ? wait.lapsedAt : nil,
                isHeld: isHeld(wait)
            )
        }
    }

    /// The events that the machine has sent to itself and that are not due yet, in the order of sending.
    public var pendingEvents: [(name: String, due: Deadline)] {
        sends.map { ($0.event.name, $0.deadline) }
    }

    /// True if a countdown reaches zero at the next deadline.
    public var isTimerDue: Bool {
        if case .timer? = earliest()?.source { true } else { false }
    }

    /// Returns the moment at which a running countdown reaches zero; nil for any other timer.
    public func deadline(of timer: TimerID) -> Deadline? {
        for running in runningTimers where running.id == timer {
            if case .running = running.state, running.deadline.at != .distantFuture {
                return running.deadline
            }
        }
        return nil
    }
}
