import SkerryExpressions
import SkerryMachine
import SkerryValues

extension DefinitionCompiler {
    mutating func actions(_ drafts: [ActionDraft]) -> [Statechart.Action] {
        var result: [Statechart.Action] = []
        for draft in drafts {
            if let action = action(draft) { result.append(action) }
        }
        return result
    }

    private mutating func action(_ draft: ActionDraft) -> Statechart.Action? {
        switch draft {
        case .start(let name, let duration): return start(name, duration)
        case .stop(let name): return timer(name).map { .stop($0) }
        case .pause(let name, let moment):
            guard let timer = timer(name) else { return nil }
            guard let moment else { return .pause(timer) }
            guard let program = momentProgram(moment) else { return nil }
            parts.intervals.append(program)
            return .pause(timer, from: UInt16(parts.intervals.count - 1))
        case .resume(let name): return timer(name).map { .resume($0) }
        case .extend(let name, let by):
            guard let timer = timer(name), let length = computed(by) else { return nil }
            return .extend(timer, by: length)
        case .raise(let event): return .raise(event.text)
        case .send(let event, let delay, let id):
            return .send(event: event.text, delay: delay.flatMap { computed($0) }, id: id?.text)
        case .cancel(let id): return .cancel(id.text)
        case .assign(let name, let value): return assign(name, value)
        case .guarded(let condition, let then, let otherwise):
            let condition = guardID(condition)
            let (then, otherwise) = (actions(then), actions(otherwise))
            return condition.map { .choose($0, then: then, otherwise: otherwise) }
        case .attempt(let drafts): return .attempt(actions(drafts))
        case .publish(let draft): return publication(draft)
        }
    }

    /// The action that starts a timer, with the length given here or else the one of the timer's definition.
    private mutating func start(_ name: SourceText, _ duration: SourceText?) -> Statechart.Action? {
        guard let timer = timer(name) else { return nil }
        if let duration { return computed(duration).map { .start(timer, duration: $0) } }
        switch draft.timers[Int(timer.rawValue)].kind {
        case .countUp: return .start(timer, duration: nil)
        case .duration(let text), .remaining(let text):
            return computed(text).map { .start(timer, duration: $0) }
        case .until:
            report(
                .badValue,
                name,
                "a timer with 'until' is not started by an action",
                remedy: "write {start: {timer: \(name.text), duration: …}}, or let 'while' drive it"
            )
            return nil
        }
    }

    private mutating func timer(_ name: SourceText) -> TimerID? {
        let names = draft.timers.map { $0.name.text }
        guard let index = names.firstIndex(where: { $0.hasSameCodePoints(as: name.text) }) else {
            reportUnknown(.unknownTimer, "timer", name, known: names, of: .timer)
            return nil
        }
        return TimerID(rawValue: UInt16(index))
    }

    private mutating func computed(_ text: SourceText) -> Statechart.Length? {
        guard let program = length(text) else { return nil }
        parts.intervals.append(program)
        return .computed(UInt16(parts.intervals.count - 1))
    }

    private mutating func assign(_ name: SourceText, _ value: SourceText) -> Statechart.Action? {
        guard let index = parts.variableNames.firstIndex(where: { $0.hasSameCodePoints(as: name.text) })
        else {
            if parts.variableNames.isEmpty, !draft.unreadNames.contains(.variable) {
                report(
                    .unknownVariable,
                    name,
                    "there is no variable '\(name.text)'",
                    remedy: "declare it with its first value, as in `context: { \(name.text): 0 }`"
                )
            } else {
                reportUnknown(.unknownVariable, "variable", name, known: parts.variableNames, of: .variable)
            }
            return nil
        }
        guard let program = program(value) else { return nil }
        return parts.add(.assign(Assignment(variable: index, program: program)))
    }
}
