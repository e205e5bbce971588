import SkerryGateway
import SkerryValues

/// Somebody who knows when the bridge listened: a kettle is stale only after it has been silent to a bridge that was there.
///
/// When a message came that changed nothing else, the disk may be as old as the last checkpoint.
struct SilenceJudge {
    private static let name = "silence"
    private let limit: Interval
    /// How long there was a bridge, up to the last call.
    private var listened = Interval.zero
    private var now: Timestamp?
    /// How long there had been a bridge when a kettle was heard last.
    private var heard: [String: Interval] = [:]
    /// How long there had been a bridge when it took a message in that the disk refused, by the number of the message.
    private var taken: [Int: Interval] = [:]
    /// The revisions that told of silence.
    private var told: Set<String> = []

    /// Makes a judge of kettles that are stale after `stale`.
    init(stale: Interval, checkpoint: Interval) {
        limit = stale - checkpoint
    }

    /// Takes note that time has passed.
    mutating func pass(until moment: Timestamp, isListening: Bool) {
        if let now, isListening { listened = listened + (moment - now) }
        now = moment
    }

    /// The bridge has taken a message in, and the disk has refused it: it is told by the process alone.
    mutating func take(_ delivery: Delivery) {
        if taken[delivery.id] == nil { taken[delivery.id] = listened }
    }

    /// The process has ended, and what only it was told must be told again.
    mutating func forgetTaken() { taken = [:] }

    /// The bridge has kept a message, one that it knew or a new one.
    mutating func keep(_ delivery: Delivery) {
        let when = taken.removeValue(forKey: delivery.id) ?? listened
        let levels = RevisionJudge.text(delivery.topic).split(separator: "/")
        if levels.count == 3, levels[0] == "kettle", !delivery.isRetained {
            heard[String(levels[1])] = max(heard[String(levels[1])] ?? .zero, when)
        }
    }

    /// Forgets when kettles were heard, as the disk has.
    mutating func forget() { heard = [:] }

    /// Takes what the broker got.
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
