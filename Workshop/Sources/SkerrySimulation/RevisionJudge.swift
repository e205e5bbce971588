import SkerryActivity
import SkerryGateway
import SkerryValues

/// A reader of all publications who checks the promises of docs/publishing.md.
///
/// Snapshots and diffs must lead to the same state, a revision must never change its content, none may be missing, and
/// each must contain a change.
struct RevisionJudge {
    private struct Run {
        let epoch: Int64
        /// The snapshots as published, by revision.
        var snapshots: [Int64: [UInt8]] = [:]
        /// The diffs as published, by revision.
        var diffs: [Int64: [UInt8]] = [:]
        /// The phase, state and content of each revision.
        var contents: [Int64: Value] = [:]
        var last: Int64 = 0
    }

    private static let name = "revisions"
    private var runs: [String: Run] = [:]
    /// The epochs in order of their beginning, which differs from numerical order if the clock was set back.
    private var epochs: [Int64] = []
    /// The number of revisions seen.
    private(set) var revisions = 0

    /// Checks a publication.
    mutating func take(_ publication: Publication) throws(Violation) {
        guard !publication.payload.isEmpty, !publication.topic.contains("/bridge/") else { return }
        if publication.topic.hasSuffix("/activity") {
            try takeSnapshot(publication.payload)
        } else if publication.topic.hasSuffix("/diff") {
            try takeDiff(publication.payload)
        }
    }

    /// Checks at the end that each revision except the first one came as a diff.
    ///
    /// Only the last epoch is checked: an earlier one may lack its last revisions, which the disk has lost.
    func finish() throws(Violation) {
        for (key, run) in runs.sorted(by: { $0.key < $1.key }) where run.epoch == epochs.last {
            let first = min(run.snapshots.keys.min() ?? run.last, run.diffs.keys.min() ?? run.last)
            for rev in first...run.last where rev > first && run.diffs[rev] == nil {
                throw Violation(Self.name, "\(key): revision \(rev) of \(run.last) was never sent as a diff")
            }
        }
    }

    private mutating func takeSnapshot(_ payload: [UInt8]) throws(Violation) {
        let news = try Self.members(payload)
        let (key, epoch, rev) = try Self.key(news)
        var run = run(key, epoch)
        defer { runs[key] = run }
        if let known = run.snapshots[rev] {
            if known != payload, try !Value.map(Self.members(known)).isSameJSON(as: .map(news)) {
                throw Violation(
                    Self.name,
                    "\(key) has two snapshots of revision \(rev): \(Self.text(known)) and \(Self.text(payload))"
                )
            }
            return
        }
        revisions += 1
        run.snapshots[rev] = payload
        run.last = max(run.last, rev)
        var told = ValueMap()
        for name in ["phase", "state", "content"] {
            if let value = news[name] { told.set(name, to: value) }
        }
        if let before = run.contents[rev - 1], before.isSameJSON(as: .map(told)) {
            throw Violation(Self.name, "\(key): revision \(rev) tells nothing new")
        }
        if let known = run.contents[rev], !known.isSameJSON(as: .map(told)) {
            throw Violation(Self.name, "\(key): the diff leads elsewhere than snapshot \(Self.text(payload))")
        }
        run.contents[rev] = .map(told)
    }

    private mutating func takeDiff(_ payload: [UInt8]) throws(Violation) {
        let news = try Self.members(payload)
        let (key, epoch, rev) = try Self.key(news)
        var run = run(key, epoch)
        defer { runs[key] = run }
        if let known = run.diffs[rev] {
            if known != payload {
                throw Violation(
                    Self.name,
                    "\(key) has two diffs of revision \(rev): \(Self.text(known)) and \(Self.text(payload))"
                )
            }
            return
        }
        run.diffs[rev] = payload
        run.last = max(run.last, rev)
        guard case .int(let prev)? = news["prev"], prev == rev - 1, let patch = news["patch"] else {
            throw Violation(Self.name, "\(key): a bad diff \(Self.text(payload))")
        }
        guard case .map(let members) = patch, !members.entries.isEmpty else {
            throw Violation(Self.name, "\(key): revision \(rev) changes nothing")
        }
        guard let before = run.contents[prev] else { return }
        let after = MergePatch.apply(patch, to: before)
        if after.isSameJSON(as: before) {
            throw Violation(Self.name, "\(key): revision \(rev) changes nothing: \(Self.text(payload))")
        }
        if let known = run.contents[rev], !known.isSameJSON(as: after) {
            throw Violation(Self.name, "\(key): \(Self.text(payload)) does not lead to the snapshot")
        }
        run.contents[rev] = after
    }

    private mutating func run(_ key: String, _ epoch: Int64) -> Run {
        if !epochs.contains(epoch) { epochs.append(epoch) }
        return runs[key] ?? Run(epoch: epoch)
    }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    static func members(_ payload: [UInt8]) throws(Violation) -> ValueMap {
        guard case .map(let members)? = try? JSONReader.value(of: payload.span) else {
            throw Violation(name, "no object: \(text(payload))")
        }
        return members
    }

    private static func key(_ news: ValueMap) throws(Violation) -> (String, Int64, Int64) {
        guard case .string(let id)? = news["id"], case .int(let rev)? = news["rev"],
            case .int(let epoch)? = news["epoch"]
        else { throw Violation(name, "a member is missing") }
        return ("\(id) of epoch \(epoch)", epoch, rev)
    }
}
