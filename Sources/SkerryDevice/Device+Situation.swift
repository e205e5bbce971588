public import SkerryMachine
public import SkerryValues

/// Where a device is before anything happens, as a test says.
public struct Situation: Sendable {
    /// A signal or variable, by its place among the names of the definition, with its value.
    public struct Setting: Sendable {
        /// The place among the names.
        public var index: Int
        /// The value.
        public var value: Value

        /// Makes a setting.
        public init(_ index: Int, _ value: Value) {
            self.index = index
            self.value = value
        }
    }

    /// A timer with the time that it has left, or has counted when it counts up.
    public struct TimerLength: Sendable {
        /// The timer.
        public var timer: TimerID
        /// The time left, or counted; not negative.
        public var length: Interval

        /// Makes a timer with its time.
        public init(_ timer: TimerID, _ length: Interval) {
            self.timer = timer
            self.length = length
        }
    }

    /// The signals that are set.
    public var signals: [Setting] = []
    /// The variables that have another value than at a start.
    public var variables: [Setting] = []
    /// The states that the machine starts in, none for its initial ones; nil when it has not started.
    public var states: [StateID]?
    /// The timers that are set; those with a `while` that does not hold are paused.
    public var timers: [TimerLength] = []

    /// Nothing is set, and the machine has not started.
    public init() {}
}

extension Device {
    /// Puts a device of which nothing was heard yet into a situation: one macrostep, with the run that begins with it.
    public mutating func begin(
        _ situation: Situation,
        at now: Timestamp,
        in workspace: inout Workspace,
        sequence: inout UInt64,
        effects: inout [DeviceEffect]
    ) {
        swap(&memory, &workspace.memory)
        defer { swap(&memory, &workspace.memory) }
        workspace.begin(at: now)
        for signal in situation.signals { workspace.memory.values[signal.index] = signal.value }
        defer { memory.countStorage(limit: workspace.definition.limits.valueBytes) }
        guard let states = situation.states else { return }
        workspace.setInitialContext(machine)
        for variable in situation.variables {
            workspace.memory.values[workspace.firstVariable + variable.index] = variable.value
        }
        let outcome = machine.start(
            in: states,
            chart: workspace.definition.chart,
            host: &workspace,
            at: now,
            sequence: &sequence
        )
        finish(
            outcome,
            from: StateSet(),
            timers: situation.timers,
            in: &workspace,
            sequence: &sequence,
            effects: &effects
        )
    }

    /// Lets a timer have so much time left, or counted, whatever it did before.
    mutating func set(
        _ timer: Situation.TimerLength,
        in workspace: inout Workspace,
        _ sequence: inout UInt64
    ) {
        let now = workspace.now
        let definition = workspace.definition.timers[Int(timer.timer.rawValue)]
        if case .countUp = definition.kind {
            machine.startTimer(timer.timer, duration: nil, at: now - timer.length, sequence: &sequence)
        } else {
            machine.startTimer(timer.timer, duration: timer.length, at: now, sequence: &sequence)
        }
        if let runsWhile = definition.runsWhile, !workspace.truth(runsWhile, machine) {
            machine.pauseTimer(timer.timer, at: now)
        }
    }
}
