public import SkerryValues

/// Where a named timer stands.
public enum TimerState: Hashable, Sendable {
    /// Not started, or stopped.
    case stopped
    /// Counting down to its end.
    case running(start: Timestamp, end: Timestamp)
    /// Counting up without end.
    case countingUp(start: Timestamp)
    /// A countdown held: what remains of its whole duration.
    case paused(remaining: Interval, duration: Interval)
    /// A count-up held.
    case pausedCount(elapsed: Interval)
    /// A countdown that reached zero.
    case elapsed(start: Timestamp, end: Timestamp)
}

/// A timer that was started and not stopped since.
@usableFromInline
struct NamedTimer: Sendable, Hashable {
    @usableFromInline let id: TimerID
    @usableFromInline var state: TimerState
    /// When a running countdown reaches zero: its end, or the moment of arming when the end was past by then.
    var deadline: Deadline

    mutating func elapse() {
        guard case .running(let start, let end) = state else { return }
        state = .elapsed(start: start, end: end)
    }
}

extension Machine {
    /// Where a timer stands.
    @inlinable
    public func timer(_ id: TimerID) -> TimerState {
        for timer in runningTimers where timer.id == id { return timer.state }
        return .stopped
    }

    /// Starts a countdown anew, whatever the timer did before.
    ///
    /// - Parameters:
    ///   - id: the timer.
    ///   - duration: how long it counts down; a negative one counts as zero.
    ///   - clock: the time, and the order of arming.
    public mutating func startTimer(_ id: TimerID, duration: Interval, on clock: inout MachineClock) {
        let end = clock.now + max(duration, .zero)
        setTimer(id, to: .running(start: clock.now, end: end), on: &clock)
    }

    /// Lets a timer count up from a moment on, whatever it did before.
    public mutating func startTimer(
        _ id: TimerID,
        countingUpFrom start: Timestamp,
        on clock: inout MachineClock
    ) {
        setTimer(id, to: .countingUp(start: start), on: &clock)
    }

    /// Starts a countdown of which start and end are known, also when they lie in the past.
    ///
    /// - Parameters:
    ///   - id: the timer.
    ///   - start: when the countdown began, for those who show how much of it is over.
    ///   - end: when it reaches zero; a past one is handled now.
    ///   - clock: the time, and the order of arming.
    public mutating func startTimer(
        _ id: TimerID,
        from start: Timestamp,
        until end: Timestamp,
        on clock: inout MachineClock
    ) {
        setTimer(id, to: .running(start: min(start, end), end: end), on: &clock)
    }

    /// Starts a timer that runs or stands still anew, with its whole length.
    public mutating func restartTimer(_ id: TimerID, on clock: inout MachineClock) {
        switch timer(id) {
        case .running(let start, let end):
            startTimer(id, duration: end - start, on: &clock)
        case .paused(_, let duration):
            startTimer(id, duration: duration, on: &clock)
            pauseTimer(id, at: clock.now)
        case .countingUp: startTimer(id, countingUpFrom: clock.now, on: &clock)
        case .pausedCount, .elapsed, .stopped: break
        }
    }

    /// Stops a timer; it is no longer visible and raises nothing.
    public mutating func stopTimer(_ id: TimerID) {
        runningTimers.removeAll { $0.id == id }
    }

    /// Holds a running timer where it is.
    ///
    /// - Returns: whether it ran.
    @discardableResult
    public mutating func pauseTimer(_ id: TimerID, at now: Timestamp) -> Bool {
        guard let index = runningTimers.firstIndex(where: { $0.id == id }) else { return false }
        switch runningTimers[index].state {
        case .running(let start, let end):
            // A timer that begins only later has all of its time: what is handled late may lie before its start.
            let remaining = max(end - max(now, start), .zero)
            runningTimers[index].state = .paused(remaining: remaining, duration: end - start)
        case .countingUp(let start):
            runningTimers[index].state = .pausedCount(elapsed: max(now - start, .zero))
        case .stopped, .paused, .pausedCount, .elapsed:
            return false
        }
        return true
    }

    /// Lets a paused timer go on: its start and its end move by the length of the pause.
    ///
    /// - Returns: whether it was paused.
    @discardableResult
    public mutating func resumeTimer(_ id: TimerID, on clock: inout MachineClock) -> Bool {
        switch timer(id) {
        case .paused(let remaining, let duration):
            let end = clock.now + remaining
            setTimer(id, to: .running(start: end - duration, end: end), on: &clock)
        case .pausedCount(let elapsed):
            setTimer(id, to: .countingUp(start: clock.now - elapsed), on: &clock)
        case .stopped, .running, .countingUp, .elapsed:
            return false
        }
        return true
    }

    /// Moves the end of a running or paused countdown; its start stays, and it counts as armed when it was before.
    ///
    /// - Parameters:
    ///   - id: the timer.
    ///   - length: how much later the end comes; earlier when negative, but not before now.
    ///   - clock: the time, and the order of arming.
    /// - Returns: whether there was a countdown to move.
    @discardableResult
    public mutating func extendTimer(
        _ id: TimerID,
        by length: Interval,
        on clock: inout MachineClock
    ) -> Bool {
        switch timer(id) {
        case .running(_, let end):
            let armed = runningTimers.first { $0.id == id }?.deadline.sequence
            adjustTimer(id, end: max(end + length, clock.now), on: &clock)
            for index in runningTimers.indices where runningTimers[index].id == id {
                runningTimers[index].deadline.sequence = armed ?? clock.sequence
            }
            return true
        case .paused(let remaining, _):
            let end = clock.now + max(remaining + length, .zero)
            return adjustTimer(id, end: end, on: &clock)
        case .stopped, .countingUp, .pausedCount, .elapsed:
            return false
        }
    }

    /// Gives a running or paused countdown a new end; its start stays unless it gets a new one, too.
    ///
    /// A running one counts as armed anew, also when the end is the one it had. A paused one stays paused, with what
    /// would remain if it ran now.
    ///
    /// - Parameters:
    ///   - id: the timer.
    ///   - newStart: when the countdown began, for those who show how much of it is over; nil leaves it as it is.
    ///   - end: when it reaches zero; a past one is handled now.
    ///   - clock: the time, and the order of arming.
    /// - Returns: whether there was a countdown to adjust.
    @discardableResult
    public mutating func adjustTimer(
        _ id: TimerID,
        start newStart: Timestamp? = nil,
        end: Timestamp,
        on clock: inout MachineClock
    ) -> Bool {
        guard let index = runningTimers.firstIndex(where: { $0.id == id }) else { return false }
        switch runningTimers[index].state {
        case .running(let former, _):
            let start = min(newStart ?? former, end)
            setTimer(id, to: .running(start: start, end: end), on: &clock)
        case .paused(let remaining, let duration):
            let left = max(end - clock.now, .zero)
            let over = newStart.map { max(clock.now - $0, .zero) } ?? (duration - remaining)
            runningTimers[index].state = .paused(remaining: left, duration: over + left)
        case .stopped, .countingUp, .pausedCount, .elapsed:
            return false
        }
        return true
    }

    private mutating func setTimer(
        _ id: TimerID,
        to state: TimerState,
        on clock: inout MachineClock
    ) {
        var deadline = clock.arm(at: .distantFuture)
        if case .running(_, let end) = state { deadline.at = max(end, clock.now) }
        let timer = NamedTimer(id: id, state: state, deadline: deadline)
        if let index = runningTimers.firstIndex(where: { $0.id == id }) {
            runningTimers[index] = timer
        } else {
            runningTimers.append(timer)
        }
    }
}
