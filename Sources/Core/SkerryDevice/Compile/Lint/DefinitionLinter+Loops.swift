import SkerryExpressions
import SkerryValues

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
                    warnIfShort(length)
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
                guard isFree || transition.actions.isEmpty else { continue }
                var problem = DefinitionProblem(
                    .endlessLoop,
                    at: transition.place,
                    isFree
                        ? "this is done again and again without end"
                        : "this leads nowhere and does nothing, without end while its guard holds",
                    remedy: isFree
                        ? "do it on entry, or add a guard that no longer holds when it is done"
                        : "add 'target:' with the state that it leads to"
                )
                problem.severity = .error
                problems.append(problem)
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
        var paths = PathTable()
        guard let text, let program = try? Program.compile(text.text, in: scope, paths: &paths),
            case .duration(let length) = program.evaluate(
                from: ReadingCase(references: [], values: []),
                (),
                costLimit: 1000
            )
        else { return nil }
        return length.interval
    }

    /// Reports circles of states that raise, each on its entry, the event that leads to the next one.
    ///
    /// Only what is certain is followed: one raised event, no guard, and nothing that could be taken before it.
    mutating func reportRaisedLoops(_ graph: StateGraph, _ reached: [Bool]) {
        guard graph.isSimple else { return }
        var isTold = [Bool](repeating: false, count: states.count)
        for start in states.indices where reached[start] && graph.children[start].isEmpty && !isTold[start] {
            var path = [start]
            var first: Place?
            while let leaf = path.last, let step = raisedStep(from: leaf, graph) {
                first = first ?? step.place
                if step.leaf == start, let first {
                    for state in path { isTold[state] = true }
                    let names = (path + [start]).map { states[$0].name.text }.joined(separator: " → ")
                    var problem = DefinitionProblem(
                        .endlessLoop,
                        at: first,
                        "this loop of raised events never ends: \(names)",
                        remedy: "raise the event in one of the transitions instead, or add a guard"
                    )
                    problem.severity = .error
                    problems.append(problem)
                    break
                }
                if path.contains(step.leaf) { break }
                path.append(step.leaf)
            }
        }
    }

    /// The transition that an innermost state certainly takes by the event that its own entry raises.
    private func raisedStep(from leaf: Int, _ graph: StateGraph) -> (leaf: Int, place: Place)? {
        let raised = states[leaf].entry.compactMap { action -> String? in
            if case .raise(let event) = action { event.text } else { nil }
        }
        guard raised.count == 1 else { return nil }
        for state in graph.chain(of: leaf) {
            for (index, transition) in states[state].transitions.enumerated() {
                let events: [String]
                switch transition.trigger {
                case .always: return nil
                case .event(let descriptors): events = descriptors.map { $0.text }
                case .after, .sustained, .quiet, .at, .past: continue
                }
                if events.contains(where: { $0.utf8.last == UInt8(ascii: "*") }) { return nil }
                guard events.contains(where: { $0.hasSameCodePoints(as: raised[0]) }) else { continue }
                guard transition.condition == nil, transition.actions.isEmpty, !transition.isInternal,
                    let target = graph.targets[state][index].first
                else { return nil }
                return (graph.leaf(of: target), transition.place)
            }
        }
        return nil
    }
}
