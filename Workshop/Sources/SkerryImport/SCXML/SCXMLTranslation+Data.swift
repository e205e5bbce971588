import SkerryDevice
import SkerryFiles

extension SCXMLTranslation {
    /// The actions that give variables their first values when their state is entered for the first time.
    mutating func lateValues(of state: SCXMLState) -> [ActionDraft] {
        guard let id = state.id else { return [] }
        var actions: [ActionDraft] = []
        for item in state.data {
            guard let flag = lateFlags[item.id.text], let variable = expressions.variables[item.id.text],
                let text = value(item.value, in: item.id, at: .entry(of: id.text))
            else { continue }
            let place = item.id.place
            let first: [ActionDraft] = [
                .assign(SourceText(flag, at: place), value: SourceText("true", at: place)),
                .assign(SourceText(variable.name, at: place), value: text),
            ]
            actions.append(.guarded(SourceText("!context.\(flag)", at: place), first, otherwise: []))
        }
        return actions
    }

    /// The action that keeps the data of the event that the end of a state raises.
    mutating func doneData(of state: SCXMLState, in parent: String?) -> [ActionDraft] {
        guard !state.doneData.isEmpty, let id = state.id else { return [] }
        guard let parent, let variable = doneVariables[parent] else {
            report(id, "the data of the end of the machine is not used", at: .state(id.text))
            return []
        }
        var members: [String] = []
        var whole: SourceText?
        for parameter in state.doneData {
            guard let text = value(parameter.value, in: parameter.name ?? id, at: .entry(of: id.text)) else {
                continue
            }
            if let name = parameter.name {
                members.append(ExpressionTranslation.quoted(name.text) + ": " + text.text)
            } else {
                whole = text
            }
        }
        let data = whole?.text ?? "{" + members.joined(separator: ", ") + "}"
        return [.assign(SourceText(variable, at: id.place), value: SourceText(data, at: id.place))]
    }
}
