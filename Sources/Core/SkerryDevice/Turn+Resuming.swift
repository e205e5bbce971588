import SkerryActivity
public import SkerryMachine
public import SkerryValues

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
        machine.forgiveSilence(downtime.length)
        // 0011: silence is reported late by the downtime, but not never.
        if !run.isEmpty {
            run[0].staleCheck?.move(by: downtime.length)
            run[0].newsAt = run[0].newsAt.map { $0 + downtime.length }
        }
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
