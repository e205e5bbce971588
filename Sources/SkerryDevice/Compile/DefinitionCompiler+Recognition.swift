import SkerryExpressions
import SkerryValues

extension DefinitionCompiler {
    /// Compiles the messages that tell that a device is there.
    mutating func compileRecognition() {
        for entry in draft.recognition {
            if let compiled = compile(entry) { parts.recognition.append(compiled) }
        }
    }

    private mutating func compile(_ draft: RecognitionDraft) -> Recognition? {
        guard let filter = topicFilter(draft.topic) else { return nil }
        var scope = Scope()
        scope.timeZone = self.scope.timeZone
        scope.refusesFailures = true
        scope.declarePayload("payload", type: draft.payload.type, kind: ReferenceKind.payload.rawValue)
        for (index, name) in filter.captures.enumerated() {
            scope.declare("topic.\(name)", type: .string, as: ReferenceKind.capture.reference(index))
        }
        var paths = PathTable()
        let each = draft.each.flatMap { program($0, in: scope, paths: &paths) }
        if let each, let text = draft.each { expectList(each, text) }
        if draft.each != nil { scope.declare("item", type: .dyn, as: ReferenceKind.item.reference()) }
        let condition = draft.when.flatMap {
            program($0, of: .bool, "true or false", "compare with something", in: scope, paths: &paths)
        }
        let name = draft.name.flatMap {
            program($0, of: .string, "a name, a text", "write string(…)", in: scope, paths: &paths)
        }
        guard let device = naming(of: draft, filter, in: scope, paths: &paths) else { return nil }
        let isAnything = !filter.levels.contains { if case .literal = $0 { true } else { false } }
        if isAnything, draft.when == nil {
            report(
                .badTopic,
                draft.topic,
                "every message would tell of such a device",
                remedy: "name a level of the topic, or write 'when:'"
            )
        }
        return Recognition(
            filter: filter,
            certainty: draft.certainty,
            payload: draft.payload,
            paths: paths,
            device: device,
            each: each,
            condition: condition,
            name: name,
            costLimit: parts.limits.expressionCost
        )
    }

    private mutating func expectList(_ program: Program, _ text: SourceText) {
        if case .list = program.type { return }
        expect(.list(.dyn), program, text, "a list", "name the list in the payload, as in payload.devices")
    }

    /// Finds where a message names the device: in the topic or in a template, and not in both.
    private mutating func naming(
        of draft: RecognitionDraft,
        _ filter: TopicFilter,
        in scope: Scope,
        paths: inout PathTable
    ) -> Recognition.DeviceNaming? {
        let level = filter.levels.firstIndex(of: .capture("device"))
        guard let text = draft.device else {
            if let level { return .level(level) }
            report(
                .badTopic,
                draft.topic,
                "nothing names the device",
                remedy: "write {device} in place of a level of the topic, or `device: \"{payload.id}\"`"
            )
            return nil
        }
        guard level == nil else {
            report(
                .badTopic,
                text,
                "the topic names the device already",
                remedy: "remove 'device', or write + in place of {device}"
            )
            return nil
        }
        return template(text, in: scope, paths: &paths).map { .template($0) }
    }
}
