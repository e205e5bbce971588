import SkerryDevice
import SkerryFiles

/// A translation of SCXML documents to definitions: the machine, and a source through which it gets events.
///
/// Parts that the language can't express are left out, reported at their places and marked with comments.
package struct SCXMLTranslation {
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
    package static func definition(from text: String, kind: String?, file: String) -> ImportedDefinition {
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
    package static func definition(
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
