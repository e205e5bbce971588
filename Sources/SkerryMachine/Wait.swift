import SkerryValues

/// A transition that waits for its time: `after`, `for` or `quiet`.
@usableFromInline
struct Wait: Sendable, Hashable {
    enum Kind: UInt8, Sendable {
        case after
        case sustained
        case quiet
    }

    /// Where the wait stands.
    enum Phase: UInt8, Sendable {
        /// The deadline is to come.
        case armed
        /// The deadline passed during a lapse of the condition: taken when the condition is true again in time.
        case matured
        /// Done. Counts no more until the condition was false (sustained) or a message came (quiet).
        case spent
    }

    let transition: TransitionID
    let kind: Kind
    var phase = Phase.armed
    /// Arming, or the moment the condition turned true.
    var since: Timestamp
    /// When the condition turned false; the distant future while it is true.
    var lapsedAt = Timestamp.distantFuture
    private var due: Deadline

    init(_ transition: TransitionID, _ kind: Kind, since: Timestamp, due: Deadline) {
        self.transition = transition
        self.kind = kind
        self.since = since
        self.due = due
    }

    var isLapsed: Bool { lapsedAt != .distantFuture }

    /// When the wait ends, given when the last message came; nil when it has no end to come.
    func deadline(lastHeard: Timestamp) -> Deadline? {
        guard phase == .armed else { return nil }
        guard kind == .quiet, lastHeard > since else { return due }
        return Deadline(at: due.at + (lastHeard - since), sequence: due.sequence)
    }

    /// Waits for silence as long as before, from now on, in the same place among equals.
    mutating func restart(at now: Timestamp) {
        due.at = now + (due.at - since)
        since = now
        phase = .armed
    }
}
