import SkerryExpressions

/// A condition of a definition that is no guard of a transition.
private struct StatedCondition {
    /// The expression as written.
    let text: SourceText
    /// The kind of problem if it never holds.
    var code = ProblemCode.conditionNeverHolds
    /// The thing that then never happens, in words.
    let consequence: String

    /// All such conditions: of sources, actions, fields, alerts and what is learned.
    static func all(in draft: DefinitionDraft, _ actions: [ActionDraft]) -> [StatedCondition] {
        var found = draft.sources.compactMap { source in
            source.when.map { StatedCondition(text: $0, consequence: "no message of this source counts") }
        }
        found += draft.timers.compactMap { timer in
            timer.learning?.when.map { StatedCondition(text: $0, consequence: "no run is remembered") }
        }
        for case .guarded(let text, _, _) in actions {
            found.append(StatedCondition(text: text, consequence: "these actions are never performed"))
        }
        found += (draft.activity?.content ?? []).compactMap { field in
            field.condition.map {
                StatedCondition(text: $0, consequence: "the field '\(field.name.text)' is never shown")
            }
        }
        found += (draft.activity?.alerts ?? []).compactMap { alert in
            guard case .condition(let text) = alert.occasion else { return nil }
            return StatedCondition(
                text: text,
                code: .alertNeverGiven,
                consequence: "this alert is never given"
            )
        }
        return found
    }
}

extension DefinitionLinter {
    /// Warns of conditions outside transitions that can't hold, whatever the device says.
    mutating func warnOfConditions() {
        for condition in StatedCondition.all(in: draft, actions) {
            guard let program = texts.first(where: { $0.source == condition.text })?.program,
                !canHold(program)
            else { continue }
            report(
                condition.code,
                condition.text,
                "\(condition.consequence): this condition can never hold",
                remedy: possibilities(program) ?? "correct it, or leave it out"
            )
        }
    }
}
