/// Reads a whole JSON text (RFC 8259) into a value.
///
/// Strict: UTF-8 without byte order mark, exact grammar, nothing behind the value. Half a surrogate pair and numbers
/// beyond the range of a double are refused, although the RFC leaves them open, because no value can hold them.
/// Of members with the same key the last one counts, at the place of the first.
public enum JSONReader {
    /// The value of a text.
    ///
    /// - Throws: a `JSONRefusal` with the reason and the place.
    public static func value(
        of bytes: Span<UInt8>,
        limits: JSONLimits = JSONLimits()
    ) throws(JSONRefusal) -> Value {
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONRefusal) -> Value in
            var scanner = try JSONScanner(buffer, limits: limits)
            let value = try scanner.value()
            try scanner.finish()
            return value
        }
    }
}

extension JSONScanner {
    /// Reads the value that begins at `position` and moves behind it.
    mutating func value() throws(JSONRefusal) -> Value {
        switch current {
        case UInt8(ascii: "\""):
            return .string(string(try text()))
        case UInt8(ascii: "{"):
            return .map(try object())
        case UInt8(ascii: "["):
            return .list(try array())
        case UInt8(ascii: "t"):
            try word("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try word("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try word("null")
            return .null
        default:
            return try number().value(self)
        }
    }

    private mutating func array() throws(JSONRefusal) -> [Value] {
        try open()
        var elements: [Value] = []
        if current == UInt8(ascii: "]") {
            close()
            return elements
        }
        repeat {
            elements.append(try value())
        } while try advance(closing: UInt8(ascii: "]"))
        return elements
    }

    private mutating func object() throws(JSONRefusal) -> ValueMap {
        try open()
        var entries: [ValueMap.Entry] = []
        if current == UInt8(ascii: "}") {
            close()
            return ValueMap()
        }
        repeat {
            let name = string(try key())
            entries.append(ValueMap.Entry(key: .string(name), value: try value()))
        } while try advance(closing: UInt8(ascii: "}"))
        return ValueMap(members: entries)
    }
}

extension ValueMap {
    /// Makes a map of members with text keys, in the order of a text, in which a key may come again.
    ///
    /// Of members with the same key the last one counts, at the place of the first.
    public init(members: [Entry]) {
        // A few keys are compared with each other; many are sorted first, so that no text takes quadratic time.
        self.init(
            uniqueEntries: members.count <= 16 ? ValueMap.merged(members) : ValueMap.sortMerged(members)
        )
    }

    private static func merged(_ members: [Entry]) -> [Entry] {
        let repeats = members.indices.contains { index in
            members[..<index].contains { $0.hasKey(of: members[index]) }
        }
        guard repeats else { return members }
        var unique: [Entry] = []
        for member in members {
            if let known = unique.firstIndex(where: { $0.hasKey(of: member) }) {
                unique[known].value = member.value
            } else {
                unique.append(member)
            }
        }
        return unique
    }

    private static func sortMerged(_ members: [Entry]) -> [Entry] {
        let order = members.indices.sorted { left, right in
            let (leftKey, rightKey) = (members[left].name.utf8, members[right].name.utf8)
            // Of equal keys the order in the text decides, so that the last one is the last here.
            if leftKey.elementsEqual(rightKey) { return left < right }
            return leftKey.lexicographicallyPrecedes(rightKey)
        }
        var unique = members
        var isRepeated = [Bool](repeating: false, count: members.count)
        var first = order.first ?? 0
        for index in order.dropFirst() {
            if members[first].hasKey(of: members[index]) {
                unique[first].value = members[index].value
                isRepeated[index] = true
            } else {
                first = index
            }
        }
        return zip(unique, isRepeated).filter { !$0.1 }.map { $0.0 }
    }
}

extension ValueMap.Entry {
    /// The key of an entry that was read from JSON.
    fileprivate var name: String {
        guard case .string(let name) = key else { return "" }
        return name
    }

    fileprivate func hasKey(of other: ValueMap.Entry) -> Bool { name.hasSameCodePoints(as: other.name) }
}
