import SkerryExpressions
import SkerryValues

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
            messageProgram(
                $0,
                of: .bool,
                "true or false",
                "compare with something, as in payload.type == \"washer\"",
                in: scope,
                paths: &paths
            )
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
        let program = messageProgram(
            text,
            of: .list(.dyn),
            "a list",
            "write payload.<field> for a list in the payload, or payload.<field>.map(key, …) for the keys of a map",
            in: scope,
            paths: &paths
        )
        guard let program else { return nil }
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
        of type: ExpressionType,
        _ what: String,
        _ remedy: String,
        in scope: Scope,
        paths: inout PathTable
    ) -> Program? {
        let known = problems.count
        guard let program = program(text, in: scope, paths: &paths) else {
            explainUnknownNames(since: known)
            return nil
        }
        let isList = if case .list = program.type, case .list = type { true } else { false }
        if !isList { expect(type, program, text, what, remedy) }
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
            noteExpressions(of: template, text)
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
