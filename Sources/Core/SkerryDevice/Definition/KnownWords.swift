import SkerryExpressions
import SkerryValues

/// The texts that a definition distinguishes in signals such as `status`.
struct KnownWords: Sendable {
    /// The signals whose other texts make no difference to any guard, so that a device says them in vain.
    private(set) var signals = SignalSet()
    /// The texts that any expression compares a signal with, by the number of the signal.
    private var words: [[String]]

    /// Gathers the texts: guards decide, and expressions that make signals of signals.
    init(of parts: DefinitionParts) {
        let types = parts.signalTypes
        let deciding = parts.guards + parts.sources.flatMap { $0.signals.map { $0.program } }
        let all = parts.expressions.map { $0.program }
        words = types.map { _ in [] }
        for number in types.indices where types[number] == .string || types[number] == .dyn {
            let reference = ReferenceKind.signal.reference(number)
            var isAll = true
            var isDecided = false
            for program in deciding where program.references.contains(reference) {
                let (found, isAllOfProgram) = program.words(comparedWith: reference)
                if !isAllOfProgram { isAll = false }
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
