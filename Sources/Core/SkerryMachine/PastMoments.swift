import SkerryValues

// Waits for a moment that an expression gives: `past`.

extension Machine {
    /// Looks at the moment of a transition: arms its wait, or gives it up.
    ///
    /// - Returns: True if the moment is past, the condition holds, and the transition was not taken for it yet.
    mutating func isPast<Host: MachineHost>(
        _ id: TransitionID,
        host: inout Host,
        step: inout Macrostep
    ) -> Bool {
        guard case .past(let expression) = step.chart.transitions[id.index].trigger else { return false }
        if isStill(id, expression, host) {
            if disarm(id) { step.outcome.isDifferent = true }
            return false
        }
        let moment = host.moment(expression, in: &self, on: step.occasion)
        let index = waits.firstIndex { $0.transition == id }
        guard let moment, moment <= host.clock.now else {
            if rearm(id, index, for: moment, on: &host.clock) { step.outcome.isDifferent = true }
            return false
        }
        let condition = step.chart.transitions[id.index].condition
        let holds = condition.map { host.holds($0, in: &self, on: step.occasion) } ?? true
        if holds, let index, waits[index].phase == .spent { return false }
        if let index, !holds || waits[index].phase == .armed {
            waits.remove(at: index)
            step.outcome.isDifferent = true
        }
        guard holds else { return false }
        if !waits.contains(where: { $0.transition == id }) {
            // Matured: one that loses against an inner state is looked at again at the next rest.
            var wait = Wait(id, .past, since: moment, due: host.clock.arm(at: host.clock.now))
            // It has a number in the order of arming, as all waits have, but no deadline: its time is over.
            wait.phase = .matured
            waits.append(wait)
        }
        assert(waits.contains { $0.transition == id && $0.phase == .matured }, "a past moment is not taken")
        return true
    }

    /// Arms the waits for moments anew, because timers moved or the clock was set; takes no transition.
    ///
    /// A moment that is past by now is a deadline that is due.
    public mutating func armMoments<Host: MachineHost>(host: inout Host) -> Bool {
        let chart = host.chart
        guard chart.hasMoments, isStarted, !isFinished else { return false }
        var isDifferent = false
        for state in configuration.intersection(chart.statesWithSustained) {
            for id in chart.states[state.index].sustained {
                guard case .past(let expression) = chart.transitions[id.index].trigger else { continue }
                if isStill(id, expression, host) {
                    if disarm(id) { isDifferent = true }
                    continue
                }
                let moment = host.moment(expression, in: &self, on: Occasion())
                let index = waits.firstIndex { $0.transition == id }
                if rearm(id, index, for: moment, on: &host.clock) { isDifferent = true }
            }
        }
        return isDifferent
    }

    /// True if nothing can be known of a moment, because the countdown that it is computed from stands still.
    private func isStill<Host: MachineHost>(_ id: TransitionID, _ expression: UInt16, _ host: Host) -> Bool {
        heldSince != nil && host.standsStill(expression, in: self)
    }

    /// Lets a transition no longer wait; one that was taken for a past moment stays taken.
    private mutating func disarm(_ id: TransitionID) -> Bool {
        guard let index = waits.firstIndex(where: { $0.transition == id && $0.phase == .armed }) else {
            return false
        }
        assert(waits[index].kind == .past, "a wait is given up that is for no moment")
        waits.remove(at: index)
        return true
    }

    /// Lets a transition wait for a moment; without one it waits for nothing.
    ///
    /// - Returns: True if that is new.
    private mutating func rearm(
        _ id: TransitionID,
        _ index: Int?,
        for moment: Timestamp?,
        on clock: inout MachineClock
    ) -> Bool {
        if let index {
            assert(waits[index].kind == .past, "a wait is armed anew that is for no moment")
            if let moment, waits[index].waits(for: moment, at: clock.now) { return false }
            waits.remove(at: index)
        }
        guard let moment else { return index != nil }
        assert(!waits.contains { $0.transition == id }, "a transition waits twice")
        let due = clock.arm(at: max(moment, clock.now))
        waits.append(Wait(id, .past, since: clock.now, due: due))
        return true
    }
}
