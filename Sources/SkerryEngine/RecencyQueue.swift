/// Some of the devices, by their places, in the order in which they were touched last.
///
/// Each operation takes the same time however many there are: a list in which each knows its neighbours.
///
/// See docs/decisions/0017-making-room.md.
struct RecencyQueue: Sendable {
    private struct Link: Sendable {
        var older: UInt32
        var newer: UInt32
    }

    /// Stands for no place, and in `older` for a place that is not in the queue.
    private static let none = UInt32.max
    private static let absent = UInt32.max - 1

    private var links: [Link] = []
    private var first = none
    private var last = none

    /// The one that was touched before all others; nil when there is none.
    var oldest: Int? { first == Self.none ? nil : Int(first) }

    func contains(_ place: Int) -> Bool { place < links.count && links[place].older != Self.absent }

    /// Puts a place behind all others.
    mutating func touch(_ place: Int) {
        if last == UInt32(place) { return }
        remove(place)
        while links.count <= place { links.append(Link(older: Self.absent, newer: Self.none)) }
        links[place] = Link(older: last, newer: Self.none)
        if last == Self.none { first = UInt32(place) } else { links[Int(last)].newer = UInt32(place) }
        last = UInt32(place)
    }

    /// Takes a place out, if it is there.
    mutating func remove(_ place: Int) {
        guard contains(place) else { return }
        let link = links[place]
        if link.older == Self.none { first = link.newer } else { links[Int(link.older)].newer = link.newer }
        if link.newer == Self.none { last = link.older } else { links[Int(link.newer)].older = link.older }
        links[place] = Link(older: Self.absent, newer: Self.none)
    }

    /// Gives what is at a place another one, which is not in the queue.
    mutating func move(_ place: Int, to other: Int) {
        guard contains(place) else { return }
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
    }

    /// Calls `body` with each place, the oldest first.
    func forEach(_ body: (Int) -> Void) {
        var place = first
        while place != Self.none {
            body(Int(place))
            place = links[Int(place)].newer
        }
    }

    /// Takes all out.
    mutating func removeAll() { self = RecencyQueue() }
}
