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

    /// The bridge has kept a message.
    mutating func keep(_ delivery: Delivery) {
        let levels = RevisionJudge.text(delivery.topic).split(separator: "/")
        if levels.count == 3, levels[0] == "kettle", !delivery.isRetained {
            heard[String(levels[1])] = listened
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
