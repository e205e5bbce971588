import SkerryDevice

/// The parts of a definition that its SCXML does not contain, or only in Skerry's namespace.
struct SCXMLLosses {
    /// A clause for each, for people; empty when an interpreter has all.
    private(set) var lines: [String] = []
    private var guards = 0
    private var waits = 0
    private var silences = 0
    private var times = 0
    private var moments = 0
    private var publications = 0
    private var timerActions = 0
    private var attempts = 0
    private var titles = 0

    init(_ draft: DefinitionDraft) {
        count(draft.machine)
        let signals = draft.sources.reduce(0) { $0 + $1.signals.count }
        add(
            draft.sources.count,
            "source",
            "left out, with \(Self.number(signals, "signal")) that guards read"
        )
        add(guards, "guard", "in CEL: 'skerry import scxml' accepts it only where ECMAScript means the same")
        add(waits, "guard that must hold ('for')", "in the namespace of Skerry: no other program reads it")
        add(silences, "wait for silence ('quiet')", "in the namespace of Skerry: no other program reads it")
        add(times, "time of day ('at')", "in the namespace of Skerry: no other program reads it")
        add(moments, "moment ('past')", "in the namespace of Skerry: no other program reads it")
        add(publications, "message to publish", "in the namespace of Skerry: no other program sends it")
        add(draft.timers.count, "timer", "left out")
        add(timerActions, "action on a timer", "in the namespace of Skerry: no other program reads it")
        add(attempts, "'try'", "in the namespace of Skerry: no other program carries out its actions")
        add(titles, "title", "in the namespace of Skerry: no other program shows it")
        if draft.activity != nil { lines.append("the activity, the island and tests: left out") }
        add(draft.migrations.count, "migration", "left out")
    }

    private mutating func add(_ count: Int, _ name: String, _ fate: String) {
        if count > 0 { lines.append("\(Self.number(count, name)): \(fate)") }
    }

    /// A number of things; the plural is made at the end of the first word.
    private static func number(_ count: Int, _ name: String) -> String {
        if count == 1 { return "1 \(name)" }
        let words = name.split(separator: " ", maxSplits: 1)
        let first = words[0].last == "'" ? String(words[0]) : "\(words[0])s"
        return "\(count) \(([first] + words.dropFirst().map { String($0) }).joined(separator: " "))"
    }

    private mutating func count(_ state: StateDraft) {
        if state.title != nil { titles += 1 }
        count(state.entry + state.exit)
        for transition in state.transitions {
            if transition.condition != nil { guards += 1 }
            switch transition.trigger {
            case .sustained: waits += 1
            case .quiet: silences += 1
            case .at: times += 1
            case .past: moments += 1
            case .always, .event, .after: break
            }
            count(transition.actions)
        }
        for child in state.states { count(child) }
    }

    private mutating func count(_ actions: [ActionDraft]) {
        for action in actions {
            switch action {
            case .start, .stop, .pause, .resume, .extend: timerActions += 1
            case .guarded(_, let then, let otherwise):
                guards += 1
                count(then + otherwise)
            case .attempt(let tried):
                attempts += 1
                count(tried)
            case .publish: publications += 1
            case .raise, .send, .cancel, .assign: break
            }
        }
    }
}
