/// Walks over a JSON text byte by byte and refuses what RFC 8259 does not allow.
///
/// Whatever asks for values (`PayloadPlan`, `JSONReader`) moves this one scanner, so that a text is accepted or
/// refused alike, whichever part of it is asked for. It borrows its bytes; nothing of it outlives the call.
struct JSONScanner {
    let bytes: UnsafePointer<UInt8>
    let end: Int
    var position = 0
    /// The number of arrays and objects that may still be opened.
    var depthLeft: Int

    /// Begins at the first byte that is not white space.
    init(_ buffer: UnsafeBufferPointer<UInt8>, limits: JSONLimits) throws(JSONRefusal) {
        guard let start = buffer.baseAddress, !buffer.isEmpty else {
            throw JSONRefusal(problem: .empty, offset: 0)
        }
        guard buffer.count <= limits.bytes else {
            throw JSONRefusal(problem: .tooLarge, offset: limits.bytes)
        }
        bytes = start
        end = buffer.count
        depthLeft = limits.depth
        skipSpace()
        guard position < end else { throw JSONRefusal(problem: .empty, offset: 0) }
        // Told by its name: to the reader of a log it is invisible.
        if start[0] == 0xEF, end >= 3, start[1] == 0xBB, start[2] == 0xBF { throw refusal(.byteOrderMark) }
    }

    @inline(__always)
    func refusal(_ problem: JSONProblem) -> JSONRefusal { JSONRefusal(problem: problem, offset: position) }

    /// The refusal of the byte at `position`, or of its absence.
    func unexpected() -> JSONRefusal { refusal(position < end ? .badSyntax : .unexpectedEnd) }

    /// The byte at `position`; 0, which stands nowhere in JSON, at the end.
    @inline(__always) var current: UInt8 { position < end ? bytes[position] : 0 }

    @inline(__always)
    mutating func skipSpace() {
        while position < end {
            let byte = bytes[position]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    mutating func finish() throws(JSONRefusal) {
        skipSpace()
        guard position == end else { throw refusal(.trailingBytes) }
    }

    @inline(__always)
    mutating func open() throws(JSONRefusal) {
        guard depthLeft > 0 else { throw refusal(.tooDeep) }
        depthLeft -= 1
        position += 1
        skipSpace()
    }

    @inline(__always)
    mutating func close() {
        depthLeft += 1
        position += 1
    }

    /// Moves from behind an element to the next one, or behind `closing` and returns false.
    @inline(__always)
    mutating func advance(closing: UInt8) throws(JSONRefusal) -> Bool {
        skipSpace()
        let byte = current
        if byte == UInt8(ascii: ",") {
            position += 1
            skipSpace()
            return true
        }
        guard byte == closing else { throw unexpected() }
        close()
        return false
    }

    /// Reads a member's key and its colon, and stops at its value.
    @inline(__always)
    mutating func key() throws(JSONRefusal) -> JSONText {
        guard current == UInt8(ascii: "\"") else { throw unexpected() }
        let key = try text()
        skipSpace()
        guard current == UInt8(ascii: ":") else { throw unexpected() }
        position += 1
        skipSpace()
        return key
    }

    /// Moves behind the value that begins at `position`.
    mutating func skipValue() throws(JSONRefusal) {
        switch current {
        case UInt8(ascii: "\""): _ = try text()
        case UInt8(ascii: "{"): try skipObject()
        case UInt8(ascii: "["): try skipArray()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number().checkRange(self)
        }
    }

    private mutating func skipObject() throws(JSONRefusal) {
        try open()
        if current == UInt8(ascii: "}") { return close() }
        repeat {
            _ = try key()
            try skipValue()
        } while try advance(closing: UInt8(ascii: "}"))
    }

    private mutating func skipArray() throws(JSONRefusal) {
        try open()
        if current == UInt8(ascii: "]") { return close() }
        repeat {
            try skipValue()
        } while try advance(closing: UInt8(ascii: "]"))
    }

    /// Moves behind one of the three literal names.
    mutating func word(_ name: StaticString) throws(JSONRefusal) {
        for index in 0..<name.utf8CodeUnitCount {
            guard current == name.utf8Start[index] else { throw unexpected() }
            position += 1
        }
    }
}
