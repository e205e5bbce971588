import SkerryDevice
import SkerryValues

/// A delayed event that a state sends on entry and only its own transitions handle, which `after` can replace.
struct StateDelay {
    /// The event.
    var event: String
    /// The id by which the event is cancelled; nil when it has none.
    var id: String?
    /// The delay.
    var length: SourceInterval

    /// True if an action sends or cancels this event.
    func covers(_ action: SCXMLAction) -> Bool {
        switch action.kind {
        case .send(let send):
            if case .literal(let name)? = send.event { name.text == event } else { false }
        case .cancel(.literal(let name)): name.text == id
        default: false
        }
    }
}

extension SCXMLTranslation {
    /// The delay of a state that `after` can replace exactly; nil when there is none.
    func delay(in state: SCXMLState) -> StateDelay? {
        for action in state.entry.flatMap({ $0 }) {
            guard case .send(let send) = action.kind, case .literal(let event)? = send.event,
                case .literal(let text)? = send.delay, send.target == nil, send.type == nil,
                send.parameters.isEmpty, send.idLocation == nil,
                let length = SCXMLSend.microseconds(text.text), length > 0
            else { continue }
            let interval = SourceInterval(Interval(microseconds: length), at: text.place)
            let delay = StateDelay(event: event.text, id: send.id?.text, length: interval)
            if isOwn(delay, of: state) { return delay }
        }
        return nil
    }

    /// True if the event is sent only once in the document, handled only by this state, and never left pending.
    private func isOwn(_ delay: StateDelay, of state: SCXMLState) -> Bool {
        var mentions = EventMentions(event: delay.event, id: delay.id)
        mentions.count(in: document.root)
        let own = state.transitions.filter { $0.events.map { $0.text } == [delay.event] }
        guard mentions.sends == 1, !own.isEmpty, mentions.listeners == own.count,
            !own.contains(where: { $0.condition?.text.contains("_event") ?? false })
        else { return false }
        let cancels = state.exit.flatMap { $0 }.filter { action in
            if case .cancel = action.kind { delay.covers(action) } else { false }
        }
        if !cancels.isEmpty { return mentions.cancels == cancels.count }
        let leaving = state.transitions.filter { !$0.targets.isEmpty }
        let endsByItself = leaving.allSatisfy {
            $0.events.map { $0.text } == [delay.event] && $0.condition == nil
        }
        return mentions.cancels == 0 && state.states.isEmpty && endsByItself
            && hasQuietAncestors(state.id?.text, below: document.root)
    }

    /// True if only a state's own transitions can leave it: no ancestor has transitions or is parallel.
    private func hasQuietAncestors(_ id: String?, below state: SCXMLState) -> Bool {
        if state.states.contains(where: { $0.id?.text == id }) {
            return state.transitions.isEmpty && state.kind != .parallel
        }
        return state.transitions.isEmpty && state.kind != .parallel
            && state.states.contains { hasQuietAncestors(id, below: $0) }
    }
}

/// The number of places in which a document mentions an event.
private struct EventMentions {
    let event: String
    let id: String?
    /// The number of actions that send or raise it, including those with computed names.
    var sends = 0
    /// The number of transitions that it can trigger.
    var listeners = 0
    /// The number of actions that cancel its id, including those with computed ids.
    var cancels = 0

    mutating func count(in state: SCXMLState) {
        count(in: state.entry.flatMap { $0 } + state.exit.flatMap { $0 } + state.initialActions)
        for transition in state.transitions {
            if transition.events.contains(where: { hears($0.text) }) { listeners += 1 }
            count(in: transition.actions)
        }
        for child in state.states { count(in: child) }
    }

    private func hears(_ descriptor: String) -> Bool {
        var descriptor = descriptor[...]
        if descriptor.hasSuffix("*") { descriptor = descriptor.dropLast() }
        if descriptor.hasSuffix(".") { descriptor = descriptor.dropLast() }
        return descriptor.isEmpty || event == descriptor || event.hasPrefix(descriptor + ".")
    }

    private mutating func count(in actions: [SCXMLAction]) {
        for action in actions {
            switch action.kind {
            case .raise(let name): if name.text == event { sends += 1 }
            case .send(let send):
                if case .literal(let name)? = send.event, name.text != event { continue }
                sends += 1
            case .cancel(.literal(let name)): if name.text == id { cancels += 1 }
            case .cancel(.expression): cancels += 1
            case .branches(let branches): count(in: branches.flatMap { $0.actions })
            case .forEach(_, _, _, let body): count(in: body)
            case .assign, .log, .script, .unknown: break
            }
        }
    }
}
