import SkerryValues

/// The memory of a device for how long its runs take.
///
/// See docs/decisions/0058-aligned-runs.md.
struct Learning: Hashable, Sendable {
    /// The most runs that are remembered.
    static let limit = 24
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

    /// Remembers a run, and how far off its length would have been foretold by those before it.
    ///
    /// When there are too many, the oldest one of the programme with the most runs is forgotten.
    mutating func remember(_ run: LearnedRun) {
        var run = run
        assert(run.length > .zero && run.slot > .zero, "an image with this run can't be read back")
        assert(run.levels.count <= RunCurve.capacity, "an image with this curve can't be read back")
        run.errors = RunEstimate.errors(of: run, after: runs(of: run.key))
        assert(
            run.errors.isEmpty || run.errors.count == RunEstimate.checkpoints.count,
            "an image with these errors can't be read back"
        )
        runs.append(run)
        if runs.count > Self.limit {
            let counts = runs.map { runs(of: $0.key).count }
            let most = counts.max()
            runs.remove(at: counts.firstIndex { $0 == most } ?? 0)
        }
        assert(runs.count <= Self.limit, "an image with these runs can't be read back")
    }
}

extension Learning.PresentRun {
    /// The least part of its length by which an estimate changes.
    private static let leastMove = 0.03

    /// Prepares to judge a run that begins, or whose programme is known now.
    mutating func prepare(after runs: [LearnedRun]) {
        let lengths = runs.map { $0.length }.sorted()
        let middle = lengths.isEmpty ? .zero : lengths[lengths.count / 2]
        pause = max(.minutes(1), Interval(microseconds: middle.microseconds / 10))
    }

    /// Returns whether the run can be judged again: when a slot of its curve, and a sixteenth of the time so far, has brought
    /// something new.
    func isDue(at elapsed: Interval) -> Bool {
        guard judged > .zero else { return true }
        return elapsed - judged >= max(curve.slot, Interval(microseconds: elapsed.microseconds / 16))
    }

    /// Judges the run again when it is due.
    ///
    /// An estimate changes only when it was wrong by more than a quarter of its tolerance, or when the tolerance is half of what it
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
        let course = isCompared ? RunCourse(curve) : nil
        guard let new = RunEstimate.judge(course, at: elapsed, after: runs) else { return false }
        if let known = estimate {
            let move = (new.length - known.length).magnitude.inSeconds
            let least = max(known.tolerance.inSeconds / 4, known.length.inSeconds * Self.leastMove)
            let isSurer = new.tolerance.microseconds * 2 <= known.tolerance.microseconds
            guard move > least || isSurer else { return false }
        }
        assert(new.like <= new.compared, "more runs foretell an end than were compared")
        estimate = new
        changed = elapsed
        return true
    }
}

extension Learning {
    func write(to writer: inout ImageWriter) {
        writer.unsigned(subject)
        writer.list(runs) { writer, run in
            writer.text(run.key)
            writer.interval(run.length)
            writer.interval(run.slot)
            writer.double(run.peak)
            writer.data(run.levels)
            writer.data(run.errors)
        }
        writer.optional(present) { $1.write(to: &$0) }
    }

    /// Reads what was learned from an image, whose version tells its form: before version 8 no run had errors.
    init(from reader: inout ImageReader, version: UInt8) throws(ImageFault) {
        subject = try reader.unsigned()
        let hasErrors = version > 7
        runs = try reader.list { reader throws(ImageFault) in
            try LearnedRun(from: &reader, hasErrors: hasErrors)
        }
        present = try reader.optional { reader throws(ImageFault) in
            try PresentRun(from: &reader, hasVeto: !hasErrors)
        }
        guard runs.count <= Self.limit else { throw .malformed }
    }
}

extension LearnedRun {
    fileprivate init(from reader: inout ImageReader, hasErrors: Bool) throws(ImageFault) {
        key = try reader.text()
        length = try reader.interval()
        slot = try reader.interval()
        peak = try reader.double()
        levels = try reader.data()
        if hasErrors { errors = try reader.data() }
        guard levels.count <= RunCurve.capacity, slot > .zero, slot <= RunCurve.longest, length > .zero,
            length <= RunCurve.longest, peak.isFinite, peak >= 0,
            errors.isEmpty || errors.count == RunEstimate.checkpoints.count
        else { throw .malformed }
    }
}

extension Learning.PresentRun {
    fileprivate func write(to writer: inout ImageWriter) {
        writer.text(key)
        writer.interval(pause)
        curve.write(to: &writer)
        writer.optional(estimate) { writer, estimate in
            writer.interval(estimate.length)
            writer.interval(estimate.tolerance)
            writer.count(estimate.like)
            writer.count(estimate.compared)
        }
        writer.interval(changed)
        writer.interval(judged)
    }

    fileprivate init(from reader: inout ImageReader, hasVeto: Bool) throws(ImageFault) {
        self.init()
        key = try reader.text()
        // Older images say here whether any end of the machine could be foretold.
        if hasVeto { _ = try reader.flag() }
        pause = try reader.interval()
        curve = try RunCurve(from: &reader)
        estimate = try reader.optional { reader throws(ImageFault) in
            RunEstimate(
                length: try reader.interval(),
                tolerance: try reader.interval(),
                like: Int(truncatingIfNeeded: try reader.unsigned()),
                compared: Int(truncatingIfNeeded: try reader.unsigned())
            )
        }
        changed = try reader.interval()
        judged = try reader.interval()
        if let estimate {
            guard estimate.length >= .zero, estimate.length <= RunCurve.longest, estimate.tolerance >= .zero,
                estimate.tolerance <= RunCurve.longest
            else { throw .contradictory }
        }
    }
}

extension RunCurve {
    fileprivate func write(to writer: inout ImageWriter) {
        writer.interval(slot)
        writer.list(sums) { $0.double($1) }
        writer.interval(covered)
        writer.double(number)
    }

    fileprivate init(from reader: inout ImageReader) throws(ImageFault) {
        let slot = try reader.interval()
        let sums = try reader.list { reader throws(ImageFault) in try reader.double() }
        self.init(slot: slot, sums: sums, covered: try reader.interval(), number: try reader.double())
        guard sums.count <= Self.capacity, slot > .zero, covered >= .zero, number >= 0,
            sums.allSatisfy({ $0.isFinite && $0 >= 0 })
        else { throw .malformed }
        guard isPossible else { throw .contradictory }
    }
}
