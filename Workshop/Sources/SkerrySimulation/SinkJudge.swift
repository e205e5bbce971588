import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryValues

/// The last delivery of an activity that a sink took; the sink stores it on the same disk as the gateway.
struct Told {
    var rev: Int64
    var epoch: Int64
    var snapshot: [UInt8]
    var hasEnded: Bool
    /// The revisions whose alerts were given.
    var alerts: Set<Int64> = []
}

/// A sink for snapshots, beside the broker, which checks its deliveries.
///
/// Revisions must only go forward, each alert must come once, and the last snapshots must be the newest.
struct SinkJudge {
    private static let name = "sink"
    /// The last alert that was raised since the last commit, by activity and epoch; `committed` has those stored
    /// before.
    private var raised: [String: Int64] = [:]
    private var committed: [String: Int64] = [:]
    /// The number of deliveries, not counting repeated ones.
    private(set) var count = 0

    /// Checks a delivery.
    mutating func take(_ delivery: SkerryGateway.Delivery, _ memory: inout [String: Told]) throws(Violation) {
        let update = delivery.update
        let known = memory[update.id]
        guard let news = delivery.news(after: known?.rev ?? 0, epoch: known?.epoch ?? .min) else {
            if let known, known.rev == update.rev,
                try !Value.map(RevisionJudge.members(known.snapshot))
                    .isSameJSON(as: .map(RevisionJudge.members(update.snapshotJSON())))
            {
                throw Violation(Self.name, "\(update.id): revision \(update.rev) is told with two contents")
            }
            return
        }
        count += 1
        let before = known?.epoch == news.epoch ? known : nil
        if before?.hasEnded == true {
            throw Violation(Self.name, "\(update.id): revision \(update.rev) comes after the end")
        }
        var alerts = before?.alerts ?? []
        if news.alert != nil, !alerts.insert(delivery.alertRev).inserted {
            throw Violation(Self.name, "\(update.id): the alert of revision \(delivery.alertRev) comes twice")
        }
        memory[update.id] = Told(
            rev: news.rev,
            epoch: news.epoch,
            snapshot: news.snapshotJSON(),
            hasEnded: news.phase == .ended,
            alerts: alerts
        )
    }

    /// Records the alerts in effects that are not committed yet.
    mutating func raise(_ effects: [Effect]) {
        for effect in effects {
            guard case .update(let update) = effect.what, update.alert != nil else { continue }
            raised["\(update.id) \(update.epoch)"] = update.rev
        }
    }

    /// Records that all effects so far are on the disk.
    mutating func commit() {
        committed.merge(raised) { _, new in new }
        raised = [:]
    }

    /// Forgets alerts that were not on the disk when the process ended.
    mutating func forgetRaised() { raised = [:] }

    /// Forgets all alerts, because the disk has lost its last commits.
    mutating func forget() { committed = [:] }

    /// Checks at the end that the sink has the newest snapshot and the last alert of each activity.
    func finish(_ memory: [String: Told], _ engine: Engine) throws(Violation) {
        var snapshots: [String: [UInt8]] = [:]
        engine.forEachDevice { _, device in
            if let activity = device.activity { snapshots[activity.id] = activity.snapshotJSON() }
        }
        for (id, snapshot) in snapshots.sorted(by: { $0.key < $1.key }) where memory[id]?.snapshot != snapshot
        {
            let told = memory[id].map { RevisionJudge.text($0.snapshot) } ?? "nothing"
            throw Violation(Self.name, "\(id) is \(RevisionJudge.text(snapshot)), the sink was told \(told)")
        }
        for (id, told) in memory.sorted(by: { $0.key < $1.key }) where !told.hasEnded && snapshots[id] == nil
        {
            throw Violation(Self.name, "\(id) has ended, and the sink does not know")
        }
        for (id, told) in memory.sorted(by: { $0.key < $1.key }) {
            guard let rev = committed["\(id) \(told.epoch)"], !told.alerts.contains(rev) else { continue }
            throw Violation(Self.name, "\(id): the alert of revision \(rev) was never given")
        }
    }
}
