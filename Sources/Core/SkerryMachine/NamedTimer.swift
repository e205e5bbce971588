public import SkerryValues

/// The state of a named timer.
public enum TimerState: Hashable, Sendable {
    /// The timer was not started, or was stopped.
    case stopped
    /// The timer counts down to its end.
    case running(start: Timestamp, end: Timestamp)
    /// The timer counts up without end.
    case countingUp(start: Timestamp)
    /// A paused countdown, with the rest of its whole duration.
    case paused(remaining: Interval, duration: Interval)
    /// A paused count-up.
    case pausedCount(elapsed: Interval)
    /// A countdown that reached zero.
    case elapsed(start: Timestamp, end: Timestamp)
}

/// A timer that was started and not stopped since.
@usableFromInline
struct NamedTimer: Sendable, Hashable {
    @usableFromInline let id: TimerID
    @usableFromInline var state: TimerState
    /// The moment at which a running countdown reaches zero: its end, or the moment of arming if that was later.
    var deadline: Deadline
    /// The moment at which a timer that runs was resumed; nil when it was not paused since its start.
    var resumed: Timestamp?
    /// The time by which a countdown that stands still was late already, because it had stood still before; negative for one that
    /// was told only after the others stood still.
    var lag = Interval.zero

    /// True for a countdown that stands still.
    var isHeld: Bool {
        if case .running = state { deadline.at == .distantFuture } else { false }
    }

    mutating func elapse() {
        guard case .running(let start, let end) = state else { return }
        state = .elapsed(start: start, end: end)
        resumed = nil
    }

    /// The start of a timer that runs.
    fileprivate var start: Timestamp? {
        switch state {
        case .running(let start, _), .countingUp(let start): start
        case .stopped, .paused, .pausedCount, .elapsed: nil
        }
    }

    /// The moment of a pause that began at a moment, as far as that can be: see ``Machine/pauseTimer(_:from:at:)``.
    fileprivate func pauseMoment(from moment: Timestamp?, start: Timestamp, at now: Timestamp) -> Timestamp {
        guard let moment, moment <= now, moment >= max(start, resumed ?? start) else { return now }
        return moment
    }
}

extension Machine {
    /// Returns the state of a timer.
    @inlinable
    public func timer(_ id: TimerID) -> TimerState {
        for timer in runningTimers where timer.id == id { return timer.state }
        return .stopped
    }

    /// Starts a countdown, in place of anything that the timer did before.
    ///
    /// - Parameters:
    ///   - id: The timer.
    ///   - duration: The length of the countdown; a negative one counts as zero.
    ///   - clock: The time, and the order of arming.
    public mutating func startTimer(_ id: TimerID, duration: Interval, on clock: inout MachineClock) {
        let end = clock.now + max(duration, .zero)
        setTimer(id, to: .running(start: clock.now, end: end), on: &clock)
    }

    /// Starts to count up from a moment on, in place of anything that the timer did before.
    public mutating func startTimer(
        _ id: TimerID,
        countingUpFrom start: Timestamp,
        on clock: inout MachineClock
    ) {
        setTimer(id, to: .countingUp(start: start), on: &clock)
    }

    /// Starts a countdown with a known start and end, which may lie in the past.
    ///
    /// - Parameters:
    ///   - id: The timer.
    ///   - start: The beginning of the countdown, from which readers draw its progress.
    ///   - end: The moment at which it reaches zero; a past one is handled now.
    ///   - clock: The time, and the order of arming.
    public mutating func startTimer(
        _ id: TimerID,
        from start: Timestamp,
        until end: Timestamp,
        on clock: inout MachineClock
    ) {
        setTimer(id, to: .running(start: min(start, end), end: end), on: &clock)
    }

    /// Restarts a timer that runs or is paused, with its whole length.
    public mutating func restartTimer(_ id: TimerID, on clock: inout MachineClock) {
        switch timer(id) {
        case .running(let start, let end):
            startTimer(id, duration: end - start, on: &clock)
        case .paused(_, let duration):
            startTimer(id, duration: duration, on: &clock)
            // It was paused, and stays so, with its whole length.
            pauseTimer(id, at: clock.now)
        case .countingUp: startTimer(id, countingUpFrom: clock.now, on: &clock)
        case .pausedCount, .elapsed, .stopped: break
        }
    }

    /// Stops a timer; it is no longer visible and raises nothing.
    public mutating func stopTimer(_ id: TimerID) {
        runningTimers.removeAll { $0.id == id }
    }

    /// Pauses a running timer.
    ///
    /// - Parameters:
    ///   - id: The timer.
    ///   - moment: The moment since which it has been paused. Devices go on reporting that of an earlier pause, so one
    ///     before the start or the last resumption counts as now, as one in the future does.
    ///   - now: The present moment.
    /// - Returns: True if it ran.
    @discardableResult
    public mutating func pauseTimer(
        _ id: TimerID,
        from moment: Timestamp? = nil,
        at now: Timestamp
    ) -> Bool {
        guard let index = runningTimers.firstIndex(where: { $0.id == id }) else { return false }
        let timer = runningTimers[index]
        switch timer.state {
        case .running(let start, let end):
            let paused = timer.pauseMoment(from: moment, start: start, at: now)
            // A deadline that is handled late may lie before the start of a timer: then all of its time remains.
            let remaining = max(end + timerLag(id, at: paused) - max(paused, start), .zero)
            runningTimers[index].state = .paused(remaining: remaining, duration: max(end - start, remaining))
        case .countingUp(let start):
            let paused = timer.pauseMoment(from: moment, start: start, at: now)
            runningTimers[index].state = .pausedCount(elapsed: max(paused - start, .zero))
        case .stopped, .paused, .pausedCount, .elapsed:
            return false
        }
        runningTimers[index].resumed = nil
        runningTimers[index].lag = .zero
        return true
    }

    /// True if the machine entered a state after a countdown reached zero.
    public func hasMoved(sinceZeroOf id: TimerID) -> Bool {
        guard let timer = runningTimers.first(where: { $0.id == id }), case .elapsed = timer.state else {
            return false
        }
        return configuration.contains { state in
            state != .root && entryTimes[configuration.rank(of: state) - 1] > timer.deadline.at
        }
    }

    /// Pauses a countdown that had reached zero too early, with the time that is left.
    ///
    /// - Parameters:
    ///   - id: The timer.
    ///   - remaining: The time that is left.
    ///   - passed: The time that has passed of its whole length.
    public mutating func pauseElapsedTimer(_ id: TimerID, remaining: Interval, after passed: Interval) {
        assert(remaining > .zero, "a countdown is paused at zero")
        assert(passed >= .zero, "a countdown is paused before its start")
        for index in runningTimers.indices where runningTimers[index].id == id {
            runningTimers[index].state = .paused(remaining: remaining, duration: passed + remaining)
        }
    }

    /// Resumes a paused timer: its start and its end move by the length of the pause.
    ///
    /// - Returns: True if it was paused.
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
        for index in runningTimers.indices where runningTimers[index].id == id {
            runningTimers[index].resumed = clock.now
        }
        return true
    }

    /// Moves the end of a running or paused countdown; its start and its place in the order of arming stay.
    ///
    /// - Parameters:
    ///   - id: The timer.
    ///   - length: The length by which the end moves; negative means earlier, but not before now.
    ///   - clock: The time, and the order of arming.
    /// - Returns: True if there was a countdown to move.
    @discardableResult
    public mutating func extendTimer(
        _ id: TimerID,
        by length: Interval,
        on clock: inout MachineClock
    ) -> Bool {
        switch timer(id) {
        case .running(_, let end):
            // Kept: for the order of deadlines at one moment, and for `ClockShift`, it is still the timer that was
            // armed then.
            let former = runningTimers.first { $0.id == id }
            let lag = timerLag(id, at: clock.now)
            adjustTimer(id, end: max(end + length, clock.now), on: &clock)
            for index in runningTimers.indices where runningTimers[index].id == id {
                runningTimers[index].deadline.sequence = former?.deadline.sequence ?? clock.sequence
                if runningTimers[index].isHeld, case .running(_, let newEnd) = runningTimers[index].state {
                    // The end that readers see can't lie in the past, and what is left counts from when it stood still.
                    let left = end + length + (former?.lag ?? .zero)
                    runningTimers[index].lag = max(left, heldSince ?? left) - newEnd
                } else {
                    runningTimers[index].deadline.at = max(end + length + lag, clock.now)
                }
            }
            return true
        case .paused(let remaining, _):
            // As if it ran on from now; `adjustTimer` takes the difference to now again.
            let end = clock.now + max(remaining + length, .zero)
            return adjustTimer(id, end: end, on: &clock)
        case .stopped, .countingUp, .pausedCount, .elapsed:
            return false
        }
    }

    /// Gives a running or paused countdown a new end, and a new start if one is given.
    ///
    /// A running countdown is armed again, even if its end stays the same. A paused one stays paused, with the time
    /// that would remain if it ran now.
    ///
    /// - Parameters:
    ///   - id: The timer.
    ///   - newStart: The beginning of the countdown, from which readers draw its progress; nil leaves it unchanged.
    ///   - end: The moment at which it reaches zero; a past one is handled now.
    ///   - clock: The time, and the order of arming.
    /// - Returns: True if there was a countdown to adjust.
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
            let isHeld = runningTimers[index].isHeld
            setTimer(id, to: .running(start: start, end: end), on: &clock)
            if isHeld { runningTimers[index].deadline.at = .distantFuture }
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
        // Armed in any state: `ClockShift` tells by the number whether a timer was set in this process.
        var deadline = clock.arm(at: .distantFuture)
        // An end in the past is due now, and not at a moment that has been handled.
        if case .running(_, let end) = state { deadline.at = max(end, clock.now) }
        if case .running(let start, let end) = state { assert(start <= end, "a timer ends before it starts") }
        var timer = NamedTimer(id: id, state: state, deadline: deadline)
        if let index = runningTimers.firstIndex(where: { $0.id == id }) {
            // A timer that keeps its start has only another end.
            if runningTimers[index].start == timer.start { timer.resumed = runningTimers[index].resumed }
            runningTimers[index] = timer
        } else {
            runningTimers.append(timer)
        }
        assert(deadline.at >= clock.now, "a countdown reaches zero at a moment that has been handled")
        assert(self.timer(id) == state, "a timer that was set has another state")
    }
}
