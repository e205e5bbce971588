package import SkerryDevice

/// A reader of SCXML (https://www.w3.org/TR/scxml/).
package struct SCXMLReader {
    /// The size limit of a file in bytes: 1 MiB.
    package static let fileSizeLimit = 1 << 20

    /// The document and problems of a text.
    package struct Reading: Sendable {
        /// The document; nil when the text is not SCXML.
        package var document: SCXMLDocument?
        /// The problems, sorted by place.
        package var problems: [DefinitionProblem]
    }

    var problems: [DefinitionProblem] = []

    /// Reads a text.
    ///
    /// A text that is not well-formed XML, has a document type, is not SCXML or is too large gives no document. Unknown
    /// elements and attributes are reported.
    package static func read(_ text: String) -> Reading {
        let start = Place(line: 1, column: 1)
        guard text.utf8.count <= fileSizeLimit else {
            let problem = DefinitionProblem(
                .badImport,
                at: start,
                "the file has more than \(fileSizeLimit) bytes"
            )
            return Reading(document: nil, problems: [problem])
        }
        if let problem = MarkupCheck.problem(of: text) { return Reading(document: nil, problems: [problem]) }
        guard let root = MarkupScanner.root(of: text), root.name.text == "scxml", root.isSCXML else {
            let name = MarkupScanner.root(of: text)?.name ?? SourceText("", at: start)
            let problem = DefinitionProblem(
                .badImport,
                name,
                "the document must be an element 'scxml', not '\(name.text)'",
                remedy: "with xmlns=\"\(MarkupElement.scxmlNamespace)\""
            )
            return Reading(document: nil, problems: [problem])
        }
        var reader = SCXMLReader()
        let document = reader.document(root)
        reader.problems.sort { $0.place < $1.place }
        return Reading(document: document, problems: reader.problems)
    }

    private mutating func document(_ root: MarkupElement) -> SCXMLDocument {
        var document = SCXMLDocument(root: state(root, .state))
        document.name = root.filled("name")
        document.bindsLate = root["binding"]?.text == "late"
        document.scripts = root.children.filter { $0.name.text == "script" && $0.isSCXML }.map { action($0) }
        if let model = root["datamodel"], !["ecmascript", "null", "javascript"].contains(model.text) {
            report(model, "expressions of the data model '\(model.text)' are read as ECMAScript")
        }
        return document
    }

    mutating func report(_ source: SourceText, _ message: String, remedy: String? = nil) {
        problems.append(DefinitionProblem(.notTranslated, source, message, remedy: remedy))
    }

    // MARK: States

    private mutating func state(_ element: MarkupElement, _ kind: SCXMLState.Kind) -> SCXMLState {
        var state = SCXMLState(kind, at: element.name.place)
        if element.name.text != "scxml" { state.id = element.filled("id") }
        state.initial = words(element["initial"])
        for child in element.children {
            guard child.isSCXML else { continue }
            switch child.name.text {
            case "state", "parallel", "final": state.states.append(self.state(child, Self.kind(of: child)))
            case "history": state.states.append(history(child))
            case "initial": readStart(child, into: &state)
            case "transition": state.transitions.append(transition(child))
            case "onentry": state.entry.append(actions(in: child))
            case "onexit": state.exit.append(actions(in: child))
            case "datamodel": state.data += child.children.compactMap { data($0) }
            case "donedata": state.doneData += parameters(in: child)
            case "script" where element.name.text == "scxml": break
            default: state.unknown.append(child.name)
            }
        }
        return state
    }

    private static func kind(of element: MarkupElement) -> SCXMLState.Kind {
        switch element.name.text {
        case "parallel": .parallel
        case "final": .final
        default: .state
        }
    }

    private mutating func history(_ element: MarkupElement) -> SCXMLState {
        var state = SCXMLState(.history(deep: element["type"]?.text == "deep"), at: element.name.place)
        state.id = element.filled("id")
        readStart(element, into: &state)
        return state
    }

    /// Reads the transition with the default targets of a state or a history.
    private mutating func readStart(_ element: MarkupElement, into state: inout SCXMLState) {
        guard let transition = element.children.first(where: { $0.name.text == "transition" && $0.isSCXML })
        else { return }
        state.initial = words(transition["target"])
        state.initialActions = actions(in: transition)
    }

    private mutating func transition(_ element: MarkupElement) -> SCXMLTransition {
        var transition = SCXMLTransition(at: element.name.place)
        transition.events = words(element["event"])
        transition.condition = element["cond"]
        transition.targets = words(element["target"])
        transition.isInternal = element["type"]?.text == "internal"
        transition.actions = actions(in: element)
        return transition
    }

    private mutating func data(_ element: MarkupElement) -> SCXMLData? {
        guard element.name.text == "data", element.isSCXML else { return nil }
        guard let id = element.filled("id") else {
            report(element.name, "this data has no 'id' and is left out")
            return nil
        }
        return SCXMLData(id: id, value: value(of: element))
    }

    /// The words of an attribute, each with its place.
    func words(_ source: SourceText?) -> [SourceText] {
        guard let source else { return [] }
        var words: [SourceText] = []
        var offset = 0
        for part in source.text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isWhitespace }) {
            if !part.isEmpty {
                words.append(SourceText(String(part), at: source.place(atUTF8Offset: offset)))
            }
            offset += part.utf8.count + 1
        }
        return words
    }
}

extension SCXMLReader {
    mutating func actions(in element: MarkupElement) -> [SCXMLAction] {
        element.children.map { action($0) }
    }

    mutating func action(_ element: MarkupElement) -> SCXMLAction {
        SCXMLAction(element.isSCXML ? kind(element) : .unknown, element: element.name)
    }

    private mutating func kind(_ element: MarkupElement) -> SCXMLAction.Kind {
        switch element.name.text {
        case "assign": .assign(location: needed("location", in: element), value(of: element))
        case "raise": .raise(needed("event", in: element))
        case "send": .send(send(element))
        case "cancel": .cancel(either("sendid", in: element) ?? .literal(needed("sendid", in: element)))
        case "if": .branches(branches(element))
        case "foreach":
            .forEach(
                array: needed("array", in: element),
                item: needed("item", in: element),
                index: element["index"],
                actions(in: element)
            )
        case "log": .log(value(of: element))
        case "script": .script(value(of: element))
        default: .unknown
        }
    }

    private mutating func send(_ element: MarkupElement) -> SCXMLSend {
        var send = SCXMLSend()
        send.event = either("event", in: element)
        send.target = either("target", in: element)
        send.type = either("type", in: element)
        send.delay = either("delay", in: element)
        send.id = element.filled("id")
        send.idLocation = element.filled("idlocation")
        send.parameters = words(element["namelist"])
            .map { SCXMLParameter(name: $0, value: .expression($0)) }
        send.parameters += parameters(in: element)
        return send
    }

    mutating func parameters(in element: MarkupElement) -> [SCXMLParameter] {
        element.children.compactMap { child in
            switch child.name.text {
            case "param": SCXMLParameter(name: needed("name", in: child), value: value(of: child))
            case "content": SCXMLParameter(name: nil, value: value(of: child))
            default: nil
            }
        }
    }

    private mutating func branches(_ element: MarkupElement) -> [SCXMLBranch] {
        var branches = [SCXMLBranch(condition: needed("cond", in: element))]
        for child in element.children {
            switch child.name.text {
            case "elseif": branches.append(SCXMLBranch(condition: needed("cond", in: child)))
            case "else": branches.append(SCXMLBranch(condition: nil))
            default: branches[branches.count - 1].actions.append(action(child))
            }
        }
        return branches
    }

    /// The value of an element: a file, an expression, or the text in it.
    func value(of element: MarkupElement) -> SCXMLValue {
        if let file = element["src"] { return .file(file) }
        if let expression = element["expr"] { return .expression(expression) }
        if element.name.text == "param", let location = element["location"] { return .expression(location) }
        return element.text.map { .content($0) } ?? .none
    }

    /// A literal attribute, or the expression in the attribute with `expr` after its name.
    private func either(_ name: String, in element: MarkupElement) -> SCXMLText? {
        if let expression = element[name + "expr"] { return .expression(expression) }
        return element.filled(name).map { .literal($0) }
    }

    /// A required attribute; if it is missing, that is reported and the name of the element is returned.
    private mutating func needed(_ name: String, in element: MarkupElement) -> SourceText {
        if let value = element.filled(name) { return value }
        report(element.name, "'\(element.name.text)' has no '\(name)'")
        return SourceText("", at: element.name.place)
    }
}
