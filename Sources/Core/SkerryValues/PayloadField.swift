/// A field of a payload of bytes: its name and its type.
///
/// A type is written as `u16be`: a kind (`u` without sign, `i` with sign, `f` a floating-point number), a number of bits
/// and the order of the bytes (`be` the greatest first, `le` the smallest first). A single byte is `u8` or `i8`, so many
/// bytes as a text are `text8`, and as a list of numbers `bytes8`.
public struct PayloadField: Hashable, Sendable {
    /// The type of a field.
    public enum Kind: Hashable, Sendable {
        /// A whole number of 1, 2, 3, 4 or 8 bytes.
        case whole(bytes: Int, isSigned: Bool, isLittle: Bool)
        /// A floating-point number of 4 or 8 bytes.
        case floating(bytes: Int, isLittle: Bool)
        /// A text of so many bytes; zeros at its end are left out.
        case text(bytes: Int)
        /// A list of numbers.
        case bytes(Int)

        /// Reads a type as it is written; nil for anything else.
        public init?(_ text: String) {
            let word = Array(text.utf8)
            let letters = word.prefix { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
            let digits = word.dropFirst(letters.count).prefix {
                $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
            }
            guard (1...3).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
            let count = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            let order = String(decoding: word.dropFirst(letters.count + digits.count), as: UTF8.self)
            let isLittle = order == "le"
            let hasOrder = isLittle || order == "be"
            switch String(decoding: letters, as: UTF8.self) {
            case let kind where kind == "u" || kind == "i":
                guard [8, 16, 24, 32, 64].contains(count), count == 8 ? order.isEmpty : hasOrder else {
                    return nil
                }
                self = .whole(bytes: count / 8, isSigned: kind == "i", isLittle: isLittle)
            case "f":
                guard count == 32 || count == 64, hasOrder else { return nil }
                self = .floating(bytes: count / 8, isLittle: isLittle)
            case "text" where order.isEmpty && count <= 255: self = .text(bytes: count)
            case "bytes" where order.isEmpty && count <= 255: self = .bytes(count)
            default: return nil
            }
        }

        /// The type as it is written.
        public var text: String {
            switch self {
            case .whole(let bytes, let isSigned, let isLittle):
                (isSigned ? "i" : "u") + "\(8 * bytes)" + (bytes == 1 ? "" : isLittle ? "le" : "be")
            case .floating(let bytes, let isLittle): "f\(8 * bytes)" + (isLittle ? "le" : "be")
            case .text(let bytes): "text\(bytes)"
            case .bytes(let bytes): "bytes\(bytes)"
            }
        }

        /// The number of bytes that it takes.
        var size: Int {
            switch self {
            case .whole(let bytes, _, _), .floating(let bytes, _), .text(let bytes), .bytes(let bytes): bytes
            }
        }
    }

    /// The name; a field called `_` is passed over.
    public var name: String
    /// The type.
    public var kind: Kind

    /// Makes a field.
    public init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// The values of fields that follow one another; those beyond the end of the bytes have none.
    public static func values(of fields: [PayloadField], in bytes: ArraySlice<UInt8>) -> ValueMap {
        var entries: [ValueMap.Entry] = []
        var rest = bytes
        for field in fields {
            guard rest.count >= field.kind.size else { break }
            let part = rest.prefix(field.kind.size)
            rest = rest.dropFirst(field.kind.size)
            if field.name.hasSameCodePoints(as: "_") { continue }
            if let value = field.value(of: part) {
                entries.append(ValueMap.Entry(key: .string(field.name), value: value))
            }
        }
        return ValueMap(uniqueEntries: entries)
    }

    private func value(of part: ArraySlice<UInt8>) -> Value? {
        switch kind {
        case .whole(let size, let isSigned, let isLittle):
            let bits = Self.bits(of: part, isLittle: isLittle)
            if isSigned {
                let shift = Int64(64 - 8 * size)
                return .int((Int64(bitPattern: bits) << shift) >> shift)
            }
            return Int64(exactly: bits).map { .int($0) } ?? .uint(bits)
        case .floating(let size, let isLittle):
            let bits = Self.bits(of: part, isLittle: isLittle)
            let single = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
            return .double(size == 4 ? Double(single) : Double(bitPattern: bits))
        case .text:
            var text = part
            while text.last == 0 { text.removeLast() }
            return String(validating: text, as: UTF8.self).map { .string($0) }
        case .bytes: return .list(part.map { .int(Int64($0)) })
        }
    }

    private static func bits(of part: ArraySlice<UInt8>, isLittle: Bool) -> UInt64 {
        var bits: UInt64 = 0
        if isLittle {
            for byte in part.reversed() { bits = bits << 8 | UInt64(byte) }
        } else {
            for byte in part { bits = bits << 8 | UInt64(byte) }
        }
        return bits
    }
}
