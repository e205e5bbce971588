public import SkerryMachine
public import SkerryValues

/// One input to one device, from the first byte read to the last effect.
///
/// A turn takes the device out of its place, owns it with all that the device may read and change, and puts it back with
/// ``end(_:_:)``. It takes instead of copying because a copy would make each message copy all values of its device.
public struct Turn: Sendable {
    /// Where the device is in its machine.
    var machine: Machine
    /// The definition, the time, and all that expressions read besides the machine.
    var scene: Scene
    /// The run that is followed or was followed last, until it is dismissed; at most one.
    var run: [FollowedRun]
    /// What names the last run; see ``Device/lastRun``.
    var lastRun: Int64
    /// What came of it, in order.
    var effects: [DeviceEffect] = []

    /// Begins a turn of a device.
    ///
    /// - Parameters:
    ///   - device: The device; it is empty until the turn ends.
    ///   - definition: Its definition.
    ///   - now: The time.
    ///   - workspace: The state that turns share; the next turn begins when this one has ended.
    public init(
        taking device: inout Device,
        of definition: Definition,
        at now: Timestamp,
        in workspace: inout Workspace
    ) {
        machine = Machine()
        run = []
        lastRun = device.lastRun
        scene = Scene(of: definition, at: now, in: workspace)
        swap(&machine, &device.machine)
        swap(&run, &device.run)
        swap(&scene.memory, &device.memory)
        swap(&scene.payload, &workspace.payload)
    }

    /// Begins a turn of a copy, for those who only look: it changes nothing but itself.
    public init(
        of device: Device,
        of definition: Definition,
        at now: Timestamp,
        in workspace: Workspace
    ) {
        var (device, workspace) = (device, workspace)
        self.init(taking: &device, of: definition, at: now, in: &workspace)
    }

    /// Puts the device back.
    ///
    /// - Parameters:
    ///   - device: The place that the device was taken from.
    ///   - workspace: The workspace that the turn began with.
    /// - Returns: what came of the turn.
    public consuming func end(_ device: inout Device, _ workspace: inout Workspace) -> TurnOutcome {
        swap(&machine, &device.machine)
        swap(&run, &device.run)
        swap(&scene.memory, &device.memory)
        swap(&scene.payload, &workspace.payload)
        device.lastRun = lastRun
        workspace.sequence = scene.clock.sequence
        return TurnOutcome(
            effects: effects,
            mustKeep: scene.mustKeep,
            refusedValues: scene.refusedValues,
            reach: scene.reach,
            failures: scene.failures ?? []
        )
    }

    /// The earliest moment at which something is due; nil when nothing is.
    var nextDeadline: Deadline? { run.earliest(machine.nextDeadline) }
}

/// The result of a turn.
public struct TurnOutcome: Sendable {
    /// The effects, in order.
    public var effects: [DeviceEffect]
    /// True when the device changed in more than the numbers it reports: then its image must be kept at once.
    public var mustKeep: Bool
    /// The number of values that were not kept because they are too large.
    public var refusedValues: UInt32
    /// The states entered and the transitions taken; nil unless ``Workspace/recordsReach`` is set.
    public var reach: MachineReach?
    /// The expressions that could not be evaluated, in the order of their first failure; empty unless
    /// ``Workspace/recordsFailures`` is set.
    public var failures: [ExpressionFailure]
}

/// The state that each turn hands on to the next, whichever device that is of.
public struct Workspace: Sendable {
    /// The number of the next deadline; see `MachineClock`.
    public var sequence: UInt64 = 0
    /// The epoch of all revisions; another one tells readers that revisions begin anew.
    public var epoch: Int64
    /// The newest run of a device that is gone: one of its name must not begin the same again.
    public var newestLostRun = Int64.min
    /// The number of bytes by which the values of all devices may still grow.
    public var room = Int.max / 2
    /// True while turns record the states entered and the transitions taken.
    public var recordsReach = false
    /// True while turns record the expressions that fail.
    public var recordsFailures = false
    /// A buffer for the values of a payload, used again so that a message allocates nothing.
    var payload: [Value] = []

    /// Makes the workspace of devices whose revisions have an epoch.
    public init(epoch: Int64) { self.epoch = epoch }
}
