import SkerryValues

extension Machine {
    /// The length of time beyond which a recurring moment that passed unseen is not made up for: a week, in which each
    /// comes once, and a day to spare.
    private static let memory = Interval.hours(8 * 24)

    /// Revises the waits for recurring moments, whose times may have changed or passed unseen.
    ///
    /// A wait that is over keeps its time, unless that is more than eight days ago: then its first time since is taken. A
    /// transition of an active state that does not wait, because its moment had no next time, begins to.
    ///
    /// - Parameters:
    ///   - all: True to compute every time again, also the near ones; false after the clock was set, so that a small step
    ///     back repeats nothing.
    ///   - host: The times of the moments.
    public mutating func reviseRecurring<Host: MachineHost>(all: Bool, host: inout Host) {
        let now = host.clock.now
        let chart = host.chart
        // From the end, because some are removed on the way.
        for index in waits.indices.reversed() where waits[index].kind == .recurring {
            guard case .recurring(let moment) = chart.transitions[waits[index].transition.index].trigger,
                let due = deadline(of: waits[index])
            else { continue }
            // Near ones stay after a step: computed again from a clock that was set back, today's time would come
            // twice.
            let isNear = due.at >= now - Self.memory && due.at <= now + Self.memory
            if isNear, !all || due.at <= now { continue }
            if let next = host.next(moment, after: due.at <= now ? now - Self.memory : now) {
                waits[index].postpone(to: next)
                assert(deadline(of: waits[index])?.at == next, "a recurring moment is awaited later")
            } else {
                waits.remove(at: index)
            }
        }
        var step = Macrostep(of: chart)
        for state in configuration where all && !isFinished {
            for id in chart.states[state.index].armedOnEntry {
                guard case .recurring = chart.transitions[id.index].trigger,
                    !waits.contains(where: { $0.transition == id })
                else { continue }
                arm(id, host: &host, step: &step)
            }
        }
    }

    /// True if a transition waits for a recurring moment.
    public var hasRecurring: Bool { waits.contains { $0.kind == .recurring } }

    /// Returns the place of the wait that ends before all others that end at the same moment as the first one.
    ///
    /// Waits end in the order of arming. But of conditions that have held long enough, one of an inner state goes before
    /// one of a state around it.
    func innermost(_ first: Int, dueAt now: Timestamp, in chart: Statechart) -> Int {
        var found = first
        guard waits[first].kind == .sustained else { return first }
        for (index, wait) in waits.enumerated() where index != first && wait.kind == .sustained {
            guard let due = deadline(of: wait), due.at == now else { continue }
            let outer = chart.transitions[waits[found].transition.index].source
            let inner = chart.transitions[wait.transition.index].source
            if chart.states[outer.index].descendants.contains(inner) { found = index }
        }
        return found
    }
}
