public import SkerryMachine
public import SkerryValues

/// What one device does with one input, from the first byte read to the last effect.
///
/// A turn takes the device out of its place, owns it with all that it may read and change, and puts it back with
/// ``end(_:_:)``. Nothing else has the device in the meantime, so that its values change in place.
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
    ///   - workspace: What turns hand on to each other; not to be used until the turn ends.
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

    /// Begins a turn of a copy, which changes nothing but itself.
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

/// What came of a turn.
public struct TurnOutcome: Sendable {
    /// What the world should know, in order.
    public var effects: [DeviceEffect]
    /// Whether the device changed in more than the numbers it reports: then its image must be kept at once.
    public var mustKeep: Bool
    /// How many values were not kept because they are too large.
    public var refusedValues: UInt32
    /// How much of the machine was reached; nil when nobody asks.
    public var reach: MachineReach?
    /// The expressions that could not be evaluated, in the order of their first failure; empty when nobody asks.
    public var failures: [ExpressionFailure]
}

/// What the turns of all devices hand on to each other.
public struct Workspace: Sendable {
    /// The number of the next deadline; see `MachineClock`.
    public var sequence: UInt64 = 0
    /// The epoch of all revisions; another one tells readers that revisions begin anew.
    public var epoch: Int64
    /// The newest run of a device that is gone: one of its name must not begin the same again.
    public var newestLostRun = Int64.min
    /// How many bytes more the values of all devices may take.
    public var room = Int.max / 2
    /// Whether turns keep account of the states entered and the transitions taken.
    public var recordsReach = false
    /// Whether turns keep account of the expressions that fail.
    public var recordsFailures = false
    /// Room for the values of a payload, so that a message allocates nothing.
    var payload: [Value] = []

    /// Makes the workspace of devices whose revisions have an epoch.
    public init(epoch: Int64) { self.epoch = epoch }
}
