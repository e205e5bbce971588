import SkerryExpressions

/// The values that an expression reads, so that it is evaluated only when one of them may have changed.
struct Dependencies: Sendable {
    /// The signals that the expression reads.
    var signals = SignalSet()
    /// True if the expression reads states, variables or timers.
    var machine = false
    /// True if the expression reads a value that every input renews, such as `now` or a payload.
    var everything = false
    /// True if the expression is a condition that reads the end of a timer.
    var timerEnds = false
    /// True if the expression reads what only the present message tells: its event, and which signals it has changed.
    var message = false

    init() {}

    init(_ program: Program) { self.init(program.references) }

    /// The values that a condition reads, which is looked at with each message if it reads the end of a timer.
    init(ofCondition program: Program) {
        self.init(program)
        // A message moves timers only after its transitions: what it did to an end, the next one finds.
        timerEnds = program.references.contains { ReferenceKind(rawValue: $0.kind) == .timerEnd }
    }

    init(_ references: [Reference]) {
        for reference in references {
            switch ReferenceKind(rawValue: reference.kind) {
            case .signal: signals.insert(Int(reference.index))
            case .context, .inState, .stateName, .stateTitle, .field, .timerEnd: machine = true
            case .deviceName, .deviceID, .deviceKind, .unset, .setting, .zone: break
            case .changed, .reported, .event:
                everything = true
                message = true
            case .payload, .item, .capture, .timer, .timerElapsed, .elapsed, .now, .since, .deviceAvailable,
                nil:
                everything = true
            }
        }
    }

    mutating func formUnion(_ other: Dependencies) {
        signals.formUnion(other.signals)
        machine = machine || other.machine
        everything = everything || other.everything
        timerEnds = timerEnds || other.timerEnds
        message = message || other.message
    }

    /// True if the value may differ after these signals changed and no state did.
    func mayHaveChanged(by changed: SignalSet) -> Bool {
        everything || timerEnds || signals.intersects(changed)
    }
}
