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
            } else if let program = conditions[state][index], transition.trigger.isOfTimer(named: timerNames),
                !canHold(program, whenTimerFires: ())
            {
                report(
                    .noMessageThen,
                    transition.condition ?? states[state].name,
                    "this never holds: no message has come when a timer fires",
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
    private func possibilities(_ program: Program) -> String? {
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
