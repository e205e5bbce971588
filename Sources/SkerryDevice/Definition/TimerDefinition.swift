import SkerryExpressions
public import SkerryValues

/// A named timer of a definition.
public struct TimerDefinition: Sendable {
    /// How its end is known.
    enum Kind: Sendable {
        case remaining(Program)
        case until(Program)
        case duration(Program)
        case countUp
    }

    /// Its name.
    public let name: String
    /// The end moves only when the estimate moved by more.
    public let tolerance: Interval
    /// What becomes of it over a restart of the gateway.
    public let onRestart: RestartPolicy
    /// What becomes of its start when the device tells another end.
    public let onNewEnd: NewEndPolicy

    let kind: Kind
    let runsWhile: Program?
    let from: Program?
    /// What its end is computed from.
    let endDependencies: Dependencies
    /// What its `while` reads.
    let whileDependencies: Dependencies

    /// Whether it ends at a time of day, and not after a length of time.
    var endsAtTimeOfDay: Bool {
        switch kind {
        case .until: true
        case .remaining, .duration, .countUp: false
        }
    }

    /// Whether the device must have told the end of this run before it is known.
    var endIsTold: Bool {
        switch kind {
        case .remaining, .until: !endDependencies.everything && !endDependencies.signals.isEmpty
        case .duration, .countUp: false
        }
    }
}
