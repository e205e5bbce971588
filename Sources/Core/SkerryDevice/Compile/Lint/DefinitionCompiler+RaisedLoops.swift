import SkerryValues

extension DefinitionCompiler {
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
                case .after, .sustained, .quiet, .at: continue
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
