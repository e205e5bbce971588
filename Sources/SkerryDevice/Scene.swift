import SkerryExpressions
import SkerryMachine
import SkerryValues

/// The part of a turn that expressions read and actions change, besides the machine: the machine's host.
struct Scene: Sendable {
    /// The definition.
    let definition: Definition
    /// The time, and the order of arming.
    var clock: MachineClock
    /// The memory of the device.
    var memory = DeviceMemory()
    /// Where the variables stand among the values of a memory.
    let firstVariable: Int
    var since: Timestamp
    var event: String?
    /// The values at the paths of the payload.
    var payload: [Value] = []
    /// What stood at the captures of the topic.
    var captures: [Value] = []
    /// The signals that this message gave another value.
    var changed = SignalSet()
    /// The signals that this message gave a value.
    var reported = SignalSet()
    /// Whether everything is to be looked at, whatever has changed.
    var isAnew = false
    /// Whether somebody says something now, and not only time has passed.
    var isTold = false
    /// Whether the device changed in more than the numbers it reports: then its image must be kept at once.
    var mustKeep = false

    /// How many bytes more the values of all devices may take.
    var room: Int
    /// How many values were not kept because they are too large.
    var refusedValues: UInt32 = 0
    /// The first of them.
    var excess: DeviceFault?
    /// The newest run of a device that is gone: one of its name must not begin the same again.
    let newestLostRun: Int64
    /// The epoch of all revisions.
    let epoch: Int64

    /// How much of the machine was reached; nil when nobody asks.
    var reach: MachineReach?
    /// The expressions that could not be evaluated, in the order of their first failure; nil when nobody asks.
    var failures: [ExpressionFailure]?

    init(of definition: Definition, at now: Timestamp, in workspace: borrowing Workspace) {
        self.definition = definition
        clock = MachineClock(now: now, sequence: workspace.sequence)
        firstVariable = definition.signalNames.count
        since = now
        room = workspace.room
        newestLostRun = workspace.newestLostRun
        epoch = workspace.epoch
        if workspace.recordsReach { reach = MachineReach(of: definition.chart) }
        if workspace.recordsFailures { failures = [] }
    }

    /// The time.
    var now: Timestamp { clock.now }

    /// Forgets what the last input was.
    mutating func begin(at now: Timestamp) {
        clock.now = now
        since = now
        event = nil
        changed = SignalSet()
        reported = SignalSet()
        isAnew = false
        isTold = false
        mustKeep = false
        refusedValues = 0
        excess = nil
    }

    func evaluate(_ program: Program, _ machine: Machine) -> Value {
        program.evaluate(from: self, machine, costLimit: definition.limits.expressionCost)
    }

    /// Whether a condition holds; one with an error does not, and errors other than absence are counted.
    mutating func truth(_ program: Program, _ machine: Machine) -> Bool {
        switch evaluate(program, machine) {
        case .bool(let holds): return holds
        case .error(let error): count(error, of: program)
        default: count(.noSuchOverload, of: program)
        }
        return false
    }

    mutating func interval(_ program: Program, _ machine: Machine) -> Interval? {
        switch evaluate(program, machine) {
        case .duration(let duration): return duration.interval
        case .error(let error): count(error, of: program)
        default: count(.noSuchOverload, of: program)
        }
        return nil
    }

    mutating func moment(_ program: Program, _ machine: Machine) -> Timestamp? {
        switch evaluate(program, machine) {
        case .timestamp(let timestamp): return timestamp.moment
        case .error(let error): count(error, of: program)
        default: count(.noSuchOverload, of: program)
        }
        return nil
    }

    /// Counts a failed evaluation; that something is absent is no failure.
    mutating func count(_ error: EvaluationError, of program: Program) {
        switch error {
        case .noSuchKey, .unset, .indexOutOfBounds: return
        default: memory.failedReadings &+= 1
        }
        guard failures != nil,
            let text = definition.expressions.first(where: { $0.program === program })?.text
        else { return }
        failures?.add(ExpressionFailure(text: text, reason: error.words, count: 1))
    }
}

extension Scene: ValueSource {
    /// What expressions read, besides the scene: the machine of the device.
    typealias Context = Machine

    /// The present value of what a name in an expression stands for.
    func load(_ reference: Reference, _ machine: borrowing Machine) -> Value {
        let index = Int(reference.index)
        switch ReferenceKind(rawValue: reference.kind) {
        case .signal: return memory.values[index]
        case .changed: return .bool(changed.contains(index))
        case .context: return memory.values[firstVariable + index]
        case .payload: return payload[index]
        case .capture: return captures[index]
        case .timer: return .timeShown(by: machine.timer(TimerID(rawValue: reference.index)), at: now)
        case .timerElapsed: return .bool(machine.timer(TimerID(rawValue: reference.index)).isElapsed)
        case .inState: return .bool(machine.isActive(StateID(rawValue: reference.index)))
        case .elapsed: return .duration(CalendarDuration(now - innermostEntry(machine)))
        case .now: return .timestamp(CalendarTimestamp(now))
        case .since: return .timestamp(CalendarTimestamp(since))
        case .stateName: return .string(stateName(machine.activeAtomicStates(in: definition.chart)))
        case .stateTitle: return stateTitle(machine)
        case .deviceName: return .string(memory.name)
        case .deviceKind: return .string(definition.kind)
        case .deviceAvailable: return memory.isAvailable.map { .bool($0) } ?? .error(.unset)
        case .event: return event.map { .string($0) } ?? .error(.unset)
        case .unset: return .error(.unset)
        case .field, nil: return .error(.undeclaredReference)
        }
    }

    private func innermostEntry(_ machine: borrowing Machine) -> Timestamp {
        machine.activeAtomicStates(in: definition.chart).first.flatMap { machine.enteredAt($0) } ?? now
    }

    /// The names of innermost states, in document order, joined by commas.
    func stateName(_ states: StateSet) -> String { definition.stateName(states) }

    /// The title of the first innermost state that has one itself or around it.
    private func stateTitle(_ machine: borrowing Machine) -> Value {
        for state in machine.activeAtomicStates(in: definition.chart) {
            var state = state
            while true {
                if let title = definition.titles[Int(state.rawValue)] {
                    let text = title.render(from: self, machine, costLimit: definition.limits.expressionCost)
                    return .string(text)
                }
                if state == .root { break }
                state = definition.chart[state].parent
            }
        }
        return .error(.unset)
    }
}

extension Scene: MachineHost {
    var chart: Statechart { definition.chart }

    /// Whether a guard holds; one with an error does not.
    mutating func holds(
        _ condition: GuardID,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> Bool {
        take(occasion)
        return truth(definition.guards[Int(condition.rawValue)], machine)
    }

    /// Whether the last message may have changed a guard.
    func mayHaveChanged(_ condition: GuardID) -> Bool {
        isAnew || definition.guardDependencies[Int(condition.rawValue)].mayHaveChanged(by: changed)
    }

    /// The length of time that an expression gives.
    mutating func interval(
        _ expression: UInt16,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> Interval? {
        take(occasion)
        return interval(definition.intervals[Int(expression)], machine)
    }

    /// Assigns a variable; an error leaves it as it was and ends the block of actions.
    mutating func perform(
        _ action: UInt16,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> Bool {
        take(occasion)
        let assignment = definition.assignments[Int(action)]
        let value = evaluate(assignment.program, machine)
        if case .error(let error) = value {
            count(error, of: assignment.program)
            return false
        }
        return keep(value, at: firstVariable + assignment.variable)
    }

    /// Keeps account of states and transitions, if somebody asked for it.
    mutating func stepped(by transitions: [TransitionID], into states: StateSet) {
        reach?.add(transitions, states)
    }

    private mutating func take(_ occasion: Occasion) {
        since = occasion.since ?? now
        if let name = occasion.event?.name { event = name }
    }
}

extension TimerState {
    fileprivate var isElapsed: Bool {
        if case .elapsed = self { true } else { false }
    }
}

extension Value {
    /// What an expression sees of a timer: the time left, or the time counted so far.
    fileprivate static func timeShown(by timer: TimerState, at now: Timestamp) -> Value {
        switch timer {
        case .stopped: .error(.unset)
        case .running(_, let end): .duration(CalendarDuration(max(end - now, .zero)))
        case .countingUp(let start): .duration(CalendarDuration(max(now - start, .zero)))
        case .paused(let remaining, _): .duration(CalendarDuration(remaining))
        case .pausedCount(let elapsed): .duration(CalendarDuration(elapsed))
        case .elapsed: .duration(CalendarDuration(.zero))
        }
    }
}
