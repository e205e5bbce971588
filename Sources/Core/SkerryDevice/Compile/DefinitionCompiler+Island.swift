import SkerryActivity
import SkerryExpressions
import SkerryMachine
import SkerryValues

extension DefinitionCompiler {
    /// Compiles the island: templates over attributes and content, and timers that the content has.
    mutating func compileIsland() {
        guard let island = draft.island else { return }
        guard let activity = draft.activity else {
            checkTint(island.tint)
            if let first = island.elements.first, !draft.isIncomplete {
                report(.badIsland, first.value, "an island without an activity", remedy: "add 'activity:'")
            }
            return
        }
        var fields = Scope()
        fields.toleratesUnknownNames = draft.unreadNames.contains(.field)
        fields.declare("device", type: .string, as: ReferenceKind.deviceID.reference())
        let names = activity.attributes.map { $0.name.text } + activity.content.map { $0.name.text }
        for (index, name) in names.enumerated() {
            fields.declare(name, type: .dyn, as: ReferenceKind.field.reference(index))
        }
        let times = activity.content
            .filter { field in draft.timers.contains { field.value.text == "timer.\($0.name.text)" } }
            .map { $0.name.text }
        let tints = colours(of: island)
        let elements = island.elements.map { compile($0, in: fields, times: times) }
        var links: [(region: IslandRegion, link: TextTemplate)] = []
        for link in island.links {
            if let template = islandLink(link.value, in: link.region, fields) {
                links.append((link.region, template))
            }
        }
        let buttons = buttons(of: island, fields)
        parts.island = Island(
            tint: island.tint.flatMap { $0.text.braced == nil ? $0.text : nil },
            tints: tints,
            symbol: island.symbol?.text,
            elements: elements,
            links: links,
            alignments: island.alignments,
            buttons: buttons,
            attributes: activity.attributes.map { $0.name.text },
            fields: activity.content.map { $0.name.text }
        )
        checkRollingTexts()
    }

    private mutating func compile(
        _ element: IslandElementDraft,
        in fields: Scope,
        times: [String]
    ) -> Island.Element {
        var text: TextTemplate?
        var symbols: IslandLayout.Choice?
        switch element.kind {
        case .symbol:
            if let name = element.value.text.braced { symbols = self.symbols(chosenBy: name, element.value) }
        case .text, .title, .caption: text = template(element.value, in: fields)
        case .countdown, .minutes, .progress: checkShown(element, times: times)
        case .row: break
        }
        return Island.Element(
            region: element.region,
            kind: element.kind,
            source: element.value,
            text: text,
            symbols: symbols,
            tint: element.tint.flatMap { tint($0) },
            circle: element.circle.flatMap { tint($0) },
            image: element.image.flatMap { picture($0) },
            link: element.link.flatMap { islandLink($0, in: element.region, fields) },
            whole: element.whole,
            steps: element.steps,
            lines: element.lines,
            transition: element.transition,
            cells: element.cells.map { cell in cell.map { compile($0, in: fields, times: times) } },
            fittedCells: element.fittedCells
        )
    }

    /// Checks that a clock or a bar shows a timer of the content, or a bar a number with a whole.
    private mutating func checkShown(_ element: IslandElementDraft, times: [String]) {
        let name = element.value
        let field = draft.activity?.content.first { $0.name.text.hasSameCodePoints(as: name.text) }
        guard !draft.unreadNames.contains(.timer), !failedFields.contains(name.text) else { return }
        if times.contains(name.text) {
            guard element.whole != nil || element.steps != nil else { return }
            report(
                .badIsland,
                name,
                "'\(name.text)' is a timer, which knows its own whole",
                remedy: "leave out 'of' and 'steps', or name a number of the content"
            )
            return
        }
        guard element.kind == .progress, let field else {
            reportUnknown(.badIsland, "time in the content called", name, known: times, of: .field)
            return
        }
        if field.whole != nil || element.whole != nil || element.steps != nil { return }
        report(
            .badIsland,
            name,
            "a bar can't show '\(name.text)': it is no timer, and a number needs the whole that fills the bar",
            remedy: "write the field as `\(name.text): { value: …, of: 100 }`"
        )
    }
}

// MARK: - Transitions

extension DefinitionCompiler {
    /// Checks that numbers are all that changes in texts whose digits roll: letters would roll, too.
    private mutating func checkRollingTexts() {
        guard let island = parts.island, let contract = parts.activity?.contract else { return }
        for element in island.views where element.transition == .numeric {
            var hasNumber = false
            for case .expression(let program, let range) in element.text?.parts ?? [] {
                guard case .field(let name)? = island.shown(by: program),
                    let field = contract.content.first(where: { $0.name.hasSameCodePoints(as: name) })
                else { continue }
                hasNumber = true
                if field.type == .int || field.type == .double { continue }
                report(
                    .badIsland,
                    element.source,
                    range,
                    "only digits can roll, and the type of '\(name)' is '\(field.type.name)'",
                    remedy: "give the field `type: int` or `type: double`, or write `transition: opacity`"
                )
            }
            guard !hasNumber else { continue }
            report(
                .badIsland,
                element.source,
                "only digits can roll, and this text shows no number of the content",
                remedy: "show one, or leave out 'transition'"
            )
        }
    }
}

// MARK: - Links

extension DefinitionCompiler {
    /// Compiles a link of a region, a view or a button, which shows fields as they are.
    mutating func islandLink(
        _ link: SourceText,
        in region: IslandRegion,
        _ fields: Scope
    ) -> TextTemplate? {
        guard region.isLarge else {
            report(
                .badIsland,
                link,
                "from here, iOS opens the link of the activity",
                remedy: "write the link in 'activity:', or in a region of 'expanded' or in 'lock'"
            )
            return nil
        }
        checkLink(link)
        guard let template = template(link, in: fields) else { return nil }
        for case .expression(let program, let range) in template.parts where program.reference == nil {
            report(
                .badIsland,
                link,
                range,
                "phones put fields into links as they are and can't compute this",
                remedy: "compute it in a field of 'content:' and name that"
            )
        }
        return template
    }
}

// MARK: - Symbols and colours

extension DefinitionCompiler {
    /// The symbols that a name in braces chooses: `state.symbol`, or a field whose values are symbols.
    private mutating func symbols(chosenBy name: String, _ source: SourceText) -> IslandLayout.Choice? {
        if name == "state.symbol" {
            let cases = byState { $0.symbol?.text }
            if cases.isEmpty, !draft.isIncomplete {
                report(
                    .badIsland,
                    source,
                    "no state has a symbol",
                    remedy: "give states a 'symbol:', beside their titles"
                )
            }
            return IslandLayout.Choice(
                field: nil,
                cases: cases.map { .init(value: $0.value, result: IslandSymbol.systemName(of: $0.result)) }
            )
        }
        return values(ofField: name, source, "symbols", example: "washer").map { values in
            IslandLayout.Choice(
                field: name,
                cases: values.map { .init(value: $0, result: IslandSymbol.systemName(of: $0)) }
            )
        }
    }

    /// The colours of an island that change: by a field in its `tint`, or those of states.
    private mutating func colours(of island: IslandDraft) -> IslandLayout.Choice? {
        for state in states { checkTint(state.tint) }
        let byState = byState { $0.tint?.text }
        guard let tint = island.tint, let name = tint.text.braced else {
            checkTint(island.tint)
            return byState.isEmpty ? nil : IslandLayout.Choice(field: nil, cases: byState)
        }
        if let state = states.first(where: { $0.tint != nil }), let other = state.tint {
            report(
                .badIsland,
                other,
                "the field '\(name)' gives the island its colour, so a state can't",
                remedy: "leave out one of the two"
            )
        }
        guard let values = values(ofField: name, tint, "colours", example: "#2a9d8f") else { return nil }
        for value in values where !value.isColour {
            report(
                .badIsland,
                tint,
                "'\(name)' can be '\(value)', which is not a colour",
                remedy: Self.colourRemedy
            )
        }
        return IslandLayout.Choice(field: name, cases: values.map { .init(value: $0, result: $0) })
    }

    /// The innermost states that have a property, or are within a state that has it, with the innermost of these.
    private func byState(_ property: (StateDraft) -> String?) -> [IslandLayout.Choice.Case] {
        var cases: [IslandLayout.Choice.Case] = []
        func visit(_ state: StateDraft, _ inherited: String?) {
            let own = property(state) ?? inherited
            if let own, state.isInnermost { cases.append(.init(value: state.name.text, result: own)) }
            for child in state.states { visit(child, own) }
        }
        visit(draft.machine, nil)
        return cases
    }

    /// The texts that a field of the content can be; an error when they are not known.
    private mutating func values(
        ofField name: String,
        _ source: SourceText,
        _ what: String,
        example: String
    ) -> [String]? {
        let names = draft.activity?.content.map { $0.name.text } ?? []
        guard let index = names.firstIndex(where: { $0.hasSameCodePoints(as: name) }) else {
            reportUnknown(
                .badIsland,
                "field of the content called",
                SourceText(name, at: source.place),
                known: names,
                of: .field
            )
            return nil
        }
        if failedFields.contains(name) { return nil }
        let field = parts.activity?.field(called: name)
        var values: [String] = []
        for value in field?.possibleValues ?? [] {
            guard case .string(let text) = value else {
                return reportUnknownValues(source, names[index], what, example)
            }
            if !values.contains(where: { $0.hasSameCodePoints(as: text) }) { values.append(text) }
        }
        return values.isEmpty ? reportUnknownValues(source, names[index], what, example) : values
    }

    private mutating func reportUnknownValues(
        _ source: SourceText,
        _ name: String,
        _ what: String,
        _ example: String
    ) -> [String]? {
        report(
            .badIsland,
            source,
            "the \(what) that '\(name)' can be are not known",
            remedy: "write all of them in its expression, as in `power > 100 ? \"\(example)\" : …`"
        )
        return nil
    }

    private mutating func tint(_ source: SourceText) -> IslandLayout.Tint? {
        if source.text == "island" { return .island }
        if source.text.isColour { return .colour(source.text) }
        report(
            .badIsland,
            source,
            "'\(source.text)' is not a colour",
            remedy: "write it as \"#rrggbb\", or `island` for the colour of the island"
        )
        return nil
    }

    private mutating func checkTint(_ tint: SourceText?) {
        guard let tint, !tint.text.isColour else { return }
        report(.badIsland, tint, "'\(tint.text)' is not a colour", remedy: Self.colourRemedy)
    }

    /// The name of a picture, which is always the same: an app has its pictures before it knows any value.
    private mutating func picture(_ source: SourceText) -> String? {
        let name = source.text
        if name.utf8.count <= Self.longestPicture, !name.contains("{") { return name }
        report(
            .badIsland,
            source,
            "'\(name)' is not the name of a picture",
            remedy:
                "write the name that it has in the app's asset catalogue, up to \(Self.longestPicture) bytes"
        )
        return nil
    }

    /// The longest name of a picture in bytes.
    private static let longestPicture = 128

    private static let colourRemedy = "write it as \"#rrggbb\""
}

extension ActivityDefinition {
    /// The expression of a field of the content; nil for a timer.
    fileprivate func field(called name: String) -> Program? {
        for (field, content) in zip(plan.fields, content) where field.name.hasSameCodePoints(as: name) {
            if case .expression(let value) = content.source { return value.program }
        }
        return nil
    }
}

extension String {
    /// The name in a text that is one name in braces; nil for other texts.
    var braced: String? {
        guard utf8.count > 2, hasPrefix("{"), hasSuffix("}"), !hasPrefix("{{") else { return nil }
        return String(dropFirst().dropLast().filter { $0 != " " })
    }

    /// True for `#rrggbb`.
    fileprivate var isColour: Bool {
        utf8.count == 7 && utf8.first == UInt8(ascii: "#")
            && utf8.dropFirst().allSatisfy { digit in
                let lowered = digit | 0x20
                return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowered)
            }
    }
}

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

extension DefinitionCompiler {
    /// Compiles an attribute or a field, and checks that its value can become the declared type.
    ///
    /// See docs/decisions/0016-phones-compute-nothing.md.
    mutating func typed(_ source: SourceText, as type: FieldType?) -> ActivityDefinition.Typed? {
        guard let program = program(source) else { return nil }
        if let type, !type.canCoerce(program.type) {
            reportCoercion(of: source, program.type.description, to: type)
        }
        return ActivityDefinition.Typed(program: program, type: type)
    }

    /// Reports an expression whose value can't become the declared type.
    mutating func reportCoercion(of source: SourceText, _ what: String, to type: FieldType) {
        report(
            .wrongType,
            source,
            "this is \(what), which can't become \(type.name)",
            remedy: "leave 'type' out, or convert it in the expression"
        )
    }

    /// The contract of the activity, from which an app's types are generated.
    func phoneContract(
        attributes: [(name: String, value: ActivityDefinition.Typed)],
        content: [ActivityDefinition.ContentField],
        _ plan: ActivityPlan
    ) -> LiveActivityContract {
        let leaves = states.filter { $0.isInnermost }.map { $0.name.text }
        let isParallel = states.contains { if case .parallel = $0.kind { true } else { false } }
        return LiveActivityContract(
            kind: plan.kind,
            attributes: attributes.map { .init(name: $0.name, type: $0.value.fieldType) },
            content: zip(plan.fields, content).map { field, content in
                switch content.source {
                case .expression(let value): member(field.name, value)
                case .timer: .init(name: field.name, type: .time)
                }
            },
            states: isParallel ? nil : leaves,
            longestState: draft.machine.longestName
        )
    }

    /// A field of the content as readers get it.
    private func member(
        _ name: String,
        _ value: ActivityDefinition.Typed
    ) -> LiveActivityContract.Field {
        let field = draft.activity?.content.first { $0.name.text.hasSameCodePoints(as: name) }
        return LiveActivityContract.Field(
            name: name,
            type: value.fieldType,
            unit: field?.unit?.text,
            decimals: field?.decimals,
            whole: field?.whole
        )
    }

    /// Checks that the largest push stays within Apple's limit; definitions without an island are not checked.
    mutating func checkSize(of contract: LiveActivityContract, at place: Place) {
        let size = contract.largestBody
        guard draft.island != nil, size > LiveActivityContract.limit else { return }
        problems.append(
            DefinitionProblem(
                .tooLargeForPhones,
                at: place,
                "a push with attributes and content can have \(size) bytes, and Apple takes "
                    + "\(LiveActivityContract.limit)",
                remedy: "leave fields out, or give numbers a 'type': a text of unknown length counts "
                    + "\(LiveActivityContract.longestText) bytes"
            )
        )
    }
}

extension ActivityDefinition.Typed {
    /// The type that a phone declares for this value.
    fileprivate var fieldType: FieldType { type ?? FieldType(program.type) }
}

extension StateDraft {
    /// True for a state in which a machine can rest.
    var isInnermost: Bool {
        if case .history = kind { return false }
        return !states.contains { if case .history = $0.kind { false } else { true } }
    }

    /// The length of the longest text in bytes that names the active states within this state.
    fileprivate var longestName: Int {
        if isInnermost { return name.text.utf8.count }
        let lengths = states.map { $0.longestName }
        if case .parallel = kind { return lengths.reduce(lengths.count) { $0 + $1 } }
        return lengths.max() ?? 0
    }
}
