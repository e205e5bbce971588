import SkerryValues

extension Machine {
    /// Arms a transition on entry of its source.
    mutating func arm<Host: MachineHost>(
        _ id: TransitionID,
        host: inout Host,
        step: inout Macrostep
    ) {
        switch step.chart.transitions[id.index].trigger {
        case .after(let length):
            guard let interval = interval(of: length, host: &host, step: step) else { return }
            startWait(for: id, .after, lasting: interval, on: &host.clock, step: &step)
        case .quiet(let interval, let silence):
            let kind = silence == nil ? Wait.Kind.quiet : .partialQuiet
            startWait(for: id, kind, lasting: interval, on: &host.clock, step: &step)
        case .recurring(let moment):
            guard let next = host.next(moment, after: host.clock.now) else { return }
            let length = next - host.clock.now
            startWait(for: id, .recurring, lasting: length, on: &host.clock, step: &step)
        // These waits begin when the machine rests, see `renewWaits`.
        case .always, .event, .sustained, .past:
            break
        }
    }

    private mutating func startWait(
        for transition: TransitionID,
        _ kind: Wait.Kind,
        lasting interval: Interval,
        on clock: inout MachineClock,
        step: inout Macrostep
    ) {
        step.outcome.isDifferent = true
        // A computed length may be negative, and a deadline in the past would let time fall.
        // What is handled late, after a downtime, may begin before anything could be heard.
        let start = kind == .partialQuiet ? max(clock.now, listensSince) : clock.now
        let due = clock.arm(at: start + max(interval, .zero))
        assert(due.at >= clock.now, "a wait ends before it begins")
        assert(!waits.contains { $0.transition == transition }, "a transition waits twice")
        waits.append(Wait(transition, kind, since: start, due: due))
    }

    /// Ends a wait whose deadline is now.
    ///
    /// - Returns: Its transition, unless its condition does not hold.
    mutating func endWait<Host: MachineHost>(
        at index: Int,
        host: inout Host,
        step: inout Macrostep
    ) -> TransitionID? {
        assert(waits[index].phase == .armed, "a wait ends that was not armed")
        assert(deadline(of: waits[index])?.at == host.clock.now, "a wait ends at another time than its own")
        let wait = waits[index]
        if wait.kind == .past {
            // Looked at as always: what the moment is computed from may have changed since.
            waits.remove(at: index)
            guard isPast(wait.transition, host: &host, step: &step) else { return nil }
            if let index = waits.firstIndex(where: { $0.transition == wait.transition }) {
                spend(index, step: &step)
            }
            return wait.transition
        }
        let condition = step.chart.transitions[wait.transition.index].condition
        if case .sustained(_, _, let reports) = step.chart.transitions[wait.transition.index].trigger,
            reports > 1, let condition,
            let end = host.end(ofReports: reports, since: wait.since, of: condition), end > host.clock.now
        {
            step.outcome.isDifferent = true
            waits[index].postpone(to: end)
            assert(deadline(of: waits[index])?.at == end, "a wait for reports has another end")
            return nil
        }
        let holds = condition.map { host.holds($0, in: &self, on: step.occasion) } ?? true
        switch wait.kind {
        case .after, .past:
            waits.remove(at: index)
        case .recurring:
            waits.remove(at: index)
            // Even if the condition does not hold today: the next time of day comes all the same.
            arm(wait.transition, host: &host, step: &step)
        // Kept, because the next message begins it again.
        case .quiet, .partialQuiet:
            waits[index].phase = .spent
        case .sustained:
            // Matured before its condition is noted: if the end falls into a forgiven lapse, the transition is taken as
            // soon as the lapse ends.
            waits[index].phase = .matured
            guard note(holds, of: wait.transition, at: index, on: &host.clock, step: &step) else {
                return nil
            }
            spend(index, step: &step)
        }
        return holds ? wait.transition : nil
    }

    /// Evaluates the conditions of sustained transitions, now that the machine rests.
    ///
    /// - Returns: The transitions whose time is over and whose condition is true again after a forgiven lapse.
    mutating func renewWaits<Host: MachineHost>(
        host: inout Host,
        step: inout Macrostep
    ) -> [TransitionID] {
        let chart = step.chart
        var ready: [TransitionID] = []
        guard configuration.intersects(chart.statesWithSustained) else { return ready }
        for state in configuration.intersection(chart.statesWithSustained) {
            for id in chart.states[state.index].sustained {
                if case .past = chart.transitions[id.index].trigger {
                    if isPast(id, host: &host, step: &step) { ready.append(id) }
                    continue
                }
                guard let condition = chart.transitions[id.index].condition,
                    step.isTouched || host.mayHaveChanged(condition)
                else { continue }
                let holds = host.holds(condition, in: &self, on: step.occasion)
                if let index = waits.firstIndex(where: { $0.transition == id }) {
                    if note(holds, of: id, at: index, on: &host.clock, step: &step) { ready.append(id) }
                } else if holds, case .sustained(let length, _, _) = chart.transitions[id.index].trigger {
                    startWait(for: id, .sustained, lasting: length, on: &host.clock, step: &step)
                }
            }
        }
        // Those that lose stay matured. Unless their state is left, they are looked at again at the next rest.
        if ready.count > 1 { ready = withoutConflicts(ready, in: chart) }
        for id in ready {
            assert(waits.contains { $0.transition == id }, "a transition is ready that does not wait")
            if let index = waits.firstIndex(where: { $0.transition == id }) { spend(index, step: &step) }
        }
        return ready
    }

    /// Records the present truth of a wait's condition.
    ///
    /// A lapse shorter than `dropout` is forgiven. A wait whose deadline fell into such a lapse is over as soon as the
    /// condition is true again.
    ///
    /// - Returns: True if the wait is over and its transition is to be taken.
    private mutating func note(
        _ holds: Bool,
        of id: TransitionID,
        at index: Int,
        on clock: inout MachineClock,
        step: inout Macrostep
    ) -> Bool {
        guard case .sustained(let length, let dropout, _) = step.chart.transitions[id.index].trigger else {
            return false
        }
        assert(waits[index].transition == id, "the wait of one transition is taken for that of another")
        assert(waits[index].kind == .sustained, "a condition is noted for a wait that has none")
        let now = clock.now
        // A lapse of exactly `dropout` is too long.
        let isForgiven = !waits[index].isLapsed || now - waits[index].lapsedAt < dropout
        if holds, isForgiven {
            if waits[index].isLapsed { step.outcome.isDifferent = true }
            waits[index].lapsedAt = .distantFuture
            return waits[index].phase == .matured
        }
        if !holds, isForgiven, dropout > .zero {
            // Only its beginning counts; a wait that matured meanwhile stays so.
            if waits[index].isLapsed { return false }
            step.outcome.isDifferent = true
            waits[index].lapsedAt = now
            return false
        }
        step.outcome.isDifferent = true
        waits.remove(at: index)
        // The lapse was too long, but it is over: the whole time counts again.
        if holds { startWait(for: id, .sustained, lasting: length, on: &clock, step: &step) }
        return false
    }

    /// Marks a sustained wait as spent, until its condition has been false.
    private mutating func spend(_ index: Int, step: inout Macrostep) {
        step.outcome.isDifferent = true
        assert(waits[index].phase == .matured, "a wait is spent before its time is over")
        assert(waits[index].kind == .sustained || waits[index].kind == .past, "no rest ends this wait")
        waits[index].phase = .spent
        // `since` belongs to the transition that began the macrostep, not to those that follow from it.
        if step.outcome.since == nil, step.microsteps == 0 {
            step.outcome.since = waits[index].since
            step.occasion.since = waits[index].since
        }
    }
}
