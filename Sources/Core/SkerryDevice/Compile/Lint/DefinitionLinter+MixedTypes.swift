import SkerryExpressions
import SkerryValues

/// A compiled expression with its text, kept for the linter.
struct CompiledText {
    var source: SourceText
    var program: Program
    /// The number of the source whose payload it reads; nil outside of sources.
    var payload: Int?
}

extension DefinitionLinter {
    /// A signal, a variable, or a path into the payload of a source, which expressions compare with constants.
    private struct Compared: Hashable {
        var reference: Reference
        var payload: Int?
    }

    private struct Comparison {
        var compared: Compared
        var constant: Value
        var text: Int
    }

    /// Warns of values of unknown type that are compared with a text in one place and with a number in another.
    mutating func warnOfMixedTypes() {
        var comparisons: [Compared: [Comparison]] = [:]
        var order: [Compared] = []
        for (number, text) in texts.enumerated() {
            for use in text.program.comparisons {
                guard let compared = compared(use.reference, in: text), isAnything(compared) else { continue }
                if comparisons[compared] == nil { order.append(compared) }
                let comparison = Comparison(compared: compared, constant: use.constant, text: number)
                comparisons[compared, default: []].append(comparison)
            }
        }
        warnOfFields(comparisons)
        warnOfUnknownStates()
        for compared in order {
            guard let (here, there) = contradiction(among: comparisons[compared] ?? []) else { continue }
            let isText = here.constant.isText
            let source = texts[here.text].source
            report(
                .mixedTypes,
                source,
                range(of: here.constant, in: source.text),
                "\(name(of: compared)) is compared with a \(isText ? "text" : "number") here, and with a "
                    + "\(isText ? "number" : "text") on line \(texts[there.text].source.place.line)",
                remedy: "one of the two never holds: a number has no quotes, and a text has"
            )
        }
    }

    /// Warns of fields read from a value that is compared with a text or a number elsewhere: such a value has no
    /// fields.
    private mutating func warnOfFields(_ comparisons: [Compared: [Comparison]]) {
        for text in texts {
            for field in text.program.fields {
                guard let compared = compared(field.reference, in: text), isAnything(compared),
                    let other = comparisons[compared]?
                        .first(where: { $0.constant.isText || $0.constant.isNumber })
                else { continue }
                let what = other.constant.isText ? "text" : "number"
                let written = name(of: compared).filter { $0 != "'" }
                report(
                    .mixedTypes,
                    text.source,
                    "\(name(of: compared)) is compared with a \(what) on line "
                        + "\(texts[other.text].source.place.line), and a \(what) has no field '\(field.name)'",
                    remedy: field.name == "length" && other.constant.isText
                        ? "write `size(\(written))`" : "correct one of the two"
                )
            }
        }
    }

    /// Reports comparisons of `state` with names of no state.
    private mutating func warnOfUnknownStates() {
        let names = states.dropFirst().map { $0.name.text }
        let isParallel = states.contains { if case .parallel = $0.kind { true } else { false } }
        guard !isParallel else { return }
        for text in texts {
            for use in text.program.comparisons where use.reference == ReferenceKind.stateName.reference() {
                guard case .string(let name) = use.constant, !names.contains(name) else { continue }
                let near = nearestName(to: name, among: names)
                report(
                    .unknownState,
                    text.source,
                    range(of: use.constant, in: text.source.text),
                    "there is no state '\(name)'",
                    remedy: near.map { "did you mean '\($0)'?" }
                        ?? "there are: \(names.prefix(12).joined(separator: ", "))"
                )
            }
        }
    }

    /// A comparison with a text and one with a number, unless one expression compares with both on purpose.
    private func contradiction(among all: [Comparison]) -> (here: Comparison, there: Comparison)? {
        let texts = all.filter { $0.constant.isText }
        let numbers = all.filter { $0.constant.isNumber }
        guard let text = texts.first, let number = numbers.first,
            Set(texts.map { $0.text }).isDisjoint(with: numbers.map { $0.text })
        else { return nil }
        return texts.count <= numbers.count ? (text, number) : (number, text)
    }

    private func compared(_ reference: Reference, in text: CompiledText) -> Compared? {
        switch ReferenceKind(rawValue: reference.kind) {
        case .signal, .context: return Compared(reference: reference)
        case .payload:
            guard let source = text.payload else { return nil }
            // A signal that is just a field of the payload counts as the field itself.
            for other in texts where other.payload == source && other.program.reference == reference {
                let index = definition.signalNames.firstIndex { name in
                    draft.sources[source].signals.contains {
                        $0.name.text.hasSameCodePoints(as: name) && $0.text == other.source
                    }
                }
                if let index { return Compared(reference: ReferenceKind.signal.reference(index)) }
            }
            return Compared(reference: reference, payload: source)
        default: return nil
        }
    }

    private func isAnything(_ compared: Compared) -> Bool {
        guard compared.reference.kind == ReferenceKind.signal.rawValue else { return true }
        return definition.signalTypes[Int(compared.reference.index)] == .dyn
    }

    private func name(of compared: Compared) -> String {
        let index = Int(compared.reference.index)
        return switch ReferenceKind(rawValue: compared.reference.kind) {
        case .signal: "'\(definition.signalNames[index])'"
        case .context: "'context.\(definition.variableNames[index])'"
        default: "this field of the payload"
        }
    }

    /// The position of a constant in an expression; the whole expression if the constant is written differently.
    private func range(of constant: Value, in text: String) -> Range<Int> {
        let bytes = Array(text.utf8)
        for written in [literal(constant), "'\(literal(constant).dropFirst().dropLast())'"] {
            let wanted = Array(written.utf8)
            guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: wanted) }) else {
                continue
            }
            return start..<start + wanted.count
        }
        return 0..<bytes.count
    }
}

extension Value {
    /// True for a text, except those that devices send in place of a missing number.
    fileprivate var isText: Bool {
        guard case .string(let text) = self else { return false }
        return !["", "unknown", "unavailable", "none", "None", "null", "nan", "NaN", "-"].contains(text)
    }

    fileprivate var isNumber: Bool {
        switch self {
        case .int, .uint, .double: true
        default: false
        }
    }
}
