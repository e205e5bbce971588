import SkerryExpressions
import SkerryMachine
import SkerryValues

extension Device {
    /// Lets the timers that have a `while` run, stand still and follow what the device reports.
    ///
    /// - Returns: whether any of them is not what it was.
    mutating func driveTimers(
        turn: RunTurn,
        machineMoved: Bool,
        isReplay: Bool,
        in workspace: inout Workspace,
        sequence: inout UInt64
    ) -> Bool {
        let definition = workspace.definition
        var moved = false
        for index in definition.timers.indices {
            let timer = definition.timers[index]
            guard let runsWhile = timer.runsWhile else { continue }
            let id = TimerID(rawValue: UInt16(index))
            let isReported = timer.endDependencies.mayHaveChanged(by: workspace.reported)
            if isReported, workspace.memory.untoldTimers.contains(index), tellsAnew(timer, in: &workspace) {
                workspace.memory.untoldTimers.remove(index)
                workspace.mustKeep = true
            }
            let maySwitch = timer.whileDependencies.mayHaveChanged(by: workspace.changed)
            guard machineMoved || isReported || maySwitch || turn != .none || workspace.isAnew else {
                continue
            }
            let before = machine.timer(id)
            if turn != .none { machine.stopTimer(id) }
            if turn == .ends {
                if timer.endIsTold { workspace.memory.untoldTimers.insert(index) }
            } else {
                let runs = workspace.truth(runsWhile, machine)
                drive(
                    timer,
                    id,
                    runs: runs,
                    report: !isReported ? .none : isReplay && !timer.endsAtTimeOfDay ? .old : .new,
                    takesEndInPast: concernsThisRun(timer, before: before, isReplay: isReplay, workspace),
                    exactly: machineMoved,
                    in: &workspace,
                    &sequence
                )
            }
            moved = moved || machine.timer(id) != before
        }
        return moved
    }

    /// What a message says of the end of a countdown.
    private enum Report {
        case none
        /// What was left at some moment before now: the end is no later than that from now.
        case old
        case new
    }

    private mutating func drive(
        _ timer: TimerDefinition,
        _ id: TimerID,
        runs: Bool,
        report: Report,
        takesEndInPast: Bool,
        exactly: Bool,
        in workspace: inout Workspace,
        _ sequence: inout UInt64
    ) {
        let now = workspace.now
        let state = machine.timer(id)
        switch (state, runs) {
        case (.stopped, true):
            begin(timer, id, takesEndInPast: takesEndInPast, in: &workspace, &sequence)
            return
        case (.elapsed(let former, _), true):
            guard report == .new, let end = estimate(timer, in: &workspace), end > now else { return }
            let start = timer.onNewEnd == .keep ? former : start(of: timer, in: &workspace)
            machine.startTimer(id, from: start, until: end, at: now, sequence: &sequence)
            return
        case (.running, false), (.countingUp, false):
            machine.pauseTimer(id, at: now)
        case (.paused, true), (.pausedCount, true):
            machine.resumeTimer(id, at: now, sequence: &sequence)
        case (.running, true), (.paused, false), (.countingUp, true), (.pausedCount, false):
            break
        case (.stopped, false):
            if !timer.endIsTold { workspace.memory.untoldTimers.remove(Int(id.rawValue)) }
            return
        case (.elapsed, false):
            return
        }
        guard report != .none, var end = estimate(timer, in: &workspace) else { return }
        let known: Timestamp
        switch machine.timer(id) {
        case .running(_, let end): known = end
        case .paused(let remaining, _): known = now + remaining
        case .stopped, .countingUp, .pausedCount, .elapsed: return
        }
        if report == .old { end = min(end, known) }
        let isAnotherEnd = (end - known).magnitude > timer.tolerance
        if !exactly, !isAnotherEnd {
            guard report == .new else { return }
            end = known
        }
        let start = isAnotherEnd && timer.onNewEnd == .restart ? start(of: timer, in: &workspace) : nil
        machine.adjustTimer(id, start: start, end: end, at: now, sequence: &sequence)
    }

    /// Whether a message tells an end that can be that of the next run: another one than before, or one that lies ahead.
    private func tellsAnew(_ timer: TimerDefinition, in workspace: inout Workspace) -> Bool {
        if workspace.changed.intersects(timer.endDependencies.signals) { return true }
        return estimate(timer, in: &workspace).map { $0 > workspace.now } ?? false
    }

    /// Whether a countdown that would begin now may take an end that has passed, and so elapse at once.
    ///
    /// Devices go on telling the end of their last run. So an end that has passed counts when it is told just now, when
    /// the run may have begun unseen, or when only time has passed since it was told.
    private func concernsThisRun(
        _ timer: TimerDefinition,
        before: TimerState,
        isReplay: Bool,
        _ workspace: borrowing Workspace
    ) -> Bool {
        let signals = timer.endDependencies.signals
        if signals.isEmpty { return workspace.isTold }
        if workspace.changed.intersects(signals) { return true }
        if case .elapsed = before { return false }
        return isReplay || (timer.endIsTold && !workspace.isTold)
    }

    private mutating func begin(
        _ timer: TimerDefinition,
        _ id: TimerID,
        takesEndInPast: Bool,
        in workspace: inout Workspace,
        _ sequence: inout UInt64
    ) {
        if workspace.memory.untoldTimers.contains(Int(id.rawValue)) { return }
        let now = workspace.now
        let start = start(of: timer, in: &workspace)
        switch timer.kind {
        case .countUp:
            machine.startTimer(id, duration: nil, at: start, sequence: &sequence)
        case .duration(let program):
            guard let length = workspace.interval(program, machine), length > .zero else { return }
            machine.startTimer(id, from: start, until: start + length, at: now, sequence: &sequence)
        case .remaining, .until:
            guard let end = estimate(timer, in: &workspace) else { return }
            if end > now || takesEndInPast {
                machine.startTimer(id, from: start, until: end, at: now, sequence: &sequence)
            } else if timer.endIsTold {
                workspace.memory.untoldTimers.insert(Int(id.rawValue))
                workspace.mustKeep = true
            }
        }
    }

    /// The moment that a countdown is shown from, not later than now.
    private func start(of timer: TimerDefinition, in workspace: inout Workspace) -> Timestamp {
        min(timer.from.flatMap { workspace.moment($0, machine) } ?? workspace.now, workspace.now)
    }

    /// When the device says that a countdown ends; nil when it does not say, or only knew at the start.
    private func estimate(_ timer: TimerDefinition, in workspace: inout Workspace) -> Timestamp? {
        switch timer.kind {
        case .remaining(let program):
            workspace.interval(program, machine).map { workspace.now + max($0, .zero) }
        case .until(let program): workspace.moment(program, machine)
        case .duration, .countUp: nil
        }
    }
}
