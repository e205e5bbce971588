public import SkerryValues

/// What a macrostep knows while it goes on.
struct Macrostep {
    var occasion: Occasion
    var sequence: UInt64
    var outcome = Outcome()
    var microsteps = 0
    /// The machine before the first microstep, to go back to when there is no end.
    var stable: Machine?
    /// Whether events and actions may have changed what conditions read, besides what the host knows of.
    var isTouched = false

    init(at now: Timestamp, event: MachineEvent? = nil, sequence: UInt64) {
        self.occasion = Occasion(now: now, event: event, since: nil)
        self.sequence = sequence
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
    ///   - chart: the chart of the machine, the same in every call.
    ///   - host: what conditions and actions mean.
    ///   - now: the time.
    ///   - sequence: the counter that orders deadlines, shared by all machines that are to be in order.
    /// - Returns: what was entered; after a fault the machine has not started.
    public mutating func start<Host: MachineHost>(
        in targets: [StateID] = [],
        chart: Statechart,
        host: inout Host,
        at now: Timestamp,
        sequence: inout UInt64
    ) -> Outcome {
        let (heard, timers) = (lastHeard, isStarted ? [] : runningTimers)
        self = Machine()
        lastHeard = heard
        runningTimers = timers
        var step = Macrostep(at: now, sequence: sequence)
        step.stable = self
        step.isTouched = true
        let entry = startSet(targets, in: chart)
        enter(entry, chart: chart, host: &host, step: &step)
        host.stepped(by: [], into: entry.states)
        step.outcome.changed = true
        step.outcome.isDifferent = true
        finish(chart: chart, host: &host, step: &step)
        sequence = step.sequence
        return step.outcome
    }

    /// Takes the eventless transitions that became possible because the world changed: one macrostep.
    ///
    /// Call it after every change of what conditions read. Costs little when nothing follows from it.
    ///
    /// - Parameters:
    ///   - chart: the chart of the machine.
    ///   - host: what conditions and actions mean.
    ///   - now: the time.
    ///   - sequence: the counter that orders deadlines.
    /// - Returns: what happened.
    public mutating func settle<Host: MachineHost>(
        chart: Statechart,
        host: inout Host,
        at now: Timestamp,
        sequence: inout UInt64
    ) -> Outcome {
        if isFinished || remainsAtRest(chart: chart, host: &host, at: now) { return Outcome() }
        var step = Macrostep(at: now, sequence: sequence)
        finish(chart: chart, host: &host, step: &step)
        sequence = step.sequence
        return step.outcome
    }

    /// Whether no condition turned so that anything follows; the short way through most calls of ``settle``.
    private mutating func remainsAtRest<Host: MachineHost>(
        chart: Statechart,
        host: inout Host,
        at now: Timestamp
    ) -> Bool {
        let occasion = Occasion(now: now)
        for state in configuration.intersection(chart.statesWithChecks) {
            var place = Int(chart.checkStarts[state.index])
            let end = Int(chart.checkStarts[state.index + 1])
            while place < end {
                let check = chart.checks[place]
                place += 1
                guard host.mayHaveChanged(check.condition) else { continue }
                let holds = host.holds(check.condition, in: &self, on: occasion)
                let isNews = check.isSustained ? isNews(holds, of: check.transition) : holds
                if isNews || !raised.isEmpty {
                    // The long way looks at the conditions again and hears the same complaints.
                    raised = []
                    return false
                }
            }
        }
        return true
    }

    /// Handles one external event: one macrostep.
    ///
    /// - Parameters:
    ///   - event: the name of the event, tokens separated by dots.
    ///   - data: the host's number for what came with it.
    ///   - chart: the chart of the machine.
    ///   - host: what conditions and actions mean.
    ///   - now: the time.
    ///   - sequence: the counter that orders deadlines.
    /// - Returns: what happened.
    public mutating func handle<Host: MachineHost>(
        event: String,
        data: UInt32 = 0,
        chart: Statechart,
        host: inout Host,
        at now: Timestamp,
        sequence: inout UInt64
    ) -> Outcome {
        guard isStarted, !isFinished else { return Outcome() }
        var step = Macrostep(at: now, event: MachineEvent(event, data: data), sequence: sequence)
        take(MachineEvent(event, data: data), chart: chart, host: &host, step: &step)
        finish(chart: chart, host: &host, step: &step)
        sequence = step.sequence
        return step.outcome
    }

    /// Handles the deadline that is due first, with its own time as the time: one macrostep.
    ///
    /// Call it until ``nextDeadline`` lies after `limit`; what one deadline starts may be due before the next.
    ///
    /// - Parameters:
    ///   - limit: deadlines after this moment are left alone.
    ///   - chart: the chart of the machine.
    ///   - host: what conditions and actions mean.
    ///   - sequence: the counter that orders deadlines.
    /// - Returns: what happened, or nil when nothing was due.
    public mutating func fire<Host: MachineHost>(
        upTo limit: Timestamp,
        chart: Statechart,
        host: inout Host,
        sequence: inout UInt64
    ) -> Outcome? {
        guard let due = earliest(), due.deadline.at <= limit else { return nil }
        let now = due.deadline.at
        var step = Macrostep(at: now, sequence: sequence)
        step.outcome.isDifferent = true
        switch due.source {
        case .send(let index):
            take(sends.remove(at: index).event, chart: chart, host: &host, step: &step)
        case .timer(let index):
            runningTimers[index].elapse()
            let timer = runningTimers[index].id.index
            if timer < chart.elapsedEvents.count {
                take(MachineEvent(chart.elapsedEvents[timer]), chart: chart, host: &host, step: &step)
            }
        case .wait(let index):
            let enabled = endWait(at: index, chart: chart, host: &host, step: &step)
            if let enabled { microstep([enabled], chart: chart, host: &host, step: &step) }
        }
        finish(chart: chart, host: &host, step: &step)
        boundDeadlinesAtOnce(of: chart, at: now, outcome: &step.outcome)
        sequence = step.sequence
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
        chart: Statechart,
        host: inout Host,
        step: inout Macrostep
    ) {
        step.occasion.event = event
        let enabled = selectTransitions(on: event, chart: chart, host: &host, step: step)
        if !enabled.isEmpty { microstep(enabled, chart: chart, host: &host, step: &step) }
    }

    /// Goes on with eventless transitions and internal events until there are none, then looks at what waits.
    private mutating func finish<Host: MachineHost>(
        chart: Statechart,
        host: inout Host,
        step: inout Macrostep
    ) {
        var handled = 0
        while !isFinished {
            var enabled = selectEventless(chart: chart, host: &host, step: step)
            if enabled.isEmpty, handled < raised.count {
                let event = raised[handled]
                handled += 1
                step.isTouched = true
                take(event, chart: chart, host: &host, step: &step)
            } else {
                if enabled.isEmpty { enabled = renewWaits(chart: chart, host: &host, step: &step) }
                if enabled.isEmpty, handled == raised.count { break }
                if !enabled.isEmpty { microstep(enabled, chart: chart, host: &host, step: &step) }
            }
            if step.microsteps > chart.limits.microsteps || handled > chart.limits.raisedEvents {
                if let stable = step.stable { self = stable }
                raised = []
                step.outcome = Outcome()
                step.outcome.isDifferent = true
                step.outcome.fault = .endlessLoop
                return
            }
        }
        if !raised.isEmpty { raised = [] }
        if isFinished { end(chart: chart, host: &host, step: &step) }
    }

    /// Does the exit actions of what is still active; that stays visible, but nothing is waited for any more.
    private mutating func end<Host: MachineHost>(
        chart: Statechart,
        host: inout Host,
        step: inout Macrostep
    ) {
        var rest = configuration
        while let id = rest.last {
            rest.remove(id)
            for block in chart.states[id.index].exit {
                perform(block, chart: chart, host: &host, step: &step)
            }
        }
        waits = []
        sends = []
        raised = []
    }

    /// Leaves, acts and enters: one microstep of transitions that do not conflict.
    private mutating func microstep<Host: MachineHost>(
        _ enabled: [TransitionID],
        chart: Statechart,
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
        let leaving = exitSet(of: enabled, in: chart)
        exit(leaving, chart: chart, host: &host, step: &step)
        for transition in enabled {
            perform(chart.transitions[transition.index].actions, chart: chart, host: &host, step: &step)
        }
        let entering = entrySet(of: enabled, in: chart)
        enter(entering, chart: chart, host: &host, step: &step)
        host.stepped(by: enabled, into: entering.states)
    }
}
