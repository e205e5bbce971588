// A table, whose rows would take up three times as many lines.
// swift-format-ignore-file

import SkerryDevice

enum TimerKeys {
    static let timer = KeyTable<TimerDraft>("Timer", "A named countdown or count-up of a device.", choice: ["remaining", "until", "duration", "count"]) {
        DraftKey("remaining", .expression, \.kind, { .remaining($0) }) { if case .remaining(let text) = $0 { text } else { nil } }
            .help("Time left", "The device reports how long it still takes; the end follows its reports.", "minutes(left)", "seconds(remaining)")
        DraftKey("until", .expression, \.kind, { .until($0) }) { if case .until(let text) = $0 { text } else { nil } }
            .help("Moment of the end", "The device reports when it ends.", "timestamp(ends)")
        DraftKey("duration", .expression, \.kind, { .duration($0) }) { if case .duration(let text) = $0 { text } else { nil } }
            .help("Length", "How long it runs, evaluated when it starts.", "duration(\"15m\")", "seconds(length)")
        DraftKey("count", .word(["up"])) { if $0.word($1.value, of: $1.what, among: ["up"]) != nil { $2.kind = .countUp } } write: { if case .countUp = $1.kind { .text("up") } else { nil } }
            .help("Count-up", "It counts up from its start and has no end.", "up")
        DraftKey("tolerance", .either([.settableDuration, .percentage, .list(.either([.settableDuration, .percentage]))])) { $0.tolerance($1.value, of: &$2) } write: { $0.tolerance(of: $1) }
            .help("Tolerance", "The end moves, for readers and for the machine, only when the device's estimate has moved by more than this: a length, a part of the time that is left, or both, of which the greater counts.", "1m", "5%", "[1m, 5%]")
        DraftKey("while", .expression, \.runsWhile)
            .help("Condition", "It runs while this holds, and is paused otherwise. Without it, only actions start it.", "inState(\"running\")")
        DraftKey("otherwise", .word([false, true], \.whileFalse, usual: false), \.stops)
            .help("While the condition does not hold", "`pause` (the default): it stands still, and goes on with what was left. `stop`: it is over, and begins anew the next time. Needs `while`.", "stop")
        DraftKey("from", .expression, \.from)
            .help("Moment of the start", "The moment from which it counts, evaluated when it starts; now when left out. Needs `while`.", "since")
        DraftKey("pausedFrom", .expression, \.pausedFrom)
            .help("Moment of a pause", "The moment at which a pause began, evaluated when `while` turns false; now when left out, in the future, or before the timer last began to run. Needs `while`.", "since")
        DraftKey("learn", .draft(.learning, learning) { LearningDraft(name: $0.key) }, \.learning)
            .help("Learned end", "Past runs of the device tell when it ends, as soon as enough of them were like this one; until then it counts up. Needs `count`, `while` and an activity.", "{ curve: power }", "{ by: programme }")
        DraftKey("onNewEnd", .word(NewEndPolicy.allCases, \.name, usual: .keep), \.onNewEnd)
            .help("When a new end is reported", "What happens to the start when the device reports an end that differs by more than the tolerance. `keep` (the default): it stays. `restart`: `from` is read again, or it is now. Needs `while`.", "restart")
        DraftKey("onRestart", .word(RestartPolicy.allCases, \.name, usual: .deadline), \.onRestart)
            .help("After a restart of the gateway", "`deadline` (the default): it kept running. `remaining`: it goes on with the time that was left. `restart`: it starts over. `drop`: it is removed.", "deadline")
    }

    static let learning = KeyTable<LearningDraft>("Learned end", "What tells which past runs were like the one that goes on.") {
        DraftKey("curve", .expression, \.curve)
            .help("Curve", "A number, such as the power. Only runs in which it took the same course so far tell the end.", "power")
        DraftKey("by", .expression, \.by)
            .help("Programme", "A text, such as the programme. Only runs with the same one are compared.", "programme")
        DraftKey("when", .expression, \.when)
            .help("Condition", "A run that ends is remembered only if this holds then; every run is when left out.", "inState(\"done\")")
        DraftKey("end", .expression, \.end)
            .help("Moment of the end", "The moment at which the device was done, if that was before its run ended.", "context.rested")
    }
}

extension Bool {
    /// The word for what a timer does while its condition does not hold, by whether it stops.
    fileprivate var whileFalse: String { self ? "stop" : "pause" }
}
