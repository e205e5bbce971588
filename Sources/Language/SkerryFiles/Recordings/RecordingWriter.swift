import SkerryExpressions
import SkerryValues

/// Writes recordings as `mosquitto_sub -F '%j'` of mosquitto 2.0 does in the time zone UTC.
///
/// One difference: a zero byte in a text is written as `\u0000`, where mosquitto would cut the text off.
public struct RecordingWriter: Sendable {
    /// The bytes written and not taken yet.
    public private(set) var bytes: [UInt8] = []

    /// Makes a writer.
    public init() {}

    /// Writes a line.
    ///
    /// - Parameters:
    ///   - message: The message; its packet identifier is written when it has one and QoS is not 0.
    ///   - contentType: The MQTT 5 content type, as bytes of UTF-8.
    public mutating func append(_ message: RecordedMessage, contentType: ArraySlice<UInt8>? = nil) {
        append("{\"tst\":\"")
        appendCalendarTime(message.at.microseconds)
        append("\",\"topic\":")
        JSONText.append(message.topic, to: &bytes)
        append(",\"qos\":")
        append(number: Int64(message.qos))
        append(message.isRetained ? ",\"retain\":1,\"payloadlen\":" : ",\"retain\":0,\"payloadlen\":")
        append(number: Int64(message.payload.count))
        if message.qos > 0, message.identifier > 0 {
            append(",\"mid\":")
            append(number: Int64(message.identifier))
        }
        if let contentType {
            append(",\"properties\":{\"content-type\":")
            JSONText.append(contentType, to: &bytes)
            append("}")
        }
        append(",\"payload\":")
        if message.payload.isEmpty {
            append("null")
        } else {
            JSONText.append(message.payload, to: &bytes)
        }
        append("}\n")
    }

    /// Takes the bytes written, leaving none.
    package mutating func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Forgets the bytes written and keeps their memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number of 0 or more, with leading zeros up to this number of digits.
    private mutating func append(number: Int64, digits: Int = 1) {
        var count = 1
        var limit: UInt64 = 10
        var rest = UInt64(max(0, number))
        while count < digits || limit <= rest, limit < .max / 10 {
            count += 1
            limit *= 10
        }
        for _ in 0..<count { bytes.append(0x30) }
        for position in (bytes.count - count..<bytes.count).reversed() {
            bytes[position] += UInt8(rest % 10)
            rest /= 10
        }
    }

    /// Writes `2026-11-21T01:26:45.628395Z+0000`; years before 0 and after 9999 are written as those.
    mutating func appendCalendarTime(_ microseconds: Int64) {
        // The beginning of the year 0 and the end of the year 9999.
        let first = Int64(-62_167_219_200) * 1_000_000
        let last = Int64(253_402_300_800) * 1_000_000 - 1
        let written = min(max(microseconds, first), last)
        let seconds = written.floorDivided(by: 1_000_000)
        let date = CivilTime(seconds: seconds, offset: 0)
        append(number: date.year, digits: 4)
        append("-")
        append(number: date.month, digits: 2)
        append("-")
        append(number: date.day, digits: 2)
        append("T")
        append(number: date.secondOfDay / 3600, digits: 2)
        append(":")
        append(number: date.secondOfDay / 60 % 60, digits: 2)
        append(":")
        append(number: date.secondOfDay % 60, digits: 2)
        append(".")
        append(number: written - seconds * 1_000_000, digits: 6)
        append("Z+0000")
    }
}
