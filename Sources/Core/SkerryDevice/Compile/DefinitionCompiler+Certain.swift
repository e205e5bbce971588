import SkerryExpressions
import SkerryValues

// Mistakes in expressions that are certain although the types are not known.

extension DefinitionCompiler {
    /// Refuses a value of a payload as it is where a time belongs: payloads have numbers and texts.
    mutating func refusePayload(
        _ program: Program,
        _ source: SourceText,
        _ what: String,
        remedy: (_ value: String) -> String
    ) {
        guard program.type == .dyn, isOfPayload(program, within: []) else { return }
        let signal = program.reference.flatMap { reference in
            reference.kind == ReferenceKind.signal.rawValue
                ? draft.firstDraft(ofSignal: parts.signalNames[Int(reference.index)]) : nil
        }
        let value = signal?.text.text ?? source.text
        let isPath = value.utf8.starts(with: "payload.".utf8)
        report(
            .wrongType,
            source,
            "this is a number or a text as the payload has it, and no \(what.dropFirst(2))",
            remedy: (signal.map { "convert it where '\($0.name.text)' is set, " } ?? "convert it, ")
                + remedy(isPath ? value : "payload.left")
        )
    }

    /// True if an expression can only give what a payload has, unchanged.
    private func isOfPayload(_ program: Program, within outer: [Int]) -> Bool {
        guard let returned = program.returnedReferences else { return false }
        var isOfPayload = false
        for reference in returned {
            switch ReferenceKind(rawValue: reference.kind) {
            case .unset: break
            case .payload, .item: isOfPayload = true
            case .signal:
                let index = Int(reference.index)
                if outer.contains(index) { continue }
                let assignments = parts.sources.flatMap { $0.signals }.filter { $0.signal == index }
                guard !assignments.isEmpty, !failedSignals.contains(index),
                    assignments.allSatisfy({
                        $0.form == nil && self.isOfPayload($0.program, within: outer + [index])
                    })
                else { return false }
                isOfPayload = true
            default: return false
            }
        }
        return isOfPayload
    }

    /// Refuses a comparison of `state` with what is not the name of an innermost state.
    mutating func checkStates(comparedBy program: Program, _ source: SourceText, _ range: Range<Int>? = nil) {
        guard !draft.isIncomplete, !draft.unreadNames.contains(.state) else { return }
        for (reference, constant) in program.comparisons {
            guard reference.kind == ReferenceKind.stateName.rawValue, case .string(let text) = constant else {
                continue
            }
            for name in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
                let state = states.dropFirst().first { $0.name.text.hasSameCodePoints(as: name) }
                let isInnermost = state.map { $0.states.isEmpty && !$0.isHistory } ?? false
                // Before the machine has started there is none.
                if isInnermost || text.isEmpty { continue }
                let known = states.dropFirst().filter { $0.states.isEmpty && !$0.isHistory }.map {
                    $0.name.text
                }
                report(
                    .unknownState,
                    source,
                    range ?? 0..<source.text.utf8.count,
                    state == nil
                        ? "there is no state '\(name)'"
                        : "'state' is the innermost state, and '\(name)' has states within it",
                    remedy: state == nil
                        ? nearestName(to: name, among: known).map { "did you mean '\($0)'?" }
                        : "write `inState(\"\(name)\")`"
                )
                return
            }
        }
    }
}

extension StateDraft {
    fileprivate var isHistory: Bool { if case .history = kind { true } else { false } }
}
