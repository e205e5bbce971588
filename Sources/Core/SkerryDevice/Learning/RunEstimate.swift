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
    /// The least and the greatest tolerance that is told, as parts of the length.
    private static let (narrowest, widest) = (0.02, 0.35)
    /// The part of the length that half of all known ends must have been nearer than.
    private static let middling = 0.12
    /// The steps of an error in a length, and the step for none.
    fileprivate static let (errorSteps, noError) = (250.0, UInt8.max)

    /// Judges a run by earlier ones of the same programme.
    ///
    /// - Parameters:
    ///   - course: The course so far; nil when runs have none.
    ///   - elapsed: The time so far, without pauses.
    ///   - runs: The earlier runs of the programme.
    /// - Returns: The estimate; nil when too few runs agree, or when such estimates were too far off.
    static func judge(_ course: RunCourse?, at elapsed: Interval, after runs: [LearnedRun]) -> RunEstimate? {
        guard runs.count >= fewest, let poll = RunPoll(course, at: elapsed, among: runs) else { return nil }
        let errors = poll.errors(at: elapsed, among: runs)
        // Three of four ends are to be within the tolerance, which a little more of so few past ones achieves.
        let tolerance = max(errors.all.quantile(0.8), narrowest)
        guard tolerance <= widest else { return nil }
        guard errors.known.isEmpty || errors.known.quantile(0.5) <= middling else { return nil }
        return RunEstimate(
            length: .seconds(Int64(poll.length.rounded())),
            tolerance: .seconds(Int64(max(poll.length * tolerance, 1).rounded())),
            like: poll.like,
            compared: runs.count
        )
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

/// The lengths that earlier runs foretell for a run, each with a weight, and the one that most of the weight agrees on.
private struct RunPoll {
    /// The length that an earlier run foretells, in seconds.
    private struct Vote {
        var length: Double
        var weight: Double
        var isLike = false
    }

    /// The part of its length by which two foretold lengths may differ and still agree.
    private static let agreement = 0.15
    /// The fewest runs that must agree, and the least part of the weight that they must have.
    private static let (fewestLike, leastShare) = (3, 0.4)
    /// The least part of the length that must be left: of a run that is overdue, the time so far would be no better news.
    private static let leastRest = 0.02
    /// The weight of a run's error, besides that of a run which agrees.
    private static let besides = 0.3
    /// The error of a run of which none is known, and the part of the weight that it has.
    private static let (unknownError, unknownWeight) = (0.1, 0.5)

    private var votes: [Vote]
    /// The length that most of the weight agrees on, in seconds.
    private(set) var length = 0.0

    /// Asks earlier runs; nil when too few agree, or when this one is overdue by what they say.
    init?(_ course: RunCourse?, at elapsed: Interval, among runs: [LearnedRun]) {
        votes =
            course.map { Self.votes($0, at: elapsed.inSeconds, of: runs) }
            ?? Self.votes(at: elapsed, of: runs)
        var best = 0.0
        var center = 0.0
        for vote in votes {
            // The nearer two lengths are, the more they agree.
            let agreeing = votes.reduce(0.0) { sum, other in
                let distance = (other.length - vote.length).magnitude / (vote.length * Self.agreement)
                return sum + other.weight * max(0, 1 - distance)
            }
            if agreeing > best { (best, center) = (agreeing, vote.length) }
        }
        guard best > 0 else { return nil }
        for number in votes.indices {
            let distance = (votes[number].length - center).magnitude
            votes[number].isLike = votes[number].weight > 0 && distance <= center * Self.agreement
        }
        let agreeing = votes.filter { $0.isLike }.map { (value: $0.length, weight: $0.weight) }
        let share = agreeing.reduce(0.0) { $0 + $1.weight } / votes.reduce(0.0) { $0 + $1.weight }
        guard agreeing.count >= Self.fewestLike, share >= Self.leastShare else { return nil }
        length = agreeing.quantile(0.5)
        guard length - elapsed.inSeconds > length * Self.leastRest else { return nil }
    }

    /// The number of runs that agree.
    var like: Int { votes.count(where: { $0.isLike }) }

    /// The errors of estimates at such a time of a run, as parts of the length.
    ///
    /// Runs that agree count most: a machine's short programme may be told well, although its long ones are not. The first
    /// of them do not count, because they were judged by runs of another kind.
    ///
    /// - Returns: The known errors of runs that agree, and all errors, with a usual one for each run of which none is known.
    func errors(at elapsed: Interval, among runs: [LearnedRun]) -> (known: [Weighed], all: [Weighed]) {
        let part = elapsed.inSeconds / length
        let distances = RunEstimate.checkpoints.map { ($0 - part).magnitude }
        let checkpoint = distances.indices.min { distances[$0] < distances[$1] } ?? 0
        var known: [Weighed] = []
        var all: [Weighed] = []
        var before = 0
        for (run, vote) in zip(runs, votes) {
            let isFirst = vote.isLike && before < Self.fewestLike
            if vote.isLike { before += 1 }
            let weight = Self.besides + (vote.isLike ? vote.weight : 0)
            if isFirst || run.errors.isEmpty || run.errors[checkpoint] == RunEstimate.noError {
                all.append((Self.unknownError, weight * Self.unknownWeight))
            } else {
                let error = Double(run.errors[checkpoint]) / RunEstimate.errorSteps
                if vote.isLike { known.append((error, weight)) }
                all.append((error, weight))
            }
        }
        return (known, all)
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
        let sorted = sorted { $0.value < $1.value }
        var missing = part * sorted.reduce(0.0) { $0 + $1.weight }
        for item in sorted {
            missing -= item.weight
            if missing <= 1e-9 { return item.value }
        }
        return sorted[sorted.count - 1].value
    }
}
