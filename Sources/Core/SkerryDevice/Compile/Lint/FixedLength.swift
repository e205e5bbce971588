import SkerryExpressions
import SkerryValues

/// A length of time in a definition that an expression gives.
private struct FixedLength {
    /// The expression.
    let text: SourceText
    /// True if zero is too short, too.
    let isPositive: Bool
    /// The effect of a length that is too short, in words.
    let consequence: String

    /// The lengths of timers, and of actions that start timers and send events.
    static func all(in draft: DefinitionDraft, _ actions: [ActionDraft]) -> [FixedLength] {
        let lengths = draft.timers.compactMap { timer -> FixedLength? in
            guard case .duration(let text) = timer.kind else { return nil }
            return FixedLength(
                text: text,
                isPositive: true,
                consequence: "the timer '\(timer.name.text)' is over as soon as it starts"
            )
        }
        return lengths
            + actions.compactMap { action in
                switch action {
                case .start(let timer, let text?):
                    FixedLength(
                        text: text,
                        isPositive: true,
                        consequence: "the timer '\(timer.text)' is over as soon as it starts"
                    )
                case .send(_, let text?, _):
                    FixedLength(text: text, isPositive: false, consequence: "the event is sent at once")
                default: nil
                }
            }
    }
}

extension DefinitionLinter {
    /// Warns of timers without a length, of delays below zero, and of activities that are stale from the beginning.
    mutating func warnOfFixedLengths() {
        for length in FixedLength.all(in: draft, actions) {
            guard let value = constantLength(length.text),
                value < .zero || length.isPositive && value == .zero
            else { continue }
            report(
                .waitTooShort,
                length.text,
                "\(length.consequence): this length is \(value == .zero ? "zero" : "below zero")",
                remedy: "write a length such as minutes(5)"
            )
        }
        if let stale = draft.activity?.stale, stale.length.interval == .zero {
            problems.append(
                DefinitionProblem(
                    .waitTooShort,
                    at: stale.length.place,
                    "the activity is stale as soon as it begins",
                    remedy: "write the silence after which nobody should trust it, such as 30m"
                )
            )
        }
    }

    /// The value of an expression for a length that reads nothing; nil for others.
    func constantLength(_ text: SourceText) -> Interval? {
        var paths = PathTable()
        guard let program = try? Program.compile(text.text, in: scope, paths: &paths),
            case .duration(let length) = program.evaluate(
                from: ReadingCase(references: [], values: []),
                (),
                costLimit: 1000
            )
        else { return nil }
        return length.interval
    }
}
