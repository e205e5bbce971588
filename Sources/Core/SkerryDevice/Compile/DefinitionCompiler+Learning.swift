import SkerryExpressions
import SkerryValues

extension DefinitionCompiler {
    /// Compiles the plan for learning a timer's end from past runs; nil when it can't be learned.
    mutating func learningPlan(_ draft: LearningDraft, of timer: TimerDraft) -> LearningPlan? {
        let curve = draft.curve.flatMap { program($0) }
        if let source = draft.curve, let curve, ![.int, .uint, .double, .dyn].contains(curve.type) {
            report(
                .wrongType,
                source,
                "the curve of a run must be a number, but this is \(curve.type.description)",
                remedy: "write the signal that differs from programme to programme, such as `curve: power`"
            )
        }
        let key = draft.by.flatMap { program($0) }
        if let source = draft.by, let key {
            expect(.string, key, source, "a text that names the programme", "write string(…)")
        }
        let counts = draft.when.flatMap { condition($0) }
        let end = draft.end.flatMap { momentProgram($0) }
        if case .countUp = timer.kind, timer.runsWhile != nil, self.draft.activity != nil {
            if parts.timers.contains(where: { $0.learning != nil }) {
                report(.tooMany, draft.name, "only one timer of a definition can learn from past runs")
                return nil
            }
            let subject = "\(draft.curve?.text ?? "")\n\(draft.by?.text ?? "")"
            return LearningPlan(
                curve: curve,
                key: key,
                counts: counts,
                end: end,
                subject: Array(subject.utf8).fingerprint
            )
        }
        guard !self.draft.isIncomplete else { return nil }
        report(
            .badValue,
            draft.name,
            "'learn' needs 'count', 'while' and an activity, whose runs it learns from",
            remedy: "write `count: up`, and say when the timer runs, as in while: inState(\"running\")"
        )
        return nil
    }
}
