import SkerryExpressions
import SkerryMachine
import SkerryValues

/// Warns of parts of a definition that work but are probably not meant.
///
/// It reads a finished definition, and the draft that it was compiled from for the places. Next to parts with errors most warnings
/// would only mislead, so there is no linter of an unfinished one.
struct DefinitionLinter: ProblemReporter {
    let draft: DefinitionDraft
    let definition: Definition
    /// The states in document order, the root first.
    let states: [StateDraft]
    /// The guards of each state's transitions.
    let conditions: [[Program?]]
    /// The names that guards, actions, contents and texts may use.
    let scope: Scope
    /// The references that the expressions of the definition read.
    let readReferences: Set<Reference>
    /// Every expression that was compiled.
    let texts: [CompiledText]
    /// Every text with expressions in braces.
    let templates: [(source: SourceText, template: TextTemplate)]
    /// The timers that actions start.
    let startedTimers: Set<String>
    /// The events that actions raise or send.
    let raisedEvents: Set<String>
    /// The actions of states and transitions that can be performed, those within others after these.
    let actions: [ActionDraft]
    /// The number of cases of guards that may still be tried.
    var casesLeft = CaseSearch.limitOfAll
    var problems: [DefinitionProblem] = []

    init(_ compiler: DefinitionCompiler, _ definition: Definition) {
        (draft, states, scope) = (compiler.draft, compiler.states, compiler.scope)
        (readReferences, texts, templates) = (compiler.readReferences, compiler.texts, compiler.templates)
        self.definition = definition
        var conditions = states.map { _ in [Program?]() }
        for transition in definition.chart.transitions {
            let program = transition.condition.map { definition.guards[Int($0.rawValue)] }
            conditions[Int(transition.source.rawValue)].append(program)
        }
        self.conditions = conditions
        // Nothing ever leaves the machine as a whole.
        actions = states.flatMap { state in
            state.entry + (state.name.text.isEmpty ? [] : state.exit)
                + state.transitions.flatMap { $0.actions }
        }.flatMap { $0.parts }
        var (started, raised): (Set<String>, Set<String>) = ([], [])
        for action in actions {
            switch action {
            case .start(let timer, _): started.insert(timer.text)
            case .raise(let event), .send(let event, _, _): raised.insert(event.text)
            default: break
            }
        }
        (startedTimers, raisedEvents) = (started, raised)
    }

    /// Returns all warnings.
    mutating func lint() -> [DefinitionProblem] {
        warnOfIdleTimers()
        warnOfUnraisedEvents()
        warnOfVainActions()
        warnOfVainTolerances()
        warnOfConditions()
        warnOfFixedLengths()
        let graph = StateGraph(root: draft.machine, states: states)
        var reached = [Bool](repeating: false, count: states.count)
        graph.enter(0, &reached)
        graph.spread(&reached)
        warnOfUnreachableStates(reached)
        warnOfUnsetSignals()
        warnOfEarlyReading()
        warnOfMovingEnds()
        warnOfShortWaits()
        for state in states.indices { warnOfTransitions(from: state, graph) }
        warnOfEndlessLoops(graph, reached)
        reportRaisedLoops(graph, reached)
        warnOfTimerLoops(graph, reached)
        warnOfTimedStates(graph, reached)
        warnOfActivity(graph, reached)
        warnOfContentSize()
        warnOfWideTexts()
        warnOfTallCards()
        warnOfUndrawnTexts()
        warnOfUnknownSymbols()
        warnOfMissingTitles(graph, reached)
        warnOfMixedTypes()
        warnOfShownBraces()
        warnOfBracesInExpressions()
        warnOfShownNames()
        return problems
    }

    private mutating func warnOfIdleTimers() {
        for (index, timer) in draft.timers.enumerated() {
            let name = timer.name.text
            if timer.runsWhile == nil, !startedTimers.contains(name) {
                report(
                    .timerNeverStarted,
                    timer.name,
                    "nothing starts the timer '\(name)'",
                    remedy: "say when it runs with 'while:', or start it with an action"
                )
            } else if let text = timer.runsWhile, index < definition.timers.count,
                let program = definition.timers[index].runsWhile, !canHold(program)
            {
                report(
                    .timerNeverStarted,
                    text,
                    "the timer '\(name)' never runs: this can't hold",
                    remedy: "name the states in which it runs, as in inState(\"running\")"
                )
            }
            let isAwaited = awaitedEvents.contains {
                $0.text == name || $0.text.hasPrefix(name + ".") || $0.text == "*"
                    || meantEvents(by: $0.text) == ["\(name).elapsed"]
            }
            let elapses = isAwaited || asksForEvents && !timer.neverElapses
            let isRead = [ReferenceKind.timer, .timerElapsed, .timerEnd].contains {
                readReferences.contains($0.reference(index))
            }
            if !elapses, !isRead {
                report(
                    .timerNeverRead,
                    timer.name,
                    "nothing reads the timer '\(name)'",
                    remedy: "show timer.\(name) in the content"
                        + (timer.neverElapses ? "" : ", or wait for '\(name).elapsed'")
                )
            }
        }
    }

    /// Warns of states that no transition, `initial` or parallel parent leads to or into.
    private mutating func warnOfUnreachableStates(_ reached: [Bool]) {
        for (index, state) in states.enumerated() where !reached[index] {
            report(
                .unreachableState,
                state.name,
                "nothing leads to the state '\(state.name.text)'",
                remedy: "add a transition to it, or remove it"
            )
        }
    }

    /// Warns of signals that no source can compute from a message and from signals that can have a value.
    private mutating func warnOfUnsetSignals() {
        var canBeSet = [Bool](repeating: false, count: definition.signalNames.count)
        var before: [Bool] = []
        while before != canBeSet {
            before = canBeSet
            for source in definition.sources {
                for signal in source.signals {
                    let isKnown = signal.program.requiredReferences.allSatisfy { reference in
                        reference.kind != ReferenceKind.signal.rawValue || canBeSet[Int(reference.index)]
                    }
                    if isKnown { canBeSet[signal.signal] = true }
                }
            }
        }
        for (index, name) in definition.signalNames.enumerated() where !canBeSet[index] {
            guard let signal = draft.firstDraft(ofSignal: name) else { continue }
            report(
                .signalNeverSet,
                signal.text,
                "'\(name)' can never have a value: it is computed from itself",
                remedy: "compute it from the payload, or ask has(\(name)) before reading it"
            )
        }
    }

    /// Warns of first values that read a later variable or a timer: they are assigned in order, before any timer
    /// starts.
    private mutating func warnOfEarlyReading() {
        for (index, program) in definition.initialContext.enumerated() {
            for reference in program.requiredReferences {
                let what: String
                switch ReferenceKind(rawValue: reference.kind) {
                case .context where Int(reference.index) >= index:
                    what = "context.\(definition.variableNames[Int(reference.index)])"
                case .timer: what = "timer.\(definition.timers[Int(reference.index)].name)"
                default: continue
                }
                report(
                    .readBeforeSet,
                    draft.context[index].text,
                    "\(what) has no value yet when this is evaluated",
                    remedy: "first values are given in the order written, when the first message comes"
                )
            }
        }
    }

    private mutating func warnOfMovingEnds() {
        for (index, timer) in draft.timers.enumerated() {
            guard case .until(let text) = timer.kind,
                case .until(let program) = definition.timers[index].kind,
                program.references.contains(ReferenceKind.now.reference())
            else { continue }
            report(
                .endKeepsMoving,
                text,
                "this end is computed again with every message, and moves with the clock",
                remedy: "write 'remaining:' with the time that is left, or 'duration:' with one that stays"
            )
        }
    }
}

extension DefinitionLinter {
    /// Warns of events that transitions and alerts wait for and that nothing seems to raise.
    ///
    /// Messages may raise any event, so only names that look like one of the definition are doubted.
    mutating func warnOfUnraisedEvents() {
        for event in awaitedEvents {
            if let timer = draft.timers.first(where: { event.text == "\($0.name.text).elapsed" }),
                timer.neverElapses
            {
                report(
                    .eventNeverRaised,
                    event,
                    "the timer '\(timer.name.text)' counts up, and so never raises '\(event.text)'",
                    remedy: "give it a 'duration:', or 'learn:' past runs"
                )
                continue
            }
            guard let meant = meantEvents(by: event.text) else { continue }
            let remedy =
                meant.count == 1
                ? "did you mean '\(meant[0])'?"
                : meant.isEmpty ? nil : "there are: \(meant.prefix(12).joined(separator: ", "))"
            report(.eventNeverRaised, event, "nothing raises the event '\(event.text)'", remedy: remedy)
        }
    }

    /// The events that a name was probably meant for; nil when a message may well raise it.
    func meantEvents(by name: String) -> [String]? {
        let own = ownEvents + [Definition.connected]
        guard name != "*", !own.contains(where: { name.describes($0) }) else { return nil }
        let words = name.split(separator: ".").map(String.init)
        let timers = draft.timers.map { $0.name.text }
        let first = ["timer", "timers"].contains(words[0]) && words.count > 1 ? words[1] : words[0]
        if let timer = timers.first(where: { $0.hasSameCodePoints(as: first) }) {
            return ["\(timer).elapsed"]
        }
        let suffix = words.last == "elapsed" ? ".elapsed" : nil
        let prefix = words.count > 2 && words[0] == "done" && words[1] == "state" ? "done.state." : nil
        if suffix != nil || prefix != nil {
            let ends = ownEvents.filter { $0.hasSuffix(suffix ?? "") && $0.hasPrefix(prefix ?? "") }
            return nearestName(to: name, among: ends).map { [$0] } ?? ends
        }
        if words[0] == "bridge" { return nearestName(to: name, among: [Definition.connected]).map { [$0] } }
        if asksForEvents { return nil }
        let unheard = raisedEvents.sorted().filter { event in
            !awaitedEvents.contains { $0.text.describes(event) }
        }
        return nearestName(to: name, among: unheard).map { [$0] }
    }

    /// The events that transitions and alerts wait for.
    var awaitedEvents: [SourceText] {
        let transitions = states.flatMap { $0.transitions }.flatMap { transition in
            if case .event(let events) = transition.trigger { events } else { [SourceText]() }
        }
        let alerts = draft.activity?.alerts ?? []
        return transitions
            + alerts.flatMap { alert -> [SourceText] in
                guard case .event(let events) = alert.occasion else { return [] }
                return events.text.utf8.split(separator: UInt8(ascii: " ")).map { name in
                    let start = events.text.utf8.distance(from: events.text.startIndex, to: name.startIndex)
                    return events.part(start..<start + name.count)
                }
            }
    }

    /// The events that the machine raises itself: those of timers, of final states and of actions.
    private var ownEvents: [String] {
        func hasFinal(_ state: StateDraft) -> Bool {
            state.states.contains { if case .final = $0.kind { true } else { false } }
        }
        let finals = states.filter { state in
            guard case .parallel = state.kind else { return hasFinal(state) }
            return state.states.allSatisfy(hasFinal)
        }
        return draft.timers.map { "\($0.name.text).elapsed" } + finals.map { "done.state.\($0.name.text)" }
            + raisedEvents.sorted()
    }
}

extension DefinitionLinter {
    /// False if a condition certainly never holds.
    mutating func canHold(_ program: Program) -> Bool {
        if !program.asksPresence, ReadingCase(references: [], values: []).truth(of: program) == false {
            return false
        }
        guard program.type == .bool || program.type == .dyn, program.isComparison,
            let search = search([program])
        else { return true }
        return search.first { $0.holds(program) } != nil
    }

    /// True if a condition holds for all values that it could read.
    func alwaysHolds(_ program: Program) -> Bool {
        !program.asksPresence && ReadingCase(references: [], values: []).truth(of: program) == true
    }

    /// A search over the cases that make a difference to some conditions; nil when there are too many or values are
    /// unknown.
    ///
    /// If `known` returns a value for a reference, it is the only one tried.
    mutating func search(
        _ programs: [Program],
        known: (Reference) -> Value? = { _ in nil }
    ) -> CaseSearch? {
        let settings = draft.settings.map { $0.standard.value }
        let read = programs.flatMap { $0.references }
        // What signals can be is also what a setting may be that they are compared with.
        let others = read.flatMap { reference -> [Value] in
            switch ReferenceKind(rawValue: reference.kind) {
            case .setting: [settings[Int(reference.index)]]
            case .signal: possibleValues(ofSignal: Int(reference.index))?.dropLast() ?? []
            default: []
            }
        }
        let search = CaseSearch(
            programs,
            limit: min(CaseSearch.limit, casesLeft),
            comparing: read.contains { $0.kind == ReferenceKind.setting.rawValue } ? others : []
        ) { reference, constants in
            if let value = known(reference) { return [value] }
            switch ReferenceKind(rawValue: reference.kind) {
            case .signal:
                if let values = possibleValues(ofSignal: Int(reference.index)) { return values }
                return definition.signalTypes[Int(reference.index)].telling(constants)
            case .context: return ExpressionType.dyn.telling(constants)
            case .changed, .reported, .timerElapsed, .deviceAvailable: return [.bool(true), .bool(false)]
            case .timer: return ExpressionType.duration.telling(constants)
            case .elapsed: return ExpressionType.duration.telling(constants).dropLast()
            case .event: return ExpressionType.string.telling(constants)
            case .unset: return [.error(.unset)]
            // People may choose another value than the default, and none is absent.
            case .setting:
                return Array(draft.settings[Int(reference.index)].standard.type.telling(constants).dropLast())
            case .payload, .capture, .inState, .now, .since, .stateName, .stateTitle, .deviceName,
                .deviceID, .deviceKind, .item, .field, .timerEnd, .zone, nil:
                return nil
            }
        }
        casesLeft -= search?.count ?? 0
        return search
    }

    /// The values that a signal can have, the absent value last; nil unless its sources assign only constants.
    func possibleValues(ofSignal index: Int) -> [Value]? {
        var values: [Value] = []
        for source in definition.sources {
            for signal in source.signals where signal.signal == index {
                guard signal.form == nil, let possible = signal.program.possibleValues else { return nil }
                for value in possible where !values.contains(where: { $0.equals(value) }) {
                    values.append(value)
                }
            }
        }
        return values + [.error(.unset)]
    }

    /// A case in words, such as `power = 7 and context.spun = true`; empty when the conditions read nothing.
    ///
    /// - Parameters:
    ///   - found: The case.
    ///   - some: What is told of it; nil for everything.
    /// - Returns: The words.
    func words(_ found: ReadingCase, among some: Set<Reference>? = nil) -> String {
        var parts: [String] = []
        for (reference, value) in zip(found.references, found.values) where some?.contains(reference) ?? true
        {
            if case .error = value { continue }
            if reference.kind == ReferenceKind.setting.rawValue { continue }
            parts.append("\(name(of: reference)) = \(literal(value))")
        }
        return parts.joined(separator: " and ")
    }

    private func name(of reference: Reference) -> String {
        let index = Int(reference.index)
        return switch ReferenceKind(rawValue: reference.kind) {
        case .signal: definition.signalNames[index]
        case .changed: "changed(\(definition.signalNames[index]))"
        case .reported: "reported(\(definition.signalNames[index]))"
        case .context: "context.\(definition.variableNames[index])"
        case .timer: "timer.\(definition.timers[index].name)"
        case .timerElapsed: "timer.\(definition.timers[index].name).elapsed"
        case .elapsed: "elapsed()"
        case .deviceAvailable: "device.available"
        case .event: "event"
        default: "?"
        }
    }

    /// A value in the syntax of expressions.
    func literal(_ value: Value) -> String {
        switch value {
        case .null: return "null"
        case .bool(let truth): return truth ? "true" : "false"
        case .int(let number): return "\(number)"
        case .uint(let number): return "\(number)"
        case .double(let number):
            return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .string(let text): return "\"\(text)\""
        case .duration(let length): return "duration(\"\(length.interval.roundedSeconds)s\")"
        case .timestamp(let moment): return "timestamp(\(moment.seconds))"
        default: return "…"
        }
    }
}

/// A compiled expression with its text, kept for the linter.
struct CompiledText {
    var source: SourceText
    var program: Program
    /// The number of the source whose payload it reads; nil outside of sources.
    var payload: Int?
}

extension DefinitionLinter {
    /// A signal, a variable, or a path into the payload of a source, which expressions compare with constants.
    private struct Compared: Hashable {
        var reference: Reference
        var payload: Int?
    }

    private struct Comparison {
        var compared: Compared
        var constant: Value
        var text: Int
    }

    /// Warns of values of unknown type that are compared with a text in one place and with a number in another.
    mutating func warnOfMixedTypes() {
        var comparisons: [Compared: [Comparison]] = [:]
        var order: [Compared] = []
        for (number, text) in texts.enumerated() {
            for use in text.program.comparisons {
                guard let compared = compared(use.reference, in: text), isAnything(compared) else { continue }
                if comparisons[compared] == nil { order.append(compared) }
                let comparison = Comparison(compared: compared, constant: use.constant, text: number)
                comparisons[compared, default: []].append(comparison)
            }
        }
        warnOfFields(comparisons)
        warnOfUnknownStates()
        for compared in order {
            guard let (here, there) = contradiction(among: comparisons[compared] ?? []) else { continue }
            let isText = here.constant.isText
            let source = texts[here.text].source
            report(
                .mixedTypes,
                source,
                range(of: here.constant, in: source.text),
                "\(name(of: compared)) is compared with a \(isText ? "text" : "number") here, and with a "
                    + "\(isText ? "number" : "text") on line \(texts[there.text].source.place.line)",
                remedy: "one of the two never holds: a number has no quotes, and a text has"
            )
        }
    }

    /// Warns of fields read from a value that is compared with a text or a number elsewhere: such a value has no
    /// fields.
    private mutating func warnOfFields(_ comparisons: [Compared: [Comparison]]) {
        for text in texts {
            for field in text.program.fields {
                guard let compared = compared(field.reference, in: text), isAnything(compared),
                    let other = comparisons[compared]?
                        .first(where: { $0.constant.isText || $0.constant.isNumber })
                else { continue }
                let what = other.constant.isText ? "text" : "number"
                let written = name(of: compared).filter { $0 != "'" }
                report(
                    .mixedTypes,
                    text.source,
                    "\(name(of: compared)) is compared with a \(what) on line "
                        + "\(texts[other.text].source.place.line), and a \(what) has no field '\(field.name)'",
                    remedy: field.name == "length" && other.constant.isText
                        ? "write `size(\(written))`" : "correct one of the two"
                )
            }
        }
    }

    /// Reports comparisons of `state` with names of no state.
    private mutating func warnOfUnknownStates() {
        let names = states.dropFirst().map { $0.name.text }
        let parallel = states.filter { if case .parallel = $0.kind { true } else { false } }
        let together = Set(parallel.filter { $0.states.count > 1 }.flatMap { $0.within }.map { $0.name.text })
        for text in texts {
            for use in text.program.comparisons where use.reference == ReferenceKind.stateName.reference() {
                guard case .string(let name) = use.constant else { continue }
                if together.contains(name) {
                    report(
                        .conditionNeverHolds,
                        text.source,
                        range(of: use.constant, in: text.source.text),
                        "'state' is never \"\(name)\" alone: it names one state of each region, joined by commas",
                        remedy: "write inState(\"\(name)\")"
                    )
                }
                guard parallel.isEmpty, !names.contains(name) else { continue }
                let near = nearestName(to: name, among: names)
                report(
                    .unknownState,
                    text.source,
                    range(of: use.constant, in: text.source.text),
                    "there is no state '\(name)'",
                    remedy: near.map { "did you mean '\($0)'?" }
                        ?? "there are: \(names.prefix(12).joined(separator: ", "))"
                )
            }
        }
    }

    /// A comparison with a text and one with a number, unless one expression compares with both on purpose.
    private func contradiction(among all: [Comparison]) -> (here: Comparison, there: Comparison)? {
        let texts = all.filter { $0.constant.isText }
        let numbers = all.filter { $0.constant.isNumber }
        guard let text = texts.first, let number = numbers.first,
            Set(texts.map { $0.text }).isDisjoint(with: numbers.map { $0.text })
        else { return nil }
        return texts.count <= numbers.count ? (text, number) : (number, text)
    }

    private func compared(_ reference: Reference, in text: CompiledText) -> Compared? {
        switch ReferenceKind(rawValue: reference.kind) {
        case .signal, .context: return Compared(reference: reference)
        case .payload:
            guard let source = text.payload else { return nil }
            // A signal that is just a field of the payload counts as the field itself.
            for other in texts where other.payload == source && other.program.reference == reference {
                let index = definition.signalNames.firstIndex { name in
                    draft.sources[source].signals.contains {
                        $0.name.text.hasSameCodePoints(as: name) && $0.text == other.source
                    }
                }
                if let index { return Compared(reference: ReferenceKind.signal.reference(index)) }
            }
            return Compared(reference: reference, payload: source)
        default: return nil
        }
    }

    private func isAnything(_ compared: Compared) -> Bool {
        guard compared.reference.kind == ReferenceKind.signal.rawValue else { return true }
        return definition.signalTypes[Int(compared.reference.index)] == .dyn
    }

    private func name(of compared: Compared) -> String {
        let index = Int(compared.reference.index)
        return switch ReferenceKind(rawValue: compared.reference.kind) {
        case .signal: "'\(definition.signalNames[index])'"
        case .context: "'context.\(definition.variableNames[index])'"
        default: "this field of the payload"
        }
    }

    /// The position of a constant in an expression; the whole expression if the constant is written differently.
    private func range(of constant: Value, in text: String) -> Range<Int> {
        let bytes = Array(text.utf8)
        for written in [literal(constant), "'\(literal(constant).dropFirst().dropLast())'"] {
            let wanted = Array(written.utf8)
            guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: wanted) }) else {
                continue
            }
            return start..<start + wanted.count
        }
        return 0..<bytes.count
    }
}

extension Value {
    /// True for a text, except those that devices send in place of a missing number.
    fileprivate var isText: Bool {
        guard case .string(let text) = self else { return false }
        return !["", "unknown", "unavailable", "none", "None", "null", "nan", "NaN", "-"].contains(text)
    }

    fileprivate var isNumber: Bool {
        switch self {
        case .int, .uint, .double: true
        default: false
        }
    }
}
