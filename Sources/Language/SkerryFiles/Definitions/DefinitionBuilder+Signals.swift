import SkerryDevice
import SkerryValues

extension DefinitionBuilder {
    /// Reads the signals of a source: names with expressions, or with forms.
    mutating func readSignals(_ node: YAMLNode, into source: inout SourceDraft) {
        let example = "write each signal with its expression, as in `{ power: payload.power }`"
        for pair in entries(node, of: "'signals'", names: .signal, remedy: example) {
            guard case .map = pair.value.content else {
                source.signals.append(NamedText(name: pair.key, text: expressionOrAny(pair)))
                continue
            }
            if case .map(let pairs) = pair.value.content,
                pairs.contains(where: { ["value", "valid"].contains($0.key.text) })
            {
                readValidSignal(pair, into: &source)
                continue
            }
            let (text, form) = signalForm(pair)
            source.signals.append(NamedText(name: pair.key, text: text))
            if let form { source.forms.append(form) }
        }
    }

    /// Reads a signal that says which of its values are possible.
    private mutating func readValidSignal(_ pair: YAMLPair, into source: inout SourceDraft) {
        let keys = keys(pair.value, of: "a signal", .signal)
        let text = keys?["value"].flatMap { expression($0, of: "'value'") }
        source.signals.append(NamedText(name: pair.key, text: text ?? unreadable(at: pair.value.place)))
        guard let node = keys?["valid"], let bounds = self.keys(node, of: "'valid'", .validRange) else {
            return
        }
        let least = bounds["min"].flatMap { number($0, of: "'min'", in: SourceKeys.validBounds) }
        let most = bounds["max"].flatMap { number($0, of: "'max'", in: SourceKeys.validBounds) }
        if bounds["min"] == nil, bounds["max"] == nil {
            report(
                .missingKey,
                node,
                "'valid' has no bound",
                remedy:
                    "write the smallest or the greatest possible value, as in `valid: { min: 0, max: 100 }`"
            )
        } else if let least, let most, least > most {
            report(.badValue, node, "'min' is greater than 'max'", remedy: "exchange the two")
        } else {
            let (noLeast, noMost) = (-Double.greatestFiniteMagnitude, Double.greatestFiniteMagnitude)
            source.validRanges.append((pair.key, (least ?? noLeast)...(most ?? noMost)))
        }
    }

    /// Reads a signal that follows values over time: its expression, and the form unless that can't be read.
    private mutating func signalForm(_ pair: YAMLPair) -> (SourceText, SignalFormDraft?) {
        let failed = (unreadable(at: pair.value.place), SignalFormDraft?.none)
        guard var keys = keys(pair.value, of: "a signal over time", .signalForm) else { return failed }
        let kinds = LanguagePart.signalForm.mapping.choice
        guard
            let first = choice(
                &keys,
                of: "a signal",
                among: kinds,
                remedy: { _ in "make two signals of it" }
            ),
            let kind = SignalFormKind.allCases.first(where: { $0.name == first.key.text })
        else {
            report(
                .missingKey,
                pair.key,
                "the signal '\(pair.key.text)' does not say what it is made of",
                remedy: "write its expression alone, or with \(kinds.listed(with: "or"))"
            )
            return failed
        }
        guard let text = expression(first.value, of: "'\(kind.name)'") else { return failed }
        var form = SignalFormDraft(signal: pair.key, kind: kind)
        read(keys, SourceKeys.signalForm, into: &form)
        check(keys, of: kind, pair.key)
        return (text, form)
    }

    /// Reports keys that belong to other figures, and a mean without a length.
    private mutating func check(_ keys: Keys, of kind: SignalFormKind, _ name: SourceText) {
        let kinds = LanguagePart.signalForm.mapping.choice
        for pair in keys.pairs where !kinds.contains(pair.key.text) && !kind.options.contains(pair.key.text) {
            let owners = SignalFormKind.allCases.filter { $0.options.contains(pair.key.text) }.map(\.name)
            report(
                .badValue,
                pair.key,
                "'\(pair.key.text)' does not belong to '\(kind.name)'",
                remedy: "remove it; it is for \(owners.listed)"
            )
        }
        guard [.mean, .median].contains(kind), keys["over"] == nil else { return }
        report(
            .missingKey,
            name,
            "the \(kind.name) '\(name.text)' does not say of which values",
            remedy: "add 'over' with a length of time or a number of values, as in `over: 10m`"
        )
    }

    /// A length of time that is not nothing.
    mutating func length(_ node: YAMLNode, of what: String) -> SourceInterval? {
        guard let length = interval(node, of: what) else { return nil }
        if length.interval > .zero { return length }
        report(
            .badDuration,
            node,
            "\(what) must be longer than nothing",
            remedy: "write a length such as 10s"
        )
        return nil
    }

    /// A number of values, or a length of time.
    mutating func span(_ node: YAMLNode) -> SignalSpan? {
        guard let text = text(node, of: "'over'") else { return nil }
        if let count = Int(text.text) {
            if (2...64).contains(count) { return .count(count) }
            report(
                .badValue,
                node,
                "'over' can't be \(count) values",
                remedy: "write 2 to 64, or a length of time such as 10m"
            )
            return nil
        }
        return length(node, of: "'over'").map { .length($0.interval) }
    }
}
