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
    /// Each comparison is expected to turn once, because what grows or falls with the time goes on growing or falling. Where that
    /// is not sure, as with hours of the day, remainders, magnitudes and loops, the condition is looked at as a whole, minute by
    /// minute in the hour that comes. What holds for less than a minute there may be passed over.
    /// See docs/decisions/0074-conditions-over-time.md.
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
        if !code.turnsOnce {
            let minutes = now.minutesOfHour
            take(code, code.root, minutes)
            let end = minutes[minutes.count - 1]
            if first.map({ $0 > end }) ?? true { return ConditionLook(at: end, turns: false) }
        }
        return first.map { ConditionLook(at: $0, turns: true) }
    }
}

extension Code {
    /// True if what the code compares goes on growing or falling while the time goes on, as far as its operations tell.
    fileprivate var turnsOnce: Bool {
        instructions.allSatisfy { step in
            switch step.operation {
            case .constant, .load, .loadOptional, .loadPresent, .fallback, .and, .or, .not, .negate, .equal,
                .notEqual,
                .less, .lessOrEqual, .greater, .greaterOrEqual, .add, .subtract, .select, .selectOptional,
                .hasField:
                true
            case .call1, .call2, .call3, .callMany:
                switch Function(rawValue: step.kind) {
                case .toInt, .toDouble, .toDuration, .toTimestamp, .seconds, .minutes, .hours, .asSeconds,
                    .floor,
                    .ceil, .round, .trunc, .greatest, .least:
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
            guard case .bool(let truth) = value(index, &state, { load($0, moment) }) else {
                // A condition without a value does not hold.
                return index == root ? false : nil
            }
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
    /// The full minutes of the hour that comes.
    fileprivate var minutesOfHour: [Timestamp] {
        let minute = Interval.minutes(1).microseconds
        let (past, _) = microseconds.quotientAndRemainder(dividingBy: minute)
        return (1...60).map { Timestamp(microseconds: (past + $0) * minute) }
    }
}
