import SkerryValues

/// Keeps repeated notes from filling the log: the first of each kind is logged at once, then their number in each
/// minute.
struct RepeatedNotes {
    /// The number of kinds that are distinguished; further ones count as one.
    static let kindLimit = 64
    /// The time for which notes of a kind are counted before their number is logged.
    static let pause = Interval.minutes(1)

    private var counts: [(kind: String, count: Int)] = []
    /// The next moment to log the numbers; nil without notes.
    private(set) var due: Timestamp?

    /// Returns whether a note is the first of its kind, to be logged at once; else it is counted.
    mutating func isFirst(_ kind: String, at now: Timestamp) -> Bool {
        assert((due == nil) == counts.isEmpty, "notes wait that are never told")
        var kind = kind
        if counts.count >= Self.kindLimit, !counts.contains(where: { $0.kind == kind }) { kind = "others" }
        if due == nil { due = now + Self.pause }
        if let index = counts.firstIndex(where: { $0.kind == kind }) {
            counts[index].count += 1
            return false
        }
        counts.append((kind, 0))
        // One more for the others.
        assert(counts.count <= Self.kindLimit + 1, "more kinds are told apart than promised")
        return true
    }

    /// Counts further notes of a kind that was noted in this minute.
    mutating func add(_ count: Int, _ kind: String) {
        let place = counts.firstIndex { $0.kind == kind } ?? counts.firstIndex { $0.kind == "others" }
        assert(place != nil, "repetitions are counted of what was never noted")
        if let place { counts[place].count += count }
    }

    /// The wall clock was set.
    mutating func clockStepped(by length: Interval) {
        due = due.map { $0 + length }
    }

    /// The lines to log after a minute: each kind with the number of its repetitions.
    ///
    /// A kind without repetitions is forgotten, so that its next note is a first one.
    mutating func summary(at now: Timestamp) -> [String] {
        guard let due, due <= now else { return [] }
        assert(!counts.isEmpty, "numbers are due of nothing that was noted")
        counts.removeAll { $0.count == 0 }
        let lines = counts.map { "\($0.count) more in the last minute: \($0.kind)" }
        for index in counts.indices { counts[index].count = 0 }
        self.due = counts.isEmpty ? nil : now + Self.pause
        return lines
    }
}
