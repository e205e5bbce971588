import SkerryExpressions
import SkerryMachine
import SkerryValues

/// The texts that a definition distinguishes in signals such as `status`.
struct KnownWords: Sendable {
    /// The signals whose other texts make no difference to any guard, so that a device says them in vain.
    private(set) var signals = SignalSet()
    /// The texts that any expression compares a signal with, by the number of the signal.
    private var words: [[String]]

    /// Gathers the texts: guards decide, and expressions that make signals of signals.
    init(of parts: DefinitionParts, chart: Statechart) {
        let types = parts.signalTypes
        let forks = chart.forks.map { parts.guards[Int($0.rawValue)] }
        let deciding = parts.guards + parts.sources.flatMap { $0.signals.map { $0.program } }
        let all = parts.expressions.map { $0.program }
        words = types.map { _ in [] }
        for number in types.indices where types[number] == .string || types[number] == .dyn {
            let reference = ReferenceKind.signal.reference(number)
            var isAll = true
            var isDecided = false
            for program in deciding where program.references.contains(reference) {
                let (found, isAllOfProgram) = program.words(comparedWith: reference)
                if !isAllOfProgram || forks.contains(where: { $0 === program }) { isAll = false }
                // A comparison with an empty text asks only whether there is one.
                if found.contains(where: { !$0.utf8.isEmpty }) { isDecided = true }
            }
            guard isAll, isDecided else { continue }
            signals.insert(number)
            for program in all where program.references.contains(reference) {
                words[number] += program.words(comparedWith: reference).words
            }
        }
    }

    /// Returns whether a text says that there is no value, as `None` does.
    static func isNothing(_ text: String) -> Bool {
        guard text.utf8.count <= 11 else { return false }
        return ["", "none", "null", "unknown", "unavailable"].contains(text.lowercased())
    }

    /// The text of a value of a signal that makes no difference to any guard; nil for all others, and for one that says that
    /// there is no value.
    func unknownWord(_ value: Value, of signal: Int) -> String? {
        guard signals.contains(signal), case .string(let text) = value, !Self.isNothing(text),
            !words[signal].contains(where: { $0.hasSameCodePoints(as: text) })
        else { return nil }
        return text
    }
}

extension Statechart {
    /// The guards that lead one way if they hold and another one if not: those with an `else`, and those of a transition before
    /// one that the same trigger takes in any case.
    fileprivate var forks: [GuardID] {
        var forks: [GuardID] = []
        for state in states {
            for action in state.initialActions + state.entry.joined() + state.exit.joined() {
                action.addForks(to: &forks)
            }
            let others = state.transitions.map { self[$0] }
            for (place, transition) in others.enumerated() {
                for action in transition.actions { action.addForks(to: &forks) }
                guard let condition = transition.condition else { continue }
                let last = others[place...].first { $0.condition == nil && $0.trigger == transition.trigger }
                if last != nil { forks.append(condition) }
            }
        }
        return forks
    }
}

extension Statechart.Action {
    fileprivate func addForks(to forks: inout [GuardID]) {
        switch self {
        case .choose(let condition, let actions, let otherwise):
            if !otherwise.isEmpty { forks.append(condition) }
            for action in actions + otherwise { action.addForks(to: &forks) }
        case .attempt(let actions): for action in actions { action.addForks(to: &forks) }
        case .raise, .send, .cancel, .start, .stop, .pause, .resume, .extend, .host: break
        }
    }
}
