import SkerryDevice
import SkerryExpressions
import SkerryMachine
import SkerryValues

extension TestGiven {
    /// The given situation, resolved by the names of a definition.
    ///
    /// - Throws: the problem of the first unknown name, or of the first value that does not fit.
    func situation(in definition: Definition) throws(DefinitionProblem) -> Situation {
        for written in settings { _ = try written.choice(in: definition, code: .badTest) }
        var situation = Situation()
        situation.signals = try values(
            signals,
            "signal",
            names: definition.signalNames,
            types: definition.signalTypes
        )
        guard hasStarted else { return situation }
        situation.states = try states(in: definition.chart)
        situation.variables = try values(
            context,
            "variable",
            names: definition.variableNames,
            types: definition.variableTypes
        )
        for timer in timers {
            guard let id = definition.chart.timer(named: timer.name.text) else {
                throw .unknown("timer", timer.name, among: definition.chart.timers)
            }
            situation.timers.append(Situation.TimerLength(id, timer.length.interval))
        }
        return situation
    }

    private func states(in chart: Statechart) throws(DefinitionProblem) -> [StateID] {
        var found: [StateID] = []
        for state in states {
            guard let id = chart.state(named: state.text) else {
                throw .unknown("state", state, among: chart.stateNames)
            }
            if case .history = chart[id].kind {
                throw DefinitionProblem(
                    .badTest,
                    state,
                    "a machine is never in a history state",
                    remedy: "name the state that it stands for"
                )
            }
            if let other = found.first(where: { !chart.areCompatible($0, id) }) {
                throw DefinitionProblem(
                    .badTest,
                    state,
                    "a machine is never in '\(chart[other].name)' and '\(state.text)' together",
                    remedy: "name one state, or one in each parallel region"
                )
            }
            found.append(id)
        }
        return found
    }

    private func values(
        _ entries: [TestEntry],
        _ what: String,
        names: [String],
        types: [ExpressionType]
    ) throws(DefinitionProblem) -> [Situation.Setting] {
        var values: [Situation.Setting] = []
        for entry in entries {
            guard let index = names.firstIndex(where: { $0.hasSameCodePoints(as: entry.name.text) }) else {
                throw .unknown(what, entry.name, among: names)
            }
            values.append(Situation.Setting(index, try entry.typedValue(types[index])))
        }
        return values
    }
}

extension Statechart {
    /// The names of the states that can be active.
    var stateNames: [String] {
        states.dropFirst().compactMap { state in
            if case .history = state.kind { nil } else { state.name }
        }
    }
}

extension TestEntry {
    /// The value as expressions of a type have it.
    fileprivate func typedValue(_ type: ExpressionType) throws(DefinitionProblem) -> Value {
        let written = value.source.text
        switch (type, value.content) {
        case (.dyn, _), (.null, _), (.type, _), (.optional, _), (.bytes, _): return value.value
        case (_, .null): return .error(.unset)
        case (.bool, .bool), (.int, .int), (.double, .double), (.string, .text): return value.value
        case (.list, .list), (.map, .map): return value.value
        case (.string, .bool), (.string, .int), (.string, .double): return .string(written)
        case (.double, .int(let number)): return .double(Double(number))
        case (.uint, .int(let number)) where number >= 0: return .uint(UInt64(number))
        case (.duration, .int(let seconds)): return .duration(CalendarDuration(Interval(seconds: seconds)))
        case (.duration, .text):
            if let length = TestComparison.interval(written) { return .duration(CalendarDuration(length)) }
        case (.timestamp, .int(let seconds)):
            return .timestamp(CalendarTimestamp(Timestamp(seconds: seconds)))
        case (.timestamp, .text):
            if let moment = TestComparison.moment(written) { return .timestamp(CalendarTimestamp(moment)) }
        default: break
        }
        throw DefinitionProblem(
            .badTest,
            written.isEmpty ? name : value.source,
            "'\(name.text)' is \(type.inWords)",
            remedy: "write \(type.example)"
        )
    }
}

extension ExpressionType {
    fileprivate var inWords: String {
        switch self {
        case .bool: "a truth value"
        case .int, .uint: "a whole number"
        case .double: "a number"
        case .string: "a text"
        case .duration: "a length of time"
        case .timestamp: "a moment"
        case .list: "a list"
        case .map: "a mapping"
        case .bytes, .null, .type, .dyn, .optional: description
        }
    }

    fileprivate var example: String {
        switch self {
        case .bool: "true or false"
        case .int, .uint: "a number such as 5"
        case .double: "a number such as 0.5"
        case .string: "a text"
        case .duration: "one such as 5m"
        case .timestamp: "-5m for five minutes before the test begins, or a date"
        case .list: "[a, b]"
        case .map: "{ a: b }"
        case .bytes, .null, .type, .dyn, .optional: "a \(description)"
        }
    }
}
