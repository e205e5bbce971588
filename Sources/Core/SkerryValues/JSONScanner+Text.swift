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
