public import SkerryValues

/// The working state of a macrostep.
struct Macrostep {
    let chart: Statechart
    var occasion: Occasion
    var outcome = Outcome()
    var microsteps = 0
    /// The machine before the first microstep, which comes back if the macrostep does not end.
    var stable: Machine?
    /// True if events or actions may have changed a condition without the host's knowledge.
    var isTouched = false

    init(of chart: Statechart, event: MachineEvent? = nil) {
        self.chart = chart
        occasion = Occasion(event: event)
    }
}

extension Machine {
    /// Starts the machine, or restarts it as if it had never run: the initial states are entered.
    ///
    /// Named timers of a restored machine whose states no longer exist run on.
    ///
    /// - Parameters:
    ///   - targets: The states to enter instead of the initial ones. None is a history state, and they can be active
    ///     together. Their ancestors and descendants are entered as by a transition.
    ///   - host: The chart, the time, and the meaning of conditions and actions.
    /// - Returns: The states entered; after a fault the machine has not started.
    public mutating func start<Host: MachineHost>(
        in targets: [StateID] = [],
        host: inout Host
    ) -> Outcome {
        // What was heard before a start still counts as heard.
        let (heard, lapse, listens, deaf) = (lastHeard, forgiven, listensSince, isDeaf)
        // Timers without active states are those of a restored machine. A machine that ran starts without
        // any.
        let (held, timers) = (heldSince, isStarted ? [] : runningTimers)
        self = Machine()
        lastHeard = heard
        listensSince = listens
        isDeaf = deaf
        forgiven = lapse
        heldSince = held
        runningTimers = timers
        var step = Macrostep(of: host.chart)
        // Without a stable state before it, a start that does not end leaves the machine unstarted.
        step.stable = self
        // No condition was evaluated yet, so none can be passed over as unchanged.
        step.isTouched = true
        let entry = startSet(targets, in: step.chart)
        enter(entry, host: &host, step: &step)
        host.stepped(by: [], into: entry.states, since: nil)
        step.outcome.changed = true
        step.outcome.isDifferent = true
        finish(host: &host, step: &step)
        assert(isStarted || step.outcome.fault != nil, "a machine has not started, and nothing says why")
        return step.outcome
    }

    /// Takes the eventless transitions whose conditions have become true: one macrostep.
    ///
    /// Call it after every change of a value that conditions read. It costs little when no condition has changed.
    ///
    /// - Parameter host: The chart, the time, and the meaning of conditions and actions.
    /// - Returns: The outcome.
    public mutating func settle<Host: MachineHost>(host: inout Host) -> Outcome {
        assert(raised.isEmpty, "an event is left of the last macrostep")
        if isFinished { return Outcome() }
        var step = Macrostep(of: host.chart)
        finish(host: &host, step: &step)
        return step.outcome
    }

    /// Handles one external event: one macrostep.
    ///
    /// - Parameters:
    ///   - event: The name of the event, tokens separated by dots.
    ///   - data: The host's number for the data of the event.
    ///   - host: The chart, the time, and the meaning of conditions and actions.
    /// - Returns: The outcome.
    public mutating func handle<Host: MachineHost>(
        event: String,
        data: UInt32 = 0,
        host: inout Host
    ) -> Outcome {
        assert(raised.isEmpty, "an event is left of the last macrostep")
        guard isStarted, !isFinished else { return Outcome() }
        var step = Macrostep(of: host.chart)
        take(MachineEvent(event, data: data), host: &host, step: &step)
        finish(host: &host, step: &step)
        return step.outcome
    }

    /// Handles the earliest deadline, with its own time on the host's clock: one macrostep.
    ///
    /// Call it until ``nextDeadline`` lies after `limit`: a timer that one deadline starts may be due before the next.
    ///
    /// - Parameters:
    ///   - limit: The last moment whose deadlines are handled.
    ///   - host: The chart, the time, and the meaning of conditions and actions.
    /// - Returns: The outcome, or nil when nothing was due.
    public mutating func fire<Host: MachineHost>(upTo limit: Timestamp, host: inout Host) -> Outcome? {
        guard let due = earliest(), due.deadline.at <= limit else { return nil }
        let now = due.deadline.at
        assert(raised.isEmpty, "an event is left of the last macrostep")
        // The time of the deadline, not of the call: what it arms counts from there, however late it is handled.
        host.clock.now = now
        var step = Macrostep(of: host.chart)
        // Even if no transition is taken: the deadline is used up, and the stored image must not have it any
        // more.
        step.outcome.isDifferent = true
        switch due.source {
        case .send(let index):
            take(sends.remove(at: index).event, host: &host, step: &step)
        case .timer(let index):
            // Before its event is handled, whose conditions must see it at zero.
            runningTimers[index].elapse()
            let timer = runningTimers[index].id.index
            if timer < step.chart.elapsedEvents.count {
                take(MachineEvent(step.chart.elapsedEvents[timer]), host: &host, step: &step)
            }
        case .wait(let index):
            let silence = firstSilence(index, dueAt: now, in: step.chart)
            end(waitAt: innermost(silence, dueAt: now, in: step.chart), host: &host, step: &step)
        }
        finish(host: &host, step: &step)
        assert(host.clock.now == now, "time has passed within a macrostep")
        boundDeadlinesAtOnce(of: step.chart, at: now, outcome: &step.outcome)
        return step.outcome
    }

    /// Takes the transition of a wait that is over.
    ///
    /// Conditions that have held long enough are like eventless transitions: that of an inner state is taken first, and
    /// in the same macrostep those of the states around it whose time is over at the same moment.
    private mutating func end<Host: MachineHost>(
        waitAt first: Int,
        host: inout Host,
        step: inout Macrostep
    ) {
        var next: Int? = first
        while let index = next {
            let wait = waits[index]
            if let taken = endWait(at: index, host: &host, step: &step) {
                if wait.kind == .sustained {
                    (step.outcome.since, step.occasion.since) = (wait.since, wait.since)
                }
                microstep([taken], host: &host, step: &step)
            }
            // A machine that has finished takes no further transition.
            guard wait.kind == .sustained, !isFinished else { return }
            let around = step.chart.states[step.chart.transitions[wait.transition.index].source.index]
                .ancestors
            next = waits.indices.first { other in
                waits[other].kind == .sustained
                    && deadline(of: waits[other])?.at == host.clock.now
                    && around.contains(step.chart.transitions[waits[other].transition.index].source)
            }
        }
    }

    /// Gives up the due deadlines when those of one moment follow each other without end.
    private mutating func boundDeadlinesAtOnce(
        of chart: Statechart,
        at now: Timestamp,
        outcome: inout Outcome
    ) {
        // Each of them is a macrostep of its own, so the limit of microsteps does not bound them.
        guard let next = nextDeadline, next.at <= now else {
            deadlinesAtOnce = 0
            return
        }
        deadlinesAtOnce &+= 1
        guard Int(deadlinesAtOnce) >= chart.limits.deadlinesAtOnce else { return }
        giveUpDue(at: now)
        deadlinesAtOnce = 0
        assert(nextDeadline.map { $0.at > now } ?? true, "a deadline is due that was given up")
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

    /// Takes eventless transitions and handles internal events until there are none, then examines the waits.
    private mutating func finish<Host: MachineHost>(
        host: inout Host,
        step: inout Macrostep
    ) {
        defer {
            assert(raised.isEmpty, "an event is left of a macrostep that has ended")
            assert(!isFinished || waits.isEmpty && sends.isEmpty, "a machine waits after its end")
        }
        // An index instead of removing the first, which would move all others.
        var handled = 0
        while !isFinished {
            // SCXML: eventless transitions first, then one internal event. Waits are looked at only when neither is
            // left, because their conditions must hold at rest.
            var enabled = selectEventless(host: &host, step: step)
            if enabled.isEmpty, handled < raised.count {
                let event = raised[handled]
                handled += 1
                step.isTouched = true
                step.outcome.raised.append(event.name)
                take(event, host: &host, step: &step)
            } else {
                if enabled.isEmpty { enabled = renewWaits(host: &host, step: &step) }
                if enabled.isEmpty, handled == raised.count { break }
                if !enabled.isEmpty { microstep(enabled, host: &host, step: &step) }
            }
            // A single microstep is no loop, however much it costs.
            if step.microsteps > step.chart.limits.microsteps || handled > step.chart.limits.raisedEvents
                || !host.mayGoOn && step.microsteps > 1
            {
                if let stable = step.stable { self = stable }
                raised = []
                // Nothing is told of states that were undone.
                step.outcome = Outcome()
                step.outcome.isDifferent = true
                step.outcome.fault = .endlessLoop
                return
            }
        }
        // All handled, or left over by a machine that has finished.
        if !raised.isEmpty { raised = [] }
        if isFinished { end(host: &host, step: &step) }
    }

    /// Performs the exit actions of the active states, which stay visible; the machine waits for nothing any more.
    private mutating func end<Host: MachineHost>(
        host: inout Host,
        step: inout Macrostep
    ) {
        assert(isFinished && isStarted, "a machine ends that goes on")
        var rest = configuration
        // From the last in document order, so that inner states end before those around them.
        while let id = rest.last {
            rest.remove(id)
            for block in step.chart.states[id.index].exit {
                perform(block, host: &host, step: &step)
            }
        }
        // Last, because exit actions may still raise and send.
        waits = []
        sends = []
        raised = []
    }

    /// Leaves states, performs actions and enters states: one microstep of transitions without conflicts.
    private mutating func microstep<Host: MachineHost>(
        _ enabled: [TransitionID],
        host: inout Host,
        step: inout Macrostep
    ) {
        assert(!enabled.isEmpty, "a microstep takes no transition")
        // Before anything changes: here an endless macrostep returns to.
        if step.stable == nil {
            var stable = self
            // What was raised is part of the macrostep, and would be undone with it.
            stable.raised = []
            step.stable = stable
        }
        assert(step.stable?.raised.isEmpty ?? false, "a machine would come back within a macrostep")
        step.microsteps += 1
        step.isTouched = true
        if step.outcome.transition == nil { step.outcome.transition = enabled.first }
        step.outcome.changed = true
        step.outcome.isDifferent = true
        assert(isStarted, "a transition is taken before the start")
        let leaving = exitSet(of: enabled, in: step.chart)
        exit(leaving, host: &host, step: &step)
        for transition in enabled {
            perform(step.chart.transitions[transition.index].actions, host: &host, step: &step)
        }
        // After the exits: a history state may have remembered something new.
        let entering = entrySet(of: enabled, in: step.chart)
        enter(entering, host: &host, step: &step)
        assert(configuration.contains(.root), "a machine has left its root")
        assert(configuration.intersects(step.chart.atomicStates), "a machine is in no innermost state")
        host.stepped(by: enabled, into: entering.states, since: step.outcome.since)
    }
}
