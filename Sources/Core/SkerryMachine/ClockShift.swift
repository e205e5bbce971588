public import SkerryValues

/// The beginning of a process: its moment, and its place among all deadlines.
///
/// Waits and timers from before the beginning were restored from the store.
public struct TimeOrigin: Hashable, Sendable {
    /// The start of the process.
    public var moment: Timestamp
    /// The first number of a deadline that was armed in the process.
    public var sequence: UInt64

    /// Makes an origin.
    public init(moment: Timestamp, sequence: UInt64) {
        self.moment = moment
        self.sequence = sequence
    }

    /// The origin that lies before everything.
    public static let beginning = TimeOrigin(moment: .distantPast, sequence: 0)
}

/// The length by which moments move because the wall clock was set, and the origin from which on they move.
///
/// See docs/decisions/0021-clock-steps.md and 0042-moments-move.md.
public struct ClockShift: Sendable {
    /// The length of the move; negative means back.
    public let length: Interval
    /// The origin from which on moments move; earlier ones stay, because the time since then has really passed.
    public let origin: TimeOrigin

    /// Makes a shift of the moments from an origin on.
    ///
    /// Only a clock that is found has an origin, and that was behind: a clock that is set back moves everything. Otherwise a
    /// wait that stands still could begin, by the moved clock, after the moment since which it does.
    public init(by length: Interval, since origin: TimeOrigin = .beginning) {
        assert(length >= .zero || origin == .beginning, "a clock is found that was ahead")
        self.length = length
        self.origin = origin
    }

    /// Returns a moment as it is after the shift.
    public func moved(_ moment: Timestamp) -> Timestamp {
        moment >= origin.moment ? moment + length : moment
    }

    /// Moves a deadline, if it was armed after the origin.
    public func move(_ deadline: inout Deadline?) {
        if let armed = deadline, moves(armed) { deadline?.move(by: length) }
    }

    func moves(_ deadline: Deadline) -> Bool { deadline.sequence >= origin.sequence }
}

/// The behaviour of a timer when the wall clock is set.
public enum TimerShift: Sendable {
    /// The timer moves if it was armed after the origin.
    case whenArmed
    /// The timer always moves, because it pauses or restarts over a downtime.
    case always
    /// The timer ends at a time of day, which does not move; only its start does.
    case startOnly
}

extension Machine {
    /// Moves waits, sent events and timers by one length, because the wall clock was set.
    ///
    /// A wait that moves lasts as long as before. Waits for silence always move, because silence counts only while the
    /// bridge listens.
    ///
    /// - Parameters:
    ///   - shift: The length and the origin of the move.
    ///   - rule: The behaviour of each timer.
    public mutating func move(by shift: ClockShift, timers rule: (TimerID) -> TimerShift) {
        // Always, as silence does: the gateway did not listen in the time that is found.
        if lastHeard != .distantPast { lastHeard = lastHeard + shift.length }
        entryTimes.move(by: shift)
        let held = heldSince.map { shift.moved($0) - $0 } ?? .zero
        heldSince = heldSince.map { $0 + held }
        if isDeaf { listensSince = listensSince + shift.length }
        for index in waits.indices { waits[index].move(by: shift) }
        for index in sends.indices where shift.moves(sends[index].deadline) {
            sends[index].deadline.move(by: shift.length)
        }
        for index in runningTimers.indices {
            let former = runningTimers[index].state
            runningTimers[index].move(by: shift, rule(runningTimers[index].id))
            guard runningTimers[index].isHeld, case .running(_, let before) = former,
                case .running(_, let after) = runningTimers[index].state
            else { continue }
            // What is left is counted between its end and the moment since which it stands still.
            runningTimers[index].lag = runningTimers[index].lag + held - (after - before)
        }
    }

    /// Moves a running timer by a length of time, as if it had been paused for that long.
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
            // The start may have moved beyond the end, and no reader could draw that.
            state = .running(start: min(shift.moved(start), end), end: end)
            resumed = resumed.map { shift.moved($0) }
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
        resumed = resumed.map { $0 + length }
        deadline.move(by: length)
    }
}

extension Deadline {
    /// Moves the deadline by a length of time; a deadline that never comes stays in the distant future.
    public mutating func move(by length: Interval) {
        if at != .distantFuture { at = at + length }
    }
}
