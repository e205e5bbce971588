import SkerryValues

/// The course of a run from its beginning, in a form that two runs are compared in.
struct RunCourse {
    /// The levels of an octave: two numbers of which one is twice the other are so many levels apart.
    private static let octave = 6.0
    /// The octaves below the greatest number of two runs within which numbers differ; all below are alike.
    private static let depth: Int32 = 30
    /// The smallest number that differs from zero, as a power of two.
    private static let smallest = -10
    /// The cost of a slot by which one run falls behind the other.
    private static let delay: Int32 = 10

    /// The length of a slot.
    let slot: Interval
    /// The sums of the number over time in each slot, in units and seconds.
    private let sums: [Double]
    /// The time that the slots cover; the last one may be covered in part.
    private let covered: Interval

    init(_ curve: RunCurve) {
        (slot, sums, covered) = (curve.slot, curve.sums, curve.covered)
    }

    /// Makes the course of a past run, or of its beginning.
    init(_ run: LearnedRun, until end: Interval) {
        slot = run.slot
        let used = (end.microseconds + slot.microseconds - 1) / slot.microseconds
        let levels = run.levels.prefix(Int(min(used, Int64(run.levels.count))))
        let full = run.peak * slot.inSeconds / 255
        var sums = levels.map { Double($0) * full }
        covered = min(end, Interval(microseconds: slot.microseconds * Int64(sums.count)))
        // The end of the curve is no matter of the run, but that of a beginning is cut out of its slot.
        if end < run.length, let last = sums.indices.last {
            let part = covered - Interval(microseconds: slot.microseconds * Int64(last))
            sums[last] *= part.inSeconds / slot.inSeconds
        }
        self.sums = sums
    }

    /// The logarithms of the mean numbers in longer slots.
    func levels(in longer: Interval) -> [Int32] {
        let joined = max(1, Int(longer.microseconds / slot.microseconds))
        return stride(from: 0, to: sums.count, by: joined).map { first in
            let start = Interval(microseconds: slot.microseconds * Int64(first))
            let sum = sums[first..<min(first + joined, sums.count)].reduce(0, +)
            return Self.level(sum / max(min(longer, covered - start).inSeconds, 1))
        }
    }

    /// A logarithm in steps, by a parabola that is off by less than a twentieth of a step.
    ///
    /// So it is the same number on each computer.
    private static func level(_ number: Double) -> Int32 {
        guard number.isFinite, number > 0, number.exponent >= smallest else { return 0 }
        let part = number.significand - 1
        let logarithm = Double(number.exponent - smallest) + part * (1.3465 - 0.3465 * part)
        return Int32((logarithm * octave).rounded())
    }

    /// Aligns the whole of one course with the beginning of another one that is most like it, each at its own pace.
    ///
    /// This is dynamic time warping with an open end: each slot of the present run has a slot of the past one, in the
    /// same order. It costs the difference of their levels, and ``delay`` for each step by which only one of them goes on.
    ///
    /// - Parameters:
    ///   - present: The levels of the present run, at least one.
    ///   - past: The levels of the past run, at least one, in slots of the same length.
    ///   - costs: Memory for the costs, one for each slot of the past run.
    /// - Returns: The least cost, and the slot of the past run that the last one of the present run is like.
    static func align(
        _ present: [Int32],
        with past: [Int32],
        costs: inout [Int32]
    ) -> (cost: Int32, place: Int) {
        assert(!present.isEmpty && !past.isEmpty, "a run without a curve is compared")
        let floor = max(present.max() ?? 0, past.max() ?? 0) - depth
        let past = past.map { max($0, floor) }
        costs.removeAll(keepingCapacity: true)
        for (slot, level) in present.enumerated() {
            let level = max(level, floor)
            // The cost at the place before, for the slot before and for this one.
            var (diagonal, behind) = (Int32(0), Int32(0))
            for place in past.indices {
                let difference = abs(level - past[place])
                var cost = place == 0 ? (slot == 0 ? 0 : costs[0] + delay) : behind + delay
                if slot > 0, place > 0 { cost = min(cost, diagonal, costs[place] + delay) }
                cost += difference
                if slot == 0 {
                    costs.append(cost)
                } else {
                    diagonal = costs[place]
                    costs[place] = cost
                }
                behind = cost
            }
        }
        assert(costs.count == past.count, "a slot of the past run has no cost")
        var best = 0
        for place in costs.indices where costs[place] < costs[best] { best = place }
        return (costs[best], best)
    }
}
