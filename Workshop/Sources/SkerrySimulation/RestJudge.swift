import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues

/// Compares the broker's retained messages with what an engine would show: at rest one that never met a fault, before
/// that the bridge's own.
///
/// Only the epoch may differ, because it depends on when the store was made.
enum RestJudge {
    private static let name = "rest"

    static func judge(_ broker: SimulatedBroker, against engine: Engine) throws(Violation) {
        var expected: [String: [UInt8]] = [:]
        engine.forEachDevice { kind, device in
            if let activity = device.activity {
                expected["skerry/\(kind)/\(device.name)/activity"] = activity.snapshotJSON()
            }
        }
        let found = broker.retained.filter { $0.key.hasPrefix("skerry/") && $0.key.hasSuffix("/activity") }
        for topic in Set(expected.keys).union(found.keys).sorted() {
            guard let right = expected[topic] else {
                throw Violation(name, "\(topic) should be empty: \(RevisionJudge.text(found[topic] ?? []))")
            }
            guard let there = found[topic] else {
                throw Violation(name, "\(topic) is empty, it should be \(RevisionJudge.text(right))")
            }
            if try withoutEpoch(there).isSameJSON(as: withoutEpoch(right)) { continue }
            throw Violation(
                name,
                "\(topic) is \(RevisionJudge.text(there)), it should be \(RevisionJudge.text(right))"
            )
        }
    }

    private static func withoutEpoch(_ snapshot: [UInt8]) throws(Violation) -> Value {
        var members = try RevisionJudge.members(snapshot)
        members.set("epoch", to: .null)
        return .map(members)
    }
}
