public import SkerryValues

/// An event as the machine sees it.
public struct MachineEvent: Hashable, Sendable {
    /// The name, tokens separated by dots.
    public let name: String
    /// The host's own number for the data of the event, 0 for none; the machine only passes it on.
    public let data: UInt32

    /// Makes an event.
    public init(_ name: String, data: UInt32 = 0) {
        self.name = name
        self.data = data
    }
}

/// The circumstances under which a condition is evaluated or an action performed.
public struct Occasion: Sendable {
    /// The event handled last in this macrostep; nil before the first.
    public internal(set) var event: MachineEvent?
    /// The moment at which the condition of the first sustained transition of this macrostep became true.
    public internal(set) var since: Timestamp?

    init(event: MachineEvent? = nil) { self.event = event }
}

/// The time of a call, and the order of arming.
///
/// Nothing in layer 0 reads a clock: each call brings the time with it.
public struct MachineClock: Sendable {
    /// The time.
    public var now: Timestamp
    /// The number of the next deadline; deadlines due at the same time are handled in the order of their numbers.
    public var sequence: UInt64

    /// Makes a clock that shows a moment.
    public init(now: Timestamp, sequence: UInt64 = 0) {
        self.now = now
        self.sequence = sequence
    }

    /// Returns a deadline with the next number.
    public mutating func arm(at moment: Timestamp) -> Deadline {
        assert(moment >= now, "a deadline is armed in the past")
        let deadline = Deadline(at: moment, sequence: sequence)
        sequence &+= 1
        return deadline
    }
}

/// The counterpart of a machine in every call: its chart, the time, and the meaning of its conditions, expressions and
/// actions.
///
/// A host may read the machine, raise and send events in it, and start and stop its timers. It must not start the
/// machine or make it handle an event or deadline.
public protocol MachineHost {
    /// The chart of the machine, the same in every call.
    var chart: Statechart { get }

    /// The time, and the order of arming among all machines that share the order.
    var clock: MachineClock { get set }

    /// Returns true if a condition holds; a condition that can't be evaluated does not.
    mutating func holds(_ condition: GuardID, in machine: inout Machine, on occasion: Occasion) -> Bool

    /// Returns true if a condition may have changed since the last macrostep of this machine.
    ///
    /// The answer is false only if nothing changed that the condition reads; a condition that reads time, states or
    /// timers may always have changed. Unchanged conditions are not evaluated while nothing else happens.
    func mayHaveChanged(_ condition: GuardID) -> Bool

    /// Returns the length of time that an expression gives.
    ///
    /// - Returns: The length; nil when there is none, and then nothing is armed, started or sent.
    mutating func interval(
        _ expression: UInt16,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> Interval?

    /// Returns the moment that an expression gives.
    ///
    /// - Returns: The moment; nil when there is none, and then the action that needs it fails.
    mutating func moment(
        _ expression: UInt16,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> Timestamp?

    /// Returns true if the moment that an expression gives stands still, because it is computed from a countdown that does.
    func standsStill(_ expression: UInt16, in machine: borrowing Machine) -> Bool

    /// Returns the moment by which a condition should have been confirmed by several reports.
    ///
    /// - Parameters:
    ///   - reports: The number of reports, that which made the condition true included.
    ///   - moment: The moment at which the condition became true.
    ///   - condition: The condition.
    /// - Returns: The moment; nil when as many reports have come, or when it is not known how often they come.
    func end(ofReports reports: UInt8, since moment: Timestamp, of condition: GuardID) -> Timestamp?

    /// Returns the next time of a recurring moment, later than a given one.
    ///
    /// - Returns: The time; nil when there is none, and then nothing is armed.
    func next(_ moment: UInt16, after time: Timestamp) -> Timestamp?

    /// Performs an action of the host's own.
    ///
    /// - Parameters:
    ///   - action: The host's number for the action.
    ///   - machine: The machine that acts.
    ///   - occasion: The event, and the moment since which a condition has held.
    /// - Returns: True if the action succeeded; otherwise the rest of its block is skipped.
    mutating func perform(
        _ action: UInt16,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> Bool

    /// Returns the number of the data that the `done` event of a final state carries; 0 for none.
    mutating func doneData(_ expression: UInt16, in machine: inout Machine, on occasion: Occasion) -> UInt32

    /// False when a macrostep must come to its end, because its microsteps took too much work; more of them are
    /// ``MachineFault/endlessLoop``.
    var mayGoOn: Bool { get }

    /// Takes note of a finished microstep; the start of a machine is one without transitions.
    ///
    /// See docs/decisions/0018-tests-and-coverage.md.
    ///
    /// - Parameters:
    ///   - transitions: The transitions taken.
    ///   - states: The states entered.
    ///   - since: The moment since which the condition of a sustained transition has held; nil for other microsteps.
    mutating func stepped(by transitions: [TransitionID], into states: StateSet, since: Timestamp?)
}

extension MachineHost {
    /// Returns true: nothing but the number of microsteps bounds a macrostep, unless the host knows better.
    public var mayGoOn: Bool { true }

    /// Returns true: every condition may have changed, unless the host knows better.
    public func mayHaveChanged(_ condition: GuardID) -> Bool { true }

    /// Returns nil: no expression gives a moment, unless the host knows better.
    public mutating func moment(
        _ expression: UInt16,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> Timestamp? { nil }

    /// Returns false: no moment stands still, unless the host knows better.
    public func standsStill(_ expression: UInt16, in machine: borrowing Machine) -> Bool { false }

    /// Returns nil: a condition needs no reports, unless the host knows better.
    public func end(ofReports reports: UInt8, since moment: Timestamp, of condition: GuardID) -> Timestamp? {
        nil
    }

    /// Returns nil: nothing recurs, unless the host knows better.
    public func next(_ moment: UInt16, after time: Timestamp) -> Timestamp? { nil }

    /// Returns 0: there is no data, unless the host has some.
    public mutating func doneData(
        _ expression: UInt16,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> UInt32 { 0 }

    /// Does nothing, unless the host records microsteps.
    public mutating func stepped(by transitions: [TransitionID], into states: StateSet, since: Timestamp?) {}
}

/// The result of a macrostep.
public struct Outcome: Sendable {
    /// True if a transition was taken.
    public internal(set) var changed = false
    /// True if the machine differs from before, even if only in its waits.
    public internal(set) var isDifferent = false
    /// The states entered, including those left again.
    public internal(set) var entered = StateSet()
    /// The states left, including those entered again.
    public internal(set) var exited = StateSet()
    /// The first transition taken, for explanations.
    public internal(set) var transition: TransitionID?
    /// The moment at which the condition of the first sustained transition became true.
    public internal(set) var since: Timestamp?
    /// The names of the events that the machine raised itself and handled, in their order.
    public internal(set) var raised: [String] = []
    /// The fault that stopped the macrostep; with ``MachineFault/endlessLoop`` there are no states and no transition.
    public internal(set) var fault: MachineFault?

    /// Makes the outcome of a macrostep that did nothing.
    public init() {}

    /// Adds the outcome of the steps that followed in the same macrostep.
    public mutating func add(_ later: Outcome) {
        changed = changed || later.changed
        isDifferent = isDifferent || later.isDifferent
        entered.formUnion(later.entered)
        exited.formUnion(later.exited)
        // The first ones stay, because explanations tell what began it all.
        transition = transition ?? later.transition
        since = since ?? later.since
        raised += later.raised
        fault = fault ?? later.fault
    }
}

/// The reason for which a machine was stopped.
public enum MachineFault: Hashable, Sendable {
    /// Too many microsteps: the machine is back where it was before the macrostep. Or too many deadlines at one moment:
    /// those due are given up.
    case endlessLoop
    /// Too many sent events wait: the last one was not sent.
    case tooManySends
}

/// The time of a deadline, and its place among those due at the same time.
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
