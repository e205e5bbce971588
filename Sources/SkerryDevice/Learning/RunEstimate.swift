import SkerryValues

/// The length that a run will have, judged by earlier ones.
struct RunEstimate: Hashable, Sendable {
    /// The whole length.
    var length: Interval
    /// The distance from the length within which most of the runs that are like this one ended.
    var tolerance: Interval
    /// The number of earlier runs that are like this one.
    var like: Int
    /// The number of earlier runs that this one was compared with.
    var compared: Int
}

extension RunEstimate {
    /// The fewest earlier runs that anything is concluded from.
    static let fewestRuns = 3
    /// The greatest difference of a run that is like this one.
    private static let limit = 0.25
    /// The most that a run may differ, compared with the one most like this one, and in addition.
    private static let (besides, addition) = (2.0, 0.03)
    /// The part of its length after which a run is told by its own curve rather than by what all have in common.
    private static let early = 0.4
    /// The part of the length beyond which a tolerance says nothing.
    private static let widest = 0.2
    /// The part of the length by which a run may be late.
    private static let lateness = 0.1

    /// The result of judging a run by earlier ones.
    enum Judgement {
        /// The length that the run will have.
        case told(RunEstimate)
        /// Earlier runs were like this one, but took very different times, or it is too early to tell them apart.
        case unsure
        /// There are too few earlier runs, or none was like this one.
        case unknown

        /// The estimate; nil when there is none.
        var estimate: RunEstimate? { if case .told(let estimate) = self { estimate } else { nil } }
    }

    /// Judges a run by earlier ones of the same programme.
    ///
    /// - Parameters:
    ///   - sum: The curve so far; nil when runs have none.
    ///   - elapsed: The time so far, without pauses.
    ///   - runs: The earlier runs of the programme.
    ///   - fewest: The fewest earlier runs that anything is concluded from.
    /// - Returns: The estimate, or the reason why there is none.
    static func judge(
        _ sum: RunningSum?,
        at elapsed: Interval,
        after runs: [LearnedRun],
        fewest: Int = RunEstimate.fewestRuns
    ) -> Judgement {
        guard runs.count >= fewest else { return .unknown }
        let elapsed = elapsed.inSeconds
        var candidates: [(difference: Double, length: Double)] = []
        // Runs that were over by now can't be like this one, unless this one is only late.
        for run in runs where run.length.inSeconds * (1 + lateness) >= elapsed {
            let difference = sum?.difference(to: RunningSum(run), until: elapsed) ?? 0
            if difference <= limit { candidates.append((difference, run.length.inSeconds)) }
        }
        guard let nearest = candidates.map({ $0.difference }).min() else { return .unknown }
        let all = Agreement(candidates.map { $0.length })
        let near = candidates.filter { $0.difference <= nearest * besides + addition }
        var agreement = Agreement(near.map { $0.length })
        if elapsed < all.length * early, all.count >= fewestRuns, all.tolerance <= all.length * lateness {
            agreement = all
        }
        if agreement.count < fewestRuns {
            // One or two runs tell only something when the curve was theirs for long enough.
            if elapsed < agreement.length * early { return .unsure }
            agreement.tolerance = max(agreement.tolerance, agreement.length * lateness)
        }
        guard agreement.tolerance <= agreement.length * widest else { return .unsure }
        return .told(
            RunEstimate(
                length: .seconds(Int64(agreement.length.rounded())),
                tolerance: .seconds(Int64(max(agreement.tolerance, agreement.length * 0.02, 1).rounded())),
                like: agreement.count,
                compared: runs.count
            )
        )
    }

    /// True unless most ends would have been wrong, had the earlier runs been judged by each other at half time.
    ///
    /// So a kettle that is filled as people like tells no end, although every run begins like some other.
    static func isForeseeable(_ runs: [LearnedRun], isCompared: Bool) -> Bool {
        var (right, wrong) = (0, 0)
        for (number, run) in runs.enumerated() {
            var others = runs
            others.remove(at: number)
            let half = Interval(microseconds: run.length.microseconds / 2)
            let sum = isCompared ? RunningSum(run) : nil
            guard let estimate = judge(sum, at: half, after: others, fewest: fewestRuns - 1).estimate else {
                continue
            }
            let error = (estimate.length - run.length).magnitude.inSeconds
            if error <= run.length.inSeconds * lateness { right += 1 } else { wrong += 1 }
        }
        return wrong < 2 || wrong <= right
    }
}

/// The median of lengths, and the distance from it within which three of four lie.
private struct Agreement {
    var length: Double
    var tolerance: Double
    var count: Int

    /// Judges lengths, at least one; of four and more those far off do not count, if they are few.
    init(_ lengths: [Double]) {
        var lengths = lengths.sorted()
        var middle = lengths.median
        if lengths.count > RunEstimate.fewestRuns {
            let deviation = lengths.map { ($0 - middle).magnitude }.sorted().median
            let usual = lengths.filter { ($0 - middle).magnitude <= 3 * deviation + middle / 10 }
            if usual.count >= RunEstimate.fewestRuns, (lengths.count - usual.count) * 4 <= lengths.count {
                lengths = usual
                middle = lengths.median
            }
        }
        let distances = lengths.map { ($0 - middle).magnitude }.sorted()
        length = middle
        tolerance = distances[(3 * distances.count + 3) / 4 - 1]
        count = lengths.count
    }
}

extension [Double] {
    /// The median of sorted numbers, at least one.
    fileprivate var median: Double { (self[(count - 1) / 2] + self[count / 2]) / 2 }
}
