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
            program(
                $0,
                of: .bool,
                "true or false",
                "compare with something, as in payload == \"online\"",
                in: scope,
                paths: &paths
            )
        }
        let event = source.event.flatMap {
            program($0, of: .string, "an event's name, a text", "write string(…)", in: scope, paths: &paths)
        }
        let name = source.name.flatMap {
            program(
                $0,
                of: .string,
                "the name of the device, a text",
                "write string(…)",
                in: scope,
                paths: &paths
            )
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

    /// Compiles an expression over a payload whose value must have a given type.
    mutating func program(
        _ text: SourceText,
        of type: ExpressionType,
        _ what: String,
        _ remedy: String,
        in scope: Scope,
        paths: inout PathTable
    ) -> Program? {
        guard let program = program(text, in: scope, paths: &paths) else { return nil }
        expect(type, program, text, what, remedy)
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
