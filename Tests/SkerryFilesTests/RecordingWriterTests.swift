import SkerryTesting
import Foundation
import SkerryFiles
import SkerryValues
import Testing

/// The recordings that lie beside the package or where `SKERRY_RECORDINGS` says.
enum Recordings {
    static let folder = URL(
        fileURLWithPath: ProcessInfo.processInfo.environment["SKERRY_RECORDINGS"]
            ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("shared/recordings").path
    )

    static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".jsonl") }.sorted().map { folder.appendingPathComponent($0) }
}

@Suite("Recordings written")
struct RecordingWriterTests {
    /// Printed by mosquitto_sub 2.0.11 with `TZ=UTC`, `-V mqttv5` and `-F '%j'`.
    static let lines = [
        #"{"tst":"2026-11-21T04:05:54.005001Z+0000","topic":"a/b","qos":0,"retain":0,"payloadlen":4,"payload":"1.50"}"#,
        #"{"tst":"2026-11-21T04:05:54.007768Z+0000","topic":"a/b","qos":0,"retain":0,"payloadlen":25,"payload":"hello \"q\" \\ / ü € 😀"}"#,
        "{\"tst\":\"2026-11-21T04:05:54.011198Z+0000\",\"topic\":\"a/b\",\"qos\":0,\"retain\":1,\"payloadlen\":26,"
            + "\"payload\":\"tab\\tnl\\ncr\\rbs\\bff\\fesc\\u001bdel\u{7F}x\\u0001\"}",
        #"{"tst":"2026-11-21T04:05:54.018280Z+0000","topic":"a/b","qos":0,"retain":0,"payloadlen":0,"payload":null}"#,
        #"{"tst":"2026-11-21T04:05:54.023679Z+0000","topic":"a/b c;\"x\"/ü","qos":0,"retain":0,"payloadlen":5,"payload":"\"str\""}"#,
        #"{"tst":"2026-11-21T04:05:54.069689Z+0000","topic":"a/b","qos":1,"retain":0,"payloadlen":1,"mid":2,"payload":"x"}"#,
        #"{"tst":"2000-02-29T23:59:59.000000Z+0000","topic":"a/b","qos":2,"retain":0,"payloadlen":1,"mid":65535,"payload":"x"}"#,
        #"{"tst":"1969-12-31T00:00:00.999999Z+0000","topic":"a/b","qos":0,"retain":0,"payloadlen":1,"payload":"x"}"#,
    ]

    @Test("are the same as mosquitto_sub prints", arguments: lines)
    func identity(line: String) throws {
        let (messages, report) = try readAll(Array(line.utf8))
        #expect(report.refusals == [])
        var writer = RecordingWriter()
        for message in messages { writer.append(message) }
        #expect(String(decoding: writer.takeBytes(), as: UTF8.self) == line + "\n")
        #expect(writer.bytes.isEmpty)
    }

    @Test func `times are read as they are written, over the leap days and ends of all years`() throws {
        var last: Timestamp?
        for year in 0...9999 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let days = [("01-01", 1), ("02-28", 58), ("03-01", isLeap ? 2 : 1), ("12-31", 305)]
            for (day, distance) in days {
                let digits = String(year)
                let text = "\(String(repeating: "0", count: 4 - digits.count))\(digits)-\(day)T23:59:59.999Z"
                let moment = try #require(RecordingTime.parse(text), "\(text)")
                if let last { #expect(moment - last == .hours(24 * Int64(distance)), "\(text)") }
                if RecordingTime.exact(moment) != text { Issue.record("\(text)") }
                last = moment
            }
            let leapDay = "\(year)-02-29T00:00:00Z"
            #expect(year < 1000 || (RecordingTime.parse(leapDay) != nil) == isLeap, "\(leapDay)")
        }
        #expect(RecordingTime.text(Timestamp(microseconds: .min)) == "0000-01-01 00:00:00")
        #expect(RecordingTime.text(Timestamp(microseconds: .max)) == "9999-12-31 23:59:59")
    }

    @Test func `the content type is a property`() throws {
        var writer = RecordingWriter()
        let payload = Array("{\"a\": 1.50, \"b\": [1,2]}".utf8)
        writer.append(
            RecordedMessage(
                at: Timestamp(microseconds: 1_795_233_954_020_804),
                topic: Array("a/b".utf8)[...],
                payload: payload[...],
                qos: 1,
                identifier: 1
            ),
            contentType: Array("application/json".utf8)[...]
        )
        let expected =
            #"{"tst":"2026-11-21T04:05:54.020804Z+0000","topic":"a/b","qos":1,"retain":0,"payloadlen":23,"mid":1,"properties":{"content-type":"application/json"},"payload":"{\"a\": 1.50, \"b\": [1,2]}"}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected + "\n")
    }

    @Test func `any payload at any time comes back`() throws {
        var random = SimulatedRandom(seed: 5)
        var writer = RecordingWriter()
        var written: [RecordedMessage] = []
        for _ in 0..<2000 {
            let payload = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let message = RecordedMessage(
                at: Timestamp(
                    microseconds: Int64.random(
                        in: -62_167_219_200_000_000...253_402_300_799_999_999,
                        using: &random
                    )
                ),
                topic: Array("t/\(payload.count)".utf8)[...],
                payload: payload[...],
                qos: UInt8.random(in: 0...2, using: &random),
                isRetained: Bool.random(using: &random)
            )
            written.append(message)
            writer.append(message)
        }
        let (messages, report) = try readAll(writer.takeBytes())
        #expect(report.refusals == [])
        #expect(messages.count == written.count)
        for (left, right) in zip(messages, written) {
            #expect(left.at == right.at)
            #expect(left.topic.elementsEqual(right.topic))
            #expect(left.payload.elementsEqual(right.payload))
            #expect((left.qos, left.isRetained) == (right.qos, right.isRetained))
        }
    }

    @Test func `times beyond four digits of the year are written as the last ones there are`() {
        var writer = RecordingWriter()
        for moment in [Timestamp.distantPast, .distantFuture] {
            writer.append(RecordedMessage(at: moment, topic: [0x61], payload: []))
        }
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text.contains("\"0000-01-01T00:00:00.000000Z+0000\""))
        #expect(text.contains("\"9999-12-31T23:59:59.999999Z+0000\""))
    }

    @Test(
        "and read again are the same bytes, for every recording there is",
        .enabled(if: !Recordings.files.isEmpty, "there are no recordings beside the package"),
        arguments: Recordings.files
    )
    func recordings(file: URL) throws {
        let reader = try RecordingReader(path: file.path)
        var batch = RecordedMessages()
        var writer = RecordingWriter()
        while try reader.read(into: &batch) {
            for message in batch { writer.append(message) }
        }
        #expect(reader.report.refused == 0)
        #expect(reader.report.backwardSteps == 0)
        let original = Array(try Data(contentsOf: file))
        #expect(writer.bytes == original)
        #expect(reader.report.bytes == original.count)
    }
}
