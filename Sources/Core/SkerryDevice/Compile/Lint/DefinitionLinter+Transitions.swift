import SkerryExpressions
import SkerryValues

extension DefinitionLinter {
    /// Warns of transitions of a state that are never taken or that compete with each other.
    mutating func warnOfTransitions(from state: Int, _ graph: StateGraph) {
        let transitions = states[state].transitions
        guard transitions.count <= 256 else { return }
        for index in transitions.indices {
            let transition = transitions[index]
            if let program = conditions[state][index], !canHold(program) {
                report(
                    .transitionNeverTaken,
                    transition.condition ?? states[state].name,
                    "this guard can never hold",
                    remedy: possibilities(program) ?? "correct it, or remove the transition"
                )
            } else if let program = conditions[state][index],
                let moment = transition.trigger.momentWithoutMessage(timers: timerNames),
                !canHold(program, whenTimerFires: ())
            {
                report(
                    .noMessageThen,
                    transition.condition ?? states[state].name,
                    "this never holds: \(moment)",
                    remedy: "compare the signal itself, or keep what changed in a variable"
                )
            } else if let earlier = transitionInFront(of: index, in: state) {
                let other = transitions[earlier]
                problems.append(
                    DefinitionProblem(
                        .transitionNeverTaken,
                        at: transition.place,
                        "this transition is never taken: the one on line \(other.place.line) always comes first",
                        remedy: "put it first, or give the other one a guard that leaves something to it"
                    )
                )
            } else {
                warnOfOverlap(index, in: state, graph)
            }
        }
    }

    var timerNames: [String] { draft.timers.map { $0.name.text } }

    /// The possible values of a signal, in words, if a guard compares the signal with another value.
    func possibilities(_ program: Program) -> String? {
        for reference in program.references where reference.kind == ReferenceKind.signal.rawValue {
            let values = possibleValues(ofSignal: Int(reference.index))?.dropLast() ?? []
            guard !values.isEmpty else { continue }
            for case .string(let text) in program.constants {
                let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
                if let near = nearestName(to: text, among: texts) { return "did you mean \"\(near)\"?" }
            }
            let list = values.map { literal($0) }.joined(separator: ", ")
            return "'\(definition.signalNames[Int(reference.index)])' can only be \(list)"
        }
        return nil
    }

    /// True if a condition can hold at a moment without a message.
    private mutating func canHold(_ program: Program, whenTimerFires: Void) -> Bool {
        let told: [ReferenceKind] = [.changed, .reported]
        let changes = program.references.filter { one in told.contains { $0.rawValue == one.kind } }
        guard !changes.isEmpty, !program.asksPresence else { return true }
        let silence = ReadingCase(references: changes, values: changes.map { _ in .bool(false) })
        if silence.truth(of: program) == false { return false }
        guard program.isComparison else { return true }
        let search = search([program]) { changes.contains($0) ? .bool(false) : nil }
        return search.map { $0.first { $0.holds(program) } != nil } ?? true
    }

    /// An earlier transition of a state that is always taken before a later one could be.
    private mutating func transitionInFront(of index: Int, in state: Int) -> Int? {
        let transitions = states[state].transitions
        var rivals: [Int] = []
        for other in transitions.indices where other != index {
            let isFree = conditions[state][other].map { alwaysHolds($0) } ?? true
            if isFree, transitions[other].preempts(transitions[index]) { return other }
            guard other < index, transitions[other].trigger.covers(transitions[index].trigger) else {
                continue
            }
            if isFree { return other }
            rivals.append(other)
        }
        guard let program = conditions[state][index], program.isComparison else { return nil }
        let known = rivals.filter { rival in
            guard let other = conditions[state][rival], other.isComparison else { return false }
            return canHold(other)
        }
        for group in known.map({ [$0] }) + [known] {
            let programs = group.compactMap { conditions[state][$0] }
            guard let last = group.last, let search = search(programs + [program]) else { continue }
            let open = search.first { trial in
                trial.holds(program) && !programs.contains { trial.holds($0) }
            }
            if open == nil { return last }
        }
        return nil
    }

    /// Warns of two guards that both hold for some values of a signal, and each alone for others.
    ///
    /// If one guard is narrower than a later one, it is an exception written first, as usual. And guards about
    /// different signals are meant to be tried in order.
    private mutating func warnOfOverlap(_ index: Int, in state: Int, _ graph: StateGraph) {
        let transitions = states[state].transitions
        guard let second = conditions[state][index], !transitions[index].targets.isEmpty else { return }
        for earlier in 0..<index where !transitions[earlier].targets.isEmpty {
            guard let first = conditions[state][earlier],
                transitions[earlier].trigger.covers(transitions[index].trigger),
                graph.targets[state][earlier] != graph.targets[state][index]
            else { continue }
            var before: [Program] = []
            for other in 0..<earlier where transitions[other].trigger.covers(transitions[index].trigger) {
                if let program = conditions[state][other] { before.append(program) }
            }
            guard let found = overlap(of: first, and: second, before) else { continue }
            report(
                .guardsOverlap,
                transitions[index].condition ?? states[state].name,
                "this guard and the one on line \(transitions[earlier].place.line) both hold when \(words(found))",
                remedy: "the one written first wins; make them exclude each other if that is not meant"
            )
            return
        }
    }

    /// A case in which two guards both hold, although a change of one signal makes either hold alone.
    ///
    /// See docs/decisions/0006-linter-tries-cases.md.
    private mutating func overlap(of first: Program, and second: Program, _ before: [Program]) -> ReadingCase?
    {
        guard let search = search([first, second] + before) else { return nil }
        for (position, reference) in search.references.enumerated() {
            guard first.references.contains(reference), second.references.contains(reference),
                ![ReferenceKind.changed, .reported].contains(where: { $0.rawValue == reference.kind })
            else { continue }
            var found: ReadingCase?
            _ = search.first { trial in
                guard trial.values[position].equals(search.candidates[position][0]) else { return false }
                found = search.divided(trial, position, first, second, before)
                return found != nil
            }
            if let found { return found }
        }
        return nil
    }
}

extension CaseSearch {
    /// A case in which both conditions hold, found by trying all values of one reference; nil unless each condition
    /// also holds alone for some value.
    fileprivate func divided(
        _ trial: ReadingCase,
        _ position: Int,
        _ first: Program,
        _ second: Program,
        _ before: [Program]
    ) -> ReadingCase? {
        var trial = trial
        var both: ReadingCase?
        var (onlyFirst, onlySecond) = (false, false)
        for value in candidates[position] {
            trial.values[position] = value
            switch (trial.holds(first), trial.holds(second)) {
            case (true, true):
                if both == nil, !before.contains(where: { trial.holds($0) }) { both = trial }
            case (true, false): onlyFirst = true
            case (false, true): onlySecond = true
            case (false, false): break
            }
        }
        return onlyFirst && onlySecond ? both : nil
    }
}

extension TransitionDraft.Trigger {
    /// True if this trigger fires at each moment at which the other one does.
    fileprivate func covers(_ other: TransitionDraft.Trigger) -> Bool {
        switch (self, other) {
        case (.always, .always): true
        case (.after(let left), .after(let right)): left.interval == right.interval
        case (.quiet(let left), .quiet(let right)):
            left.length.interval == right.length.interval
                && left.subject.hasSameCodePoints(as: right.subject)
        case (.at(let left), .at(let right)): left.equals(right)
        case (.event(let left), .event(let right)):
            right.allSatisfy { event in left.contains { $0.text.describes(event.text) } }
        default: false
        }
    }

    /// The reason for which no message is being handled when this trigger fires; nil for triggers that messages fire.
    fileprivate func momentWithoutMessage(timers names: [String]) -> String? {
        if case .sustained = self { return "a change is over with its message, and no guard holds that long" }
        return isOfTimer(named: names) ? "no message has come when a timer fires" : nil
    }

    /// True for triggers that need no message: `after`, `quiet`, `at`, the end of a timer.
    func isOfTimer(named names: [String]) -> Bool {
        switch self {
        case .after, .quiet, .at: true
        case .always, .sustained, .past: false
        case .event(let events):
            events.allSatisfy { event in
                names.contains { event.text.hasSameCodePoints(as: "\($0).elapsed") }
            }
        }
    }
}

extension TransitionDraft {
    /// True if this transition, without a guard, always leaves the state before the other one is due.
    fileprivate func preempts(_ other: TransitionDraft) -> Bool {
        switch (trigger, other.trigger) {
        case (.always, .always), (.event, _): false
        case (.always, _): !targets.isEmpty
        case (.after(let left), .after(let right)): !targets.isEmpty && left.interval < right.interval
        case (.quiet(let left), .quiet(let right)):
            !targets.isEmpty && left.length.interval < right.length.interval
                && left.subject.hasSameCodePoints(as: right.subject)
        default: false
        }
    }
}

extension String {
    /// True if this descriptor matches every event that the other one matches.
    func describes(_ other: String) -> Bool {
        if self == "*" { return true }
        let name = hasSuffix(".*") ? String(dropLast(2)) : self
        let described = other.hasSuffix(".*") ? String(other.dropLast(2)) : other
        return described.hasSameCodePoints(as: name) || described.utf8.starts(with: (name + ".").utf8)
    }
}

extension DefinitionLinter {
    /// The shortest wait that people can notice and that devices report; a shorter one is probably a mistake.
    private static let shortestWait = Interval.seconds(1)
    /// The shortest sensible round of states or timers without a message; a shorter one is probably a mistake.
    private static let shortestRound = Interval.minutes(1)

    mutating func warnOfShortWaits() {
        for state in states {
            for transition in state.transitions {
                switch transition.trigger {
                case .after(let length): warnIfShort(length)
                case .quiet(let silence): warnIfShort(silence.length)
                case .sustained(let length, let dropout, _):
                    // Less than a second is right here: it keeps out the bouncing of a contact.
                    guard let dropout, dropout.interval >= length.interval else { continue }
                    problems.append(
                        DefinitionProblem(
                            .waitTooShort,
                            at: dropout.place,
                            "'dropout' forgives as much as 'for' asks for, so one reading is enough",
                            remedy: "make it shorter than 'for'"
                        )
                    )
                case .always, .event, .at, .past: break
                }
            }
        }
    }

    private mutating func warnIfShort(_ length: SourceInterval) {
        guard length.interval < Self.shortestWait else { return }
        problems.append(
            DefinitionProblem(
                .waitTooShort,
                at: length.place,
                "a wait this short is over before it can be seen",
                remedy: "wait for 1s or longer, or do without"
            )
        )
    }

    // MARK: At one moment

    /// Reports circles of `always` transitions: a warning if they need certain values of the signals, an error if a
    /// state of the circle has no other way out.
    mutating func warnOfEndlessLoops(_ graph: StateGraph, _ reached: [Bool]) {
        warnOfRestlessStates()
        guard graph.isSimple else { return }
        var told: Set<[Int]> = []
        for start in states.indices where reached[start] && graph.children[start].isEmpty {
            var budget = 1000
            walk(from: start, path: [start], graph, &told, &budget)
        }
    }

    /// Reports transitions without a target whose guard reads nothing that changes: they are taken again and again.
    private mutating func warnOfRestlessStates() {
        for (state, draft) in states.enumerated() {
            for (index, transition) in draft.transitions.enumerated() {
                guard case .always = transition.trigger, transition.targets.isEmpty else { continue }
                let isFree = conditions[state][index].map { alwaysHolds($0) } ?? true
                let isIdle = transition.actions.isEmpty
                let isDeaf = conditions[state][index].map { !readsMachine($0) } ?? true
                guard isFree || isIdle || isDeaf else { continue }
                let message: String
                let remedy: String
                if isFree {
                    message = "this is done again and again without end"
                    remedy = "do it on entry, or add a guard that no longer holds when it is done"
                } else if isIdle {
                    message = "this leads nowhere and does nothing, without end while its guard holds"
                    remedy = "add 'target:' with the state that it leads to"
                } else {
                    message =
                        "this is done again and again while its guard holds, which nothing that is done here changes"
                    remedy =
                        "let an event of the source do it, with 'event:' there and 'on:' here, or let the guard read a "
                        + "variable that is assigned here"
                }
                var problem = DefinitionProblem(.endlessLoop, at: transition.place, message, remedy: remedy)
                problem.severity = .error
                problems.append(problem)
            }
        }
    }

    /// True if a condition reads what actions or other transitions change: variables, timers or states.
    private func readsMachine(_ program: Program) -> Bool {
        program.references.contains { reference in
            switch ReferenceKind(rawValue: reference.kind) {
            case .context, .timer, .timerEnd, .timerElapsed, .inState, .stateName, .stateTitle: true
            default: false
            }
        }
    }

    /// Follows `always` transitions between innermost states, and checks each circle once.
    private mutating func walk(
        from start: Int,
        path: [Int],
        _ graph: StateGraph,
        _ told: inout Set<[Int]>,
        _ budget: inout Int
    ) {
        guard path.count <= 8, let last = path.last else { return }
        for state in graph.chain(of: last) {
            for (index, transition) in states[state].transitions.enumerated() {
                guard case .always = transition.trigger, let target = graph.targets[state][index].first else {
                    continue
                }
                budget -= 1
                guard budget > 0 else { return }
                let next = graph.leaf(of: target)
                if next == start {
                    if told.insert(path.sorted()).inserted { checkCircle(path, graph) }
                } else if !path.contains(next), next > start {
                    walk(from: start, path: path + [next], graph, &told, &budget)
                }
            }
        }
    }

    private mutating func checkCircle(_ path: [Int], _ graph: StateGraph) {
        var programs: [Program] = []
        for state in Set(path.flatMap { graph.chain(of: $0) }).sorted() {
            for (index, transition) in states[state].transitions.enumerated() {
                guard case .always = transition.trigger, let program = conditions[state][index] else {
                    continue
                }
                programs.append(program)
            }
        }
        guard programs.allSatisfy({ readsOnlyFixedValues($0) }), let search = search(programs) else { return }
        var first: Place?
        let found = search.first { trial in
            var leaf = path[0]
            for _ in path.indices {
                guard let step = step(from: leaf, in: trial, graph) else { return false }
                if first == nil || leaf == path[0] { first = step.place }
                leaf = step.leaf
                guard path.contains(leaf) else { return false }
            }
            return leaf == path[0]
        }
        guard let found, let first else { return }
        let names = (path + [path[0]]).map { states[$0].name.text }.joined(separator: " → ")
        let condition = words(found)
        var problem = DefinitionProblem(
            .endlessLoop,
            at: first,
            "this loop never ends" + (condition.isEmpty ? "" : " when \(condition)")
                + ": \(names)",
            remedy: "change a guard so that the machine comes to rest in one of these states"
        )
        if isCertain(path, programs, search, graph) { problem.severity = .error }
        problems.append(problem)
    }

    /// True if the circle never ends once a certain state of it is left.
    ///
    /// That is certain only for guards whose result the cases determine completely.
    private func isCertain(
        _ path: [Int],
        _ programs: [Program],
        _ search: CaseSearch,
        _ graph: StateGraph
    ) -> Bool {
        guard search.count <= 2000, programs.allSatisfy({ $0.isComparison || alwaysHolds($0) }) else {
            return false
        }
        return path.contains { start in
            let rests = search.first { trial in
                step(from: start, in: trial, graph) != nil && !goesRound(path, from: start, trial, graph)
            }
            return rests == nil && search.first { goesRound(path, from: start, $0, graph) } != nil
        }
    }

    private func goesRound(_ path: [Int], from start: Int, _ trial: ReadingCase, _ graph: StateGraph) -> Bool
    {
        var leaf = start
        for _ in 0...path.count {
            guard let step = step(from: leaf, in: trial, graph), path.contains(step.leaf) else {
                return false
            }
            leaf = step.leaf
        }
        return true
    }

    /// True if the machine itself changes nothing that a guard reads.
    func readsOnlyFixedValues(_ program: Program) -> Bool {
        program.references.allSatisfy { reference in
            switch ReferenceKind(rawValue: reference.kind) {
            case .signal, .changed, .reported, .deviceAvailable, .setting, .zone: true
            case .context: !definition.parts.assigns(Int(reference.index))
            default: false
            }
        }
    }

    /// The `always` transition taken from an innermost state, and the innermost state that it leads to.
    func step(
        from leaf: Int,
        in trial: ReadingCase,
        _ graph: StateGraph
    ) -> (leaf: Int, place: Place)? {
        for state in graph.chain(of: leaf) {
            for (index, transition) in states[state].transitions.enumerated() {
                guard case .always = transition.trigger,
                    conditions[state][index].map({ trial.holds($0) }) ?? true
                else { continue }
                let next = graph.targets[state][index].first.map { graph.leaf(of: $0) } ?? leaf
                return (next, transition.place)
            }
        }
        return nil
    }

    // MARK: By time alone

    /// Warns of states that follow each other without messages, and of timers that start themselves, in short rounds.
    mutating func warnOfTimerLoops(_ graph: StateGraph, _ reached: [Bool]) {
        warnOfSelfStartingTimers()
        guard graph.isSimple else { return }
        var isTold = [Bool](repeating: false, count: states.count)
        for start in states.indices where reached[start] && graph.children[start].isEmpty && !isTold[start] {
            var path: [Int] = []
            var length = Interval.zero
            var leaf = start
            var place: Place?
            while !path.contains(leaf), let move = timedMove(from: leaf, graph) {
                if leaf == start { place = move.place }
                path.append(leaf)
                length = length + move.length
                leaf = move.leaf
            }
            guard leaf == start, let place, length > .zero, length < Self.shortestRound else { continue }
            for state in path { isTold[state] = true }
            let names = (path + [start]).map { states[$0].name.text }.joined(separator: " → ")
            let rate = max(1, 3_600_000_000 / length.microseconds)
            problems.append(
                DefinitionProblem(
                    .endlessTimerLoop,
                    at: place,
                    "without any message, this repeats \(rate) times an hour: \(names)",
                    remedy: "let a message decide, or make a round last a minute or longer"
                )
            )
        }
    }

    /// The transition that an innermost state takes first without a message: an `always`, else the shortest wait.
    private func timedMove(
        from leaf: Int,
        _ graph: StateGraph
    ) -> (leaf: Int, length: Interval, place: Place)? {
        var best: (leaf: Int, length: Interval, place: Place)?
        for (index, transition) in states[leaf].transitions.enumerated() {
            guard conditions[leaf][index].map({ alwaysHolds($0) }) ?? true,
                let target = graph.targets[leaf][index].first
            else { continue }
            let length: Interval
            switch transition.trigger {
            case .always: return (graph.leaf(of: target), .zero, transition.place)
            case .after(let written): length = written.interval
            case .quiet(let silence): length = silence.length.interval
            case .event, .sustained, .at, .past: continue
            }
            if let best, best.length <= length { continue }
            best = (graph.leaf(of: target), length, transition.place)
        }
        return best
    }

    private mutating func warnOfSelfStartingTimers() {
        for state in states {
            for transition in state.transitions {
                guard case .event(let events) = transition.trigger, transition.targets.isEmpty else {
                    continue
                }
                for case .start(let name, let text) in transition.actions
                where events.contains(where: { $0.text == "\(name.text).elapsed" }) {
                    guard let length = fixedLength(of: name.text, text), length < Self.shortestRound else {
                        continue
                    }
                    report(
                        .endlessTimerLoop,
                        name,
                        "the timer '\(name.text)' starts itself again every \(length.roundedSeconds) s, without end",
                        remedy: "let a message or a state start it, or make it a minute or longer"
                    )
                }
            }
        }
    }

    /// The length with which a timer is started, if it is a constant.
    private func fixedLength(of name: String, _ text: SourceText?) -> Interval? {
        var text = text
        if text == nil, let timer = draft.timers.first(where: { $0.name.text == name }),
            case .duration(let written) = timer.kind
        {
            text = written
        }
        return text.flatMap { constantLength($0) }
    }
}
