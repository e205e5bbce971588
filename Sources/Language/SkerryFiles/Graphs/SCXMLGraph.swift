import SkerryDevice
import SkerryValues

/// Writes a machine as SCXML, with guards in CEL.
///
/// Parts without an element in SCXML are in a namespace of their own. A wait under `after` is a delayed event; waits
/// under `always` are events that only Skerry raises, so that no other interpreter takes such a transition too early.
struct SCXMLGraph {
    /// The namespace of the extensions to SCXML.
    static let namespace = "urn:skerry:scxml:1"

    private let draft: DefinitionDraft
    private let outline: ChartOutline
    private var ids: [String: String] = [:]

    /// Takes the machine of a definition.
    init(_ draft: DefinitionDraft) {
        self.draft = draft
        outline = ChartOutline(draft.machine)
        var used: Set<String> = []
        for node in outline.nodes.dropFirst() where ids[node.state.name.text] == nil {
            // Targets are separated by spaces, so ids have none.
            var id = node.state.name.text.split(whereSeparator: \.isWhitespace).joined(separator: "_")
            while id.isEmpty || !used.insert(id).inserted { id += "_" }
            ids[node.state.name.text] = id
        }
    }

    /// The document.
    var text: String {
        let machine = draft.machine
        let inner = outline.showsRoot || !machine.entry.isEmpty
        var root = XMLElement(
            "scxml",
            [
                ("xmlns", "http://www.w3.org/2005/07/scxml"),
                ("xmlns:skerry", Self.namespace),
                ("version", "1.0"),
                ("datamodel", "cel"),
                ("name", draft.kind.text),
            ]
        )
        if !draft.context.isEmpty {
            let data = draft.context.map {
                XMLElement("data", [("id", $0.name.text), ("expr", $0.text.text)])
            }
            root.children.append(XMLElement("datamodel", [], data))
        }
        if inner {
            // `scxml` has neither transitions nor regions, so a state around all others has them.
            var id = "machine"
            while ids.values.contains(id) { id += "_" }
            var element = state(machine)
            element.attributes.insert(contentsOf: [("id", id), ("skerry:machine", "true")], at: 0)
            root.children.append(element)
        } else {
            if !machine.initial.isEmpty { root.attributes.append(("initial", targets(machine.initial))) }
            root.children += machine.states.map { state($0) }
        }
        let losses = SCXMLLosses(draft).lines
        // Two hyphens would end a comment, and no line has them.
        let comment = losses.isEmpty ? "" : "<!--\n\(losses.map { "  \($0)\n" }.joined())-->\n"
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + comment + root.text
    }

    private func state(_ state: StateDraft) -> XMLElement {
        var attributes: [(String, String)] = []
        if !state.name.text.isEmpty { attributes.append(("id", ids[state.name.text] ?? state.name.text)) }
        if case .history(let deep) = state.kind {
            attributes.append(("type", deep ? "deep" : "shallow"))
            let leads = XMLElement("transition", [("target", targets(state.initial))])
            return XMLElement("history", attributes, [leads])
        }
        if !state.initial.isEmpty, !state.kind.isParallel {
            attributes.append(("initial", targets(state.initial)))
        }
        if let title = state.title { attributes.append(("skerry:title", title.text)) }
        let name = state.kind.isParallel ? "parallel" : state.kind.isFinal ? "final" : "state"
        var element = XMLElement(name, attributes)
        var entry = state.entry.map { self.action($0) }
        var exit = state.exit.map { self.action($0) }
        for (index, transition) in state.transitions.enumerated() {
            guard case .after(let delay) = transition.trigger else { continue }
            let event = event(of: transition, index, in: state)
            entry.append(
                XMLElement("send", [("event", event), ("id", event), ("delay", delay.interval.cssTime)])
            )
            exit.append(XMLElement("cancel", [("sendid", event)]))
        }
        if !entry.isEmpty { element.children.append(XMLElement("onentry", [], entry)) }
        if !exit.isEmpty { element.children.append(XMLElement("onexit", [], exit)) }
        for (index, transition) in state.transitions.enumerated() {
            element.children.append(self.transition(transition, index, in: state))
        }
        element.children += state.states.map { self.state($0) }
        return element
    }

    private func transition(_ transition: TransitionDraft, _ index: Int, in state: StateDraft) -> XMLElement {
        var attributes: [(String, String)] = []
        let event = event(of: transition, index, in: state)
        if !event.isEmpty { attributes.append(("event", event)) }
        if let condition = transition.condition { attributes.append(("cond", condition.text)) }
        if !transition.targets.isEmpty { attributes.append(("target", targets(transition.targets))) }
        if transition.isInternal { attributes.append(("type", "internal")) }
        switch transition.trigger {
        case .always, .event, .after: break
        case .sustained(let length, let dropout, let reports):
            attributes.append(("skerry:for", DurationText.text(length.interval)))
            if let dropout { attributes.append(("skerry:dropout", DurationText.text(dropout.interval))) }
            if reports > 1 { attributes.append(("skerry:reports", reports.description)) }
        case .quiet(let silence):
            attributes.append(("skerry:quiet", DurationText.text(silence)))
        case .at(let time):
            attributes.append(("skerry:at", time.text))
        case .past(let moment):
            attributes.append(("skerry:past", moment.text))
        }
        return XMLElement("transition", attributes, transition.actions.map { self.action($0) })
    }

    /// The event that sets a transition off; empty when none does.
    private func event(of transition: TransitionDraft, _ index: Int, in state: StateDraft) -> String {
        let id = ids[state.name.text] ?? "machine"
        return switch transition.trigger {
        case .always: ""
        case .event(let descriptors): descriptors.map(\.text).joined(separator: " ")
        case .after: "after.\(id).\(index)"
        case .sustained: "held.\(id).\(index)"
        case .quiet: "quiet.\(id).\(index)"
        case .at: "at.\(id).\(index)"
        case .past: "past.\(id).\(index)"
        }
    }

    private func action(_ action: ActionDraft) -> XMLElement {
        switch action {
        case .start(let timer, let duration):
            XMLElement("skerry:start", [("timer", timer.text)] + attribute("duration", duration))
        case .stop(let timer): XMLElement("skerry:stop", [("timer", timer.text)])
        case .pause(let timer, let moment):
            XMLElement("skerry:pause", [("timer", timer.text)] + attribute("from", moment))
        case .resume(let timer): XMLElement("skerry:resume", [("timer", timer.text)])
        case .extend(let timer, let length):
            XMLElement("skerry:extend", [("timer", timer.text), ("by", length.text)])
        case .raise(let event): XMLElement("raise", [("event", event.text)])
        case .send(let event, let delay, let id):
            XMLElement(
                "send",
                [("event", event.text)] + attribute("id", id) + attribute("delayexpr", delay)
            )
        case .cancel(let id): XMLElement("cancel", [("sendid", id.text)])
        case .assign(let name, let value):
            XMLElement("assign", [("location", name.text), ("expr", value.text)])
        case .guarded(let condition, let then, let otherwise):
            XMLElement(
                "if",
                [("cond", condition.text)],
                then.map { self.action($0) } + alternative(otherwise)
            )
        case .publish(let message):
            XMLElement(
                "skerry:publish",
                [("topic", message.topic.text)] + attribute("payload", message.payload)
            )
        case .attempt(let actions):
            XMLElement("skerry:try", [], actions.map { self.action($0) })
        }
    }

    private func alternative(_ actions: [ActionDraft]) -> [XMLElement] {
        actions.isEmpty ? [] : [XMLElement("else", [])] + actions.map { self.action($0) }
    }

    private func attribute(_ name: String, _ source: SourceText?) -> [(String, String)] {
        source.map { [(name, $0.text)] } ?? []
    }

    private func targets(_ names: [SourceText]) -> String {
        names.map { ids[$0.text] ?? $0.text }.joined(separator: " ")
    }
}

/// An element of XML with its attributes in order.
private struct XMLElement {
    var name: String
    var attributes: [(String, String)]
    var children: [XMLElement]

    init(_ name: String, _ attributes: [(String, String)], _ children: [XMLElement] = []) {
        self.name = name
        self.attributes = attributes
        self.children = children
    }

    /// The element with a line for each child.
    var text: String {
        var text = ""
        append(to: &text, margin: "")
        return text
    }

    private func append(to text: inout String, margin: String) {
        text += "\(margin)<\(name)"
        for (name, value) in attributes { text += " \(name)=\"\(value.markupEscaped)\"" }
        guard !children.isEmpty else {
            text += "/>\n"
            return
        }
        text += ">\n"
        for child in children { child.append(to: &text, margin: margin + "  ") }
        text += "\(margin)</\(name)>\n"
    }
}

extension Interval {
    /// The length as CSS writes times, which SCXML takes for delays.
    fileprivate var cssTime: String {
        let milliseconds = microseconds / 1000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}
