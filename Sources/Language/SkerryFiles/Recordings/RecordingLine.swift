import SkerryValues

/// Reads one line of a recording, its texts into memory that many lines share.
///
/// No text grows by being read, so memory as large as the lines holds them all.
struct RecordingLine {
    let bytes: UnsafeBufferPointer<UInt8>
    let arena: UnsafeMutableBufferPointer<UInt8>
    /// True if a line had a payload that is a JSON value itself (`%J`).
    var hasEmbedded: Bool

    var used = 0
    var index = 0
    var end = 0

    /// The message of a line; nil when the line is empty.
    mutating func message(in range: Range<Int>) throws(RecordingProblem) -> RecordedMessages.Entry? {
        index = range.lowerBound
        end = range.upperBound
        if index < end, bytes[end - 1] == 0x0D { end -= 1 }
        skipSpace()
        guard index < end else { return nil }
        let usedBefore = used
        do throws(RecordingProblem) {
            if bytes[index] == UInt8(ascii: "[") { throw .array }
            return bytes[index] == UInt8(ascii: "{") ? try object() : try plain()
        } catch {
            used = usedBefore
            throw error
        }
    }

    // MARK: timestamp topic payload

    private mutating func plain() throws(RecordingProblem) -> RecordedMessages.Entry {
        let time = word()
        guard let at = RecordingTime.parse(UnsafeBufferPointer(rebasing: bytes[time])) else {
            throw .notALine
        }
        skipSpace()
        let topic = copy(word())
        guard !topic.isEmpty else { throw .noTopic }
        if index < end { index += 1 }
        let payload = copy(index..<end)
        return RecordedMessages.Entry(
            at: at,
            topic: topic,
            payload: payload,
            qos: 0,
            isRetained: false,
            identifier: 0
        )
    }

    private mutating func word() -> Range<Int> {
        let start = index
        while index < end, bytes[index] != 0x20, bytes[index] != 0x09 { index += 1 }
        return start..<index
    }

    // MARK: JSON

    private struct Fields {
        var at: Timestamp?
        var topic: Range<Int>?
        var payload: Range<Int>?
        var payloadSource = 0..<0
        var payloadKind = PayloadKind.text
        var payloadLength: UInt64?
        var qos: UInt64 = 0
        var retain: UInt64 = 0
        var identifier: UInt64 = 0
    }

    private enum PayloadKind {
        case text
        case null
        case embedded
        /// A text where other lines have JSON: with a `payloadlen` that counts its quotes it is JSON too.
        case textOrEmbedded
    }

    private mutating func object() throws(RecordingProblem) -> RecordedMessages.Entry {
        var fields = Fields()
        index += 1
        skipSpace()
        if index < end, bytes[index] == UInt8(ascii: "}") {
            index += 1
        } else {
            repeat {
                skipSpace()
                try member(into: &fields)
                skipSpace()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { throw .notJSON }
        }
        skipSpace()
        guard index == end else { throw .notJSON }
        return try entry(fields)
    }

    private mutating func entry(_ fields: Fields) throws(RecordingProblem) -> RecordedMessages.Entry {
        guard let at = fields.at else { throw .noTime }
        guard let topic = fields.topic, !topic.isEmpty else { throw .noTopic }
        guard let payload = fields.payload else { throw .noPayload }
        guard fields.qos <= 2, fields.retain <= 1, let identifier = UInt16(exactly: fields.identifier) else {
            throw .badField
        }
        return RecordedMessages.Entry(
            at: at,
            topic: topic,
            payload: try checked(payload, fields),
            qos: UInt8(fields.qos),
            isRetained: fields.retain == 1,
            identifier: identifier
        )
    }

    /// The payload, if its length agrees with the line's `payloadlen`.
    private mutating func checked(
        _ payload: Range<Int>,
        _ fields: Fields
    ) throws(RecordingProblem) -> Range<Int> {
        switch fields.payloadKind {
        case .embedded:
            hasEmbedded = true
            return payload
        case .null:
            switch fields.payloadLength {
            case nil, 0: return payload.lowerBound..<payload.lowerBound
            case 4: return payload
            default: throw .lengthMismatch
            }
        case .text:
            guard let length = fields.payloadLength, length != payload.count else { return payload }
            throw .lengthMismatch
        case .textOrEmbedded:
            return try textOrEmbedded(fields)
        }
    }

    private mutating func textOrEmbedded(_ fields: Fields) throws(RecordingProblem) -> Range<Int> {
        let (usedBefore, indexBefore) = (used, index)
        index = fields.payloadSource.lowerBound
        let payload = try text()
        index = indexBefore
        guard let length = fields.payloadLength, length != payload.count else { return payload }
        guard length == fields.payloadSource.count else { throw .lengthMismatch }
        used = usedBefore
        return copy(fields.payloadSource)
    }

    @inline(__always)
    private mutating func member(into fields: inout Fields) throws(RecordingProblem) {
        guard take(0x22) else { throw .notJSON }
        let start = index
        while index < end, bytes[index] != 0x22 { index += bytes[index] == 0x5C ? 2 : 1 }
        let key = start..<min(index, end)
        index += 1
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw .notJSON }
        skipSpace()
        switch key.count {
        case 3 where matches(key, "tst"), 2 where matches(key, "ts"), 9 where matches(key, "timestamp"):
            fields.at = try time()
        case 5 where matches(key, "topic"):
            guard index < end, bytes[index] == 0x22 else { throw .noTopic }
            fields.topic = try text()
        case 7 where matches(key, "payload"):
            try payload(into: &fields)
        case 10 where matches(key, "payloadlen"): fields.payloadLength = try number()
        case 3 where matches(key, "qos"): fields.qos = try number()
        case 6 where matches(key, "retain"): fields.retain = try number()
        case 3 where matches(key, "mid"): fields.identifier = try number()
        default: _ = try skipValue()
        }
    }

    private mutating func payload(into fields: inout Fields) throws(RecordingProblem) {
        let start = index
        if index < end, bytes[index] == 0x22, !hasEmbedded {
            fields.payload = try text()
            fields.payloadKind = .text
            return
        }
        let source = try skipValue()
        if bytes[start] == 0x22 {
            fields.payload = used..<used
            fields.payloadSource = source
            fields.payloadKind = .textOrEmbedded
            return
        }
        fields.payload = copy(source)
        fields.payloadKind = matches(source, "null") ? .null : .embedded
    }

    private mutating func time() throws(RecordingProblem) -> Timestamp {
        var source = try skipValue()
        if let first = source.first, bytes[first] == 0x22 { source = first + 1..<source.upperBound - 1 }
        guard let at = RecordingTime.parse(UnsafeBufferPointer(rebasing: bytes[source])) else {
            throw .noTime
        }
        return at
    }

    /// A whole number of at most 18 digits; truth values are 0 and 1.
    private mutating func number() throws(RecordingProblem) -> UInt64 {
        let start = index
        var value: UInt64 = 0
        while index < end, bytes[index].isDigit, index - start < 18 {
            value = value * 10 + UInt64(bytes[index] - 0x30)
            index += 1
        }
        if index > start { return value }
        let source = try skipValue()
        if matches(source, "true") { return 1 }
        guard matches(source, "false") else { throw .badField }
        return 0
    }
}

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
