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

extension Device {
    /// Goes on after a downtime, before what came due in it is handled.
    ///
    /// Silence in which nobody listened does not count, and each timer does as its `onRestart` says. A machine whose
    /// states the definition no longer has starts anew.
    ///
    /// - Parameters:
    ///   - downtime: When nobody listened.
    ///   - image: What the device was read from.
    ///   - map: Where things of the image were found.
    ///   - workspace: The workspace of the definition.
    ///   - sequence: The counter that orders deadlines.
    /// - Returns: whether something is not what it would be without the downtime.
    /// - Throws: ``ImageFault`` for bytes that are no image.
    public mutating func resume(
        after downtime: Downtime,
        from image: ArraySlice<UInt8>,
        map: LayoutMap,
        in workspace: inout Workspace,
        sequence: inout UInt64
    ) throws(ImageFault) -> Bool {
        machine.forgiveSilence(downtime.length)
        if !run.isEmpty { run[0].staleCheck?.move(by: downtime.length) }
        var isDifferent = !map.isIdentity
        for index in run.indices where run[index].activity.epoch != workspace.epoch {
            run[index].activity.begin(epoch: workspace.epoch)
            isDifferent = true
        }
        for (number, timer) in workspace.definition.timers.enumerated() {
            let id = TimerID(rawValue: UInt16(number))
            let before = machine.timer(id)
            if before == .stopped { continue }
            switch timer.onRestart {
            case .deadline: continue
            case .remaining: machine.postponeTimer(id, by: downtime.length)
            case .restart: machine.restartTimer(id, at: downtime.end, sequence: &sequence)
            case .drop:
                machine.stopTimer(id)
                memory.untoldTimers.insert(number)
            }
            if machine.timer(id) != before { isDifferent = true }
        }
        try goOn(from: image, map: map, at: downtime.end, in: &workspace, sequence: &sequence)
        return isDifferent
    }

    /// Counts the revisions of what it shows in another epoch.
    public mutating func begin(epoch: Int64) {
        for index in run.indices { run[index].activity.begin(epoch: epoch) }
    }

    /// Goes on in a definition that may have taken the place of another: waits for what that one did not wait for.
    ///
    /// Timers stay as they are.
    ///
    /// - Parameters:
    ///   - image: What the device was read from.
    ///   - map: Where things of the image were found.
    ///   - now: When it is.
    ///   - workspace: The workspace of the definition.
    ///   - sequence: The counter that orders deadlines.
    /// - Throws: ``ImageFault`` for bytes that are no image.
    public mutating func goOn(
        from image: ArraySlice<UInt8>,
        map: LayoutMap,
        at now: Timestamp,
        in workspace: inout Workspace,
        sequence: inout UInt64
    ) throws(ImageFault) {
        if map.isIdentity { return }
        let known = try Device.armedTransitions(of: image, map: map)
        if machine.isStarted, !machine.isFinished {
            swap(&memory, &workspace.memory)
            defer { swap(&memory, &workspace.memory) }
            workspace.begin(at: now)
            machine.armNew(
                besides: known,
                chart: workspace.definition.chart,
                host: &workspace,
                at: now,
                sequence: &sequence
            )
        }
        guard let activity = run.first?.activity, activity.phase != .ended else { return }
        run[0].staleCheck = workspace.definition.activity?.stale.map {
            arm(max(machine.lastHeard + $0, activity.startedAt + $0, now), &sequence)
        }
    }

    /// Ends what is followed with the content it has, because the definition is gone.
    ///
    /// - Returns: what readers have to be told: the end, and that the activity goes away at once.
    public mutating func endRun(at now: Timestamp) -> [DeviceEffect] { run.end(at: now) }

    /// Looks at everything anew, also where no signal has changed: one macrostep, then the content.
    ///
    /// What a definition without an activity still shows ends.
    public mutating func lookAnew(
        at now: Timestamp,
        in workspace: inout Workspace,
        sequence: inout UInt64,
        effects: inout [DeviceEffect]
    ) {
        if workspace.definition.activity == nil { effects += run.end(at: now) }
        swap(&memory, &workspace.memory)
        defer { swap(&memory, &workspace.memory) }
        workspace.begin(at: now)
        workspace.isAnew = true
        let before = machine.activeAtomicStates(in: workspace.definition.chart)
        let outcome = step(nil, in: &workspace, sequence: &sequence)
        finish(outcome, from: before, in: &workspace, sequence: &sequence, effects: &effects)
    }

    /// Moves what is known by the same length, because the wall clock was set.
    ///
    /// A timer that ends at a time of day, `until`, keeps its end; one that goes on or begins anew after a restart
    /// counts no time that nobody counted. What readers see differently is told when the device is looked at anew.
    public mutating func move(by shift: ClockShift, in workspace: Workspace) {
        let timers = workspace.definition.timers
        machine.move(by: shift) { id in
            let timer = timers[Int(id.rawValue)]
            if timer.endsAtTimeOfDay { return .startOnly }
            return timer.onRestart == .deadline ? .whenArmed : .always
        }
        for index in run.indices {
            let start = run[index].activity.startedAt
            run[index].activity.moveStart(to: shift.moved(start))
            run[index].staleCheck?.move(by: shift.length)
            shift.move(&run[index].dismissal)
        }
    }
}
