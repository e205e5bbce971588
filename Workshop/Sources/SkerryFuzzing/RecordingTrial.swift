import SkerryFiles
import SkerryValues

/// A trial that reads a recording, writes it again, and reads the result.
enum RecordingTrial {
    /// The times that a recording can hold: the years 0 to 9999.
    private static let times =
        Timestamp(seconds: -62_167_219_200)..<Timestamp(seconds: 253_402_300_800)

    static func brokenPromise(_ bytes: [UInt8]) -> String? {
        let reader = RecordingReader(bytes: bytes)
        guard let messages = messages(of: reader) else {
            // UTF-16 and compressed files are refused by their first bytes.
            return reader.report.lines == 0 ? nil : "bytes in memory can't be read to their end"
        }
        let report = reader.report
        if report.messages != messages.count { return "messages are miscounted" }
        if report.lines != report.messages + report.emptyLines + report.refused { return "lines get lost" }
        if report.bytes != bytes.count { return "bytes get lost" }
        var writer = RecordingWriter()
        for message in messages { writer.append(message) }
        let copy = RecordingReader(bytes: writer.bytes)
        guard let again = self.messages(of: copy), again.count == messages.count else {
            return "what was written can't all be read"
        }
        for (first, second) in zip(messages, again) where !areSame(first, second) {
            return "what was written reads as something else"
        }
        return nil
    }

    private static func messages(of reader: RecordingReader) -> [RecordedMessage]? {
        var messages: [RecordedMessage] = []
        do {
            while let message = try reader.next() { messages.append(message) }
        } catch {
            return nil
        }
        return messages
    }

    private static func areSame(_ first: RecordedMessage, _ second: RecordedMessage) -> Bool {
        first.topic == second.topic && first.payload == second.payload && first.qos == second.qos
            && first.isRetained == second.isRetained && (first.at == second.at || !times.contains(first.at))
    }
}
