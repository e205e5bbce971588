/// Writes JSON (RFC 8259) byte by byte, without spaces, members in the order in which they are written.
///
/// The writer sets commas itself. The caller closes what it opened and writes a value after each key; the writer
/// asserts the latter alone.
public struct JSONWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Makes a writer with room for `capacity` bytes.
    public init(capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// Opens an object.
    public mutating func beginObject() { open(UInt8(ascii: "{")) }

    /// Closes the object that was opened last.
    public mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Opens an array.
    public mutating func beginArray() { open(UInt8(ascii: "[")) }

    /// Closes the array that was opened last.
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes a member's key; its value comes next.
    public mutating func key(_ name: String) {
        assert(bytes.last != UInt8(ascii: ":"), "a key is written in place of a value")
        beginValue()
        appendQuoted(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes text.
    public mutating func string(_ text: String) {
        beginValue()
        appendQuoted(text)
    }

    /// Writes a whole number.
    public mutating func int(_ number: Int64) {
        beginValue()
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(number.magnitude)
    }

    /// Writes a whole number.
    public mutating func uint(_ number: UInt64) {
        beginValue()
        appendDigits(number)
    }

    /// Writes a double in the fewest digits that read back as the same double, and null when it is not finite.
    ///
    /// Whole doubles below 2^53 are written without a point, negative zero as 0.
    public mutating func double(_ number: Double) {
        beginValue()
        appendDouble(number)
    }

    /// Writes true or false.
    public mutating func bool(_ truth: Bool) {
        beginValue()
        append(truth ? "true" : "false")
    }

    /// Writes null.
    public mutating func null() {
        beginValue()
        append("null")
    }

    /// Writes a value that is JSON already.
    public mutating func json(_ text: [UInt8]) {
        beginValue()
        bytes += text
    }

    /// Writes bytes as base64 text (RFC 4648 section 4).
    public mutating func base64(_ data: [UInt8]) {
        beginValue()
        bytes.append(UInt8(ascii: "\""))
        bytes += Base64.letters(of: data)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes seconds with a fraction of up to nine digits; `nanoseconds` has the sign of `seconds`.
    public mutating func seconds(_ seconds: Int64, nanoseconds: Int32) {
        beginValue()
        if seconds < 0 || nanoseconds < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(seconds.magnitude)
        appendFraction(UInt64(nanoseconds.magnitude), digits: 9)
    }

    /// Writes a moment as Unix seconds with up to three digits of a fraction, rounded down to milliseconds.
    public mutating func seconds(_ moment: Timestamp) {
        let calendar = CalendarTimestamp(moment)
        let milliseconds = calendar.nanoseconds / 1_000_000
        timestamp(CalendarTimestamp(seconds: calendar.seconds, nanoseconds: milliseconds * 1_000_000))
    }

    private mutating func timestamp(_ moment: CalendarTimestamp) {
        if moment.seconds < 0, moment.nanoseconds > 0 {
            seconds(moment.seconds + 1, nanoseconds: moment.nanoseconds - 1_000_000_000)
        } else {
            seconds(moment.seconds, nanoseconds: moment.nanoseconds)
        }
    }

    /// Writes a value as JSON knows it.
    ///
    /// Timestamps are Unix seconds, durations seconds, bytes base64 text, types their names; an empty optional
    /// and an error are null; keys of maps that are no text are written as text.
    public mutating func value(_ value: Value) {
        switch value {
        case .null, .error: null()
        case .bool(let truth): bool(truth)
        case .int(let number): int(number)
        case .uint(let number): uint(number)
        case .double(let number): double(number)
        case .string(let text), .type(let text): string(text)
        case .bytes(let data): base64(data)
        case .timestamp(let moment): timestamp(moment)
        case .duration(let length): seconds(length.seconds, nanoseconds: length.nanoseconds)
        case .optional(let content):
            if let content = content.first { self.value(content) } else { null() }
        case .list(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .map(let map):
            beginObject()
            for entry in map.entries {
                key(entry.key.keyText)
                self.value(entry.value)
            }
            endObject()
        }
    }
}

extension Value {
    /// The text of a key in JSON.
    package var keyText: String {
        switch self {
        case .string(let name): name
        case .int(let number): number.description
        case .uint(let number): number.description
        case .bool(let truth): truth ? "true" : "false"
        default: ""
        }
    }
}

// Members of an object, each with its key; nil is written as null.
extension JSONWriter {
    /// Writes a member that is a text.
    public mutating func member(_ name: String, _ text: String?) {
        key(name)
        if let text { string(text) } else { null() }
    }

    /// Writes a member that is a whole number.
    public mutating func member(_ name: String, _ number: Int64?) {
        key(name)
        if let number { int(number) } else { null() }
    }

    /// Writes a member that is a whole number.
    public mutating func member(_ name: String, _ number: Int) {
        member(name, Int64(number))
    }

    /// Writes a member that is a whole number.
    public mutating func member(_ name: String, _ number: UInt64) {
        key(name)
        uint(number)
    }

    /// Writes a member that is a number.
    public mutating func member(_ name: String, _ number: Double) {
        key(name)
        double(number)
    }

    /// Writes a member that is true or false.
    public mutating func member(_ name: String, _ truth: Bool?) {
        key(name)
        if let truth { bool(truth) } else { null() }
    }

    /// Writes a member that is a moment in Unix seconds.
    public mutating func member(_ name: String, _ moment: Timestamp?) {
        key(name)
        if let moment { seconds(moment) } else { null() }
    }

    /// Writes a member that is any value.
    public mutating func member(_ name: String, _ value: Value) {
        key(name)
        self.value(value)
    }

    /// Writes a member that is JSON already.
    public mutating func member(_ name: String, json text: [UInt8]) {
        key(name)
        json(text)
    }

    /// Writes a member that is a list of texts.
    public mutating func member(_ name: String, _ texts: [String]) {
        array(name, texts) { $0.string($1) }
    }

    /// Writes a member that is an object, whose members `write` writes.
    public mutating func object(_ name: String, _ write: (inout JSONWriter) -> Void) {
        key(name)
        beginObject()
        write(&self)
        endObject()
    }

    /// Writes a member that is an array, to which `write` adds each element.
    @inlinable
    public mutating func array<Elements: Sequence>(
        _ name: String,
        _ elements: Elements,
        _ write: (inout JSONWriter, Elements.Element) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements { write(&self, element) }
        endArray()
    }

    /// Writes a member that is an array of objects, of each of which `write` writes the members.
    @inlinable
    public mutating func objects<Elements: Sequence>(
        _ name: String,
        _ elements: Elements,
        _ write: (inout JSONWriter, Elements.Element) -> Void
    ) {
        array(name, elements) { writer, element in
            writer.beginObject()
            write(&writer, element)
            writer.endObject()
        }
    }
}

extension JSONWriter {
    private mutating func beginValue() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        beginValue()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        assert(bytes.last != UInt8(ascii: ":"), "an object is closed before the value of its last key")
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func append(_ ascii: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: ascii.utf8Start, count: ascii.utf8CodeUnitCount))
    }

    private mutating func appendDigits(_ number: UInt64) {
        guard number >= 10 else { return bytes.append(UInt8(ascii: "0") + UInt8(number)) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var first = digits.endIndex
            var rest = number
            while rest > 0 {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(digit)
                rest = quotient
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
        }
    }

    /// Appends a point and a fraction with this number of digits, without its trailing zeros; nothing if it is zero.
    private mutating func appendFraction(_ fraction: UInt64, digits: Int) {
        guard fraction > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        var scale: UInt64 = 1
        for _ in 1..<digits { scale *= 10 }
        var rest = fraction
        while rest > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(rest / scale))
            rest %= scale
            scale /= 10
        }
    }

    private mutating func appendDouble(_ number: Double) {
        guard number.isFinite else { return append("null") }
        // Most readings of devices have at most three decimals: this spares the search for the shortest digits.
        let thousandths = (number * 1000).rounded()
        // A decimal of at most 15 digits that reads back as this double is the shortest one.
        if thousandths.magnitude < 1e15, thousandths / 1000 == number {
            let (whole, fraction) = UInt64(thousandths.magnitude).quotientAndRemainder(dividingBy: 1000)
            if thousandths < 0 { bytes.append(UInt8(ascii: "-")) }
            appendDigits(whole)
            return appendFraction(fraction, digits: 3)
        }
        if number.magnitude < 9_007_199_254_740_992, number.rounded() == number {
            if number < 0 { bytes.append(UInt8(ascii: "-")) }
            return appendDigits(UInt64(number.magnitude))
        }
        bytes.append(contentsOf: number.description.utf8)
    }

    /// Appends text with quotes and the escapes that RFC 8259 demands, no others.
    private mutating func appendQuoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var plain = 0
            var index = 0
            while index < utf8.count {
                let byte = utf8[index]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[plain..<index]))
                    appendEscape(of: byte)
                    plain = index + 1
                }
                index += 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[plain...]))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscape(of byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x0C: append("\\f")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            append(byte < 0x10 ? "\\u000" : "\\u001")
            let digit = byte & 0x0F
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
