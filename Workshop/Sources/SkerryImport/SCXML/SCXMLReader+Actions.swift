import SkerryDevice

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
