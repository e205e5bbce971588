import SkerryActivity
import SkerryExpressions
import SkerryValues

extension DefinitionCompiler {
    /// Compiles the sources; a signal that another signal reads is `dyn` there, since no signal has a type yet.
    mutating func compileSources() {
        var untyped = scope
        for (index, name) in parts.signalNames.enumerated() {
            untyped.declare(name, type: .dyn, as: ReferenceKind.signal.reference(index))
        }
        if draft.sources.isEmpty, !draft.isIncomplete {
            problems.append(
                DefinitionProblem(
                    .missingKey,
                    draft.kind,
                    "a definition without sources gets no messages",
                    remedy: "add 'sources:' with a topic"
                )
            )
        }
        for (index, source) in draft.sources.enumerated() {
            payloadSource = index
            if let compiled = compile(source, in: untyped) { parts.sources.append(compiled) }
        }
        payloadSource = nil
        if let first = draft.sources.first, draft.sources.allSatisfy({ $0.reach != .new }),
            !draft.isIncomplete
        {
            report(
                .badDevice,
                first.topic,
                "no source of the definition makes devices",
                remedy: "leave 'devices' out of the source whose messages tell that a device is there"
            )
        }
    }

    mutating func compile(_ source: SourceDraft, in untyped: Scope) -> Source? {
        guard let filter = topicFilter(source.topic) else { return nil }
        var scope = untyped
        var address = Scope()
        address.timeZone = untyped.timeZone
        address.refusesFailures = true
        for (number, name) in filter.captures.enumerated() {
            let reference = ReferenceKind.capture.reference(number)
            scope.declare("topic.\(name)", type: .string, as: reference)
            address.declare("topic.\(name)", type: .string, as: reference)
        }
        let type = source.fields.isEmpty ? source.payload.type : .map(.string, .dyn)
        scope.declarePayload("payload", type: type, kind: ReferenceKind.payload.rawValue)
        address.declarePayload("payload", type: type, kind: ReferenceKind.payload.rawValue)
        var paths = PathTable()
        let each = source.each.flatMap { list($0, in: address, paths: &paths) }
        if source.each != nil {
            let item = ReferenceKind.item.reference()
            refuseSignal(named: "item")
            scope.declare("item", type: each?.element ?? .dyn, as: item)
            address.declare("item", type: each?.element ?? .dyn, as: item)
        }
        let compiled = self.address(of: source, filter, in: address, each: each?.program, paths: &paths)
        let signals = signals(of: source, in: scope, paths: &paths)
        let available = source.available.flatMap {
            program($0, .condition(as: "payload == \"online\""), in: scope, paths: &paths)
        }
        let event = source.event.flatMap {
            program($0, .text("an event's name, a text"), in: scope, paths: &paths)
        }
        let name = source.name.flatMap {
            program($0, .text("the name of the device, a text"), in: scope, paths: &paths)
        }
        guard let compiled else { return nil }
        return Source(
            filter: filter,
            payload: source.payload,
            fields: source.fields,
            address: compiled,
            paths: paths,
            signals: signals,
            available: available,
            event: event,
            name: name
        )
    }

    private mutating func signals(
        of source: SourceDraft,
        in scope: Scope,
        paths: inout PathTable
    ) -> [SignalAssignment] {
        var signals: [SignalAssignment] = []
        for signal in source.signals {
            let index = parts.signalNames.firstIndex { $0.hasSameCodePoints(as: signal.name.text) }
            guard let index else { continue }
            var scope = scope
            let follows = source.forms.contains { $0.signal.text.hasSameCodePoints(as: signal.name.text) }
            if !follows { scope.own = ReferenceKind.signal.reference(index) }
            guard let program = program(signal.text, in: scope, paths: &paths) else {
                failedSignals.insert(index)
                continue
            }
            let form = form(of: signal, number: index, program, in: source, scope, paths: &paths)
            if form == nil { plainSignals.insert(index) }
            let valid = source.validRanges.first { $0.signal == signal.name }?.range
            if valid != nil { expectNumber(program, signal.text) }
            signals.append(SignalAssignment(signal: index, program: program, form: form, valid: valid))
        }
        return signals
    }

    /// Reports a signal with possible numbers that is none.
    private mutating func expectNumber(_ program: Program, _ text: SourceText) {
        guard ![.dyn, .int, .uint, .double].contains(program.type) else { return }
        report(
            .wrongType,
            text,
            "'valid' is for numbers, and this is \(program.type.description)",
            remedy: "remove 'valid', or take a number from the message"
        )
    }

    /// Compiles an expression over a payload that must have a certain value.
    mutating func program(
        _ text: SourceText,
        _ demand: Demand,
        in scope: Scope,
        paths: inout PathTable
    ) -> Program? {
        guard let program = program(text, in: scope, paths: &paths) else { return nil }
        expect(demand, program, text)
        return program
    }

    mutating func topicFilter(_ topic: SourceText) -> TopicFilter? {
        do throws(TopicFilter.Problem) {
            let filter = try TopicFilter(topic.text)
            refuseStars(topic)
            return isFit(filter, topic) ? filter : nil
        } catch {
            let (message, remedy): (String, String) =
                switch error {
                case .badLength: ("a topic filter has 1 to 65,535 bytes", "shorten it")
                case .misplacedHash: ("'#' may only be the whole last level", "put it last, after a '/'")
                case .misplacedPlus: ("'+' must be a whole level", "put it between two '/'")
                case .badCapture:
                    (
                        "a capture is a name in braces, at most one in a level",
                        "write it as {device} between two '/'"
                    )
                case .misplacedRest:
                    (
                        "a capture of several levels must be the whole last level",
                        "put it last, after a '/'"
                    )
                case .repeatedCapture: ("two captures have the same name", "name them differently")
                case .shared:
                    (
                        "shared subscriptions do not keep the order of a device's messages",
                        "subscribe to the topic itself"
                    )
                case .badCharacter: ("MQTT does not allow U+0000 in a topic filter", "remove it")
                }
            report(.badTopic, topic, message, remedy: remedy)
            return nil
        }
    }

    /// Refuses the wildcards of other systems, which MQTT takes for the names of levels.
    private mutating func refuseStars(_ topic: SourceText) {
        var start = 0
        for level in topic.text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            defer { start += level.count + 1 }
            guard !level.isEmpty, level.allSatisfy({ $0 == UInt8(ascii: "*") }) else { continue }
            let isLast = start + level.count == topic.text.utf8.count
            report(
                .badTopic,
                topic,
                start..<start + level.count,
                "'\(String(decoding: level, as: UTF8.self))' is no wildcard of MQTT",
                remedy: isLast
                    ? "write '+' for one level, or '#' for all that follow"
                    : "write '+', which stands for one level"
            )
        }
    }

    /// Reports a filter of the engine's own topics that covers no activities, or those of the definition itself.
    private mutating func isFit(_ filter: TopicFilter, _ topic: SourceText) -> Bool {
        guard filter.isOfEngine else { return true }
        guard let kind = filter.activityKind else {
            report(
                .badTopic,
                topic,
                "the activities of other devices are on '$skerry/<kind>/<device>', of one kind by its name",
                remedy: "write it as $skerry/washer/{device}"
            )
            return false
        }
        if !kind.hasSameCodePoints(as: draft.kind.text) { return true }
        report(.badTopic, topic, "a definition can't read its own activities", remedy: "name another kind")
        return false
    }

    /// Declares the signals with the types that their expressions have.
    mutating func declareSignals() {
        for (index, name) in parts.signalNames.enumerated() {
            var type: ExpressionType?
            for source in parts.sources {
                for signal in source.signals where signal.signal == index {
                    type = type == nil || type == signal.type ? signal.type : .dyn
                }
            }
            // The type of a failed expression is unknown, so `dyn` keeps one mistake from causing further problems.
            let known = failedSignals.contains(index) ? .dyn : type ?? .dyn
            parts.signalTypes.append(known)
            scope.declare(name, type: known, as: ReferenceKind.signal.reference(index))
        }
    }

    /// Compiles the messages that tell that a device is there; they know no signal and no other part of a device.
    mutating func compileRecognition() {
        var empty = Scope()
        empty.timeZone = scope.timeZone
        empty.refusesFailures = true
        for entry in draft.recognition {
            guard let source = compile(entry.source, in: empty) else { continue }
            if !source.filter.hasLiteral, entry.source.when == nil {
                report(
                    .badTopic,
                    entry.source.topic,
                    "every message would tell of such a device",
                    remedy: "name a level of the topic, or write 'when:'"
                )
            }
            let costLimit = parts.limits.expressionCost
            parts.recognition.append(
                Recognition(source, certainty: entry.certainty, costLimit: costLimit)
            )
        }
    }
}

extension PayloadFormat {
    /// The type of `payload` in expressions.
    var type: ExpressionType {
        switch self {
        case .json: .dyn
        case .text: .string
        case .number: .double
        case .bool: .bool
        case .pairs: .map(.string, .string)
        case .csv: .list(.string)
        case .hex, .base64, .bytes: .list(.int)
        case .cbor: .dyn
        case .sparkplug: .map(.string, .dyn)
        }
    }
}

extension TopicFilter {
    /// True if a level names something.
    fileprivate var hasLiteral: Bool {
        levels.contains { level in
            switch level {
            case .literal, .partialCapture: true
            case .any, .capture, .captureOfRest, .rest: false
            }
        }
    }
}

extension DefinitionCompiler {
    /// Compiles the keys from which the devices of a source's messages follow; nil when nothing names a device.
    mutating func address(
        of source: SourceDraft,
        _ filter: TopicFilter,
        in scope: Scope,
        each: Program?,
        paths: inout PathTable
    ) -> Address? {
        let when = source.when.flatMap {
            messageProgram($0, .condition(as: "payload.type == \"washer\""), in: scope, paths: &paths)
        }
        if source.reach == .all {
            checkNamesNone(source, filter)
            return Address(name: .none, when: when, reach: .all)
        }
        guard let name = deviceName(of: source, filter, in: scope, paths: &paths) else { return nil }
        return Address(
            name: name,
            aliases: aliases(source.aliases),
            when: when,
            each: each,
            reach: source.reach
        )
    }

    /// Reports keys that name a device, in a source that belongs to all.
    private mutating func checkNamesNone(_ source: SourceDraft, _ filter: TopicFilter) {
        let name = filter.captures.contains("device") ? source.topic : nil
        guard let text = name ?? source.device ?? source.aliases.first?.name ?? source.each else { return }
        report(
            .badDevice,
            text,
            "the source belongs to all devices, and this names one",
            remedy: "write `devices: known`, or leave out {device}, 'device', 'as' and 'each'"
        )
    }

    private mutating func deviceName(
        of source: SourceDraft,
        _ filter: TopicFilter,
        in scope: Scope,
        paths: inout PathTable
    ) -> Address.Name? {
        let capture = filter.captures.firstIndex(of: "device")
        guard let text = source.device else {
            if let capture { return .capture(capture) }
            report(
                .badTopic,
                source.topic,
                "no level of the topic names the device",
                remedy:
                    "write {device} in place of the level that differs from device to device, or name the "
                    + "device with 'device:'"
            )
            return nil
        }
        if capture != nil {
            report(
                .badDevice,
                text,
                "the topic names the device already, with {device}",
                remedy: "remove 'device:', or give the level in the topic another name, such as {room}"
            )
            return nil
        }
        if text.text.looksLikeExpression {
            report(
                .badDevice,
                text,
                "this is a text, and every message would belong to a device of this name",
                remedy: "put the expression into braces: device: \"{\(text.text)}\""
            )
            return nil
        }
        guard !text.text.utf8.isEmpty else {
            report(
                .badDevice,
                text,
                "a device needs a name",
                remedy: "write device: \"{payload.id}\", or a name"
            )
            return nil
        }
        return messageTemplate(text, in: scope, paths: &paths).map { .template($0) }
    }

    private mutating func aliases(_ pairs: [NamedText]) -> [Address.Alias] {
        pairs.map { pair in
            if !pair.text.text.isTopicLevel {
                report(
                    .badDevice,
                    pair.text,
                    "the name of a device is one topic level: no '/', '+', '#' or control characters, and not empty",
                    remedy: "choose another name"
                )
            }
            return Address.Alias(name: pair.name.text, device: pair.text.text)
        }
    }

    /// Compiles `each`: the expression, and the type of its elements.
    mutating func list(
        _ text: SourceText,
        in scope: Scope,
        paths: inout PathTable
    ) -> (program: Program, element: ExpressionType)? {
        let demand = Demand(
            type: .list(.dyn),
            what: "a list",
            remedy:
                "write payload.<field> for a list in the payload, or payload.<field>.map(key, …) for the keys of a map"
        )
        guard let program = messageProgram(text, demand, in: scope, paths: &paths) else { return nil }
        if case .list(let element) = program.type { return (program, element) }
        return (program, .dyn)
    }

    /// Reports a signal with the name of something that sources with `each` read.
    mutating func refuseSignal(named name: String) {
        guard let signal = draft.firstDraft(ofSignal: name) else { return }
        report(
            .badName,
            signal.name,
            "'\(name)' is the element of the list, in a source with 'each:'",
            remedy: "choose another name for the signal"
        )
    }

    /// Compiles an expression that is evaluated before the device of a message is known.
    private mutating func messageProgram(
        _ text: SourceText,
        _ demand: Demand,
        in scope: Scope,
        paths: inout PathTable
    ) -> Program? {
        let known = problems.count
        guard let program = program(text, in: scope, paths: &paths) else {
            explainUnknownNames(since: known)
            return nil
        }
        let isList = if case .list = program.type, case .list = demand.type { true } else { false }
        if !isList { expect(demand, program, text) }
        return program
    }

    private mutating func messageTemplate(
        _ text: SourceText,
        in scope: Scope,
        paths: inout PathTable
    ) -> TextTemplate? {
        let known = problems.count
        do throws(ExpressionProblem) {
            let template = try TextTemplate.compile(text.text, in: scope, paths: &paths)
            noteExpressions(of: template, paths, text)
            return template
        } catch {
            report(error, in: text)
            explainUnknownNames(since: known)
            return nil
        }
    }

    /// Replaces the remedies for unknown names: a message is looked at before it has a device with signals and states.
    private mutating func explainUnknownNames(since count: Int) {
        for index in count..<problems.count where problems[index].code == .unknownName {
            if problems[index].remedy?.utf8.starts(with: "did you mean".utf8) ?? false { continue }
            problems[index].remedy =
                "only 'payload', 'topic.<name>' and, with 'each:', 'item' can be read here: the device is not known yet"
        }
    }
}

extension String {
    /// True for a text without braces that reads something or calls a function.
    fileprivate var looksLikeExpression: Bool {
        if utf8.contains(UInt8(ascii: "{")) { return false }
        for name in ["payload", "topic", "item"] where utf8.starts(with: name.utf8) {
            let next = utf8.dropFirst(name.utf8.count).first
            if next == nil && name != "topic" || next == UInt8(ascii: ".") || next == UInt8(ascii: "[") {
                return true
            }
        }
        let isQuoted = utf8.first == UInt8(ascii: "\"") || utf8.first == UInt8(ascii: "'")
        return isQuoted || utf8.contains(UInt8(ascii: "("))
    }
}

extension DefinitionCompiler {
    /// Remembers the lengths of a transition that settings give; the transition is the next one to be added.
    mutating func noteLengths(of trigger: TransitionDraft.Trigger) {
        let number = parts.transitionPlaces.count
        switch trigger {
        case .sustained(let hold, let dropout, _):
            noteLength(hold, .hold(number))
            noteLength(dropout, .dropout(number))
        case .quiet(let silence): noteLength(silence.length, .quiet(number))
        case .always, .event, .after, .at, .past: break
        }
    }

    /// Remembers a length that a setting gives.
    mutating func noteLength(_ length: SourceInterval?, _ part: LengthUse.Part) {
        noteLength(setting: length?.setting, part)
    }

    /// Remembers a part whose length a setting gives.
    mutating func noteLength(setting name: String?, _ part: LengthUse.Part) {
        guard let name,
            let index = draft.settings.firstIndex(where: { $0.name.text.hasSameCodePoints(as: name) })
        else { return }
        parts.lengthUses.append(LengthUse(part: part, setting: index))
        readReferences.insert(ReferenceKind.setting.reference(index))
    }

    /// Gives the settings their bounds: a wait has a length, and an ended activity stays for a limited time.
    mutating func compileSettings() {
        parts.settings = draft.settings.map { setting in
            Setting(
                name: setting.name.text,
                standard: setting.standard,
                least: setting.least,
                greatest: setting.greatest,
                text: setting.text
            )
        }
        parts.settingChoices = draft.settings.map { $0.standard }
        for use in parts.lengthUses {
            switch use.part {
            case .hold, .quiet: parts.settings[use.setting].raiseLeast(to: .length(.milliseconds(1)))
            case .dismissal: parts.settings[use.setting].lowerGreatest(to: .length(ActivityDismissal.longest))
            case .dropout, .tolerance, .stale: break
            }
        }
    }

    /// Warns of settings that have no effect, whatever people choose.
    mutating func warnOfUnreadSettings() {
        for (index, setting) in draft.settings.enumerated() {
            if readReferences.contains(ReferenceKind.setting.reference(index)) { continue }
            let name = setting.name.text
            report(
                .settingNeverRead,
                setting.name,
                "nothing reads the setting '\(name)'",
                remedy: "use settings.\(name) in an expression or as a length of time, or remove it"
            )
        }
    }
}

extension Setting {
    fileprivate mutating func raiseLeast(to value: SettingValue) {
        if least?.isLess(than: value) ?? true { least = value }
    }

    fileprivate mutating func lowerGreatest(to value: SettingValue) {
        if greatest.map({ value.isLess(than: $0) }) ?? true { greatest = value }
    }
}
