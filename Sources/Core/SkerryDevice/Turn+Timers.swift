import SkerryExpressions
import SkerryMachine
import SkerryValues

extension Turn {
    /// Starts, pauses, continues and adjusts the timers that have a `while`.
    ///
    /// - Returns: True if a timer changed.
    mutating func driveTimers(
        run change: RunChange,
        machineMoved: Bool,
        isReplay: Bool
    ) -> Bool {
        let definition = scene.definition
        var moved = false
        for index in definition.timers.indices {
            guard let runsWhile = definition.timers[index].runsWhile else { continue }
            // What an unreachable device repeats is no news.
            let isNews = machine.heldSince == nil || !definition.timers[index].followsReports
            let isReported =
                isNews && definition.timers[index].endDependencies.mayHaveChanged(by: scene.reported)
            let maySwitch = definition.timers[index].whileDependencies.mayHaveChanged(by: scene.changed)
            // Looked at in place until here: a copy for every message would cost more than the rest.
            guard
                isReported || maySwitch || machineMoved || change != .none || scene.isAnew
            else { continue }
            let timer = definition.timers[index]
            let id = TimerID(rawValue: UInt16(index))
            // Devices repeat the end of their last run. Only another end, or one still to come, is that of the next.
            if isReported, scene.memory.untoldTimers.contains(index), tellsAnew(timer) {
                scene.memory.untoldTimers.remove(index)
                scene.mustKeep = true
            }
            let before = machine.timer(id)
            // A run does not inherit the countdown of the one before it.
            if change != .none { machine.stopTimer(id) }
            // The message that begins the next run may still repeat the end of the last.
            if change == .isReplaced, timer.endIsTold, !isReported || !tellsAnew(timer) {
                scene.memory.untoldTimers.insert(index)
            }
            if change == .ends {
                if timer.endIsTold { scene.memory.untoldTimers.insert(index) }
            } else {
                let runs = scene.truth(runsWhile, machine)
                drive(
                    timer,
                    id,
                    runs: runs,
                    report: !isReported ? .none : isReplay && !timer.endsAtTimeOfDay ? .old : .new,
                    takesEndInPast: concernsThisRun(timer, before: before, isReplay: isReplay),
                    exactly: machineMoved
                )
            }
            moved = moved || machine.timer(id) != before
        }
        return moved
    }

    /// The report of a message about the end of a countdown.
    private enum Report {
        case none
        /// A retained report of the time left: some of it has passed since, so the end is no later than this report
        /// gives.
        case old
        case new
    }

    private mutating func drive(
        _ timer: TimerDefinition,
        _ id: TimerID,
        runs: Bool,
        report: Report,
        takesEndInPast: Bool,
        exactly: Bool
    ) {
        let now = scene.now
        let state = machine.timer(id)
        if timer.stops, !runs, state != .stopped {
            stop(timer, id, report)
            return
        }
        switch (state, runs) {
        case (.stopped, true):
            begin(timer, id, takesEndInPast: takesEndInPast)
            return
        case (.elapsed(let former, _), true):
            // An end in the past is most likely the one that has just been reached.
            guard report == .new, let end = estimate(timer), end > now else { return }
            let start = timer.onNewEnd == .keep ? former : start(of: timer)
            machine.startTimer(id, from: start, until: end, on: &scene.clock)
            return
        case (.running, false), (.countingUp, false):
            // And then the report is taken, which may come with the pause in one message.
            let moment = timer.pausedFrom.flatMap { scene.moment($0, machine) }
            machine.pauseTimer(id, from: moment, at: now)
        case (.paused, true), (.pausedCount, true):
            machine.resumeTimer(id, on: &scene.clock)
        case (.running, true), (.paused, false), (.countingUp, true), (.pausedCount, false):
            break
        case (.stopped, false):
            // `while` no longer holds, so its next time is a new beginning, also after `onRestart: drop`.
            if !timer.endIsTold { scene.memory.untoldTimers.remove(Int(id.rawValue)) }
            return
        case (.elapsed(let start, let end), false):
            if report == .new { pauseAtZero(timer, id, passed: end - start) }
            return
        }
        if !runs, timer.pausedFrom != nil, timer.endsAtTimeOfDay, timer.endIsTold,
            !scene.changed.intersects(timer.endDependencies.signals)
        {
            // The end that was told before the pause began says nothing of the time that was left then.
            return
        }
        if report != .none { takeEnd(timer, id, report, exactly: exactly) }
    }

    /// Takes the end that the device reports for a timer that has one.
    private mutating func takeEnd(_ timer: TimerDefinition, _ id: TimerID, _ report: Report, exactly: Bool) {
        guard var end = estimate(timer) else { return }
        let now = scene.now
        let known: Timestamp
        switch machine.timer(id) {
        case .running(_, let end): known = end
        case .paused(let remaining, _): known = now + remaining
        case .stopped, .countingUp, .pausedCount, .elapsed: return
        }
        if report == .old { end = min(end, known) }
        let isAnotherEnd = (end - known).magnitude > timer.tolerance(withLeft: known - now)
        // 0010: within the tolerance the machine keeps the end that people see, until a change of state shows the exact.
        if !exactly, !isAnotherEnd {
            guard report == .new else { return }
            // Armed again all the same: what was reported in this process moves if its clock is found, see `ClockShift`.
            end = known
        }
        let start = isAnotherEnd && timer.onNewEnd == .restart ? start(of: timer) : nil
        machine.adjustTimer(id, start: start, end: end, on: &scene.clock)
    }

    /// Stops a timer where another one would pause.
    private mutating func stop(_ timer: TimerDefinition, _ id: TimerID, _ report: Report) {
        machine.stopTimer(id)
        let now = scene.now
        // As at the end of a run: what was told of this time is not true of the next.
        if timer.endIsTold, report != .new || estimate(timer).map({ $0 <= now }) ?? true {
            scene.memory.untoldTimers.insert(Int(id.rawValue))
        }
    }

    /// Pauses a countdown that had reached zero before the device told of its pause, if it says that time is left.
    ///
    /// A state that zero led to is no pause: there, devices only repeat what they said before.
    private mutating func pauseAtZero(_ timer: TimerDefinition, _ id: TimerID, passed: Interval) {
        let isPause =
            timer.whileDependencies.mayHaveChanged(by: scene.changed) || machine.hasMoved(sinceZeroOf: id)
        guard isPause, let end = estimate(timer), end > scene.now else { return }
        let passed = timer.onNewEnd == .keep ? passed : scene.now - start(of: timer)
        machine.pauseElapsedTimer(id, remaining: end - scene.now, after: passed)
    }

    /// True if a message reports an end that can be that of the next run: a different one, or one in the future.
    private mutating func tellsAnew(_ timer: TimerDefinition) -> Bool {
        if scene.changed.intersects(timer.endDependencies.signals) { return true }
        return estimate(timer).map { $0 > scene.now } ?? false
    }

    /// True if a countdown that begins now may take an end that has passed, and so elapse at once.
    ///
    /// Devices go on reporting the end of their last run. So an end in the past counts only when it was reported just
    /// now, when the run may have started unseen, or when only time has passed since the report.
    private func concernsThisRun(
        _ timer: TimerDefinition,
        before: TimerState,
        isReplay: Bool
    ) -> Bool {
        let signals = timer.endDependencies.signals
        // No signal tells which message reported the end: any message counts as its report.
        if signals.isEmpty { return scene.isTold }
        if scene.changed.intersects(signals) { return true }
        if case .elapsed = before { return false }
        return isReplay || (timer.endIsTold && !scene.isTold)
    }

    private mutating func begin(_ timer: TimerDefinition, _ id: TimerID, takesEndInPast: Bool) {
        if scene.memory.untoldTimers.contains(Int(id.rawValue)) { return }
        let start = start(of: timer)
        switch timer.kind {
        case .countUp:
            machine.startTimer(id, countingUpFrom: start, on: &scene.clock)
        case .duration(let program):
            // Without a length there is no countdown yet; `while` tries again with the next change.
            guard let length = scene.interval(program, machine), length > .zero else { return }
            machine.startTimer(id, from: start, until: start + length, on: &scene.clock)
        case .remaining, .until:
            if timer.followsReports, machine.heldSince != nil { return }
            guard let end = estimate(timer) else { return }
            if end > scene.now || takesEndInPast {
                machine.startTimer(id, from: start, until: end, on: &scene.clock)
            } else if timer.endIsTold {
                // Noted, so that the same report does not start the countdown later in the run.
                scene.memory.untoldTimers.insert(Int(id.rawValue))
                scene.mustKeep = true
            }
        }
    }

    /// The start that a countdown is shown with, never in the future.
    private mutating func start(of timer: TimerDefinition) -> Timestamp {
        // A start in the future would make progress negative for readers.
        min(timer.from.flatMap { scene.moment($0, machine) } ?? scene.now, scene.now)
    }

    /// The reported end of a countdown; nil when there is no report, or the end is only known at the start.
    private mutating func estimate(_ timer: TimerDefinition) -> Timestamp? {
        switch timer.kind {
        case .remaining(let program):
            // A device says with a negative time that it does not know; one computed with `now` says that the end has passed.
            scene.interval(program, machine).flatMap { left in
                left < .zero && !timer.endDependencies.everything ? nil : scene.now + max(left, .zero)
            }
        case .until(let program): scene.moment(program, machine)
        case .duration, .countUp: nil
        }
    }
}
