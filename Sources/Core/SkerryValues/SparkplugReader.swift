/// Reads payloads of Sparkplug B (version 3 of Eclipse Sparkplug), which are written as protobuf.
///
/// A payload becomes a map of its metrics by name. Metrics with an alias alone, those of the past (`is_historical`), data sets, templates
/// and types of later versions are left out. It keeps nothing: the BIRTH of a device is not needed to read its DATA.
///
/// See docs/decisions/0049-sparkplug-without-births.md.
public enum SparkplugReader {
    /// The largest number of elements of a metric that is an array; longer ones are left out.
    public static let arrayLimit = 16_384

    /// Reads one payload.
    ///
    /// - Parameter bytes: The payload; without any byte it is one without metrics.
    /// - Returns: The map of the metrics; null for those that are null. Of several with one name the last one counts.
    /// - Throws: The place at which it is no well-formed protobuf, or a text is not UTF-8.
    public static func value(of bytes: ArraySlice<UInt8>) throws(SparkplugRefusal) -> Value {
        var members: [ValueMap.Entry] = []
        var payload = ProtobufScanner(bytes, start: bytes.startIndex)
        while let field = try payload.next() {
            guard field.number == 2, case .bytes(let metric) = field.value else { continue }
            if let member = try Self.metric(metric, start: bytes.startIndex) { members.append(member) }
        }
        return .map(ValueMap(members: members))
    }

    /// The metric in some of the bytes; nil for one that is left out.
    private static func metric(
        _ bytes: ArraySlice<UInt8>,
        start: Int
    ) throws(SparkplugRefusal) -> ValueMap.Entry? {
        var (name, type, value): (String?, DataType, Value?) = (nil, .unknown, nil)
        var (isNull, isPast) = (false, false)
        var content: (number: UInt64, value: ProtobufScanner.FieldValue)?
        var metric = ProtobufScanner(bytes, start: start)
        while let field = try metric.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let bytes)): name = try Self.text(bytes, start: start)
            case (4, .varint(let number)): type = DataType(rawValue: number) ?? .unknown
            case (5, .varint(let number)): isPast = number != 0
            case (7, .varint(let number)): isNull = number != 0
            case (10...19, let found): content = (field.number, found)
            default: continue
            }
        }
        guard let name, !isPast else { return nil }
        if isNull {
            value = .null
        } else if let content {
            value = try Self.value(content.number, content.value, as: type, start: start)
        }
        return value.map { ValueMap.Entry(key: .string(name), value: $0) }
    }

    /// The value of a metric by the field in which it stands; nil for one that has no meaning here.
    private static func value(
        _ field: UInt64,
        _ value: ProtobufScanner.FieldValue,
        as type: DataType,
        start: Int
    ) throws(SparkplugRefusal) -> Value? {
        switch (field, value) {
        case (10, .varint(let bits)), (11, .varint(let bits)): whole(bits, isLong: field == 11, type)
        case (12, .fixed32(let bits)): .double(Double(Float(bitPattern: bits)))
        case (13, .fixed64(let bits)): .double(Double(bitPattern: bits))
        case (14, .varint(let truth)): .bool(truth != 0)
        case (15, .bytes(let bytes)): .string(try text(bytes, start: start))
        case (16, .bytes(let bytes)): SparkplugArray.value(of: bytes, type)
        default: nil
        }
    }

    /// A whole number, of which signed ones are written in two's complement: by some in 32 bits, by others in those of the type.
    private static func whole(_ bits: UInt64, isLong: Bool, _ type: DataType) -> Value {
        switch type {
        case .int8: .int(Int64(Int8(truncatingIfNeeded: bits)))
        case .int16: .int(Int64(Int16(truncatingIfNeeded: bits)))
        case .int32: .int(Int64(Int32(truncatingIfNeeded: bits)))
        case .uint8, .uint16, .uint32, .uint64: Int64(exactly: bits).map { .int($0) } ?? .uint(bits)
        case .boolean: .bool(bits != 0)
        case .dateTime: SparkplugArray.moment(Int64(bitPattern: bits)) ?? .int(Int64(bitPattern: bits))
        // DATA has no types; numbers below zero are more frequent there than those that use the highest bit.
        default: .int(isLong ? Int64(bitPattern: bits) : Int64(Int32(truncatingIfNeeded: bits)))
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>, start: Int) throws(SparkplugRefusal) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SparkplugRefusal(offset: bytes.startIndex - start)
        }
        return text
    }

    /// The types of metrics that matter here, by their numbers in the specification.
    enum DataType: UInt64 {
        case unknown = 0
        case int8, int16, int32, int64, uint8, uint16, uint32, uint64
        case float, double, boolean, string, dateTime, text, uuid, dataSet, bytes, file, template
        case propertySet, propertySetList
        case int8s, int16s, int32s, int64s, uint8s, uint16s, uint32s, uint64s
        case floats, doubles, booleans, strings, dateTimes
    }
}

/// The place at which bytes are no payload of Sparkplug B.
public struct SparkplugRefusal: Error, Hashable, Sendable {
    /// The number of bytes before it.
    public var offset: Int
}

/// Walks over the fields of one message of protobuf; it makes nothing, and messages within it are rows of bytes.
private struct ProtobufScanner {
    enum FieldValue {
        case varint(UInt64)
        case fixed32(UInt32)
        case fixed64(UInt64)
        case bytes(ArraySlice<UInt8>)
    }

    private var rest: ArraySlice<UInt8>
    /// The index of the first byte of the payload.
    private let start: Int

    init(_ bytes: ArraySlice<UInt8>, start: Int) {
        rest = bytes
        self.start = start
    }

    /// The next field; nil at the end.
    mutating func next() throws(SparkplugRefusal) -> (number: UInt64, value: FieldValue)? {
        if rest.isEmpty { return nil }
        let refusal = SparkplugRefusal(offset: rest.startIndex - start)
        let head = try varint()
        guard head >> 3 > 0 else { throw refusal }
        // Groups (3 and 4) are older than Sparkplug.
        let value: FieldValue
        switch head & 7 {
        case 0: value = .varint(try varint())
        case 1: value = .fixed64(try fixed(bytes: 8))
        case 2: value = .bytes(try take(try varint()))
        case 5: value = .fixed32(UInt32(truncatingIfNeeded: try fixed(bytes: 4)))
        default: throw refusal
        }
        return (head >> 3, value)
    }

    /// A number of seven bits in each byte, the lowest ones first, in ten bytes at most.
    private mutating func varint() throws(SparkplugRefusal) -> UInt64 {
        let refusal = SparkplugRefusal(offset: rest.startIndex - start)
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst(), shift < 63 || byte <= 1 else { throw refusal }
            number |= UInt64(byte & 127) << shift
            if byte < 128 { return number }
        }
        throw refusal
    }

    private mutating func fixed(bytes count: UInt64) throws(SparkplugRefusal) -> UInt64 {
        try take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func take(_ count: UInt64) throws(SparkplugRefusal) -> ArraySlice<UInt8> {
        guard count <= UInt64(rest.count) else { throw SparkplugRefusal(offset: rest.startIndex - start) }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }
}

/// Reads the bytes of a metric, which are an array when its type says so.
private enum SparkplugArray {
    /// The value of bytes; nil for an array that is damaged or too long.
    static func value(of bytes: ArraySlice<UInt8>, _ type: SparkplugReader.DataType) -> Value? {
        switch type {
        case .int8s: numbers(bytes, 1) { .int(Int64(Int8(truncatingIfNeeded: $0))) }
        case .int16s: numbers(bytes, 2) { .int(Int64(Int16(truncatingIfNeeded: $0))) }
        case .int32s: numbers(bytes, 4) { .int(Int64(Int32(truncatingIfNeeded: $0))) }
        case .int64s: numbers(bytes, 8) { .int(Int64(bitPattern: $0)) }
        case .uint8s: numbers(bytes, 1) { .int(Int64($0)) }
        case .uint16s: numbers(bytes, 2) { .int(Int64($0)) }
        case .uint32s: numbers(bytes, 4) { .int(Int64($0)) }
        case .uint64s: numbers(bytes, 8) { bits in Int64(exactly: bits).map { .int($0) } ?? .uint(bits) }
        case .floats: numbers(bytes, 4) { .double(Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0)))) }
        case .doubles: numbers(bytes, 8) { .double(Double(bitPattern: $0)) }
        case .dateTimes:
            numbers(bytes, 8) { moment(Int64(bitPattern: $0)) ?? .int(Int64(bitPattern: $0)) }
        case .booleans: truths(bytes)
        case .strings: texts(bytes)
        default: .bytes(Array(bytes))
        }
    }

    /// The moment of some Unix milliseconds; nil outside of the years 1 to 9999.
    static func moment(_ milliseconds: Int64) -> Value? {
        guard (-62_135_596_800_000..<253_402_300_800_000).contains(milliseconds) else { return nil }
        return .timestamp(CalendarTimestamp(Timestamp(microseconds: milliseconds * 1000)))
    }

    /// Numbers of one size, the lowest byte first.
    private static func numbers(
        _ bytes: ArraySlice<UInt8>,
        _ size: Int,
        _ value: (UInt64) -> Value
    ) -> Value? {
        guard bytes.count.isMultiple(of: size), bytes.count / size <= SparkplugReader.arrayLimit else {
            return nil
        }
        return .list(
            stride(from: bytes.startIndex, to: bytes.endIndex, by: size).map { index in
                value(bytes[index..<index + size].reversed().reduce(0) { $0 << 8 | UInt64($1) })
            }
        )
    }

    /// Truth values: how many there are in four bytes, then eight in each byte, the highest bit first.
    private static func truths(_ bytes: ArraySlice<UInt8>) -> Value? {
        let count = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let bits = bytes.dropFirst(4)
        guard bytes.count >= 4, count <= SparkplugReader.arrayLimit, bits.count == (count + 7) / 8 else {
            return nil
        }
        return .list((0..<count).map { .bool(bits[bits.startIndex + $0 / 8] & 128 >> UInt8($0 % 8) != 0) })
    }

    /// Texts, each with a zero behind it.
    private static func texts(_ bytes: ArraySlice<UInt8>) -> Value? {
        guard let last = bytes.last else { return .list([]) }
        let pieces = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
        guard last == 0, pieces.count <= SparkplugReader.arrayLimit else { return nil }
        var texts: [Value] = []
        for piece in pieces {
            guard let text = String(validating: piece, as: UTF8.self) else { return nil }
            texts.append(.string(text))
        }
        return .list(texts)
    }
}
