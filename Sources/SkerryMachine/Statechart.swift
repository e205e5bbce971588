public import SkerryValues

/// What a kind of machine can do: states, transitions and actions, checked, immutable, shared by all its machines.
///
/// Statecharts as W3C SCXML defines them, with transitions that wait: `after`, `for` and `quiet`. Made by
/// ``StatechartBuilder``. States stand in document order: a state, its descendants, its next sibling.
public final class Statechart: Sendable {
    /// The states in document order; the first is the root.
    public let states: [State]
    /// The transitions, as numbered by ``TransitionID``.
    public let transitions: [Transition]
    /// The names of the timers, as numbered by ``TimerID``.
    public let timers: [String]
    /// How much a machine of this chart may do before it is stopped.
    public let limits: Limits

    let elapsedEvents: [String]
    @usableFromInline let atomicStates: StateSet
    let statesWithEventless: StateSet
    let statesWithSustained: StateSet
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
        self.elapsedEvents = timers.map { $0 + ".elapsed" }
        self.atomicStates = atomic
        self.statesWithEventless = eventless
        self.statesWithSustained = sustained
        self.statesWithWaits = armed
        self.historyStates = history
    }

    /// Bounds that keep a faulty chart from stopping the world; each is a fault of the outcome when reached.
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
        /// The state that holds this one; the root holds itself.
        public let parent: StateID
        /// What sort of state it is.
        public let kind: Kind
        /// Where a compound state starts and where a history state leads that remembers nothing.
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
        let sustained: [TransitionID]
        let armedOnEntry: [TransitionID]
        let doneEvent: String
        let children: [StateID]
        let ancestors: StateSet
        let descendants: StateSet
    }

    /// What sort of state a state is.
    public enum Kind: Sendable, Hashable {
        /// A state without children.
        case atomic
        /// A state of whose children one is active.
        case compound
        /// A state whose children are all active.
        case parallel
        /// The end of its parent; as a child of the root, the end of the machine.
        case final
        /// A stand-in for what was active in its parent before; deep: down to the atomic states.
        case history(deep: Bool)
    }

    /// One transition.
    public struct Transition: Sendable {
        /// The state in which it can be taken.
        public let source: StateID
        /// Where it leads; empty when only its actions are wanted.
        public let targets: [StateID]
        /// What makes it a candidate.
        public let trigger: Trigger
        /// The condition under which it is taken.
        public let condition: GuardID?
        /// What it does between exits and entries.
        public let actions: [Action]
        /// Whether a compound source that holds all targets is not left.
        public let isInternal: Bool
    }

    /// What makes a transition a candidate.
    public enum Trigger: Sendable, Hashable {
        /// Nothing but its condition: taken as soon as that holds.
        case always
        /// An event that one of the descriptors matches: `a` and `a.*` match `a` and `a.b`; `*` matches all.
        case event([String])
        /// Time in the source state; armed on entry, given up on exit.
        case after(Length)
        /// A condition that held for so long without lapses of `dropout` or more.
        case sustained(for: Interval, dropout: Interval)
        /// So long without a message, counted from the last message or the entry, whichever is later.
        case quiet(Interval)
    }

    /// A length of time, known now or found by the host when it is needed.
    public enum Length: Sendable, Hashable {
        /// Known now.
        case fixed(Interval)
        /// Found by the host from its expression with this number.
        case computed(UInt16)
    }

    /// One thing to do on entry, on exit or in a transition.
    public enum Action: Sendable, Hashable {
        /// Puts an event into the internal queue, before all external events.
        case raise(String)
        /// Sends the machine an external event of its own later; `delay` nil means at once, in a macrostep of its own.
        case send(event: String, delay: Length?, id: String?)
        /// Takes back all sends with this id that are still waiting.
        case cancel(String)
        /// Starts a timer anew: counting down, or up when it has no duration.
        case start(TimerID, duration: Length?)
        /// Stops a timer; it is no longer visible.
        case stop(TimerID)
        /// Holds a timer where it is.
        case pause(TimerID)
        /// Lets a paused timer go on.
        case resume(TimerID)
        /// Moves the end of a running or paused countdown; later for a positive length.
        case extend(TimerID, by: Length)
        /// Does some actions when a condition holds, and others when it does not; one that fails ends the block.
        case choose(GuardID, then: [Action], otherwise: [Action])
        /// Does each action, whether or not one before it failed; never fails itself.
        ///
        /// See docs/decisions/0008-failing-actions.md.
        case attempt([Action])
        /// Something only the host understands.
        case host(UInt16)
    }

    /// The state with this name, or nil.
    public func state(named name: String) -> StateID? {
        states.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }.map { StateID(index: $0) }
    }

    /// The timer with this name, or nil.
    public func timer(named name: String) -> TimerID? {
        timers.firstIndex { $0.utf8.elementsEqual(name.utf8) }
            .map { TimerID(rawValue: UInt16(truncatingIfNeeded: $0)) }
    }

    /// Whether two states can be active together, neither of them within the other.
    public func areCompatible(_ one: StateID, _ other: StateID) -> Bool {
        if one == other || states[one.index].descendants.contains(other) { return false }
        var common = one
        while !states[common.index].descendants.contains(other) { common = states[common.index].parent }
        return common != one && states[common.index].kind == .parallel
    }

    /// The state with this id.
    public subscript(state: StateID) -> State { states[state.index] }

    /// The transition with this id.
    public subscript(transition: TransitionID) -> Transition { transitions[transition.index] }
}
