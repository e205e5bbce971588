public import SkerryValues

/// An event as the machine sees it.
public struct MachineEvent: Hashable, Sendable {
    /// The name, tokens separated by dots.
    public let name: String
    /// The host's own number for what came with the event, 0 for nothing; the machine only hands it on.
    public let data: UInt32

    /// Makes an event.
    public init(_ name: String, data: UInt32 = 0) {
        self.name = name
        self.data = data
    }
}

/// The circumstances under which a condition is looked at or an action done.
public struct Occasion: Sendable {
    /// The event handled last in this macrostep; nil as long as there was none.
    public internal(set) var event: MachineEvent?
    /// When the condition of the sustained transition taken first in this macrostep turned true.
    public internal(set) var since: Timestamp?

    init(event: MachineEvent? = nil) { self.event = event }
}

/// The time of a call, and the order of arming.
///
/// Nothing in layer 0 reads the time of day: each call brings its own.
public struct MachineClock: Sendable {
    /// The time.
    public var now: Timestamp
    /// The number of the next deadline; deadlines due at the same time are handled in the order of their numbers.
    public var sequence: UInt64

    /// Makes a clock that stands at a moment.
    public init(now: Timestamp, sequence: UInt64 = 0) {
        self.now = now
        self.sequence = sequence
    }

    /// Numbers a deadline.
    public mutating func arm(at moment: Timestamp) -> Deadline {
        let deadline = Deadline(at: moment, sequence: sequence)
        sequence &+= 1
        return deadline
    }
}

/// The counterpart of a machine in every call: its chart, the time, and the meaning of its conditions, expressions and
/// actions.
///
/// Every function may look at the machine, raise and send events in it and work its timers. It must not start it or
/// let it handle anything.
public protocol MachineHost {
    /// The chart of the machine, the same in every call.
    var chart: Statechart { get }

    /// The time, and the order of arming among all machines that are to be in order.
    var clock: MachineClock { get set }

    /// Whether a condition holds; one that can not be evaluated does not.
    mutating func holds(_ condition: GuardID, in machine: inout Machine, on occasion: Occasion) -> Bool

    /// Whether a condition may have changed since the last macrostep of this machine.
    ///
    /// False only when nothing changed that the condition reads; a condition that reads time, states or timers may
    /// always have changed. Conditions that have not changed are not evaluated while nothing else happens.
    func mayHaveChanged(_ condition: GuardID) -> Bool

    /// The length of time that an expression gives, or nil when it gives none: then nothing is armed, started or sent.
    mutating func interval(
        _ expression: UInt16,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> Interval?

    /// Does an action that only the host understands.
    ///
    /// - Parameters:
    ///   - action: the host's number for the action.
    ///   - machine: the machine that acts.
    ///   - occasion: the event, the moment since which.
    /// - Returns: whether it went well; otherwise the rest of its block is skipped.
    mutating func perform(
        _ action: UInt16,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> Bool

    /// The data that the `done` event of a final state carries; 0 for none.
    mutating func doneData(_ expression: UInt16, in machine: inout Machine, on occasion: Occasion) -> UInt32

    /// Hears of a microstep when it is done; of the start of a machine as one without transitions.
    ///
    /// See docs/decisions/0018-tests-and-coverage.md.
    mutating func stepped(by transitions: [TransitionID], into states: StateSet)
}

extension MachineHost {
    /// Every condition may have changed, unless the host knows better.
    public func mayHaveChanged(_ condition: GuardID) -> Bool { true }

    /// No data, unless the host knows better.
    public mutating func doneData(
        _ expression: UInt16,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> UInt32 { 0 }

    /// Nothing follows from it, unless the host keeps account.
    public mutating func stepped(by transitions: [TransitionID], into states: StateSet) {}
}

/// What a macrostep did.
public struct Outcome: Sendable {
    /// Whether any transition was taken.
    public internal(set) var changed = false
    /// Whether the machine differs from before, be it only in what it waits for.
    public internal(set) var isDifferent = false
    /// The states entered, also those left again.
    public internal(set) var entered = StateSet()
    /// The states left, also those entered again.
    public internal(set) var exited = StateSet()
    /// The first transition taken, to explain what happened.
    public internal(set) var transition: TransitionID?
    /// When the condition of the sustained transition taken first turned true.
    public internal(set) var since: Timestamp?
    /// What stopped the macrostep; with ``MachineFault/endlessLoop`` no state or transition is told.
    public internal(set) var fault: MachineFault?

    /// Makes the outcome of nothing.
    public init() {}
}

/// Why a machine was stopped in what it did.
public enum MachineFault: Hashable, Sendable {
    /// Too many microsteps: the machine is back where it was before the macrostep. Or too many deadlines at one moment:
    /// those due are given up.
    case endlessLoop
    /// Too many sent events wait: the last one was not sent.
    case tooManySends
}

/// When a deadline is due, and its place among those due at the same time.
@frozen
public struct Deadline: Hashable, Comparable, Sendable {
    /// The time.
    public var at: Timestamp
    /// The order of arming.
    public var sequence: UInt64

    /// Makes a deadline.
    @inlinable
    public init(at: Timestamp, sequence: UInt64) {
        self.at = at
        self.sequence = sequence
    }

    /// Orders by time, then by order of arming.
    @inlinable
    public static func < (left: Deadline, right: Deadline) -> Bool {
        left.at == right.at ? left.sequence < right.sequence : left.at < right.at
    }
}
