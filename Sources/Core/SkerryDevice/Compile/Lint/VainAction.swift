import SkerryExpressions
import SkerryValues

/// An action that has no effect, or one that is undone at once.
struct VainAction {
    /// The part of it that is wrong.
    let place: SourceText
    /// The fault, in words.
    let summary: String
    let remedy: String

    /// Looks at an action; nil if it has an effect, as far as can be seen.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - draft: The definition that it is in.
    ///   - sentIDs: The ids with which the definition sends events.
    ///   - awaited: The descriptors of the events that transitions and alerts wait for.
    init?(_ action: ActionDraft, in draft: DefinitionDraft, sentIDs: [String], awaited: [String]) {
        func timer(_ name: SourceText) -> TimerDraft? {
            draft.timers.first { $0.name.text.hasSameCodePoints(as: name.text) }
        }
        switch action {
        case .raise(let event), .send(let event, _, _):
            if awaited.contains(where: { $0.describes(event.text) }) { return nil }
            place = event
            summary = "nothing waits for the event '\(event.text)'"
            remedy =
                nearestName(to: event.text, among: awaited).map { "did you mean '\($0)'?" }
                ?? "wait for it with 'on:' in a state or in an alert, or leave it out"
        case .cancel(let id):
            if sentIDs.contains(where: { $0.hasSameCodePoints(as: id.text) }) { return nil }
            place = id
            summary = "nothing is sent with the id '\(id.text)'"
            remedy =
                nearestName(to: id.text, among: sentIDs).map { "did you mean '\($0)'?" }
                ?? "give the 'send' that is meant this 'id:'"
        case .pause(let name, _), .resume(let name):
            guard timer(name)?.runsWhile != nil else { return nil }
            place = name
            summary = "'while' drives the timer '\(name.text)', and undoes this"
            remedy = "say in 'while:' when it stands still, or leave 'while:' out"
        case .extend(let name, _):
            guard timer(name)?.neverElapses == true else { return nil }
            place = name
            summary = "the timer '\(name.text)' counts up, and has no end that could be moved"
            remedy = "give it a 'duration:'"
        default: return nil
        }
    }
}

extension TimerDraft {
    /// True if it counts up, and learns no end.
    var neverElapses: Bool {
        guard case .countUp = kind else { return false }
        return learning == nil
    }
}

extension DefinitionLinter {
    /// Warns of actions that can't have an effect.
    mutating func warnOfVainActions() {
        let ids = actions.compactMap { if case .send(_, _, let id) = $0 { id?.text } else { nil } }
        let awaited = asksForEvents ? ["*"] : awaitedEvents.map { $0.text }
        for vain in actions.compactMap({ VainAction($0, in: draft, sentIDs: ids, awaited: awaited) }) {
            report(.actionInVain, vain.place, vain.summary, remedy: vain.remedy)
        }
        let unset = ReferenceKind.unset.reference()
        for case .assign(let name, let value) in actions {
            let program = definition.expressions.first { $0.text.place == value.place }?.program
            guard let program, program.returns(unset), program.reference != unset else {
                continue
            }
            report(
                .actionInVain,
                value,
                "where this is unset, '\(name.text)' keeps its value",
                remedy: "clear it in an action with a guard: `assign: { \(name.text): unset }`"
            )
        }
    }

    /// True if a guard or the condition of an alert reads the event itself, so that any may be waited for.
    var asksForEvents: Bool {
        let conditions = (definition.activity?.alerts ?? []).compactMap { alert in
            if case .condition(let program, _, _) = alert.occasion { program } else { nil as Program? }
        }
        return (definition.guards + conditions).contains {
            $0.references.contains(ReferenceKind.event.reference())
        }
    }
}
