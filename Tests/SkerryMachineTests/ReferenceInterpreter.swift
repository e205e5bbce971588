import SkerryMachine

/// The algorithm of SCXML appendix D written down word by word, slow and simple, to compare with.
///
/// Only events, conditions by switch, raised events and host actions. The one difference is that a parallel state can
/// be the domain of a transition, as it can in the machine.
struct ReferenceInterpreter {
    let chart: Statechart
    let switches: [UInt16: Bool]
    var configuration: [Int] = []
    var historyValue: [Int: [Int]] = [:]
    var internalQueue: [String] = []
    var log: [UInt16] = []
    var running = true
    var microsteps = 0

    init(_ chart: Statechart, switches: [UInt16: Bool]) {
        self.chart = chart
        self.switches = switches
    }

    var atomic: [Int] { configuration.filter(isAtomic).sorted() }

    mutating func start() {
        enter(transitions: nil)
        macrostep()
    }

    mutating func handle(_ event: String) {
        guard running else { return }
        let enabled = select(event)
        if !enabled.isEmpty { microstep(enabled) }
        macrostep()
    }

    private mutating func macrostep() {
        while running, microsteps < 400 {
            var enabled = select(nil)
            if enabled.isEmpty {
                if internalQueue.isEmpty { return }
                enabled = select(internalQueue.removeFirst())
            }
            if !enabled.isEmpty { microstep(enabled) }
        }
        if !running {
            for state in configuration.sorted(by: >) { run(chart.states[state].exit) }
        }
    }

    private mutating func microstep(_ enabled: [Int]) {
        microsteps += 1
        let leaving = exitSet(enabled).sorted(by: >)
        for state in leaving {
            for history in chart.states.indices where isHistory(history) && parent(history) == state {
                let isDeep = chart.states[history].kind == .history(deep: true)
                historyValue[history] = configuration.filter { active in
                    isDeep ? isAtomic(active) && isDescendant(active, state) : parent(active) == state
                }
            }
        }
        for state in leaving {
            run(chart.states[state].exit)
            configuration.removeAll { $0 == state }
        }
        for transition in enabled { run([chart.transitions[transition].actions]) }
        enter(transitions: enabled)
    }

    private func select(_ event: String?) -> [Int] {
        var enabled: [Int] = []
        for leaf in atomic {
            search: for state in [leaf] + properAncestors(leaf) {
                for transition in chart.states[state].transitions.map({ Int($0.rawValue) }) {
                    switch (chart.transitions[transition].trigger, event) {
                    case (.always, nil): break
                    case (.event(let names), let event?) where names.contains(event): break
                    default: continue
                    }
                    let condition = chart.transitions[transition].condition
                    guard condition.map({ switches[$0.rawValue] ?? false }) ?? true else { continue }
                    if !enabled.contains(transition) { enabled.append(transition) }
                    break search
                }
            }
        }
        var filtered: [Int] = []
        for first in enabled {
            var isPreempted = false
            var removed: [Int] = []
            for second in filtered where !Set(exitSet([first])).isDisjoint(with: exitSet([second])) {
                if isDescendant(source(first), source(second)) {
                    removed.append(second)
                } else {
                    isPreempted = true
                    break
                }
            }
            if isPreempted { continue }
            filtered.removeAll { removed.contains($0) }
            filtered.append(first)
        }
        return filtered
    }

    private func exitSet(_ transitions: [Int]) -> [Int] {
        configuration.filter { state in
            transitions.contains { transition in domain(transition).map { isDescendant(state, $0) } ?? false }
        }
    }

    private func domain(_ transition: Int) -> Int? {
        let targets = effectiveTargets(chart.transitions[transition].targets.map { Int($0.rawValue) })
        if targets.isEmpty { return nil }
        let source = source(transition)
        if source == 0 { return 0 }
        if chart.transitions[transition].isInternal, chart.states[source].kind == .compound,
            targets.allSatisfy({ isDescendant($0, source) })
        {
            return source
        }
        return properAncestors(source).first { ancestor in targets.allSatisfy { isDescendant($0, ancestor) } }
    }

    private func effectiveTargets(_ targets: [Int]) -> [Int] {
        targets.flatMap { target -> [Int] in
            if !isHistory(target) { return [target] }
            return historyValue[target] ?? effectiveTargets(initial(target))
        }
    }

    private mutating func enter(transitions: [Int]?) {
        var entry = Entry()
        if let transitions {
            for transition in transitions {
                guard let domain = domain(transition) else { continue }
                let targets = chart.transitions[transition].targets.map { Int($0.rawValue) }
                for target in targets { addDescendants(target, &entry) }
                for target in effectiveTargets(targets) { addAncestors(target, domain, &entry) }
                if chart.states[domain].kind == .parallel { addRegions(domain, &entry) }
            }
        } else {
            addDescendants(0, &entry)
        }
        for state in entry.states.sorted() {
            configuration.append(state)
            run(chart.states[state].entry)
            if entry.byDefault.contains(state) { run([chart.states[state].initialActions]) }
            for history in entry.histories.sorted() where parent(history) == state {
                run([chart.states[history].initialActions])
            }
            guard chart.states[state].kind == .final else { continue }
            let holder = parent(state)
            if holder == 0 {
                running = false
            } else {
                internalQueue.append("done.state." + chart.states[holder].name)
                let outer = parent(holder)
                if chart.states[outer].kind == .parallel, isInFinal(outer) {
                    internalQueue.append("done.state." + chart.states[outer].name)
                }
            }
        }
    }

    private struct Entry {
        var states: Set<Int> = []
        var byDefault: Set<Int> = []
        var histories: Set<Int> = []
    }

    private func addDescendants(_ state: Int, _ entry: inout Entry) {
        if isHistory(state) {
            let remembered = historyValue[state]
            if remembered == nil { entry.histories.insert(state) }
            let targets = remembered ?? initial(state)
            for target in targets { addDescendants(target, &entry) }
            for target in targets { addAncestors(target, parent(state), &entry) }
            return
        }
        entry.states.insert(state)
        switch chart.states[state].kind {
        case .compound:
            entry.byDefault.insert(state)
            for target in initial(state) { addDescendants(target, &entry) }
            for target in initial(state) { addAncestors(target, state, &entry) }
        case .parallel: addRegions(state, &entry)
        case .atomic, .final, .history: break
        }
    }

    private func addAncestors(_ state: Int, _ end: Int, _ entry: inout Entry) {
        for ancestor in properAncestors(state).prefix(while: { $0 != end }) {
            entry.states.insert(ancestor)
            if chart.states[ancestor].kind == .parallel { addRegions(ancestor, &entry) }
        }
    }

    private func addRegions(_ state: Int, _ entry: inout Entry) {
        for child in children(state) where !entry.states.contains(where: { isDescendant($0, child) }) {
            addDescendants(child, &entry)
        }
    }

    private mutating func run(_ blocks: [[Statechart.Action]]) {
        for action in blocks.joined() {
            switch action {
            case .host(let number): log.append(number)
            case .raise(let event): internalQueue.append(event)
            default: break
            }
        }
    }

    private func isInFinal(_ state: Int) -> Bool {
        switch chart.states[state].kind {
        case .compound:
            children(state).contains { chart.states[$0].kind == .final && configuration.contains($0) }
        case .parallel: children(state).allSatisfy(isInFinal)
        case .atomic, .final, .history: false
        }
    }

    private func source(_ transition: Int) -> Int { Int(chart.transitions[transition].source.rawValue) }
    private func parent(_ state: Int) -> Int { state == 0 ? -1 : Int(chart.states[state].parent.rawValue) }
    private func initial(_ state: Int) -> [Int] {
        chart.states[state].initialTargets.map { Int($0.rawValue) }
    }
    private func isHistory(_ state: Int) -> Bool {
        if case .history = chart.states[state].kind { true } else { false }
    }
    private func isAtomic(_ state: Int) -> Bool { [.atomic, .final].contains(chart.states[state].kind) }
    private func children(_ state: Int) -> [Int] {
        chart.states.indices.filter { parent($0) == state && !isHistory($0) }
    }
    private func properAncestors(_ state: Int) -> [Int] {
        state == 0 ? [] : [parent(state)] + properAncestors(parent(state))
    }
    private func isDescendant(_ state: Int, _ other: Int) -> Bool { properAncestors(state).contains(other) }
}
