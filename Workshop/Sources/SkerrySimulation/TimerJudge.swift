import SkerryGateway
import SkerryValues

/// A stopwatch at each kettle, which uses only the published content.
///
/// Tea must be ready exactly at the published end, and only once. The end may only move by whole minutes, when people
/// want the tea stronger, or when a clock is set.
struct TimerJudge {
    private struct Brewing {
        var id: String
        var rev: Int64
        var end: Int64
    }

    private static let name = "timers"
    private var brewing: [String: Brewing] = [:]
    /// The number of ends seen.
    private(set) var ends = 0
    /// True if the clock was set, so that times may have moved.
    var clockWasSet = false

    /// Checks a publication.
    mutating func take(_ publication: Publication) throws(Violation) {
        guard publication.topic.hasPrefix("skerry/kettle/"), publication.topic.hasSuffix("/activity") else {
            return
        }
        if publication.payload.isEmpty {
            brewing[publication.topic] = nil
            return
        }
        let news = try RevisionJudge.members(publication.payload)
        guard case .string(let name)? = news["id"], case .int(let rev)? = news["rev"],
            case .int(let epoch)? = news["epoch"], case .string(let state)? = news["state"]
        else { throw Violation(Self.name, "a member is missing") }
        let id = "\(name) of epoch \(epoch)"
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
        if let known, known.id == id, !clockWasSet, end < known.end || (end - known.end) % 60 != 0 {
            throw Violation(Self.name, "\(id): the tea of \(known.end) became one of \(end)")
        }
        brewing[publication.topic] = Brewing(id: id, rev: rev, end: end)
    }

    /// Checks that no published tea still brews after its end.
    func finish(at now: Timestamp) throws(Violation) {
        for (topic, tea) in brewing.sorted(by: { $0.key < $1.key }) where tea.end + 1 < now.flooredSeconds {
            throw Violation(Self.name, "\(topic): the tea of \(tea.end) never got ready")
        }
    }
}

extension Value {
    /// A number without its fraction.
    var wholeSeconds: Int64? {
        switch self {
        case .int(let number): number
        case .double(let number): Int64(exactly: number.rounded(.down))
        default: nil
        }
    }
}
