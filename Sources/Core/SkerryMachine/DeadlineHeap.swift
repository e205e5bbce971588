import SkerryValues

/// The deadlines of many machines in order, one for each id.
///
/// It is a 4-ary heap that knows the place of each id. Most deadlines are postponed or removed before they are due.
/// Both only note the change: the old place in the heap is a lower bound, which is corrected when it comes to the top.
/// Ids must be dense: memory grows with the highest id used (48 bytes each), however often deadlines change.
///
/// See docs/decisions/0009-deadlines-on-two-levels.md.
public struct DeadlineHeap: Sendable {
    /// A deadline with its owner.
    public struct Entry: Hashable, Sendable {
        /// The owner of the deadline.
        public let id: UInt32
        /// The deadline.
        public let deadline: Deadline
    }

    /// The number of ids that have a deadline.
    public private(set) var count = 0

    /// The nodes in heap order of their bounds; the bound of the first is exact.
    var nodes: [Node] = []
    /// The deadlines by id.
    var slots: [Slot] = []

    struct Node: Sendable {
        /// A lower bound of the deadline of the id.
        var bound: Deadline
        var id: UInt32
    }

    struct Slot: Sendable {
        /// The deadline of the id; for an id without one, its last deadline.
        var deadline: Deadline
        var place: UInt32
        var isSet: Bool

        static let nowhere = UInt32.max
        static let unused = Slot(
            deadline: Deadline(at: .distantPast, sequence: 0),
            place: nowhere,
            isSet: false
        )
    }

    /// Makes an empty heap.
    ///
    /// - Parameter capacity: The number of ids to make room for at once.
    public init(capacity: Int = 0) {
        nodes.reserveCapacity(capacity)
        slots.reserveCapacity(capacity)
    }

    /// True if no id has a deadline.
    public var isEmpty: Bool { count == 0 }

    /// The earliest deadline, or nil when there is none.
    public var min: Entry? {
        nodes.first.map { Entry(id: $0.id, deadline: $0.bound) }
    }

    /// The deadline of an id, or nil when it has none.
    public func deadline(of id: UInt32) -> Deadline? {
        guard id < slots.count, slots[Int(id)].isSet else { return nil }
        return slots[Int(id)].deadline
    }

    /// Sets the deadline of an id, in place of an earlier one if there is one.
    public mutating func set(_ id: UInt32, to deadline: Deadline) {
        let index = Int(id)
        while slots.count <= index { slots.append(.unused) }
        let old = slots[index]
        slots[index].deadline = deadline
        if !old.isSet {
            slots[index].isSet = true
            count += 1
        }
        if old.place == Slot.nowhere {
            // No node is left of an earlier deadline; otherwise that node is used again, although the deadline was
            // removed.
            nodes.append(Node(bound: deadline, id: id))
            siftUp(from: nodes.count - 1)
        } else if deadline < old.deadline, deadline < nodes[Int(old.place)].bound {
            // Earlier than the bound, so the node may stand too far down.
            nodes[Int(old.place)].bound = deadline
            siftUp(from: Int(old.place))
        }
        // Only at the top must the bound be exact. Below, a later deadline keeps its bound and moves nothing.
        if slots[index].place == 0 { settleFirst() }
        assert(self.deadline(of: id) == deadline, "a deadline that was set is not found")
        assert(Int(slots[index].place) < nodes.count, "a deadline has no node")
        assert(count <= nodes.count, "more ids have a deadline than there are nodes")
        assert(isFirstExact, "the first bound is not exact")
    }

    /// True if the bound of the first node is the deadline of its id.
    private var isFirstExact: Bool { nodes.first.map { deadline(of: $0.id) == $0.bound } ?? true }

    /// Removes the deadline of an id; nothing happens when it has none.
    public mutating func remove(_ id: UInt32) {
        guard id < slots.count, slots[Int(id)].isSet else { return }
        // Its node stays until it comes to the top: most deadlines are removed or postponed long before they are due.
        slots[Int(id)].isSet = false
        count -= 1
        if slots[Int(id)].place == 0 { settleFirst() }
        assert(nodes.isEmpty == (count == 0), "a node has outlived the last deadline")
        assert(count <= nodes.count, "more ids have a deadline than there are nodes")
        assert(isFirstExact, "the first bound is not exact")
    }

    /// Removes the earliest deadline.
    ///
    /// - Returns: The deadline with its owner, or nil when there is none.
    public mutating func popMin() -> Entry? {
        guard let first = min else { return nil }
        remove(first.id)
        assert(deadline(of: first.id) == nil, "a deadline was taken out and is still there")
        assert(min.map { $0.deadline >= first.deadline } ?? true, "deadlines come out of their order")
        return first
    }

    /// Makes the bound of the first node exact.
    private mutating func settleFirst() {
        while let first = nodes.first {
            let slot = slots[Int(first.id)]
            assert(slot.place == 0, "an id does not know its place")
            if slot.isSet {
                assert(slot.deadline >= first.bound, "a bound is later than its deadline")
                if slot.deadline == first.bound { return }
                siftDown(Node(bound: slot.deadline, id: first.id))
            } else {
                slots[Int(first.id)].place = Slot.nowhere
                let last = nodes.removeLast()
                if !nodes.isEmpty { siftDown(last) }
            }
        }
        assert(count == 0, "an id has a deadline and no node")
    }

    /// Moves a node towards the top until its parent is not later.
    private mutating func siftUp(from start: Int) {
        let node = nodes[start]
        var place = start
        while place > 0 {
            // Four children: half as many levels to rise as in a binary heap.
            let parent = (place - 1) / 4
            guard node.bound < nodes[parent].bound else { break }
            nodes[place] = nodes[parent]
            // Without a check for overflow in this loop: there are no more places than ids, which have 32
            // bits.
            slots[Int(nodes[place].id)].place = UInt32(truncatingIfNeeded: place)
            place = parent
        }
        nodes[place] = node
        slots[Int(node.id)].place = UInt32(truncatingIfNeeded: place)
        assert(isInOrder(at: place), "a node that has risen is out of order")
    }

    /// True if a node is not before its parent, nor behind its first child.
    private func isInOrder(at place: Int) -> Bool {
        let child = 4 * place + 1
        let isBehind = place == 0 || !(nodes[place].bound < nodes[(place - 1) / 4].bound)
        return isBehind && (child >= nodes.count || !(nodes[child].bound < nodes[place].bound))
    }

    /// Replaces the first node by another, which sinks to its place.
    private mutating func siftDown(_ node: Node) {
        let count = nodes.count
        var place = 0
        while true {
            let firstChild = 4 * place + 1
            guard firstChild < count else { break }
            var least = firstChild
            var child = firstChild + 1
            while child < count, child < firstChild + 4 {
                if nodes[child].bound < nodes[least].bound { least = child }
                child += 1
            }
            guard nodes[least].bound < node.bound else { break }
            nodes[place] = nodes[least]
            slots[Int(nodes[place].id)].place = UInt32(truncatingIfNeeded: place)
            place = least
        }
        nodes[place] = node
        slots[Int(node.id)].place = UInt32(truncatingIfNeeded: place)
        assert(isInOrder(at: place), "a node that has sunk is out of order")
    }

    /// Returns the first rule of the heap that is broken, in words; nil if none is.
    public func brokenInvariant() -> String? {
        for (place, node) in nodes.enumerated() {
            let slot = slots[Int(node.id)]
            if slot.place != UInt32(truncatingIfNeeded: place) { return "an id does not know its place" }
            if place > 0, node.bound < nodes[(place - 1) / 4].bound { return "a node is before its parent" }
            if slot.isSet, slot.deadline < node.bound { return "a bound is later than the deadline" }
        }
        if let first = nodes.first {
            let slot = slots[Int(first.id)]
            if !slot.isSet || slot.deadline != first.bound { return "the first bound is not exact" }
        }
        if slots.count(where: { $0.isSet }) != count { return "the count is wrong" }
        if slots.contains(where: { $0.isSet && $0.place == Slot.nowhere }) { return "a deadline has no node" }
        return nil
    }
}
