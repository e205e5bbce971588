import SkerryExpressions
import SkerryMachine

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
