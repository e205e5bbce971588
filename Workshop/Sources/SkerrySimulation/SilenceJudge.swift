import SkerryGateway
import SkerryValues

/// Checks that a kettle becomes stale only after it was silent for long enough while a bridge was running.
///
/// The silence may be shorter by a checkpoint interval, because the disk may not have the last message yet.
struct SilenceJudge {
    private static let name = "silence"
    private let limit: Interval
    /// The total running time of all bridges up to now.
    private var listened = Interval.zero
    private var now: Timestamp?
    /// The value of `listened` at the last stored message of each kettle.
    private var heard: [String: Interval] = [:]
    /// The value of `listened` when the bridge handled a message that the disk refused, by the number of the message.
    private var taken: [Int: Interval] = [:]
    /// The revisions in which an activity became stale.
    private var told: Set<String> = []

    /// Makes a judge of kettles that are stale after `stale`.
    init(stale: Interval, checkpoint: Interval) {
        limit = stale - checkpoint
    }

    /// Counts the time up to a moment, if a bridge is running.
    mutating func pass(until moment: Timestamp, isListening: Bool) {
        if let now, isListening { listened = listened + (moment - now) }
        now = moment
    }

    /// Records a message that the bridge has handled but the disk has refused.
    mutating func take(_ delivery: Delivery) {
        if taken[delivery.id] == nil { taken[delivery.id] = listened }
    }

    /// Forgets handled messages that were not stored, because the process ended and they will be sent again.
    mutating func forgetTaken() { taken = [:] }

    /// Records that the bridge has stored a message, whether or not it was handled before.
    mutating func keep(_ delivery: Delivery) {
        let when = taken.removeValue(forKey: delivery.id) ?? listened
        let levels = RevisionJudge.text(delivery.topic).split(separator: "/")
        if levels.count == 3, levels[0] == "kettle", !delivery.isRetained {
            heard[String(levels[1])] = max(heard[String(levels[1])] ?? .zero, when)
        }
    }

    /// Forgets all messages, because the disk has lost its last commits.
    mutating func forget() { heard = [:] }

    /// Checks a publication.
    mutating func take(_ publication: Publication) throws(Violation) {
        guard publication.topic.hasPrefix("skerry/kettle/"), publication.topic.hasSuffix("/activity"),
            !publication.payload.isEmpty
        else { return }
        let news = try RevisionJudge.members(publication.payload)
        guard case .string("stale")? = news["phase"], case .string(let id)? = news["id"],
            case .int(let rev)? = news["rev"], told.insert("\(id) \(rev)").inserted
        else { return }
        let device = String(publication.topic.split(separator: "/")[2])
        guard let last = heard[device], listened - last < limit else { return }
        let silence = (listened - last).roundedSeconds
        throw Violation(
            Self.name,
            "\(id) is stale, but a bridge has listened only \(silence) s since it was heard"
        )
    }
}
