import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryValues

/// What a sink was told of an activity; it keeps this on the same disk as the gateway.
struct Told {
    var rev: Int64
    var epoch: Int64
    var snapshot: [UInt8]
    var hasEnded: Bool
    /// The revisions of the alerts that it gave.
    var alerts: Set<Int64> = []
}

/// A sink that takes snapshots, beside the broker: it goes forward only, gives each alert once, and knows in the end what
/// is so.
struct SinkJudge {
    private static let name = "sink"
    /// Alerts that were raised since the last commit, and those that were committed, by activity and epoch: the last
    /// ones.
    private var raised: [String: Int64] = [:]
    private var committed: [String: Int64] = [:]
    /// What was told, repeats left out.
    private(set) var count = 0

    /// The sink takes a delivery.
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

    /// Takes note of the alerts in what happened, before it is committed.
    mutating func raise(_ effects: [Effect]) {
        for effect in effects {
            guard case .update(let update) = effect.what, update.alert != nil else { continue }
            raised["\(update.id) \(update.epoch)"] = update.rev
        }
    }

    /// All that has happened is on the disk.
    mutating func commit() {
        committed.merge(raised) { _, new in new }
        raised = [:]
    }

    /// The process has ended, and what was not on the disk has not happened.
    mutating func forgetRaised() { raised = [:] }

    /// With the last commits the disk has forgotten alerts.
    mutating func forget() { committed = [:] }

    /// Judges what the end shows: the sink knows each activity as it is, and has given the last alert of each.
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
