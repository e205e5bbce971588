import SkerryFiles
import SkerryValues
import Testing

/// Reads a recording to its end.
func readAll(_ bytes: [UInt8]) throws -> (messages: [RecordedMessage], report: RecordingReport) {
    let reader = RecordingReader(bytes: bytes)
    var messages: [RecordedMessage] = []
    while let message = try reader.next() { messages.append(message) }
    return (messages, reader.report)
}

/// A line of a recording with what is to be read from it.
struct RecordedLine: Sendable, CustomTestStringConvertible {
    /// 2026-11-21T01:26:45.628395Z
    static let moment = Timestamp(microseconds: 1_795_224_405_628_395)

    var text: String
    var payload: String
    var at: Timestamp
    var topic: String
    var qos: UInt8
    var isRetained: Bool
    var identifier: UInt16
    var testDescription: String { text }

    init(
        _ text: String,
        payload: String = "1.50",
        at: Timestamp = moment,
        topic: String = "a/b",
        qos: UInt8 = 0,
        isRetained: Bool = false,
        identifier: UInt16 = 0
    ) {
        self.text = text
        self.payload = payload
        self.at = at
        self.topic = topic
        self.qos = qos
        self.isRetained = isRetained
        self.identifier = identifier
    }
}

@Suite("Lines of recordings")
struct RecordingReaderTests {
    private typealias Line = RecordedLine

    private static let wholeSecond = Timestamp(microseconds: 1_795_224_405_000_000)

    static let accepted: [RecordedLine] = [
        // mosquitto 2.0 and 2.1
        Line(
            #"{"tst":"2026-11-21T01:26:45.628395Z+0000","topic":"a/b","qos":1,"retain":0,"payloadlen":4,"mid":3,"properties":{"content-type":"x","user-properties":{"k":"1\"}","k":"2"}},"payload":"1.50"}"#,
            qos: 1,
            identifier: 3
        ),
        Line(
            #"{"tst":"2026-11-21T01:26:45.628395+0000","topic":"a/b","qos":2,"retain":1,"payloadlen":4,"mid":65535,"payload":"1.50"}"#,
            qos: 2,
            isRetained: true,
            identifier: 65535
        ),
        Line(
            #"{"tst":"2026-11-21T02:26:45.628395Z+0100","topic":"a/b","qos":0,"retain":0,"payloadlen":4,"payload":"1.50"}"#
        ),
        // other keys, orders and spaces
        Line(#"{ "payload" : "1.50" , "ts" : "2026-11-21T01:26:45.628395Z" , "topic" : "a/b" }  "#),
        Line(#"{"timestamp":1795224405.628395,"topic":"a/b","payload":"1.50","retain":false}"#),
        Line(
            #"{"timestamp":1795224405628395,"topic":"a/b","payload":"1.50","retain":true}"#,
            isRetained: true
        ),
        Line(#"{"ts":1795224405628.395,"topic":"a/b","payload":"1.50","other":[1,{"a":"]"}]}"#),
        Line(#"{"ts":1795224405628395123,"topic":"a/b","payload":"1.50"}"#),
        Line(#"{"ts":"1795224405.6283959","topic":"a/b","payload":"1.50"}"#),
        Line(#"{"tst":"2026-11-20T20:26:45.628395-05:00","topic":"a/b","payload":"1.50"}"#),
        Line(#"{"tst":"2026-11-21T06:56:45,628395999+05:30","topic":"a/b","payload":"1.50"}"#),
        Line(#"{"tst":"2026-11-21 01:26:45.628395","topic":"a/b","payload":"1.50"}"#),
        Line(#"{"tst":"2026-11-21T01:26:45Z","topic":"a/b","payload":"1.50"}"#, at: wholeSecond),
        Line(
            #"{"tst":"1969-12-31T23:59:59.5Z","topic":"a/b","payload":"1.50"}"#,
            at: Timestamp(microseconds: -500_000)
        ),
        Line(
            #"{"tst":"2024-02-29T00:00:00Z","topic":"a/b","payload":"1.50"}"#,
            at: Timestamp(seconds: 1_709_164_800)
        ),
        // escapes
        Line(
            #"{"tst":"2026-11-21T01:26:45.628395Z","topic":"a\/\"b\" ü","payload":"\b\f\n\r\t\\\/\u001b\u00fc\u20AC\ud83d\ude00"}"#,
            payload: "\u{8}\u{C}\n\r\t\\/\u{1B}ü€😀",
            topic: "a/\"b\" ü"
        ),
        Line(
            #"{"tst":"2026-11-21T01:26:45.628395Z","topic":"a/b","payloadlen":5,"payload":"a\u0000b\u0000c"}"#,
            payload: "a\0b\0c"
        ),
        // empty payloads
        Line(
            #"{"tst":"2026-11-21T01:26:45.628395Z","topic":"a/b","payloadlen":0,"payload":null}"#,
            payload: ""
        ),
        Line(#"{"tst":"2026-11-21T01:26:45.628395Z","topic":"a/b","payload":""}"#, payload: ""),
        // %J
        Line(
            #"{"tst":"2026-11-21T01:26:45.628395Z","topic":"a/b","payloadlen":4,"payload":1.5}"#,
            payload: "1.5"
        ),
        Line(
            #"{"tst":"2026-11-21T01:26:45.628395Z","topic":"a/b","payloadlen":4,"payload":null}"#,
            payload: "null"
        ),
        Line(
            #"{"tst":"2026-11-21T01:26:45.628395Z","topic":"a/b","payloadlen":99,"payload":{"a": [1, "}"], "b":{}} }"#,
            payload: #"{"a": [1, "}"], "b":{}}"#
        ),
        // plain lines
        Line("2026-11-21T01:26:45.628395Z a/b 1.50"),
        Line("1795224405.628395\ta/b\t1.50"),
        Line("2026-11-21T01:26:45.628395Z a/b {\"x\": \"y z\"}  ", payload: "{\"x\": \"y z\"}  "),
        Line("2026-11-21T01:26:45.628395Z a/b", payload: ""),
        Line("  1795224405.628395 a/b  1.50", payload: " 1.50"),
    ]

    @Test("of every known form are read", arguments: accepted)
    func reads(line: RecordedLine) throws {
        for text in [line.text, line.text + "\n", "\n" + line.text + "\r\n\n"] {
            let (messages, report) = try readAll(Array(text.utf8))
            #expect(report.refusals == [])
            let message = try #require(messages.first)
            #expect(messages.count == 1)
            #expect(message.at == line.at)
            #expect(String(decoding: message.topic, as: UTF8.self) == line.topic)
            #expect(String(decoding: message.payload, as: UTF8.self) == line.payload)
            #expect(message.qos == line.qos)
            #expect(message.isRetained == line.isRetained)
            #expect(message.identifier == line.identifier)
        }
    }

    static let refused: [(text: String, problem: RecordingProblem)] = [
        (#"{"tst":"2026-11-21T01:26:45Z","topic":"a","payload":"x""#, .notJSON),
        (#"{"tst":"2026-11-21T01:26:45Z","topic":"a","payload":"x"} x"#, .notJSON),
        (#"{"tst":"2026-11-21T01:26:45Z","topic":"a","payload":"x"#, .notJSON),
        (#"{"tst":"2026-11-21T01:26:45Z","topic":"a","payload":{"x":1}"#, .notJSON),
        (#"{"tst" "2026-11-21T01:26:45Z"}"#, .notJSON),
        (#"{tst:1}"#, .notJSON),
        (#"{"a\"#, .notJSON),
        ("{", .notJSON),
        ("{}", .noTime),
        (#"{"topic":"a","payload":"x"}"#, .noTime),
        (#"{"tst":"yesterday","topic":"a","payload":"x"}"#, .noTime),
        (#"{"tst":"2026-02-29T01:26:45Z","topic":"a","payload":"x"}"#, .noTime),
        (#"{"tst":"2026-11-21T24:00:00Z","topic":"a","payload":"x"}"#, .noTime),
        (#"{"tst":"2026-11-21T01:26:45Zulu","topic":"a","payload":"x"}"#, .noTime),
        (#"{"tst":"2026-11-21T01:26:45+1","topic":"a","payload":"x"}"#, .noTime),
        (#"{"tst":"2026-11-21T01:26:45.Z","topic":"a","payload":"x"}"#, .noTime),
        (#"{"tst":99999999999999999999,"topic":"a","payload":"x"}"#, .noTime),
        (#"{"tst":"","topic":"a","payload":"x"}"#, .noTime),
        (#"{"tst":1,"topic":"","payload":"x"}"#, .noTopic),
        (#"{"tst":1,"topic":7,"payload":"x"}"#, .noTopic),
        (#"{"tst":1,"payload":"x"}"#, .noTopic),
        (#"{"tst":1,"topic":"a"}"#, .noPayload),
        (#"{"tst":1,"topic":"a","qos":3,"payload":"x"}"#, .badField),
        (#"{"tst":1,"topic":"a","qos":-1,"payload":"x"}"#, .badField),
        (#"{"tst":1,"topic":"a","retain":2,"payload":"x"}"#, .badField),
        (#"{"tst":1,"topic":"a","mid":65536,"payload":"x"}"#, .badField),
        (#"{"tst":1,"topic":"a","payload":"\x"}"#, .badEscape),
        (#"{"tst":1,"topic":"a","payload":"\ud800"}"#, .badEscape),
        (#"{"tst":1,"topic":"a","payload":"\udc00"}"#, .badEscape),
        (#"{"tst":1,"topic":"a","payload":"\ud800\u0041"}"#, .badEscape),
        (#"{"tst":1,"topic":"a","payload":"\u00g0"}"#, .badEscape),
        (#"{"tst":1,"topic":"a","payloadlen":9,"payload":"nul"}"#, .lengthMismatch),
        (#"{"tst":1,"topic":"a","payloadlen":5,"payload":"nul"}"#, .lengthMismatch),
        (#"{"tst":1,"topic":"a","payloadlen":3,"payload":null}"#, .lengthMismatch),
        ("hello", .notALine),
        ("2026-11-21T01:26:45Z", .noTopic),
        ("a/b 2026-11-21T01:26:45Z 1", .notALine),
    ]

    @Test("that can't be used are counted with line and reason, and reading goes on", arguments: refused)
    func refuses(text: String, problem: RecordingProblem) throws {
        let good = #"{"tst":1,"topic":"a","payload":"x"}"#
        let (messages, report) = try readAll(Array("\(good)\n\n\(text)\n\(good)".utf8))
        #expect(messages.map { String(decoding: $0.payload, as: UTF8.self) } == ["x", "x"])
        #expect(report.refusals.map(\.line) == [3])
        #expect(report.refusals.map(\.problem) == [problem])
        #expect((report.lines, report.messages, report.emptyLines, report.refused) == (4, 2, 1, 1))
    }

    @Test func `bytes that are no UTF-8 are kept`() throws {
        let line =
            Array(#"{"tst":1,"topic":"a","payloadlen":5,"payload":"bad"#.utf8) + [0xFF, 0xFE, 0x22, 0x7D]
        let (messages, _) = try readAll(line)
        #expect(messages.map { Array($0.payload) } == [Array("bad".utf8) + [0xFF, 0xFE]])
    }

    @Test func `a text is a JSON payload only where other payloads are JSON`() throws {
        let text = #"{"tst":1,"topic":"a","payloadlen":5,"payload":"str"}"#
        let embedded = #"{"tst":1,"topic":"a","payloadlen":1,"payload":5}"#
        let plain = #"{"payload":"st\u0072","tst":1,"topic":"a long topic","payloadlen":3}"#
        let (messages, report) = try readAll(Array("\(text)\n\(embedded)\n\(text)\n\(plain)\n\(text)".utf8))
        let payloads = messages.map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(payloads == ["5", "\"str\"", "str", "\"str\""])
        #expect(report.refusals.map(\.line) == [1])
    }

    @Test func `steps back in time are counted`() throws {
        let lines = [3, 5, 4, 4, 6, 1].map { #"{"tst":\#($0),"topic":"a","payload":"x"}"# }
        let (messages, report) = try readAll(Array(lines.joined(separator: "\n").utf8))
        #expect(messages.map(\.at.flooredSeconds) == [3, 5, 4, 4, 6, 1])
        #expect(report.backwardSteps == 2)
    }

    @Test func `messages stay valid after further reading`() throws {
        let lines = (0..<5000).map { #"{"tst":\#($0),"topic":"t/\#($0)","payload":"p\#($0 * $0)"}"# }
        let (messages, report) = try readAll(Array(lines.joined(separator: "\n").utf8))
        #expect(report.refused == 0)
        #expect(messages.count == 5000)
        for (number, message) in messages.enumerated() {
            #expect(String(decoding: message.payload, as: UTF8.self) == "p\(number * number)")
        }
    }

    @Test func `what Windows puts before a text is no part of its first line`() throws {
        let line = #"{"tst":1,"topic":"a","payload":"x"}"#
        let (messages, report) = try readAll([0xEF, 0xBB, 0xBF] + Array("\(line)\r\n\(line)\r\n".utf8))
        #expect((messages.count, report.refused) == (2, 0))
        #expect(report.bytes == 3 + 2 * (line.utf8.count + 2))
        var wide: [UInt8] = [0xFF, 0xFE]
        for unit in line.utf16 { wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let error = #expect(throws: FileError.self) { try readAll(wide) }
        #expect(error?.reason.hasPrefix("is UTF-16") == true)
    }

    @Test func `a line that is too long is passed over`() throws {
        let good = Array((#"{"tst":1,"topic":"a","payload":"x"}"# + "\n").utf8)
        let long =
            Array(#"{"tst":1,"topic":"a","payload":""#.utf8)
            + [UInt8](repeating: 0x41, count: RecordingReader.lineLimit) + Array("\"}\n".utf8)
        let (messages, report) = try readAll(good + long + good)
        #expect(messages.count == 2)
        #expect(report.refusals.map(\.line) == [2])
        #expect(report.refusals.map(\.problem) == [.lineTooLong])
    }
}
