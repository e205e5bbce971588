import SkerryValues

/// Other clients that write to the topics of this bridge, and the moments at which it publishes its own messages again.
///
/// Two bridges must not answer each other endlessly: each answer comes later than the one before, up to ten minutes.
///
/// See docs/decisions/0023-rivals.md.
struct Rivalry {
    /// Topics to which another client has written since the last answer.
    private(set) var topics: Set<ExactText> = []
    /// The moment of the next answer.
    private(set) var due: Timestamp?
    private var pause = Interval.zero
    private var answeredAt: Timestamp?

    private static let longestPause = Interval.minutes(10)

    /// Records that another client has written to a topic.
    mutating func add(_ topic: ExactText, at now: Timestamp) {
        topics.insert(topic)
        if due != nil { return }
        if let answeredAt, now - answeredAt < Self.longestPause {
            due = max(now, answeredAt + pause)
        } else {
            pause = .zero
            due = now
        }
        assert(due.map { $0 >= now } ?? false, "a rival is not answered, or was to be before it came")
    }

    /// The topics to answer now.
    mutating func takeDue(at now: Timestamp) -> Set<ExactText> {
        guard let due, due <= now else { return [] }
        assert(!topics.isEmpty, "an answer is due to nobody")
        self.due = nil
        answeredAt = now
        pause = pause == .zero ? .seconds(1) : min(pause + pause, Self.longestPause)
        assert(pause > .zero && pause <= Self.longestPause, "two bridges answer each other without a pause")
        defer { topics = [] }
        return topics
    }

    /// Moves its moments by a step of the wall clock.
    mutating func clockMoved(by length: Interval) {
        due = due.map { $0 + length }
        answeredAt = answeredAt.map { $0 + length }
    }
}
