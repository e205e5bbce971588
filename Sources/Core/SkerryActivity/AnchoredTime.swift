public import SkerryValues

/// A timer as it is published: absolute times that the reader draws a countdown from.
///
/// See docs/decisions/0010-one-end-of-a-countdown.md.
public enum AnchoredTime: Equatable, Sendable {
    /// Runs down from `start` to `end`.
    case running(start: Timestamp, end: Timestamp)
    /// Runs down from `start` to an `end` that is an estimate, off by no more than `tolerance` in most cases.
    case estimated(start: Timestamp, end: Timestamp, tolerance: Interval)
    /// Counts up since `start`.
    case countingUp(start: Timestamp)
    /// Paused, with `remaining` of `duration` left.
    case paused(remaining: Interval, duration: Interval)
    /// Paused after having counted up for `elapsed`.
    case held(elapsed: Interval)
}

extension AnchoredTime {
    /// The time as readers see it: every part in whole seconds, rounded to the nearest.
    var rounded: AnchoredTime {
        switch self {
        case .running(let start, let end): .running(start: start.wholeSeconds, end: end.wholeSeconds)
        case .estimated(let start, let end, let tolerance):
            .estimated(start: start.wholeSeconds, end: end.wholeSeconds, tolerance: tolerance.wholeSeconds)
        case .countingUp(let start): .countingUp(start: start.wholeSeconds)
        case .paused(let remaining, let duration):
            .paused(remaining: remaining.wholeSeconds, duration: duration.wholeSeconds)
        case .held(let elapsed): .held(elapsed: elapsed.wholeSeconds)
        }
    }

    /// Returns the time to publish after `published`, rounded.
    ///
    /// A part that moved by no more than `tolerance` stays as it was published. A start that moved further means
    /// another countdown: then both parts are new. An end that moved leaves the start unchanged.
    func settled(on published: AnchoredTime, tolerance: Interval) -> AnchoredTime {
        switch (published, self) {
        case (.running(let oldStart, let oldEnd), .running(let start, let end)):
            guard start.stays(at: oldStart, tolerance) else { return rounded }
            return .running(
                start: oldStart,
                end: end.stays(at: oldEnd, tolerance) ? oldEnd : end.wholeSeconds
            )
        case (.estimated(let oldStart, let oldEnd, let oldBound), .estimated(let start, let end, let bound)):
            guard start.stays(at: oldStart, tolerance), end.stays(at: oldEnd, tolerance) else {
                return rounded
            }
            return .estimated(start: oldStart, end: oldEnd, tolerance: min(oldBound, bound.wholeSeconds))
        case (.countingUp(let oldStart), .countingUp(let start)):
            return start.stays(at: oldStart, tolerance) ? published : rounded
        case (.paused(let oldRemaining, let oldDuration), .paused(let remaining, let duration)):
            let stays =
                remaining.stays(at: oldRemaining, tolerance) && duration.stays(at: oldDuration, tolerance)
            return stays ? published : rounded
        case (.held(let oldElapsed), .held(let elapsed)):
            return elapsed.stays(at: oldElapsed, tolerance) ? published : rounded
        case (.running, _), (.estimated, _), (.countingUp, _), (.paused, _), (.held, _):
            return rounded
        }
    }

    /// Returns whether it runs, counts or rests as another time does.
    func isMove(of old: AnchoredTime) -> Bool {
        switch (old, self) {
        case (.running, .running), (.estimated, .estimated), (.countingUp, .countingUp), (.paused, .paused),
            (.held, .held):
            true
        case (.running, _), (.estimated, _), (.countingUp, _), (.paused, _), (.held, _): false
        }
    }

    /// The names that members of ``json`` can have.
    static let parts = ["start", "end", "tolerance", "remaining", "duration", "elapsed"]

    /// The object in the content, in seconds: `start` and `end`, also with `tolerance`, or `start`, or `remaining` and `duration`, or
    /// `elapsed`.
    var json: Value {
        switch self {
        case .running(let start, let end): .object("start", start.roundedSeconds, "end", end.roundedSeconds)
        case .estimated(let start, let end, let tolerance):
            .map(
                ValueMap(uniqueEntries: [
                    .member("start", start.roundedSeconds), .member("end", end.roundedSeconds),
                    .member("tolerance", tolerance.roundedSeconds),
                ])
            )
        case .countingUp(let start): .map(ValueMap(uniqueEntries: [.member("start", start.roundedSeconds)]))
        case .paused(let remaining, let duration):
            .object("remaining", remaining.roundedSeconds, "duration", duration.roundedSeconds)
        case .held(let elapsed): .map(ValueMap(uniqueEntries: [.member("elapsed", elapsed.roundedSeconds)]))
        }
    }
}

extension Value {
    fileprivate static func object(_ first: String, _ one: Int64, _ second: String, _ two: Int64) -> Value {
        .map(ValueMap(uniqueEntries: [.member(first, one), .member(second, two)]))
    }
}

extension ValueMap.Entry {
    fileprivate static func member(_ name: String, _ seconds: Int64) -> ValueMap.Entry {
        ValueMap.Entry(key: .string(name), value: .int(seconds))
    }
}

extension Timestamp {
    fileprivate var wholeSeconds: Timestamp { Timestamp(seconds: roundedSeconds) }

    /// Returns whether `published`, in whole seconds, is still within the tolerance.
    fileprivate func stays(at published: Timestamp, _ tolerance: Interval) -> Bool {
        wholeSeconds == published || (self - published).magnitude <= tolerance
    }
}

extension Interval {
    fileprivate var wholeSeconds: Interval { Interval(seconds: roundedSeconds) }

    /// Returns whether `published`, in whole seconds, is still within the tolerance.
    fileprivate func stays(at published: Interval, _ tolerance: Interval) -> Bool {
        wholeSeconds == published || (self - published).magnitude <= tolerance
    }
}
