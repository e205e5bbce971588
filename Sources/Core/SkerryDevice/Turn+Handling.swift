import SkerryExpressions
import SkerryMachine
public import SkerryValues

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
        // The event of the message that starts the machine comes later, as one that the machine sent itself.
        let isHandled = machine.isStarted
        finish(step(event), from: before, on: isHandled ? event : nil, isReplay: isRetained)
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
        let isHandled = machine.isStarted
        finish(step(event), from: before, on: isHandled ? event : nil)
    }

    /// Handles the first deadline, at the time of the deadline, unless it lies after the limit.
    public mutating func wake(upTo limit: Timestamp) {
        guard let due = nextDeadline, due.at <= limit else { return }
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
            let values = scene.memory.values
            // Before the machine fires: afterwards the event is no longer among those to come.
            let event = scene.definition.activity?.hasEventAlerts == true ? event(dueAt: due) : nil
            assert(machine.nextDeadline == due, "a deadline belongs to nothing")
            let isTimer = machine.isTimerDue
            guard let outcome = machine.fire(upTo: limit, host: &scene) else { return }
            if outcome.fault == .endlessLoop { scene.putBack(values) }
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
    ///
    /// A machine that does not come to rest returns to its last stable state, and its variables to their values there.
    private mutating func step(_ event: String?) -> Outcome {
        let values = scene.memory.values
        let outcome = macrostep(event)
        if outcome.fault == .endlessLoop { scene.putBack(values) }
        return outcome
    }

    private mutating func macrostep(_ event: String?) -> Outcome {
        guard machine.isStarted else {
            scene.setInitialContext(machine)
            let outcome = machine.start(host: &scene)
            // The event of the message that starts the machine is due at once, as a macrostep of its own.
            if let event, machine.isStarted { machine.send(MachineEvent(event), on: &scene.clock) }
            return outcome
        }
        if let event { return machine.handle(event: event, host: &scene) }
        let dependencies = scene.definition.machineDependencies
        // 0004: a message that changes nothing the machine reads costs no evaluation.
        guard scene.isAnew || dependencies.mayHaveChanged(by: scene.changed) else { return Outcome() }
        return machine.settle(host: &scene)
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
        case .error(let error): scene.count(error, of: program)
        default: scene.count(.noSuchOverload, of: program)
        }
    }

    /// Lets waits and the countdowns that only the device tells stand still, because it can't be reached.
    private mutating func standStill() {
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
        var timersMoved = driveTimers(run: change, machineMoved: outcome.changed, isReplay: isReplay)
        if estimateEnd() || isOver { timersMoved = true }
        // After `while` has started them: a test's times count.
        for timer in timers { set(timer) }
        // A moment that is computed from a timer has moved with it.
        if timersMoved, machine.armMoments(host: &scene) { scene.mustKeep = true }
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
