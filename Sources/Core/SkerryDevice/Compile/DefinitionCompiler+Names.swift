import SkerryExpressions
import SkerryMachine
import SkerryValues

extension DefinitionCompiler {
    mutating func collectStates(_ state: StateDraft) {
        states.append(state)
        for child in state.states { collectStates(child) }
    }

    mutating func collectSignals() {
        for source in draft.sources {
            for signal in source.signals {
                let name = signal.name.text
                if parts.signalNames.contains(where: { $0.hasSameCodePoints(as: name) }) { continue }
                checkName(signal.name, "signal")
                parts.signalNames.append(name)
            }
        }
        if parts.signalNames.count > SignalSet.capacity, let last = draft.sources.last?.signals.last {
            report(.tooMany, last.name, "a definition may have at most \(SignalSet.capacity) signals")
            parts.signalNames.removeLast(parts.signalNames.count - SignalSet.capacity)
        }
    }

    mutating func collectNames() {
        for variable in draft.context {
            checkName(variable.name, "variable")
            parts.variableNames.append(variable.name.text)
        }
        for timer in draft.timers { checkName(timer.name, "timer") }
        for setting in draft.settings { checkName(setting.name, "setting") }
    }

    mutating func warnOfUnreadSignals() {
        for (index, name) in parts.signalNames.enumerated() {
            if readReferences.contains(ReferenceKind.signal.reference(index)) { continue }
            if readReferences.contains(ReferenceKind.changed.reference(index)) { continue }
            if readReferences.contains(ReferenceKind.reported.reference(index)) { continue }
            // How often a device reports is worth knowing, as in `skerry explain`, also where no guard asks for reports.
            if parts.signalForms.contains(where: { $0.signal == index && $0.kind == .pace }) { continue }
            guard let signal = draft.firstDraft(ofSignal: name) else { continue }
            report(
                .signalNeverRead,
                signal.name,
                "nothing reads the signal '\(name)'",
                remedy: "use it in a guard, a timer or the content, or remove it"
            )
        }
    }

    mutating func warnOfUnreadVariables() {
        for (index, variable) in draft.context.enumerated() {
            if readReferences.contains(ReferenceKind.context.reference(index)) { continue }
            report(
                .variableNeverRead,
                variable.name,
                "nothing reads the variable '\(variable.name.text)'",
                remedy: "use context.\(variable.name.text) in a guard, an action or the content, or remove it"
            )
        }
    }

    private mutating func checkName(_ name: SourceText, _ what: String) {
        if !name.text.isIdentifier {
            report(
                .badName,
                name,
                "'\(name.text)' can't be used in an expression",
                remedy: "a \(what)'s name has letters, digits and '_', and does not start with a digit"
            )
        } else if what == "signal", isReservedWord(name.text) {
            report(
                .badName,
                name,
                "'\(name.text)' is a word of CEL, the language of expressions",
                remedy: "choose another name, as in '\(name.text)_'"
            )
        } else if what == "signal", DefinitionDraft.reservedNames.contains(name.text),
            name.text != "settings" || !draft.settings.isEmpty
        {
            report(.badName, name, "'\(name.text)' is a word of the language", remedy: "choose another name")
        }
    }

    /// Declares the names that every expression may use, except signals, whose types are not known yet.
    mutating func declareScope() {
        scope.declare("device", type: .string, as: ReferenceKind.deviceID.reference())
        scope.declare("device.id", type: .string, as: ReferenceKind.deviceID.reference())
        scope.declare("device.name", type: .string, as: ReferenceKind.deviceName.reference())
        scope.declare("device.kind", type: .string, as: ReferenceKind.deviceKind.reference())
        scope.declare("device.available", type: .bool, as: ReferenceKind.deviceAvailable.reference())
        scope.declare("state", type: .string, as: ReferenceKind.stateName.reference())
        scope.declare("now", type: .timestamp, as: ReferenceKind.now.reference())
        scope.declare("since", type: .timestamp, as: ReferenceKind.since.reference())
        scope.declare("place.zone", type: .string, as: ReferenceKind.zone.reference())
        scope.declare("event", type: .string, as: ReferenceKind.event.reference())
        for (index, timer) in draft.timers.enumerated() {
            scope.declare(
                "timer.\(timer.name.text)",
                type: .duration,
                as: ReferenceKind.timer.reference(index)
            )
            scope.declare(
                "timer.\(timer.name.text).elapsed",
                type: .bool,
                as: ReferenceKind.timerElapsed.reference(index)
            )
            scope.declare(
                "timer.\(timer.name.text).end",
                type: .timestamp,
                as: ReferenceKind.timerEnd.reference(index)
            )
        }
        for (index, name) in parts.variableNames.enumerated() {
            scope.declare("context.\(name)", type: .dyn, as: ReferenceKind.context.reference(index))
        }
        for (index, setting) in draft.settings.enumerated() {
            scope.declare(
                "settings.\(setting.name.text)",
                type: setting.standard.type,
                as: ReferenceKind.setting.reference(index)
            )
        }
        // A signal may have had this name before it was a word of the language.
        if !parts.signalNames.contains(where: { $0.hasSameCodePoints(as: "unset") }) {
            scope.declareAbsent("unset", as: ReferenceKind.unset.reference())
        }
        scope.declareCall(
            "elapsed",
            parameter: .none,
            choices: [CallChoice("", as: ReferenceKind.elapsed.reference(), type: .duration)]
        )
        var stateChoices: [CallChoice] = []
        for (index, state) in states.enumerated() where index > 0 {
            stateChoices.append(
                CallChoice(state.name.text, as: ReferenceKind.inState.reference(index), type: .bool)
            )
        }
        scope.declareCall("inState", parameter: .text, choices: stateChoices)
        declareNews()
    }

    /// Declares the words that ask whether a message told a signal, or changed it.
    private mutating func declareNews() {
        for (name, kind) in [("changed", ReferenceKind.changed), ("reported", .reported)] {
            let choices = parts.signalNames.enumerated().map { index, signal in
                CallChoice(signal, as: kind.reference(index), type: .bool)
            }
            scope.declareCall(name, parameter: .name, choices: choices)
        }
    }
}
