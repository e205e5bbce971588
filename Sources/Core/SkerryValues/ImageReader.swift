/// Why an image can't be read: it was cut short, changed, or written by another version.
public enum ImageFault: Error, Hashable, Sendable {
    /// The bytes end before the image does.
    case truncated
    /// Something stands there that no writer writes.
    case malformed
    /// Its parts contradict each other: nothing was ever in such a state.
    case contradictory
    /// A version of the format that is not known here.
    case unknownVersion(UInt8)

    /// The reason in words.
    public var message: String {
        switch self {
        case .truncated: "it is cut short"
        case .malformed: "it is damaged"
        case .contradictory: "its parts contradict each other"
        case .unknownVersion(let version):
            "it has the format \(version), which this version of Skerry does not know"
        }
    }
}

/// Reads the bytes of an ``ImageWriter``; whatever they are, it answers with a fault and never traps.
public struct ImageReader: Sendable {
    private var bytes: ArraySlice<UInt8>
    private var position: Int

    /// Values within values that are read, so that damaged bytes can't exhaust the stack: those that devices may have,
    /// within the maps of a patch.
    private static let depthLimit = Value.depthLimit + 8

    /// The seconds up to the ends of the range of moments.
    private static let longestSeconds = UInt64(Int64.max / 1_000_000) + 1

    /// Makes a reader of bytes.
    public init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Makes a reader of an image that was closed by ``ImageWriter/seal()``.
    ///
    /// - Throws: ``ImageFault`` when the image is not as it was closed.
    public init(sealed image: ArraySlice<UInt8>) throws(ImageFault) {
        guard image.count >= 8 else { throw .truncated }
        self.init(image.suffix(8))
        let fingerprint = try fixed()
        self.init(image.dropLast(8))
        guard fingerprint == bytes.fingerprint else { throw .malformed }
    }

    /// The number of bytes left.
    public var rest: Int { bytes.endIndex - position }

    /// Reads a number of 0 or more that counts things of at least one byte each.
    public mutating func count() throws(ImageFault) -> Int {
        let number = try unsigned()
        // Or a few damaged bytes could ask for gigabytes.
        guard number <= UInt64(rest) else { throw .truncated }
        return Int(number)
    }

    /// Reads an unsigned number.
    public mutating func unsigned() throws(ImageFault) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try tag()
            // The tenth byte has room for one bit.
            guard shift < 63 || byte < 2 else { throw .malformed }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }

    /// Reads a number.
    public mutating func signed() throws(ImageFault) -> Int64 {
        let coded = try unsigned()
        return Int64(bitPattern: coded >> 1) ^ -Int64(bitPattern: coded & 1)
    }

    /// Reads a truth value.
    public mutating func flag() throws(ImageFault) -> Bool {
        switch try tag() {
        case 0: return false
        case 1: return true
        default: throw .malformed
        }
    }

    /// Reads a small number that identifies the following value.
    public mutating func tag() throws(ImageFault) -> UInt8 {
        guard position < bytes.endIndex else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a floating-point number.
    public mutating func double() throws(ImageFault) -> Double {
        Double(bitPattern: try fixed())
    }

    /// Reads bytes with their number.
    public mutating func data() throws(ImageFault) -> [UInt8] {
        let length = try count()
        defer { position += length }
        return Array(bytes[position..<position + length])
    }

    /// Reads text.
    public mutating func text() throws(ImageFault) -> String {
        let length = try count()
        let slice = bytes[position..<position + length]
        guard let text = String(validating: slice, as: UTF8.self) else { throw .malformed }
        position += length
        return text
    }

    /// Reads a moment.
    public mutating func moment() throws(ImageFault) -> Timestamp {
        Timestamp(microseconds: try signed())
    }

    /// Reads a length of time.
    public mutating func interval() throws(ImageFault) -> Interval {
        Interval(microseconds: try signed())
    }

    /// Reads something or that there is none.
    public mutating func optional<Content>(
        _ read: (inout ImageReader) throws(ImageFault) -> Content
    ) throws(ImageFault) -> Content? {
        try flag() ? try read(&self) : nil
    }

    /// Reads elements with their number.
    public mutating func list<Element>(
        _ read: (inout ImageReader) throws(ImageFault) -> Element
    ) throws(ImageFault) -> [Element] {
        let number = try count()
        var elements: [Element] = []
        elements.reserveCapacity(number)
        for _ in 0..<number { elements.append(try read(&self)) }
        return elements
    }

    /// Reads a value of an expression.
    public mutating func value() throws(ImageFault) -> Value {
        try value(depth: 0)
    }

    /// Reads a map.
    public mutating func map() throws(ImageFault) -> ValueMap {
        try map(depth: 0)
    }

    private mutating func value(depth: Int) throws(ImageFault) -> Value {
        guard depth < Self.depthLimit else { throw .malformed }
        switch try tag() {
        case 0: return .null
        case 1: return .bool(try flag())
        case 2: return .int(try signed())
        case 3: return .uint(try unsigned())
        case 4: return .double(try double())
        case 5: return .string(try text())
        case 6: return .bytes(try data())
        case 7: return .list(try values(depth: depth))
        case 8: return .map(try map(depth: depth))
        case 9: return .timestamp(try calendarTimestamp())
        case 10: return .duration(try calendarDuration())
        case 11: return .type(try text())
        case 12:
            let content = try values(depth: depth)
            guard content.count < 2 else { throw .malformed }
            return .optional(content)
        case 13:
            guard let error = EvaluationError(rawValue: try tag()) else { throw .malformed }
            return .error(error)
        default: throw .malformed
        }
    }

    private mutating func values(depth: Int) throws(ImageFault) -> [Value] {
        let number = try count()
        var values: [Value] = []
        values.reserveCapacity(number)
        for _ in 0..<number { values.append(try value(depth: depth + 1)) }
        return values
    }

    private mutating func map(depth: Int) throws(ImageFault) -> ValueMap {
        let number = try count()
        var entries: [ValueMap.Entry] = []
        entries.reserveCapacity(number)
        for _ in 0..<number {
            let key = try value(depth: depth + 1)
            entries.append(ValueMap.Entry(key: key, value: try value(depth: depth + 1)))
        }
        return ValueMap(uniqueEntries: entries)
    }

    private mutating func calendarTimestamp() throws(ImageFault) -> CalendarTimestamp {
        let seconds = try signed()
        let nanoseconds = try signed()
        guard (0..<1_000_000_000).contains(nanoseconds), seconds.magnitude <= Self.longestSeconds else {
            throw .malformed
        }
        return CalendarTimestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }

    private mutating func calendarDuration() throws(ImageFault) -> CalendarDuration {
        let seconds = try signed()
        let nanoseconds = try signed()
        guard (-999_999_999...999_999_999).contains(nanoseconds),
            seconds == 0 || nanoseconds == 0 || (seconds < 0) == (nanoseconds < 0),
            seconds.magnitude <= Self.longestSeconds
        else { throw .malformed }
        return CalendarDuration(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }

    private mutating func fixed() throws(ImageFault) -> UInt64 {
        var bits: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bits |= UInt64(try tag()) << shift }
        return bits
    }
}
