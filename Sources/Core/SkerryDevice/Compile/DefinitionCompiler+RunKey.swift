import SkerryExpressions
import SkerryValues

extension DefinitionCompiler {
    /// The key that tells one run from the next.
    mutating func runKey(of activity: ActivityDraft) -> ActivityDefinition.RunKey? {
        guard let source = activity.run, let program = program(source) else { return nil }
        if ![.string, .int, .uint, .dyn].contains(program.type) {
            report(
                .wrongType,
                source,
                "the key of a run must be a text or a whole number, but this is \(program.type.description)",
                remedy: "write the signal that names the job, such as `run: job`"
            )
        }
        return ActivityDefinition.RunKey(
            program: program,
            dependencies: Dependencies(program),
            isOnce: activity.runsOnce
        )
    }

    /// The signals that are unset when a run starts.
    mutating func resetSignals(of activity: ActivityDraft) -> SignalSet { signalSet(activity.reset) }

    /// The set of the signals with these names; other names are reported where they are written.
    mutating func signalSet(_ names: [SourceText]) -> SignalSet {
        var signals = SignalSet()
        for name in names {
            if let index = parts.signalNames.firstIndex(where: { $0.hasSameCodePoints(as: name.text) }) {
                signals.insert(index)
            } else {
                reportUnknown(.unknownName, "signal", name, known: parts.signalNames, of: .signal)
            }
        }
        return signals
    }
}
