import SkerryExpressions
import SkerryValues

extension DefinitionCompiler {
    /// Warns of events that transitions and alerts wait for and that nothing seems to raise.
    ///
    /// Messages may raise any event, so only names that look like one of the definition are doubted.
    mutating func warnOfUnraisedEvents() {
        for event in awaitedEvents {
            guard let meant = meantEvents(by: event.text) else { continue }
            let remedy =
                meant.count == 1
                ? "did you mean '\(meant[0])'?"
                : meant.isEmpty ? nil : "there are: \(meant.prefix(12).joined(separator: ", "))"
            report(.eventNeverRaised, event, "nothing raises the event '\(event.text)'", remedy: remedy)
        }
    }

    /// The events that a name was probably meant for; nil when a message may well raise it.
    func meantEvents(by name: String) -> [String]? {
        guard name != "*", !ownEvents.contains(where: { name.describes($0) }) else { return nil }
        let words = name.split(separator: ".").map(String.init)
        let timers = draft.timers.map { $0.name.text }
        let first = ["timer", "timers"].contains(words[0]) && words.count > 1 ? words[1] : words[0]
        if let timer = timers.first(where: { $0.hasSameCodePoints(as: first) }) {
            return ["\(timer).elapsed"]
        }
        let suffix = words.last == "elapsed" ? ".elapsed" : nil
        let prefix = words.count > 2 && words[0] == "done" && words[1] == "state" ? "done.state." : nil
        if suffix != nil || prefix != nil {
            let ends = ownEvents.filter { $0.hasSuffix(suffix ?? "") && $0.hasPrefix(prefix ?? "") }
            return nearestName(to: name, among: ends).map { [$0] } ?? ends
        }
        let unheard = raisedEvents.sorted().filter { event in
            !awaitedEvents.contains { $0.text.describes(event) }
        }
        return nearestName(to: name, among: unheard).map { [$0] }
    }

    /// The events that transitions and alerts wait for.
    var awaitedEvents: [SourceText] {
        let transitions = states.flatMap { $0.transitions }.flatMap { transition in
            if case .event(let events) = transition.trigger { events } else { [SourceText]() }
        }
        let alerts = draft.activity?.alerts ?? []
        return transitions
            + alerts.flatMap { alert -> [SourceText] in
                guard case .event(let events) = alert.occasion else { return [] }
                return events.text.utf8.split(separator: UInt8(ascii: " ")).map { name in
                    let start = events.text.utf8.distance(from: events.text.startIndex, to: name.startIndex)
                    return events.part(start..<start + name.count)
                }
            }
    }

    /// The events that the machine raises itself: those of timers, of final states and of actions.
    private var ownEvents: [String] {
        let finals = states.filter { state in
            state.states.contains { if case .final = $0.kind { true } else { false } }
        }
        return draft.timers.map { "\($0.name.text).elapsed" } + finals.map { "done.state.\($0.name.text)" }
            + raisedEvents.sorted()
    }
}
