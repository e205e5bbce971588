import SkerryExpressions
import SkerryMachine

// What readers outside of the engine may know of a definition: pages, and conventions of other systems.

extension Definition {
    /// The events that may come from outside: those that transitions and alerts wait for and those of buttons, without those
    /// that the machine raises itself, those that begin with `device.`, which only messages of the device raise, and those
    /// that begin with `bridge.`, which only the bridge raises.
    public var events: [String] {
        let own = ownEvents
        var events: [String] = []
        func add(_ name: String) {
            if !Self.isReserved(name), !events.contains(name) { events.append(name) }
        }
        for button in parts.island?.buttons ?? [] where button.link == nil { add(button.name) }
        for name in awaitedEvents
        where !own.contains(where: { EventDescriptor.matches(name, $0) || EventDescriptor.matches($0, name) })
        {
            add(name)
        }
        return events
    }

    /// Returns whether an event may come from outside: it is one of ``events``, or a more precise name of one.
    public func accepts(event: String) -> Bool {
        let events = events
        if events.contains(event) { return true }
        return events.contains { EventDescriptor.matches($0, event) }
            && !ownEvents.contains { EventDescriptor.matches($0, event) }
    }

    /// The event that the bridge raises for each device whenever it has connected to the broker, at its start, too: what
    /// the device said before may have gone unheard.
    public static let connected = "bridge.connected"

    /// True if transitions or alerts wait for ``connected`` by name.
    public var awaitsConnection: Bool {
        awaitedEvents.contains { $0 != "*" && EventDescriptor.matches($0, Self.connected) }
    }

    /// Returns whether nobody outside may send an event of this name, whatever waits for it.
    private static func isReserved(_ name: String) -> Bool {
        isRaisedInside(name) || name.utf8.contains(UInt8(ascii: "*"))
    }

    /// Returns whether an event is one that the device, the bridge or a final state raises.
    static func isRaisedInside(_ name: String) -> Bool {
        EventDescriptor.matches("device", name) || EventDescriptor.matches("bridge", name)
            || name.hasPrefix("done.")
    }

    /// The names of events for which transitions and alerts wait.
    private var awaitedEvents: [String] {
        var names: [String] = []
        for id in chart.states.flatMap({ $0.transitions }) {
            if case .event(let descriptors) = chart[id].trigger { names += descriptors }
        }
        for alert in activity?.alerts ?? [] {
            if case .event(let descriptors) = alert.occasion { names += descriptors }
        }
        return names
    }

    /// The events that the machine raises itself: those of timers, of final states and of actions.
    private var ownEvents: [String] {
        var own = chart.timers.map { $0 + ".elapsed" }
        for state in chart.states {
            if chart.states.contains(where: { $0.kind == .final && chart[$0.parent].name == state.name }) {
                own.append("done.state." + state.name)
            }
            for action in (state.entry + state.exit).joined() { action.addRaised(to: &own) }
        }
        for action in chart.transitions.flatMap({ $0.actions }) { action.addRaised(to: &own) }
        return own
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
