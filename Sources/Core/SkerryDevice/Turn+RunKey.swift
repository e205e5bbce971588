import SkerryExpressions
import SkerryMachine
import SkerryValues

extension Turn {
    /// Determines the effect of a macrostep on the run, and resets signals with it.
    ///
    /// - Parameter outcome: The outcome of the macrostep, to which the steps are added that follow from unset signals.
    /// - Returns: The effect on the run.
    mutating func changeRun(_ outcome: inout Outcome) -> RunChange {
        scene.since = outcome.since ?? scene.now
        let key = presentKey(after: outcome)
        var change = runChange(after: outcome, key: key)
        if change.begins {
            // Guards see the signals unset in the macrostep that begins the run, and may lead out of its first state.
            outcome.add(resetSignals())
            scene.since = outcome.since ?? scene.now
            change = runChange(after: outcome, key: key)
        }
        if change == .isSwallowed {
            effects.append(.fault(.runSwallowed))
            scene.memory.swallowed &+= 1
            change = .none
        }
        take(key: key, run: change)
        return change
    }

    /// The present key of the run; nil when it is absent, or nothing that it reads has changed.
    private mutating func presentKey(after outcome: Outcome) -> String? {
        guard let key = scene.definition.activity?.key,
            scene.isAnew || outcome.changed || !outcome.entered.isEmpty
                || key.dependencies.mayHaveChanged(by: scene.changed)
        else { return nil }
        return scene.text(ofKey: key.program, machine)
    }

    /// Remembers the key of a run that begins, or of one that began before its key was known.
    private mutating func take(key: String?, run change: RunChange) {
        let isFirst = isFollowed && change == .none && scene.memory.runKey == nil && key != nil
        guard change.begins || isFirst else { return }
        scene.memory.runKey = key
        scene.mustKeep = true
    }

    /// Resets the signals that begin empty with each run, except those that are of this run.
    ///
    /// - Returns: The steps of the machine that follow from it, in the same macrostep.
    private mutating func resetSignals() -> Outcome {
        guard let reset = scene.definition.activity?.reset, !reset.isEmpty else { return Outcome() }
        var unset = SignalSet()
        for signal in 0..<scene.firstVariable where reset.contains(signal) {
            if let isChanged = scene.restart(signal: signal) {
                if isChanged { unset.insert(signal) }
                continue
            }
            if scene.isOfThisRun(signal) { continue }
            if case .error = scene.memory.values[signal] { continue }
            _ = scene.keep(.error(.unset), at: signal)
            unset.insert(signal)
        }
        if unset.isEmpty { return Outcome() }
        scene.mustKeep = true
        let told = scene.changed
        // Only what the reset changed: the guards have been evaluated with all other values.
        scene.changed = unset
        defer { scene.changed.formUnion(told) }
        guard scene.definition.machineDependencies.mayHaveChanged(by: unset) else { return Outcome() }
        let values = scene.memory.values
        let outcome = machine.settle(host: &scene)
        if outcome.fault == .endlessLoop { scene.putBack(values) }
        return outcome
    }
}

extension Scene {
    /// True if a signal was set by the message that starts the run, or while the guard that starts it held for its time.
    ///
    /// The event of the message that starts a machine comes with a deadline of the same moment.
    fileprivate func isOfThisRun(_ signal: Int) -> Bool {
        reported.contains(signal) || (memory.reportedAt[signal] >= since && (!isTold || since < now))
    }

    /// The key of a run as text; nil for an error, null, an empty text, or one that is too long.
    fileprivate mutating func text(ofKey program: Program, _ machine: Machine) -> String? {
        let text: String
        switch evaluate(program, machine) {
        case .string(let value): text = value
        case .int(let number): text = number.description
        case .uint(let number): text = number.description
        case .double(let number):
            guard let whole = Int64(exactly: number) else {
                count(.noSuchOverload, of: program)
                return nil
            }
            text = whole.description
        case .error(let error):
            count(error, of: program)
            return nil
        case .null: return nil
        default:
            count(.noSuchOverload, of: program)
            return nil
        }
        return text.utf8.isEmpty || text.utf8.count > ActivityDefinition.RunKey.limit ? nil : text
    }
}
