package import SkerryDevice
package import SkerryMachine

/// The part of a definition's machine that its tests reached.
package struct MachineCoverage: Sendable {
    /// A state that was never entered, or a transition that was never taken.
    package struct Gap: Sendable {
        package var place: Place
        /// Its description, such as `idle → running (operation == "Run")`.
        package var text: String
    }

    /// A number reached out of a total.
    package struct Share: Sendable, Equatable {
        /// The number reached.
        package var reached = 0
        package var total = 0

        /// None of none.
        package init() {}

        /// As people read it: `5 of 6`.
        package var text: String { "\(reached) of \(total)" }
    }

    /// The states, without the machine itself and without history states, which are never active.
    package private(set) var states = Share()
    package private(set) var transitions = Share()
    /// The parts that were not reached, in the order of the file.
    package private(set) var gaps: [Gap] = []

    /// The coverage of nothing, to add others to.
    package init() {}

    /// Counts the states and transitions reached.
    ///
    /// - Parameters:
    ///   - definition: the definition.
    ///   - draft: its draft.
    ///   - reach: the reached parts of its machine.
    package init(_ definition: Definition, _ draft: DefinitionDraft, _ reach: MachineReach) {
        let chart = definition.chart
        for (index, state) in chart.states.enumerated().dropFirst() {
            if case .history = state.kind { continue }
            let isReached = reach.states.contains(StateID(rawValue: UInt16(index)))
            states.count(isReached)
            if !isReached {
                gaps.append(Gap(place: definition.statePlaces[index], text: "state \(state.name)"))
            }
        }
        var drafts: [Place: TransitionDraft] = [:]
        draft.machine.collectTransitions(into: &drafts)
        for (index, transition) in chart.transitions.enumerated() {
            transitions.count(reach.transitions[index])
            if reach.transitions[index] { continue }
            let place = definition.transitionPlaces[index]
            let source = chart[transition.source].name
            let words = drafts[place]?.words ?? ""
            gaps.append(Gap(place: place, text: "\(source.isEmpty ? "machine" : source) \(words)"))
        }
        gaps.sort { $0.place < $1.place }
    }

    /// Adds the figures of another machine, without its gaps.
    package mutating func add(_ other: MachineCoverage) {
        states.add(other.states)
        transitions.add(other.transitions)
    }

    /// The share of states and transitions together that was reached, in percent; 100 of nothing.
    package var percent: Double {
        let total = states.total + transitions.total
        return total == 0 ? 100 : Double(states.reached + transitions.reached) * 100 / Double(total)
    }
}

extension MachineCoverage.Share {
    fileprivate mutating func count(_ isReached: Bool) {
        total += 1
        if isReached { reached += 1 }
    }

    fileprivate mutating func add(_ other: Self) {
        total += other.total
        reached += other.reached
    }
}

extension StateDraft {
    fileprivate func collectTransitions(into found: inout [Place: TransitionDraft]) {
        for transition in transitions { found[transition.place] = transition }
        for state in states { state.collectTransitions(into: &found) }
    }
}

extension TransitionDraft {
    /// Its targets and its trigger, in words.
    fileprivate var words: String {
        let reason =
            switch trigger {
            case .always: ""
            case .event(let names): "on \(names.map { $0.text }.joined(separator: " "))"
            case .after(let length): "after \(DurationText.text(length))"
            case .sustained(let length, _, let reports): "for \(TransitionDraft.words(length, reports))"
            case .quiet(let silence): "quiet \(DurationText.text(silence))"
            case .at(let time): "at \(time.text)"
            case .past(let moment): "past \(moment.text)"
            }
        let target = targets.isEmpty ? "stays" : "→ \(targets.map { $0.text }.joined(separator: ", "))"
        let parts = [reason, condition.map { "if \($0.text)" } ?? ""].filter { !$0.isEmpty }
        return parts.isEmpty ? target : "\(target) (\(parts.joined(separator: ", ")))"
    }
}
