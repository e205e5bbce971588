import SkerryExpressions
import SkerryMachine
import SkerryValues

extension Scene {
    /// The value of a signal after a message; an error leaves the signal as it was.
    mutating func value(
        of assignment: SignalAssignment,
        isRetained: Bool,
        _ machine: Machine
    ) -> Value {
        guard let form = assignment.form else { return evaluate(assignment.program, machine) }
        if form.kind == .on { return truth(of: assignment, form, machine) }
        // A value that no part of the message gave is not one more value.
        guard assignment.dependencies.mayHaveChanged(by: reported) else { return .error(.unset) }
        let value = evaluate(assignment.program, machine)
        if case .error = value { return value }
        guard let number = value.number else { return .error(.noSuchOverload) }
        // The moment of a retained value is not known.
        if isRetained, form.kind.asksMoments { return .error(.unset) }
        return memory.histories[form.history].add(number, at: now, form).map { .double($0) } ?? .error(.unset)
    }

    /// The truth value of a signal with `on`; one that turns after a time is armed here.
    private mutating func truth(
        of assignment: SignalAssignment,
        _ form: SignalForm,
        _ machine: Machine
    ) -> Value {
        var present: Bool?
        if case .bool(let truth) = memory.values[assignment.signal] { present = truth }
        let on = evaluate(assignment.program, machine)
        let off = form.off.map { evaluate($0, machine) }
        let wanted: Bool
        switch (on, off) {
        case (.bool(true), _): wanted = true
        case (_, .bool(true)?): wanted = false
        case (.bool(false), nil): wanted = false
        // Between the two thresholds the last truth stays.
        case (.bool(false), .bool(false)?): wanted = present ?? false
        case (.error(let error), _), (_, .error(let error)?): return .error(error)
        default: return .error(.noSuchOverload)
        }
        guard let present, let delay = form.delay else { return .bool(wanted) }
        let isPending = memory.histories[form.history].pending != nil
        // Either it waits to turn and need not any more, or it must turn and does not wait yet.
        if isPending == (wanted == present) {
            memory.histories[form.history].pending = isPending ? nil : clock.arm(at: now + delay)
            mustKeep = true
        }
        // The value in force until then.
        return .bool(present)
    }

    /// Turns the truth value whose time has come.
    mutating func turn(history number: Int) {
        assert(
            memory.histories[number].pending?.at == now,
            "a truth value turns at another time than its own"
        )
        memory.histories[number].pending = nil
        let signal = definition.signalForms[number].signal
        guard case .bool(let truth) = memory.values[signal], keep(.bool(!truth), at: signal) else { return }
        // As if a message had reported it: guards, timers and content look at it.
        changed.insert(signal)
        reported.insert(signal)
    }

    /// Begins the history of a signal with its value at the start of a test.
    mutating func beginHistory(of signal: Situation.Setting) {
        guard let form = definition.signalForms.first(where: { $0.signal == signal.index }),
            let figure = signal.value.number
        else { return }
        memory.histories[form.history].begin(with: figure, at: now, form)
    }

    /// Begins a signal again with the value in force, at the start of a run.
    ///
    /// - Returns: True if the signal changed; nil if it does not follow numbers over time.
    mutating func restart(signal: Int) -> Bool? {
        guard let form = definition.signalForms.first(where: { $0.signal == signal }), form.kind != .on else {
            return nil
        }
        let figure = memory.histories[form.history].restart(at: now, form)
        let value = figure.map { Value.double($0) } ?? .error(.unset)
        if case (.error, .error) = (memory.values[signal], value) { return false }
        if case (.double(let former), .double(let new)) = (memory.values[signal], value), former == new {
            return false
        }
        return keep(value, at: signal)
    }
}

extension SignalFormKind {
    /// True if a value counts only with its moment.
    fileprivate var asksMoments: Bool {
        switch self {
        case .rate, .mean, .median, .pace: true
        case .integral, .min, .max, .counter, .on: false
        }
    }
}

extension Value {
    /// The number, if it is a finite one.
    fileprivate var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .uint(let number): Double(number)
        case .double(let number): number.isFinite ? number : nil
        default: nil
        }
    }
}
