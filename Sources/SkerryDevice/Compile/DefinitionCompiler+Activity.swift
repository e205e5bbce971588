import SkerryActivity
import SkerryExpressions
import SkerryMachine
import SkerryValues

extension DefinitionCompiler {
    mutating func compileActivity(_ chart: Statechart?) {
        guard let activity = draft.activity else { return }
        let starts = stateSet(activity.starts)
        let ends = stateSet(activity.ends)
        checkStarts(of: activity)
        let attributes = attributes(of: activity)
        var fields: [ActivityPlan.Field] = []
        var content: [ActivityDefinition.ContentSource] = []
        var dependencies = Dependencies()
        for field in activity.content {
            checkField(field.name)
            guard let (source, tolerance) = contentSource(field) else {
                failedFields.insert(field.name.text)
                continue
            }
            fields.append(ActivityPlan.Field(name: field.name.text, tolerance: tolerance))
            content.append(source)
            switch source {
            case .expression(let value): dependencies.formUnion(contentDependencies(of: value.program))
            case .timer: dependencies.machine = true
            }
        }
        let alerts = alerts(of: activity)
        if let link = activity.link { checkLink(link) }
        noteLength(activity.stale, .stale)
        noteLength(setting: activity.dismissalSetting, .dismissal)
        let plan = ActivityPlan(
            kind: parts.kind,
            fields: fields,
            relevance: activity.relevance,
            silence: activity.stale?.interval,
            contentLimit: parts.limits.contentBytes
        )
        let contract = phoneContract(attributes: attributes, content: content, plan)
        checkSize(of: contract, at: activity.place)
        parts.activity = ActivityDefinition(
            plan: plan,
            starts: starts,
            ends: ends,
            key: runKey(of: activity),
            reset: resetSignals(of: activity),
            attributes: attributes,
            audience: audience(of: activity, attributes),
            content: content,
            contentDependencies: dependencies,
            alerts: alerts,
            stale: activity.stale?.interval,
            dismissal: activity.dismissal,
            forget: activity.forget?.interval,
            settle: activity.settle.flatMap { $0.interval > .zero ? $0.interval : nil },
            link: activity.link.flatMap { template($0, in: scope) },
            contract: contract
        )
    }

    private mutating func checkStarts(of activity: ActivityDraft) {
        guard activity.starts.isEmpty, !draft.isIncomplete else { return }
        problems.append(
            DefinitionProblem(
                .missingKey,
                at: activity.place,
                "an activity that nothing starts",
                remedy: "add 'starts:' with the state whose entry starts it"
            )
        )
    }

    /// The values that an expression of the content reads, also through the titles of states.
    ///
    /// What a title reads of time is that of the last change: it gives no update of its own.
    private func contentDependencies(of program: Program) -> Dependencies {
        var dependencies = Dependencies(program)
        if program.references.contains(where: { $0.kind == ReferenceKind.stateTitle.rawValue }) {
            for case let title? in parts.titles {
                dependencies.signals.formUnion(Dependencies(title.references).signals)
            }
        }
        return dependencies
    }

    private mutating func attributes(
        of activity: ActivityDraft
    ) -> [(name: String, value: ActivityDefinition.Typed)] {
        var attributes: [(name: String, value: ActivityDefinition.Typed)] = []
        for attribute in activity.attributes {
            checkField(attribute.name)
            guard let value = typed(attribute.value, as: attribute.type) else { continue }
            attributes.append((attribute.name.text, value))
        }
        return attributes
    }

    /// The attribute that names the person of a run; nil when there is none, or a wrong one.
    private mutating func audience(
        of activity: ActivityDraft,
        _ attributes: [(name: String, value: ActivityDefinition.Typed)]
    ) -> String? {
        guard let audience = activity.audience else { return nil }
        let names = activity.attributes.map { $0.name.text }
        guard names.contains(where: { $0.hasSameCodePoints(as: audience.text) }) else {
            reportUnknown(.badActivity, "attribute", audience, known: names, of: .field)
            return nil
        }
        let value = attributes.first { $0.name.hasSameCodePoints(as: audience.text) }?.value
        let isOther = value.map { value in
            value.type.map { $0 != .string } ?? ![.string, .dyn].contains(value.program.type)
        }
        if isOther == true {
            report(
                .badActivity,
                audience,
                "the attribute '\(audience.text)' is no text, and an audience is the name of a person",
                remedy: "name an attribute whose value is a person"
            )
        }
        return audience.text
    }

    private mutating func checkField(_ name: SourceText) {
        guard !name.text.isIdentifier else { return }
        report(
            .badName,
            name,
            "'\(name.text)' can't be the name of a field",
            remedy: "a field's name has letters, digits and '_', and does not start with a digit"
        )
    }

    /// Checks that a link only opens something: it must not run or read anything, and a device must not choose the
    /// scheme.
    private mutating func checkLink(_ link: SourceText) {
        let scheme = link.text.prefix { $0 != ":" && $0 != "/" }
        if scheme.contains("{") {
            report(
                .badLink,
                link,
                "a device must not choose the scheme of a link",
                remedy: "begin it as in \"https://example.org/{device}\" or \"home://{device}\""
            )
        }
        let name = scheme.filter { !$0.isWhitespace }.lowercased()
        if ["javascript", "vbscript", "data", "file", "blob"].contains(name), name.count < link.text.count {
            report(
                .badLink,
                link,
                "a link with '\(name):' is not opened",
                remedy: "link to a page with 'https:' or to an app with its own scheme"
            )
        }
    }

    /// The set of the states with these names; `buildChart` numbers states in the same order as `states`.
    mutating func stateSet(_ names: [SourceText]) -> StateSet {
        var set = StateSet()
        for name in targets(names) {
            guard let index = states.firstIndex(where: { $0.name.text.utf8.elementsEqual(name.utf8) }) else {
                continue
            }
            set.insert(StateID(rawValue: UInt16(index)))
        }
        return set
    }

    private mutating func contentSource(
        _ field: ContentDraft
    ) -> (ActivityDefinition.ContentSource, ActivityPlan.Tolerance)? {
        for (index, timer) in draft.timers.enumerated()
        where field.value.text.utf8.elementsEqual("timer.\(timer.name.text)".utf8) {
            readReferences.insert(ReferenceKind.timer.reference(index))
            if let type = field.type { reportCoercion(of: field.value, "a timer", to: type) }
            if let key = field.numberKey { reportNoNumber(field, key, "a timer") }
            return (.timer(TimerID(rawValue: UInt16(index))), .none)
        }
        guard let value = field.numberKey == nil ? typed(field.value, as: field.type) : number(field) else {
            return nil
        }
        for reference in value.program.references {
            switch ReferenceKind(rawValue: reference.kind) {
            case .now, .elapsed, .timer:
                report(
                    .badActivity,
                    field.value,
                    "content that changes by itself would be sent all the time",
                    remedy: "show a timer as it is, with timer.<name>: readers draw it"
                )
                return nil
            default: break
            }
        }
        return (.expression(value), field.tolerance.map { .number($0) } ?? .none)
    }

    /// Compiles the island: templates over attributes and content, and timers that the content has.
    mutating func compileIsland() {
        guard let island = draft.island else { return }
        if let tint = island.tint, !tint.text.isColour {
            report(.badIsland, tint, "'\(tint.text)' is not a colour", remedy: "write it as \"#rrggbb\"")
        }
        guard let activity = draft.activity else {
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
        var elements: [Island.Element] = []
        for element in island.elements {
            var text: TextTemplate?
            switch element.kind {
            case .symbol: break
            case .text, .title: text = template(element.value, in: fields)
            case .countdown, .progress: checkShown(element, times: times)
            }
            elements.append(
                Island.Element(region: element.region, kind: element.kind, source: element.value, text: text)
            )
        }
        parts.island = Island(
            tint: island.tint?.text,
            elements: elements,
            attributes: activity.attributes.map { $0.name.text },
            fields: activity.content.map { $0.name.text }
        )
    }
}

extension DefinitionCompiler {
    /// Checks that a clock or a bar shows a timer of the content, or a bar a number with a whole.
    private mutating func checkShown(_ element: IslandElementDraft, times: [String]) {
        let name = element.value
        let field = draft.activity?.content.first { $0.name.text.utf8.elementsEqual(name.text.utf8) }
        guard !draft.unreadNames.contains(.timer), !times.contains(name.text),
            !failedFields.contains(name.text)
        else { return }
        guard element.kind == .progress, let field else {
            reportUnknown(.badIsland, "time in the content called", name, known: times, of: .field)
            return
        }
        if field.whole != nil { return }
        report(
            .badIsland,
            name,
            "a bar can't show '\(name.text)': it is no timer, and a number needs the whole that fills the bar",
            remedy: "write the field as `\(name.text): { value: …, of: 100 }`"
        )
    }
}

extension String {
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
