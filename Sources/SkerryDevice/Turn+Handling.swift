import SkerryExpressions
import SkerryMachine
public import SkerryValues

extension Turn {
    /// Takes a message of one of the definition's sources in: signals, then one macrostep, timers, content.
    ///
    /// A retained message sets signals and is no event: it raises none, gives no alert and breaks no silence.
    ///
    /// - Parameters:
    ///   - payload: the payload as it came.
    ///   - isRetained: whether the broker had kept it.
    ///   - source: the number of the source in its definition.
    ///   - captures: what stood at the captures of the source's filter; may be empty when no expression reads them.
    public mutating func receive(
        _ payload: ArraySlice<UInt8>,
        isRetained: Bool,
        source: Int,
        captures: [Value]
    ) {
        scene.isTold = true
        let definition = scene.definition
        let description = definition.sources[source]
        if let refusal = scene.read(payload, of: description) {
            effects.append(.refused(refusal))
            return
        }
        scene.captures = captures
        scene.takeSignals(of: description, machine)
        takeAvailability(of: source)
        if !isRetained, machine.heard(at: scene.now) { scene.mustKeep = true }
        let before = machine.activeAtomicStates(in: definition.chart)
        let event = isRetained ? nil : scene.event(of: source, machine)
        finish(step(event), from: before, isReplay: isRetained)
    }

    /// Takes an event in, such as a command: one macrostep.
    public mutating func take(event: String) {
        scene.isTold = true
        let before = machine.activeAtomicStates(in: scene.definition.chart)
        finish(step(event), from: before)
    }

    /// Handles the one thing that is due first, with its deadline as the time; nothing when that is later.
    public mutating func wake(upTo limit: Timestamp) {
        guard let due = nextDeadline, due.at <= limit else { return }
        scene.begin(at: due.at)
        scene.mustKeep = true
        if !run.isEmpty, run[0].staleCheck == due {
            checkSilence()
        } else if !run.isEmpty, run[0].dismissal == due {
            dismiss()
        } else {
            let before = machine.activeAtomicStates(in: scene.definition.chart)
            let values = scene.memory.values
            guard let outcome = machine.fire(upTo: limit, host: &scene) else { return }
            if outcome.fault == .endlessLoop { scene.putBack(values) }
            finish(outcome, from: before)
        }
    }

    /// Looks at everything anew, also where no signal has changed: one macrostep, then the content.
    ///
    /// What a definition without an activity still shows ends.
    public mutating func lookAnew() {
        if scene.definition.activity == nil { effects += run.end(at: scene.now) }
        scene.isAnew = true
        let before = machine.activeAtomicStates(in: scene.definition.chart)
        finish(step(nil), from: before)
    }

    /// One macrostep: the start of the machine, an event, or what changed signals set off.
    ///
    /// A machine that does not come to rest goes back to where it was, and its variables with it.
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
        case .error(let error): scene.count(error, of: program)
        default: scene.count(.noSuchOverload, of: program)
        }
    }

    /// What follows a macrostep: run, timers, content.
    mutating func finish(
        _ outcome: Outcome,
        from before: StateSet,
        isReplay: Bool = false,
        timers: [Situation.TimerLength] = []
    ) {
        if let fault = outcome.fault { effects.append(.fault(.machine(fault))) }
        scene.since = outcome.since ?? scene.now
        let isElsewhere = !outcome.entered.isEmpty || !outcome.exited.isEmpty
        if isElsewhere {
            let after = machine.activeAtomicStates(in: scene.definition.chart)
            if before != after {
                effects.append(.moved(from: scene.stateName(before), to: scene.stateName(after)))
            }
        }
        let change = runChange(after: outcome)
        let timersMoved = driveTimers(run: change, machineMoved: outcome.changed, isReplay: isReplay)
        for timer in timers { set(timer) }
        if outcome.isDifferent || timersMoved { scene.mustKeep = true }
        let step = StepResult(
            run: change,
            entered: outcome.entered,
            isElsewhere: isElsewhere,
            machineMoved: outcome.changed || timersMoved,
            isReplay: isReplay
        )
        render(step)
        if let excess = scene.excess { effects.append(.fault(excess)) }
    }
}

/// What a macrostep means for the run and its content.
struct StepResult {
    /// What it means for the run.
    var run: RunChange
    /// The states it entered.
    var entered: StateSet
    /// Whether it entered or left any.
    var isElsewhere: Bool
    /// Whether states, variables or timers may differ from before.
    var machineMoved: Bool
    /// Whether a replay caused it.
    var isReplay: Bool
}

extension Scene {
    /// Gives the variables the values that they have before the machine starts.
    mutating func setInitialContext(_ machine: Machine) {
        for (variable, program) in definition.initialContext.enumerated() {
            _ = keep(evaluate(program, machine), at: firstVariable + variable)
        }
    }

    /// The event that a message of a source raises, if any.
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
