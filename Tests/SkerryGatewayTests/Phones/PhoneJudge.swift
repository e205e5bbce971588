import SkerryActivity
import SkerryTesting
import SkerryValues

/// Looks at the Lock Screens after everything that happens.
struct PhoneJudge {
    /// Something that must not be.
    struct Complaint: Error, CustomStringConvertible {
        var description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// Whether nothing goes wrong in this world, so that everything is on time.
    var isStrict = true
    /// The longest time that two activities of one run were on a phone, at a renewal.
    private(set) var longestOverlap = Interval.zero
    /// The longest time that a phone which could be reached showed something older than the bridge.
    private(set) var longestLag = Interval.zero
    /// The longest time that a countdown rested at zero on a phone which could be reached.
    private(set) var longestAtZero = Interval.zero
    /// The longest time that a run was on no Lock Screen of a phone which could be reached.
    private(set) var longestGap = Interval.zero
    private var since: [String: Timestamp] = [:]
    /// What was found out about a card, and of which of its states.
    private var marks: [String: (mark: Mark, isCurrent: Bool)] = [:]

    private struct Mark: Equatable {
        var timestamp: Int64
        var rev: Int64
        var isLive: Bool
    }

    /// What may be late by without a complaint.
    private static let patience = Interval.seconds(3)

    mutating func look(at world: PhoneWorld) throws(Complaint) {
        let now = world.clocks.truth
        for owner in world.owners {
            let live = owner.phone.cards.filter { $0.isLive }
            for card in live { try look(at: card, of: owner, world.bridge[card.id], at: now) }
            for id in Set(live.map { $0.id }) { try overlap(id, live, of: owner, at: now) }
            for (id, update) in world.bridge where update.phase != .ended {
                let isMissing =
                    owner.isOnline && !owner.swiped.contains(id) && !live.contains { $0.id == id }
                    && world.isFor(owner.name, id)
                longestGap = max(longestGap, try measure("\(owner.name) misses \(id)", isMissing, at: now))
            }
        }
    }

    /// The complaints that are left once everything was repaired and has come to rest.
    func rest(of world: PhoneWorld) -> [String] {
        var complaints: [String] = []
        for owner in world.owners {
            let live = owner.phone.cards.filter { $0.isLive }
            for card in live {
                let isAlone = live.count { $0.id == card.id } == 1
                if !isAlone { complaints.append("\(owner.name) has two of \(card.id)") }
                if !Self.isCurrent(card, world.bridge[card.id]) {
                    complaints.append("\(owner.name) shows \(card.stateName) of \(card.id)")
                }
            }
        }
        return complaints
    }

    private mutating func look(
        at card: PhoneCard,
        of owner: PhoneOwner,
        _ update: ActivityUpdate?,
        at now: Timestamp
    ) throws(Complaint) {
        let key = "\(owner.name) \(card.id) \(card.instance)"
        let isReachable = owner.isReachable(card)
        let mark = Mark(timestamp: card.timestamp, rev: update?.rev ?? 0, isLive: card.isLive)
        if marks[key]?.mark != mark { marks[key] = (mark, Self.isCurrent(card, update)) }
        let isBehind = isReachable && !(marks[key]?.isCurrent ?? false)
        longestLag = max(longestLag, try measure("\(key) is behind", isBehind, at: now))
        // What was sent after the end of a countdown tells what comes after it; the app draws no countdown then.
        let isToldAfter = card.countdownEnd.map { $0.flooredSeconds <= card.timestamp } ?? true
        let isAtZero = isReachable && !isToldAfter && card.timeAtZero(at: now) > .zero
        longestAtZero = max(longestAtZero, try measure("\(key) rests at zero", isAtZero, at: now))
    }

    private mutating func overlap(
        _ id: String,
        _ live: [PhoneCard],
        of owner: PhoneOwner,
        at now: Timestamp
    ) throws(Complaint) {
        let cards = live.filter { $0.id == id }
        guard Set(cards.map { $0.instance }).count == cards.count else {
            throw Complaint("\(owner.name) has the same activity of \(id) twice")
        }
        guard cards.count < 3 else { throw Complaint("\(owner.name) has \(cards.count) activities of \(id)") }
        let isRenewal = cards.count == 2
        longestOverlap = max(
            longestOverlap,
            try measure("\(owner.name) \(id) is there twice", isRenewal, at: now)
        )
        if isRenewal, now - cards[0].startedAt < .hours(7) {
            throw Complaint("\(owner.name) has two activities of \(id), and none is old")
        }
    }

    /// How long something has been so.
    private mutating func measure(
        _ what: String,
        _ isSo: Bool,
        at now: Timestamp
    ) throws(Complaint) -> Interval {
        guard isSo else {
            since[what] = nil
            return .zero
        }
        let first = since[what] ?? now
        since[what] = first
        let length = now - first
        if isStrict, length > Self.patience { throw Complaint("\(what) for \(length.inSeconds) s") }
        return length
    }

    /// Whether a card shows what the bridge says.
    private static func isCurrent(_ card: PhoneCard, _ update: ActivityUpdate?) -> Bool {
        guard var update, update.phase != .ended else { return false }
        update.rev = card.rev
        let said = LiveActivityContract.contentState(of: update)
        guard let value = try? JSONReader.value(of: said.span) else { return false }
        return Value.map(card.state).isSameJSON(as: value)
    }
}
