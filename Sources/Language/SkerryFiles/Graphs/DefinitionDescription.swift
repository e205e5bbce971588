import SkerryActivity
import SkerryDevice
package import SkerryValues

/// A definition as JSON, for programs that draw it: its text, its machine, what people follow and how it is drawn.
package struct DefinitionDescription {
    private let source: DefinitionFile
    private let draft: DefinitionDraft
    private let definition: Definition

    /// The description of a definition; nil for a file that has errors.
    package init?(_ file: CompiledFiles.File) {
        guard let draft = file.draft, let definition = file.definition else { return nil }
        source = file.source
        self.draft = draft
        self.definition = definition
    }

    /// Writes the head of the definition, as members of an object: what a list of definitions shows.
    ///
    /// - Parameters:
    ///   - writer: Stands within the object.
    ///   - path: The file; nil for a text that is in none.
    package func writeHead(to writer: inout JSONWriter, file path: String?) {
        writer.member("kind", definition.kind)
        writer.member("name", draft.name?.text)
        writer.member("file", path)
        let named = IslandSymbol.systemName(of: IslandSymbol.named(in: definition.kind))
        writer.member("symbol", draft.island == nil ? named : definition.island?.symbol ?? named)
        writer.array("topics", definition.sources) { writer, source in
            writer.string(source.filter.subscription)
        }
    }

    /// Writes the definition as an object.
    ///
    /// - Parameters:
    ///   - writer: Stands where a value may stand.
    ///   - path: The file; nil for a text that is in none.
    package func write(to writer: inout JSONWriter, file path: String?) {
        let outline = ChartOutline(draft.machine)
        writer.beginObject()
        writeHead(to: &writer, file: path)
        writer.member("source", source.text)
        writer.object("machine") { writer in
            writeStates(of: outline, to: &writer)
            writeTransitions(of: outline, to: &writer)
        }
        writer.member("initial", outline.names(outline.initial(of: 0)).first)
        writer.member("starts", draft.activity?.starts.map(\.text) ?? [])
        writer.member("ends", draft.activity?.ends.map(\.text) ?? [])
        writer.fields("fields", definition.contract?.content ?? [])
        writer.fields("attributes", definition.contract?.attributes ?? [])
        writer.objects("alerts", draft.activity?.alerts ?? []) { writer, alert in
            switch alert.occasion {
            case .state(let name): writer.member("state", name.text)
            case .condition(let expression): writer.member("when", expression.text)
            case .event(let name): writer.member("event", name.text)
            }
            writer.member("title", alert.title.text)
            writer.member("body", alert.body?.text)
            if alert.sound != .standard { writer.member("sound", alert.sound.name) }
            if alert.level != .active { writer.member("level", alert.level.name) }
        }
        writer.member("relevance", draft.activity?.relevance ?? ActivityPlan.defaultRelevance)
        writer.member("events", definition.events)
        writeSettings(to: &writer)
        writer.key("layout")
        if let island = definition.island { island.write(to: &writer) } else { writer.null() }
        writer.endObject()
    }

    /// Writes the settings that people may choose for each device: lengths of time in seconds.
    private func writeSettings(to writer: inout JSONWriter) {
        writer.objects("settings", definition.settings) { writer, setting in
            writer.member("name", setting.name)
            writer.member("type", setting.standard.typeName)
            let values = [
                ("default", setting.standard), ("min", setting.least), ("max", setting.greatest),
            ]
            for (key, value) in values {
                writer.key(key)
                if let value { writer.value(value.value) } else { writer.null() }
            }
            writer.member("text", setting.text)
        }
    }

    private func writeStates(of outline: ChartOutline, to writer: inout JSONWriter) {
        writer.key("states")
        writer.beginArray()
        for (index, node) in outline.nodes.enumerated() where index > 0 {
            writer.beginObject()
            writer.member("name", node.state.name.text)
            writer.member("title", node.state.title?.text)
            let parent = node.parent.flatMap { $0 == 0 ? nil : outline.nodes[$0].state.name.text }
            writer.member("parent", parent)
            writer.member("type", outline.typeName(of: index))
            let hasInitial = !node.children.isEmpty || node.state.kind.isHistory
            let initial = hasInitial ? outline.initial(of: index) : []
            writer.member("initial", outline.names(initial).first)
            writer.endObject()
        }
        writer.endArray()
    }

    private func writeTransitions(of outline: ChartOutline, to writer: inout JSONWriter) {
        writer.array("transitions", outline.nodes) { writer, node in
            for transition in node.state.transitions {
                writer.beginObject()
                writer.member("from", node.parent == nil ? nil : node.state.name.text)
                writer.member("to", transition.targets.map(\.text))
                let (trigger, label) = transition.triggerWords
                writer.member("trigger", trigger)
                writer.member("label", label)
                writer.member("guard", transition.condition?.text)
                writer.key("line")
                if transition.place.file == 0 {
                    writer.int(Int64(transition.place.line))
                } else {
                    writer.null()
                }
                writer.endObject()
            }
        }
    }
}

extension ChartOutline {
    /// The names of states.
    fileprivate func names(_ indices: [Int]) -> [String] { indices.map { nodes[$0].state.name.text } }

    fileprivate func typeName(of index: Int) -> String {
        switch nodes[index].state.kind {
        case .single: nodes[index].children.isEmpty ? "atomic" : "compound"
        case .parallel: "parallel"
        case .final: "final"
        case .history: "history"
        }
    }
}

extension TransitionDraft {
    /// The sort of the trigger, and its event or length of time in words.
    fileprivate var triggerWords: (trigger: String, label: String) {
        switch trigger {
        case .always: ("always", "")
        case .event(let descriptors): ("event", descriptors.map(\.text).joined(separator: ", "))
        case .after(let length): ("after", DurationText.text(length))
        case .sustained(let length, _, let reports): ("for", TransitionDraft.words(length, reports))
        case .quiet(let silence): ("quiet", DurationText.text(silence))
        case .at(let time): ("at", time.text)
        case .past(let moment): ("past", moment.text)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ name: String, _ fields: [LiveActivityContract.Field]) {
        objects(name, fields) { writer, field in
            writer.member("name", field.name)
            writer.member("type", field.type == .structure ? FieldType.any.name : field.type.name)
            if let unit = field.unit { writer.member("unit", unit) }
        }
    }
}
