public import SkerryDevice
public import SkerryMachine
public import SkerryValues

// What tests of definitions ask of an engine: devices in a situation, and an account of what was reached and what failed.

extension Engine {
    /// Puts a device of which nothing was heard yet into a situation, as tests do; the device is made if there is none.
    ///
    /// - Returns: what came of it.
    public mutating func begin(
        _ situation: Situation,
        device name: String,
        kind: String,
        at time: Timestamp
    ) -> [Effect] {
        var effects: [Effect] = []
        now = max(now, time)
        if let definition = place(of: kind), let index = device(named: name, definition: definition, &effects)
        {
            turn(index, at: now, &effects) { $0.begin(situation) }
            deliverRelays(&effects)
        }
        wakeDue(by: now, &effects)
        return effects
    }

    /// Keeps account of the states that devices enter and the transitions that they take, from now on.
    public mutating func recordReach() { workspace.recordsReach = true }

    /// Keeps account of the expressions that fail from now on.
    public mutating func recordFailures() { workspace.recordsFailures = true }

    /// Keeps the meaning of the last message for its devices, as ``readings``, from now on.
    public mutating func recordReadings() { workspace.recordsReadings = true }

    /// The expressions of each definition that have failed since ``recordFailures()``, in the order of the definitions.
    public var failures: [[ExpressionFailure]] { accounts.map { $0.failures } }

    /// The part of each definition's machine that devices have reached since ``recordReach()``, in the order of the
    /// definitions.
    public var reach: [MachineReach] { accounts.map { $0.reach } }
}

/// The record of what was reached and what failed of one definition.
struct Account: Sendable {
    var reach: MachineReach
    /// In the order of the first failures.
    var failures: [ExpressionFailure] = []

    init(of definition: Definition) { reach = MachineReach(of: definition.chart) }

    mutating func add(_ outcome: TurnOutcome) {
        if let reach = outcome.reach { self.reach.formUnion(reach) }
        for failure in outcome.failures { failures.add(failure) }
    }
}
