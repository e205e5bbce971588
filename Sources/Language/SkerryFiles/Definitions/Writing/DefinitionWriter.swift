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
        let head = YAMLOutput.map(
            [
                ("skerry", .text("\(DefinitionReader.languageVersion)")),
                ("kind", .text(draft.kind.text)),
                ("name", draft.name.map { .label($0.text) }),
            ],
            isBlock: true
        )
        let sections: [(String, YAMLOutput?)] = [
            ("sources", list(draft.sources.enumerated().map { source($0.element, index: $0.offset) })),
            ("settings", map(draft.settings.map { ($0.name.text, setting($0)) }, isBlock: true)),
            ("recognise", list(draft.recognition.map { recognition($0) })),
            ("context", context),
            ("timers", map(draft.timers.map { ($0.name.text, timer($0)) }, isBlock: true)),
            ("machine", state(draft.machine)),
            ("activity", draft.activity.map { activity($0) }),
            ("island", draft.island.map { island($0) }),
            ("migrate", map(draft.migrations.map { ($0.name.text, .text($0.text.text)) }, isBlock: true)),
        ]
        var top = YAMLOutput.text("")
        top.comments = comments[.top]
        let first = top.commentLines(0).map { $0 + "\n" }.joined() + head.document
        let rest = sections.filter { $0.1 != nil }.map { YAMLOutput.map([$0], isBlock: true).document }
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

    private func runKey(of activity: ActivityDraft) -> YAMLOutput? {
        let key = text(activity.run)
        return activity.runsOnce ? .map([("key", key), ("once", .text("true"))]) : key
    }

    /// A silence; nil when there is none.
    func silence(_ silence: SilenceDraft?) -> YAMLOutput? {
        guard let silence else { return nil }
        guard let signals = texts(silence.signals) else { return interval(silence.length) }
        return .map([(silence.asksChange ? "unchanged" : "of", signals), ("for", interval(silence.length))])
    }

    /// Names with their texts; nil when there are none.
    func named(_ texts: [NamedText], isBlock: Bool = false) -> YAMLOutput? {
        map(texts.map { ($0.name.text, .text($0.text.text)) }, isBlock: isBlock)
    }

    // MARK: Sections

    private func source(_ source: SourceDraft, index: Int) -> YAMLOutput {
        var result = YAMLOutput.map(members(of: source), isBlock: true)
        result.comments = comments[.source(index)]
        return result
    }

    private func setting(_ setting: SettingDraft) -> YAMLOutput {
        let standard = value(setting.standard)
        if setting.least == nil, setting.greatest == nil, setting.text == nil { return standard }
        return .map([
            ("default", standard),
            ("min", setting.least.map { value($0) }),
            ("max", setting.greatest.map { value($0) }),
            ("text", setting.text.map { .label($0) }),
        ])
    }

    private func value(_ value: SettingValue) -> YAMLOutput {
        if case .text(let text) = value { .label(text) } else { .text(value.written) }
    }

    private func recognition(_ entry: RecognitionDraft) -> YAMLOutput {
        let sure: YAMLOutput? = entry.certainty == .certain ? nil : .text(entry.certainty.name)
        return .map(members(of: entry.source) + [("sure", sure)], isBlock: true)
    }

    /// The keys of a source with their values.
    private func members(of source: SourceDraft) -> [(String, YAMLOutput?)] {
        [
            ("topic", .text(source.topic.text)),
            ("device", label(source.device)),
            ("as", named(source.aliases)),
            ("devices", source.reach == .new ? nil : .text(source.reach.name)),
            ("when", text(source.when)),
            ("each", text(source.each)),
            ("name", text(source.name)),
            ("payload", source.payload == .json ? nil : .text(source.payload.name)),
            ("struct", fields(of: source)),
            ("available", text(source.available)),
            ("event", text(source.event)),
            ("signals", map(source.signals.map { ($0.name.text, signal($0, of: source)) }, isBlock: true)),
        ]
    }

    private func fields(of source: SourceDraft) -> YAMLOutput? {
        if source.fields.isEmpty { return nil }
        return .list(source.fields.map { .map([($0.name, .text($0.kind.text))]) })
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
        let over: String? =
            switch form.over {
            case .count(let count)?: "\(count)"
            case .length(let length)?: DurationText.text(length)
            case nil: nil
            }
        return map([
            (form.kind.name, text(signal.text)),
            ("off", text(form.off)),
            ("for", interval(form.delay)),
            ("over", over.map { .text($0) }),
            ("per", interval(form.per)),
            ("gap", interval(form.gap)),
            ("wraps", form.wraps.map { .text(number($0)) }),
        ])
    }

    private var context: YAMLOutput? {
        let pairs: [(String, YAMLOutput?)] = draft.context.map { variable in
            var value = YAMLOutput.text(variable.text.text)
            value.comments = comments[.variable(variable.name.text)]
            return (variable.name.text, value)
        }
        return map(pairs, isBlock: true)
    }

    private func timer(_ timer: TimerDraft) -> YAMLOutput {
        let kind: (String, YAMLOutput?) =
            switch timer.kind {
            case .remaining(let expression): ("remaining", text(expression))
            case .until(let expression): ("until", text(expression))
            case .duration(let expression): ("duration", text(expression))
            case .countUp: ("count", .text("up"))
            }
        let options: [(String, YAMLOutput?)] = [
            ("tolerance", tolerance(of: timer)),
            ("while", text(timer.runsWhile)),
            ("from", text(timer.from)),
            ("pausedFrom", text(timer.pausedFrom)),
            ("learn", timer.learning.map { learning($0) }),
            ("onNewEnd", timer.onNewEnd == .keep ? nil : .text(timer.onNewEnd.name)),
            ("onRestart", timer.onRestart == .deadline ? nil : .text(timer.onRestart.name)),
        ]
        var result = YAMLOutput.map([kind] + options, isBlock: options.contains { $0.1 != nil })
        result.comments = comments[.timer(timer.name.text)]
        return result
    }

    private func learning(_ learning: LearningDraft) -> YAMLOutput {
        .map([
            ("curve", text(learning.curve)), ("by", text(learning.by)), ("when", text(learning.when)),
            ("end", text(learning.end)),
        ])
    }

    private func activity(_ activity: ActivityDraft) -> YAMLOutput {
        let content: [(String, YAMLOutput?)] = activity.content.map { field in
            (field.name.text, self.field(field))
        }
        let attributes: [(String, YAMLOutput?)] = activity.attributes.map { attribute in
            (
                attribute.name.text,
                property(attribute.value, [("type", attribute.type.map { .text($0.name) })])
            )
        }
        let dismissal: YAMLOutput? =
            switch activity.dismissal {
            case .default: nil
            case .immediate: .text("immediate")
            case .after(let length):
                .text(activity.dismissalSetting.map { "settings.\($0)" } ?? DurationText.text(length))
            }
        var result = YAMLOutput.map(
            [
                ("starts", texts(activity.starts)),
                ("ends", texts(activity.ends)),
                ("run", runKey(of: activity)),
                ("reset", texts(activity.reset)),
                ("attributes", map(attributes)),
                ("audience", text(activity.audience)),
                ("content", map(content, isBlock: true)),
                ("alerts", alerts(activity.alerts)),
                (
                    "relevance",
                    text(activity.changingRelevance)
                        ?? (activity.relevance == 50 ? nil : .text(number(activity.relevance)))
                ),
                ("exactAfter", interval(activity.exactAfter)),
                ("throttle", interval(activity.throttle)),
                ("settle", interval(activity.settle)),
                ("stale", silence(activity.stale)),
                ("dismiss", dismissal),
                ("forget", interval(activity.forget)),
                ("link", label(activity.link)),
            ],
            isBlock: true
        )
        result.comments = comments[.activity]
        return result
    }

    /// The alerts by their states, or as a list when one has another occasion.
    private func alerts(_ alerts: [AlertDraft]) -> YAMLOutput? {
        let written = alerts.map { alert in
            (
                occasion: alert.occasion.written,
                texts: [
                    ("title", label(alert.title)), ("body", label(alert.body)),
                    ("sound", alert.sound == .standard ? nil : .text(alert.sound.name)),
                    ("level", alert.level == .active ? nil : .text(alert.level.name)),
                ]
            )
        }
        if written.allSatisfy({ $0.occasion.key == "state" }) {
            return map(written.map { ($0.occasion.text.text, .map($0.texts)) }, isBlock: true)
        }
        return .list(written.map { .map([($0.occasion.key, text($0.occasion.text))] + $0.texts) })
    }

    private func field(_ field: ContentDraft) -> YAMLOutput? {
        property(
            field.value,
            [
                ("when", text(field.condition)),
                ("tolerance", field.tolerance.map { .text(number($0)) }),
                ("throttle", interval(field.throttle)),
                ("round", field.decimals.map { .text("\($0)") }),
                ("unit", label(field.unit)),
                ("of", field.whole.map { .text(number($0)) }),
                ("type", field.type.map { .text($0.name) }),
            ]
        )
    }

    /// A length, a part in percent, or both; nil for none.
    private func tolerance(of timer: TimerDraft) -> YAMLOutput? {
        let length = interval(timer.tolerance)
        guard timer.relativeTolerance > 0 else { return length }
        let part = YAMLOutput.text("\(number((timer.relativeTolerance * 1e6).rounded() / 1e4))%")
        return length.map { .list([$0, part]) } ?? part
    }

    /// An expression alone, or a mapping of it and its properties.
    private func property(_ value: SourceText, _ properties: [(String, YAMLOutput?)]) -> YAMLOutput? {
        if properties.allSatisfy({ $0.1 == nil }) { return text(value) }
        return .map([("value", text(value))] + properties)
    }

    /// A number without a fraction of zero.
    func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}

// MARK: - Island

extension DefinitionWriter {
    private func island(_ island: IslandDraft) -> YAMLOutput {
        let elements = { (region: IslandRegion) in
            self.map(
                self.views(island.elements.filter { $0.region == region })
                    + island.links.filter { $0.region == region }.map { ("link", self.label($0.value)) }
                    + [("align", island.alignments[region].map { .text($0.name) })]
            )
        }
        let compact = [("leading", elements(.compactLeading)), ("trailing", elements(.compactTrailing))]
        let expanded = [
            ("leading", elements(.expandedLeading)), ("trailing", elements(.expandedTrailing)),
            ("center", elements(.expandedCenter)), ("bottom", elements(.expandedBottom)),
        ]
        return .map(
            [
                ("tint", label(island.tint)),
                ("symbol", label(island.symbol)),
                ("minimal", elements(.minimal)),
                ("compact", map(compact)),
                ("expanded", map(expanded, isBlock: true)),
                ("lock", elements(.lock)),
                ("buttons", map(island.buttons.map { ($0.name.text, button($0)) })),
            ],
            isBlock: true
        )
    }

    private func button(_ button: IslandButtonDraft) -> YAMLOutput? {
        guard let link = button.link else { return label(button.title) }
        return .map([("title", label(button.title)), ("link", label(link))])
    }

    /// The views of a region or a cell by their kinds, or as a column when there are several of a kind.
    private func views(_ elements: [IslandElementDraft]) -> [(String, YAMLOutput?)] {
        let views = elements.map { ($0.kind.word, element($0)) }
        guard Set(elements.map(\.kind)).count < elements.count else { return views }
        return [("column", .list(views.map { .map([$0]) }))]
    }

    /// A view: its text alone, or a mapping of it and its properties.
    private func element(_ element: IslandElementDraft) -> YAMLOutput? {
        if element.kind == .row {
            return .list(
                element.cells.enumerated().map { index, cell in
                    let width = element.fittedCells.contains(index) ? YAMLOutput.text("fit") : nil
                    return .map(views(cell) + [("width", width)])
                }
            )
        }
        let properties = [
            ("of", element.whole.map { YAMLOutput.text(number($0)) }),
            ("steps", element.steps.map { YAMLOutput.text("\($0)") }),
            ("lines", element.lines.map { YAMLOutput.text("\($0)") }),
            ("transition", element.transition.map { YAMLOutput.text($0.name) }),
            ("tint", label(element.tint)),
            ("circle", label(element.circle)),
            ("image", label(element.image)),
            ("link", label(element.link)),
        ]
        if properties.allSatisfy({ $0.1 == nil }) { return label(element.value) }
        return .map([("value", label(element.value))] + properties)
    }
}

extension AlertDraft.Occasion {
    /// The key of the occasion with its value.
    fileprivate var written: (key: String, text: SourceText) {
        switch self {
        case .state(let name): ("state", name)
        case .condition(let expression): ("when", expression)
        case .event(let name): ("event", name)
        }
    }
}

extension IslandElementKind {
    fileprivate var word: String {
        switch self {
        case .symbol: "symbol"
        case .text: "text"
        case .title: "title"
        case .countdown: "countdown"
        case .minutes: "minutes"
        case .progress: "progress"
        case .caption: "caption"
        case .row: "row"
        }
    }
}
