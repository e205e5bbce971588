import SkerryActivity
import SkerryExpressions
public import SkerryMachine
public import SkerryValues

extension Turn {
    /// Starts, pauses, continues and adjusts the timers that have a `while`.
    ///
    /// - Returns: True if a timer changed.
    mutating func driveTimers(
        run change: RunChange,
        machineMoved: Bool,
        isElsewhere: Bool,
        isReplay: Bool
    ) -> Bool {
        let definition = scene.definition
        var moved = false
        for index in definition.timers.indices {
            guard let runsWhile = definition.timers[index].runsWhile else { continue }
            // What an unreachable device repeats is no news. Something else was told before it was known to be back.
            let isHeld = machine.heldSince != nil && definition.timers[index].followsReports
            let isNews = !isHeld || definition.timers[index].endDependencies.mayHaveChanged(by: scene.changed)
            let isTold =
                definition.timers[index].endDependencies.mayHaveChanged(by: scene.reported)
                || !scene.assigned.isEmpty && scene.hasAssigned(endOf: definition.timers[index])
            let isReported = isNews && isTold
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
            let (before, lag) = (machine.timer(id), machine.timerLag(id, at: scene.now))
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
                    exactly: isElsewhere
                )
            }
            // What waits for it waits for another moment, also if readers see the same end.
            moved = moved || machine.timer(id) != before || machine.timerLag(id, at: scene.now) != lag
        }
        return moved
    }

    /// The report of a message, or of an action, about the end of a countdown.
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
            begin(timer, id, takesEndInPast: takesEndInPast, isReported: report != .none)
            return
        case (.elapsed(let former, _), true):
            // An end in the past is most likely the one that has just been reached; so is one within the tolerance that
            // a device only repeats, as those do that go on to say that a minute is left.
            let isRepeated = !exactly && !scene.changed.intersects(timer.endDependencies.signals)
            guard report == .new, let end = estimate(timer), end > now,
                !isRepeated || end - now > timer.tolerance(withLeft: .zero)
            else { return }
            let start = timer.onNewEnd == .keep ? former : start(of: timer)
            machine.startTimer(id, from: start, until: end, on: &scene.clock)
            if timer.followsReports { machine.holdTimer(id, at: now) }
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
        // What the broker keeps of a device that can't be reached may be of any age.
        if report == .old, timer.followsReports, machine.isTimerHeld(id) { return }
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
        if timer.followsReports { machine.holdTimer(id, at: now) }
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
        // Not `mayHaveChanged`: the end that it may read is the one that the device repeats here.
        let read = timer.whileDependencies
        let isPause =
            read.everything || read.signals.intersects(scene.changed) || machine.hasMoved(sinceZeroOf: id)
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

    private mutating func begin(
        _ timer: TimerDefinition,
        _ id: TimerID,
        takesEndInPast: Bool,
        isReported: Bool
    ) {
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
            if timer.followsReports, machine.heldSince != nil, !isReported { return }
            guard let end = estimate(timer) else { return }
            if end > scene.now || takesEndInPast {
                machine.startTimer(id, from: start, until: end, on: &scene.clock)
                if timer.followsReports { machine.holdTimer(id, at: scene.now) }
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

/// The time from a process's last commit to the start of the next one.
public struct Downtime: Hashable, Sendable {
    /// The time of the last commit.
    public var start: Timestamp
    /// The start of the next process.
    public var end: Timestamp

    /// Makes a downtime; an end before the start counts as none.
    public init(start: Timestamp, end: Timestamp) {
        self.start = start
        self.end = max(start, end)
    }

    /// The length; never negative.
    public var length: Interval { end - start }
}

extension Turn {
    /// Resumes the device after a downtime, before the deadlines that passed during it are handled.
    ///
    /// The downtime does not count as silence, and each timer follows its `onRestart`. A machine whose state was
    /// removed from the definition starts from the initial state.
    ///
    /// - Parameters:
    ///   - downtime: The time in which Skerry did not run.
    ///   - armed: See ``goOn(besides:)``.
    /// - Returns: True if the device differs from one without the downtime.
    public mutating func resume(after downtime: Downtime, besides armed: [TransitionID]?) -> Bool {
        // 0011: silence is reported late by the downtime, but not never.
        listen(since: downtime.start)
        assert(machine.deafSince == nil, "a device goes on and hears nothing")
        var isDifferent = armed != nil
        for index in run.indices where run[index].activity.epoch != scene.epoch {
            run[index].activity.begin(epoch: scene.epoch)
            isDifferent = true
        }
        for (number, timer) in scene.definition.timers.enumerated() {
            let id = TimerID(rawValue: UInt16(number))
            let before = machine.timer(id)
            if before == .stopped { continue }
            switch timer.onRestart {
            case .deadline: continue
            case .remaining: machine.postponeTimer(id, by: downtime.length)
            case .restart: machine.restartTimer(id, on: &scene.clock)
            case .drop:
                machine.stopTimer(id)
                // Or `while`, which still holds, would start it again with the next message.
                scene.memory.untoldTimers.insert(number)
            }
            if machine.timer(id) != before { isDifferent = true }
        }
        goOn(besides: armed)
        return isDifferent
    }

    /// Lets silence count again, from now on: the bridge did not listen for a while.
    ///
    /// - Parameter start: The moment since which it did not listen, unless it was deaf before.
    public mutating func listen(since start: Timestamp = .distantFuture) {
        let start = min(machine.deafSince ?? start, start)
        if !run.isEmpty {
            // What began or was heard meanwhile waits only for what was left of that time.
            let length = scene.now - min(scene.now, max(start, run[0].activity.startedAt, lastNews))
            run[0].staleCheck?.move(by: length)
            run[0].newsAt = run[0].newsAt.map { $0 + (scene.now - min(scene.now, max(start, $0))) }
        }
        machine.listen(since: start, at: scene.now)
    }

    /// Continues in a definition that may have replaced another one, and arms the waits that only the new one has.
    ///
    /// Timers do not change. Times of day are those of the present definition and place.
    ///
    /// - Parameter armed: The transitions that the device waited for already, from
    ///   ``Device/armedTransitions(of:map:)``; nil when its definition is the same.
    public mutating func goOn(besides armed: [TransitionID]?) {
        if armed != nil, scene.definition.runsUnavailable { machine.release(at: scene.now) }
        if let armed, machine.isStarted, !machine.isFinished { machine.armNew(besides: armed, host: &scene) }
        machine.reviseRecurring(all: true, host: &scene)
        _ = machine.armMoments(host: &scene)
        // An unchanged definition has the same `stale`.
        guard armed != nil else { return }
        guard let activity = run.first?.activity, activity.phase != .ended else { return }
        let isPartial = scene.definition.activity?.staleSilence != nil
        run[0].newsAt = isPartial ? run[0].newsAt ?? max(machine.lastHeard, activity.startedAt) : nil
        run[0].staleCheck = scene.definition.activity?.stale.map {
            scene.clock.arm(at: max(lastNews + $0, activity.startedAt + $0, scene.now))
        }
    }
}

extension Turn {
    /// Remembers a run that ends, before its timers stop.
    mutating func learn(from change: RunChange) {
        guard change != .none, let (id, plan) = scene.definition.learner, !scene.memory.learning.isEmpty,
            var present = scene.memory.learning[0].present.take()
        else { return }
        scene.mustKeep = true
        guard change == .ends, plan.counts.map({ scene.truth($0, machine) }) ?? true,
            let elapsed = machine.timer(id).elapsed(at: scene.now)
        else { return }
        present.curve.hold(until: elapsed)
        var length = elapsed
        if let end = plan.end, !machine.timer(id).isPaused {
            guard let moment = scene.moment(end, machine) else { return }
            length = elapsed - max(scene.now - moment, .zero)
        }
        guard length > .zero else { return }
        let curve = plan.curve == nil ? nil : present.curve
        scene.memory.learning[0].remember(LearnedRun(key: present.key, length: length, curve: curve))
    }

    /// Follows the run that goes on, and sets its timer to the end that earlier runs suggest.
    ///
    /// - Returns: True if the timer changed.
    mutating func estimateEnd() -> Bool {
        guard let (id, plan) = scene.definition.learner else { return false }
        let timer = machine.timer(id)
        guard let elapsed = timer.elapsed(at: scene.now) else { return false }
        if scene.memory.learning.isEmpty { scene.memory.learning = [Learning(subject: plan.subject)] }
        assert(scene.memory.learning.count == 1, "a device learns from two things")
        // Taken out while it changes, so that its curve is not copied.
        let known = scene.memory.learning[0].present.take()
        let isNew = known == nil
        var present = known ?? Learning.PresentRun()
        let number = plan.curve.flatMap { scene.number($0, machine) }
        // What was before the timer began is not known; the first number stands for it.
        if isNew, let number { present.curve.take(number) }
        present.curve.hold(until: elapsed)
        if let number { present.curve.take(number) }
        let key = plan.key.flatMap { scene.programme($0, machine) } ?? present.key
        let isOther = isNew || !key.hasSameCodePoints(as: present.key)
        let isDue = !timer.isPaused && present.isDue(at: elapsed)
        var isNews = false
        if isOther || isDue {
            let runs = scene.memory.learning[0].runs(of: key)
            if isOther {
                present.key = key
                present.prepare(after: runs)
            }
            if isDue { isNews = present.judge(at: elapsed, after: runs, isCompared: plan.curve != nil) }
        }
        scene.memory.learning[0].present = present
        guard isNews else { return false }
        let start = scene.now - elapsed
        if let estimate = present.estimate {
            machine.startTimer(id, from: start, until: start + estimate.length, on: &scene.clock)
        } else {
            machine.startTimer(id, countingUpFrom: start, on: &scene.clock)
        }
        return true
    }

    /// Writes what the timer has learned: the remembered runs of the programme, and how many of them are like this one.
    func explainLearning(to writer: inout JSONWriter) {
        let learning = scene.memory.learning.first
        let present = learning?.present
        writer.object("learned") { writer in
            writer.key("runs")
            writer.int(Int64((present.flatMap { learning?.runs(of: $0.key) } ?? learning?.runs ?? []).count))
            if let key = present?.key, !key.utf8.isEmpty { writer.member("by", key) }
            if let estimate = present?.estimate {
                writer.member("like", Int64(estimate.like))
                writer.member("of", Int64(estimate.compared))
                writer.member("tolerance", estimate.tolerance.roundedSeconds)
            }
        }
    }
}

extension Scene {
    /// True if an action assigned a variable from which the end of a countdown is computed.
    fileprivate func hasAssigned(endOf timer: TimerDefinition) -> Bool {
        timer.end?.references.contains { reference in
            reference.kind == ReferenceKind.context.rawValue && assigned.contains(Int(reference.index))
        } ?? false
    }

    /// The number of an expression; nil for an error and anything else.
    fileprivate mutating func number(_ program: Program, _ machine: Machine) -> Double? {
        switch evaluate(program, machine) {
        case .double(let number): return number.isFinite ? number : nil
        case .int(let number): return Double(number)
        case .uint(let number): return Double(number)
        case .error(let error): count(error, of: program)
        default: count(.noSuchOverload, of: program)
        }
        return nil
    }

    /// The name of a programme; nil for an error, an empty text, or one that is too long.
    fileprivate mutating func programme(_ program: Program, _ machine: Machine) -> String? {
        switch evaluate(program, machine) {
        case .string(let text): return text.utf8.isEmpty || text.utf8.count > Learning.keyLimit ? nil : text
        case .null: break
        case .error(let error): count(error, of: program)
        default: count(.noSuchOverload, of: program)
        }
        return nil
    }
}

extension TimerState {
    /// The time that the timer ran, without pauses; nil when it was not started.
    fileprivate func elapsed(at now: Timestamp) -> Interval? {
        switch self {
        case .stopped: nil
        case .running(let start, _), .elapsed(let start, _), .countingUp(let start): max(now - start, .zero)
        case .paused(let remaining, let duration): duration - remaining
        case .pausedCount(let elapsed): elapsed
        }
    }

    fileprivate var isPaused: Bool {
        switch self {
        case .paused, .pausedCount: true
        case .stopped, .running, .countingUp, .elapsed: false
        }
    }
}
