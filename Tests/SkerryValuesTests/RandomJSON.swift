import SkerryTesting
import SkerryValues

/// Random values and random ways of writing them.
struct RandomJSON {
    var random: SimulatedRandom

    init(seed: UInt64) {
        random = SimulatedRandom(seed: seed)
    }

    mutating func value(depth: Int = 0) -> Value {
        switch random.below(depth < 4 ? 10 : 7) {
        case 0: .null
        case 1: .bool(random.chance(1, of: 2))
        case 2: .int(Int64(truncatingIfNeeded: random.next() >> UInt64(random.below(64))))
        case 3: .int(Int64(random.below(200)) - 100)
        case 4: .double(double())
        case 5, 6: .string(text())
        case 7: .list((0..<random.below(5)).map { _ in value(depth: depth + 1) })
        default: .map(object(depth: depth + 1))
        }
    }

    mutating func object(depth: Int) -> ValueMap {
        var map = ValueMap()
        for _ in 0..<random.below(6) { map.set(key(), to: value(depth: depth)) }
        return map
    }

    mutating func key() -> String {
        random.chance(1, of: 8) ? text() : ["a", "b", "c", "power", "é", "a\"b", ""][random.below(7)]
    }

    /// A double that JSON can hold, not whole.
    mutating func double() -> Double {
        while true {
            let candidate =
                switch random.below(3) {
                case 0: Double(bitPattern: random.next())
                case 1: Double(random.below(100_000_000)) / 1000
                default: Double(random.below(2_000_000)) / 7 - 100_000
                }
            if candidate.isFinite, candidate.rounded() != candidate { return candidate }
        }
    }

    mutating func text() -> String {
        var text = ""
        for _ in 0..<random.below(24) {
            let scalar: UInt32 =
                switch random.below(8) {
                case 0: UInt32(random.below(0x20))
                case 1: UInt32(0x80 + random.below(0x780))
                case 2: UInt32(0x800 + random.below(0xD000))
                case 3: UInt32(0x10000 + random.below(0x100000))
                case 4: [0x22, 0x5C, 0x2F, 0x7F][random.below(4)]
                default: UInt32(0x61 + random.below(26))
                }
            text.unicodeScalars.append(Unicode.Scalar(scalar) ?? "?")
        }
        return text
    }

    /// A text for the value, with white space and escapes that a reader has to undo.
    mutating func written(_ value: Value) -> [UInt8] {
        var writer = JSONWriter()
        switch value {
        case .list(let elements):
            return enclosed("[", elements.map { written($0) }, "]")
        case .map(let map):
            return enclosed(
                "{",
                map.entries.map { written($0.key) + Array(":".utf8) + written($0.value) },
                "}"
            )
        case .string(let text) where random.chance(1, of: 4):
            return Array(("\"" + text.utf16.map { "\\u" + hexadecimal($0) }.joined() + "\"").utf8)
        default:
            writer.value(value)
            return space() + writer.bytes + space()
        }
    }

    private func hexadecimal(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    private mutating func enclosed(_ open: String, _ parts: [[UInt8]], _ close: String) -> [UInt8] {
        space() + Array(open.utf8) + space() + Array(parts.joined(separator: Array(",".utf8)))
            + Array(close.utf8)
    }

    private mutating func space() -> [UInt8] {
        random.chance(3, of: 4) ? [] : Array([" ", "\n", "\t \r\n"][random.below(3)].utf8)
    }

    /// The text with one to three bytes changed, added or taken away.
    mutating func damaged(_ text: [UInt8]) -> [UInt8] {
        var text = text
        let marks =
            Array("{}[]\",:\\ 0123456789.eE+-truefalsnu".utf8) + [
                0x01, 0x1F, 0x7F, 0x80, 0xC0, 0xE2, 0xED, 0xFF,
            ]
        for _ in 0..<1 + random.below(3) {
            let place = random.below(text.count + 1)
            let byte = marks[random.below(marks.count)]
            switch random.below(4) {
            case 0: text.insert(byte, at: place)
            case 1 where place < text.count: text.remove(at: place)
            case 2 where place < text.count: text.swapAt(place, random.below(text.count))
            case 3 where place < text.count: text[place] = byte
            default: text = Array(text.prefix(place))
            }
        }
        return text
    }
}

extension Value {
    /// Whether both are the same kind of value with the same content, maps in any order.
    func isSame(as other: Value) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.error(let left), .error(let right)): left == right
        case (.list(let left), .list(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
        case (.map(let left), .map(let right)):
            left.entries.count == right.entries.count
                && left.entries.allSatisfy { entry in
                    right.entries.contains {
                        $0.key.isSame(as: entry.key) && $0.value.isSame(as: entry.value)
                    }
                }
        default: false
        }
    }

    /// What a path leads to in this value, found without a plan.
    func found(at path: ArraySlice<PathStep>) -> Value {
        guard let step = path.first else { return self }
        switch (self, step) {
        case (.map(let map), .key(let name)):
            return map[name]?.found(at: path.dropFirst()) ?? .error(.noSuchKey)
        case (.list(let list), .index(let index)) where list.indices.contains(index):
            return list[index].found(at: path.dropFirst())
        case (_, .shape): return shape
        default:
            return .error(.noSuchKey)
        }
    }
}
