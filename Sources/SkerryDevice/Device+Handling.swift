import SkerryMachine
public import SkerryValues
import SkerryExpressions

extension Device {
    /// Takes a message of one of the definition's sources in: signals, then one macrostep, timers, content.
    ///
    /// A retained message sets signals and is no event: it raises none, gives no alert and breaks no silence.
    ///
    /// - Parameters:
    ///   - payload: the payload as it came.
    ///   - isRetained: whether the broker had kept it.
    ///   - source: the number of the source in its definition.
    ///   - captures: what stood at the captures of the source's filter; may be empty when no expression reads them.
    ///   - now: the time.
    ///   - workspace: the workspace of the definition.
    ///   - sequence: the counter that orders deadlines.
    ///   - effects: where what comes of it is appended.
    public mutating func receive(
        _ payload: ArraySlice<UInt8>,
        isRetained: Bool,
        source: Int,
        captures: [Value],
        at now: Timestamp,
        in workspace: inout Workspace,
        sequence: inout UInt64,
        effects: inout [DeviceEffect]
    ) {
        swap(&memory, &workspace.memory)
        defer { swap(&memory, &workspace.memory) }
        workspace.begin(at: now)
        workspace.isTold = true
        let definition = workspace.definition
        let description = definition.sources[source]
        if let refusal = workspace.read(payload, of: description) {
            effects.append(.refused(refusal))
            return
        }
        workspace.captures = captures
        workspace.takeSignals(of: description, machine)
        takeAvailability(of: source, in: &workspace, effects: &effects)
        if !isRetained, machine.heard(at: now) { workspace.mustKeep = true }
        let before = machine.activeAtomicStates(in: definition.chart)
        let event = isRetained ? nil : workspace.event(of: source, machine)
        let outcome = step(event, in: &workspace, sequence: &sequence)
        finish(
            outcome,
            from: before,
            isReplay: isRetained,
            in: &workspace,
            sequence: &sequence,
            effects: &effects
        )
    }

    /// Takes an event in, such as a command: one macrostep.
    public mutating func take(
        event: String,
        at now: Timestamp,
        in workspace: inout Workspace,
        sequence: inout UInt64,
        effects: inout [DeviceEffect]
    ) {
        swap(&memory, &workspace.memory)
        defer { swap(&memory, &workspace.memory) }
        workspace.begin(at: now)
        workspace.isTold = true
        let before = machine.activeAtomicStates(in: workspace.definition.chart)
        let outcome = step(event, in: &workspace, sequence: &sequence)
        finish(outcome, from: before, in: &workspace, sequence: &sequence, effects: &effects)
    }

    /// Handles the one thing that is due first, with `now` equal to its deadline; nothing when that is later.
    public mutating func wake(
        upTo limit: Timestamp,
        in workspace: inout Workspace,
        sequence: inout UInt64,
        effects: inout [DeviceEffect]
    ) {
        guard let due = nextDeadline, due.at <= limit else { return }
        swap(&memory, &workspace.memory)
        defer { swap(&memory, &workspace.memory) }
        workspace.begin(at: due.at)
        workspace.mustKeep = true
        if !run.isEmpty, run[0].staleCheck == due {
            checkSilence(at: due.at, in: workspace, sequence: &sequence, effects: &effects)
        } else if !run.isEmpty, run[0].dismissal == due {
            dismiss(effects: &effects)
        } else {
            let definition = workspace.definition
            let before = machine.activeAtomicStates(in: definition.chart)
            let values = workspace.memory.values
            guard
                let outcome = machine.fire(
                    upTo: limit,
                    chart: definition.chart,
                    host: &workspace,
                    sequence: &sequence
                )
            else { return }
            if outcome.fault == .endlessLoop { workspace.putBack(values) }
            finish(outcome, from: before, in: &workspace, sequence: &sequence, effects: &effects)
        }
    }

    /// One macrostep: the start of the machine, an event, or what changed signals set off.
    ///
    /// The event of the message that starts the machine is due at once, as a macrostep of its own.
    ///
    /// A machine that does not come to rest goes back to where it was, and its variables with it.
    mutating func step(
        _ event: String?,
        in workspace: inout Workspace,
        sequence: inout UInt64
    ) -> Outcome {
        let values = workspace.memory.values
        let outcome = macrostep(event, in: &workspace, sequence: &sequence)
        if outcome.fault == .endlessLoop { workspace.putBack(values) }
        return outcome
    }

    private mutating func macrostep(
        _ event: String?,
        in workspace: inout Workspace,
        sequence: inout UInt64
    ) -> Outcome {
        let definition = workspace.definition
        let now = workspace.now
        guard machine.isStarted else {
            workspace.setInitialContext(machine)
            let outcome = machine.start(
                chart: definition.chart,
                host: &workspace,
                at: now,
                sequence: &sequence
            )
            if let event, machine.isStarted {
                machine.send(MachineEvent(event), at: now, sequence: &sequence)
            }
            return outcome
        }
        if let event {
            return machine.handle(
                event: event,
                chart: definition.chart,
                host: &workspace,
                at: now,
                sequence: &sequence
            )
        }
        guard workspace.isAnew || definition.machineDependencies.mayHaveChanged(by: workspace.changed) else {
            return Outcome()
        }
        return machine.settle(chart: definition.chart, host: &workspace, at: now, sequence: &sequence)
    }

    private mutating func takeAvailability(
        of source: Int,
        in workspace: inout Workspace,
        effects: inout [DeviceEffect]
    ) {
        guard let program = workspace.definition.sources[source].available else { return }
        switch workspace.evaluate(program, machine) {
        case .bool(let isAvailable):
            guard workspace.memory.isAvailable != isAvailable else { return }
            workspace.memory.isAvailable = isAvailable
            workspace.mustKeep = true
            effects.append(.availability(isAvailable))
        case .error(let error): workspace.count(error, of: program)
        default: workspace.count(.noSuchOverload, of: program)
        }
    }

    /// What follows a macrostep: run, timers, content.
    mutating func finish(
        _ outcome: Outcome,
        from before: StateSet,
        isReplay: Bool = false,
        timers: [Situation.TimerLength] = [],
        in workspace: inout Workspace,
        sequence: inout UInt64,
        effects: inout [DeviceEffect]
    ) {
        if let fault = outcome.fault { effects.append(.fault(.machine(fault))) }
        workspace.since = outcome.since ?? workspace.now
        let isElsewhere = !outcome.entered.isEmpty || !outcome.exited.isEmpty
        if isElsewhere {
            let after = machine.activeAtomicStates(in: workspace.definition.chart)
            if before != after {
                effects.append(.moved(from: workspace.stateName(before), to: workspace.stateName(after)))
            }
        }
        let turn = runTurn(outcome, in: workspace)
        let timersMoved = driveTimers(
            turn: turn,
            machineMoved: outcome.changed,
            isReplay: isReplay,
            in: &workspace,
            sequence: &sequence
        )
        for timer in timers { set(timer, in: &workspace, &sequence) }
        if outcome.isDifferent || timersMoved { workspace.mustKeep = true }
        let step = StepResult(
            turn: turn,
            entered: outcome.entered,
            isElsewhere: isElsewhere,
            machineMoved: outcome.changed || timersMoved,
            isReplay: isReplay
        )
        render(step, in: &workspace, sequence: &sequence, effects: &effects)
        if let excess = workspace.excess { effects.append(.fault(excess)) }
    }
}

/// What a macrostep means for the run and its content.
struct StepResult {
    /// What it means for the run.
    var turn: RunTurn
    /// The states it entered.
    var entered: StateSet
    /// Whether it entered or left any.
    var isElsewhere: Bool
    /// Whether states, variables or timers may differ from before.
    var machineMoved: Bool
    /// Whether a replay caused it.
    var isReplay: Bool
}

extension Workspace {
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
