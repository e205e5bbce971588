public import SkerryMachine
public import SkerryValues

/// One input to one device, from the first byte read to the last effect.
///
/// A turn takes the device out of its place, owns it with everything that the device may read and change, and puts it
/// back with ``end(_:_:)``. A copy in its place would make each message copy all values of its device.
public struct Turn: Sendable {
    /// The states, waits and timers of the device.
    var machine: Machine
    /// The definition, the time, and all other values that expressions read.
    var scene: Scene
    /// The newest run, until it is dismissed; at most one.
    var run: [FollowedRun]
    /// The number of the last run; see ``Device/lastRun``.
    var lastRun: Int64
    /// The effects so far, in order.
    var effects: [DeviceEffect] = []
    /// The meaning of a message for the device; nil unless it is asked for.
    var reading: MessageReading?

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
        assert(device.memory.isMade(for: definition), "a device is in a turn, or of another definition")
        machine = Machine()
        run = []
        lastRun = device.lastRun
        scene = Scene(of: definition, at: now, in: workspace)
        swap(&machine, &device.machine)
        swap(&run, &device.run)
        swap(&scene.memory, &device.memory)
        swap(&scene.payload, &workspace.payload)
    }

    /// Begins a turn of a copy, to look at a device without changing it.
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
    /// - Returns: The effects and records of the turn.
    public consuming func end(_ device: inout Device, _ workspace: inout Workspace) -> TurnOutcome {
        swap(&machine, &device.machine)
        swap(&run, &device.run)
        swap(&scene.memory, &device.memory)
        swap(&scene.payload, &workspace.payload)
        device.lastRun = lastRun
        assert(scene.clock.sequence >= workspace.sequence, "the counter of deadlines falls")
        assert(device.run.count < 2, "a device has two runs")
        workspace.sequence = scene.clock.sequence
        workspace.cost &+= scene.cost
        return TurnOutcome(
            effects: effects,
            mustKeep: scene.mustKeep,
            refusedValues: scene.refusedValues,
            unpublished: scene.unpublished,
            reach: scene.reach,
            misreadings: scene.misreadings,
            reported: scene.reported,
            reading: reading
        )
    }

    /// The earliest moment at which something is due; nil when nothing is.
    var nextDeadline: Deadline? { scene.memory.earliest(run.earliest(machine.nextDeadline)) }
}

/// The result of a turn.
public struct TurnOutcome: Sendable {
    /// The effects, in order.
    public var effects: [DeviceEffect]
    /// True when the device changed in more than its numbers, so that its image must be stored at once.
    public var mustKeep: Bool
    /// The number of values refused because of their size.
    public var refusedValues: UInt32
    /// The number of messages that actions could not publish.
    public var unpublished: UInt32
    /// The states entered and the transitions taken; nil unless ``Workspace/recordsReach`` is set.
    public var reach: MachineReach?
    /// The parts of the input that could not be read.
    var misreadings: [Misreading]
    /// The signals that the input contained.
    var reported: SignalSet
    /// True if there was nothing in the input that could not be read.
    public var isRead: Bool { misreadings.isEmpty }
    /// The meaning of a message for the device; nil unless ``Workspace/recordsReadings`` is set and a message was read.
    public var reading: MessageReading?
}

/// The state that each turn passes on to the next, of any device.
public struct Workspace: Sendable {
    /// The number of the next deadline; see `MachineClock`.
    public var sequence: UInt64 = 0
    /// The epoch of all revisions; it changes when revisions could otherwise repeat with other content.
    public var epoch: Int64
    /// The number of the newest run of any removed device; a device of the same name must not use it again.
    public var newestLostRun = Int64.min
    /// The number of bytes by which the values of all devices may still grow.
    public var room = Int.max / 2
    /// The cost of all expressions since it was last set to 0.
    public var cost = 0
    /// True while turns record the states entered and the transitions taken.
    public var recordsReach = false
    /// True while turns record the meaning of each message.
    public var recordsReadings = false
    /// A buffer for the values of a payload, used again so that a message allocates nothing.
    var payload: [Value] = []

    /// Makes the workspace of devices whose revisions have an epoch.
    public init(epoch: Int64) { self.epoch = epoch }
}
