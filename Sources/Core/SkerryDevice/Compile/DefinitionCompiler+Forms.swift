import SkerryExpressions
import SkerryMachine
import SkerryValues

extension DefinitionCompiler {
    /// Compiles the form of a signal that follows values over time; nil for a plain signal.
    mutating func form(
        of signal: NamedText,
        number: Int,
        _ program: Program,
        in source: SourceDraft,
        _ scope: Scope,
        paths: inout PathTable
    ) -> SignalForm? {
        let known = parts.signalForms.first { $0.signal == number }
        guard let draft = source.forms.first(where: { $0.signal == signal.name }) else {
            if known != nil { reportOtherForm(signal.name) }
            return nil
        }
        var form = SignalForm(signal: number, history: parts.signalForms.count, kind: draft.kind)
        form.span = draft.over ?? form.span
        form.per = draft.per?.interval ?? form.per
        form.gap = draft.gap?.interval ?? form.gap
        form.wraps = draft.wraps
        form.delay = draft.delay?.interval
        if draft.kind == .pace {
            form.watched = Dependencies(program).signals
            form.span = .count(Int(Statechart.reportLimit))
        }
        check(program, signal.text, draft.kind)
        if let off = draft.off {
            form.off = self.program(off, in: scope, paths: &paths)
            if let program = form.off { check(program, off, draft.kind) }
        }
        checkReadings(of: program, signal, in: source)
        guard known == nil else {
            form.history = known?.history ?? form.history
            if known?.isLike(form) == false { reportOtherForm(signal.name) }
            return form
        }
        if plainSignals.contains(number) { reportOtherForm(signal.name) }
        guard parts.signalForms.count < SignalForm.limit else {
            report(
                .tooMany,
                signal.name,
                "a definition may have at most \(SignalForm.limit) signals that follow values over time"
            )
            return nil
        }
        parts.signalForms.append(form)
        return form
    }

    private mutating func reportOtherForm(_ name: SourceText) {
        report(
            .duplicateName,
            name,
            "'\(name.text)' is made in another way in another source",
            remedy: "write it in the same way in each source, or name it differently"
        )
    }

    private mutating func check(_ program: Program, _ text: SourceText, _ kind: SignalFormKind) {
        let fitting: [ExpressionType] = kind == .on ? [.bool, .dyn] : [.int, .uint, .double, .dyn]
        guard !fitting.contains(program.type) else { return }
        let what = kind == .on ? "a condition must be bool" : "'\(kind.name)' takes a number"
        report(
            .wrongType,
            text,
            "\(what), this is \(program.type.description)",
            remedy: kind == .on
                ? "compare with something, as in power > 10" : "write double(…), or another expression"
        )
    }

    /// Checks that messages of the source can give a new value.
    private mutating func checkReadings(of program: Program, _ signal: NamedText, in source: SourceDraft) {
        let dependencies = Dependencies(program)
        guard !dependencies.everything else { return }
        let isTold = source.signals.contains { other in
            parts.signalNames.indices.contains { index in
                dependencies.signals.contains(index)
                    && parts.signalNames[index].hasSameCodePoints(as: other.name.text)
            }
        }
        guard !isTold else { return }
        report(
            .badValue,
            signal.text,
            "no message of this source gives this another value",
            remedy: "write it in the source that sets the signal, or read the payload"
        )
    }
}
