extension RecordingLine {
    @inline(__always)
    mutating func skipSpace() {
        while index < end, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    }

    /// Steps over a byte, if it is the next one.
    @inline(__always)
    mutating func take(_ byte: UInt8) -> Bool {
        guard index < end, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    @inline(__always)
    func matches(_ range: Range<Int>, _ text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        var letter = text.utf8Start
        for position in range {
            guard bytes[position] == letter.pointee else { return false }
            letter += 1
        }
        return true
    }

    /// Copies bytes of the line as they are.
    mutating func copy(_ source: Range<Int>) -> Range<Int> {
        let start = used
        for position in source {
            arena[used] = bytes[position]
            used += 1
        }
        return start..<used
    }

    /// Reads a text from its opening quote to its closing one; bytes that are not UTF-8 stay as they are.
    mutating func text() throws(RecordingProblem) -> Range<Int> {
        let start = used
        var input = index + 1
        var output = used
        while input < end {
            let byte = bytes[input]
            if byte == 0x22 {
                index = input + 1
                used = output
                return start..<output
            }
            if byte == 0x5C {
                index = input
                used = output
                try escape()
                input = index
                output = used
            } else {
                arena[output] = byte
                output += 1
                input += 1
            }
        }
        throw .notJSON
    }

    private mutating func escape() throws(RecordingProblem) {
        guard index + 1 < end else { throw .notJSON }
        let byte = bytes[index + 1]
        index += 2
        switch byte {
        case 0x22, 0x5C, 0x2F: append(byte)
        case UInt8(ascii: "b"): append(0x08)
        case UInt8(ascii: "f"): append(0x0C)
        case UInt8(ascii: "n"): append(0x0A)
        case UInt8(ascii: "r"): append(0x0D)
        case UInt8(ascii: "t"): append(0x09)
        case UInt8(ascii: "u"): try unicodeEscape()
        default: throw .badEscape
        }
    }

    @inline(__always)
    private mutating func append(_ byte: UInt8) {
        arena[used] = byte
        used += 1
    }

    private mutating func unicodeEscape() throws(RecordingProblem) {
        var code = try hexadecimal()
        if (0xD800...0xDBFF).contains(code) {
            guard take(0x5C), take(UInt8(ascii: "u")) else { throw .badEscape }
            let low = try hexadecimal()
            guard (0xDC00...0xDFFF).contains(low) else { throw .badEscape }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw .badEscape }
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
    }

    private mutating func hexadecimal() throws(RecordingProblem) -> UInt32 {
        guard index + 4 <= end else { throw .badEscape }
        var value: UInt32 = 0
        for byte in bytes[index..<index + 4] {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - 0x30
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - 0x57
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - 0x37
            default: throw .badEscape
            }
            value = value << 4 | UInt32(digit)
        }
        index += 4
        return value
    }

    /// Skips a JSON value and returns its range, without the space around it.
    ///
    /// Its contents are read only as far as needed to find its end.
    mutating func skipValue() throws(RecordingProblem) -> Range<Int> {
        let start = index
        var depth = 0
        repeat {
            guard index < end else { throw .notJSON }
            switch bytes[index] {
            case 0x22: try skipText()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                index += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09:
                guard depth > 0 else { throw .notJSON }
                index += 1
            default: skipWord()
            }
        } while depth > 0
        guard depth == 0 else { throw .notJSON }
        return start..<index
    }

    private mutating func skipText() throws(RecordingProblem) {
        index += 1
        while index < end, bytes[index] != 0x22 { index += bytes[index] == 0x5C ? 2 : 1 }
        guard index < end else { throw .notJSON }
        index += 1
    }

    private mutating func skipWord() {
        while index < end {
            switch bytes[index] {
            case 0x22, 0x20, 0x09, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: "]"),
                UInt8(ascii: ","), UInt8(ascii: ":"):
                return
            default: index += 1
            }
        }
    }
}
