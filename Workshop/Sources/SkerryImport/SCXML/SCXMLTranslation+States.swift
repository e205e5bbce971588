import SkerryDevice
import SkerryFiles
import SkerryValues

extension SCXMLTranslation {
    /// The operators that show that a list of events was meant as an expression.
    private static let signs: Set<String> = ["==", "!=", "<", ">", "<=", ">=", "&&", "||"]

    mutating func state(_ state: SCXMLState, in parent: String? = nil) -> StateDraft {
        let name = state.id?.text ?? ""
        var draft = StateDraft(name: SourceText(name, at: state.id?.place ?? state.place))
        switch state.kind {
        case .state: draft.kind = .single
        case .parallel: draft.kind = .parallel
        case .final: draft.kind = .final
        case .history(let deep): draft.kind = .history(deep: deep)
        }
        draft.initial = targets(state.initial, at: .state(name))
        if !state.initialActions.isEmpty {
            let element = state.initialActions[0].element
            report(
                element,
                "what the initial transition of '\(name)' does is not translated",
                at: .state(name)
            )
        }
        for element in state.unknown {
            report(element, "'\(element.text)' is not translated", at: .state(name))
        }
        let wait = delay(in: state)
        draft.entry =
            lateValues(of: state)
            + actions(state.entry.flatMap { $0 }, leavingOut: wait, at: .entry(of: name))
            + doneData(of: state, in: parent)
        draft.exit = actions(state.exit.flatMap { $0 }, leavingOut: wait, at: .exit(of: name))
        for transition in state.transitions {
            let next = self.transition(transition, of: name, index: draft.transitions.count, wait)
            draft.transitions += next.map { [$0] } ?? []
        }
        draft.states = state.states.map { self.state($0, in: state.id?.text) }
        completeHistories(in: &draft)
        return draft
    }

    /// Gives histories without a default target the default state of their parent.
    private mutating func completeHistories(in draft: inout StateDraft) {
        guard let start = draft.initial.first ?? draft.states.first(where: { !$0.isHistory })?.name else {
            return
        }
        for index in draft.states.indices where draft.states[index].isHistory {
            guard draft.states[index].initial.isEmpty else { continue }
            let name = draft.states[index].name
            draft.states[index].initial = [start]
            let message = "this history must say where it leads at first, so it leads to '\(start.text)'"
            report(name, message, at: .state(name.text))
        }
    }

    /// The ids of existing states; other ids are reported.
    private mutating func targets(
        _ ids: [SourceText],
        at spot: DefinitionComments.Spot
    ) -> [SourceText] {
        ids.filter { id in
            if expressions.states.contains(id.text) { return true }
            report(id, "there is no state '\(id.text)'", at: spot)
            return false
        }
    }

    /// Translates a transition; nil if a target does not exist, or if it was refused as an endless loop.
    private mutating func transition(
        _ transition: SCXMLTransition,
        of state: String,
        index: Int,
        _ wait: StateDelay?
    ) -> TransitionDraft? {
        let spot = DefinitionComments.Spot.transition(of: state, index)
        let targets = targets(transition.targets, at: .state(state))
        if targets.count < transition.targets.count { return nil }
        if let reason = refused[transition.place] {
            let element = SourceText("transition", at: transition.place)
            report(element, "this transition is not translated: \(reason)", at: .state(state))
            return nil
        }
        var transition = transition
        let events = transition.events
        transition.events = events.filter { event in
            guard Self.signs.contains(event.text) else { return true }
            report(event, "'\(event.text)' can't be the name of an event", at: .state(state))
            return false
        }
        if transition.events.isEmpty, !events.isEmpty { return nil }
        let done = transition.events.map {
            $0.text.hasPrefix("done.state.") ? String($0.text.dropFirst(11)) : ""
        }
        expressions.doneData = done.count == 1 ? doneVariables[done[0]] : nil
        defer { expressions.doneData = nil }
        var draft = TransitionDraft(trigger: trigger(of: transition, wait), at: transition.place)
        draft.targets = targets
        draft.isInternal = transition.isInternal
        if let condition = transition.condition {
            let part = translated(condition, "the condition", asTruth: true, at: spot)
            // A guard without a translation becomes false, because no guard would always hold.
            draft.condition = SourceText(part?.text ?? "false", at: condition.place)
        }
        draft.actions = actions(transition.actions, leavingOut: nil, at: spot)
        return draft
    }

    private func trigger(of transition: SCXMLTransition, _ wait: StateDelay?) -> TransitionDraft.Trigger {
        if transition.events.isEmpty { return .always }
        if let wait, transition.events.map({ $0.text }) == [wait.event] { return .after(wait.length) }
        return .event(transition.events)
    }

    // MARK: Expressions

    /// Translates an expression; one without a translation is reported at its place.
    mutating func translated(
        _ source: SourceText,
        _ what: String,
        asTruth: Bool = false,
        at spot: DefinitionComments.Spot
    ) -> ExpressionTranslation.Part? {
        do throws(ScriptError) {
            if let reason = refused[source.place] { throw ScriptError(reason) }
            let node = try ScriptParser.expression(source.text)
            let part = try asTruth ? expressions.truth(node) : expressions.value(node)
            written.append(SourceText(part.text, at: source.place))
            return part
        } catch {
            let rest = source.text.utf8.dropFirst(error.offset)
            let line = String(decoding: rest.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            let culprit = SourceText(line, at: source.place(atUTF8Offset: error.offset))
            let text = source.text.split { $0.isWhitespace }.joined(separator: " ")
            report(culprit, "\(what) `\(text)` is not translated: \(error.message)", at: spot)
            return nil
        }
    }

    /// Translates a value to an expression of CEL; nil when there is none or it has no translation.
    mutating func value(
        _ value: SCXMLValue,
        in element: SourceText,
        at spot: DefinitionComments.Spot
    ) -> SourceText? {
        switch value {
        case .none: return nil
        case .file(let name):
            report(name, "the file '\(name.text)' is not read", at: spot)
            return nil
        case .expression(let source):
            return translated(source, "the value", at: spot)
                .map { SourceText($0.text, at: source.place) }
        case .content(let source):
            if (try? ScriptParser.expression(source.text)) == nil {
                let words = source.text.split { $0.isWhitespace }.joined(separator: " ")
                return SourceText(ExpressionTranslation.quoted(words), at: source.place)
            }
            return self.value(.expression(source), in: element, at: spot)
        }
    }
}

extension StateDraft {
    fileprivate var isHistory: Bool {
        if case .history = kind { true } else { false }
    }
}
