import Logging
import SkerryCommand
import SkerryFiles
import SkerryGateway
import SkerryValues
import Synchronization

/// The level of the log, which a request may change while the bridge runs.
final class LogLevel: Sendable {
    private let level: Mutex<Logger.Level>

    init(_ level: Logger.Level) {
        self.level = Mutex(level)
    }

    var value: Logger.Level {
        get { level.withLock { $0 } }
        set { level.withLock { $0 = newValue } }
    }
}

/// Writes log lines to standard error: text for people, or one JSON object a line.
struct LogOutput: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level {
        get { level.value }
        set { level.value = newValue }
    }
    private let level: LogLevel
    private let label: String
    private let isJSON: Bool
    private let usesColours: Bool

    init(label: String, level: LogLevel, isJSON: Bool) {
        self.label = label
        self.isJSON = isJSON
        self.level = level
        usesColours = Terminal.takesColours(2)
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        Terminal.writeLog(isJSON ? json(event) : text(event))
    }

    /// Has what this process complains about written as lines of a JSON log, where the log is JSON.
    static func takeComplaints(isJSON: Bool) {
        guard isJSON else { return Terminal.giveComplaints(nil) }
        Terminal.giveComplaints { text, isWarning in
            var message = text[...]
            if message.hasPrefix("skerry: ") { message = message.dropFirst(8) }
            while message.last?.isNewline == true { message = message.dropLast() }
            if message.isEmpty { return "" }
            let id: LogID = isWarning ? .definitionDoubted : .fault
            return json(isWarning ? .warning : .error, "skerry", String(message), id: id.rawValue)
        }
    }

    private func json(_ event: LogEvent) -> String {
        let id: String? = event.metadata?[LogID.key].map { "\($0)" }
        return Self.json(event.level, label, "\(event.message)", id: id)
    }

    private static func json(
        _ level: Logger.Level,
        _ label: String,
        _ message: String,
        id: String?
    ) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("time", RecordingTime.exact(SystemClock().now))
        writer.member("level", level.rawValue)
        writer.member("logger", label)
        writer.member("id", id)
        writer.member("message", message)
        writer.endObject()
        return Terminal.printable(String(decoding: writer.bytes, as: UTF8.self)) + "\n"
    }

    private func text(_ event: LogEvent) -> String {
        let time = RecordingTime.text(SystemClock().now)
        let colour: String? =
            switch event.level {
            case .critical, .error: "\u{1B}[31m"
            case .warning: "\u{1B}[33m"
            case .trace, .debug: "\u{1B}[2m"
            case .info, .notice: nil
            }
        let level = event.level.rawValue
        let space = String(repeating: " ", count: max(1, 9 - level.count))
        let line = "\(time) \(level)\(space)\(Terminal.printable("\(event.message)"))"
        guard usesColours, let colour else { return line + "\n" }
        return "\(colour)\(line)\u{1B}[0m\n"
    }
}
