public import SkerryValues

/// The next moment at which a condition is to be looked at, while nothing changes but the time.
public struct ConditionLook: Hashable, Sendable {
    /// The moment.
    public var at: Timestamp
    /// True if the condition, or a comparison in it, turns at the moment; false if the search ends there and must go on.
    public var turns: Bool
}

extension Program {
    /// Returns the next moment at which a condition may turn, while nothing changes but the time.
    ///
    /// Each comparison is expected to turn once, because what grows or falls with the time goes on growing or falling. What does
    /// not, such as hours of the day and remainders, is looked for minute by minute in the hour that comes, and conditions with
    /// variables of their own in steps that double. So a condition that holds for less than such a step may be passed over.
    ///
    /// - Parameters:
    ///   - now: The present moment.
    ///   - horizon: The last moment to look at, more than an hour later.
    ///   - costLimit: The most that an evaluation may cost.
    ///   - load: The value of a reference at a moment.
    /// - Returns: The moment; nil if nothing turns before the horizon.
    public func nextLook(
        after now: Timestamp,
        until horizon: Timestamp,
        costLimit: Int32,
        _ load: (Reference, Timestamp) -> Value
    ) -> ConditionLook? {
        var first: Timestamp?
        func take(_ code: Code, _ index: Int32, _ moments: [Timestamp]) {
            let turn = code.turn(of: index, from: now, at: moments, costLimit: costLimit, load)
            if let turn { first = first.map { min($0, turn) } ?? turn }
        }
        for (index, step) in code.instructions.enumerated() {
            switch step.operation {
            case .less, .lessOrEqual, .greater, .greaterOrEqual: take(code, Int32(index), [horizon])
            case .equal, .notEqual:
                // Equal where the order turns, whichever of the two grows.
                for order in [Operation.less, .lessOrEqual] {
                    var ordered = code
                    ordered.instructions[index].operation = order
                    take(ordered, Int32(index), [horizon])
                }
            default: break
            }
        }
        if code.locals > 0 { take(code, code.root, now.doublingSteps(until: horizon)) }
        if code.isPeriodic {
            let minutes = now.minutesOfHour
            take(code, code.root, minutes)
            let end = minutes[minutes.count - 1]
            if first.map({ $0 > end }) ?? true { return ConditionLook(at: end, turns: false) }
        }
        return first.map { ConditionLook(at: $0, turns: true) }
    }
}

extension Code {
    /// True if a part of the code may turn more than once while the time goes on.
    fileprivate var isPeriodic: Bool {
        instructions.contains { step in
            switch step.operation {
            case .remainder: true
            case .call1, .call2, .call3, .callMany:
                switch Function(rawValue: step.kind) {
                case .getFullYear, .getMonth, .getDayOfYear, .getDayOfMonth, .getDate, .getDayOfWeek,
                    .getHours,
                    .getMinutes, .getSeconds, .getMilliseconds, .getClock, .format, .toString:
                    true
                default: false
                }
            default: false
            }
        }
    }

    /// Returns the first moment at which a part of the code turns, to a microsecond; nil if it is the same at all given moments.
    fileprivate func turn(
        of index: Int32,
        from now: Timestamp,
        at moments: [Timestamp],
        costLimit: Int32,
        _ load: (Reference, Timestamp) -> Value
    ) -> Timestamp? {
        func truthAt(_ moment: Timestamp) -> Bool? {
            var state = EvaluationState(costLimit: costLimit)
            state.locals = [Value](repeating: .error(.unset), count: locals)
            guard case .bool(let truth) = value(index, &state, { load($0, moment) }) else { return nil }
            return truth
        }
        guard let present = truthAt(now) else { return nil }
        var before = now
        for moment in moments {
            guard let truth = truthAt(moment) else { return nil }
            if truth == present {
                before = moment
                continue
            }
            var after = moment
            while after - before > Interval(microseconds: 1) {
                let middle = before + Interval(microseconds: (after - before).microseconds / 2)
                if truthAt(middle) == present { before = middle } else { after = middle }
            }
            return after
        }
        return nil
    }
}

extension Timestamp {
    /// The moments a second, two, four and so on later, and then the horizon.
    fileprivate func doublingSteps(until horizon: Timestamp) -> [Timestamp] {
        var steps: [Timestamp] = []
        var step = Interval.seconds(1)
        while self + step < horizon {
            steps.append(self + step)
            step = step + step
        }
        return steps + [horizon]
    }

    /// The full minutes of the hour that comes.
    fileprivate var minutesOfHour: [Timestamp] {
        let minute = Interval.minutes(1).microseconds
        let (past, _) = microseconds.quotientAndRemainder(dividingBy: minute)
        return (1...60).map { Timestamp(microseconds: (past + $0) * minute) }
    }
}
