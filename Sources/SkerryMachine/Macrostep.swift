public import SkerryValues

/// What a macrostep knows while it goes on.
struct Macrostep {
    let chart: Statechart
    var occasion: Occasion
    var outcome = Outcome()
    var microsteps = 0
    /// The machine before the first microstep, to go back to when there is no end.
    var stable: Machine?
    /// Whether events and actions may have changed what conditions read, besides what the host knows of.
    var isTouched = false

    init(of chart: Statechart, event: MachineEvent? = nil) {
        self.chart = chart
        occasion = Occasion(event: event)
    }
}

extension Machine {
    /// Starts the machine, or starts it anew as if it had never run: the initial states are entered.
    ///
    /// Named timers of a machine that was read back and has no place any more run on.
    ///
    /// - Parameters:
    ///   - targets: the states to enter instead of the initial ones, none of them a history state and all of them
    ///     such that they can be active together; what is around them and in them is entered as by a transition.
    ///   - host: the chart, the time, and what conditions and actions mean.
    /// - Returns: what was entered; after a fault the machine has not started.
    public mutating func start<Host: MachineHost>(
        in targets: [StateID] = [],
        host: inout Host
    ) -> Outcome {
        let (heard, timers) = (lastHeard, isStarted ? [] : runningTimers)
        self = Machine()
        lastHeard = heard
        runningTimers = timers
        var step = Macrostep(of: host.chart)
        step.stable = self
        step.isTouched = true
        let entry = startSet(targets, in: step.chart)
        enter(entry, host: &host, step: &step)
        host.stepped(by: [], into: entry.states)
        step.outcome.changed = true
        step.outcome.isDifferent = true
        finish(host: &host, step: &step)
        return step.outcome
    }

    /// Takes the eventless transitions that became possible because the world changed: one macrostep.
    ///
    /// Call it after every change of what conditions read. Costs little when nothing follows from it.
    ///
    /// - Parameter host: the chart, the time, and what conditions and actions mean.
    /// - Returns: what happened.
    public mutating func settle<Host: MachineHost>(host: inout Host) -> Outcome {
        if isFinished { return Outcome() }
        var step = Macrostep(of: host.chart)
        finish(host: &host, step: &step)
        return step.outcome
    }

    /// Handles one external event: one macrostep.
    ///
    /// - Parameters:
    ///   - event: the name of the event, tokens separated by dots.
    ///   - data: the host's number for what came with it.
    ///   - host: the chart, the time, and what conditions and actions mean.
    /// - Returns: what happened.
    public mutating func handle<Host: MachineHost>(
        event: String,
        data: UInt32 = 0,
        host: inout Host
    ) -> Outcome {
        guard isStarted, !isFinished else { return Outcome() }
        var step = Macrostep(of: host.chart)
        take(MachineEvent(event, data: data), host: &host, step: &step)
        finish(host: &host, step: &step)
        return step.outcome
    }

    /// Handles the deadline that is due first, with its own time as the time of the host's clock: one macrostep.
    ///
    /// Call it until ``nextDeadline`` lies after `limit`; what one deadline starts may be due before the next.
    ///
    /// - Parameters:
    ///   - limit: deadlines after this moment are left alone.
    ///   - host: the chart, the time, and what conditions and actions mean.
    /// - Returns: what happened, or nil when nothing was due.
    public mutating func fire<Host: MachineHost>(upTo limit: Timestamp, host: inout Host) -> Outcome? {
        guard let due = earliest(), due.deadline.at <= limit else { return nil }
        let now = due.deadline.at
        host.clock.now = now
        var step = Macrostep(of: host.chart)
        step.outcome.isDifferent = true
        switch due.source {
        case .send(let index):
            take(sends.remove(at: index).event, host: &host, step: &step)
        case .timer(let index):
            runningTimers[index].elapse()
            let timer = runningTimers[index].id.index
            if timer < step.chart.elapsedEvents.count {
                take(MachineEvent(step.chart.elapsedEvents[timer]), host: &host, step: &step)
            }
        case .wait(let index):
            let enabled = endWait(at: index, host: &host, step: &step)
            if let enabled { microstep([enabled], host: &host, step: &step) }
        }
        finish(host: &host, step: &step)
        boundDeadlinesAtOnce(of: step.chart, at: now, outcome: &step.outcome)
        return step.outcome
    }

    /// Gives up what is due when deadlines at one moment follow each other without end.
    private mutating func boundDeadlinesAtOnce(
        of chart: Statechart,
        at now: Timestamp,
        outcome: inout Outcome
    ) {
        guard let next = nextDeadline, next.at <= now else {
            deadlinesAtOnce = 0
            return
        }
        deadlinesAtOnce &+= 1
        guard Int(deadlinesAtOnce) >= chart.limits.deadlinesAtOnce else { return }
        giveUpDue(at: now)
        deadlinesAtOnce = 0
        outcome.fault = .endlessLoop
    }

    /// Takes the transitions that an event enables.
    private mutating func take<Host: MachineHost>(
        _ event: MachineEvent,
        host: inout Host,
        step: inout Macrostep
    ) {
        step.occasion.event = event
        let enabled = selectTransitions(on: event, host: &host, step: step)
        if !enabled.isEmpty { microstep(enabled, host: &host, step: &step) }
    }

    /// Goes on with eventless transitions and internal events until there are none, then looks at what waits.
    private mutating func finish<Host: MachineHost>(
        host: inout Host,
        step: inout Macrostep
    ) {
        var handled = 0
        while !isFinished {
            var enabled = selectEventless(host: &host, step: step)
            if enabled.isEmpty, handled < raised.count {
                let event = raised[handled]
                handled += 1
                step.isTouched = true
                take(event, host: &host, step: &step)
            } else {
                if enabled.isEmpty { enabled = renewWaits(host: &host, step: &step) }
                if enabled.isEmpty, handled == raised.count { break }
                if !enabled.isEmpty { microstep(enabled, host: &host, step: &step) }
            }
            if step.microsteps > step.chart.limits.microsteps || handled > step.chart.limits.raisedEvents {
                if let stable = step.stable { self = stable }
                raised = []
                step.outcome = Outcome()
                step.outcome.isDifferent = true
                step.outcome.fault = .endlessLoop
                return
            }
        }
        if !raised.isEmpty { raised = [] }
        if isFinished { end(host: &host, step: &step) }
    }

    /// Does the exit actions of what is still active; that stays visible, but nothing is waited for any more.
    private mutating func end<Host: MachineHost>(
        host: inout Host,
        step: inout Macrostep
    ) {
        var rest = configuration
        while let id = rest.last {
            rest.remove(id)
            for block in step.chart.states[id.index].exit {
                perform(block, host: &host, step: &step)
            }
        }
        waits = []
        sends = []
        raised = []
    }

    /// Leaves, acts and enters: one microstep of transitions that do not conflict.
    private mutating func microstep<Host: MachineHost>(
        _ enabled: [TransitionID],
        host: inout Host,
        step: inout Macrostep
    ) {
        if step.stable == nil {
            var stable = self
            stable.raised = []
            step.stable = stable
        }
        step.microsteps += 1
        step.isTouched = true
        if step.outcome.transition == nil { step.outcome.transition = enabled.first }
        step.outcome.changed = true
        step.outcome.isDifferent = true
        let leaving = exitSet(of: enabled, in: step.chart)
        exit(leaving, host: &host, step: &step)
        for transition in enabled {
            perform(step.chart.transitions[transition.index].actions, host: &host, step: &step)
        }
        let entering = entrySet(of: enabled, in: step.chart)
        enter(entering, host: &host, step: &step)
        host.stepped(by: enabled, into: entering.states)
    }
}
