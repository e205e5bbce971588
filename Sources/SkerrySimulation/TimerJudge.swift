import SkerryGateway
import SkerryValues

/// Somebody with a stopwatch at each kettle, who knows nothing but what readers see: tea that is shown to end at a
/// moment is ready at that moment, not earlier, not later, and not twice.
struct TimerJudge {
    private struct Brewing {
        var id: String
        var rev: Int64
        var end: Int64
    }

    private static let name = "timers"
    private var brewing: [String: Brewing] = [:]
    /// Ends seen.
    private(set) var ends = 0

    /// Takes what the broker got.
    mutating func take(_ publication: Publication) throws(Violation) {
        guard publication.topic.hasPrefix("skerry/kettle/"), publication.topic.hasSuffix("/activity"),
            !publication.payload.isEmpty
        else { return }
        let news = try RevisionJudge.members(publication.payload)
        guard case .string(let id)? = news["id"], case .int(let rev)? = news["rev"],
            case .string(let state)? = news["state"]
        else { throw Violation(Self.name, "a member is missing") }
        let known = brewing[publication.topic]
        if let known, known.id == id, rev <= known.rev { return }
        if state == "ready", let known, known.id == id, rev == known.rev + 1 {
            guard let at = news["at"]?.wholeSeconds, abs(at - known.end) <= 1 else {
                throw Violation(
                    Self.name,
                    "\(id): shown to end at \(known.end), but \(RevisionJudge.text(publication.payload))"
                )
            }
            ends += 1
        }
        brewing[publication.topic] = nil
        guard state == "brewing", case .map(let content)? = news["content"],
            case .map(let tea)? = content["tea"], let end = tea["end"]?.wholeSeconds
        else { return }
        brewing[publication.topic] = Brewing(id: id, rev: rev, end: end)
    }

    /// Forgets what it saw, as the disk has.
    mutating func forget() { brewing = [:] }

    /// Nothing that everybody has seen may still brew after its end.
    func finish(at now: Timestamp) throws(Violation) {
        for (topic, tea) in brewing.sorted(by: { $0.key < $1.key }) where tea.end + 1 < now.flooredSeconds {
            throw Violation(Self.name, "\(topic): the tea of \(tea.end) never got ready")
        }
    }
}

extension Value {
    /// A number without its fraction.
    fileprivate var wholeSeconds: Int64? {
        switch self {
        case .int(let number): number
        case .double(let number): Int64(exactly: number.rounded(.down))
        default: nil
        }
    }
}
