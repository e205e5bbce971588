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
        let actions = states.flatMap { state in
            state.entry + (state.name.text.isEmpty ? [] : state.exit)
                + state.transitions.flatMap { $0.actions }
        }
        var (started, raised): (Set<String>, Set<String>) = ([], [])
        for action in actions.flatMap({ $0.parts }) {
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
            let elapses = awaitedEvents.contains {
                $0.text == name || $0.text.hasPrefix(name + ".") || $0.text == "*"
                    || meantEvents(by: $0.text) == ["\(name).elapsed"]
            }
            let isRead = [ReferenceKind.timer, .timerElapsed, .timerEnd].contains {
                readReferences.contains($0.reference(index))
            }
            if !elapses, !isRead {
                report(
                    .timerNeverRead,
                    timer.name,
                    "nothing reads the timer '\(name)'",
                    remedy: "show timer.\(name) in the content, or wait for '\(name).elapsed'"
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
        let finals = states.filter { state in
            state.states.contains { if case .final = $0.kind { true } else { false } }
        }
        return draft.timers.map { "\($0.name.text).elapsed" } + finals.map { "done.state.\($0.name.text)" }
            + raisedEvents.sorted()
    }
}
