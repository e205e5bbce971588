import SkerryExpressions
public import SkerryValues

/// A named timer of a definition.
public struct TimerDefinition: Sendable {
    /// The expression that gives the end.
    enum Kind: Sendable {
        case remaining(Program)
        case until(Program)
        case duration(Program)
        case countUp

        var end: Program? {
            switch self {
            case .remaining(let program), .until(let program), .duration(let program): program
            case .countUp: nil
            }
        }
    }

    /// The name, as in `timer.<name>`.
    public let name: String
    /// The difference up to which a new estimate leaves the end where it is.
    public internal(set) var tolerance: Interval
    /// The same difference as a part of the time that is left, from 0 to 1; the greater one counts.
    public let relativeTolerance: Double
    /// The effect of a restart of Skerry on a running timer.
    public let onRestart: RestartPolicy
    /// The effect on the start when the device reports another end.
    public let onNewEnd: NewEndPolicy

    let kind: Kind
    let runsWhile: Program?
    /// True if it stops while `while` does not hold, in place of a pause.
    let stops: Bool
    let from: Program?
    /// The moment at which a pause began.
    let pausedFrom: Program?
    /// The values from which the end is computed.
    let endDependencies: Dependencies
    /// The values that `while` reads.
    let whileDependencies: Dependencies
    /// The plan for learning from its runs; nil without one.
    let learning: LearningPlan?

    /// The difference that always counts as none where it is a part of the time that is left.
    ///
    /// Near the end such a part is shorter than the waver of a device's clock and of the way of its messages.
    static func leastTolerance(_ relative: Double) -> Interval { relative > 0 ? .seconds(10) : .zero }

    /// Returns the difference up to which a new estimate leaves the end where it is, while so much time is left.
    func tolerance(withLeft left: Interval) -> Interval {
        guard relativeTolerance > 0, left > .zero else { return tolerance }
        return max(tolerance, Interval(microseconds: Int64(Double(left.microseconds) * relativeTolerance)))
    }

    /// True if its end is learned from past runs, and so depends on all that was ever heard of a device.
    public var isLearned: Bool { learning != nil }

    /// True if the timer ends at a time of day, and not after a length of time.
    var endsAtTimeOfDay: Bool {
        switch kind {
        case .until: true
        case .remaining, .duration, .countUp: false
        }
    }

    /// True if only the reports of the device tell how much time is left.
    var followsReports: Bool {
        if case .remaining = kind { endIsTold } else { false }
    }

    /// The expression that gives the end; nil for a timer that counts up.
    var end: Program? { kind.end }

    /// True if the end is unknown until the device has reported it for this run.
    var endIsTold: Bool {
        switch kind {
        case .remaining, .until: !endDependencies.everything && !endDependencies.signals.isEmpty
        case .duration, .countUp: false
        }
    }
}

/// The plan for learning the end of a timer that counts up from past runs.
struct LearningPlan: Sendable {
    /// The number whose course tells runs apart.
    var curve: Program?
    /// The programme; only runs of the same one are compared.
    var key: Program?
    /// The condition under which a run that ends is remembered.
    var counts: Program?
    /// The moment at which a run was over, if that was before its end.
    var end: Program?
    /// The fingerprint of the curve and the programme, by which remembered runs are known to be comparable.
    var subject: UInt64
}

/// The effect of a restart of Skerry on a running timer.
public enum RestartPolicy: UInt8, Sendable, CaseIterable {
    /// The timer keeps its end, as if it had kept running.
    case deadline
    /// The timer continues with the time that was left.
    case remaining
    /// The timer starts over with its whole length.
    case restart
    /// The timer is stopped.
    case drop

    /// The word of the definition language.
    public var name: String {
        switch self {
        case .deadline: "deadline"
        case .remaining: "remaining"
        case .restart: "restart"
        case .drop: "drop"
        }
    }
}

/// The effect on a countdown's start when the device reports an end that differs by more than the tolerance.
public enum NewEndPolicy: UInt8, Sendable, CaseIterable {
    /// The start stays: a progress bar shows the fraction of the whole that is over.
    case keep
    /// The start is evaluated again or is now: a progress bar begins again.
    case restart

    /// The word of the definition language.
    public var name: String {
        switch self {
        case .keep: "keep"
        case .restart: "restart"
        }
    }
}
