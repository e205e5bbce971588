public import SkerryValues

/// A running statechart: its active states, waits, timers and history.
///
/// A machine is a plain value. It never reads a clock, and its ``MachineHost`` holds its chart. The owner wakes it at
/// ``nextDeadline`` with ``fire(upTo:host:)``.
public struct Machine: Sendable {
    /// The active states, the root included; empty before the start.
    public internal(set) var configuration = StateSet()
    /// The time of the last message; see ``heard(at:)``.
    public internal(set) var lastHeard = Timestamp.distantPast
    /// The moment since which the bridge listens: silence can't have begun before.
    ///
    /// While ``isDeaf``, the moment since which it does not.
    public var listensSince = Timestamp.distantPast
    /// The time in which the bridge did not listen since the last message, which does not count as silence.
    public var forgiven = Interval.zero
    /// The moment since which waits stand still; nil while they run.
    ///
    /// See ``hold(at:timers:)``.
    public var heldSince: Timestamp?
    /// True once the machine has come to its end, a final state that is a child of the root.
    ///
    /// A finished machine takes no more transitions; its last states and timers stay visible.
    public internal(set) var isFinished = false
    /// True while no message can come, as without a broker: waits for silence stand still; see ``listen(since:at:)``.
    public internal(set) var isDeaf = false

    /// The number of deadlines that were handled one after the other at one moment.
    var deadlinesAtOnce: UInt16 = 0
    /// The times at which the active states were entered, in document order, without the root.
    var entryTimes = EntryTimes()
    @usableFromInline var waits: [Wait] = []
    @usableFromInline var sends: [PendingSend] = []
    @usableFromInline var runningTimers: [NamedTimer] = []
    var histories: [History] = []
    /// The events raised and not yet handled; empty between macrosteps.
    var raised: [MachineEvent] = []

    struct History: Sendable, Hashable {
        let state: StateID
        var remembered: StateSet
    }

    @usableFromInline
    struct PendingSend: Sendable, Hashable {
        let event: MachineEvent
        let id: String?
        var deadline: Deadline
    }

    /// Makes a machine that has not started.
    public init() {}

    /// The moment since which no message can come; nil while the bridge listens.
    public var deafSince: Timestamp? { isDeaf ? listensSince : nil }

    /// True once the machine has started.
    @inlinable public var isStarted: Bool { !configuration.isEmpty }

    /// True if a state is active.
    @inlinable
    public func isActive(_ state: StateID) -> Bool { configuration.contains(state) }

    /// Returns the time at which an active state was entered; nil for other states and for the root.
    public func enteredAt(_ state: StateID) -> Timestamp? {
        guard state != .root, configuration.contains(state) else { return nil }
        // Less one: the root has a rank, but no entry time.
        return entryTimes[configuration.rank(of: state) - 1]
    }

    /// Returns the active states without children, from which all other active states follow.
    @inlinable
    public func activeAtomicStates(in chart: Statechart) -> StateSet {
        configuration.intersection(chart.atomicStates)
    }

    /// Returns the states to which a history state would lead now, or nil when it remembers none.
    public func history(of state: StateID) -> StateSet? {
        histories.first { $0.state == state }?.remembered
    }

    /// The earliest moment at which something is due, or nil when the machine waits for nothing.
    @inlinable public var nextDeadline: Deadline? {
        waits.isEmpty && sends.isEmpty && runningTimers.isEmpty ? nil : earliestDeadline
    }

    @usableFromInline var earliestDeadline: Deadline? { earliest()?.deadline }

    /// All deadlines that it holds, also those that do not count now.
    public var allDeadlines: [Deadline] {
        waits.map { $0.due } + sends.map { $0.deadline } + runningTimers.map { $0.deadline }
    }

    /// True if a countdown has no deadline, as only those have that stand still; see ``hold(at:timers:)``.
    public var hasHeldTimers: Bool { runningTimers.contains { $0.isHeld } }

    /// Notes the arrival of a message: silence counts from now on.
    ///
    /// - Returns: True if a wait for silence that was over begins again.
    @discardableResult
    public mutating func heard(at now: Timestamp) -> Bool {
        lastHeard = max(lastHeard, now)
        forgiven = .zero
        if waits.isEmpty { return false }
        var waitsAgain = false
        // Only those that are over: one that is armed counts from `lastHeard` by itself (0009).
        for index in waits.indices where waits[index].kind == .quiet && waits[index].phase == .spent {
            waits[index].restart(at: now)
            waitsAgain = true
        }
        return waitsAgain
    }

    /// Puts an event into the internal queue of the present macrostep; for hosts within their calls.
    public mutating func raise(_ event: MachineEvent) {
        raised.append(event)
    }

    /// Sends the machine an external event of its own, which is handled when it is due.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - delay: The time until the event is due; a negative delay counts as none.
    ///   - id: The name by which it can be cancelled.
    ///   - limit: The number of events that may wait at once.
    ///   - clock: The time, and the order of arming.
    /// - Returns: True if there was room.
    @discardableResult
    public mutating func send(
        _ event: MachineEvent,
        after delay: Interval = .zero,
        id: String? = nil,
        limit: Int = Statechart.Limits().pendingSends,
        on clock: inout MachineClock
    ) -> Bool {
        guard !isFinished, sends.count < limit else { return false }
        let due = clock.arm(at: clock.now + max(delay, .zero))
        sends.append(PendingSend(event: event, id: id, deadline: due))
        assert(sends.count <= limit, "more events wait than the limit allows")
        return true
    }

    /// Cancels all sent events with this id that are not due yet.
    public mutating func cancel(_ id: String) {
        // `==` would take ids for the same that are only canonically equivalent.
        sends.removeAll { send in send.id.map { $0.hasSameCodePoints(as: id) } ?? false }
    }
}

extension Machine {
    enum Source: Equatable {
        case wait(Int)
        case send(Int)
        case timer(Int)
    }

    /// Returns the earliest deadline, and the place that holds it.
    func earliest() -> (deadline: Deadline, source: Source)? {
        if isFinished { return nil }
        var best: (deadline: Deadline, source: Source)?
        for (index, wait) in waits.enumerated() {
            guard let deadline = deadline(of: wait) else { continue }
            // No two are equal, because each was armed with a number of its own.
            if let found = best, found.deadline < deadline { continue }
            best = (deadline, .wait(index))
        }
        for (index, send) in sends.enumerated() {
            if let found = best, found.deadline < send.deadline { continue }
            best = (send.deadline, .send(index))
        }
        for (index, timer) in runningTimers.enumerated() {
            // A timer that counts up has a deadline in the distant future, which must not keep the owner awake.
            // So has a countdown that stands still.
            guard case .running = timer.state, timer.deadline.at != .distantFuture else { continue }
            if let found = best, found.deadline < timer.deadline { continue }
            best = (timer.deadline, .timer(index))
        }
        return best
    }

    /// Gives up every wait, sent event and timer that is due by now.
    mutating func giveUpDue(at now: Timestamp) {
        sends.removeAll { $0.deadline.at <= now }
        for index in waits.indices {
            if let due = deadline(of: waits[index]), due.at <= now {
                waits[index].phase = .spent
            }
        }
        for index in runningTimers.indices where runningTimers[index].deadline.at <= now {
            // Without its event: raising it is what did not come to an end.
            runningTimers[index].elapse()
        }
    }
}
