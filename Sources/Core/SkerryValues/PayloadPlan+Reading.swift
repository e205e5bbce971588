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
