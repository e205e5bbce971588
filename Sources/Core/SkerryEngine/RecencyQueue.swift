/// A queue of some devices by index, ordered by the last touch.
///
/// Each operation takes constant time, because the queue is a doubly linked list.
///
/// See docs/decisions/0017-making-room.md.
struct RecencyQueue: Sendable {
    private struct Link: Sendable {
        var older: UInt32
        var newer: UInt32
    }

    /// A link without a neighbour; `absent` in `older` marks an index that is not in the queue.
    private static let none = UInt32.max
    private static let absent = UInt32.max - 1

    private var links: [Link] = []
    private var first = none
    private var last = none

    /// The index that was touched least recently; nil when the queue is empty.
    var oldest: Int? { first == Self.none ? nil : Int(first) }

    func contains(_ place: Int) -> Bool { place < links.count && links[place].older != Self.absent }

    /// Moves an index to the end of the queue, or adds it.
    mutating func touch(_ place: Int) {
        // A device that sends many messages in a row costs one comparison each.
        if last == UInt32(place) { return }
        remove(place)
        while links.count <= place { links.append(Link(older: Self.absent, newer: Self.none)) }
        links[place] = Link(older: last, newer: Self.none)
        if last == Self.none { first = UInt32(place) } else { links[Int(last)].newer = UInt32(place) }
        last = UInt32(place)
        assert(first != Self.none && links[place].newer == Self.none, "the newest is not at the end")
        assert(links[Int(first)].older == Self.none, "something is older than the oldest")
        assert(contains(place), "an index that was touched is not in the queue")
    }

    /// Removes an index, if it is in the queue.
    mutating func remove(_ place: Int) {
        guard contains(place) else { return }
        let link = links[place]
        if link.older == Self.none { first = link.newer } else { links[Int(link.older)].newer = link.newer }
        if link.newer == Self.none { last = link.older } else { links[Int(link.newer)].older = link.older }
        links[place] = Link(older: Self.absent, newer: Self.none)
        assert((first == Self.none) == (last == Self.none), "the queue has one end")
        assert(
            first == Self.none || links[Int(first)].older == Self.none,
            "something is older than the oldest"
        )
        assert(last == Self.none || links[Int(last)].newer == Self.none, "something is newer than the newest")
    }

    /// Replaces an index by another one that is not in the queue.
    mutating func move(_ place: Int, to other: Int) {
        guard contains(place) else { return }
        assert(!contains(other), "an index is in the queue twice")
        while links.count <= other { links.append(Link(older: Self.absent, newer: Self.none)) }
        let link = links[place]
        links[other] = link
        links[place] = Link(older: Self.absent, newer: Self.none)
        if link.older == Self.none {
            first = UInt32(other)
        } else {
            links[Int(link.older)].newer = UInt32(other)
        }
        if link.newer == Self.none {
            last = UInt32(other)
        } else {
            links[Int(link.newer)].older = UInt32(other)
        }
        assert(contains(other) && !contains(place), "an index was not replaced")
        assert(links[Int(first)].older == Self.none, "something is older than the oldest")
        assert(links[Int(last)].newer == Self.none, "something is newer than the newest")
    }

    /// Calls `body` with each index, the least recently touched first.
    func forEach(_ body: (Int) -> Void) {
        var place = first
        while place != Self.none {
            body(Int(place))
            place = links[Int(place)].newer
        }
    }

    mutating func removeAll() { self = RecencyQueue() }
}
