import SkerryExpressions
import SkerryValues

extension DefinitionLinter {
    /// False if a condition certainly never holds.
    mutating func canHold(_ program: Program) -> Bool {
        if !program.asksPresence, ReadingCase(references: [], values: []).truth(of: program) == false {
            return false
        }
        guard program.type == .bool || program.type == .dyn, program.isComparison,
            let search = search([program])
        else { return true }
        return search.first { $0.holds(program) } != nil
    }

    /// True if a condition holds for all values that it could read.
    func alwaysHolds(_ program: Program) -> Bool {
        !program.asksPresence && ReadingCase(references: [], values: []).truth(of: program) == true
    }

    /// A search over the cases that make a difference to some conditions; nil when there are too many or values are
    /// unknown.
    ///
    /// If `known` returns a value for a reference, it is the only one tried.
    mutating func search(
        _ programs: [Program],
        known: (Reference) -> Value? = { _ in nil }
    ) -> CaseSearch? {
        let search = CaseSearch(programs, limit: min(CaseSearch.limit, casesLeft)) { reference, constants in
            if let value = known(reference) { return [value] }
            switch ReferenceKind(rawValue: reference.kind) {
            case .signal:
                if let values = possibleValues(ofSignal: Int(reference.index)) { return values }
                return definition.signalTypes[Int(reference.index)].telling(constants)
            case .context: return ExpressionType.dyn.telling(constants)
            case .changed, .reported, .timerElapsed, .deviceAvailable: return [.bool(true), .bool(false)]
            case .timer: return ExpressionType.duration.telling(constants)
            case .elapsed: return ExpressionType.duration.telling(constants).dropLast()
            case .event: return ExpressionType.string.telling(constants)
            case .unset: return [.error(.unset)]
            case .payload, .capture, .inState, .now, .since, .stateName, .stateTitle, .deviceName,
                .deviceID, .deviceKind, .item, .field, .setting, .timerEnd, .zone, nil:
                return nil
            }
        }
        casesLeft -= search?.count ?? 0
        return search
    }

    /// The values that a signal can have, the absent value last; nil unless its sources assign only constants.
    func possibleValues(ofSignal index: Int) -> [Value]? {
        var values: [Value] = []
        for source in definition.sources {
            for signal in source.signals where signal.signal == index {
                guard signal.form == nil, let possible = signal.program.possibleValues else { return nil }
                for value in possible where !values.contains(where: { $0.equals(value) }) {
                    values.append(value)
                }
            }
        }
        return values + [.error(.unset)]
    }

    /// A case in words, such as `power = 7 and context.spun = true`; empty when the conditions read nothing.
    ///
    /// - Parameters:
    ///   - found: The case.
    ///   - some: What is told of it; nil for everything.
    /// - Returns: The words.
    func words(_ found: ReadingCase, among some: Set<Reference>? = nil) -> String {
        var parts: [String] = []
        for (reference, value) in zip(found.references, found.values) where some?.contains(reference) ?? true
        {
            if case .error = value { continue }
            if reference.kind == ReferenceKind.setting.rawValue { continue }
            parts.append("\(name(of: reference)) = \(literal(value))")
        }
        return parts.joined(separator: " and ")
    }

    private func name(of reference: Reference) -> String {
        let index = Int(reference.index)
        return switch ReferenceKind(rawValue: reference.kind) {
        case .signal: definition.signalNames[index]
        case .changed: "changed(\(definition.signalNames[index]))"
        case .reported: "reported(\(definition.signalNames[index]))"
        case .context: "context.\(definition.variableNames[index])"
        case .timer: "timer.\(definition.timers[index].name)"
        case .timerElapsed: "timer.\(definition.timers[index].name).elapsed"
        case .elapsed: "elapsed()"
        case .deviceAvailable: "device.available"
        case .event: "event"
        default: "?"
        }
    }

    /// A value in the syntax of expressions.
    func literal(_ value: Value) -> String {
        switch value {
        case .null: return "null"
        case .bool(let truth): return truth ? "true" : "false"
        case .int(let number): return "\(number)"
        case .uint(let number): return "\(number)"
        case .double(let number):
            return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .string(let text): return "\"\(text)\""
        case .duration(let length): return "duration(\"\(length.interval.roundedSeconds)s\")"
        case .timestamp(let moment): return "timestamp(\(moment.seconds))"
        default: return "…"
        }
    }
}
