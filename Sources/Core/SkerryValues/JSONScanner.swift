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

/// The range of a string in the text, without its quotes.
struct JSONText {
    let start: Int
    let end: Int
    let isEscaped: Bool

    @inline(__always) var count: Int { end - start }
}

extension JSONScanner {
    /// Reads the string that begins at `position` and moves behind it.
    mutating func text() throws(JSONRefusal) -> JSONText {
        position += 1
        let start = position
        var isEscaped = false
        while true {
            skipPlainText()
            guard position < end else { throw refusal(.unexpectedEnd) }
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                return JSONText(start: start, end: position - 1, isEscaped: isEscaped)
            }
            if byte >= 0x80 {
                try skipSequence(leadBy: byte)
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                try skipEscape()
            } else if byte < 0x20 {
                throw refusal(.controlCharacter)
            } else {
                position += 1
            }
        }
    }

    /// Moves over eight bytes at a time until one of them is a quote, a backslash, a control or not ASCII.
    ///
    /// The lowest marked byte is always a true one; a borrow of the subtractions can only mark higher ones.
    @inline(__always)
    private mutating func skipPlainText() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        while position + 8 <= end {
            let raw = UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self)
            let eight = UInt64(littleEndian: raw)
            let quotes = eight ^ (ones &* 0x22)
            let backslashes = eight ^ (ones &* 0x5C)
            let special =
                ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
                | ((eight &- ones &* 0x20) & ~eight) | eight
            let marks = special & (ones &* 0x80)
            guard marks == 0 else {
                position += marks.trailingZeroBitCount >> 3
                return
            }
            position += 8
        }
    }

    /// Moves behind one character of two to four bytes, well formed as table 3-7 of the Unicode Standard has it.
    private mutating func skipSequence(leadBy lead: UInt8) throws(JSONRefusal) {
        let second: ClosedRange<UInt8>
        let length: Int
        switch lead {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw refusal(.badUTF8)
        }
        guard position + length <= end, second.contains(bytes[position + 1]) else { throw refusal(.badUTF8) }
        for offset in 2..<max(length, 2) {
            guard bytes[position + offset] & 0xC0 == 0x80 else { throw refusal(.badUTF8) }
        }
        position += length
    }

    private mutating func skipEscape() throws(JSONRefusal) {
        guard position + 1 < end else { throw JSONRefusal(problem: .unexpectedEnd, offset: end) }
        switch bytes[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 2
        case UInt8(ascii: "u"):
            let unit = try codeUnit(at: position)
            if unit & 0xF800 == 0xD800 {
                // The high half must come first, and the low half right behind it.
                guard unit < 0xDC00, position + 7 < end, bytes[position + 6] == UInt8(ascii: "\\"),
                    bytes[position + 7] == UInt8(ascii: "u"),
                    try codeUnit(at: position + 6) & 0xFC00 == 0xDC00
                else { throw refusal(.loneSurrogate) }
                position += 6
            }
            position += 6
        default: throw refusal(.badEscape)
        }
    }

    /// The code unit of the escape `\uXXXX` that begins at `start`.
    private func codeUnit(at start: Int) throws(JSONRefusal) -> UInt32 {
        guard start + 6 <= end else { throw JSONRefusal(problem: .unexpectedEnd, offset: end) }
        var unit: UInt32 = 0
        for offset in 2..<6 {
            guard let digit = JSONScanner.hexDigit(bytes[start + offset]) else {
                throw JSONRefusal(problem: .badEscape, offset: start)
            }
            unit = unit << 4 | digit
        }
        return unit
    }

    @inline(__always)
    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte &- UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte &- UInt8(ascii: "a") &+ 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte &- UInt8(ascii: "A") &+ 10)
        default: nil
        }
    }
}

extension JSONScanner {
    /// The string that `text` spans; `text` comes from this scanner and so is well formed.
    @inline(__always)
    func string(_ text: JSONText) -> String {
        if text.isEscaped { return String(decoding: unescaped(text), as: UTF8.self) }
        return String(
            decoding: UnsafeBufferPointer(start: bytes + text.start, count: text.count),
            as: UTF8.self
        )
    }

    /// The bytes of a string in UTF-8 after its escapes were replaced.
    func unescaped(_ text: JSONText) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = text.start
        while index < text.end {
            guard bytes[index] == UInt8(ascii: "\\") else {
                result.append(bytes[index])
                index += 1
                continue
            }
            let escape = bytes[index + 1]
            guard escape == UInt8(ascii: "u") else {
                result.append(JSONScanner.meaning(ofEscape: escape))
                index += 2
                continue
            }
            var scalar = hexadecimal(at: index + 2)
            index += 6
            if scalar & 0xF800 == 0xD800 {
                scalar = 0x10000 + (scalar & 0x3FF) << 10 + hexadecimal(at: index + 2) & 0x3FF
                index += 6
            }
            JSONScanner.append(scalar, to: &result)
        }
        return result
    }

    private func hexadecimal(at start: Int) -> UInt32 {
        (start..<start + 4).reduce(0) { $0 << 4 | (JSONScanner.hexDigit(bytes[$1]) ?? 0) }
    }

    private static func meaning(ofEscape byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }

    private static func append(_ scalar: UInt32, to result: inout [UInt8]) {
        let tail = { (shift: UInt32) in UInt8(truncatingIfNeeded: scalar >> shift & 0x3F | 0x80) }
        switch scalar {
        case ..<0x80:
            result.append(UInt8(scalar))
        case ..<0x800:
            result.append(UInt8(scalar >> 6 | 0xC0))
            result.append(tail(0))
        case ..<0x10000:
            result.append(UInt8(scalar >> 12 | 0xE0))
            result.append(tail(6))
            result.append(tail(0))
        default:
            result.append(UInt8(truncatingIfNeeded: scalar >> 18 | 0xF0))
            result.append(tail(12))
            result.append(tail(6))
            result.append(tail(0))
        }
    }
}

/// A number as it is written, taken apart into sign, digits and power of ten.
struct JSONNumber {
    let start: Int
    var isNegative = false
    /// All digits as one whole number; meaningless when there are more than 19.
    var digits: UInt64 = 0
    /// The number of digits, leading zeros included.
    var digitCount = 0
    /// The number of digits after the point.
    var fractionCount = 0
    /// The exponent as written, held within ±1,000,000.
    var exponent = 0
    /// True if there is neither point nor exponent.
    var isWhole = true
}

extension JSONScanner {
    /// Reads the number that begins at `position` and moves behind it.
    mutating func number() throws(JSONRefusal) -> JSONNumber {
        var number = JSONNumber(start: position)
        if current == UInt8(ascii: "-") {
            number.isNegative = true
            position += 1
        }
        let first = current
        guard JSONScanner.isDigit(first) else { throw misplacedDigit(in: number) }
        takeDigits(into: &number)
        if first == UInt8(ascii: "0"), number.digitCount > 1 {
            throw JSONRefusal(problem: .badNumber, offset: number.start)
        }
        if current == UInt8(ascii: ".") {
            number.isWhole = false
            position += 1
            let wholeCount = number.digitCount
            takeDigits(into: &number)
            number.fractionCount = number.digitCount - wholeCount
            guard number.fractionCount > 0 else { throw misplacedDigit(in: number) }
        }
        if current | 0x20 == UInt8(ascii: "e") {
            number.isWhole = false
            position += 1
            try takeExponent(into: &number)
        }
        return number
    }

    /// The refusal of whatever stands where a digit must.
    private func misplacedDigit(in number: JSONNumber) -> JSONRefusal {
        guard position < end else { return refusal(.unexpectedEnd) }
        let looksLikeNumber =
            position > number.start || current == UInt8(ascii: "+") || current == UInt8(ascii: ".")
        return looksLikeNumber ? JSONRefusal(problem: .badNumber, offset: number.start) : refusal(.badSyntax)
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    @inline(__always)
    private mutating func takeDigits(into number: inout JSONNumber) {
        let start = position
        var digits = number.digits
        while position < end {
            let digit = bytes[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            digits = digits &* 10 &+ UInt64(digit)
            position += 1
        }
        number.digits = digits
        number.digitCount += position - start
    }

    private mutating func takeExponent(into number: inout JSONNumber) throws(JSONRefusal) {
        let isNegative = current == UInt8(ascii: "-")
        if isNegative || current == UInt8(ascii: "+") { position += 1 }
        guard JSONScanner.isDigit(current) else { throw misplacedDigit(in: number) }
        var exponent = 0
        while JSONScanner.isDigit(current) {
            // Held, so that no number of digits overflows; it is beyond every double either way.
            exponent = min(exponent * 10 + Int(current &- UInt8(ascii: "0")), 1_000_000)
            position += 1
        }
        number.exponent = isNegative ? -exponent : exponent
    }
}

extension JSONNumber {
    /// Refuses a number whose value no double can hold.
    @inline(__always)
    func checkRange(_ scanner: borrowing JSONScanner) throws(JSONRefusal) {
        // Less than 10^308 whatever the digits are.
        if digitCount - fractionCount + exponent <= 308 { return }
        _ = try exactDouble(scanner)
    }

    /// The number as an integer when it is written as one and fits, else as the nearest double.
    ///
    /// `-0` is the integer 0.
    @inline(__always)
    func value(_ scanner: borrowing JSONScanner) throws(JSONRefusal) -> Value {
        // Nineteen digits always fit 64 bits, twenty may not.
        guard digitCount <= 19 else { return .double(try exactDouble(scanner)) }
        if isWhole {
            if digits <= UInt64(Int64.max) { return .int(isNegative ? -Int64(digits) : Int64(digits)) }
            if isNegative, digits == Int64.min.magnitude { return .int(.min) }
        }
        let power = exponent - fractionCount
        guard digits <= 1 << 53, (-22...22).contains(power) else { return .double(try exactDouble(scanner)) }
        // Digits and power of ten are exact doubles, so that one operation rounds once (Clinger's fast path).
        var scale = 1.0
        for _ in 0..<abs(power) { scale *= 10 }
        let magnitude = power < 0 ? Double(digits) / scale : Double(digits) * scale
        return .double(isNegative ? -magnitude : magnitude)
    }

    /// The nearest double, by the standard library's reading of the text.
    private func exactDouble(_ scanner: borrowing JSONScanner) throws(JSONRefusal) -> Double {
        let text = UnsafeBufferPointer(start: scanner.bytes + start, count: scanner.position - start)
        guard let double = Double(String(decoding: text, as: UTF8.self)), double.isFinite else {
            throw JSONRefusal(problem: .numberOutOfRange, offset: start)
        }
        return double
    }
}
