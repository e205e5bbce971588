import SkerryDevice
import SkerryFiles

/// A translation of SCXML documents to definitions: the machine, and a source through which it gets events.
///
/// Parts that the language can't express are left out, reported at their places and marked with comments.
public struct SCXMLTranslation {
    /// The most rounds of translation; each round uses what the one before found out.
    private static let roundLimit = 6
    /// The most comments about parts that were not translated; more would make the definition unreadable.
    private static let commentLimit = 200
    /// The most states of a machine.
    private static let stateLimit = 255

    let document: SCXMLDocument
    let kind: String
    var result = ImportedDefinition()
    var expressions = ExpressionTranslation()
    /// The variables, each once.
    private var data: [SCXMLData] = []
    /// The variables whose first value comes with their state, by id: the variables that tell that it came.
    var lateFlags: [String: String] = [:]
    /// The variables with the data of `done` events, by the id of the state that is done.
    var doneVariables: [String: String] = [:]
    /// The places of expressions and transitions that Skerry refused in an earlier round, with the reasons.
    var refused: [Place: String] = [:]
    /// The expressions written so far, with their places in the document.
    var written: [SourceText] = []

    /// Reads and translates a text.
    ///
    /// - Parameters:
    ///   - text: The text of the file.
    ///   - kind: The kind of device; nil for the name of the document or else of the file.
    ///   - file: The name of the file, for the first comment.
    /// - Returns: The result, without a draft when the text is not SCXML or can't become a definition.
    public static func definition(from text: String, kind: String?, file: String) -> ImportedDefinition {
        let reading = SCXMLReader.read(text)
        guard let document = reading.document else {
            var result = ImportedDefinition()
            result.problems = reading.problems
            return result
        }
        let base = file.split(separator: "/").last.map { $0.split(separator: ".").first ?? $0 } ?? ""
        var result = definition(of: document, kind: kind, file: String(base))
        result.comments.add("Imported from \(file).", at: .top)
        result.problems = (reading.problems + result.problems).sorted { $0.place < $1.place }
        return result
    }

    /// Translates a document.
    public static func definition(
        of document: SCXMLDocument,
        kind: String?,
        file: String
    ) -> ImportedDefinition {
        let word = kind ?? document.name?.text ?? file
        var translation = SCXMLTranslation(
            document: document.resolved(),
            kind: kind ?? ImportedDefinition.kind(from: word)
        )
        let count = translation.document.root.count
        guard count <= stateLimit else {
            let place = document.root.place
            let message = "a machine may have at most \(stateLimit) states, this one has \(count)"
            translation.result.problems = [DefinitionProblem(.badImport, at: place, length: 5, message)]
            return translation.result
        }
        for _ in 0..<roundLimit {
            var next = translation.fresh
            next.translate()
            guard let draft = next.result.draft else { return next.result }
            let found = Definition.compile(draft).problems.filter { $0.severity == .error }
            let learned = next.learn(from: found)
            if found.isEmpty, !learned { return next.result }
            if !learned {
                next.result.problems += found
                next.result.draft = nil
                return next.result
            }
            translation = next
        }
        return translation.result
    }

    private init(document: SCXMLDocument, kind: String) {
        self.document = document
        self.kind = kind
    }

    /// An empty translation of the same document, with the findings so far.
    private var fresh: SCXMLTranslation {
        var fresh = SCXMLTranslation(document: document, kind: kind)
        fresh.refused = refused
        fresh.expressions.usesFractions = expressions.usesFractions
        fresh.expressions.documentName = document.name?.text ?? ""
        return fresh
    }

    /// Collects findings for the next round; false if there are none.
    private mutating func learn(from problems: [DefinitionProblem]) -> Bool {
        if expressions.sawFraction, !expressions.usesFractions {
            expressions.usesFractions = true
            return true
        }
        let known = refused.count
        for problem in problems {
            switch problem.code {
            case .badExpression, .unknownName, .wrongType:
                let culprit = written.last {
                    $0.place <= problem.place && $0.place.line == problem.place.line
                }
                guard let culprit else { continue }
                refused[culprit.place] =
                    problem.code == .badExpression ? problem.message : "its types do not fit in CEL"
            case .endlessLoop: refused[problem.place] = problem.message
            default: continue
            }
        }
        return refused.count > known
    }

    private mutating func translate() {
        nameStates()
        declareVariables()
        var machine = state(document.root)
        machine.name = SourceText("", at: document.root.place)
        for action in document.scripts {
            report(action.element, "a script that runs at the start is not translated", at: .state(""))
        }
        var draft = DefinitionDraft(
            kind: SourceText(kind, at: document.root.place),
            machine: machine
        )
        draft.name = document.name
        draft.context = context()
        draft.sources = [source()]
        result.draft = draft
        result.problems.sort { $0.place < $1.place }
    }

    // MARK: Reports

    /// Reports something that is not translated, and leaves a comment.
    mutating func report(_ source: SourceText, _ message: String, at spot: DefinitionComments.Spot) {
        result.problems.append(DefinitionProblem(.notTranslated, source, message))
        guard result.problems.count <= Self.commentLimit else { return }
        let place = source.place.line > 0 ? "line \(source.place.line): " : ""
        result.comments.add("\(place)\(message)", at: spot)
    }

    // MARK: States' names

    private mutating func nameStates() {
        noteNames(below: document.root)
        for state in document.renamed {
            report(
                state.id,
                "there are two states '\(state.id.text)', this one is '\(state.name)'",
                at: .state(state.name)
            )
        }
    }

    private mutating func noteNames(below state: SCXMLState) {
        for child in state.states {
            if let id = child.id { expressions.states.insert(id.text) }
            noteNames(below: child)
        }
    }

    // MARK: Variables

    private mutating func declareVariables() {
        for item in allData(of: document.root) {
            if let known = expressions.variables[item.id.text] {
                let message = "'\(item.id.text)' is declared already, and keeps its first value"
                report(item.id, message, at: .variable(known.name))
                continue
            }
            data.append(item)
            let name = Self.free(ExpressionTranslation.identifier(from: item.id.text), expressions.variables)
            let kind = initialKind(item.value)
            expressions.variables[item.id.text] = ExpressionTranslation.Variable(name: name, kind: kind)
        }
        if document.bindsLate {
            for item in document.root.states.flatMap({ allData(of: $0) }) where lateFlags[item.id.text] == nil
            {
                let name = expressions.variables[item.id.text]?.name ?? item.id.text
                lateFlags[item.id.text] = ownVariable(name + "_set")
            }
        }
        declareDoneData(below: document.root)
    }

    /// Declares a variable for the data of each `done` event that has some.
    private mutating func declareDoneData(below parent: SCXMLState) {
        for state in parent.states {
            if !state.doneData.isEmpty, let id = parent.id?.text, doneVariables[id] == nil {
                doneVariables[id] = ownVariable("done_" + ExpressionTranslation.identifier(from: id))
            }
            declareDoneData(below: state)
        }
    }

    /// A variable that the document does not have; its key can't be a name in a script.
    private mutating func ownVariable(_ wish: String) -> String {
        let name = Self.free(wish, expressions.variables)
        expressions.variables["." + name] = ExpressionTranslation.Variable(name: name, kind: .other)
        return name
    }

    private static func free(_ name: String, _ others: [String: ExpressionTranslation.Variable]) -> String {
        var free = name
        while others.values.contains(where: { $0.name == free }) { free += "_" }
        return free
    }

    private func allData(of state: SCXMLState) -> [SCXMLData] {
        state.states.reduce(state.data) { $0 + allData(of: $1) }
    }

    private func initialKind(_ value: SCXMLValue) -> ExpressionTranslation.Kind {
        let text: String
        switch value {
        case .expression(let source): text = source.text
        case .content(let source): text = source.text
        case .none, .file: return .other
        }
        guard let node = try? ScriptParser.expression(text) else { return .other }
        switch node.kind {
        case .bool: return .truth
        case .number: return .number
        case .text: return .text
        default: return .other
        }
    }

    private mutating func context() -> [NamedText] {
        defer { expressions.firstValues = [:] }
        let place = document.root.place
        let flags = lateFlags.values.sorted().map { ($0, "false") }
        let own = (flags + doneVariables.values.sorted().map { ($0, "unset") }).map { name, value in
            NamedText(name: SourceText(name, at: place), text: SourceText(value, at: place))
        }
        let written = data.map { item in
            let name = expressions.variables[item.id.text]?.name ?? item.id.text
            if name != item.id.text {
                report(item.id, "'\(item.id.text)' is called 'context.\(name)' here", at: .variable(name))
            }
            if lateFlags[item.id.text] != nil {
                return NamedText(
                    name: SourceText(name, at: item.id.place),
                    text: SourceText("unset", at: item.id.place)
                )
            }
            var text = value(item.value, in: item.id, at: .variable(name))
            if let later = text, later.text.contains("context.") {
                report(
                    item.id,
                    "the first value of '\(item.id.text)' is made of one that comes later",
                    at: .variable(name)
                )
                text = nil
            }
            let initial = text ?? SourceText("unset", at: item.id.place)
            let kind = expressions.variables[item.id.text]?.kind ?? .other
            expressions.firstValues[item.id.text] = .init(
                text: text?.text ?? "null",
                rank: 0,
                kind: kind
            )
            return NamedText(name: SourceText(name, at: item.id.place), text: initial)
        }
        return written + own
    }

    /// The source for events.
    private mutating func source() -> SourceDraft {
        let place = document.root.place
        let topic = "\(kind)/{device}/event"
        var source = SourceDraft(topic: SourceText(topic, at: place))
        if expressions.eventPaths.isEmpty {
            source.payload = .text
            source.event = SourceText("payload", at: place)
            result.comments.add("A placeholder: each message is the name of an event.", at: .source(0))
        } else {
            source.event = SourceText("payload.event", at: place)
            source.signals = expressions.eventPaths.map { path in
                NamedText(
                    name: SourceText(ExpressionTranslation.signal(for: path), at: place),
                    text: SourceText((["payload", "data"] + path).joined(separator: "."), at: place)
                )
            }
            result.comments.add(
                "A placeholder: each message is {\"event\": …, \"data\": …}; data that a message leaves out stays as it was.",
                at: .source(0)
            )
        }
        return source
    }
}

extension SCXMLState {
    /// The number of states below the state.
    fileprivate var count: Int { states.reduce(states.count) { $0 + $1.count } }
}
