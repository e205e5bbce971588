/// Publications that wait for the broker, in order, bounded.
///
/// A retained one that is still waiting is replaced by a newer one of its topic: only the last state counts. When the
/// outbox is full the oldest one that is not retained goes, and is counted: readers of diffs see the gap by `prev`.
struct Outbox {
    /// How many may wait.
    let limit: Int
    /// How many had to go.
    private(set) var dropped: UInt64 = 0
    /// How many wait.
    private(set) var count = 0

    /// The queue; what was taken out or replaced is nil.
    private var queue: [Publication?] = []
    private var first = 0
    /// Where the waiting retained publication of a topic stands, counted from the first one ever.
    private var retained: [String: Int] = [:]
    private var removed = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a publication at the end.
    ///
    /// - Returns: the ids of those that will never be sent because of it.
    mutating func append(_ publication: Publication) -> [UInt64] {
        var obsolete: [UInt64] = []
        if publication.isRetained {
            if let place = retained[publication.topic], let old = queue[place - removed] {
                queue[place - removed] = nil
                count -= 1
                obsolete.append(old.id)
            }
            retained[publication.topic] = queue.count + removed
        }
        queue.append(publication)
        count += 1
        if count > limit, let gone = dropOldest() { obsolete.append(gone) }
        return obsolete
    }

    /// Takes the first publication out.
    mutating func next() -> Publication? {
        while first < queue.count {
            let publication = queue[first]
            queue[first] = nil
            first += 1
            compact()
            guard let publication else { continue }
            count -= 1
            if publication.isRetained { retained[publication.topic] = nil }
            return publication
        }
        return nil
    }

    private mutating func dropOldest() -> UInt64? {
        let place =
            queue[first...].firstIndex { $0.map { !$0.isRetained } ?? false }
            ?? queue[first...].firstIndex { $0 != nil }
        guard let place, let publication = queue[place] else { return nil }
        queue[place] = nil
        if publication.isRetained { retained[publication.topic] = nil }
        count -= 1
        dropped += 1
        return publication.id
    }

    /// Forgets the places at the front once they are the larger part.
    private mutating func compact() {
        guard first > 64, first * 2 > queue.count else { return }
        queue.removeFirst(first)
        removed += first
        first = 0
    }
}
