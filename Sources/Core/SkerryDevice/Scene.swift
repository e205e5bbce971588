import SkerryExpressions
import SkerryMachine
import SkerryValues

/// The part of a turn that expressions read and actions change, apart from the machine, which calls it as its host.
struct Scene: Sendable {
    /// The definition of the device.
    let definition: Definition
    /// The time of the input, and the number of the next deadline.
    var clock: MachineClock
    var memory = DeviceMemory()
    /// The index of the first variable among the values of a memory.
    let firstVariable: Int
    var since: Timestamp
    var event: String?
    /// The values at the payload paths that the source's expressions read.
    var payload: [Value] = []
    /// The levels of the topic that the source captures.
    var captures: [Value] = []
    /// The element of the message that speaks of the device, in a source with `each`.
    var item = Value.error(.unset)
    /// The signals whose value this message changed.
    var changed = SignalSet()
    /// The signals that this message contained, changed or not.
    var reported = SignalSet()
    /// True if the device can be reached since this message, or can't be any more.
    var hasOtherReach = false
    /// True if signals were reset in this macrostep, for a run that may begin.
    var wasReset = false
    /// True while a condition or a moment is evaluated that waits for time, which stands still while the device can't be reached.
    var standsStill = false
    /// The variables that actions have assigned in this turn, if timers are computed from some.
    var assigned: [Int] = []
    /// True while no run goes on, so that one may begin with the states that the machine enters.
    var awaitsRun = false
    /// True if everything is evaluated, even where nothing changed.
    var isAnew = false
    /// True if a message or command is handled, and not only a deadline.
    var isTold = false
    /// True if the device changed in more than its numbers, so that its image must be stored at once.
    var mustKeep = false

    /// The number of bytes by which the values of all devices may still grow.
    var room: Int
    /// The cost of all expressions since the turn began.
    var cost = 0
    /// The messages that actions published, and that no effect tells of yet.
    var publications: [DevicePublication] = []
    /// The number of messages that actions could not publish, in this input.
    var unpublished: UInt32 = 0
    /// The number of values refused because of their size, in this input.
    var refusedValues: UInt32 = 0
    /// The fault of the first refused value or message.
    var excess: DeviceFault?
    /// The number of the newest run of any removed device; a device of the same name must not use it again.
    let newestLostRun: Int64
    /// The epoch of all revisions.
    let epoch: Int64

    /// The states that the last microstep entered, and those that earlier ones of this input entered.
    var enteredLast: StateSet?
    var enteredBefore: [StateSet] = []

    /// The states and transitions reached; nil unless they are recorded.
    var reach: MachineReach?
    /// The parts of this input that could not be read.
    var misreadings: [Misreading] = []
    /// True if the meaning of messages is recorded.
    let recordsReadings: Bool

    /// The time of the input.
    var now: Timestamp { clock.now }

    /// Prepares for the next input; all facts about the last one are cleared.
    mutating func begin(at now: Timestamp) {
        clock.now = now
        since = now
        event = nil
        changed = SignalSet()
        reported = SignalSet()
        if !assigned.isEmpty { assigned = [] }
        hasOtherReach = false
        isAnew = false
        isTold = false
        mustKeep = false
        forgetPath()
        unpublished = 0
        refusedValues = 0
        excess = nil
    }

    /// Forgets the way of the machine.
    mutating func forgetPath() {
        enteredLast = nil
        if !enteredBefore.isEmpty { enteredBefore = [] }
    }

    /// The innermost states that the machine entered and left again, by their names, in their order.
    func passedStates(_ machine: Machine) -> [String] {
        enteredBefore.compactMap { states in
            let left = states.intersection(definition.chart.atomicStates).subtracting(machine.configuration)
            return left.isEmpty ? nil : stateName(left)
        }
    }

    mutating func evaluate(_ program: Program, _ machine: Machine) -> Value {
        guard mayGoOn else { return .error(.costExceeded) }
        var spent = 0
        let value = value(of: program, machine, &spent)
        cost &+= spent
        return value
    }

    /// The value of an expression, whose cost is added to `spent`.
    func value(of program: Program, _ machine: Machine, _ spent: inout Int) -> Value {
        let limit = definition.limits.expressionCost
        // Titles that are read within may cost once as much, however often they are read.
        var titles = 0
        let value = program.evaluate(costLimit: limit, spent: &spent) { load($0, machine, &titles) }
        spent &+= titles
        return value
    }

    /// True if a condition holds; one with an error does not, and errors other than absence are counted.
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

    /// A text with the present values, each of which leaves its place empty and is counted if it can't be evaluated.
    mutating func text(_ template: TextTemplate, _ machine: Machine) -> String {
        rendering(template, machine).text
    }

    /// The same text; nil if a value of it is missing or empty.
    mutating func wholeText(_ template: TextTemplate, _ machine: Machine) -> String? {
        let rendering = rendering(template, machine)
        return rendering.isComplete ? rendering.text : nil
    }

    private mutating func rendering(
        _ template: TextTemplate,
        _ machine: Machine
    ) -> (text: String, isComplete: Bool) {
        var spent = 0
        let rendering = template.rendering { value(of: $0, machine, &spent) }
        cost &+= spent
        for failure in rendering.failures { count(failure.error, of: failure.program) }
        countTitle(readBy: template.references, machine)
        return (rendering.text, rendering.isComplete)
    }

    /// Counts the failures in the present title, if something that was evaluated reads it.
    mutating func countTitle(readBy references: [Reference], _ machine: Machine) {
        guard definition.hasVaryingTitles,
            references.contains(where: { $0.kind == ReferenceKind.stateTitle.rawValue }),
            let title = entry(in: definition.titles, machine)
        else { return }
        var spent = 0
        let failures = title.rendering { value(of: $0, machine, &spent) }.failures
        cost &+= spent
        for failure in failures { count(failure.error, of: failure.program) }
    }

    /// Counts a failed evaluation; the absence of a value is not a failure.
    mutating func count(_ error: EvaluationError, of program: Program) {
        switch error {
        // Messages lack fields, and lists elements, all the time.
        case .noSuchKey, .unset, .indexOutOfBounds: return
        default: memory.failedReadings &+= 1
        }
        note(.failed(program, error))
    }

    /// Notes a part of the input that could not be read.
    mutating func note(_ misreading: Misreading) {
        if misreadings.count < Misreading.turnLimit { misreadings.append(misreading) }
    }
}

extension Scene: ValueSource {
    /// The machine of the device, which expressions read besides the scene.
    typealias Context = Machine

    /// The present value of a name in an expression.
    func load(_ reference: Reference, _ machine: borrowing Machine) -> Value {
        var titles = 0
        return load(reference, machine, &titles)
    }

    /// The present value of a name in an expression; `titles` is what titles have cost in it.
    private func load(_ reference: Reference, _ machine: borrowing Machine, _ titles: inout Int) -> Value {
        let index = Int(reference.index)
        switch ReferenceKind(rawValue: reference.kind) {
        case .signal: return memory.values[index]
        case .changed: return .bool(changed.contains(index))
        case .reported: return .bool(reported.contains(index))
        case .context: return memory.values[firstVariable + index]
        case .payload: return payload[index]
        case .capture: return captures[index]
        case .timer:
            let timer = TimerID(rawValue: reference.index)
            return .timeShown(by: machine.timer(timer), at: now - lag(timer, machine))
        case .timerEnd:
            let timer = TimerID(rawValue: reference.index)
            let end = machine.timer(timer).shownEnd
            guard standsStill, case .timestamp(let moment) = end else { return end }
            return .timestamp(CalendarTimestamp(moment.moment + lag(timer, machine)))
        case .timerElapsed: return .bool(machine.timer(TimerID(rawValue: reference.index)).isElapsed)
        case .inState: return .bool(machine.isActive(StateID(rawValue: reference.index)))
        case .elapsed: return .duration(CalendarDuration(now - innermostEntry(machine)))
        case .now: return .timestamp(CalendarTimestamp(now))
        case .since: return .timestamp(CalendarTimestamp(since))
        case .stateName: return .string(stateName(machine.activeAtomicStates(in: definition.chart)))
        case .stateTitle: return stateTitle(machine, &titles)
        case .item: return item
        case .deviceID: return .string(memory.name)
        case .deviceName: return .string(definition.givenName ?? memory.givenName ?? memory.name)
        case .deviceKind: return .string(definition.kind)
        case .deviceAvailable: return memory.isAvailable.map { .bool($0) } ?? .error(.unset)
        case .event: return event.map { .string($0) } ?? .error(.unset)
        case .setting: return definition.settingValues[index]
        case .zone: return .string(definition.location.name)
        case .unset: return .error(.unset)
        case .field, nil: return .error(.undeclaredReference)
        }
    }

    /// The time by which a countdown reaches zero later than readers see, for what waits for it.
    private func lag(_ timer: TimerID, _ machine: borrowing Machine) -> Interval {
        standsStill ? machine.timerLag(timer, at: now) : .zero
    }

    private func innermostEntry(_ machine: borrowing Machine) -> Timestamp {
        machine.activeAtomicStates(in: definition.chart).first.flatMap { machine.enteredAt($0) } ?? now
    }

    /// The names of innermost states, in document order, joined by commas.
    func stateName(_ states: StateSet) -> String { definition.stateName(states) }

    private func stateTitle(_ machine: borrowing Machine, _ spent: inout Int) -> Value {
        guard let title = entry(in: definition.titles, machine) else { return .error(.unset) }
        let limit = definition.limits.expressionCost
        guard spent < Int(limit) else { return .error(.costExceeded) }
        let rendering = title.rendering { program in
            // What a title reads is a title no more.
            program.evaluate(costLimit: limit, spent: &spent) { load($0, machine) }
        }
        return .string(rendering.text)
    }

    /// The entry of the first innermost state; if it has none, that of the nearest state around it, then those of the
    /// next.
    func entry<Entry>(in entries: [Entry?], _ machine: borrowing Machine) -> Entry? {
        for state in machine.activeAtomicStates(in: definition.chart) {
            var state = state
            while true {
                if let entry = entries[Int(state.rawValue)] { return entry }
                if state == .root { break }
                state = definition.chart[state].parent
            }
        }
        return nil
    }
}

extension Scene: MachineHost {
    var chart: Statechart { definition.chart }

    /// True if a guard holds; one with an error does not.
    mutating func holds(
        _ condition: GuardID,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> Bool {
        take(occasion)
        return truth(definition.guards[Int(condition.rawValue)], machine)
    }

    /// False once the expressions of this turn have cost more than those of a whole message may.
    var mayGoOn: Bool { cost <= definition.limits.messageCost }

    /// True if the last message may have changed the result of a guard.
    func mayHaveChanged(_ condition: GuardID) -> Bool {
        isAnew || definition.guardDependencies[Int(condition.rawValue)].mayHaveChanged(by: changed)
    }

    /// The moment by which so many reports of a signal of a guard should have come, at the pace of the fastest.
    func end(ofReports reports: UInt8, since moment: Timestamp, of condition: GuardID) -> Timestamp? {
        let read = definition.guardDependencies[Int(condition.rawValue)].signals
        var end: Timestamp?
        for form in definition.signalForms where form.kind == .pace && form.watched.intersects(read) {
            if memory.histories[form.history].samples.count(where: { $0.at >= moment }) >= Int(reports) {
                return nil
            }
            guard case .double(let seconds) = memory.values[form.signal], seconds >= 0,
                seconds <= SignalForm.longestSeconds
            else { continue }
            // An eighth more, because no device is punctual.
            let length = Interval(microseconds: Int64(seconds * Double(reports - 1) * 1.125e6))
            end = end.map { min($0, moment + length) } ?? moment + length
        }
        return end
    }

    /// The value of an expression for a length of time; nil on an error.
    mutating func interval(
        _ expression: UInt16,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> Interval? {
        take(occasion)
        return interval(definition.intervals[Int(expression)], machine)
    }

    /// The value of an expression for a moment; nil on an error.
    mutating func moment(
        _ expression: UInt16,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> Timestamp? {
        take(occasion)
        standsStill = true
        defer { standsStill = false }
        return moment(definition.intervals[Int(expression)], machine)
    }

    /// True if a moment is computed from a countdown that stands still.
    func standsStill(_ expression: UInt16, in machine: borrowing Machine) -> Bool {
        for reference in definition.intervals[Int(expression)].references {
            switch ReferenceKind(rawValue: reference.kind) {
            case .timer, .timerEnd:
                if machine.isTimerHeld(TimerID(rawValue: reference.index)) { return true }
            default: break
            }
        }
        return false
    }

    /// The next time of a time of day.
    func next(_ moment: UInt16, after time: Timestamp) -> Timestamp? {
        definition.parts.timesOfDay[Int(moment)].next(after: time, at: definition.location)
    }

    /// Assigns a variable, or takes its value with `unset`, or publishes a message; on an error nothing is done and the
    /// block of actions ends.
    mutating func perform(
        _ action: UInt16,
        in machine: inout Machine,
        on occasion: Occasion
    ) -> Bool {
        take(occasion)
        let assignment: Assignment
        switch definition.hostActions[Int(action)] {
        case .assign(let found): assignment = found
        case .publish(let template): return publish(template, machine)
        }
        let value = evaluate(assignment.program, machine)
        let isCleared = assignment.program.reference == ReferenceKind.unset.reference()
        if case .error(let error) = value, !isCleared {
            count(error, of: assignment.program)
            return false
        }
        if definition.hasTimersOfVariables { assigned.append(assignment.variable) }
        return keep(value, at: firstVariable + assignment.variable)
    }

    /// Records the way of the machine, and states and transitions if the workspace asked for it.
    ///
    /// Signals are reset where a run can begin, before the machine looks at its guards again.
    mutating func stepped(by transitions: [TransitionID], into states: StateSet, since: Timestamp?) {
        if !states.isEmpty {
            if let enteredLast { enteredBefore.append(enteredLast) }
            enteredLast = states
            if awaitsRun, let activity = definition.activity, states.intersects(activity.starts) {
                self.since = since ?? now
                if !resetSignals(of: activity).isEmpty { wasReset = true }
            }
        }
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

    /// The end of a countdown that runs or has reached zero; no value for any other timer.
    fileprivate var shownEnd: Value {
        switch self {
        case .running(_, let end), .elapsed(_, let end): .timestamp(CalendarTimestamp(end))
        case .stopped, .countingUp, .paused, .pausedCount: .error(.unset)
        }
    }
}

extension Value {
    /// The value of a timer in expressions: the time left, or the time counted.
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

extension Scene {
    /// Makes the scene of an input.
    ///
    /// It has all values at once: one that is set afterwards would have the whole scene copied, for every message.
    init(of definition: Definition, at now: Timestamp, in workspace: borrowing Workspace) {
        self.init(
            definition: definition,
            clock: MachineClock(now: now, sequence: workspace.sequence),
            firstVariable: definition.signalNames.count,
            since: now,
            room: workspace.room,
            newestLostRun: workspace.newestLostRun,
            epoch: workspace.epoch,
            reach: workspace.recordsReach ? MachineReach(of: definition.chart) : nil,
            recordsReadings: workspace.recordsReadings
        )
    }
}

/// The bound that a value of a device would exceed.
public enum ValueBound: Hashable, Sendable {
    /// The size of one value.
    case value(limit: Int)
    /// The size of all values of the device.
    case device(limit: Int)
    /// The size of the values of all devices.
    case all
    /// The size of the attributes of an activity.
    case attributes(limit: Int)
    /// The lists and maps inside each other.
    case depth(limit: Int)

    /// The bound as a clause, to follow the name of the value.
    var message: String {
        switch self {
        case .value(let limit): "is larger than \(limit) bytes; the previous value stays"
        case .device(let limit):
            "would bring the values of this device beyond \(limit) bytes; the previous value stays"
        case .all:
            "does not fit: the values of all devices have reached their limit; the previous value stays"
        case .attributes(let limit): "is left out: the attributes have at most \(limit) bytes"
        case .depth(let limit): "is nested deeper than \(limit) levels; the previous value stays"
        }
    }
}

extension Scene {
    /// The size limit of a signal that no expression reads; such a signal is stored only for people and tests.
    private static let unreadBytes = 256

    /// True unless no expression reads the signal and the value is large.
    func isOfUse(_ value: Value, signal: Int) -> Bool {
        definition.readSignals.contains(signal)
            || value.storage(limit: Self.unreadBytes) <= Self.unreadBytes
    }

    /// Stores a value of the device, unless it would exceed a bound: then the value before stays.
    ///
    /// - Returns: True if the value was stored.
    mutating func keep(_ value: Value, at index: Int) -> Bool {
        let limits = definition.limits
        let size = value.storage(limit: limits.valueBytes)
        // The usual case, of a device with numbers and short texts: nothing can exceed a bound.
        if size == 0, memory.storage == 0 {
            memory.values[index] = value
            return true
        }
        let growth = size - memory.values[index].storage(limit: limits.valueBytes)
        if size > limits.valueBytes {
            refuse(index, .value(limit: limits.valueBytes))
        } else if value.isTooDeep {
            refuse(index, .depth(limit: Value.depthLimit))
            // Below, a value that shrinks is taken beyond any bound, or a device that is too large could never recover.
        } else if growth > 0, memory.storage + growth > limits.deviceBytes {
            refuse(index, .device(limit: limits.deviceBytes))
        } else if growth > 0, growth > room {
            refuse(index, .all)
        } else {
            memory.storage += growth
            assert(memory.storage >= 0, "the storage of a device is miscounted")
            assert(growth <= 0 || memory.storage <= limits.deviceBytes, "a device exceeds its limit")
            room -= growth
            assert(growth <= 0 || room >= 0, "the values of all devices exceed their limit")
            memory.values[index] = value
            return true
        }
        return false
    }

    /// The size limit of the name that people gave a device, in bytes.
    private static let nameBytes = 256

    /// Stores the name that people gave the device; everything that may show it is evaluated again.
    mutating func takeName(_ program: Program, _ machine: Machine) {
        switch evaluate(program, machine) {
        case .string(let text):
            // Names are shown in terminals and logs, where control characters could forge lines.
            let name = text.withoutControls
            let isKnown = memory.givenName.map { $0.hasSameCodePoints(as: name) } ?? false
            if isKnown || name.utf8.isEmpty { return }
            guard name.utf8.count <= Self.nameBytes else {
                refuse(named: "device.name", .value(limit: Self.nameBytes))
                return
            }
            memory.givenName = name
            isAnew = true
            mustKeep = true
        case .error(let error): count(error, of: program)
        default: count(.noSuchOverload, of: program)
        }
    }

    /// Counts a refused value; the first one of an input becomes a fault.
    private mutating func refuse(_ index: Int, _ bound: ValueBound) {
        let signals = definition.signalNames
        let name =
            index < signals.count ? signals[index] : definition.variableNames[index - firstVariable]
        refuse(named: name, bound)
    }

    /// Counts a refused value; the first one of an input becomes a fault.
    mutating func refuse(named name: String, _ bound: ValueBound) {
        memory.refusedValues &+= 1
        refusedValues &+= 1
        if excess == nil { excess = .valueTooLarge(name: name, bound) }
    }
}

extension DeviceMemory {
    /// Computes the size of the values; a value larger than the limit counts only up to it.
    mutating func countStorage(limit: Int) {
        storage = values.reduce(0) { $0 + $1.storage(limit: limit) }
    }

    /// Forgets restored values that exceed the present limits.
    mutating func forgetExcess(_ limits: DeviceLimits) {
        storage = 0
        for index in values.indices {
            let size = values[index].storage(limit: limits.valueBytes)
            if size <= limits.valueBytes, storage + size <= limits.deviceBytes {
                storage += size
            } else {
                values[index] = .error(.unset)
                refusedValues &+= 1
            }
        }
        assert(storage <= max(limits.deviceBytes, 0), "a restored device exceeds its limit")
    }
}

extension String {
    /// The text with a blank for each control character.
    fileprivate var withoutControls: String {
        guard unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            text.append(scalar.value < 32 || scalar.value == 127 ? " " : scalar)
        }
        return String(text)
    }
}
