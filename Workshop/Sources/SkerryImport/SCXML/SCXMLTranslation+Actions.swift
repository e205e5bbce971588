import SkerryDevice
import SkerryFiles

extension SCXMLTranslation {
    private static let processors = ["scxml", "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"]

    /// Translates actions in order; those without a translation are reported and left out.
    mutating func actions(
        _ actions: [SCXMLAction],
        leavingOut wait: StateDelay?,
        at spot: DefinitionComments.Spot
    ) -> [ActionDraft] {
        actions.flatMap { action -> [ActionDraft] in
            if let wait, wait.covers(action) { return [] }
            return self.action(action, at: spot)
        }
    }

    private mutating func action(
        _ action: SCXMLAction,
        at spot: DefinitionComments.Spot
    ) -> [ActionDraft] {
        switch action.kind {
        case .assign(let location, let value): return assign(location, value, action, at: spot)
        case .raise(let event): return event.text.isEmpty ? [] : [.raise(event)]
        case .send(let send): return self.send(send, action.element, at: spot)
        case .cancel(.literal(let id)): return id.text.isEmpty ? [] : [.cancel(id)]
        case .cancel(.expression(let id)):
            report(id, "an id to cancel can't be computed", at: spot)
        case .branches(let branches): return choice(branches[...], at: spot)
        case .log(let value):
            if case .expression(let text) = value { noteLog(text.text, at: spot) }
        case .script(.content(let script)):
            if let actions = assignments(script, at: spot) { return actions }
        case .script: report(action.element, "scripts in files are not translated", at: spot)
        case .forEach: report(action.element, "'foreach' has no translation", at: spot)
        case .unknown: report(action.element, "'\(action.element.text)' is not translated", at: spot)
        }
        return []
    }

    /// Adds a comment for a `log`, for which the language has no action.
    private mutating func noteLog(_ text: String, at spot: DefinitionComments.Spot) {
        switch spot {
        case .entry(let state): result.comments.add("log on entry: \(text)", at: .state(state))
        case .exit(let state): result.comments.add("log on exit: \(text)", at: .state(state))
        default: result.comments.add("log: \(text)", at: spot)
        }
    }

    // MARK: Variables

    private mutating func assign(
        _ location: SourceText,
        _ value: SCXMLValue,
        _ action: SCXMLAction,
        at spot: DefinitionComments.Spot
    ) -> [ActionDraft] {
        guard let variable = expressions.variables[location.text] else {
            report(location, "'\(location.text)' is no variable that can be set as a whole", at: spot)
            return []
        }
        guard let text = self.value(value, in: action.element, at: spot) else { return [] }
        return [.assign(SourceText(variable.name, at: location.place), value: text)]
    }

    /// Translates a script of only assignments; any other script is reported and gives nil.
    private mutating func assignments(
        _ script: SourceText,
        at spot: DefinitionComments.Spot
    ) -> [ActionDraft]? {
        do throws(ScriptError) {
            var actions: [ActionDraft] = []
            for statement in try ScriptParser.script(script.text) {
                guard case .expression(let node) = statement, let change = Self.change(node),
                    let variable = expressions.variables[change.name]
                else { throw ScriptError("it does more than to set variables") }
                let value = try expressions.value(change.value)
                let place = script.place(atUTF8Offset: node.offset)
                written.append(SourceText(value.text, at: place))
                if let reason = refused[place] { throw ScriptError(reason, at: node.offset) }
                actions.append(
                    .assign(SourceText(variable.name, at: place), value: SourceText(value.text, at: place))
                )
            }
            return actions
        } catch {
            let place = script.place(atUTF8Offset: error.offset)
            report(SourceText("", at: place), "this script is not translated: \(error.message)", at: spot)
            return nil
        }
    }

    /// The variable that an assignment sets, and its new value; nil for other expressions.
    private static func change(_ node: ScriptNode) -> (name: String, value: ScriptNode)? {
        switch node.kind {
        case .assignment(let location, let sign, let value):
            guard case .name(let name) = location.kind else { return nil }
            guard let sign else { return (name, value) }
            return (name, ScriptNode(.binary(sign, location, value), at: node.offset))
        case .step(let location, let change, _):
            guard case .name(let name) = location.kind else { return nil }
            let one = ScriptNode(.number(1), at: node.offset)
            return (name, ScriptNode(.binary(change < 0 ? "-" : "+", location, one), at: node.offset))
        default: return nil
        }
    }

    /// Translates an `if` to guarded actions; if a condition has no translation, all branches from there on are left
    /// out.
    private mutating func choice(
        _ branches: ArraySlice<SCXMLBranch>,
        at spot: DefinitionComments.Spot
    ) -> [ActionDraft] {
        guard let branch = branches.first else { return [] }
        guard let condition = branch.condition else {
            return actions(branch.actions, leavingOut: nil, at: spot)
        }
        guard let part = translated(condition, "the condition", asTruth: true, at: spot) else { return [] }
        let then = actions(branch.actions, leavingOut: nil, at: spot)
        let otherwise = choice(branches.dropFirst(), at: spot)
        if then.isEmpty, otherwise.isEmpty { return [] }
        return [.guarded(SourceText(part.text, at: condition.place), then, otherwise: otherwise)]
    }

    // MARK: Sending

    private mutating func send(
        _ send: SCXMLSend,
        _ element: SourceText,
        at spot: DefinitionComments.Spot
    ) -> [ActionDraft] {
        var isInternal = false
        switch send.target {
        case nil: break
        case .literal(let target)? where target.text == "#_internal": isInternal = true
        case .literal(let target)?, .expression(let target)?:
            report(target, "events are sent to the machine itself only", at: spot)
            return []
        }
        switch send.type {
        case nil: break
        case .literal(let type)? where Self.processors.contains(type.text): break
        case .literal(let type)?, .expression(let type)?:
            report(type, "there is no event processor but that of SCXML", at: spot)
            return []
        }
        guard case .literal(let event)? = send.event else {
            report(element, "the name of an event that is sent must be written, not computed", at: spot)
            return []
        }
        if !send.parameters.isEmpty {
            report(element, "the data of the event '\(event.text)' is not sent", at: spot)
        }
        if let location = send.idLocation {
            report(location, "an id is not made up; write one as 'id'", at: spot)
        }
        if isInternal { return [.raise(event)] }
        guard let delay = send.delay else { return [.send(event, delay: nil, id: send.id)] }
        guard let length = length(delay, at: spot) else { return [] }
        return [.send(event, delay: length, id: send.id)]
    }

    private mutating func length(_ delay: SCXMLText, at spot: DefinitionComments.Spot) -> SourceText? {
        switch delay {
        case .literal(let text):
            guard let length = SCXMLSend.microseconds(text.text) else {
                report(text, "'\(text.text)' is no length of time", at: spot)
                return nil
            }
            let isWhole = length % 1_000_000 == 0
            let written = isWhole ? "\(length / 1_000_000)s" : "\(length / 1000)ms"
            return SourceText("duration(\"\(written)\")", at: text.place)
        case .expression(let source):
            return translated(source, "the delay", at: spot)
                .map { SourceText("duration(\($0.text))", at: source.place) }
        }
    }
}
