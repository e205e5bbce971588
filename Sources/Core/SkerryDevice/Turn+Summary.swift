import SkerryActivity
public import SkerryExpressions
import SkerryMachine
public import SkerryValues

extension Turn {
    /// Writes the summary of the device for a list of devices, as members of an object: where it is, when it was heard,
    /// what is next, and its activity.
    ///
    /// Changes nothing.
    ///
    /// - Parameter writer: Stands within the object.
    public func summarize(to writer: inout JSONWriter) {
        let chart = scene.definition.chart
        writeName(to: &writer)
        writer.key("states")
        writer.beginArray()
        for state in machine.configuration where state != .root { writer.string(chart[state].name) }
        writer.endArray()
        let title = scene.load(ReferenceKind.stateTitle.reference(), machine)
        writer.key("title")
        if case .string(let text) = title { writer.string(text) } else { writer.null() }
        let innermost = machine.activeAtomicStates(in: chart)
        writer.member("since", innermost.compactMap { machine.enteredAt($0) }.max())
        writer.member("heard", machine.lastHeard == .distantPast ? nil : machine.lastHeard)
        writer.member("available", scene.memory.isAvailable)
        writer.key("next")
        if let next = next() {
            writer.beginObject()
            writer.member("at", next.due.at)
            writer.member("what", words(for: next.what))
            writer.endObject()
        } else {
            writer.null()
        }
        writer.key("activity")
        if let activity = run.first?.activity { writer.json(activity.snapshotJSON()) } else { writer.null() }
    }

    /// Writes the name that people gave the device, if there is one.
    func writeName(to writer: inout JSONWriter) {
        guard let name = scene.definition.givenName ?? scene.memory.givenName else { return }
        writer.member("name", name)
    }

    /// The name of something that is due: the state that a transition leads to, an event, a timer, or the activity's
    /// next phase.
    private func words(for happening: Happening) -> String {
        switch happening {
        case .transition(let id):
            let transition = scene.definition.chart[id]
            let targets = transition.targets.isEmpty ? [transition.source] : transition.targets
            return targets.map { scene.definition.chart[$0].name }.joined(separator: ", ")
        case .event(let name), .timer(let name): return name
        case .update: return "update"
        case .alert: return "alert"
        case .stale: return "stale"
        case .dismissal: return "gone"
        }
    }

    /// A text of its definition with the present values of the device.
    public func text(of template: TextTemplate) -> String {
        template.render(from: scene, machine, costLimit: scene.definition.limits.expressionCost)
    }
}

extension Definition {
    /// The title of the first of some innermost states that has one, itself or in a state around it; their names are
    /// joined by commas.
    public func title(ofStates names: String) -> TextTemplate? {
        if let state = chart.state(named: names) { return title(of: state) }
        for name in names.split(separator: ",") {
            if let state = chart.state(named: String(name)), let title = title(of: state) { return title }
        }
        return nil
    }

    private func title(of state: StateID) -> TextTemplate? {
        var state = state
        while true {
            if let title = titles[Int(state.rawValue)] { return title }
            if state == .root { return nil }
            state = chart[state].parent
        }
    }
}
