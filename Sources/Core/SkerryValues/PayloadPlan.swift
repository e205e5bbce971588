/// The paths that are wanted from a kind of payload, as a tree that the reader follows through the text.
///
/// Only what a path asks for becomes a value; the rest of the text is checked and passed over.
public struct PayloadPlan: Sendable {
    /// A place in payloads that a path leads to or through.
    struct Node: Sendable {
        /// The slot of the path that ends here, or -1.
        var slot = -1
        /// The slot of the path that asks for the type of what is here, or -1.
        var shape = -1
        /// The range in `members` of the members wanted from here.
        var members: Range<Int> = 0..<0
        /// The range in `elements` of the elements wanted from here.
        var elements: Range<Int> = 0..<0
        /// One bit for each wanted member's mark, so that most others are passed over at once.
        var filter: UInt64 = 0

        @inline(__always) var isLeaf: Bool { members.isEmpty && elements.isEmpty }
    }

    /// A member that is wanted: its key as bytes, and the node it leads to.
    struct Member: Sendable {
        var mark: UInt32
        /// The range of the key in `keyBytes`.
        var key: Range<Int>
        var name: String
        var node: Int
    }

    /// An element that is wanted.
    struct Element: Sendable {
        var index: Int
        var node: Int
    }

    private(set) var nodes: [Node] = []
    private(set) var members: [Member] = []
    private(set) var elements: [Element] = []
    private(set) var keyBytes: [UInt8] = []
    /// The number of slots: one for each path of the table.
    public let slotCount: Int

    /// Compiles the paths of a table; path i fills slot i.
    public init(_ table: PathTable) {
        slotCount = table.paths.count
        let wanted = table.paths.indices.map { Rest(slot: $0, steps: table.paths[$0][...]) }
        _ = addNode(wanted)
    }

    /// The rest of a path after a node, and the slot it fills.
    private struct Rest {
        var slot: Int
        var steps: ArraySlice<PathStep>
    }

    /// Adds the node at which these rests of paths begin, and everything below it.
    private mutating func addNode(_ wanted: [Rest]) -> Int {
        let node = nodes.count
        nodes.append(Node())
        var steps: [PathStep] = []
        for path in wanted {
            switch path.steps.first {
            case nil: nodes[node].slot = path.slot
            case .shape: nodes[node].shape = path.slot
            case let step?: if !steps.contains(step) { steps.append(step) }
            }
        }
        var newMembers: [Member] = []
        var newElements: [Element] = []
        for step in steps {
            let below = wanted.filter { $0.steps.first == step }
                .map { Rest(slot: $0.slot, steps: $0.steps.dropFirst()) }
            switch step {
            case .key(let name):
                let key = Array(name.utf8)
                let mark = key.withUnsafeBufferPointer { PayloadPlan.mark($0.baseAddress, count: $0.count) }
                nodes[node].filter |= PayloadPlan.filterBit(mark)
                newMembers.append(
                    Member(mark: mark, key: keyBytes.count..<keyBytes.count + key.count, name: name, node: 0)
                )
                keyBytes.append(contentsOf: key)
                // Below first: the members of a node must stand next to each other, and those of deeper nodes are added
                // meanwhile.
                newMembers[newMembers.count - 1].node = addNode(below)
            case .index(let index):
                newElements.append(Element(index: index, node: addNode(below)))
            case .shape: continue
            }
        }
        nodes[node].members = members.count..<members.count + newMembers.count
        nodes[node].elements = elements.count..<elements.count + newElements.count
        members.append(contentsOf: newMembers)
        elements.append(contentsOf: newElements)
        return node
    }

    /// The part of a key that is compared before its bytes: length, first byte and last byte.
    @inline(__always)
    static func mark(_ key: UnsafePointer<UInt8>?, count: Int) -> UInt32 {
        guard let key, count > 0 else { return 0 }
        return UInt32(truncatingIfNeeded: count) << 16 | UInt32(key[0]) << 8 | UInt32(key[count - 1])
    }

    @inline(__always)
    static func filterBit(_ mark: UInt32) -> UInt64 {
        1 << UInt64((mark &* 0x9E37_79B1) >> 26)
    }

    /// The node of the member with this key, or nil if no path needs it.
    @inline(__always)
    func child(of node: Int, key: UnsafePointer<UInt8>, count: Int) -> Int? {
        let mark = PayloadPlan.mark(key, count: count)
        guard nodes[node].filter & PayloadPlan.filterBit(mark) != 0 else { return nil }
        for index in nodes[node].members where members[index].mark == mark {
            if hasKey(index, key, count: count) { return members[index].node }
        }
        return nil
    }

    @inline(__always)
    private func hasKey(_ member: Int, _ key: UnsafePointer<UInt8>, count: Int) -> Bool {
        let wanted = members[member].key
        guard wanted.count == count else { return false }
        for offset in 0..<count where keyBytes[wanted.lowerBound + offset] != key[offset] { return false }
        return true
    }
}

extension PayloadPlan {
    /// Reads a payload and sets every slot to the value of its path, or to `noSuchKey` when it has none.
    ///
    /// The whole text is checked, also what no path asks for. `slots` is brought to `slotCount`. After a refusal
    /// every slot holds `noSuchKey`.
    ///
    /// - Throws: a `JSONRefusal` with the reason and the place; the same for every plan.
    public func read(
        _ bytes: Span<UInt8>,
        into slots: inout [Value],
        limits: JSONLimits = JSONLimits()
    ) throws(JSONRefusal) {
        clear(&slots)
        do throws(JSONRefusal) {
            try bytes.withUnsafeBufferPointer { (buffer) throws(JSONRefusal) in
                var scanner = try JSONScanner(buffer, limits: limits)
                try read(0, from: &scanner, into: &slots)
                try scanner.finish()
            }
        } catch {
            clear(&slots)
            throw error
        }
    }

    /// Sets every slot to the value of its path in a value, or to `noSuchKey` when it has none.
    public func read(_ value: Value, into slots: inout [Value]) {
        clear(&slots)
        fill(0, from: value, into: &slots)
    }

    private func clear(_ slots: inout [Value]) {
        // The buffer is shared by all sources of a process, and has the size of the last one.
        if slots.count != slotCount {
            slots = [Value](repeating: .error(.noSuchKey), count: slotCount)
        } else {
            for slot in slots.indices { slots[slot] = .error(.noSuchKey) }
        }
    }

    private func read(
        _ node: Int,
        from scanner: inout JSONScanner,
        into slots: inout [Value]
    ) throws(JSONRefusal) {
        let (slot, shape) = (nodes[node].slot, nodes[node].shape)
        if slot >= 0 {
            let value = try scanner.value()
            // Another path leads through what this one asks for as a whole: the text is read once, and the value taken apart.
            if !nodes[node].isLeaf { fill(below: node, from: value, into: &slots) }
            if shape >= 0 { slots[shape] = value.shape }
            slots[slot] = value
            return
        }
        if shape >= 0 {
            switch scanner.current {
            case UInt8(ascii: "{"): slots[shape] = .map(ValueMap())
            case UInt8(ascii: "["): slots[shape] = .list([])
            default:
                slots[shape] = try scanner.value()
                return
            }
        }
        if scanner.current == UInt8(ascii: "{"), !nodes[node].members.isEmpty {
            try readObject(node, from: &scanner, into: &slots)
        } else if scanner.current == UInt8(ascii: "["), !nodes[node].elements.isEmpty {
            try readArray(node, from: &scanner, into: &slots)
        } else {
            try scanner.skipValue()
        }
    }

    private func readObject(
        _ node: Int,
        from scanner: inout JSONScanner,
        into slots: inout [Value]
    ) throws(JSONRefusal) {
        try scanner.open()
        if scanner.current == UInt8(ascii: "}") { return scanner.close() }
        repeat {
            let key = try scanner.key()
            if let child = child(of: node, key: key, in: scanner) {
                // The last of several members with one key counts, also for what the others had below it.
                if !nodes[child].isLeaf { clear(below: child, in: &slots) }
                try read(child, from: &scanner, into: &slots)
            } else {
                try scanner.skipValue()
            }
        } while try scanner.advance(closing: UInt8(ascii: "}"))
    }

    @inline(__always)
    private func child(of node: Int, key: JSONText, in scanner: borrowing JSONScanner) -> Int? {
        guard key.isEscaped else { return child(of: node, key: scanner.bytes + key.start, count: key.count) }
        return scanner.unescaped(key).withUnsafeBufferPointer { plain in
            plain.baseAddress.flatMap { child(of: node, key: $0, count: plain.count) }
        }
    }

    private func readArray(
        _ node: Int,
        from scanner: inout JSONScanner,
        into slots: inout [Value]
    ) throws(JSONRefusal) {
        try scanner.open()
        if scanner.current == UInt8(ascii: "]") { return scanner.close() }
        var index = 0
        repeat {
            if let wanted = nodes[node].elements.first(where: { elements[$0].index == index }) {
                try read(elements[wanted].node, from: &scanner, into: &slots)
            } else {
                try scanner.skipValue()
            }
            index += 1
        } while try scanner.advance(closing: UInt8(ascii: "]"))
    }

    /// Sets the slots below a node from a value that another path asked for as a whole.
    private func fill(below node: Int, from value: Value, into slots: inout [Value]) {
        for member in nodes[node].members {
            guard case .map(let map) = value, let found = map[members[member].name] else { continue }
            fill(members[member].node, from: found, into: &slots)
        }
        for element in nodes[node].elements {
            guard case .list(let list) = value, list.indices.contains(elements[element].index) else {
                continue
            }
            fill(elements[element].node, from: list[elements[element].index], into: &slots)
        }
    }

    private func fill(_ node: Int, from value: Value, into slots: inout [Value]) {
        if nodes[node].slot >= 0 { slots[nodes[node].slot] = value }
        if nodes[node].shape >= 0 { slots[nodes[node].shape] = value.shape }
        fill(below: node, from: value, into: &slots)
    }

    private func clear(below node: Int, in slots: inout [Value]) {
        for member in nodes[node].members { clear(members[member].node, in: &slots) }
        for element in nodes[node].elements { clear(elements[element].node, in: &slots) }
    }

    private func clear(_ node: Int, in slots: inout [Value]) {
        if nodes[node].slot >= 0 { slots[nodes[node].slot] = .error(.noSuchKey) }
        if nodes[node].shape >= 0 { slots[nodes[node].shape] = .error(.noSuchKey) }
        clear(below: node, in: &slots)
    }
}

extension Value {
    /// An empty map for a map, an empty list for a list, and any other value itself; see ``PathStep/shape``.
    public var shape: Value {
        switch self {
        case .map: .map(ValueMap())
        case .list: .list([])
        default: self
        }
    }
}
