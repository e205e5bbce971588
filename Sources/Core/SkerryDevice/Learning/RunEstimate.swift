import SkerryValues

/// The length that a run will have, judged by earlier ones.
struct RunEstimate: Hashable, Sendable {
    /// The whole length.
    var length: Interval
    /// The distance from the length within which three of four runs end.
    var tolerance: Interval
    /// The number of earlier runs that foretell this length.
    var like: Int
    /// The number of earlier runs that this one was compared with.
    var compared: Int
}

extension RunEstimate {
    /// The parts of a length at which it is noted how far off an estimate was.
    static let checkpoints = [0.125, 0.25, 0.5, 0.75]
    /// The fewest earlier runs that anything is concluded from.
    private static let fewest = 3
    /// The least tolerance that is told, as a part of the length.
    private static let narrowest = 0.02
    /// The error of an end that was foretold well, as a part of the length.
    private static let good = 0.12
    /// The fewest noted errors that show whether a machine's ends can be foretold at all.
    private static let fewestErrors = 8
    /// The steps of an error in a length, and the step for none.
    fileprivate static let (errorSteps, noError) = (250.0, UInt8.max)

    /// Judges a run by earlier ones of the same programme.
    ///
    /// - Parameters:
    ///   - course: The course so far; nil when runs have none.
    ///   - elapsed: The time so far, without pauses.
    ///   - runs: The earlier runs of the programme.
    /// - Returns: The estimate; nil when there are too few runs, when this one is overdue, or when a run of the programme takes any
    ///   time at all.
    static func judge(_ course: RunCourse?, at elapsed: Interval, after runs: [LearnedRun]) -> RunEstimate? {
        guard runs.count >= fewest, !areArbitrary(runs), let poll = RunPoll(course, at: elapsed, among: runs)
        else { return nil }
        // Three of four ends are to be within the tolerance, which a little more of so few past ones achieves.
        let tolerance = max(poll.errors(at: elapsed, among: runs).quantile(0.8), narrowest)
        return RunEstimate(
            length: .seconds(Int64(poll.length.rounded())),
            tolerance: .seconds(Int64(max(poll.length * tolerance, 1).rounded())),
            like: poll.like,
            compared: runs.count
        )
    }

    /// Returns whether runs take any time at all: of the errors at a quarter and at half of their time, too few were small.
    private static func areArbitrary(_ runs: [LearnedRun]) -> Bool {
        let errors = runs.flatMap { $0.errors.dropFirst().prefix(2) }
        let good = errors.count { Double($0) <= Self.good * errorSteps }
        return errors.count >= fewestErrors && good * 4 < errors.count
    }

    /// The errors that the length of a run would have been foretold with at each of ``checkpoints``.
    static func errors(of run: LearnedRun, after runs: [LearnedRun]) -> [UInt8] {
        guard runs.count >= fewest else { return [] }
        return checkpoints.map { part in
            let moment = Interval(microseconds: Int64(Double(run.length.microseconds) * part))
            let course = run.levels.isEmpty ? nil : RunCourse(run, until: moment)
            guard let poll = RunPoll(course, at: moment, among: runs) else { return noError }
            let error = (poll.length - run.length.inSeconds).magnitude / poll.length
            return UInt8((min(error, 1) * errorSteps).rounded())
        }
    }
}

/// The lengths that earlier runs foretell for a run, each with a weight, and the one that is told.
///
/// It is the one that most of the weight agrees on. Where too few runs agree, the three nearest decide.
private struct RunPoll {
    /// The length that an earlier run foretells, in seconds.
    private struct Vote {
        var length: Double
        var weight: Double
        var isLike = false
    }

    /// The part of its length by which two foretold lengths may differ and still agree.
    private static let agreement = 0.2
    /// The fewest runs that decide, and the least part of the weight that those which agree must have.
    private static let (fewest, leastShare) = (3, 0.4)
    /// The least part of the length that must be left: of a run that is overdue, the time so far would be no better news.
    private static let leastRest = 0.02
    /// The weight of a run's error, besides that of a run which agrees.
    private static let besides = 0.3
    /// The error of a run of which none is known, and the part of the weight that it has.
    private static let (unknownError, unknownWeight) = (0.1, 0.5)

    private var votes: [Vote]
    /// The length that is told, in seconds.
    private(set) var length = 0.0

    /// Asks earlier runs; nil when none says anything, or when this one is overdue by what they say.
    init?(_ course: RunCourse?, at elapsed: Interval, among runs: [LearnedRun]) {
        votes =
            course.map { Self.votes($0, at: elapsed.inSeconds, of: runs) }
            ?? Self.votes(at: elapsed, of: runs)
        guard let center = agreed() else { return nil }
        mark(around: center)
        var deciding = votes.filter { $0.isLike }.map { (value: $0.length, weight: $0.weight) }
        let share = deciding.reduce(0.0) { $0 + $1.weight } / votes.reduce(0.0) { $0 + $1.weight }
        if deciding.count < Self.fewest || share < Self.leastShare {
            guard let nearest = nearest() else { return nil }
            deciding = nearest
            mark(around: deciding.quantile(0.5))
        }
        length = deciding.quantile(0.5)
        guard length - elapsed.inSeconds > length * Self.leastRest else { return nil }
    }

    /// The length around which most of the weight lies; nil when nothing has any.
    private func agreed() -> Double? {
        var (best, center) = (0.0, 0.0)
        for vote in votes {
            // The nearer two lengths are, the more they agree.
            let agreeing = votes.reduce(0.0) { sum, other in
                let distance = (other.length - vote.length).magnitude / (vote.length * Self.agreement)
                return sum + other.weight * max(0, 1 - distance)
            }
            if agreeing > best { (best, center) = (agreeing, vote.length) }
        }
        return best > 0 ? center : nil
    }

    /// The lengths of the nearest runs, and of those that are as near; nil when too few are still possible.
    ///
    /// Each counts the same, so that a single odd run decides nothing.
    private func nearest() -> [Weighed]? {
        let weights = votes.map { $0.weight }.filter { $0 > 0 }.sorted(by: >)
        guard weights.count >= Self.fewest else { return nil }
        return votes.filter { $0.weight >= weights[Self.fewest - 1] }.map { ($0.length, 1) }
    }

    /// Marks the runs that agree with a length.
    private mutating func mark(around center: Double) {
        for number in votes.indices {
            let distance = (votes[number].length - center).magnitude
            votes[number].isLike = votes[number].weight > 0 && distance <= center * Self.agreement
        }
    }

    /// The number of runs that agree.
    var like: Int { votes.count(where: { $0.isLike }) }

    /// The errors of estimates at such a time of a run, as parts of the length.
    ///
    /// Runs that agree count most: a machine's short programme may be told well, although its long ones are not. The first
    /// of them do not count, because they were judged by runs of another kind.
    ///
    /// - Returns: The errors, with a usual one for each run of which none is known.
    func errors(at elapsed: Interval, among runs: [LearnedRun]) -> [Weighed] {
        let part = elapsed.inSeconds / length
        let distances = RunEstimate.checkpoints.map { ($0 - part).magnitude }
        let checkpoint = distances.indices.min { distances[$0] < distances[$1] } ?? 0
        var before = 0
        return zip(runs, votes).map { run, vote in
            let isFirst = vote.isLike && before < Self.fewest
            if vote.isLike { before += 1 }
            let weight = Self.besides + (vote.isLike ? vote.weight : 0)
            guard !isFirst, !run.errors.isEmpty, run.errors[checkpoint] != RunEstimate.noError else {
                return (Self.unknownError, weight * Self.unknownWeight)
            }
            return (Double(run.errors[checkpoint]) / RunEstimate.errorSteps, weight)
        }
    }

    /// The votes of runs without curves: their lengths, unless they were over by now.
    private static func votes(at elapsed: Interval, of runs: [LearnedRun]) -> [Vote] {
        runs.map { run in
            // This one may be only late.
            let isOver = run.length.microseconds + run.length.microseconds / 10 < elapsed.microseconds
            return Vote(length: max(run.length, elapsed).inSeconds, weight: isOver ? 0 : 1)
        }
    }

    /// The votes of runs with curves: the time that each had left where it was most like this one is now.
    private static func votes(_ course: RunCourse, at elapsed: Double, of runs: [LearnedRun]) -> [Vote] {
        var levels: [Int32] = []
        var slot = Interval.zero
        var costs: [Int32] = []
        var distances: [Double] = []
        var votes: [Vote] = []
        for run in runs {
            let past = RunCourse(run, until: run.length)
            let common = max(past.slot, course.slot)
            if common != slot { (levels, slot) = (course.levels(in: common), common) }
            let pastLevels = past.levels(in: common)
            guard !levels.isEmpty, !pastLevels.isEmpty else {
                distances.append(0)
                votes.append(Vote(length: max(run.length.inSeconds, elapsed), weight: 1))
                continue
            }
            let (cost, place) = RunCourse.align(levels, with: pastLevels, costs: &costs)
            distances.append(Double(cost) / Double(levels.count))
            // The end of the present slot is not reached yet.
            let ahead = slot.inSeconds * Double(levels.count) - elapsed
            let moment = slot.inSeconds * Double(place + 1) - ahead
            votes.append(Vote(length: elapsed + max(run.length.inSeconds - moment, 0), weight: 1))
        }
        let nearest = distances.min() ?? 0
        for number in votes.indices {
            let farther = (distances[number] - nearest) / (0.3 * (nearest + 3))
            votes[number].weight = 1 / (1 + farther * farther * farther * farther)
        }
        return votes
    }
}

/// A number and its weight among others.
private typealias Weighed = (value: Double, weight: Double)

extension [Weighed] {
    /// The least value that, with those below it, has a part of the weight; there is at least one.
    fileprivate func quantile(_ part: Double) -> Double {
        assert(!isEmpty, "a part of nothing is asked for")
        let sorted = sorted { $0.value < $1.value }
        var missing = part * sorted.reduce(0.0) { $0 + $1.weight }
        for item in sorted {
            missing -= item.weight
            if missing <= 1e-9 { return item.value }
        }
        return sorted[sorted.count - 1].value
    }
}
