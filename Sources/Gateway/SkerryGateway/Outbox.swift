import SkerryValues

/// Publications that wait for the broker, in order, bounded.
///
/// A waiting retained publication is replaced by a newer one of its topic: only the last state counts, so there are
/// never more of these than topics. The number of others is limited; beyond it the oldest is dropped and counted:
/// readers of diffs see the gap by `prev` and read the snapshot.
struct Outbox {
    /// The largest number of waiting publications that are not retained.
    let limit: Int
    /// The number of dropped publications.
    private(set) var dropped: UInt64 = 0
    /// The number waiting.
    private(set) var count = 0

    /// Publications that are sent before the queue, in order: at most one for each topic.
    private var ahead: [Publication] = []
    /// The queue; entries that were taken out, replaced or dropped are nil.
    private var queue: [Publication?] = []
    /// The place of the first entry of the queue, counted since the outbox is there.
    private var origin = 0
    /// Nothing waits before this entry of the queue.
    private var first = 0
    /// The place of the waiting retained publication of each topic, counted as ``origin`` is.
    private var retained: [ExactText: Int] = [:]
    /// The number of waiting publications that are not retained.
    private var passing = 0
    /// Nothing that is not retained waits before this place.
    private var firstPassing = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// The size of the queue, gaps included.
    var places: Int { queue.count }

    /// Adds a publication at the end.
    ///
    /// - Returns: the ids of those that will never be sent because of it.
    mutating func append(_ publication: Publication) -> [UInt64] {
        var obsolete: [UInt64] = []
        if publication.isRetained {
            let place = retained.updateValue(origin + queue.count, forKey: ExactText(publication.topic))
            // Behind `first`, so it is still in the queue: `next` forgets the place of what it takes out.
            assert(place.map { $0 - origin >= first } ?? true, "a topic has the place of what was sent")
            if let place, let id = queue[place - origin]?.id {
                queue[place - origin] = nil
                count -= 1
                obsolete.append(id)
            }
        } else {
            passing += 1
        }
        queue.append(publication)
        count += 1
        if passing > limit, let gone = dropOldest() { obsolete.append(gone) }
        compact()
        assert(!publication.isRetained || holds(ExactText(publication.topic)), "a state is not found")
        assert(passing <= max(limit, 0), "more waits than the limit allows")
        assert(isCounted, "what waits is miscounted")
        return obsolete
    }

    /// Adds a retained publication that goes before the queue, after those that were added so before it.
    ///
    /// - Returns: the id of the one of its topic that will never be sent because of it.
    mutating func putAhead(_ publication: Publication) -> UInt64? {
        var obsolete: UInt64?
        if let place = ahead.firstIndex(where: { ExactText($0.topic) == ExactText(publication.topic) }) {
            obsolete = ahead.remove(at: place).id
            count -= 1
        }
        ahead.append(publication)
        count += 1
        assert(isCounted, "what waits is miscounted")
        return obsolete
    }

    /// Takes the first publication out.
    mutating func next() -> Publication? {
        if !ahead.isEmpty {
            defer { assert(isCounted, "what waits is miscounted") }
            count -= 1
            return ahead.removeFirst()
        }
        while first < queue.count {
            let publication = queue[first].take()
            first += 1
            guard let publication else { continue }
            count -= 1
            if publication.isRetained {
                let place = retained.removeValue(forKey: ExactText(publication.topic))
                assert(place == origin + first - 1, "a topic has another place than its publication")
            } else {
                passing -= 1
            }
            assert(isCounted, "what waits is miscounted")
            compact()
            return publication
        }
        compact()
        assert(count == 0, "a publication waits where nothing looks for it")
        return nil
    }

    /// True if each publication that waits counts once: before the queue, as the state of a topic, or as passing.
    private var isCounted: Bool { count == ahead.count + retained.count + passing }

    /// Returns whether a retained publication of a topic waits.
    func holds(_ topic: ExactText) -> Bool {
        retained[topic] != nil || ahead.contains { ExactText($0.topic) == topic }
    }

    /// Removes publications that must no longer be sent.
    ///
    /// - Returns: their ids.
    mutating func remove(where isObsolete: (Publication) -> Bool) -> [UInt64] {
        var obsolete = ahead.filter(isObsolete).map(\.id)
        ahead.removeAll(where: isObsolete)
        count -= obsolete.count
        for place in queue.indices {
            guard let publication = queue[place], isObsolete(publication) else { continue }
            queue[place] = nil
            count -= 1
            if publication.isRetained {
                retained[ExactText(publication.topic)] = nil
            } else {
                passing -= 1
            }
            obsolete.append(publication.id)
        }
        assert(isCounted, "what waits is miscounted")
        compact()
        return obsolete
    }

    private mutating func dropOldest() -> UInt64? {
        for place in max(first, firstPassing)..<queue.count {
            guard queue[place]?.isRetained == false, let publication = queue[place].take() else { continue }
            firstPassing = place + 1
            count -= 1
            passing -= 1
            dropped += 1
            return publication.id
        }
        assert(passing == 0, "what passes waits before the place where the search for it begins")
        return nil
    }

    /// Closes the gaps once they are the larger part, and gives the memory back that a burst took.
    private mutating func compact() {
        // In a short queue, gaps cost less than closing them.
        guard queue.count > 64, queue.count > 2 * count else { return }
        // What has left at the front moves nothing behind it.
        queue.removeFirst(first)
        if queue.isEmpty { queue = [] }
        origin += first
        firstPassing = max(0, firstPassing - first)
        first = 0
        guard queue.count > 2 * count else { return }
        var kept = 0
        for place in queue.indices {
            guard let isRetained = queue[place]?.isRetained else { continue }
            if kept < place {
                queue.swapAt(kept, place)
                if isRetained, let topic = queue[kept]?.topic { retained[ExactText(topic)] = origin + kept }
            }
            kept += 1
        }
        queue.removeLast(queue.count - kept)
        assert(kept == retained.count + passing, "a publication is lost when gaps are closed")
        // Places have moved; counted from the front again, the next search is at most as long as this one was.
        firstPassing = 0
    }
}
