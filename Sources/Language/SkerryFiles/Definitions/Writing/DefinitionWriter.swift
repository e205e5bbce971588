import SkerryActivity
public import SkerryDevice
import SkerryValues

/// Writes definitions as YAML, as a person would: keys in the usual order, short mappings on one line, long expressions
/// as folded blocks, quotes only where a text needs them.
///
/// Reading the text gives the same draft, apart from its places.
public struct DefinitionWriter {
    private let draft: DefinitionDraft
    let comments: DefinitionComments

    private init(_ draft: DefinitionDraft, _ comments: DefinitionComments) {
        self.draft = draft
        self.comments = comments
    }

    /// The text of a definition, with comments where they belong.
    public static func text(
        of draft: DefinitionDraft,
        comments: DefinitionComments = DefinitionComments()
    ) -> String {
        DefinitionWriter(draft, comments).document
    }

    private var document: String {
        let written = DefinitionKeys.definition.written(draft, by: self)
        let isHead = { (name: String) in ["skerry", "kind", "name"].contains(name) }
        let head = YAMLOutput.map(written.filter { isHead($0.0) }, isBlock: true)
        var top = YAMLOutput.text("")
        top.comments = comments[.top]
        let first = top.commentLines(0).map { $0 + "\n" }.joined() + head.document
        let sections = written.filter { !isHead($0.0) && $0.1 != nil }
        let rest = sections.map { YAMLOutput.map([$0], isBlock: true).document }
        return ([first] + rest).joined(separator: "\n")
    }

    // MARK: Parts that may be missing

    /// A mapping; nil when it is empty.
    func map(_ pairs: [(String, YAMLOutput?)], isBlock: Bool = false) -> YAMLOutput? {
        pairs.contains { $0.1 != nil } ? .map(pairs, isBlock: isBlock) : nil
    }

    /// A list; nil when it is empty.
    func list(_ elements: [YAMLOutput]) -> YAMLOutput? {
        elements.isEmpty ? nil : .list(elements)
    }

    /// A text alone or a list of texts; nil when there is none.
    func texts(_ sources: [SourceText]) -> YAMLOutput? {
        sources.count == 1 ? .text(sources[0].text) : list(sources.map { .text($0.text) })
    }

    /// A text; nil when there is none.
    func text(_ source: SourceText?) -> YAMLOutput? { source.map { .text($0.text) } }

    /// A text for people; nil when there is none.
    func label(_ source: SourceText?) -> YAMLOutput? { source.map { .label($0.text) } }

    /// A length of time; nil when there is none.
    func interval(_ source: SourceInterval?) -> YAMLOutput? {
        source.map { .text(DurationText.text($0)) }
    }

    /// A silence; nil when there is none.
    func silence(_ silence: SilenceDraft?) -> YAMLOutput? {
        guard let silence else { return nil }
        if silence.signals.isEmpty { return interval(silence.length) }
        return .map(MachineKeys.silence.written(silence, by: self))
    }

    /// Names with their texts; nil when there are none.
    func named(_ texts: [NamedText], isBlock: Bool = false) -> YAMLOutput? {
        map(texts.map { ($0.name.text, .text($0.text.text)) }, isBlock: isBlock)
    }

    // MARK: Sections

    /// The sources with their comments.
    func sources(of draft: DefinitionDraft) -> YAMLOutput? {
        list(
            draft.sources.enumerated().map { index, source in
                var result = YAMLOutput.map(SourceKeys.source.written(source, by: self), isBlock: true)
                result.comments = comments[.source(index)]
                return result
            }
        )
    }

    /// The settings by their names.
    func settings(of draft: DefinitionDraft) -> YAMLOutput? {
        map(
            draft.settings.map { ($0.name.text, short(DefinitionKeys.setting.written($0, by: self))) },
            isBlock: true
        )
    }

    /// A value of a setting; nil when there is none.
    func value(_ value: SettingValue?) -> YAMLOutput? {
        value.map { if case .text(let text) = $0 { .label(text) } else { .text($0.written) } }
    }

    /// The messages that tell of a device.
    func recognition(of draft: DefinitionDraft) -> YAMLOutput? {
        list(draft.recognition.map { .map(SourceKeys.recognition.written($0, by: self), isBlock: true) })
    }

    /// The signals of a source by their names.
    func signals(of source: SourceDraft) -> YAMLOutput? {
        map(source.signals.map { ($0.name.text, signal($0, of: source)) }, isBlock: true)
    }

    /// The fields of a payload of bytes.
    func fields(of source: SourceDraft) -> YAMLOutput? {
        list(source.fields.map { .map([($0.name, .text($0.kind.text))]) })
    }

    private func signal(_ signal: NamedText, of source: SourceDraft) -> YAMLOutput? {
        if let valid = source.validRanges.first(where: { $0.signal == signal.name })?.range {
            let most = Double.greatestFiniteMagnitude
            let range: [(String, YAMLOutput?)] = [
                ("min", valid.lowerBound > -most ? .text(number(valid.lowerBound)) : nil),
                ("max", valid.upperBound < most ? .text(number(valid.upperBound)) : nil),
            ]
            return map([("value", text(signal.text)), ("valid", map(range))])
        }
        guard let form = source.forms.first(where: { $0.signal == signal.name }) else {
            return text(signal.text)
        }
        return map([(form.kind.name, text(signal.text))] + SourceKeys.signalForm.written(form, by: self))
    }

    /// The values that a figure is made of.
    func span(_ span: SignalSpan) -> YAMLOutput {
        switch span {
        case .count(let count): .text("\(count)")
        case .length(let length): .text(DurationText.text(length))
        }
    }

    /// The variables with their comments.
    func context(of draft: DefinitionDraft) -> YAMLOutput? {
        let pairs: [(String, YAMLOutput?)] = draft.context.map { variable in
            var value = YAMLOutput.text(variable.text.text)
            value.comments = comments[.variable(variable.name.text)]
            return (variable.name.text, value)
        }
        return map(pairs, isBlock: true)
    }

    /// The timers by their names.
    func timers(of draft: DefinitionDraft) -> YAMLOutput? {
        map(draft.timers.map { ($0.name.text, timer($0)) }, isBlock: true)
    }

    private func timer(_ timer: TimerDraft) -> YAMLOutput {
        let pairs = TimerKeys.timer.written(timer, by: self)
        // Its end alone fits on the line of its name.
        var result = YAMLOutput.map(pairs, isBlock: pairs.count { $0.1 != nil } > 1)
        result.comments = comments[.timer(timer.name.text)]
        return result
    }

    /// The activity.
    func activity(_ activity: ActivityDraft) -> YAMLOutput {
        var result = YAMLOutput.map(ActivityKeys.activity.written(activity, by: self), isBlock: true)
        result.comments = comments[.activity]
        return result
    }

    /// The attributes by their names.
    func attributes(of activity: ActivityDraft) -> YAMLOutput? {
        map(activity.attributes.map { ($0.name.text, short(ActivityKeys.attribute.written($0, by: self))) })
    }

    /// The fields by their names.
    func content(of activity: ActivityDraft) -> YAMLOutput? {
        let fields = activity.content.map { field in
            (field.name.text, short(ActivityKeys.field.written(field, by: self)))
        }
        return map(fields, isBlock: true)
    }

    /// The importance; nil for the usual one.
    func relevance(of activity: ActivityDraft) -> YAMLOutput? {
        text(activity.changingRelevance)
            ?? (activity.relevance == ActivityPlan.defaultRelevance ? nil : .text(number(activity.relevance)))
    }

    /// The time to the dismissal; nil for the usual one.
    func dismissal(of activity: ActivityDraft) -> YAMLOutput? {
        switch activity.dismissal {
        case .default: nil
        case .immediate: .text("immediate")
        case .after(let length):
            .text(activity.dismissalSetting.map { "settings.\($0)" } ?? DurationText.text(length))
        }
    }

    /// The alerts by their states, or as a list when one has another occasion.
    func alerts(_ alerts: [AlertDraft]) -> YAMLOutput? {
        let written = alerts.map { ActivityKeys.listedAlert.written($0, by: self) }
        let states = alerts.compactMap { if case .state(let name) = $0.occasion { name.text } else { nil } }
        if states.count < alerts.count { return .list(written.map { .map($0) }) }
        let texts = written.map { YAMLOutput.map($0.filter { $0.0 != "state" }) }
        return map(zip(states, texts).map { ($0, $1) }, isBlock: true)
    }

    /// A length, a part in percent, or both; nil for none.
    func tolerance(of timer: TimerDraft) -> YAMLOutput? {
        let length = interval(timer.tolerance)
        guard timer.relativeTolerance > 0 else { return length }
        let part = YAMLOutput.text("\(number((timer.relativeTolerance * 1e6).rounded() / 1e4))%")
        return length.map { .list([$0, part]) } ?? part
    }

    /// The first value alone, or a mapping of it and the others that there are.
    func short(_ pairs: [(String, YAMLOutput?)]) -> YAMLOutput? {
        pairs.dropFirst().allSatisfy { $0.1 == nil } ? pairs[0].1 : .map(pairs)
    }

    /// A number without a fraction of zero.
    func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}

// MARK: - Island

extension DefinitionWriter {
    /// The island.
    func island(_ island: IslandDraft) -> YAMLOutput {
        .map(IslandKeys.island.written(island, by: self), isBlock: true)
    }

    /// The views of a region, its link and its alignment; nil when it has none.
    func region(_ region: IslandRegion, of island: IslandDraft) -> YAMLOutput? {
        map(
            views(island.elements.filter { $0.region == region })
                + island.links.filter { $0.region == region }.map { ("link", label($0.value)) }
                + [("align", island.alignments[region].map { .text($0.name) })]
        )
    }

    /// The buttons by their events.
    func buttons(of island: IslandDraft) -> YAMLOutput? {
        map(island.buttons.map { ($0.name.text, short(IslandKeys.button.written($0, by: self))) })
    }

    /// The views of a region or a cell by their kinds, or as a column when there are several of a kind.
    private func views(_ elements: [IslandElementDraft]) -> [(String, YAMLOutput?)] {
        let views = elements.map { ($0.kind.word, element($0)) }
        guard Set(elements.map(\.kind)).count < elements.count else { return views }
        return [("column", .list(views.map { .map([$0]) }))]
    }

    /// A view: its text alone, or a mapping of it and its properties.
    private func element(_ element: IslandElementDraft) -> YAMLOutput? {
        if let keys = element.kind.keys { return short(keys.written(element, by: self)) }
        return .list(
            element.cells.enumerated().map { index, cell in
                let width = element.fittedCells.contains(index) ? YAMLOutput.text("fit") : nil
                return .map(views(cell) + [("width", width)])
            }
        )
    }
}
