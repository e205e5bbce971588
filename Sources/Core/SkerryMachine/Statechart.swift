public import SkerryValues

/// The states, transitions and actions of a kind of machine; checked, immutable and shared by all its machines.
///
/// Statecharts are those of W3C SCXML, with transitions that wait: `after`, `for` and `quiet`. ``StatechartBuilder``
/// makes them. States stand in document order: a state, its descendants, its next sibling.
public final class Statechart: Sendable {
    /// The states in document order; the first is the root.
    public let states: [State]
    /// The transitions, as numbered by ``TransitionID``.
    public let transitions: [Transition]
    /// The names of the timers, as numbered by ``TimerID``.
    public let timers: [String]
    /// The limits of a machine of this chart.
    public let limits: Limits

    let elapsedEvents: [String]
    /// The states without states within them, which are no history states.
    public let atomicStates: StateSet
    let statesWithEventless: StateSet
    let statesWithSustained: StateSet
    /// True if a transition waits for a moment that an expression gives.
    public let hasMoments: Bool
    let statesWithWaits: StateSet
    let historyStates: StateSet

    init(states: [State], transitions: [Transition], timers: [String], limits: Limits) {
        var atomic = StateSet()
        var eventless = StateSet()
        var sustained = StateSet()
        var armed = StateSet()
        var history = StateSet()
        for (place, state) in states.enumerated() {
            let id = StateID(index: place)
            switch state.kind {
            case .atomic, .final: atomic.insert(id)
            case .history: history.insert(id)
            case .compound, .parallel: break
            }
            if !state.eventless.isEmpty { eventless.insert(id) }
            if !state.sustained.isEmpty { sustained.insert(id) }
            if !state.armedOnEntry.isEmpty || !state.sustained.isEmpty { armed.insert(id) }
        }
        self.states = states
        self.transitions = transitions
        self.timers = timers
        self.limits = limits
        // Made once: a deadline allocates no text.
        self.elapsedEvents = timers.map { $0 + ".elapsed" }
        self.atomicStates = atomic
        self.statesWithEventless = eventless
        self.statesWithSustained = sustained
        self.hasMoments = transitions.contains { if case .past = $0.trigger { true } else { false } }
        self.statesWithWaits = armed
        self.historyStates = history
    }

    /// Bounds that keep a faulty chart from blocking everything else; exceeding one is a fault of the outcome.
    public struct Limits: Sendable, Hashable {
        /// Microsteps in one macrostep; more is ``MachineFault/endlessLoop``.
        public var microsteps = 100
        /// Raised events in one macrostep; more is ``MachineFault/endlessLoop``.
        public var raisedEvents = 1000
        /// Sent events that wait for delivery; more is ``MachineFault/tooManySends``.
        public var pendingSends = 64
        /// Deadlines handled one after the other at the very same moment; more is ``MachineFault/endlessLoop``.
        public var deadlinesAtOnce = 100

        /// Makes the default limits.
        public init() {}
    }

    /// One state.
    public struct State: Sendable {
        /// The name, unique in the chart; the root's is empty.
        public let name: String
        /// The parent state; the root is its own parent.
        public let parent: StateID
        /// The kind of state.
        public let kind: Kind
        /// The states that a compound state starts in, or to which a history state without memory leads.
        public let initialTargets: [StateID]
        /// The actions of the initial transition, or of the default transition of a history state.
        public let initialActions: [Action]
        /// The actions on entry, in blocks: an action that fails ends its block only.
        public let entry: [[Action]]
        /// The actions on exit, in blocks.
        public let exit: [[Action]]
        /// The host's expression for the data of the `done` event of a final state.
        public let doneData: UInt16?
        /// The transitions in document order.
        public let transitions: [TransitionID]

        let eventless: [TransitionID]
        let evented: [TransitionID]
        /// The transitions whose condition is looked at whenever the machine rests: those with a length or a moment.
        let sustained: [TransitionID]
        let armedOnEntry: [TransitionID]
        let doneEvent: String
        let children: [StateID]
        let ancestors: StateSet
        let descendants: StateSet
    }

    /// The kinds of states.
    public enum Kind: Sendable, Hashable {
        /// A state without children.
        case atomic
        /// A state with one active child.
        case compound
        /// A state whose children are all active.
        case parallel
        /// The end of its parent; as a child of the root, the end of the machine.
        case final
        /// A stand-in for the states that were active in its parent before; if deep, down to the atomic states.
        case history(deep: Bool)
    }

    /// One transition.
    public struct Transition: Sendable {
        /// The state in which it can be taken.
        public let source: StateID
        /// The states to which it leads; empty for a transition that only performs actions.
        public let targets: [StateID]
        /// The trigger that makes it a candidate.
        public let trigger: Trigger
        /// The condition under which it is taken.
        public let condition: GuardID?
        /// The actions between exits and entries.
        public let actions: [Action]
        /// True if a compound source that contains all targets is not left.
        public let isInternal: Bool
    }

    /// The most reports that a condition can ask for.
    public static let reportLimit: UInt8 = 8

    /// The occasion that makes a transition a candidate.
    public enum Trigger: Sendable, Hashable {
        /// The condition alone: the transition is taken as soon as it holds.
        case always
        /// An event that one of the descriptors matches: `a` and `a.*` match `a` and `a.b`; `*` matches all.
        case event([String])
        /// Time in the source state; armed on entry, given up on exit.
        case after(Length)
        /// A condition that has held for a length of time, without a lapse of `dropout` or longer, and, if more than one is asked
        /// for, in so many reports; see ``MachineHost/end(ofReports:since:of:)``.
        case sustained(for: Interval, dropout: Interval, reports: UInt8 = 1)
        /// A length of time without a message, counted from the last message or the entry, whichever is later.
        ///
        /// If it has the host's number of a silence, only messages that break that one count; see
        /// ``Machine/heard(at:in:where:)``.
        case quiet(Interval, of: UInt16? = nil)
        /// A moment that comes again and again, such as a time of day; the host knows it by this number.
        case recurring(UInt16)
        /// A moment that the host's expression with this number gives: the condition alone, once that moment is past.
        case past(UInt16)
    }

    /// A length of time, fixed or evaluated by the host when it is needed.
    public enum Length: Sendable, Hashable {
        /// A length that the definition contains.
        case fixed(Interval)
        /// The value of the host's expression with this number.
        case computed(UInt16)
    }

    /// One thing to do on entry, on exit or in a transition.
    public enum Action: Sendable, Hashable {
        /// Puts an event into the internal queue, before all external events.
        case raise(String)
        /// Sends the machine an external event of its own later; `delay` nil means at once, in a macrostep of its own.
        case send(event: String, delay: Length?, id: String?)
        /// Cancels all sent events with this id that are not due yet.
        case cancel(String)
        /// Starts or restarts a timer, which counts down, or up if it has no duration.
        case start(TimerID, duration: Length?)
        /// Stops a timer; it is no longer visible.
        case stop(TimerID)
        /// Pauses a timer, from the moment on that the host's expression with this number gives; nil for now.
        case pause(TimerID, from: UInt16? = nil)
        /// Resumes a paused timer.
        case resume(TimerID)
        /// Moves the end of a running or paused countdown; a positive length means later.
        case extend(TimerID, by: Length)
        /// Performs one list of actions if a condition holds, the other if not; an action that fails ends the block.
        case choose(GuardID, then: [Action], otherwise: [Action])
        /// Performs each action, even after one that failed; never fails itself.
        ///
        /// See docs/decisions/0008-failing-actions.md.
        case attempt([Action])
        /// An action of the host's own.
        case host(UInt16)
    }

    /// Returns the state with this name, or nil.
    public func state(named name: String) -> StateID? {
        // By index, because an iterator copies each state.
        states.indices.first { states[$0].name.hasSameCodePoints(as: name) }.map { StateID(index: $0) }
    }

    /// Returns the timer with this name, or nil.
    public func timer(named name: String) -> TimerID? {
        timers.firstIndex { $0.hasSameCodePoints(as: name) }
            .map { TimerID(rawValue: UInt16(truncatingIfNeeded: $0)) }
    }

    /// True if two states can be active together, neither of them within the other.
    public func areCompatible(_ one: StateID, _ other: StateID) -> Bool {
        if one == other || states[one.index].descendants.contains(other) { return false }
        var common = one
        while !states[common.index].descendants.contains(other) { common = states[common.index].parent }
        return common != one && states[common.index].kind == .parallel
    }

    /// The state with this id.
    @inlinable public subscript(state: StateID) -> State { states[Int(state.rawValue)] }

    /// The transition with this id.
    public subscript(transition: TransitionID) -> Transition { transitions[transition.index] }
}

extension Statechart {
    /// The same chart with other triggers; each differs from the former one at most in its length of time.
    ///
    /// - Parameter triggers: The triggers of all transitions, in their order.
    /// - Returns: The chart.
    public func replacing(_ triggers: [Trigger]) -> Statechart {
        assert(triggers.count == transitions.count, "a transition loses its trigger")
        let replaced = zip(transitions, triggers).map { transition, trigger in
            Transition(
                source: transition.source,
                targets: transition.targets,
                trigger: trigger,
                condition: transition.condition,
                actions: transition.actions,
                isInternal: transition.isInternal
            )
        }
        return Statechart(states: states, transitions: replaced, timers: timers, limits: limits)
    }
}
