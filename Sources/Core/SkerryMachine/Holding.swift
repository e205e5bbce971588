public import SkerryValues

// Waits that stand still, because nothing can be known of what they wait for.

extension Machine {
    /// Holds time back: waits for a time in a state or for a condition stand still, and so do the given countdowns.
    ///
    /// What is armed from now on runs. Readers see no difference: a countdown keeps its end, but does not reach it.
    ///
    /// - Parameters:
    ///   - now: The moment since which they stand still.
    ///   - isHeld: Returns true for a countdown that stands still.
    public mutating func hold(at now: Timestamp, timers isHeld: (TimerID) -> Bool) {
        heldSince = now
        for index in runningTimers.indices where isHeld(runningTimers[index].id) {
            guard case .running(_, let end) = runningTimers[index].state else { continue }
            assert(!runningTimers[index].isHeld, "a countdown that stands still is held again")
            runningTimers[index].lag = max(runningTimers[index].deadline.at - end, .zero)
            runningTimers[index].deadline.at = .distantFuture
        }
    }

    /// Holds a countdown back that was started or adjusted while others stand still: it has the time left from now on.
    ///
    /// Does nothing while nothing stands still.
    public mutating func holdTimer(_ id: TimerID, at now: Timestamp) {
        guard let heldSince else { return }
        for index in runningTimers.indices where runningTimers[index].id == id {
            guard case .running = runningTimers[index].state else { continue }
            // As if it had been early by the time until now.
            runningTimers[index].lag = heldSince - now
            runningTimers[index].deadline.at = .distantFuture
        }
    }

    /// Lets time go on: what stood still has the time left that it had.
    ///
    /// A countdown keeps its end all the same, because the device most likely went on with what it did, and will say so.
    ///
    /// - Parameter now: The moment from which time counts again.
    public mutating func release(at now: Timestamp) {
        guard let heldSince else { return }
        for index in waits.indices where isHeld(waits[index]) { waits[index].postpone(by: now - heldSince) }
        for index in runningTimers.indices where runningTimers[index].isHeld {
            guard case .running(_, let end) = runningTimers[index].state else { continue }
            runningTimers[index].deadline.at = now + max(end + runningTimers[index].lag - heldSince, .zero)
            runningTimers[index].lag = .zero
        }
        self.heldSince = nil
        assert(!runningTimers.contains { $0.isHeld }, "a countdown stands still after time has gone on")
    }

    /// True if a countdown stands still.
    public func isTimerHeld(_ id: TimerID) -> Bool {
        heldSince != nil && runningTimers.contains { $0.id == id && $0.isHeld }
    }

    /// The time by which a countdown reaches zero later than readers see, because it stood still, or does.
    public func timerLag(_ id: TimerID, at now: Timestamp) -> Interval {
        guard let timer = runningTimers.first(where: { $0.id == id }), case .running(_, let end) = timer.state
        else {
            return .zero
        }
        if timer.isHeld { return timer.lag + (heldSince.map { max(now - $0, .zero) } ?? .zero) }
        return max(timer.deadline.at - end, .zero)
    }

    /// True if a wait stands still.
    func isHeld(_ wait: Wait) -> Bool {
        // Silence stands still by `isDeaf`, a moment with its countdown, and a time of day comes all the
        // same.
        guard let heldSince, wait.kind == .after || wait.kind == .sustained else { return false }
        return wait.since < heldSince
    }

    /// Returns the end of a wait; nil when no end is to come, or not before the wait goes on.
    func deadline(of wait: Wait) -> Deadline? {
        isHeld(wait) || isDeaf(wait) ? nil : wait.deadline(lastHeard: lastHeard)
    }
}
