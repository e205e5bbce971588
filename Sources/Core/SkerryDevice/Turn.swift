import SkerryExpressions
public import SkerryMachine
public import SkerryValues

/// One input to one device, from the first byte read to the last effect.
///
/// A turn takes the device out of its place, owns it with everything that the device may read and change, and puts it
/// back with ``end(_:_:)``. A copy in its place would make each message copy all values of its device.
public struct Turn: Sendable {
    /// The states, waits and timers of the device.
    var machine: Machine
    /// The definition, the time, and all other values that expressions read.
    var scene: Scene
    /// The newest run, until it is dismissed; at most one.
    var run: [FollowedRun]
    /// The number of the last run; see ``Device/lastRun``.
    var lastRun: Int64
    /// The effects so far, in order.
    var effects: [DeviceEffect] = []
    /// The meaning of a message for the device; nil unless it is asked for.
    var reading: MessageReading?

    /// Begins a turn of a device.
    ///
    /// - Parameters:
    ///   - device: The device; it is empty until the turn ends.
    ///   - definition: Its definition.
    ///   - now: The time.
    ///   - workspace: The state that turns share; the next turn begins when this one has ended.
    public init(
        taking device: inout Device,
        of definition: Definition,
        at now: Timestamp,
        in workspace: inout Workspace
    ) {
        assert(device.memory.isMade(for: definition), "a device is in a turn, or of another definition")
        machine = Machine()
        run = []
        lastRun = device.lastRun
        scene = Scene(of: definition, at: now, in: workspace)
        swap(&machine, &device.machine)
        swap(&run, &device.run)
        swap(&scene.memory, &device.memory)
        swap(&scene.payload, &workspace.payload)
        assert(run.isEmpty || lastRun != .min, "a run has no number")
    }

    /// Begins a turn of a copy, to look at a device without changing it.
    public init(
        of device: Device,
        of definition: Definition,
        at now: Timestamp,
        in workspace: Workspace
    ) {
        var (device, workspace) = (device, workspace)
        self.init(taking: &device, of: definition, at: now, in: &workspace)
    }

    /// Puts the device back.
    ///
    /// - Parameters:
    ///   - device: The place that the device was taken from.
    ///   - workspace: The workspace that the turn began with.
    /// - Returns: The effects and records of the turn.
    public consuming func end(_ device: inout Device, _ workspace: inout Workspace) -> TurnOutcome {
        swap(&machine, &device.machine)
        swap(&run, &device.run)
        swap(&scene.memory, &device.memory)
        swap(&scene.payload, &workspace.payload)
        assert(lastRun >= device.lastRun, "the number of the last run falls")
        assert(device.memory.isMade(for: scene.definition), "a value of the device is lost in its turn")
        assert(scene.publications.isEmpty, "a message of an action is lost with its turn")
        device.lastRun = lastRun
        assert(scene.clock.sequence >= workspace.sequence, "the counter of deadlines falls")
        assert(device.run.count < 2, "a device has two runs")
        workspace.sequence = scene.clock.sequence
        workspace.cost &+= scene.cost
        return TurnOutcome(
            effects: effects,
            mustKeep: scene.mustKeep,
            refusedValues: scene.refusedValues,
            unpublished: scene.unpublished,
            reach: scene.reach,
            misreadings: scene.misreadings,
            reported: scene.reported,
            reading: reading
        )
    }

    /// The earliest moment at which something is due; nil when nothing is.
    var nextDeadline: Deadline? {
        scene.memory.earliest(run.earliest(machine.nextDeadline, isDeaf: machine.isDeaf))
    }
}

/// The result of a turn.
public struct TurnOutcome: Sendable {
    /// The effects, in order.
    public var effects: [DeviceEffect]
    /// True when the device changed in more than its numbers, so that its image must be stored at once.
    public var mustKeep: Bool
    /// The number of values refused because of their size.
    public var refusedValues: UInt32
    /// The number of messages that actions could not publish.
    public var unpublished: UInt32
    /// The states entered and the transitions taken; nil unless ``Workspace/recordsReach`` is set.
    public var reach: MachineReach?
    /// The parts of the input that could not be read.
    var misreadings: [Misreading]
    /// The signals that the input contained.
    var reported: SignalSet
    /// True if there was nothing in the input that could not be read.
    public var isRead: Bool { misreadings.isEmpty }
    /// The meaning of a message for the device; nil unless ``Workspace/recordsReadings`` is set and a message was read.
    public var reading: MessageReading?
}

/// The state that each turn passes on to the next, of any device.
public struct Workspace: Sendable {
    /// The number of the next deadline; see `MachineClock`.
    public var sequence: UInt64 = 0
    /// The epoch of all revisions; it changes when revisions could otherwise repeat with other content.
    public var epoch: Int64
    /// The number of the newest run of any removed device; a device of the same name must not use it again.
    public var newestLostRun = Int64.min
    /// The number of bytes by which the values of all devices may still grow.
    public var room = Int.max / 2
    /// The cost of all expressions since it was last set to 0.
    public var cost = 0
    /// True while turns record the states entered and the transitions taken.
    public var recordsReach = false
    /// True while turns record the meaning of each message.
    public var recordsReadings = false
    /// A buffer for the values of a payload, used again so that a message allocates nothing.
    var payload: [Value] = []

    /// Makes the workspace of devices whose revisions have an epoch.
    public init(epoch: Int64) { self.epoch = epoch }
}

extension Turn {
    /// Handles a message of one of the definition's sources: signals, then one macrostep, timers, content.
    ///
    /// A retained message sets signals but is not an event: it raises none, gives no alert and does not end a silence.
    ///
    /// - Parameters:
    ///   - payload: The payload, unchanged.
    ///   - isRetained: True if the broker had retained the message.
    ///   - source: The number of the source in its definition.
    ///   - captures: The captured levels of the topic; may be empty when no expression reads them.
    ///   - item: The element of the message that speaks of the device.
    public mutating func receive(
        _ payload: ArraySlice<UInt8>,
        isRetained: Bool,
        source: Int,
        captures: [Value],
        item: Value = .error(.unset)
    ) {
        let definition = scene.definition
        let description = definition.sources[source]
        let refusal = description.read(payload, into: &scene.payload, limits: definition.limits.json)
        if let refusal {
            refuse(refusal, of: source)
        } else {
            receiveRead(isRetained: isRetained, source: source, captures: captures, item: item)
        }
    }

    /// Tells that a message of the device can't be read; nothing else changes.
    public mutating func refuse(_ refusal: PayloadRefusal, of source: Int) {
        scene.isTold = true
        scene.note(.refused(refusal, source: source))
        effects.append(.refused(refusal))
    }

    /// Handles a message whose payload ``Definition/select(_:source:captures:in:)`` has read.
    ///
    /// - Parameters:
    ///   - isRetained: True if the broker had retained the message.
    ///   - source: The number of the source in its definition.
    ///   - captures: The captured levels of the topic; may be empty when no expression reads them.
    ///   - item: The element of the message that speaks of the device.
    public mutating func receiveRead(
        isRetained: Bool,
        source: Int,
        captures: [Value],
        item: Value = .error(.unset)
    ) {
        scene.isTold = true
        let definition = scene.definition
        let description = definition.sources[source]
        scene.captures = captures
        scene.item = item
        scene.takeSignals(of: description, isRetained: isRetained, machine)
        // After the signals, which the name may read, and before the macrostep, whose actions may read the name.
        if let name = description.name { scene.takeName(name, machine) }
        takeAvailability(of: source)
        // A retained message may be days old: it does not prove that the device is there.
        if !isRetained {
            if machine.heard(at: scene.now) { scene.mustKeep = true }
            breakSilences()
        }
        let before = machine.activeAtomicStates(in: definition.chart)
        let event = isRetained ? nil : scene.event(of: source, machine)
        let changed = scene.changed
        if scene.recordsReadings { reading = messageReading(event) }
        finish(step(event), from: before, on: event, isReplay: isRetained)
        if scene.recordsReadings { noteWaits(after: changed) }
    }

    /// Notes signals that were reported as the end of the silences that not every message breaks.
    private mutating func breakSilences() {
        let definition = scene.definition
        let (reported, changed) = (scene.reported, scene.changed)
        if let silence = definition.activity?.staleSilence, !run.isEmpty,
            silence.isBroken(byReport: reported, change: changed)
        {
            run[0].newsAt = scene.now
        }
        if definition.silences.isEmpty { return }
        let isOver = machine.heard(at: scene.now, in: definition.chart) { number in
            definition.silences[Int(number)].isBroken(byReport: reported, change: changed)
        }
        if isOver { scene.mustKeep = true }
    }

    /// Handles an event, such as a command: one macrostep.
    public mutating func take(event: String) {
        scene.isTold = true
        let before = machine.activeAtomicStates(in: scene.definition.chart)
        finish(step(event), from: before, on: event)
    }

    /// Handles the first deadline, at the time of the deadline, unless it lies after the limit.
    public mutating func wake(upTo limit: Timestamp) {
        guard let due = nextDeadline, due.at <= limit else { return }
        defer { assert(nextDeadline != due, "a deadline was handled and is still due") }
        scene.begin(at: due.at)
        scene.mustKeep = true
        // By equality: no two deadlines have the same number.
        if let duty = run.duty(at: due) {
            switch duty {
            case .settling: publishSettled()
            case .exactness: publishExactly()
            case .alertCheck: checkAlerts()
            case .staleCheck: checkSilence()
            case .dismissal: dismiss()
            }
        } else if scene.memory.forgetting == due {
            forget()
        } else if let history = scene.memory.histories.firstIndex(where: { $0.pending == due }) {
            let before = machine.activeAtomicStates(in: scene.definition.chart)
            scene.turn(history: history)
            breakSilences()
            finish(step(nil), from: before)
        } else {
            let before = machine.activeAtomicStates(in: scene.definition.chart)
            // Before the machine fires: afterwards the event is no longer among those to come.
            // Alerts wait for it, ask for it in a condition, or name it.
            let event = scene.definition.activity?.alerts.isEmpty == false ? event(dueAt: due) : nil
            assert(machine.nextDeadline == due, "a deadline belongs to nothing")
            let isTimer = machine.isTimerDue
            guard let outcome = attempt({ turn in turn.fire(upTo: limit) }) else { return }
            finish(outcome, from: before, on: event, timersMoved: isTimer)
        }
    }

    /// Evaluates everything, even where no signal has changed: one macrostep, then the content.
    ///
    /// An activity that an earlier definition started ends if the present one has no activity.
    public mutating func lookAnew() {
        if scene.definition.activity == nil { effects += run.end(at: scene.now) }
        scene.isAnew = true
        let before = machine.activeAtomicStates(in: scene.definition.chart)
        finish(step(nil), from: before)
        // An edit may have added `forget` after the last run was dismissed.
        if run.isEmpty, lastRun != .min, scene.memory.forgetting == nil { prepareToForget() }
    }

    /// Performs one macrostep: the start of the machine, an event, or the transitions that changed signals cause.
    private mutating func step(_ event: String?) -> Outcome {
        // 0004: a message that changes nothing the machine reads costs no evaluation.
        if machine.isStarted, event == nil, !scene.isAnew,
            !scene.definition.machineDependencies.mayHaveChanged(by: scene.changed)
        {
            return Outcome()
        }
        return attempt { turn in turn.macrostep(event) } ?? Outcome()
    }

    /// Performs a macrostep in which signals are reset where a run may begin; and once more without that, if none begins.
    private mutating func attempt(_ macrostep: (inout Turn) -> Outcome?) -> Outcome? {
        assert(!scene.wasReset, "signals were reset, and no run has begun")
        scene.awaitsRun = scene.definition.resetsSignals && !isFollowed
        guard scene.awaitsRun else { return macrostep(&self) }
        let (stable, former) = (machine, FormerSignals(of: scene.memory))
        let outcome = macrostep(&self)
        scene.awaitsRun = false
        guard scene.wasReset, let outcome else { return outcome }
        scene.wasReset = false
        if runChange(after: outcome, key: presentKey(after: outcome)).begins { return outcome }
        machine = stable
        scene.putBack(former)
        scene.forgetPath()
        return macrostep(&self)
    }

    /// Handles the first deadline of the machine, if it is not later than the limit.
    private mutating func fire(upTo limit: Timestamp) -> Outcome? {
        let former = FormerSignals(of: scene.memory)
        let outcome = machine.fire(upTo: limit, host: &scene)
        // Deadlines that follow each other without end are given up, but what the last one did is not undone.
        if let outcome, outcome.fault == .endlessLoop, !outcome.changed { scene.putBack(former) }
        return outcome
    }

    private mutating func macrostep(_ event: String?) -> Outcome {
        guard machine.isStarted else {
            var outcome = undoable { machine, scene in
                scene.setInitialContext(machine)
                return machine.start(host: &scene)
            }
            // At once, while guards still see what the message that starts the machine has changed.
            if let event, machine.isStarted {
                outcome.add(undoable { machine, scene in machine.handle(event: event, host: &scene) })
            }
            return outcome
        }
        if let event { return undoable { machine, scene in machine.handle(event: event, host: &scene) } }
        return undoable { machine, scene in machine.settle(host: &scene) }
    }

    /// Performs steps of the machine.
    ///
    /// A machine that does not come to rest returns to its last stable state, and its variables to their values there.
    mutating func undoable(_ steps: (inout Machine, inout Scene) -> Outcome) -> Outcome {
        let former = FormerSignals(of: scene.memory)
        let outcome = steps(&machine, &scene)
        if outcome.fault == .endlessLoop { scene.putBack(former) }
        return outcome
    }

    private mutating func takeAvailability(of source: Int) {
        guard let program = scene.definition.sources[source].available else { return }
        switch scene.evaluate(program, machine) {
        case .bool(let isAvailable):
            guard scene.memory.isAvailable != isAvailable else { return }
            scene.memory.isAvailable = isAvailable
            scene.mustKeep = true
            effects.append(.availability(isAvailable))
            if isAvailable { machine.release(at: scene.now) } else { standStill() }
            scene.hasOtherReach = true
        case .error(let error): scene.count(error, of: program)
        default: scene.count(.noSuchOverload, of: program)
        }
    }

    /// Lets waits and the countdowns that only the device tells stand still, because it can't be reached.
    private mutating func standStill() {
        assert(scene.memory.isAvailable == false, "a device stands still that can be reached")
        let definition = scene.definition
        if definition.runsUnavailable { return }
        machine.hold(at: scene.now) { definition.timers[Int($0.rawValue)].followsReports }
    }

    /// Completes a macrostep with run, timers and content.
    mutating func finish(
        _ macrostep: Outcome,
        from before: StateSet,
        on event: String? = nil,
        isReplay: Bool = false,
        timersMoved isOver: Bool = false,
        timers: [Situation.TimerLength] = []
    ) {
        var outcome = macrostep
        // First the run: it may reset signals, and with them take further steps that belong to this macrostep.
        let change = changeRun(&outcome)
        if let fault = outcome.fault {
            effects.append(.fault(.machine(fault)))
            scene.forgetPath()
        }
        let isElsewhere = !outcome.entered.isEmpty || !outcome.exited.isEmpty
        if isElsewhere {
            let after = machine.activeAtomicStates(in: scene.definition.chart)
            // A machine that starts has always passed its initial state.
            let passed = before.isEmpty ? [] : scene.passedStates(machine)
            if before != after || !passed.isEmpty {
                // The update usually follows: one piece of memory for both.
                if effects.isEmpty { effects.reserveCapacity(2) }
                effects.append(
                    .moved(from: scene.stateName(before), to: scene.stateName(after), through: passed)
                )
            }
        }
        for message in scene.publications { effects.append(.publication(message)) }
        scene.publications = []
        // Before the timers: ending the run stops the learned one.
        learn(from: change)
        var timersMoved = driveTimers(
            run: change,
            machineMoved: outcome.changed,
            isElsewhere: isElsewhere,
            isReplay: isReplay
        )
        if estimateEnd() || isOver { timersMoved = true }
        // After `while` has started them: a test's times count.
        for timer in timers { set(timer) }
        // A moment that is computed from a timer has moved with it.
        if timersMoved || scene.hasOtherReach, machine.armMoments(host: &scene) { scene.mustKeep = true }
        if outcome.isDifferent || timersMoved { scene.mustKeep = true }
        let step = StepResult(
            run: change,
            entered: outcome.entered,
            isElsewhere: isElsewhere,
            machineMoved: outcome.changed || timersMoved,
            isReplay: isReplay,
            event: event,
            raised: outcome.raised
        )
        if let event, scene.event == nil { scene.event = event }
        // Last, when everything that the content reads is as it stays.
        render(step)
        if isOver || scene.isAnew { boundTimeAtZero() }
        // Only the first of an input: a payload with a hundred large values would drown the log.
        if let excess = scene.excess { effects.append(.fault(excess)) }
    }
}

/// The effects of a macrostep on the run and its content.
struct StepResult {
    /// The effect on the run.
    var run: RunChange
    /// The states that the macrostep entered.
    var entered: StateSet
    /// True if the macrostep entered or left a state.
    var isElsewhere: Bool
    /// True if states, variables or timers may have changed.
    var machineMoved: Bool
    /// True if a retained message caused the macrostep.
    var isReplay: Bool
    /// The event of the message, command or deadline that caused it.
    var event: String?
    /// The events that the machine raised itself and handled, in their order.
    var raised: [String]
}

extension Scene {
    /// Assigns the first values of the variables, before the machine starts.
    mutating func setInitialContext(_ machine: Machine) {
        for (variable, program) in definition.initialContext.enumerated() {
            let value = evaluate(program, machine)
            if case .error(let error) = value { count(error, of: program) }
            _ = keep(value, at: firstVariable + variable)
        }
    }

    /// The event that a message of a source raises; nil if it raises none.
    fileprivate mutating func event(of source: Int, _ machine: Machine) -> String? {
        guard let program = definition.sources[source].event else { return nil }
        switch evaluate(program, machine) {
        case .string(let name): return name.utf8.isEmpty ? nil : name
        case .error(let error): count(error, of: program)
        default: count(.noSuchOverload, of: program)
        }
        return nil
    }
}

/// The state of a device at the beginning of a test.
public struct Situation: Sendable {
    /// A signal or variable, by its number in the definition, with its value.
    public struct Setting: Sendable {
        /// The number of the signal or variable.
        public var index: Int
        /// The value, of any type.
        public var value: Value

        /// Makes a setting.
        public init(_ index: Int, _ value: Value) {
            self.index = index
            self.value = value
        }
    }

    /// A timer with the time left, or with the time counted when it counts up.
    public struct TimerLength: Sendable {
        /// The timer, by its number.
        public var timer: TimerID
        /// The time left, or counted; not negative.
        public var length: Interval

        /// Makes a timer with its time.
        public init(_ timer: TimerID, _ length: Interval) {
            self.timer = timer
            self.length = length
        }
    }

    /// The signals that have a value.
    public var signals: [Setting] = []
    /// The variables whose value differs from their first one.
    public var variables: [Setting] = []
    /// The active states, empty for the initial ones; nil when the machine has not started.
    public var states: [StateID]?
    /// The timers that are armed; those with a `while` that does not hold are paused.
    public var timers: [TimerLength] = []

    /// Makes a situation without values, whose machine has not started.
    public init() {}
}

extension Turn {
    /// Puts a device that was not heard yet into a situation: one macrostep, with the run that starts by it.
    public mutating func begin(_ situation: Situation) {
        for signal in situation.signals {
            // Not by `keep`: a test may set any value; what it takes is counted at the end.
            scene.memory.values[signal.index] = signal.value
            scene.beginHistory(of: signal)
        }
        defer { scene.memory.countStorage(limit: scene.definition.limits.valueBytes) }
        guard let states = situation.states else { return }
        assert(!machine.isStarted, "a device is put into a situation that is in one")
        scene.setInitialContext(machine)
        for variable in situation.variables {
            scene.memory.values[scene.firstVariable + variable.index] = variable.value
        }
        let outcome = machine.start(in: states, host: &scene)
        finish(outcome, from: StateSet(), timers: situation.timers)
    }

    /// Sets the time that a timer has left or has counted.
    mutating func set(_ timer: Situation.TimerLength) {
        let definition = scene.definition.timers[Int(timer.timer.rawValue)]
        if case .countUp = definition.kind {
            let start = scene.now - timer.length
            machine.startTimer(timer.timer, countingUpFrom: start, on: &scene.clock)
        } else {
            machine.startTimer(timer.timer, duration: timer.length, on: &scene.clock)
        }
        if let runsWhile = definition.runsWhile, !scene.truth(runsWhile, machine) {
            machine.pauseTimer(timer.timer, at: scene.now)
        }
    }
}
