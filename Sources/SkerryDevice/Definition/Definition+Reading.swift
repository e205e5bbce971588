import SkerryExpressions
import SkerryMachine

// What readers outside of the engine may know of a definition: pages, and conventions of other systems.

extension Definition {
    /// The events that somebody may send: those that transitions wait for, without those that the machine raises itself, and
    /// those that begin with `device.`, which only messages of the device raise.
    public var events: [String] {
        var own = chart.timers.map { $0 + ".elapsed" }
        for state in chart.states {
            for action in (state.entry + state.exit).joined() { action.addRaised(to: &own) }
        }
        for action in chart.transitions.flatMap({ $0.actions }) { action.addRaised(to: &own) }
        var events: [String] = []
        for id in chart.states.flatMap({ $0.transitions }) {
            guard case .event(let names) = chart[id].trigger else { continue }
            for name in names where !events.contains(name) && !own.contains(name) {
                if name.hasPrefix("done.") || name.hasPrefix("device.") { continue }
                if name.utf8.contains(UInt8(ascii: "*")) { continue }
                events.append(name)
            }
        }
        return events
    }

    /// The title of a state, its own or that of the nearest state around it; nil if there is none or it is computed.
    public func fixedTitle(ofState name: String) -> String? {
        guard var state = chart.state(named: name) else { return nil }
        while true {
            if let title = titles[Int(state.rawValue)] { return title.fixedText }
            if state == .root { return nil }
            state = chart[state].parent
        }
    }
}

extension TextTemplate {
    /// The text, if nothing in it is computed.
    fileprivate var fixedText: String? {
        var text = ""
        for part in parts {
            guard case .literal(let piece) = part else { return nil }
            text += piece
        }
        return text
    }
}

extension Statechart.Action {
    /// Adds the events that the action raises, or sends to the machine itself.
    fileprivate func addRaised(to names: inout [String]) {
        switch self {
        case .raise(let event), .send(let event, delay: _, id: _): names.append(event)
        case .choose(_, let actions, let otherwise):
            for action in actions + otherwise { action.addRaised(to: &names) }
        case .attempt(let actions):
            for action in actions { action.addRaised(to: &names) }
        case .cancel, .start, .stop, .pause, .resume, .extend, .host: break
        }
    }
}
