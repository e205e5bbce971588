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

extension DefinitionWriter {
    func state(_ state: StateDraft) -> YAMLOutput {
        let name = state.name.text
        var pairs = (name.isEmpty ? MachineKeys.machine : MachineKeys.state).written(state, by: self)
        // The transitions stand above the states.
        pairs.insert(contentsOf: transitions(of: state), at: pairs.count - 2)
        var result = YAMLOutput.map(pairs)
        result.isBlock = name.isEmpty || !state.states.isEmpty || pairs.count(where: { $0.1 != nil }) > 1
        result.comments = comments[.state(name)]
        return result
    }

    /// The states within one; the machine has some, even if there are none.
    func states(of state: StateDraft) -> YAMLOutput? {
        let isMachine = state.name.text.isEmpty
        var states = map(state.states.map { ($0.name.text, self.state($0)) }, isBlock: true)
        states?.isSpaced = isMachine
        return states ?? (isMachine ? .map([]) : nil)
    }

    // MARK: Transitions

    /// The keys with the transitions of a state, in the order in which the draft has the first of each.
    private func transitions(of state: StateDraft) -> [(String, YAMLOutput?)] {
        var always: [YAMLOutput] = []
        var on: [EventKey] = []
        var timed: [String: [(key: String, transitions: [YAMLOutput])]] = [:]
        var order: [String] = []
        for (index, transition) in state.transitions.enumerated() {
            var output = self.transition(transition)
            output.comments = comments[.transition(of: state.name.text, index)]
            let section: String
            switch transition.trigger {
            case .always, .sustained, .quiet, .past:
                section = "always"
                always.append(output)
            case .event(let descriptors):
                section = "on"
                EventKey.add(output, descriptors.map(\.text), to: &on)
            case .after(let delay):
                section = "after"
                add(output, DurationText.text(delay.interval), to: &timed[section, default: []])
            case .at(let time):
                section = "at"
                add(output, time.text, to: &timed[section, default: []])
            }
            if !order.contains(section) { order.append(section) }
        }
        return order.map { section in
            switch section {
            case "always": (section, single(always))
            case "on": (section, group(on.map { ($0.text, single($0.transitions)) }))
            default: (section, group((timed[section] ?? []).map { ($0.key, single($0.transitions)) }))
            }
        }
    }

    /// Adds a transition under its length of time or its time of day.
    private func add(
        _ output: YAMLOutput,
        _ key: String,
        to groups: inout [(key: String, transitions: [YAMLOutput])]
    ) {
        if let index = groups.firstIndex(where: { $0.key == key }) {
            groups[index].transitions.append(output)
        } else {
            groups.append((key, [output]))
        }
    }

    private func group(_ pairs: [(String, YAMLOutput?)]) -> YAMLOutput {
        .map(pairs, isBlock: pairs.count > 1)
    }

    private func single(_ outputs: [YAMLOutput]) -> YAMLOutput {
        outputs.count == 1 ? outputs[0] : .list(outputs)
    }

    private func transition(_ transition: TransitionDraft) -> YAMLOutput {
        var hold: SourceInterval?
        var dropout: SourceInterval?
        var reports: UInt8 = 1
        var quiet: SilenceDraft?
        var past: SourceText?
        switch transition.trigger {
        case .always, .event, .after, .at: break
        case .sustained(let length, let forgiven, let asked):
            (hold, dropout, reports) = (length, forgiven, asked)
        case .quiet(let silence): quiet = silence
        case .past(let moment): past = moment
        }
        let pairs: [(String, YAMLOutput?)] = [
            ("quiet", silence(quiet)),
            ("past", text(past)),
            ("guard", text(transition.condition)),
            ("for", interval(hold)),
            ("dropout", interval(dropout)),
            ("reports", reports > 1 ? .text(reports.description) : nil),
            ("internal", transition.isInternal ? .text("true") : nil),
            ("target", texts(transition.targets)),
            ("actions", actions(transition.actions, comments: [])),
        ]
        let isTarget = transition.targets.count == 1 && pairs.count { $0.1 != nil } == 1
        return isTarget ? .text(transition.targets[0].text) : .map(pairs)
    }

    // MARK: Actions

    /// One action, or a list of them; nil when there is neither an action nor a comment.
    func actions(_ actions: [ActionDraft], comments: [String]) -> YAMLOutput? {
        var outputs: [YAMLOutput] = []
        var assignments: [(String, YAMLOutput?)] = []
        func flush() {
            if !assignments.isEmpty { outputs.append(.map([("assign", .map(assignments))])) }
            assignments = []
        }
        for action in actions {
            if case .assign(let name, let value) = action {
                // A mapping can't have a key twice.
                if assignments.contains(where: { $0.0 == name.text }) { flush() }
                assignments.append((name.text, text(value)))
            } else {
                flush()
                outputs.append(self.action(action))
            }
        }
        flush()
        guard !outputs.isEmpty || !comments.isEmpty else { return nil }
        var result = outputs.count == 1 ? outputs[0] : YAMLOutput.list(outputs.map { $0.asElement })
        result.comments = comments
        return result
    }

    private func action(_ action: ActionDraft) -> YAMLOutput {
        switch action {
        case .start(let timer, let duration):
            guard let duration else { return .map([("start", text(timer))]) }
            return .map([("start", .map([("timer", text(timer)), ("duration", text(duration))]))])
        case .stop(let timer): return .map([("stop", text(timer))])
        case .pause(let timer, let moment):
            guard let moment else { return .map([("pause", text(timer))]) }
            return .map([("pause", .map([("timer", text(timer)), ("from", text(moment))]))])
        case .resume(let timer): return .map([("resume", text(timer))])
        case .extend(let timer, let length):
            return .map([("extend", .map([("timer", text(timer)), ("by", text(length))]))])
        case .raise(let event): return .map([("raise", text(event))])
        case .send(let event, let delay, let id):
            guard delay != nil || id != nil else { return .map([("send", text(event))]) }
            let pairs = [("event", text(event)), ("delay", text(delay)), ("id", text(id))]
            return .map([("send", .map(pairs))])
        case .cancel(let id): return .map([("cancel", text(id))])
        case .assign(let name, let value): return .map([("assign", .map([(name.text, text(value))]))])
        case .guarded(let condition, let then, let otherwise):
            let pairs = [
                ("guard", text(condition)),
                ("actions", actions(then, comments: []) ?? .list([])),
                ("else", actions(otherwise, comments: [])),
            ]
            return .map(pairs)
        case .publish(let message):
            return .map([("publish", .map(ActionKeys.publish.written(message, by: self)))])
        case .attempt(let actions): return .map([("try", self.actions(actions, comments: []) ?? .list([]))])
        }
    }
}

/// A key under `on` with its transitions.
private struct EventKey {
    var descriptors: [String]
    /// The number of repetitions of the first name, which make the key a different one with the same meaning.
    var repetition = 0
    var transitions: [YAMLOutput]

    /// The key.
    var text: String {
        (descriptors + Array(repeating: descriptors.first ?? "*", count: repetition)).joined(separator: " ")
    }

    /// Adds a transition to the key of its descriptors, or to a new one when a transition in between could be meant by
    /// the same event and would lose its turn.
    static func add(_ output: YAMLOutput, _ descriptors: [String], to keys: inout [EventKey]) {
        let same = keys.indices.filter { keys[$0].descriptors == descriptors }
        if let last = same.last, !keys[(last + 1)...].contains(where: { $0.overlaps(descriptors) }) {
            keys[last].transitions.append(output)
        } else {
            keys.append(
                EventKey(descriptors: descriptors, repetition: same.count, transitions: [output])
            )
        }
    }

    private func overlaps(_ others: [String]) -> Bool {
        descriptors.contains { one in
            let one = EventKey.tokens(one)
            return others.contains { zip(one, EventKey.tokens($0)).allSatisfy { $0 == $1 } }
        }
    }

    private static func tokens(_ descriptor: String) -> [Substring] {
        descriptor.split(separator: ".").filter { $0 != "*" }
    }
}

extension YAMLOutput {
    /// The same with a line of its own for an only key, as `- start: cycle` has it.
    fileprivate var asElement: YAMLOutput {
        var result = self
        if case .map(let pairs) = content { result.isBlock = pairs.count == 1 }
        return result
    }
}

extension StateDraft.Kind {
    /// The value of `type`; nil for the usual kind.
    var type: String? {
        switch self {
        case .single: nil
        case .parallel: "parallel"
        case .final: "final"
        case .history: "history"
        }
    }

    /// True for a history of all states below.
    var isDeep: Bool {
        if case .history(deep: true) = self { true } else { false }
    }
}
