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

extension Turn {
    /// Puts a device of which nothing was heard yet into a situation: one macrostep, with the run that begins with it.
    public mutating func begin(_ situation: Situation) {
        for signal in situation.signals { scene.memory.values[signal.index] = signal.value }
        defer { scene.memory.countStorage(limit: scene.definition.limits.valueBytes) }
        guard let states = situation.states else { return }
        scene.setInitialContext(machine)
        for variable in situation.variables {
            scene.memory.values[scene.firstVariable + variable.index] = variable.value
        }
        let outcome = machine.start(in: states, host: &scene)
        finish(outcome, from: StateSet(), timers: situation.timers)
    }

    /// Lets a timer have so much time left, or counted, whatever it did before.
    mutating func set(_ timer: Situation.TimerLength) {
        let definition = scene.definition.timers[Int(timer.timer.rawValue)]
        if case .countUp = definition.kind {
            let start = scene.now - timer.length
            machine.startTimer(timer.timer, countingUpFrom: start, on: &scene.clock)
        } else {
            machine.startTimer(timer.timer, duration: timer.length, on: &scene.clock)
        }
        if let runsWhile = definition.runsWhile, !scene.truth(runsWhile, machine) {
            machine.pauseTimer(timer.timer, at: scene.now)
        }
    }
}
