/// Writes the compact bytes in which devices are kept over a restart; read back by ``ImageReader``.
///
/// Numbers take as few bytes as they need (LEB128, signed ones zigzag-coded first), text is UTF-8 after its length.
/// The bytes do not describe themselves: reader and writer must agree on the order of the values.
public struct ImageWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// Makes a writer that has written nothing.
    public init(capacity: Int = 128) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes a number of 0 or more.
    public mutating func count(_ number: Int) {
        precondition(number >= 0, "counts are not negative")
        unsigned(UInt64(number))
    }

    /// Writes an unsigned number.
    public mutating func unsigned(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a number.
    public mutating func signed(_ number: Int64) {
        unsigned(UInt64(bitPattern: (number << 1) ^ (number >> 63)))
    }

    /// Writes a truth value.
    public mutating func flag(_ truth: Bool) {
        bytes.append(truth ? 1 : 0)
    }

    /// Writes a small number that identifies the following value.
    public mutating func tag(_ tag: UInt8) {
        bytes.append(tag)
    }

    /// Writes a floating-point number, to the last bit.
    public mutating func double(_ number: Double) {
        fixed(number.bitPattern)
    }

    /// Writes bytes with their number.
    public mutating func data(_ data: [UInt8]) {
        count(data.count)
        bytes += data
    }

    /// Writes text.
    public mutating func text(_ text: String) {
        count(text.utf8.count)
        bytes += text.utf8
    }

    /// Writes a moment.
    public mutating func moment(_ moment: Timestamp) {
        signed(moment.microseconds)
    }

    /// Writes a length of time.
    public mutating func interval(_ interval: Interval) {
        signed(interval.microseconds)
    }

    /// Writes something or that there is none.
    public mutating func optional<Content>(
        _ content: Content?,
        _ write: (inout ImageWriter, Content) -> Void
    ) {
        flag(content != nil)
        if let content { write(&self, content) }
    }

    /// Writes elements with their number.
    public mutating func list<Element>(
        _ elements: [Element],
        _ write: (inout ImageWriter, Element) -> Void
    ) {
        count(elements.count)
        for element in elements { write(&self, element) }
    }

    /// Writes a value of an expression, whatever it is.
    public mutating func value(_ value: Value) {
        tag(value.imageTag)
        switch value {
        case .null: break
        case .bool(let truth): flag(truth)
        case .int(let number): signed(number)
        case .uint(let number): unsigned(number)
        case .double(let number): double(number)
        case .string(let text), .type(let text): self.text(text)
        case .bytes(let data): self.data(data)
        case .list(let values), .optional(let values): list(values) { $0.value($1) }
        case .map(let map): self.map(map)
        case .timestamp(let moment):
            signed(moment.seconds)
            signed(Int64(moment.nanoseconds))
        case .duration(let length):
            signed(length.seconds)
            signed(Int64(length.nanoseconds))
        case .error(let error): tag(error.rawValue)
        }
    }

    /// Writes a map in its order.
    public mutating func map(_ map: ValueMap) {
        list(map.entries) { writer, entry in
            writer.value(entry.key)
            writer.value(entry.value)
        }
    }

    /// Closes the image with a checksum of all that was written.
    public mutating func seal() {
        fixed(bytes.fingerprint)
    }

    private mutating func fixed(_ bits: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
    }
}

extension Collection<UInt8> {
    /// The FNV-1a hash of the bytes, the same on every machine.
    public var fingerprint: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in self { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }
}

extension Value {
    /// The tag of each kind of value in an image.
    fileprivate var imageTag: UInt8 {
        switch self {
        case .null: 0
        case .bool: 1
        case .int: 2
        case .uint: 3
        case .double: 4
        case .string: 5
        case .bytes: 6
        case .list: 7
        case .map: 8
        case .timestamp: 9
        case .duration: 10
        case .type: 11
        case .optional: 12
        case .error: 13
        }
    }
}
