import SkerryActivity
import SkerryExpressions

extension DefinitionLinter {
    /// Warns of tolerances of values that are the same or are not, and of those that belong to a timer.
    mutating func warnOfVainTolerances() {
        for timer in draft.timers where timer.tolerance != nil || timer.relativeTolerance > 0 {
            var isFixed = timer.neverElapses
            if case .duration = timer.kind { isFixed = true }
            guard isFixed else { continue }
            report(
                .actionInVain,
                timer.name,
                "the tolerance has no effect: no report moves the end of the timer '\(timer.name.text)'",
                remedy: "leave it out"
            )
        }
        guard let fields = draft.activity?.content, let content = definition.activity?.content,
            fields.count == content.count
        else { return }
        for (field, shown) in zip(fields, content) where field.tolerance != nil {
            switch shown.source {
            case .timer:
                report(
                    .actionInVain,
                    field.name,
                    "the tolerance has no effect: a countdown has that of its timer",
                    remedy: "write it in 'timers:', as a length such as 2m or a part such as 5%"
                )
            case .expression(let value) where !value.isMeasured:
                report(
                    .actionInVain,
                    field.name,
                    "the tolerance has no effect: this value is no number",
                    remedy: "leave it out, or write 'throttle' to have it told less often"
                )
            case .expression: break
            }
        }
    }
}

extension ActivityDefinition.Typed {
    /// False if its values are texts or truth values, which can't differ a little.
    fileprivate var isMeasured: Bool {
        if let type { return type != .string && type != .bool }
        return program.type != .string && program.type != .bool
    }
}
