public import SkerryMachine
public import SkerryValues

/// The state of a device at the beginning of a test.
public struct Situation: Sendable {
    /// A signal or variable, by its number in the definition, with its value.
    public struct Setting: Sendable {
        /// The number of the signal or variable.
        public var index: Int
        /// The value, of any type.
        public var value: Value

        /// Makes a setting.
        public init(_ index: Int, _ value: Value) {
            self.index = index
            self.value = value
        }
    }

    /// A timer with the time left, or with the time counted when it counts up.
    public struct TimerLength: Sendable {
        /// The timer, by its number.
        public var timer: TimerID
        /// The time left, or counted; not negative.
        public var length: Interval

        /// Makes a timer with its time.
        public init(_ timer: TimerID, _ length: Interval) {
            self.timer = timer
            self.length = length
        }
    }

    /// The signals that have a value.
    public var signals: [Setting] = []
    /// The variables whose value differs from their first one.
    public var variables: [Setting] = []
    /// The active states, empty for the initial ones; nil when the machine has not started.
    public var states: [StateID]?
    /// The timers that are armed; those with a `while` that does not hold are paused.
    public var timers: [TimerLength] = []

    /// Makes a situation without values, whose machine has not started.
    public init() {}
}

extension Turn {
    /// Puts a device that was not heard yet into a situation: one macrostep, with the run that starts by it.
    public mutating func begin(_ situation: Situation) {
        for signal in situation.signals {
            // Not by `keep`: a test may set any value; what it takes is counted at the end.
            scene.memory.values[signal.index] = signal.value
            scene.beginHistory(of: signal)
        }
        defer { scene.memory.countStorage(limit: scene.definition.limits.valueBytes) }
        guard let states = situation.states else { return }
        scene.setInitialContext(machine)
        for variable in situation.variables {
            scene.memory.values[scene.firstVariable + variable.index] = variable.value
        }
        let outcome = machine.start(in: states, host: &scene)
        finish(outcome, from: StateSet(), timers: situation.timers)
    }

    /// Sets the time that a timer has left or has counted.
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
