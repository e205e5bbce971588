public import SkerryDevice

/// A reader of SCXML (https://www.w3.org/TR/scxml/).
public struct SCXMLReader {
    /// The size limit of a file in bytes: 1 MiB.
    public static let fileSizeLimit = 1 << 20

    /// The document and problems of a text.
    public struct Reading: Sendable {
        /// The document; nil when the text is not SCXML.
        public var document: SCXMLDocument?
        /// The problems, sorted by place.
        public var problems: [DefinitionProblem]
    }

    var problems: [DefinitionProblem] = []

    /// Reads a text.
    ///
    /// A text that is not well-formed XML, has a document type, is not SCXML or is too large gives no document. Unknown
    /// elements and attributes are reported.
    public static func read(_ text: String) -> Reading {
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
