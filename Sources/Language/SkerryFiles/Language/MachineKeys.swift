// A table, whose rows would take up three times as many lines.
// swift-format-ignore-file

import SkerryDevice
import SkerryMachine

/// The keys of machines, states, transitions and silences.
enum MachineKeys {
    static let machine = KeyTable<StateDraft>("Machine", "The root of the statechart, a state without a name.") {
        title
        symbol
        tint
        type(["parallel"], "All states of the machine are active at once.")
        initial
        DraftKey("onUnavailable", .word([false, true], \.whileUnavailable, usual: false), \.runsUnavailable)
            .help("While the device can't be reached", "Whether waits run on while `available` is known to be false. `hold`, the default: guards with `for`, `after` and countdowns with `remaining` stand still. `run`: they run on.", "run")
        behaviour
        states.required
    }

    static let state = KeyTable<StateDraft>("State", "A state of the machine. Its name differs from that of every other state of the definition.") {
        title
        symbol
        tint
        DraftKey("relevance", .number(0...100), \.relevance)
            .help("Relevance", "How much the activity matters compared with others while it is active, from 0 to 100.", "90")
        type(["parallel", "history", "final"], "`parallel`: all of its states are active at once. `final`: entering it tells the parent that it is done. `history`: entering it leads to where the parent was left.")
        initial
        behaviour
        states
        DraftKey("history", .word(["shallow", "deep"]), read: nil) { $1.kind.isDeep ? .text("deep") : nil }
            .help("Depth of the history", "For `type: history`. `shallow` (the default) restores the child of the parent, `deep` all that was active below it.", "deep")
        DraftKey("target", .oneOrMore(.state), read: nil) { $1.kind.isHistory ? $0.texts($1.initial) : nil }
            .help("Default of the history", "For `type: history`: where it leads when the parent was never left.", "running")
    }

    private static let title = DraftKey<StateDraft>("title", .words(.template), \.title)
        .help("Title for people", "The text that people see while it is active; expressions read it as `state.title`.", "Running", "\"Done after {context.length} min\"")

    private static let symbol = DraftKey<StateDraft>("symbol", .label(.text), \.symbol)
        .help("Symbol", "The symbol that an island draws as `{state.symbol}` while it is active.", "checkmark")

    private static let tint = DraftKey<StateDraft>("tint", .label(.colour), \.tint)
        .help("Colour", "The colour of the island while it is active.", "\"#2a9d8f\"")

    private static let initial = DraftKey<StateDraft>("initial", .oneOrMore(.state)) { $2.initial = $0.texts($1.value, of: $1.what) } write: { $1.kind.isHistory ? nil : $0.texts($1.initial) }
        .help("First state", "The state entered with this one; the first of `states` when left out.", "idle").writtenLast

    private static func type(_ words: [String], _ summary: String) -> DraftKey<StateDraft> {
        DraftKey("type", .word(words), read: nil) { $1.kind.type.map { .text($0) } }
            .help("Type", summary + " Left out, one of its states is active at a time, or it has none.", "parallel")
    }

    private static let states = DraftKey<StateDraft>("states", .named(.state, .either([.mapping(.state), .nothing]))) { $2.states = $0.states($1.value) } write: { $0.states(of: $1) }
        .help("States", "The states within it, by their names.", "{ idle: {}, running: { title: Running } }").introduces(.state).writtenLast

    @KeyList<StateDraft> private static var behaviour: [DraftKey<StateDraft>] {
        DraftKey("entry", actions) { $2.entry = $0.actions($1.value, of: $1.what) } write: { $0.actions($1.entry, comments: $0.comments[.entry(of: $1.name.text)]) }
            .help("On entry", "Actions on entering the state.", "{ start: cycle }")
        DraftKey("exit", actions) { $2.exit = $0.actions($1.value, of: $1.what) } write: { $0.actions($1.exit, comments: $0.comments[.exit(of: $1.name.text)]) }
            .help("On exit", "Actions on leaving the state.", "{ stop: cycle }")
        LanguageKey("on", .named(.events, transitions(.transition)))
            .help("On an event", "Transitions by event. `a.*` matches every event that begins with `a`; several descriptors are separated by spaces; a timer at zero raises `<timer>.elapsed`.", "{ cycle.elapsed: finishing, snooze: { target: idle } }")
        LanguageKey("always", transitions(.waitingTransition))
            .help("As soon as", "Transitions that need no event, only their guard; tried after each message.", "{ guard: power < 5, for: 3m, target: done }")
        LanguageKey("after", .named(.duration, transitions(.transition)))
            .help("After a time in the state", "Transitions by the time that the state has been active.", "{ 15m: idle }")
        LanguageKey("at", .named(.timeOfDay, transitions(.transition)))
            .help("At a time of day", "Transitions by local time, with days of the week if they are not for every day; `sunrise` and `sunset` may have an offset.", "{ \"22:00\": night, \"sat,sun 08:30\": awake, \"sunset - 30m\": { target: lit } }")
    }

    /// One action or a list of them.
    static let actions = LanguageValue.oneOrMore(.either([.mapping(.action), .mapping(.guardedAction)]))

    private static func transitions(_ part: LanguagePart) -> LanguageValue {
        .oneOrMore(.either([.state, .mapping(part)]))
    }

    static let transition = KeyTable<Never>("Transition", "Where an event or a time leads. A state's name alone is a transition to it.") {
        transitionKeys
    }

    static let waitingTransition = KeyTable<Never>("Transition under 'always'", "Where a guard leads, at once or when it has held for a while. A state's name alone is a transition to it.") {
        transitionKeys
        LanguageKey("for", .settableDuration)
            .help("How long the guard must hold", "The wait begins when the guard turns true and ends when it turns false or the state is left.", "3m")
        LanguageKey("dropout", .settableDuration)
            .help("Lapses forgiven", "With `for`: how long the guard may be false without ending the wait.", "10s")
        LanguageKey("reports", .number(2...Double(Statechart.reportLimit)))
            .help("Reports that must agree", "With `for`: the guard must hold in so many reports of its signals, or for the time in which as many usually come. A signal with `pace` tells how often they do.", "3")
        LanguageKey("quiet", settableSilence)
            .help("Silence", "The transition is taken when no message has come from the device for this time, or none with certain signals.", "10m", "{ of: [left, percent], for: 30m }", "{ unchanged: left, for: 30m }")
        LanguageKey("past", .expression)
            .help("Moment", "The transition is taken once this moment is past: at that moment, or as soon as the state is reached if it was before. It follows the values in it.", "ready", "timer.cycle.end - minutes(5)")
    }

    /// A length of silence of the device, or of some of its signals.
    static let settableSilence = LanguageValue.either([.settableDuration, .mapping(.silence)])

    static let silence = KeyTable<SilenceDraft>("Silence of signals", "How long no message has told one of some signals; other messages do not break it.", choice: ["of", "unchanged"]) {
        DraftKey("of", .oneOrMore(.signal)) { $2.signals = $0.texts($1.value, of: $1.what) } write: { $1.asksChange ? nil : $0.texts($1.signals) }
            .help("Broken by a report", "The signals; each message with one of them breaks the silence, whatever its value.", "[left, percent]")
        DraftKey("unchanged", .oneOrMore(.signal)) { ($2.signals, $2.asksChange) = ($0.texts($1.value, of: $1.what), true) } write: { $1.asksChange ? $0.texts($1.signals) : nil }
            .help("Broken by a change", "The signals; only another value of one of them breaks the silence.", "[left, percent]")
        DraftKey("for", .settableDuration, read: nil) { $0.interval($1.length) }.required
            .help("How long", "The length of the silence.", "30m")
    }

    @KeyList<Never> private static var transitionKeys: [DraftKey<Never>] {
        LanguageKey("target", .oneOrMore(.state))
            .help("Target", "Where it leads: a state, or several in parallel regions. Without a target the state stays.", "running")
        LanguageKey("guard", .expression)
            .help("Guard", "An expression that must be true. One that can't be evaluated is false.", "power > 10 && !context.done")
        LanguageKey("actions", actions)
            .help("Actions", "What is done on the way.", "{ assign: { began: since } }")
        LanguageKey("internal", .truth)
            .help("Internal transition", "With `true`, a transition to a state within its own state does not leave the latter.", "true")
    }
}

extension Bool {
    /// The word for what waits do while the device can't be reached, by whether they run on.
    fileprivate var whileUnavailable: String { self ? "run" : "hold" }
}
