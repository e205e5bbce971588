/// Reads values written as CBOR (RFC 8949).
///
/// Keys of maps are texts, or whole numbers, which become texts; of several members with one key the last one counts. A
/// moment of tag 1 becomes a timestamp, a large number of tags 2 and 3 a number; all other tags are passed over.
public enum CBORReader {
    /// Reads the one value that the bytes are.
    ///
    /// - Returns: The value; nil for bytes that are not one well-formed value, or nested deeper than the limit.
    public static func value(of bytes: ArraySlice<UInt8>, depth: Int = JSONLimits().depth) -> Value? {
        var scanner = CBORScanner(rest: bytes, depthLeft: depth)
        guard let value = scanner.value(), scanner.rest.isEmpty else { return nil }
        return value
    }
}

/// Walks over CBOR; everything that it makes is bounded by the number of bytes.
private struct CBORScanner {
    /// The first byte of an item: its major type and the argument, or the place of it.
    struct Head {
        var major: UInt8
        /// The length of the argument's code, 0 to 31.
        var code: UInt8
        /// The argument; 0 for an item of indefinite length.
        var argument: UInt64

        var isIndefinite: Bool { code == 31 }
    }

    static let stop = UInt8(0xFF)

    var rest: ArraySlice<UInt8>
    var depthLeft: Int

    mutating func value() -> Value? {
        guard let head = head() else { return nil }
        switch head.major {
        case 0: return head.isIndefinite ? nil : .whole(head.argument)
        case 1: return head.isIndefinite ? nil : .negative(head.argument)
        case 2: return string(head).map { .bytes($0) }
        case 3: return text(head).map { .string($0) }
        case 4: return nested { $0.list(head) }
        case 5: return nested { $0.map(head) }
        case 6: return head.isIndefinite ? nil : nested { $0.tagged(head.argument) }
        default: return simple(head)
        }
    }

    /// The first byte of the next item with its argument; nil when bytes are missing or the code is reserved.
    private mutating func head() -> Head? {
        guard let first = rest.popFirst() else { return nil }
        let (major, code) = (first >> 5, first & 31)
        switch code {
        case 0..<24: return Head(major: major, code: code, argument: UInt64(code))
        case 24...27:
            guard let argument = number(bytes: 1 << Int(code - 24)) else { return nil }
            return Head(major: major, code: code, argument: argument)
        case 31: return Head(major: major, code: code, argument: 0)
        default: return nil
        }
    }

    private mutating func number(bytes count: Int) -> UInt64? {
        guard rest.count >= count else { return nil }
        var number: UInt64 = 0
        for _ in 0..<count { number = number << 8 | UInt64(rest.removeFirst()) }
        return number
    }

    private mutating func nested(_ read: (inout CBORScanner) -> Value?) -> Value? {
        guard depthLeft > 0 else { return nil }
        depthLeft -= 1
        defer { depthLeft += 1 }
        return read(&self)
    }

    /// The bytes of a string of either kind, also of one in pieces.
    private mutating func string(_ head: Head) -> [UInt8]? {
        guard head.isIndefinite else { return take(head.argument).map { Array($0) } }
        var bytes: [UInt8] = []
        while !ends() {
            guard let piece = self.head(), piece.major == head.major, !piece.isIndefinite,
                let part = take(piece.argument)
            else { return nil }
            bytes += part
        }
        return isStopped ? bytes : nil
    }

    private mutating func text(_ head: Head) -> String? {
        string(head).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private mutating func take(_ count: UInt64) -> ArraySlice<UInt8>? {
        guard count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    /// True when an item of indefinite length has ended, or the bytes have; the end itself is taken.
    private mutating func ends() -> Bool {
        guard let next = rest.first else {
            isStopped = false
            return true
        }
        isStopped = next == Self.stop
        if isStopped { rest.removeFirst() }
        return isStopped
    }

    /// True if the last item of indefinite length had an end.
    private var isStopped = false

    private mutating func list(_ head: Head) -> Value? {
        var values: [Value] = []
        guard head.isIndefinite else {
            // Each element takes a byte at least.
            guard head.argument <= UInt64(rest.count) else { return nil }
            for _ in 0..<head.argument {
                guard let value = value() else { return nil }
                values.append(value)
            }
            return .list(values)
        }
        while !ends() {
            guard let value = value() else { return nil }
            values.append(value)
        }
        return isStopped ? .list(values) : nil
    }

    private mutating func map(_ head: Head) -> Value? {
        var members: [ValueMap.Entry] = []
        guard head.isIndefinite else {
            guard head.argument <= UInt64(rest.count) else { return nil }
            for _ in 0..<head.argument {
                guard let member = member() else { return nil }
                members.append(member)
            }
            return .map(ValueMap(members: members))
        }
        while !ends() {
            guard let member = member() else { return nil }
            members.append(member)
        }
        return isStopped ? .map(ValueMap(members: members)) : nil
    }

    private mutating func member() -> ValueMap.Entry? {
        guard let key = value(), let value = value() else { return nil }
        switch key {
        case .string: return ValueMap.Entry(key: key, value: value)
        case .int(let number): return ValueMap.Entry(key: .string(number.description), value: value)
        case .uint(let number): return ValueMap.Entry(key: .string(number.description), value: value)
        default: return nil
        }
    }

    /// The value behind a tag.
    private mutating func tagged(_ tag: UInt64) -> Value? {
        guard let value = value() else { return nil }
        switch (tag, value) {
        case (1, .int(let seconds)): return .moment(Double(seconds), seconds) ?? value
        case (1, .double(let seconds)): return .moment(seconds, nil) ?? value
        case (2, .bytes(let bytes)), (3, .bytes(let bytes)):
            let digits = bytes.drop { $0 == 0 }
            if digits.count <= 8 {
                let number = digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                return tag == 2 ? .whole(number) : .negative(number)
            }
            let number = digits.reduce(0.0) { $0 * 256 + Double($1) }
            return .double(tag == 2 ? number : -1 - number)
        default: return value
        }
    }

    /// A truth value, null, or a number with a fraction; other simple values have no meaning here.
    private func simple(_ head: Head) -> Value? {
        switch head.code {
        case 20: .bool(false)
        case 21: .bool(true)
        case 22, 23: .null
        case 25: .double(.half(UInt16(truncatingIfNeeded: head.argument)))
        case 26: .double(Double(Float(bitPattern: UInt32(truncatingIfNeeded: head.argument))))
        case 27: .double(Double(bitPattern: head.argument))
        default: nil
        }
    }

    init(rest: ArraySlice<UInt8>, depthLeft: Int) {
        self.rest = rest
        self.depthLeft = depthLeft
    }
}

extension Value {
    fileprivate static func whole(_ number: UInt64) -> Value {
        Int64(exactly: number).map { .int($0) } ?? .uint(number)
    }

    /// The number -1 - n.
    fileprivate static func negative(_ number: UInt64) -> Value {
        Int64(exactly: number).map { .int(-1 - $0) } ?? .double(-1 - Double(number))
    }

    /// A moment of Unix seconds; nil outside of the years 1 to 9999.
    fileprivate static func moment(_ seconds: Double, _ whole: Int64?) -> Value? {
        guard seconds > -62_135_596_801, seconds < 253_402_300_800 else { return nil }
        if let whole { return .timestamp(CalendarTimestamp(seconds: whole, nanoseconds: 0)) }
        return Interval(seconds: seconds).map {
            .timestamp(CalendarTimestamp(Timestamp(microseconds: $0.microseconds)))
        }
    }
}

extension Double {
    /// A number of half precision, by its bits.
    fileprivate static func half(_ bits: UInt16) -> Double {
        let (exponent, fraction) = (Int(bits >> 10 & 31), Double(bits & 1023))
        let size: Double =
            switch exponent {
            case 0: fraction / 16_777_216
            case 31: fraction == 0 ? .infinity : .nan
            default: (1 + fraction / 1024) * Double(sign: .plus, exponent: exponent - 15, significand: 1)
            }
        return bits >> 15 == 1 ? -size : size
    }
}
