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
        var content: [ActivityDefinition.ContentField] = []
        for field in activity.content {
            checkField(field.name)
            guard let (source, tolerance) = contentSource(field) else {
                failedFields.insert(field.name.text)
                continue
            }
            let throttle = (field.throttle ?? activity.throttle)?.interval ?? .zero
            fields.append(
                ActivityPlan.Field(name: field.name.text, tolerance: tolerance, throttle: throttle)
            )
            let when = field.condition.flatMap { condition($0) }
            if let text = field.condition, let when { refuseMoving(when, text) }
            content.append(ActivityDefinition.ContentField(source: source, condition: when))
        }
        let alerts = alerts(of: activity)
        if let link = activity.link { checkLink(link) }
        noteLength(activity.stale?.length, .stale)
        noteLength(setting: activity.dismissalSetting, .dismissal)
        let plan = ActivityPlan(
            kind: parts.kind,
            fields: fields,
            relevance: activity.relevance,
            silence: activity.stale?.length.interval,
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
            contentDependencies: ActivityDefinition.dependencies(of: content, titles: parts.titles),
            alerts: alerts,
            stale: activity.stale?.length.interval,
            staleSilence: activity.stale.flatMap { silence($0) },
            dismissal: activity.dismissal,
            times: activity.times,
            link: activity.link.flatMap { template($0, in: scope) },
            weight: weight(of: activity),
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

    /// The relevance of its runs as far as it changes: by states, and by an expression.
    private mutating func weight(of activity: ActivityDraft) -> ActivityDefinition.Weight {
        var weight = ActivityDefinition.Weight()
        if states.contains(where: { $0.relevance != nil }) { weight.states = states.map { $0.relevance } }
        guard let source = activity.changingRelevance, let program = program(source) else { return weight }
        if ![.int, .uint, .double, .dyn].contains(program.type) {
            report(
                .wrongType,
                source,
                "a relevance must be a number, this is \(program.type.description)",
                remedy: "choose one, as in `relevance: \"battery < 10 ? 90 : 40\"`"
            )
        }
        weight.expression = program
        return weight
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
    mutating func checkLink(_ link: SourceText) {
        let scheme = link.text.prefix { $0 != ":" && $0 != "/" }
        if scheme.contains("{") {
            report(
                .badLink,
                link,
                "a device must not choose the scheme of a link",
                remedy: "begin it as in \"https://example.org/{device}\" or \"skerry://washer/{device}\""
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
        } else if !scheme.contains("{"), !ActivityLink.knownSchemes.contains(name) {
            let hasScheme = link.text.dropFirst(scheme.count).first == ":"
            let what = hasScheme ? "'\(name):'" : "no scheme"
            report(
                .linkOpensNothing,
                link,
                "no app is known that opens a link with \(what): a touch may show an error",
                remedy:
                    "leave it out, and a touch opens the device in the app, or begin it with 'https:' or 'skerry:'"
            )
        }
    }

    /// The set of the states with these names; `buildChart` numbers states in the same order as `states`.
    mutating func stateSet(_ names: [SourceText]) -> StateSet {
        var set = StateSet()
        for name in targets(names) {
            guard let index = states.firstIndex(where: { $0.name.text.hasSameCodePoints(as: name) }) else {
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
        where field.value.text.hasSameCodePoints(as: "timer.\(timer.name.text)") {
            readReferences.insert(ReferenceKind.timer.reference(index))
            if let type = field.type { reportCoercion(of: field.value, "a timer", to: type) }
            if let key = field.numberKey { reportNoNumber(field, key, "a timer") }
            return (.timer(TimerID(rawValue: UInt16(index))), .none)
        }
        guard let value = field.numberKey == nil ? typed(field.value, as: field.type) : number(field) else {
            return nil
        }
        guard !refuseMoving(value.program, field.value) else { return nil }
        return (.expression(value), field.tolerance.map { .number($0) } ?? .none)
    }

    /// Refuses an expression of the content whose value changes as time passes.
    ///
    /// - Returns: True if it was refused.
    @discardableResult
    private mutating func refuseMoving(_ program: Program, _ source: SourceText) -> Bool {
        let moving: [ReferenceKind] = [.now, .elapsed, .timer]
        func moves(_ references: [Reference]) -> Bool {
            references.contains { one in moving.contains { $0.rawValue == one.kind } }
        }
        let showsTitle = program.references.contains { $0.kind == ReferenceKind.stateTitle.rawValue }
        let isTitle = showsTitle && parts.titles.contains { $0.map { moves($0.references) } ?? false }
        guard isTitle || moves(program.references) else { return false }
        report(
            .badActivity,
            source,
            "content that changes by itself would be sent all the time"
                + (isTitle ? ": the title of a state, which reads the time" : ""),
            remedy: isTitle
                ? "give the timer a field of its own, or have an action keep the time in a variable"
                : "show a timer as it is, with timer.<name>: readers draw it"
        )
        return true
    }

    /// The key that tells one run from the next.
    mutating func runKey(of activity: ActivityDraft) -> ActivityDefinition.RunKey? {
        guard let source = activity.run, let program = program(source) else { return nil }
        if ![.string, .int, .uint, .dyn].contains(program.type) {
            report(
                .wrongType,
                source,
                "the key of a run must be a text or a whole number, but this is \(program.type.description)",
                remedy: "write the signal that names the job, such as `run: job`"
            )
        }
        return ActivityDefinition.RunKey(
            program: program,
            dependencies: Dependencies(program),
            isOnce: activity.runsOnce
        )
    }

    /// The signals that are unset when a run starts.
    mutating func resetSignals(of activity: ActivityDraft) -> SignalSet { signalSet(activity.reset) }

    /// The set of the signals with these names; other names are reported where they are written.
    mutating func signalSet(_ names: [SourceText]) -> SignalSet {
        var signals = SignalSet()
        for name in names {
            if let index = parts.signalNames.firstIndex(where: { $0.hasSameCodePoints(as: name.text) }) {
                signals.insert(index)
            } else {
                reportUnknown(.unknownName, "signal", name, known: parts.signalNames, of: .signal)
            }
        }
        return signals
    }

    /// Compiles the alerts of the activity.
    mutating func alerts(of activity: ActivityDraft) -> [ActivityDefinition.Alert] {
        var alerts: [ActivityDefinition.Alert] = []
        for alert in activity.alerts {
            let title = template(alert.title, in: scope)
            let body = alert.body.flatMap { template($0, in: scope) }
            guard let occasion = occasion(alert.occasion), let title else { continue }
            alerts.append(
                ActivityDefinition.Alert(
                    occasion: occasion,
                    title: title,
                    body: body,
                    sound: alert.sound,
                    level: alert.level
                )
            )
        }
        let limit = ActivityDefinition.alertLimit
        if activity.alerts.count > limit {
            report(.tooMany, activity.alerts[limit].title, "an activity may have at most \(limit) alerts")
        }
        return alerts
    }

    private mutating func occasion(_ occasion: AlertDraft.Occasion) -> ActivityDefinition.Occasion? {
        switch occasion {
        case .state(let name): return stateSet([name]).first.map { .state($0) }
        case .condition(let source):
            guard let program = condition(source) else { return nil }
            let fingerprint = Array(source.text.utf8).fingerprint
            return .condition(program, Dependencies(program), fingerprint: fingerprint)
        case .event(let source):
            return .event(source.text.split(separator: " ").map { EventDescriptor.normalized(String($0)) })
        }
    }

    /// Compiles a field that is rounded, or has a unit or a whole, and so is a number.
    ///
    /// Without a declared type it gets one, so that phones need not expect a text.
    mutating func number(_ field: ContentDraft) -> ActivityDefinition.Typed? {
        guard let key = field.numberKey, var value = typed(field.value, as: field.type) else { return nil }
        switch (field.type, FieldType(value.program.type)) {
        case (.int?, _), (.double?, _): break
        case (nil, .int): value.type = .int
        case (nil, .double), (nil, .any): value.type = .double
        case (let declared?, _):
            reportNoNumber(field, key, "declared as \(declared.name)")
            return nil
        case (nil, _):
            reportNoNumber(field, key, value.program.type.description)
            return nil
        }
        value.decimals = field.decimals
        return value
    }

    /// Reports a key that only numbers have.
    mutating func reportNoNumber(_ field: ContentDraft, _ key: String, _ what: String) {
        report(
            .wrongType,
            field.value,
            "'\(key)' belongs to a number, but this is \(what)",
            remedy: "leave '\(key)' out, or give the field a number, as in double(\(field.name.text))"
        )
    }
}

extension ContentDraft {
    /// The first of the keys that only numbers have; nil when it has none of them.
    var numberKey: String? {
        if decimals != nil { return "round" }
        if unit != nil { return "unit" }
        return whole != nil ? "of" : nil
    }
}

extension DefinitionParts {
    /// Adds an action that the machine leaves to its host.
    mutating func add(_ action: HostAction) -> Statechart.Action {
        hostActions.append(action)
        return .host(UInt16(hostActions.count - 1))
    }

    /// True if an action assigns a variable.
    func assigns(_ variable: Int) -> Bool {
        hostActions.contains { if case .assign(let found) = $0 { found.variable == variable } else { false } }
    }
}

extension DefinitionCompiler {
    /// Compiles a message that an action publishes; its topic must not be one that the definition itself reads.
    mutating func publication(_ draft: PublicationDraft) -> Statechart.Action? {
        let payload = draft.payload.map { template($0, in: scope) }
        guard let topic = template(draft.topic, in: scope), checkTopic(topic, draft.topic),
            payload.map({ $0 != nil }) ?? true
        else { return nil }
        return parts.add(
            .publish(
                PublicationTemplate(
                    topic: topic,
                    payload: payload ?? nil,
                    isRetained: draft.isRetained,
                    quality: draft.quality
                )
            )
        )
    }

    private mutating func checkTopic(_ topic: TextTemplate, _ source: SourceText) -> Bool {
        let levels = TopicPattern(topic).levels
        for case .literal(let text) in topic.parts {
            let wildcard = text.utf8.first { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }
            guard wildcard != nil || text.utf8.contains(where: { $0 < 0x20 }) else { continue }
            report(
                .badPublication,
                source,
                "a topic to publish to has no wildcards or control characters",
                remedy: "name the topic, as in \"cmnd/{device}/POWER\""
            )
            return false
        }
        guard levels[0][0].utf8.first != UInt8(ascii: "$") else {
            report(.badPublication, source, "topics that begin with '$' belong to the broker")
            return false
        }
        for written in draft.sources {
            guard let filter = try? TopicFilter(written.topic.text), TopicPattern(topic).meets(filter) else {
                continue
            }
            report(
                .badPublication,
                source,
                "this may be a topic that the source on line \(written.topic.place.line) reads, and so go round in a circle",
                remedy: "publish to the topic for commands of the device, or narrow the source"
            )
            return false
        }
        return true
    }
}

/// The topics that a template may give, level by level.
private struct TopicPattern {
    /// The literal text of each level, cut where an expression stands.
    var levels: [[String]] = [[""]]

    init(_ template: TextTemplate) {
        for part in template.parts {
            switch part {
            case .expression: levels[levels.count - 1].append("")
            case .literal(let text):
                let pieces = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
                levels[levels.count - 1][levels[levels.count - 1].count - 1] += pieces[0]
                for piece in pieces.dropFirst() { levels.append([piece]) }
            }
        }
    }

    /// True if a filter may cover one of the topics.
    func meets(_ filter: TopicFilter) -> Bool {
        for (place, level) in filter.levels.enumerated() {
            switch level {
            case .rest: return true
            case .captureOfRest: return place < levels.count
            default: guard place < levels.count, meets(levels[place], level) else { return false }
            }
        }
        return levels.count == filter.levels.count
    }

    private func meets(_ level: [String], _ filter: TopicFilter.Level) -> Bool {
        let (start, end) = (level[0], level[level.count - 1])
        switch filter {
        case .any, .capture, .rest, .captureOfRest: return true
        case .literal(let text):
            if level.count == 1 { return start.hasSameCodePoints(as: text) }
            return text.utf8.count > start.utf8.count + end.utf8.count && text.utf8.starts(with: start.utf8)
                && text.utf8.reversed().starts(with: end.utf8.reversed())
        case .partialCapture(let prefix, _, let suffix):
            if level.count == 1, start.utf8.count <= prefix.utf8.count + suffix.utf8.count { return false }
            return agree(Array(start.utf8), Array(prefix.utf8), isWhole: level.count == 1)
                && agree(end.utf8.reversed(), suffix.utf8.reversed(), isWhole: level.count == 1)
        }
    }

    /// True if a text may begin with another one; a text that is cut off may go on in any way.
    private func agree(_ text: [UInt8], _ start: [UInt8], isWhole: Bool) -> Bool {
        text.starts(with: start) || (!isWhole && start.starts(with: text))
    }
}

extension DefinitionCompiler {
    /// The buttons of an island, each with its link, or with the states in which the machine waits for its event.
    mutating func buttons(of island: IslandDraft, _ fields: Scope) -> [Island.Button] {
        let limit = Island.buttonLimit
        if island.buttons.count > limit {
            report(.tooMany, island.buttons[limit].name, "an island may have at most \(limit) buttons")
        }
        return island.buttons.map { button in
            let (event, title) = (button.name, button.title)
            if title.text.contains("{") {
                report(
                    .badIsland,
                    title,
                    "the text of a button is always the same: it has no expressions",
                    remedy: "write what the button does, in a word or two"
                )
            }
            if let link = button.link {
                return Island.Button(
                    name: event.text,
                    title: title.text,
                    states: [],
                    link: islandLink(link, in: .lock, fields) ?? TextTemplate(parts: [])
                )
            }
            let states = states(waitingFor: event.text)
            if isRaisedInside(event.text) {
                report(
                    .badIsland,
                    event,
                    "a button can't send '\(event.text)': only the bridge, the device and its machine raise it",
                    remedy: "wait for an event of another name"
                )
            } else if states.isEmpty, !draft.isIncomplete {
                report(
                    .badIsland,
                    event,
                    "no state waits for the event '\(event.text)'",
                    remedy: "name one event of an 'on:', which the button sends"
                )
            }
            return Island.Button(name: event.text, title: title.text, states: states, link: nil)
        }
    }

    /// Returns whether an event is one that the device, the bridge, a timer or a final state raises.
    private func isRaisedInside(_ event: String) -> Bool {
        Definition.isRaisedInside(event)
            || draft.timers.contains { EventDescriptor.matches($0.name.text + ".elapsed", event) }
    }

    /// The innermost states in which the machine waits for an event, by itself or in a state around them.
    private func states(waitingFor event: String) -> [String] {
        guard !event.contains(" "), !event.contains("*") else { return [] }
        var found: [String] = []
        func visit(_ state: StateDraft, _ isWithin: Bool) {
            let waits = isWithin || state.transitions.contains { $0.waits(for: event) }
            if waits, state.isInnermost { found.append(state.name.text) }
            for child in state.states { visit(child, waits) }
        }
        visit(draft.machine, false)
        return found
    }
}

extension TransitionDraft {
    /// True if an event triggers it.
    fileprivate func waits(for event: String) -> Bool {
        guard case .event(let descriptors) = trigger else { return false }
        return descriptors.contains { descriptor in
            descriptor.text.split(separator: " ").contains {
                EventDescriptor.matches(EventDescriptor.normalized(String($0)), event)
            }
        }
    }
}
