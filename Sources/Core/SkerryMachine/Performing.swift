import SkerryValues

extension Machine {
    /// Performs the actions of one block, in order, up to the first that fails.
    ///
    /// - Returns: True if none failed.
    @discardableResult
    mutating func perform<Host: MachineHost>(
        _ block: [Statechart.Action],
        host: inout Host,
        step: inout Macrostep
    ) -> Bool {
        for action in block {
            guard perform(action, host: &host, step: &step) else { return false }
        }
        return true
    }

    private mutating func perform<Host: MachineHost>(
        _ action: Statechart.Action,
        host: inout Host,
        step: inout Macrostep
    ) -> Bool {
        switch action {
        case .raise(let event):
            raise(MachineEvent(event))
        case .send(let event, let delay, let id):
            guard let delay = interval(of: delay ?? .fixed(.zero), host: &host, step: step) else {
                return false
            }
            let limit = step.chart.limits.pendingSends
            if !send(MachineEvent(event), after: delay, id: id, limit: limit, on: &host.clock) {
                step.outcome.fault = .tooManySends
                return false
            }
        case .cancel(let id):
            cancel(id)
        case .start(let timer, let length):
            guard let length else {
                startTimer(timer, countingUpFrom: host.clock.now, on: &host.clock)
                return true
            }
            guard let duration = interval(of: length, host: &host, step: step) else { return false }
            startTimer(timer, duration: duration, on: &host.clock)
        case .stop(let timer):
            stopTimer(timer)
        case .pause(let timer, let moment):
            guard let moment else {
                pauseTimer(timer, at: host.clock.now)
                return true
            }
            guard let from = host.moment(moment, in: &self, on: step.occasion) else { return false }
            pauseTimer(timer, from: from, at: host.clock.now)
        case .resume(let timer):
            resumeTimer(timer, on: &host.clock)
        case .extend(let timer, let length):
            guard let length = interval(of: length, host: &host, step: step) else { return false }
            extendTimer(timer, by: length, on: &host.clock)
        case .choose(let condition, let then, let otherwise):
            let holds = host.holds(condition, in: &self, on: step.occasion)
            return perform(holds ? then : otherwise, host: &host, step: &step)
        case .attempt(let actions):
            // 0008: each in a block of its own, so that a failure ends only itself.
            for action in actions { perform([action], host: &host, step: &step) }
        case .host(let number):
            return host.perform(number, in: &self, on: step.occasion)
        }
        return true
    }

    /// Returns a length of time, evaluated by the host if necessary.
    mutating func interval<Host: MachineHost>(
        of length: Statechart.Length,
        host: inout Host,
        step: borrowing Macrostep
    ) -> Interval? {
        switch length {
        case .fixed(let interval): interval
        case .computed(let expression): host.interval(expression, in: &self, on: step.occasion)
        }
    }
}
