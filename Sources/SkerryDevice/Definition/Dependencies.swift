import SkerryExpressions

/// What an expression reads, so that it is evaluated only when that may have changed.
struct Dependencies: Sendable {
    /// The signals it reads.
    var signals = SignalSet()
    /// It reads the states or variables of the machine, or its timers.
    var machine = false
    /// It reads something that is new with every input, such as `now` or a payload.
    var everything = false

    init() {}

    init(_ program: Program) {
        for reference in program.references {
            switch ReferenceKind(rawValue: reference.kind) {
            case .signal: signals.insert(Int(reference.index))
            case .context, .inState, .stateName, .stateTitle, .field: machine = true
            case .deviceName, .deviceKind, .unset: break
            case .changed, .payload, .capture, .timer, .timerElapsed, .elapsed, .now, .since,
                .deviceAvailable, .event, nil:
                everything = true
            }
        }
    }

    mutating func formUnion(_ other: Dependencies) {
        signals.formUnion(other.signals)
        machine = machine || other.machine
        everything = everything || other.everything
    }

    /// Whether the value may differ from before, after these signals changed and no state did.
    func mayHaveChanged(by changed: SignalSet) -> Bool {
        everything || signals.intersects(changed)
    }
}
