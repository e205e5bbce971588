public import SkerryValues

/// One machine: where it is in its chart, what it waits for, what it remembers.
///
/// A plain value that never reads a clock and does not hold its chart: its ``MachineHost`` has it.
/// It tells when it wants to be woken (``nextDeadline``) and is woken with ``fire(upTo:host:)``.
public struct Machine: Sendable {
    /// The active states, the root included; empty before the start.
    public internal(set) var configuration = StateSet()
    /// When the last message came; see ``heard(at:)``.
    public internal(set) var lastHeard = Timestamp.distantPast
    /// Whether the machine came to its end, a final state that is a child of the root.
    ///
    /// Nothing moves it any more; its last states and timers stay visible.
    public internal(set) var isFinished = false

    /// Deadlines handled one after the other at one moment.
    var deadlinesAtOnce: UInt16 = 0
    /// When the active states were entered, the root left out, in document order.
    var entryTimes = EntryTimes()
    @usableFromInline var waits: [Wait] = []
    @usableFromInline var sends: [PendingSend] = []
    @usableFromInline var runningTimers: [NamedTimer] = []
    var histories: [History] = []
    /// Events raised and not yet handled; empty between macrosteps.
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

    /// Whether the machine has started.
    @inlinable public var isStarted: Bool { !configuration.isEmpty }

    /// Whether a state is active.
    @inlinable
    public func isActive(_ state: StateID) -> Bool { configuration.contains(state) }

    /// When an active state was entered last; nil for other states and for the root.
    public func enteredAt(_ state: StateID) -> Timestamp? {
        guard state != .root, configuration.contains(state) else { return nil }
        return entryTimes[configuration.rank(of: state) - 1]
    }

    /// The active states without children, which say everything about the configuration.
    @inlinable
    public func activeAtomicStates(in chart: Statechart) -> StateSet {
        configuration.intersection(chart.atomicStates)
    }

    /// What a history state would lead to now, or nil when it remembers nothing.
    public func history(of state: StateID) -> StateSet? {
        histories.first { $0.state == state }?.remembered
    }

    /// The earliest moment at which something is due, or nil when nothing is waited for.
    @inlinable public var nextDeadline: Deadline? {
        waits.isEmpty && sends.isEmpty && runningTimers.isEmpty ? nil : earliestDeadline
    }

    @usableFromInline var earliestDeadline: Deadline? { earliest()?.deadline }

    /// Takes note of a message: what waits for silence waits from now on.
    ///
    /// - Returns: whether something waits for silence again that had given up.
    @discardableResult
    public mutating func heard(at now: Timestamp) -> Bool {
        lastHeard = max(lastHeard, now)
        if waits.isEmpty { return false }
        var waitsAgain = false
        for index in waits.indices where waits[index].kind == .quiet && waits[index].phase == .spent {
            waits[index].restart(at: now)
            waitsAgain = true
        }
        return waitsAgain
    }

    /// Puts an event into the internal queue of the macrostep that goes on; for hosts within their calls.
    public mutating func raise(_ event: MachineEvent) {
        raised.append(event)
    }

    /// Sends the machine an external event of its own, to be handled when it is due.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - delay: how long to wait; a negative one counts as none.
    ///   - id: the name by which it can be taken back.
    ///   - limit: how many may wait at once.
    ///   - clock: the time, and the order of arming.
    /// - Returns: whether there was room.
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
        return true
    }

    /// Takes back all sends with this id that are still waiting.
    public mutating func cancel(_ id: String) {
        sends.removeAll { send in send.id.map { $0.utf8.elementsEqual(id.utf8) } ?? false }
    }
}

extension Machine {
    enum Source: Equatable {
        case wait(Int)
        case send(Int)
        case timer(Int)
    }

    /// What is due first, and where it is kept.
    func earliest() -> (deadline: Deadline, source: Source)? {
        if isFinished { return nil }
        var best: (deadline: Deadline, source: Source)?
        for (index, wait) in waits.enumerated() {
            guard let deadline = wait.deadline(lastHeard: lastHeard) else { continue }
            if let found = best, found.deadline < deadline { continue }
            best = (deadline, .wait(index))
        }
        for (index, send) in sends.enumerated() {
            if let found = best, found.deadline < send.deadline { continue }
            best = (send.deadline, .send(index))
        }
        for (index, timer) in runningTimers.enumerated() {
            guard case .running = timer.state else { continue }
            if let found = best, found.deadline < timer.deadline { continue }
            best = (timer.deadline, .timer(index))
        }
        return best
    }

    /// Gives up everything that is due by now.
    mutating func giveUpDue(at now: Timestamp) {
        sends.removeAll { $0.deadline.at <= now }
        for index in waits.indices {
            if let due = waits[index].deadline(lastHeard: lastHeard), due.at <= now {
                waits[index].phase = .spent
            }
        }
        for index in runningTimers.indices where runningTimers[index].deadline.at <= now {
            runningTimers[index].elapse()
        }
    }
}
