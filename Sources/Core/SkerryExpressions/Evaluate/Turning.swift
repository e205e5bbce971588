public import SkerryValues

extension Program {
    /// The first later moment at which a comparison in the expression turns, while nothing changes but the time.
    ///
    /// Only order is looked at, `<` and its like, and each comparison is expected to turn once: what grows or falls with
    /// the time goes on growing or falling.
    ///
    /// - Parameters:
    ///   - now: The present moment.
    ///   - horizon: The last moment to look at.
    ///   - costLimit: The most that an evaluation may cost.
    ///   - load: The value of a reference at a moment.
    /// - Returns: The moment; nil if no comparison turns.
    public func nextTurn(
        after now: Timestamp,
        until horizon: Timestamp,
        costLimit: Int32,
        _ load: (Reference, Timestamp) -> Value
    ) -> Timestamp? {
        var first: Timestamp?
        for (index, step) in code.instructions.enumerated() {
            switch step.operation {
            case .less, .lessOrEqual, .greater, .greaterOrEqual: break
            default: continue
            }
            func truth(at moment: Timestamp) -> Bool? {
                var state = EvaluationState(costLimit: costLimit)
                state.locals = [Value](repeating: .error(.unset), count: code.locals)
                guard case .bool(let truth) = code.value(Int32(index), &state, { load($0, moment) }) else {
                    return nil
                }
                return truth
            }
            guard let present = truth(at: now), let last = truth(at: horizon), last != present else {
                continue
            }
            var (before, after) = (now, horizon)
            while after - before > Interval(microseconds: 1) {
                let middle = before + Interval(microseconds: (after - before).microseconds / 2)
                if truth(at: middle) == present { before = middle } else { after = middle }
            }
            first = first.map { min($0, after) } ?? after
        }
        return first
    }
}
