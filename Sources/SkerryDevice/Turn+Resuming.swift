import SkerryActivity
public import SkerryMachine
public import SkerryValues

/// A time in which nobody listened to the devices.
public struct Downtime: Hashable, Sendable {
    /// When devices were heard last.
    public var start: Timestamp
    /// When they are heard again.
    public var end: Timestamp

    /// Makes a downtime; an end before the start counts as none.
    public init(start: Timestamp, end: Timestamp) {
        self.start = start
        self.end = max(start, end)
    }

    /// How long it took.
    public var length: Interval { end - start }
}

extension Turn {
    /// Goes on after a downtime that is over now, before what came due in it is handled.
    ///
    /// Silence in which nobody listened does not count, and each timer does as its `onRestart` says. A machine whose
    /// states the definition no longer has starts anew.
    ///
    /// - Parameters:
    ///   - downtime: When nobody listened.
    ///   - armed: See ``goOn(besides:)``.
    /// - Returns: whether something is not what it would be without the downtime.
    public mutating func resume(after downtime: Downtime, besides armed: [TransitionID]?) -> Bool {
        machine.forgiveSilence(downtime.length)
        if !run.isEmpty { run[0].staleCheck?.move(by: downtime.length) }
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
                scene.memory.untoldTimers.insert(number)
            }
            if machine.timer(id) != before { isDifferent = true }
        }
        goOn(besides: armed)
        return isDifferent
    }

    /// Goes on in a definition that may have taken the place of another: waits for what that one did not wait for.
    ///
    /// Timers stay as they are.
    ///
    /// - Parameter armed: What the device waited for already; nil when its definition is the same. See
    ///   ``Device/armedTransitions(of:map:)``.
    public mutating func goOn(besides armed: [TransitionID]?) {
        guard let armed else { return }
        if machine.isStarted, !machine.isFinished { machine.armNew(besides: armed, host: &scene) }
        guard let activity = run.first?.activity, activity.phase != .ended else { return }
        run[0].staleCheck = scene.definition.activity?.stale.map {
            scene.clock.arm(at: max(machine.lastHeard + $0, activity.startedAt + $0, scene.now))
        }
    }
}
