import SkerryMachine
import SkerryValues

extension DefinitionCompiler {
    /// Resolves `migrate:`, the new states of devices whose state was removed from the definition.
    mutating func compileMigrations(_ chart: Statechart?) {
        let names = states.dropFirst().map { $0.name.text }
        for migration in draft.migrations {
            let old = migration.name
            if names.contains(where: { $0.hasSameCodePoints(as: old.text) }) {
                report(
                    .badValue,
                    old,
                    "'\(old.text)' is still a state of the machine, so no device leaves it",
                    remedy: "remove the line, or the state"
                )
            }
            guard let chart else { continue }
            if let target = chart.state(named: migration.text.text), target != .root {
                parts.migrations.append(Migration(from: old.text, to: target))
            } else {
                reportUnknown(.unknownState, "state", migration.text, known: names, of: .state)
            }
        }
    }
}
