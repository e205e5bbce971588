public import SkerryValues

/// The moment, and the place among all deadlines, from which on a process has lived.
///
/// What began or was armed before that was given back to it.
public struct TimeOrigin: Hashable, Sendable {
    /// What began at this moment or later began in the process.
    public var moment: Timestamp
    /// What was armed with this number or a later one was armed in the process.
    public var sequence: UInt64

    /// Makes an origin.
    public init(moment: Timestamp, sequence: UInt64) {
        self.moment = moment
        self.sequence = sequence
    }

    /// Before everything.
    public static let beginning = TimeOrigin(moment: .distantPast, sequence: 0)
}

/// By how much moments move because the wall clock was set, and which of them.
///
/// See docs/decisions/0021-clock-steps.md.
public struct ClockShift: Sendable {
    /// How far they move; back when negative.
    public let length: Interval
    /// What began before it stays where it is, because the time has passed for it.
    public let origin: TimeOrigin

    /// Makes a shift of what began after an origin.
    public init(by length: Interval, since origin: TimeOrigin = .beginning) {
        self.length = length
        self.origin = origin
    }

    /// A moment as it is after the shift.
    public func moved(_ moment: Timestamp) -> Timestamp {
        moment >= origin.moment ? moment + length : moment
    }

    /// Moves a deadline, if it was armed after the origin.
    public func move(_ deadline: inout Deadline?) {
        if let armed = deadline, moves(armed) { deadline?.move(by: length) }
    }

    func moves(_ deadline: Deadline) -> Bool { deadline.sequence >= origin.sequence }
}

/// What a timer does when the wall clock is set.
public enum TimerShift: Sendable {
    /// It moves when it was armed after the origin.
    case whenArmed
    /// It moves: it stands still or begins anew while nobody counts.
    case always
    /// It ends at a time of day that stays what it is.
    case startOnly
}

extension Machine {
    /// Moves what is known by the same length, because the wall clock was set.
    ///
    /// What moves goes on waiting as long as before. Silence always does, for it counts only while somebody listens.
    ///
    /// - Parameters:
    ///   - shift: how far the clock was set, and what moves with it.
    ///   - rule: what a timer does.
    public mutating func move(by shift: ClockShift, timers rule: (TimerID) -> TimerShift) {
        if lastHeard != .distantPast { lastHeard = lastHeard + shift.length }
        entryTimes.move(by: shift)
        for index in waits.indices { waits[index].move(by: shift) }
        for index in sends.indices where shift.moves(sends[index].deadline) {
            sends[index].deadline.move(by: shift.length)
        }
        for index in runningTimers.indices {
            runningTimers[index].move(by: shift, rule(runningTimers[index].id))
        }
    }

    /// Lets silence count for nothing for a while in which nobody listened.
    ///
    /// See docs/decisions/0011-silence.md.
    public mutating func forgiveSilence(_ length: Interval) {
        guard length > .zero else { return }
        if lastHeard != .distantPast { lastHeard = lastHeard + length }
        for index in waits.indices { waits[index].forgive(length) }
    }

    /// Whether something waits for silence.
    public var waitsForSilence: Bool { waits.contains { $0.kind == .quiet && $0.phase == .armed } }

    /// Gives up waiting for silence, for a machine that lives through what is to come.
    ///
    /// See docs/decisions/0026-the-future-is-lived.md.
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
    mutating func move(by shift: ClockShift, _ rule: TimerShift) {
        switch (rule, state) {
        case (.startOnly, .running(let start, let end)):
            state = .running(start: min(shift.moved(start), end), end: end)
        case (.startOnly, .elapsed(let start, let end)):
            state = .elapsed(start: min(shift.moved(start), end), end: end)
        case (.always, .running), (.always, .countingUp):
            move(by: shift.length)
        default:
            if shift.moves(deadline) { move(by: shift.length) }
        }
    }

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
