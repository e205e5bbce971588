import SkerryMachine
import SkerryValues

/// A named timer as tests see it.
struct TimerReport {
    /// The words for the states of a timer.
    static let words = ["stopped", "running", "counting", "paused", "elapsed"]
    /// The parts of a timer that can be expected; they depend on its state.
    static let names = LanguagePart.timerExpectation.mapping.names

    /// The word for its state.
    let word: String
    /// Its parts.
    let members: ValueMap

    /// Looks at a timer at a moment.
    init(_ state: TimerState, at now: Timestamp) {
        var members = ValueMap()
        switch state {
        case .stopped:
            word = "stopped"
        case .running(let start, let end):
            word = "running"
            members.set("remaining", to: .length(end - now))
            members.set("duration", to: .length(end - start))
            members.set("start", to: .moment(start))
            members.set("end", to: .moment(end))
        case .countingUp(let start):
            word = "counting"
            members.set("elapsed", to: .length(now - start))
            members.set("start", to: .moment(start))
        case .paused(let remaining, let duration):
            word = "paused"
            members.set("remaining", to: .length(remaining))
            members.set("duration", to: .length(duration))
        case .pausedCount(let elapsed):
            word = "paused"
            members.set("elapsed", to: .length(elapsed))
        case .elapsed(let start, let end):
            word = "elapsed"
            members.set("remaining", to: .length(.zero))
            members.set("start", to: .moment(start))
            members.set("end", to: .moment(end))
        }
        members.set("running", to: .bool(word == "running" || word == "counting"))
        members.set("paused", to: .bool(word == "paused"))
        self.members = members
    }
}

extension Value {
    fileprivate static func length(_ interval: Interval) -> Value { .duration(CalendarDuration(interval)) }

    fileprivate static func moment(_ moment: Timestamp) -> Value { .timestamp(CalendarTimestamp(moment)) }
}
