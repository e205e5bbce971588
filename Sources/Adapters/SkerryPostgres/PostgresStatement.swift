import CPostgreSQL
import SkerryGateway
import SkerryValues

/// A statement with its parameters.
struct PostgresStatement {
    let text: StaticString
    let values: [PostgresValue]

    init(_ text: StaticString, _ values: PostgresValue...) {
        self.text = text
        self.values = values
    }
}

/// A parameter in the binary format of the protocol; statements name its type.
struct PostgresValue {
    /// The bytes; nil for null.
    let bytes: [UInt8]?

    init(_ element: (some PostgresElement)?) {
        bytes = element.map { element in
            var bytes: [UInt8] = []
            element.write(to: &bytes)
            return bytes
        }
    }

    /// An array, whose rows `unnest` makes again.
    static func list<Element: PostgresElement>(_ elements: some Collection<Element?>) -> PostgresValue {
        var bytes: [UInt8] = []
        func add(_ number: Int) { bytes.append(bigEndian: Int32(truncatingIfNeeded: number)) }
        add(elements.isEmpty ? 0 : 1)
        add(elements.contains { $0 == nil } ? 1 : 0)
        add(Element.type)
        if !elements.isEmpty {
            add(elements.count)
            add(1)
        }
        for element in elements {
            let start = bytes.count
            add(-1)
            guard let element else { continue }
            element.write(to: &bytes)
            let length = Int32(bytes.count - start - 4)
            withUnsafeBytes(of: length.bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
        }
        return PostgresValue(raw: bytes)
    }

    private init(raw bytes: [UInt8]) { self.bytes = bytes }
}

/// A type of parameters, of the elements of arrays, and of columns.
protocol PostgresElement {
    /// The number that PostgreSQL has for the type.
    static var type: Int { get }
    /// Appends the binary format.
    func write(to bytes: inout [UInt8])
    /// Reads the binary format; nil if it is of another type.
    init?(binary bytes: UnsafeRawBufferPointer)
}

extension Int64: PostgresElement {
    static var type: Int { 20 }
    func write(to bytes: inout [UInt8]) { bytes.append(bigEndian: self) }
    init?(binary bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 8 else { return nil }
        self = Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    }
}

/// A number that is not negative keeps its bits.
extension UInt64: PostgresElement {
    static var type: Int { Int64.type }
    func write(to bytes: inout [UInt8]) { bytes.append(bigEndian: self) }
    init?(binary bytes: UnsafeRawBufferPointer) {
        guard let number = Int64(binary: bytes) else { return nil }
        self.init(bitPattern: number)
    }
}

/// A moment or a length, which is kept in microseconds.
protocol PostgresTime: PostgresElement {
    var microseconds: Int64 { get }
    init(microseconds: Int64)
}

extension Timestamp: PostgresTime {}
extension Interval: PostgresTime {}

extension PostgresTime {
    static var type: Int { Int64.type }
    func write(to bytes: inout [UInt8]) { microseconds.write(to: &bytes) }
    init?(binary bytes: UnsafeRawBufferPointer) {
        guard let number = Int64(binary: bytes) else { return nil }
        self.init(microseconds: number)
    }
}

extension Bool: PostgresElement {
    static var type: Int { 16 }
    func write(to bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
    init?(binary bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 1 else { return nil }
        self = bytes[0] != 0
    }
}

extension [UInt8]: PostgresElement {
    static var type: Int { 17 }
    func write(to bytes: inout [UInt8]) { bytes += self }
    init?(binary bytes: UnsafeRawBufferPointer) { self.init(bytes) }
}

/// Text is kept as bytes: what devices send may contain U+0000, which PostgreSQL's `text` can't hold.
extension String: PostgresElement {
    static var type: Int { 17 }
    func write(to bytes: inout [UInt8]) { bytes += utf8 }
    init?(binary bytes: UnsafeRawBufferPointer) { self.init(decoding: bytes, as: UTF8.self) }
}

extension [UInt8] {
    fileprivate mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}

/// The rows of one statement, copied out of libpq's result.
struct PostgresRows: Sendable {
    private let count: Int
    fileprivate let columns: Int
    /// All values, one after the other.
    private var bytes: [UInt8] = []
    /// Their places, row after row; nil for null.
    private var places: [Range<Int>?] = []

    init(_ result: OpaquePointer, _ library: skerry_pq) {
        count = Int(library.ntuples(result))
        columns = Int(library.nfields(result))
        for row in 0..<Int32(count) {
            for column in 0..<Int32(columns) {
                guard library.getisnull(result, row, column) == 0 else {
                    places.append(nil)
                    continue
                }
                let start = bytes.count
                bytes += UnsafeRawBufferPointer(
                    start: library.getvalue(result, row, column),
                    count: Int(library.getlength(result, row, column))
                )
                places.append(start..<bytes.count)
            }
        }
    }

    /// Returns what the closure makes of each row.
    func map<Row>(_ read: (PostgresRow) throws(StoreFault) -> Row) throws(StoreFault) -> [Row] {
        var rows: [Row] = []
        for row in 0..<count { rows.append(try read(PostgresRow(rows: self, first: row * columns))) }
        return rows
    }

    fileprivate func value<Value: PostgresElement>(at place: Int) throws(StoreFault) -> Value? {
        guard let range = places[place] else { return nil }
        let value = bytes.withUnsafeBytes { Value(binary: UnsafeRawBufferPointer(rebasing: $0[range])) }
        guard let value else { throw StoreFault("PostgreSQL: column \(place % columns) is of another type") }
        return value
    }
}

/// One row; columns count from 0.
struct PostgresRow {
    fileprivate let rows: PostgresRows
    fileprivate let first: Int

    /// The value of a column.
    ///
    /// - Throws: ``StoreFault`` if it is null or of another type.
    subscript<Value: PostgresElement>(_ column: Int) -> Value {
        get throws(StoreFault) {
            guard let value: Value = try self[optional: column] else {
                throw StoreFault("PostgreSQL: column \(column) is null")
            }
            return value
        }
    }

    /// The value of a column; nil if it is null.
    subscript<Value: PostgresElement>(optional column: Int) -> Value? {
        get throws(StoreFault) {
            assert(column < rows.columns, "a column of the next row is read")
            return try rows.value(at: first + column)
        }
    }
}
