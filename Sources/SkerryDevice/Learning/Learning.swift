import SkerryValues

/// The memory of a device for how long its runs take.
///
/// See docs/decisions/0045-learned-ends.md.
struct Learning: Hashable, Sendable {
    /// The most runs that are remembered of one programme, and in all.
    static let (programmeLimit, limit) = (12, 24)
    /// The longest name of a programme, in bytes; longer ones count as none.
    static let keyLimit = 64

    /// The fingerprint of what the definition learns from; other runs can't be compared.
    var subject: UInt64
    /// The runs that are over, oldest first.
    var runs: [LearnedRun] = []
    /// The run that goes on; nil between runs.
    var present: PresentRun?

    /// The run that goes on.
    struct PresentRun: Hashable, Sendable {
        /// The programme; empty while it is unknown.
        var key = ""
        /// True if earlier runs of the programme tell ends well enough.
        var isForeseeable = true
        /// The time between two changes of the estimate.
        var pause = Interval.zero
        /// The curve so far.
        var curve = RunCurve()
        /// The shown estimate; nil while the timer counts up.
        var estimate: RunEstimate?
        /// The time of the run at which the estimate last changed.
        var changed = Interval.zero
        /// The time of the run at which it was last judged.
        var judged = Interval.zero
    }

    init(subject: UInt64) { self.subject = subject }

    /// The remembered runs of a programme.
    func runs(of key: String) -> [LearnedRun] { runs.filter { $0.key.hasSameCodePoints(as: key) } }

    /// Remembers a run; the oldest of its programme, or of all, is forgotten.
    mutating func remember(_ run: LearnedRun) {
        runs.append(run)
        if runs(of: run.key).count > Self.programmeLimit {
            runs.remove(at: runs.firstIndex { $0.key.hasSameCodePoints(as: run.key) } ?? 0)
        }
        if runs.count > Self.limit { runs.removeFirst() }
        assert(runs.count <= Self.limit, "an image with these runs can't be read back")
    }
}

extension Learning.PresentRun {
    /// Prepares to judge a run that begins, or whose programme is known now.
    mutating func prepare(after runs: [LearnedRun], isCompared: Bool) {
        isForeseeable = RunEstimate.isForeseeable(runs, isCompared: isCompared)
        let lengths = runs.map { $0.length }.sorted()
        let middle = lengths.isEmpty ? .zero : lengths[lengths.count / 2]
        pause = max(.minutes(1), Interval(microseconds: middle.microseconds / 10))
    }

    /// Returns whether the run can be judged again: at most once in each slot of its curve, which brings something new.
    func isDue(at elapsed: Interval) -> Bool {
        let slot = curve.slot.microseconds
        return judged == .zero || elapsed.microseconds / slot != judged.microseconds / slot
    }

    /// Judges the run again when it is due.
    ///
    /// An estimate changes only when it was wrong by more than its tolerance, or when the tolerance is half of what it
    /// was; then it stays for a tenth of the usual length. So people see few corrections.
    ///
    /// - Parameters:
    ///   - elapsed: The time of the run.
    ///   - runs: The earlier runs of its programme.
    ///   - isCompared: True if runs have a curve.
    /// - Returns: True if the estimate changed.
    mutating func judge(at elapsed: Interval, after runs: [LearnedRun], isCompared: Bool) -> Bool {
        judged = elapsed
        if changed > .zero, elapsed - changed < pause { return false }
        let judgement =
            isForeseeable
            ? RunEstimate.judge(isCompared ? RunningSum(curve) : nil, at: elapsed, after: runs) : .unknown
        switch (estimate, judgement) {
        case (nil, .unknown), (_, .unsure): return false
        case (let known?, .unknown):
            // A run that is overdue stays so: the time so far would be no better news.
            if known.length <= elapsed { return false }
        case (nil, .told(let new)):
            if new.length <= elapsed { return false }
        case (let known?, .told(let new)):
            let isElsewhere = (new.length - known.length).magnitude > known.tolerance
            let isSurer = new.tolerance.microseconds * 2 <= known.tolerance.microseconds
            guard isElsewhere || isSurer, new.length > elapsed else { return false }
        }
        estimate = judgement.estimate
        changed = elapsed
        return true
    }
}
