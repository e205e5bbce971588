import SkerryActivity
import SkerryMachine
import SkerryValues

/// Deliveries in the order in which they came, of each activity the newest.
///
/// See docs/decisions/0030-sink-rows.md.
struct WaitingDeliveries {
    /// The queue; entries that were replaced or dropped are nil.
    private var queue: [Delivery?] = []
    /// The index of each activity's delivery.
    private var places: [ExactText: Int] = [:]
    /// The number waiting.
    var count: Int { places.count }
    /// The number of them that end an activity.
    private(set) var ended = 0
    /// No ended activity waits before this place.
    private var firstEnded = 0

    /// All of them, in order.
    var all: [Delivery] { queue.compactMap { $0 } }

    subscript(activity: String) -> Delivery? { places[ExactText(activity)].flatMap { queue[$0] } }

    /// Adds a delivery at the end, in place of an older one of its activity.
    mutating func append(_ delivery: Delivery) {
        _ = remove(delivery.update.id)
        places[ExactText(delivery.update.id)] = queue.count
        queue.append(delivery)
        if delivery.isEnd { ended += 1 }
        compact()
        assert(self[delivery.update.id]?.id == delivery.id, "a delivery that waits is not found")
        assert(ended <= count, "more activities have ended than wait")
    }

    /// Puts deliveries back before all others, unless there is a newer one of their activity.
    mutating func prepend(_ deliveries: [Delivery]) {
        let returned = deliveries.filter { places[ExactText($0.update.id)] == nil }
        queue.insert(contentsOf: returned, at: 0)
        for delivery in returned where delivery.isEnd { ended += 1 }
        file()
        assert(ended <= count, "more activities have ended than wait")
    }

    /// Takes the oldest of the ended activities out.
    mutating func dropOldestEnded() -> Delivery? {
        for place in firstEnded..<queue.count {
            guard let delivery = queue[place], delivery.isEnd else { continue }
            assert(places[ExactText(delivery.update.id)] == place, "an end waits elsewhere")
            firstEnded = place + 1
            return remove(delivery.update.id)
        }
        assert(ended == 0, "an ended activity waits before the place where the search begins")
        return nil
    }

    /// Moves the alerts, because the wall clock was set.
    mutating func move(by shift: ClockShift) {
        for place in queue.indices { queue[place]?.move(by: shift) }
    }

    private mutating func remove(_ activity: String) -> Delivery? {
        guard let place = places.removeValue(forKey: ExactText(activity)), let delivery = queue[place] else {
            return nil
        }
        assert(ExactText(delivery.update.id) == ExactText(activity), "an activity has the place of another")
        queue[place] = nil
        if delivery.isEnd { ended -= 1 }
        assert(ended >= 0, "more ended activities have gone than had come")
        return delivery
    }

    /// Closes the gaps once they are the larger part.
    private mutating func compact() {
        if queue.count > 64, queue.count > 2 * count { file() }
    }

    private mutating func file() {
        queue.removeAll { $0 == nil }
        firstEnded = 0
        for (place, delivery) in queue.enumerated() {
            if let delivery { places[ExactText(delivery.update.id)] = place }
        }
        assert(queue.count == places.count, "an activity waits twice, or its place is lost")
    }
}

extension Delivery {
    /// True if it ends its activity.
    fileprivate var isEnd: Bool { update.phase == .ended }
}
