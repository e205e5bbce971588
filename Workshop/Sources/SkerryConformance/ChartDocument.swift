import SkerryDevice
import SkerryImport
import SkerryValues

/// A reader that turns the JSON of a case's machine into the document that SCXML files are read into.
struct ChartDocument {
    /// The text of a file named by the case, such as a script; nil when there is none.
    let file: (String) -> String?

    private static let nowhere = Place(line: 0, column: 0)

    func document(of json: Value) -> SCXMLDocument {
        var document = SCXMLDocument(root: state(json))
        document.name = text(json["name"])
        document.bindsLate = json["binding"]?.word == "late"
        document.scripts = actions(json["script"])
        return document
    }

    private func state(_ json: Value) -> SCXMLState {
        let kind: SCXMLState.Kind =
            switch json["kind"]?.word {
            case "parallel": .parallel
            case "final": .final
            case "history": .history(deep: json["type"]?.word == "deep")
            default: .state
            }
        var state = SCXMLState(kind, at: Self.nowhere)
        state.id = text(json["id"])
        state.initial = texts(json["initial"])
        var transitions = json["transitions"]?.elements ?? []
        var start = json["initialTransition"]
        if case .history = kind {
            start = start ?? transitions.first
            transitions = []
        }
        if let start, state.initial.isEmpty {
            state.initial = texts(start["target"])
            state.initialActions = actions(start["actions"])
        }
        state.data = (json["data"]?.elements ?? []).compactMap { item in
            text(item["id"]).map { SCXMLData(id: $0, value: value(item)) }
        }
        state.entry = (json["onentry"]?.elements ?? []).map { actions($0) }
        state.exit = (json["onexit"]?.elements ?? []).map { actions($0) }
        state.transitions = transitions.map { transition($0) }
        state.states = (json["children"]?.elements ?? []).map { self.state($0) }
        if let data = json["donedata"] { state.doneData = parameters(data) }
        return state
    }

    private func transition(_ json: Value) -> SCXMLTransition {
        var transition = SCXMLTransition(at: Self.nowhere)
        transition.events = texts(json["event"])
        transition.condition = text(json["cond"])
        transition.targets = texts(json["target"])
        transition.isInternal = json["type"]?.word == "internal"
        transition.actions = actions(json["actions"])
        return transition
    }

    private func actions(_ json: Value?) -> [SCXMLAction] { (json?.elements ?? []).map { action($0) } }

    private func action(_ json: Value) -> SCXMLAction {
        let name = json["do"]?.word ?? ""
        let body = json["body"]?.elements ?? []
        let kind: SCXMLAction.Kind =
            switch name {
            case "assign": .assign(location: text(json["location"]) ?? missing, value(json))
            case "raise": .raise(text(json["event"]) ?? missing)
            case "send": .send(send(json))
            case "cancel": .cancel(either(json, "sendid", "sendidexpr") ?? .literal(missing))
            case "if": .branches(branches(json["cond"], body))
            case "foreach":
                .forEach(
                    array: text(json["array"]) ?? missing,
                    item: text(json["item"]) ?? missing,
                    index: text(json["index"]),
                    body.map { action($0) }
                )
            case "log": .log(value(json))
            case "script": .script(value(json))
            default: .unknown
            }
        return SCXMLAction(kind, element: SourceText(name, at: Self.nowhere))
    }

    private func send(_ json: Value) -> SCXMLSend {
        var send = SCXMLSend()
        send.event = either(json, "event", "eventexpr")
        send.target = either(json, "target", "targetexpr")
        send.type = either(json, "type", "typeexpr")
        send.delay = either(json, "delay", "delayexpr")
        send.id = text(json["id"])
        send.idLocation = text(json["idlocation"])
        let names = json["namelist"]?.word?.split { $0.isWhitespace }.map(String.init) ?? []
        send.parameters = names.map { name in
            let source = SourceText(name, at: Self.nowhere)
            return SCXMLParameter(name: source, value: .expression(source))
        }
        send.parameters += parameters(json)
        return send
    }

    /// The `param` and `content` elements in the body of an element, or in a body itself.
    private func parameters(_ json: Value) -> [SCXMLParameter] {
        let parts = json["body"]?.elements ?? json.elements
        return parts.map { part in
            let isContent = part["do"]?.word == "content" || part["name"] == nil
            return SCXMLParameter(name: isContent ? nil : text(part["name"]), value: value(part))
        }
    }

    /// The branches of an `if`, whose parts are in one list.
    private func branches(_ condition: Value?, _ body: [Value]) -> [SCXMLBranch] {
        var branches = [SCXMLBranch(condition: text(condition) ?? missing)]
        for part in body {
            switch part["do"]?.word {
            case "elseif": branches.append(SCXMLBranch(condition: text(part["cond"]) ?? missing))
            case "else": branches.append(SCXMLBranch(condition: nil))
            default: branches[branches.count - 1].actions.append(action(part))
            }
        }
        return branches
    }

    /// The value of an element: a file, an expression, or a text.
    private func value(_ json: Value) -> SCXMLValue {
        if let name = text(json["src"]) {
            return file(name.text).map { .content(SourceText($0, at: Self.nowhere)) } ?? .file(name)
        }
        if let expression = text(json["expr"]) ?? text(json["location"]), json["do"]?.word != "assign" {
            return .expression(expression)
        }
        if let expression = text(json["expr"]) { return .expression(expression) }
        return text(json["text"]).map { .content($0) } ?? .none
    }

    private func either(_ json: Value, _ name: String, _ expression: String) -> SCXMLText? {
        if let text = text(json[expression]) { return .expression(text) }
        return text(json[name]).map { .literal($0) }
    }

    private func text(_ json: Value?) -> SourceText? { json?.word.map { SourceText($0, at: Self.nowhere) } }

    private func texts(_ json: Value?) -> [SourceText] { (json?.elements ?? []).compactMap { text($0) } }

    private var missing: SourceText { SourceText("", at: Self.nowhere) }
}
