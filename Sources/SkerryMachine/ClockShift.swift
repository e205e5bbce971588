public import SkerryValues

extension Machine {
    /// Moves every moment that is known by the same length, because the wall clock was set.
    ///
    /// What waits goes on waiting as long as before.
    ///
    /// - Parameters:
    ///   - length: how far the clock stepped.
    ///   - isFixed: whether a timer ends at a time of day that stays what it is.
    public mutating func move(by length: Interval, except isFixed: (TimerID) -> Bool = { _ in false }) {
        if lastHeard != .distantPast { lastHeard = lastHeard + length }
        entryTimes.move(by: length)
        for index in waits.indices { waits[index].move(by: length) }
        for index in sends.indices { sends[index].deadline.move(by: length) }
        for index in runningTimers.indices where !isFixed(runningTimers[index].id) {
            runningTimers[index].move(by: length)
        }
    }

    /// Lets silence count for nothing for a while in which nobody listened.
    public mutating func forgiveSilence(_ length: Interval) {
        guard length > .zero else { return }
        if lastHeard != .distantPast { lastHeard = lastHeard + length }
        for index in waits.indices { waits[index].forgive(length) }
    }

    /// Gives up waiting for silence, for a machine that lives through what is to come.
    public mutating func neverFallSilent() {
        for index in waits.indices where waits[index].kind == .quiet { waits[index].phase = .spent }
    }

    /// Moves a running timer by a length of time, as if it had stood still for so long.
    public mutating func postponeTimer(_ id: TimerID, by length: Interval) {
        for index in runningTimers.indices where runningTimers[index].id == id {
            if case .elapsed = runningTimers[index].state { continue }
            runningTimers[index].move(by: length)
        }
    }
}

extension NamedTimer {
    mutating func move(by length: Interval) {
        switch state {
        case .running(let start, let end): state = .running(start: start + length, end: end + length)
        case .countingUp(let start): state = .countingUp(start: start + length)
        case .elapsed(let start, let end): state = .elapsed(start: start + length, end: end + length)
        case .stopped, .paused, .pausedCount: break
        }
        deadline.move(by: length)
    }
}

extension Deadline {
    /// Moves the deadline by a length of time; one that never comes stays so.
    public mutating func move(by length: Interval) {
        if at != .distantFuture { at = at + length }
    }
}
