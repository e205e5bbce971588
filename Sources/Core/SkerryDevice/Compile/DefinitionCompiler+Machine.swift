import SkerryExpressions
import SkerryMachine
import SkerryValues

extension DefinitionCompiler {
    mutating func compileContext() {
        for variable in draft.context {
            if let program = program(variable.text) { parts.initialContext.append(program) }
        }
    }

    mutating func compileTimers() {
        if draft.timers.count > Marks.capacity {
            let name = draft.timers[Marks.capacity].name
            report(.tooMany, name, "a definition may have at most \(Marks.capacity) timers")
        }
        for timer in draft.timers {
            let known = timerKind(timer.kind)
            let runsWhile = timer.runsWhile.flatMap { condition($0) }
            let from = timer.from.flatMap { momentProgram($0) }
            let pausedFrom = timer.pausedFrom.flatMap { momentProgram($0) }
            guard let kind = known else { continue }
            for (key, text) in [("from", timer.from), ("pausedFrom", timer.pausedFrom)] {
                guard let text, timer.runsWhile == nil else { continue }
                report(
                    .badValue,
                    text,
                    "'\(key)' needs 'while'",
                    remedy: "say when the timer runs, as in while: inState(\"running\")"
                )
            }
            if timer.stops { checkStop(of: timer) }
            noteLength(timer.tolerance, .tolerance(parts.timers.count))
            parts.timers.append(
                TimerDefinition(
                    name: timer.name.text,
                    tolerance: timer.tolerance?.interval
                        ?? TimerDefinition.leastTolerance(timer.relativeTolerance),
                    relativeTolerance: timer.relativeTolerance,
                    onRestart: timer.onRestart,
                    onNewEnd: timer.onNewEnd,
                    kind: kind,
                    runsWhile: runsWhile,
                    stops: timer.stops,
                    from: from,
                    pausedFrom: pausedFrom,
                    endDependencies: kind.end.map { Dependencies($0) } ?? Dependencies(),
                    whileDependencies: runsWhile.map { Dependencies(ofCondition: $0) } ?? Dependencies(),
                    learning: timer.learning.flatMap { learningPlan($0, of: timer) }
                )
            )
        }
    }

    /// Refuses `otherwise: stop` where nothing says when it stops, or where past runs tell an end that is that of a run.
    private mutating func checkStop(of timer: TimerDraft) {
        if timer.runsWhile == nil {
            report(
                .missingKey,
                timer.name,
                "'otherwise' needs 'while'",
                remedy: "say when the timer runs, as in while: inState(\"running\")"
            )
        } else if timer.learning != nil || timer.pausedFrom != nil {
            report(
                .badValue,
                timer.name,
                "a timer that stops has no pause, and learns nothing of a run",
                remedy: "remove 'otherwise', or '\(timer.learning == nil ? "pausedFrom" : "learn")'"
            )
        }
    }

    private mutating func timerKind(_ kind: TimerDraft.Kind) -> TimerDefinition.Kind? {
        switch kind {
        case .remaining(let text): length(text).map { .remaining($0) }
        case .duration(let text): length(text).map { .duration($0) }
        case .until(let text): momentProgram(text).map { .until($0) }
        case .countUp: .countUp
        }
    }

    mutating func momentProgram(_ text: SourceText) -> Program? {
        guard let program = program(text) else { return nil }
        let remedy = "write timestamp(…); Unix seconds: timestamp(int(…))"
        expect(Demand(type: .timestamp, what: "a moment", remedy: remedy), program, text)
        refusePayload(program, text, "a moment") {
            "as in timestamp(\($0)); Unix seconds: timestamp(int(\($0)))"
        }
        return program
    }

    /// Compiles the titles of states, which can't show a title themselves.
    mutating func compileTitles() {
        let reference = ReferenceKind.stateTitle.reference()
        scope.declare("state.title", type: .string, as: reference)
        let advice = "name a value in it, such as a signal"
        for state in states {
            let known = problems.count
            let title = state.title.flatMap { template($0, in: scope) }
            if let source = state.title, title?.references.contains(reference) == true {
                report(.badExpression, source, "a title can't show a title", remedy: advice)
            }
            for index in known..<problems.count where problems[index].remedy == "did you mean 'state.title'?"
            {
                problems[index].remedy = "a title can't show a title: \(advice)"
            }
            parts.titles.append(title)
        }
    }

    /// Builds the statechart; its problems are reported at the state or transition.
    mutating func buildChart() -> Statechart? {
        let root = draft.machine
        var isParallel = false
        if case .parallel = root.kind { isParallel = true }
        var builder = StatechartBuilder(
            initial: targets(root.initial),
            isParallel: isParallel,
            entry: [actions(root.entry)]
        )
        builder.limits.microsteps = parts.limits.microsteps
        parts.runsUnavailable = root.runsUnavailable
        for timer in draft.timers { builder.addTimer(timer.name.text) }
        for child in root.states { add(child, in: .root, to: &builder) }
        add(root.transitions, from: .root, to: &builder)
        let known = problems.count
        let found = builder.problems()
        // When a part could not be read, most problems of the machine come only from the missing part.
        if !draft.isIncomplete { for problem in found { report(problem) } }
        guard problems.count == known, found.isEmpty else { return nil }
        return try? builder.build()
    }

    private mutating func add(
        _ state: StateDraft,
        in parent: StateID,
        to builder: inout StatechartBuilder
    ) {
        let kind: StatechartBuilder.Kind =
            switch state.kind {
            case .single: .state
            case .parallel: .parallel
            case .final: .final
            case .history(let deep): .history(deep: deep)
            }
        let id = builder.addState(
            state.name.text,
            in: parent,
            kind: kind,
            initial: targets(state.initial),
            entry: [actions(state.entry)],
            exit: [actions(state.exit)]
        )
        for child in state.states { add(child, in: id, to: &builder) }
        add(state.transitions, from: id, to: &builder)
    }

    private mutating func add(
        _ transitions: [TransitionDraft],
        from source: StateID,
        to builder: inout StatechartBuilder
    ) {
        for transition in transitions {
            let trigger: Statechart.Trigger =
                switch transition.trigger {
                case .always: .always
                case .event(let descriptors): .event(descriptors.map { $0.text })
                case .after(let length): .after(.fixed(length.interval))
                case .sustained(let hold, let dropout, let reports):
                    .sustained(for: hold.interval, dropout: dropout?.interval ?? .zero, reports: reports)
                case .quiet(let silence): .quiet(silence.length.interval, of: number(of: silence))
                case .at(let time): .recurring(number(of: time))
                case .past(let moment): pastMoment(moment).map { .past($0) } ?? .always
                }
            checkLength(of: transition.trigger)
            noteLengths(of: transition.trigger)
            let guardID = transition.condition.flatMap { self.guardID($0) }
            checkReports(of: transition, guardID)
            builder.addTransition(
                from: source,
                on: trigger,
                if: guardID,
                to: targets(transition.targets),
                actions: actions(transition.actions),
                isInternal: transition.isInternal
            )
            parts.transitionPlaces.append(transition.place)
        }
    }

    /// The number of a guard; a guard with an error gets a stand-in, so that no transition seems unguarded.
    mutating func guardID(_ text: SourceText) -> GuardID? {
        var paths = PathTable()
        guard
            let program = condition(text) ?? (try? Program.compile("true", in: Scope(), paths: &paths))
        else { return nil }
        parts.guards.append(program)
        parts.guardTexts.append(text.text)
        return GuardID(rawValue: UInt16(parts.guards.count - 1))
    }

    /// The number of a moment after which a transition is taken; nil if it is none, or one that never comes nearer.
    private mutating func pastMoment(_ text: SourceText) -> UInt16? {
        guard let program = momentProgram(text) else { return nil }
        let moving: [ReferenceKind] = [.now, .elapsed, .timer]
        if program.references.contains(where: { one in moving.contains { $0.rawValue == one.kind } }) {
            report(
                .badValue,
                text,
                "this moment moves with the clock, so it is never past",
                remedy: "for a time in the state write `after`; a timer ends at timer.<name>.end"
            )
        }
        parts.intervals.append(program)
        return UInt16(parts.intervals.count - 1)
    }

    /// The number of a time of day; equal ones share it.
    private mutating func number(of time: TimeOfDay) -> UInt16 {
        if let known = parts.timesOfDay.firstIndex(where: { $0.equals(time) }) { return UInt16(known) }
        parts.timesOfDay.append(time)
        return UInt16(parts.timesOfDay.count - 1)
    }

    /// The number of a silence that not every message breaks; nil for that of the whole device.
    private mutating func number(of draft: SilenceDraft) -> UInt16? {
        guard let silence = silence(draft) else { return nil }
        if let known = parts.silences.firstIndex(of: silence) { return UInt16(known) }
        parts.silences.append(silence)
        return UInt16(parts.silences.count - 1)
    }

    /// The signals that break a silence; nil if every message does.
    mutating func silence(_ draft: SilenceDraft) -> SignalSilence? {
        if draft.signals.isEmpty { return nil }
        let signals = signalSet(draft.signals)
        for signal in 0..<parts.signalNames.count where signals.contains(signal) {
            readReferences.insert(ReferenceKind.signal.reference(signal))
        }
        return SignalSilence(signals: signals, asksChange: draft.asksChange)
    }

    /// Refuses a number of reports where no signal tells how often they come.
    private mutating func checkReports(of transition: TransitionDraft, _ guardID: GuardID?) {
        guard case .sustained(_, _, let reports) = transition.trigger, reports > 1,
            let condition = transition.condition, let guardID
        else { return }
        let read = Dependencies(parts.guards[Int(guardID.rawValue)]).signals
        let paces = parts.signalForms.filter { $0.kind == .pace && $0.watched.intersects(read) }
        for pace in paces { readReferences.insert(ReferenceKind.signal.reference(pace.signal)) }
        // A guard whose signals could not be read says nothing about them.
        guard paces.isEmpty, parts.signalNames.indices.contains(where: { read.contains($0) }) else { return }
        report(
            .missingKey,
            condition,
            "'reports' counts the reports of a signal of this guard, and no signal tells their pace",
            remedy: "add one to the sources, such as `pace: { pace: power }`"
        )
    }

    /// Refuses a wait of zero length: it would end the moment it begins, and could repeat endlessly at that moment.
    private mutating func checkLength(of trigger: TransitionDraft.Trigger) {
        let length: SourceInterval? =
            switch trigger {
            case .sustained(let hold, _, _): hold
            case .quiet(let silence): silence.length
            case .always, .event, .after, .at, .past: nil
            }
        if let length, length.interval <= .zero {
            problems.append(
                DefinitionProblem(
                    .badDuration,
                    at: length.place,
                    length: 2,
                    "a wait must have a length",
                    remedy: "write a time such as 10s, or leave it out"
                )
            )
        }
    }

    /// The names of existing states; other names are reported where they are written.
    mutating func targets(_ names: [SourceText]) -> [String] {
        var known: [String] = []
        for name in names {
            if states.dropFirst().contains(where: { $0.name.text.hasSameCodePoints(as: name.text) }) {
                known.append(name.text)
            } else {
                reportUnknown(
                    .unknownState,
                    "state",
                    name,
                    known: states.dropFirst().map { $0.name.text },
                    of: .state
                )
            }
        }
        return known
    }

    private mutating func report(_ problem: StatechartProblem) {
        let message = problem.message
        let code: ProblemCode =
            switch problem.reason {
            case .duplicateName: .duplicateName
            case .tooManyStates, .tooManyTransitions: .tooMany
            default: .badMachine
            }
        if let transition = problem.transition,
            Int(transition.rawValue) < parts.transitionPlaces.count
        {
            problems.append(
                DefinitionProblem(
                    code,
                    at: parts.transitionPlaces[Int(transition.rawValue)],
                    message.what,
                    remedy: message.remedy
                )
            )
        } else if let state = problem.state, Int(state.rawValue) < states.count {
            let name = states[Int(state.rawValue)].name
            let place = problem.reason == .duplicateName ? placeInBase(of: name) : nil
            report(code, name, message.what, remedy: place ?? message.remedy)
        } else {
            report(code, draft.machine.name, message.what, remedy: message.remedy)
        }
    }

    /// Returns where the definition that this one extends has a state of this name, in words; nil if it has none.
    private func placeInBase(of name: SourceText) -> String? {
        let namesakes = states.map { $0.name }.filter { $0.text == name.text }.sorted { $0.place < $1.place }
        guard let own = namesakes.first, let base = namesakes.last, own.place.file < base.place.file,
            let parent = states.first(where: { $0.states.contains { $0.name.place == base.place } })?.name
                .text
        else { return nil }
        let way = parent.isEmpty ? "directly in the machine" : "within '\(parent)'"
        return "the definition that this one extends has it \(way): write it there, too"
    }

    /// Resolves `migrate:`, the new states of devices whose state was removed from the definition.
    mutating func compileMigrations(_ chart: Statechart?) {
        let names = states.dropFirst().map { $0.name.text }
        for migration in draft.migrations {
            let old = migration.name
            if names.contains(where: { $0.hasSameCodePoints(as: old.text) }) {
                report(
                    .badValue,
                    old,
                    "'\(old.text)' is still a state of the machine, so no device leaves it",
                    remedy: "remove the line, or the state"
                )
            }
            guard let chart else { continue }
            if let target = chart.state(named: migration.text.text), target != .root {
                parts.migrations.append(Migration(from: old.text, to: target))
            } else {
                reportUnknown(.unknownState, "state", migration.text, known: names, of: .state)
            }
        }
    }

    /// Compiles the plan for learning a timer's end from past runs; nil when it can't be learned.
    mutating func learningPlan(_ draft: LearningDraft, of timer: TimerDraft) -> LearningPlan? {
        let curve = draft.curve.flatMap { program($0) }
        if let source = draft.curve, let curve, ![.int, .uint, .double, .dyn].contains(curve.type) {
            report(
                .wrongType,
                source,
                "the curve of a run must be a number, but this is \(curve.type.description)",
                remedy: "write the signal that differs from programme to programme, such as `curve: power`"
            )
        }
        let key = draft.by.flatMap { program($0) }
        if let source = draft.by, let key {
            expect(.text("a text that names the programme"), key, source)
        }
        let counts = draft.when.flatMap { condition($0) }
        let end = draft.end.flatMap { momentProgram($0) }
        if case .countUp = timer.kind, timer.runsWhile != nil, self.draft.activity != nil {
            if parts.timers.contains(where: { $0.learning != nil }) {
                report(.tooMany, draft.name, "only one timer of a definition can learn from past runs")
                return nil
            }
            let subject = "\(draft.curve?.text ?? "")\n\(draft.by?.text ?? "")"
            return LearningPlan(
                curve: curve,
                key: key,
                counts: counts,
                end: end,
                subject: Array(subject.utf8).fingerprint
            )
        }
        guard !self.draft.isIncomplete else { return nil }
        report(
            .badValue,
            draft.name,
            "'learn' needs 'count', 'while' and an activity, whose runs it learns from",
            remedy: "write `count: up`, and say when the timer runs, as in while: inState(\"running\")"
        )
        return nil
    }
}

extension StatechartProblem {
    /// The problem in words, with its remedy.
    fileprivate var message: (what: String, remedy: String) {
        switch reason {
        case .tooManyStates:
            ("a machine may have at most 255 states", "split the device into two definitions")
        case .tooManyTransitions: ("a machine may have at most 65,535 transitions", "split the definition")
        case .duplicateName:
            ("two states are called '\(name)'", "name every state of the definition differently")
        case .parentNotOpen, .parentCanNotHaveChildren:
            ("final and history states hold no states", "remove 'states:' or the type")
        case .noSuchState: ("there is no state '\(name)'", "name a state of this machine")
        case .targetNotInside: ("'\(name)' is not within this state", "name a state below it")
        case .targetIsHistory:
            ("a history can't lead to '\(name)', a history beside it", "name another state of its parent")
        case .targetsExcludeEachOther:
            ("these targets can't be active together", "name one target, or one in each parallel region")
        case .historyWithoutDefault:
            ("a history state must say where it leads the first time", "add 'target:' to it")
        case .emptyParallel: ("a parallel state without states", "give it states, or remove 'type: parallel'")
        case .onlyHistoryChildren: ("this state has only history states", "add a state")
        case .initialWithoutChildren: ("'initial' in a state without states", "remove it, or add 'states:'")
        case .transitionNotAllowed:
            ("final and history states are never left by transitions of their own", "move it to the parent")
        case .sustainedWithoutGuard: ("'for' without a guard", "add 'guard:'")
        case .noEvents: ("a transition on no event", "name an event")
        }
    }
}

extension DefinitionCompiler {
    mutating func actions(_ drafts: [ActionDraft]) -> [Statechart.Action] {
        var result: [Statechart.Action] = []
        for draft in drafts {
            if let action = action(draft) { result.append(action) }
        }
        return result
    }

    private mutating func action(_ draft: ActionDraft) -> Statechart.Action? {
        switch draft {
        case .start(let name, let duration): return start(name, duration)
        case .stop(let name): return timer(name).map { .stop($0) }
        case .pause(let name, let moment):
            guard let timer = timer(name) else { return nil }
            guard let moment else { return .pause(timer) }
            guard let program = momentProgram(moment) else { return nil }
            parts.intervals.append(program)
            return .pause(timer, from: UInt16(parts.intervals.count - 1))
        case .resume(let name): return timer(name).map { .resume($0) }
        case .extend(let name, let by):
            guard let timer = timer(name), let length = computed(by) else { return nil }
            return .extend(timer, by: length)
        case .raise(let event): return .raise(event.text)
        case .send(let event, let delay, let id):
            return .send(event: event.text, delay: delay.flatMap { computed($0) }, id: id?.text)
        case .cancel(let id): return .cancel(id.text)
        case .assign(let name, let value): return assign(name, value)
        case .guarded(let condition, let then, let otherwise):
            let condition = guardID(condition)
            let (then, otherwise) = (actions(then), actions(otherwise))
            return condition.map { .choose($0, then: then, otherwise: otherwise) }
        case .attempt(let drafts): return .attempt(actions(drafts))
        case .publish(let draft): return publication(draft)
        }
    }

    /// The action that starts a timer, with the length given here or else the one of the timer's definition.
    private mutating func start(_ name: SourceText, _ duration: SourceText?) -> Statechart.Action? {
        guard let timer = timer(name) else { return nil }
        if let duration { return computed(duration).map { .start(timer, duration: $0) } }
        switch draft.timers[Int(timer.rawValue)].kind {
        case .countUp: return .start(timer, duration: nil)
        case .duration(let text), .remaining(let text):
            return computed(text).map { .start(timer, duration: $0) }
        case .until:
            report(
                .badValue,
                name,
                "a timer with 'until' is not started by an action",
                remedy: "write {start: {timer: \(name.text), duration: …}}, or let 'while' drive it"
            )
            return nil
        }
    }

    private mutating func timer(_ name: SourceText) -> TimerID? {
        let names = draft.timers.map { $0.name.text }
        guard let index = names.firstIndex(where: { $0.hasSameCodePoints(as: name.text) }) else {
            reportUnknown(.unknownTimer, "timer", name, known: names, of: .timer)
            return nil
        }
        return TimerID(rawValue: UInt16(index))
    }

    private mutating func computed(_ text: SourceText) -> Statechart.Length? {
        guard let program = length(text) else { return nil }
        parts.intervals.append(program)
        return .computed(UInt16(parts.intervals.count - 1))
    }

    private mutating func assign(_ name: SourceText, _ value: SourceText) -> Statechart.Action? {
        guard let index = parts.variableNames.firstIndex(where: { $0.hasSameCodePoints(as: name.text) })
        else {
            if parts.variableNames.isEmpty, !draft.unreadNames.contains(.variable) {
                report(
                    .unknownVariable,
                    name,
                    "there is no variable '\(name.text)'",
                    remedy: "declare it with its first value, as in `context: { \(name.text): 0 }`"
                )
            } else {
                reportUnknown(.unknownVariable, "variable", name, known: parts.variableNames, of: .variable)
            }
            return nil
        }
        guard let program = program(value) else { return nil }
        return parts.add(.assign(Assignment(variable: index, program: program)))
    }
}
